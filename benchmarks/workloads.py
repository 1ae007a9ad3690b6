"""What runs inside the processes that measure a call: ``python -m benchmarks.workloads NAME ARGUMENT …``.

Each prints the CPU seconds of what counts. Making the data does not, and neither does loading it.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import process_time

from . import machine
from .corpus import Entities
from .printed import as_corefud, as_printed, changed, natural_words

READINGS = 5
SIX_METRICS = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea")
HEAVY = ("numpy.random", "scipy.optimize", "jinja2.ext", "json", "csv")

Clusters = list[list[tuple[int, int]]]


def labels(directory: str) -> float:
    """``score_labels`` with all metrics that need no words, and all imports; the clock starts with the process."""
    import numpy as np

    import corefscope

    started = process_time()
    key, response = (np.load(Path(directory) / f"labels.{side}.npy") for side in ("key", "response"))
    loading = process_time() - started
    corefscope.score_labels(key, response)
    return process_time() - loading


def scorer(documents: str, mentions: str) -> float:
    """A ``Scorer`` from its making to its report, per document; the import does not count."""
    from corefscope import Scorer

    random = Random(40)
    pairs = [_pair(random, int(mentions), 0.49) for _ in range(int(documents))]
    started = process_time()
    scorer = Scorer(metrics=SIX_METRICS)
    for key, response in pairs:
        scorer.add(key, response)
    scorer.report()
    return (process_time() - started) / len(pairs)


def coval(documents: str, mentions: str) -> float:
    """The same by the evaluators of coval; it has mention detection where ours has BLANC."""
    from coval.eval import evaluator  # type: ignore[import-not-found]

    random = Random(40)
    pairs = [_pair(random, int(mentions), 0.49) for _ in range(int(documents))]
    names = ("mentions", "muc", "b_cubed", "ceafe", "ceafm", "lea")
    started = process_time()
    evaluators = [evaluator.Evaluator(getattr(evaluator, name)) for name in names]
    for key, response in pairs:
        owners = [{m: i for i, cluster in enumerate(side) for m in cluster} for side in (key, response)]
        of_key = {mention: owners[1][mention] for mention in owners[0] if mention in owners[1]}
        of_response = {mention: owners[0][mention] for mention in owners[1] if mention in owners[0]}
        for each in evaluators:
            each.update((key, response, of_key, of_response))
    return (process_time() - started) / len(pairs)


def entities(count: str) -> float:
    """``score_clusters`` on one document with so many entities, four times as many mentions, and all imports."""
    made = process_time()
    key, response = _pair(Random(100), 4 * int(count), 0.25)
    making = process_time() - made
    from corefscope import score_clusters

    score_clusters(key, response)
    return process_time() - making


def read(format_: str, path: str) -> float:
    """All documents of a file, one at a time: seconds per million bytes, the best of some readings after a first."""
    try:
        from corefscope.core.errors import Warnings
        from corefscope.formats.detection import open_reader
    except ImportError:  # version 0.2 had other modules
        from corefscope.errors import Warnings  # type: ignore
        from corefscope.readers.catalogue import open_reader  # type: ignore

    took = []
    for _ in range(1 + READINGS):
        started = process_time()
        _, reader = open_reader(path, format_, Warnings())
        for document in reader:
            del document
        took.append(process_time() - started)
        reader.source.close()
    return min(took[1:]) / (Path(path).stat().st_size / 1e6)


def resampling(key: str, response: str) -> float:
    """Intervals of all official metrics from 10,000 resamples, and what that imports; the scoring does not count."""
    import corefscope

    report = corefscope.score(key, response)
    started = process_time()
    from corefscope.comparison.resampling import intervals

    intervals(report, resamples=10_000)
    return process_time() - started


def printed(words: str) -> float:
    """Printed text of one document, read and scored; imports do not count, those of another text before it."""
    from tempfile import TemporaryDirectory

    import numpy  # noqa: F401  which long documents need

    import corefscope

    took = []
    for size in (100, int(words)):
        with TemporaryDirectory() as folder:
            key, text = Path(folder) / "key.conllu", Path(folder) / "printed.txt"
            forms = natural_words(size)
            key.write_text(as_corefud(forms), encoding="utf-8")
            text.write_text(as_printed(forms), encoding="utf-8")
            started = process_time()
            corefscope.score(key, text)
            took.append(process_time() - started)
    return took[-1]


def copying(words: str) -> float:
    """Printed words align_words with those of the key."""
    from corefscope.formats.alignment import align_words

    forms = natural_words(int(words))
    copied = changed(forms)
    started = process_time()
    align_words(copied, forms)
    return process_time() - started


def all_pairs(words: str) -> float:
    """The same by a table of all pairs of words, of which two rows are kept."""
    forms = natural_words(int(words))
    copied = changed(forms)
    started = process_time()
    above = list(range(len(forms) + 1))
    for row, word in enumerate(copied, start=1):
        costs = [row]
        for column, form in enumerate(forms):
            best = min(above[column + 1], costs[column]) + 1
            costs.append(min(best, above[column] + (word != form)))
        above = costs
    return process_time() - started


def text2text(words: str) -> float:
    """The same by the cleaner of text2text-coref."""
    from text2text_coref.output_cleaner import clean_data  # type: ignore[import-not-found]

    forms = natural_words(int(words))
    line = " ".join(changed(forms))
    started = process_time()
    clean_data([line], [[forms]])
    return process_time() - started


def calibration() -> float:
    """The workload that machines are compared by."""
    return machine.calibrate()


def warm_up() -> float:
    """Import everything that any benchmark imports, so that its byte code is there."""
    import pkgutil
    from importlib import import_module
    from importlib.util import find_spec

    import corefscope

    for name in HEAVY:
        if find_spec(name.partition(".")[0]):
            import_module(name)
    for module in pkgutil.walk_packages(corefscope.__path__, "corefscope."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    return 0.0


def _pair(random: Random, mentions: int, fresh: float) -> tuple[Clusters, Clusters]:
    """Key and response clusters: of the mentions 5 % are dropped, 5 % added, 10 % elsewhere, 5 % split off."""
    numbers = Entities(random, fresh)
    key: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    response: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for at in range(mentions):
        mention = (3 * at, 3 * at + at % 3)
        entity = numbers.next()
        key[entity].append(mention)
        chance = random.random()
        if chance < 0.05:
            response[entity].append((3 * at + 1, 3 * at + 1 + at % 2))  # spurious, in place of one that is dropped
        elif chance < 0.15:
            response[random.randrange(numbers.count)].append(mention)
        elif chance < 0.20:
            response[-1 - entity].append(mention)
        else:
            response[entity].append(mention)
    return list(key.values()), list(response.values())


WORKLOADS: dict[str, Callable[..., float]] = {
    work.__name__: work
    for work in (
        *(labels, scorer, coval, entities, read, resampling),
        *(printed, copying, all_pairs, text2text, calibration, warm_up),
    )
}


if __name__ == "__main__":
    print(WORKLOADS[sys.argv[1]](*sys.argv[2:]))
