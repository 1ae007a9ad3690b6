"""Large tables of ids are counted from their rows, with arrays: to the same figures, in little memory."""

from __future__ import annotations

import json
import random
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope
from corefscope.core.matching.matchers import MATCHERS
from corefscope.core.metrics import METRICS, select
from corefscope.core.registry import HOOKS
from corefscope.core.rules import RULES
from corefscope.formats.tables import rows
from corefscope.scale.arrays import tabulate_documents
from examples import examples

Rows = list[tuple[str, str, str]]
"""Document, mention, entity."""
IDS = ["a", "b", "c", "ab", "é", "e", '"', "\n", "[1]", "7", "\x1f,", "long" * 9, "x", "y", "z"]
ALL = select("all")
FEW = [name for name in ALL if not METRICS[name].engines.depends_on_order]


@st.composite
def tables(draw: st.DrawFn, *, repeats: bool = False) -> tuple[Rows, Rows]:
    """Two tables of some mentions of some documents; some mentions are in one of them only."""
    documents = draw(st.sampled_from([["d"], ["d", "d2"], ["d", "d2", "é"]]))
    labels = draw(st.sampled_from([["1"], ["1", "2", "3"], ["1", "2", "3", "4", "5", "6", "7", "x", "é"]]))
    sides: list[Rows] = []
    for _ in range(2):
        cells = st.tuples(st.sampled_from(documents), st.sampled_from(IDS), st.sampled_from(labels))
        by = (lambda row: row) if repeats else (lambda row: row[:2])
        side = draw(st.lists(cells, min_size=1, max_size=25, unique_by=by))
        sides.append([("d", "common", "1"), *(row for row in side if row[:2] != ("d", "common"))])
    return sides[0], sides[1]


def _write(path: Path, table: Rows, *, with_documents: bool = True) -> Path:
    columns = {"document": [], "mention": [], "entity": []}  # type: dict[str, list[str]]
    for row in table:
        for column, cell in zip(columns.values(), row, strict=True):
            column.append(cell)
    if not with_documents:
        del columns["document"]
    if path.suffix == ".parquet":
        pyarrow = pytest.importorskip("pyarrow")
        import_parquet = pytest.importorskip("pyarrow.parquet")
        import_parquet.write_table(pyarrow.table(columns), path)
    else:
        quoted = (['"' + cell.replace('"', '""') + '"' for cell in column] for column in columns.values())
        lines = map(",".join, zip(*quoted, strict=True))
        path.write_bytes("\n".join([",".join(columns), *lines]).encode())
    return path


