"""Tables of mentions: CSV, TSV and Parquet, faults with their lines, broken files."""

from __future__ import annotations

import random
import re
import sys
import tracemalloc
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace as Fake
from typing import Any, BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope import GROUPS, score, score_clusters, score_tables, verify
from corefscope.cli import main
from corefscope.core.document import Document
from corefscope.core.errors import CorefscopeError, InputError, Warnings
from corefscope.core.options import Options
from corefscope.core.positions import shown_id
from corefscope.core.steps import align
from corefscope.formats.source import Source
from corefscope.formats.tables import rows as rows_of_tables
from corefscope.formats.tables.reader import TableReader, columns_of
from corefscope.formats.tables.rows import id_position
from examples import examples
from tests.formats.jsonl.test_reader import broken

PLAIN = "document,mention,entity\nb,m1,e1\na,m2,e1\nb,m3,e2\nb,m4,e1\na,m1,e9\n"
HELD = {"a": {"e9": ["m1"], "e1": ["m2"]}, "b": {"e1": ["m1", "m4"], "e2": ["m3"]}}

Held = dict[str, dict[str, list[str]]]


def _read(path: Path) -> list[Document]:
    source = Source.open(path)
    try:
        reader = TableReader(source, Warnings())
        documents = list(reader)
        assert [document.id for document in documents] == reader.names
        assert reader.has_heads
        return documents
    finally:
        source.close()


def _held(path: Path) -> Held:
    return {
        document.id: {
            id_: [shown_id(mention.head) for mention in entity]
            for id_, entity in zip(document.entity_ids, document.entities, strict=True)
        }
        for document in _read(path)
    }


def _of(folder: Path, text: str) -> Held:
    path = folder / "some.csv"
    path.write_bytes(text.encode())
    return _held(path)


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        PLAIN.rstrip(),
        PLAIN.replace(",", "\t"),
        PLAIN.replace(",", ";"),
        PLAIN.replace(",", ", "),
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("\n", "\n\n"),
        "\ufeff" + PLAIN,
        "\n\n" + PLAIN,
        PLAIN.replace("document,mention,entity", "doc,mention_id,cluster"),
        PLAIN.replace("document,mention,entity", "Doc_ID,Mention,Label"),
        PLAIN.replace("document,mention,entity", '"doc_id","mention_id","cluster_id"'),
        PLAIN.replace("\nb,m3,e2", '\n"b","m3","e2"'),
        "\n".join(f"{line},comment" for line in PLAIN.splitlines()),
        "\n".join(",".join(line.split(",")[::-1]) for line in PLAIN.splitlines()),
        "\n".join([PLAIN.splitlines()[0], *sorted(PLAIN.splitlines()[1:])]),
    ],
)
def test_the_same_table(text: str, tmp_path: Path) -> None:
    """Separators, line ends, names and order of columns, order of rows: it is the same."""
    assert _of(tmp_path, text) == HELD


def test_one_document_if_none_is_named(tmp_path: Path) -> None:
    assert _of(tmp_path, "mention,entity\nm1,e1\nm1,e1\nm2,e1\n") == {"#1": {"e1": ["m1", "m1", "m2"]}}


def test_cells_may_hold_anything(tmp_path: Path) -> None:
    text = 'doc,mention,cluster\nd,"a,""b""\nc",1\nd,"  é",1\n'
    assert _of(tmp_path, text) == {"d": {"1": ["  é", 'a,"b"\nc']}}


def test_a_column_that_is_named_exactly_is_taken_before_one_that_differs_in_case() -> None:
    assert columns_of(["ID", "id", "entity"], {"mention": "id"}) == [-1, 1, 2]
    with pytest.raises(InputError, match="the columns 'ID' and 'id' may both be the mention"):
        columns_of(["ID", "id", "entity"], {"mention": "Id"})


def test_documents_are_found_and_mentions_align(tmp_path: Path) -> None:
    path = tmp_path / "some.csv"
    path.write_text("\n" + PLAIN, encoding="utf-8")
    source = Source.open(path)
    reader = TableReader(source, Warnings())
    assert [reader.line_of_document(at) for at in range(2)] == [4, 3]
    source.close()
    first, second = _read(path)
    assert first.entities[0][0].head == id_position("m1")
    assert not first.local_ids
    assert align(second, second, Options(singletons="keep")).matched == 3


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("document,entity\nd,e\n", 1, "no column holds the mention; found 'document', 'entity'"),
        ("\ndoc,mention\nd,e\n", 2, "no column holds the entity; found 'doc', 'mention'"),
        ("a b c", 1, "it may be called mention, mention_id"),
        ("mention,mention_id,entity\n", 1, "the columns 'mention' and 'mention_id' may both be the mention"),
        ("mention,cluster,label\n", 1, "the columns 'cluster' and 'label' may both be the entity"),
        ("mention,entity\nm,e\nm\n", 3, "a row of 1 cells; the header has 2"),
        ("mention,entity\nm,e\n\nm,e,f\n", 4, "a row of 3 cells; the header has 2"),
        ("mention,entity\nm,e\nm,\n", 3, "the cell of the entity is empty"),
        ("mention,entity\nm,e\n ,e\n", 3, "the cell of the mention is empty"),
        ("doc,mention,entity\n,m,e\n", 2, "the cell of the document is empty"),
        ('mention,entity\n"m\nn",e\nm,\n', 4, "the cell of the entity is empty"),
        ('mention,entity\nm,"e\n', 2, "is not a table: unexpected end of data"),
        ('mention,entity\nm,"e"f\n', 2, "is not a table"),
        ("mention,entity\nm," + "e" * 200_000 + "\n", 2, "is not a table: field larger than field limit"),
        ("mention,entity\n", 0, "has no rows"),
        (" \n", 1, "no column holds the mention"),
    ],
)
def test_faults_have_their_line(text: str, line: int, message: str, tmp_path: Path) -> None:
    path = tmp_path / "some.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        _read(path)
    assert caught.value.line == line