class _Lanes:
    """Scores with and without arrays, and tells which way was taken."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch = monkeypatch
        self.counted = 0

    def score(self, *files: Path, large: bool, **arguments: Any) -> dict[str, Any]:
        with self._patch.context() as patch:
            if large:
                patch.setattr(rows, "LARGE", 1)
                patch.setattr(rows, "PART", 3)

            def counting(*args: Any) -> Any:
                table = tabulate_documents(*args)
                self.counted += table is not None
                return table

            patch.setitem(HOOKS, "tabulate_ids", counting)
            return corefscope.score(*files, **arguments).to_dict()


@pytest.fixture
def lanes(monkeypatch: pytest.MonkeyPatch) -> _Lanes:
    return _Lanes(monkeypatch)


def _check_alike(lanes: _Lanes, files: tuple[Path, Path], **arguments: Any) -> int:
    """Both ways give one report; how many documents were counted with arrays is returned."""
    expected = lanes.score(*files, large=False, **arguments)
    assert not lanes.counted, "small tables need no arrays"
    found = lanes.score(*files, large=True, **arguments)
    _compare(found, expected)
    counted, lanes.counted = lanes.counted, 0
    return counted


def _compare(found: Any, expected: Any) -> None:
    """The same in everything; numbers to 1e-12."""
    if isinstance(expected, dict):
        assert list(found) == list(expected)
        for name, value in expected.items():
            _compare(found[name], value)
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for pair in zip(found, expected, strict=True):
            _compare(*pair)
    elif isinstance(expected, int | float) and not isinstance(expected, bool):
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)
    else:
        assert found == expected
    assert json.dumps(found) is not None, "plain numbers, not NumPy's"


SHARED = examples(60)


@SHARED
@given(pair=tables(), data=st.data())
def test_every_metric_under_all_rules_is_the_same_from_rows_and_from_mentions(
    pair: tuple[Rows, Rows], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("tables")
    suffix = data.draw(st.sampled_from([".csv", ".parquet"]))
    files = _write(folder / f"key{suffix}", pair[0]), _write(folder / f"response{suffix}", pair[1])
    arguments: dict[str, Any] = {
        "rules": data.draw(st.sampled_from(list(RULES))),
        "singletons": data.draw(st.sampled_from(["keep", "drop"])),
        "match": data.draw(st.sampled_from(list(MATCHERS))),
        "documents": data.draw(st.sampled_from(["apart", "merge"])),
        "compare_rules": data.draw(st.booleans()),
        "metrics": data.draw(st.sampled_from([FEW, list(ALL), ["muc"], ["mor", "zero"]])),
    }
    with pytest.MonkeyPatch.context() as patch:
        counted = _check_alike(_Lanes(patch), files, **arguments)
    general = RULES[arguments["rules"]].program or any(
        METRICS[name].engines.depends_on_order for name in arguments["metrics"]
    )
    assert bool(counted) != bool(general)


@SHARED
@given(pair=tables(repeats=True), data=st.data())
def test_tables_in_which_mentions_repeat_are_scored_as_ever(
    pair: tuple[Rows, Rows], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("repeats")
    key, response = ([*side, ("d", "common", "2")] for side in pair)
    files = _write(folder / "key.csv", key), _write(folder / "response.csv", response)
    rules = data.draw(st.sampled_from(list(RULES)))
    with pytest.MonkeyPatch.context() as patch:
        _check_alike(_Lanes(patch), files, rules=rules, metrics=FEW, singletons="keep", compare_rules=True)


def test_a_table_without_documents_and_one_that_lacks_one(lanes: _Lanes, tmp_path: Path) -> None:
    table = [("d", mention, f"e{n // 3}") for n, mention in enumerate(IDS)]
    files = tuple(_write(tmp_path / f"{n}.csv", table[n:], with_documents=False) for n in range(2))
    assert _check_alike(lanes, (files[0], files[1]), metrics=FEW) == 1
    more = _write(tmp_path / "more.csv", [*table, *(("other", mention, "e") for mention in IDS)])
    one = _write(tmp_path / "one.csv", table)
    assert _check_alike(lanes, (more, one), metrics=FEW) == 2
    assert _check_alike(lanes, (one, more), metrics=FEW) == 2


def test_a_large_table_is_scored_against_clusters_and_against_a_small_table(lanes: _Lanes, tmp_path: Path) -> None:
    table = [("d", mention, f"e{n // 3}") for n, mention in enumerate(IDS)]
    key = _write(tmp_path / "key.csv", table)
    clusters = tmp_path / "response.json"
    clusters.write_text(json.dumps({"d": [IDS[1:6], IDS[7:]]}))
    assert _check_alike(lanes, (key, clusters), metrics=FEW) == 1
    for odd in (7, [3, 4], ["a", "b"], ["a", '"b'], ["a", '"b"', "c"]):
        clusters.write_text(json.dumps({"d": [[*IDS[1:6], odd], IDS[7:9]]}))
        assert _check_alike(lanes, (key, clusters), metrics=FEW) == 0, f"no table has {odd}"
    small = _write(tmp_path / "small.csv", table[:1])
    assert _check_alike(lanes, (key, small), metrics=FEW) == 1
    assert _check_alike(lanes, (key, small), metrics=FEW, documents="merge") == 1


@pytest.mark.parametrize(
    "arguments",
    [{"baseline": "random"}, {"where": lambda _, mention: mention.head % 3 > 0}, {"anaphors": lambda *_: True}],
    ids=["baseline", "where", "anaphors"],
)
def test_what_asks_for_mentions_gets_them(arguments: dict[str, Any], lanes: _Lanes, tmp_path: Path) -> None:
    table = [("d", mention, f"e{n // 3}") for n, mention in enumerate(IDS)]
    files = _write(tmp_path / "k.csv", table), _write(tmp_path / "r.csv", table[::2])
    assert _check_alike(lanes, files, metrics=FEW, **arguments) == 0


def test_documents_of_rows_are_as_those_of_mentions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _write(tmp_path / "k.csv", [("d", mention, f"e{n % 4}") for n, mention in enumerate(IDS)])
    (small,) = corefscope.read_documents(path)
    monkeypatch.setattr(rows, "LARGE", 1)
    (large,) = corefscope.read_documents(path)
    assert large == small
    assert large.rows is not None
    assert sorted(large.sizes) == sorted(small.sizes)
    assert (large.entities[1], large.entity_ids[::2]) == (small.entities[1], small.entity_ids[::2])


def test_two_large_documents_take_a_fraction_of_the_memory_of_their_mentions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mentions take about 600 bytes a row; rows, with all that is counted from them, a seventh at most."""
    size = 60_000
    draw = random.Random(3)
    table = [("d", f"m{n}", f"e{draw.randrange(size // 4)}") for n in range(size)]
    files = _write(tmp_path / "k.csv", table), _write(tmp_path / "r.csv", table[::-1])
    corefscope.score(*files, metrics="corefud")  # what is imported is none of it
    monkeypatch.setattr("corefscope.formats.source.PIECE", 1 << 16)
    monkeypatch.setattr(rows, "PART", 1 << 11)
    monkeypatch.setattr(rows, "PIECE", 1 << 16)
    peaks = []
    for large in (1 << 11, 1 << 17):
        monkeypatch.setattr(rows, "LARGE", large)
        tracemalloc.start()
        assert corefscope.score(*files, metrics="corefud")["conll"].f1 == 1
        peaks.append(tracemalloc.get_traced_memory()[1] / (2 * size))
        tracemalloc.stop()
    assert peaks[0] < 85
    assert peaks[0] < peaks[1] / 4