def test_bytes_that_are_not_text(tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_bytes(b"mention,entity\nm,e\n\xff,e\n")
    with pytest.raises(InputError, match=r"bad\.csv:3: byte 0xff is not UTF-8"):
        _read(path)


class _Batch:
    """What a batch of pyarrow offers."""

    def __init__(self, columns: dict[str, list[Any]]) -> None:
        self._columns = columns
        self.num_rows = len(next(iter(columns.values())))
        self.nbytes = 10 * self.num_rows

    def column(self, name: str) -> Any:
        return Fake(to_pylist=lambda: self._columns[name])


def _fake_pyarrow(monkeypatch: pytest.MonkeyPatch, columns: dict[str, list[Any]], size: int = 2) -> None:
    class ParquetFile:
        schema_arrow = Fake(names=list(columns))
        metadata = Fake(num_rows=len(next(iter(columns.values()))))

        def __init__(self, file: BinaryIO) -> None:
            file.seek(0)
            assert file.read().startswith(b"PAR1")

        def __enter__(self) -> ParquetFile:
            return self

        def __exit__(self, *_: object) -> None: ...

        def iter_batches(self, _: int, columns: list[str], use_threads: bool) -> list[_Batch]:
            assert not use_threads
            return [
                _Batch({name: cells[name][at : at + size] for name in columns})
                for at in range(0, len(cells[columns[0]]), size)
            ]

    cells = columns
    monkeypatch.setitem(sys.modules, "pyarrow", Fake(default_memory_pool=lambda: Fake(release_unused=list)))
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", Fake(ParquetFile=ParquetFile))


@pytest.fixture
def parquet(tmp_path: Path) -> Path:
    path = tmp_path / "some.parquet"
    path.write_bytes(b"PAR1\r\n\r\n PAR1")
    return path


def test_parquet(parquet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [line.split(",") for line in PLAIN.splitlines()]
    columns = {name: [row[at] for row in rows[1:]] for at, name in enumerate(rows[0])}
    _fake_pyarrow(monkeypatch, columns)
    assert _held(parquet) == HELD
    _fake_pyarrow(monkeypatch, {"mention": [1, 2, 3.0], "label": [10, 10, 11]})
    assert _held(parquet) == {"#1": {"10": ["1", "2"], "11": ["3"]}}


@pytest.mark.parametrize(
    ("columns", "line", "message"),
    [
        ({"mention": ["m"]}, 0, "no column holds the entity; found 'mention'"),
        ({"mention": ["m", "n", None], "entity": ["e"] * 3}, 3, "the cell of the mention is empty"),
        ({"mention": ["m", "n"], "entity": ["e", ""]}, 2, "the cell of the entity is empty"),
        ({"mention": ["m", "n"], "entity": [1.0, float("nan")]}, 2, "the cell of the entity is empty"),
        ({"mention": ["m", "n"], "entity": [1.0, 1.5]}, 2, "the entity is"),
        ({"mention": [["m"]], "entity": ["e"]}, 1, "the mention is"),
        ({"mention": [True], "entity": ["e"]}, 1, "ids must be strings or whole numbers"),
        ({"mention": [], "entity": []}, 0, "has no rows"),
    ],
)
def test_faults_of_parquet(
    columns: dict[str, list[Any]], line: int, message: str, parquet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fake_pyarrow(monkeypatch, columns)
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        _read(parquet)
    assert caught.value.line == line


def test_parquet_without_pyarrow(parquet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(InputError, match=re.escape("pip install 'corefscope[parquet]'")):
        _read(parquet)


def test_parquet_that_pyarrow_cannot_read(parquet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: str) -> None:
        raise OSError("Magic bytes not found\nmore")

    monkeypatch.setitem(sys.modules, "pyarrow", Fake(default_memory_pool=lambda: Fake(release_unused=list)))
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", Fake(ParquetFile=refuse))
    with pytest.raises(InputError, match="is no Parquet file that can be read: Magic bytes not found"):
        _read(parquet)


def test_parquet_for_real(tmp_path: Path) -> None:
    """With line ends among its bytes, which text would lose."""
    pyarrow = pytest.importorskip("pyarrow")
    from importlib import import_module

    mentions = [f"m{number}\r\n" for number in range(1000)]
    columns = {"doc_id": ["d"] * 1000, "mention": mentions, "cluster_id": [number // 10 for number in range(1000)]}
    path = tmp_path / "real.parquet"
    import_module("pyarrow.parquet").write_table(pyarrow.table(columns), path, compression="none")
    held = _held(path)["d"]
    assert held == {str(at): sorted(mentions[10 * at : 10 * at + 10]) for at in range(100)}
    path.write_bytes(path.read_bytes()[:-50])
    with pytest.raises(InputError, match="is no Parquet file that can be read"):
        _read(path)


def _all_read(data: bytes, path: Path) -> None:
    path.write_bytes(data)
    with suppress(CorefscopeError):
        for document in _read(path):
            align(document, document, Options(singletons="keep"))
            assert all(shown_id(mention.head) for entity in document.entities for mention in entity)


CELL = st.sampled_from(["mention", "entity", "doc", "label", "", "a", "b", '"', '""', '"x', "\n", " ", "\x00", "é"])
ROWS = st.lists(st.lists(CELL, max_size=4), max_size=5)


@examples(700)
@given(rows=ROWS, named=st.booleans(), delimiter=st.sampled_from(",\t;|"))
def test_any_cells(
    rows: list[list[str]], named: bool, delimiter: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rows = [["doc", "mention", "entity"], *rows] if named else rows
    text = "\n".join(delimiter.join(row) for row in rows)
    _all_read(text.encode() or b" ", tmp_path_factory.getbasetemp() / "any.csv")


@examples(700)
@given(data=st.binary(max_size=60), named=st.booleans())
def test_any_bytes(data: bytes, named: bool, tmp_path_factory: pytest.TempPathFactory) -> None:
    start = b"mention,entity\n" if named else b""
    _all_read(start + data or b" ", tmp_path_factory.getbasetemp() / "bytes.csv")


@pytest.mark.parametrize("seed", range(8))
def test_broken_files(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    for _ in range(100):
        text = PLAIN.replace(",", rng.choice(",\t;")).encode()
        _all_read(broken(rng, text), tmp_path / "broken.csv")


def test_parquet_that_unpacks_to_more_than_the_limit_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from importlib import import_module

    size = 300_000
    columns = {"mention": ["a mention that is always the same"] * size, "entity": ["e"] * size}
    path = tmp_path / "bomb.parquet"
    import_module("pyarrow.parquet").write_table(pyarrow.table(columns), path, compression="zstd")
    assert path.stat().st_size < 10_000
    monkeypatch.setenv("COREFSCOPE_MAX_UNPACKED", "5MB")
    with pytest.raises(InputError, match="unpacks to more than 5MB"):
        _read(path)


def test_a_parquet_file_that_changes_while_it_is_read_is_an_error(
    parquet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns = {"mention": ["m", "n"], "entity": ["e", "e"]}
    _fake_pyarrow(monkeypatch, columns)

    def growing(*_: object) -> int:
        parquet.write_bytes(parquet.read_bytes() + b"more")
        return 1000

    monkeypatch.setattr("corefscope.formats.tables.reader.max_unpacked", growing)
    with pytest.raises(InputError, match="changed while it was read"):
        _read(parquet)


@pytest.mark.parametrize("rows", [1, 2, 3, 5, 100])
def test_rows_that_are_packed_are_the_same_rows(rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows_of_tables, "LARGE", rows)
    assert _of(tmp_path, PLAIN) == HELD
    odd = "doc,mention,entity\n" + "".join(f'd{i % 3},"m\x1f{i}é,\n",e{i % 2}\n' for i in range(20))
    packed = _of(tmp_path, odd)
    monkeypatch.undo()
    assert packed == _of(tmp_path, odd)


def test_memory_holds_a_table_packed_and_one_document_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's strings alone would take 100 bytes a row and more."""
    monkeypatch.setattr(rows_of_tables, "LARGE", 1 << 12)
    monkeypatch.setattr("corefscope.formats.source.PIECE", 1 << 16)
    size = 200_000
    path = tmp_path / "long.csv"
    rows = (f"d{i // 100},mention{i},entity{i // 3}\n" for i in range(size))
    path.write_text("doc,mention,entity\n" + "".join(rows))
    source = Source.open(path)
    tracemalloc.start()
    try:
        mentions = sum(len(entity) for document in TableReader(source, Warnings()) for entity in document.entities)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        source.close()
    assert mentions == size
    assert peak < 60 * size


# ---- columns of other names

KEY_ROWS = [("m1", "ann"), ("m2", "ann"), ("m3", "bea"), ("m4", "bea"), ("m5", "cid")]
RESPONSE_ROWS = [("m1", "7"), ("m2", "7"), ("m3", "7"), ("m4", "8"), ("m5", "9")]
NAMED: dict[str, Any] = {"mention_column": ("id", "ref"), "entity_column": "truth,predicted"}


def _write(path: Path, header: Sequence[str], rows: Sequence[Sequence[str]]) -> Path:
    """A table in the format of its suffix; text that ``.txt`` is called has tabs, too."""
    if path.suffix == ".parquet":
        arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        columns = dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))
        parquet.write_table(arrow.table(columns), path)
    else:
        delimiter = "," if path.suffix == ".csv" else "\t"
        path.write_text("".join(delimiter.join(row) + "\n" for row in (header, *rows)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def expected() -> dict[str, Any]:
    sides = (
        [[m for m, e in rows if e == entity] for entity in {e: 0 for _, e in rows}]
        for rows in (KEY_ROWS, RESPONSE_ROWS)
    )
    report = score_clusters(*sides, metrics="linkage,conll")
    return {name: pytest.approx(tuple(figures)) for name, figures in report.items()}


@pytest.mark.parametrize("engine", [None, "duckdb"])
@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".txt"])
def test_columns_are_named_for_each_side(
    suffix: str, engine: str | None, expected: dict[str, Any], tmp_path: Path
) -> None:
    key = _write(tmp_path / f"key{suffix}", ["truth", "id", "age"], [(e, m, "3") for m, e in KEY_ROWS])
    response = _write(tmp_path / f"response{suffix}", ["ref", "predicted"], RESPONSE_ROWS)
    metrics: Any = {"metrics": "linkage,conll"}
    if engine:
        pytest.importorskip("duckdb")
        if suffix == ".txt":
            pytest.skip("an engine tells formats by their suffixes")
        report = score_tables(key, response, engine=engine, **NAMED, **metrics)
    else:
        report = score(key, response, **NAMED, **metrics)
    assert {name: tuple(figures) for name, figures in report.items()} == expected
    assert [side.columns for side in report.inputs] == [
        {"mention": "id", "entity": "truth"},
        {"mention": "ref", "entity": "predicted"},
    ]


@pytest.mark.parametrize("engine", [None, "duckdb"])
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("has_mentions", [True, False])
def test_one_table_may_have_the_entities_of_both_sides(
    has_mentions: bool, suffix: str, engine: str | None, expected: dict[str, Any], tmp_path: Path
) -> None:
    """Where it has no column of mentions, each row is one."""
    rows = [(m, e, r) for (m, e), (_, r) in zip(KEY_ROWS, RESPONSE_ROWS, strict=True)]
    header = ["id" if has_mentions else "comment", "truth", "predicted"]
    path = _write(tmp_path / f"both{suffix}", header, rows)
    columns: Any = {"entity_column": ("truth", "predicted"), "metrics": "linkage,conll"}
    if engine:
        pytest.importorskip("duckdb")
        report = score_tables(path, engine=engine, **columns)
    else:
        report = score(path, path, **columns)
    assert {name: tuple(figures) for name, figures in report.items()} == expected


def test_rows_without_a_mention_are_told_apart_by_their_lines_through_quotes_and_blank_lines(tmp_path: Path) -> None:
    path = tmp_path / "both.csv"
    path.write_text('note,truth,predicted\n"two\nlines",a,1\n\nplain,a,1\nx,b,2\n', encoding="utf-8")
    report = score(path, path, entity_column="truth,predicted")
    assert report["pairs"] == (1, 1, 1)
    assert report.inputs[0].mentions == 3


@pytest.mark.parametrize("mention", ["id", "record_id", "unique_id", "Record", "mention_id"])
@pytest.mark.parametrize("entity", ["cluster_id", "cluster", "entity_id", "Label"])
def test_usual_names_are_recognised_even_without_a_suffix(mention: str, entity: str, tmp_path: Path) -> None:
    paths: list[Path] = []
    for number, rows in enumerate((KEY_ROWS, RESPONSE_ROWS)):
        paths.append(tmp_path / f"side{number}")
        paths[-1].write_text("\n".join(map(",".join, [(mention, entity), *rows])), encoding="utf-8")
    report = score(*paths)
    assert report.options.format == "table"
    assert list(report) == list(GROUPS["linkage"])


def test_a_usual_name_gives_way_to_a_name_that_says_mention() -> None:
    """Tables that were read before are read in the same way."""
    assert columns_of(["id", "entity", "mention"]) == [-1, 2, 1]
    assert columns_of(["id", "cluster"]) == [-1, 0, 1]
    with pytest.raises(InputError, match=r"'id' and 'record_id' may both be the mention\n.*--mention-column"):
        columns_of(["id", "record_id", "cluster"])


def test_a_column_may_have_a_comma_in_its_name(tmp_path: Path) -> None:
    rows = [(f'"{m}"', e) for m, e in KEY_ROWS]
    path = tmp_path / "key.csv"
    path.write_text("\n".join(map(",".join, [('"name, first"', "entity"), *rows])), encoding="utf-8")
    report = score(path, path, mention_column="name, first")
    assert report["pairs"].f1 == 1


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"mention_column": "idd"}, "there is no column 'idd'"),
        ({**NAMED, "entity_column": "truth,predict"}, "response.csv:1: there is no column 'predict'"),
        (
            {"mention_column": "id,reff", "entity_column": "truth,predicted"},
            "response.csv:1: there is no column 'reff'",
        ),
        (
            {"mention_column": ("id", ""), "entity_column": ("truth", "predicted")},
            "response.csv:1: no column holds the mention",
        ),
        ({"mention_column": ("id",)}, "mention_column is the name of a column, or two names"),
        ({"entity_column": 3}, "entity_column is the name of a column, or two names"),
        ({"entity_column": ","}, "entity_column is the name of a column, or two names"),
        ({"entity_column": "a,b,c"}, "there is no column 'a,b,c'"),
        ({"document_column": "id,ref", "mention_column": "truth,predicted"}, "no column holds the entity"),
    ],
)
def test_columns_that_are_not_there_are_refused(columns: dict[str, Any], message: str, tmp_path: Path) -> None:
    key = _write(tmp_path / "key.csv", ["id", "truth"], KEY_ROWS)
    response = _write(tmp_path / "response.csv", ["ref", "predicted"], RESPONSE_ROWS)
    with pytest.raises(CorefscopeError, match=re.escape(message)):
        score(key, response, **columns)


def test_columns_are_for_tables(tmp_path: Path) -> None:
    table = _write(tmp_path / "key.csv", ["id", "truth"], KEY_ROWS)
    clusters = tmp_path / "response.json"
    clusters.write_text('[["m1", "m2"], ["m3"]]', encoding="utf-8")
    with pytest.raises(InputError, match=r"response\.json: was read as clusters, which has no columns"):
        score(table, clusters, entity_column="truth")
    assert score(table, clusters, entity_column="truth,")["pairs"].precision == 1


def test_every_way_to_read_a_table_takes_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = str(_write(tmp_path / "key.csv", ["person", "who"], KEY_ROWS))
    options = ["--mention-column", "person", "--entity-column", "who"]
    target = str(tmp_path / "key.json")
    assert main(["convert", table, target, *options]) == 0
    for name in ("stats", "validate"):
        assert main([name, table, *options]) == 0
        assert main([name, table]) == 1
    both = ["--mention-column", "person,", "--entity-column", "who,"]
    for command in (["errors", table, target], ["compare", table, target], ["score", table, target]):
        assert main([*command, *both, "--quiet"]) == 0
    capsys.readouterr()


def test_a_saved_result_of_named_columns_is_verified(tmp_path: Path) -> None:
    key = _write(tmp_path / "key.csv", ["id", "truth"], KEY_ROWS)
    response = _write(tmp_path / "response.csv", ["ref", "predicted"], RESPONSE_ROWS)
    saved = str(tmp_path / "result.json")
    columns = ["--mention-column", "id,ref", "--entity-column", "truth,predicted"]
    assert main(["score", str(key), str(response), *columns, "--quiet", "-o", saved]) == 0
    assert verify(saved).same
