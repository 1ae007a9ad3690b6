"""DuckDB finds what a plain count finds, whatever is read and however it is named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from corefscope.core.errors import InputError
from corefscope.scale.engines import open_engine
from corefscope.scale.engines.base import Budget, Engine
from corefscope.scale.engines.duckdb import _bytes
from corefscope.scale.engines.sql import LabelledTable
from tables_in_engines import Row, columns_of, counted_plainly, found_by

duckdb = pytest.importorskip("duckdb")
SIDE = LabelledTable("", ("entity",), "mention", "document")
KEY, RESPONSE = SIDE._replace(view="k"), SIDE._replace(view="r")


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """An engine of our own, which leaves no file."""
    temp = tmp_path / "temp"
    temp.mkdir()
    engine = open_engine("duckdb", Budget("200MB", str(temp), 2))
    yield engine
    engine.close()
    assert not list(temp.iterdir())


def _side(random: Random, documents: list[Any], numbers: bool) -> list[Row]:
    rows = [
        (
            document,
            mention if numbers else f"m{mention}",
            random.randrange(12) if numbers else f"é{random.randrange(12)}",
        )
        for document in documents
        for mention in range(40)
        if random.random() < 0.9
    ]
    random.shuffle(rows)
    return rows


def _topic(name: str) -> str:
    return name[-1]


WAYS: dict[str, tuple[dict[str, Any], Any]] = {
    "apart": ({}, str),
    "merge": ({"documents": "merge"}, lambda _: "all documents"),
    "topic": ({"documents": "topic", "topic": _topic}, lambda document: _topic(str(document))),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", range(6))
def test_looks_are_those_of_a_plain_count(engine: Engine, seed: int, way: str) -> None:
    random = Random(seed)
    numbers = seed % 2 == 0
    documents: list[Any] = [10, 9, 21, 101] if numbers else ["b1", "a1", "é1", "B2", "b 1"]
    key, response = _side(random, documents, numbers), _side(random, documents[:-1], numbers)
    engine.view("k", columns_of(key))
    engine.view("r", columns_of(response))
    options, part = WAYS[way]
    for singletons, least in (("keep", 1), ("drop", 2)):
        for batch in (1, 10**6):
            [found] = found_by(engine, KEY, RESPONSE, singletons=singletons, batch=batch, **options)
            assert found.looked == counted_plainly(key, response, part, least)
            assert found.names == sorted({part(document) for document in documents})
    assert (found.facts.key.rows, found.facts.response.rows) == (len(key), len(response))
    assert found.facts.key.documents == len(documents)
    assert found.facts.response.documents == len(documents) - 1
    plain = counted_plainly(key, response, part)
    assert found.facts.key.entities == sum(plain.key.values())
    assert found.facts.response.singletons == sum(count for look, count in plain.response.items() if look[1] == 1)
    assert found.facts.common == sum(look[1] * count for look, count in plain.cells.items())
    lacking = (1, str(documents[-1])) if way == "apart" else (0, "")
    assert (found.facts.response.lacks, found.facts.response.lacking) == lacking


def test_the_order_of_rows_and_the_number_of_threads_do_not_matter(tmp_path: Path) -> None:
    random = Random(5)
    key, response = _side(random, ["a", "b"], True), _side(random, ["a", "b"], True)
    looked = []
    for threads in (1, 2):
        for _ in range(2):
            random.shuffle(key)
            random.shuffle(response)
            engine = open_engine("duckdb", Budget("200MB", str(tmp_path), threads))
            engine.view("k", columns_of(key))
            engine.view("r", columns_of(response))
            looked.append(found_by(engine, KEY, RESPONSE)[0].looked)
            engine.close()
    assert looked[1:] == looked[:-1]


def test_without_documents_there_is_one(engine: Engine) -> None:
    key, response = _side(Random(1), [""], True), _side(Random(2), [""], True)
    for name, rows in (("k", key), ("r", response)):
        engine.view(name, columns_of(rows, "mention", "entity"))
    [found] = found_by(engine, KEY._replace(document=""), RESPONSE._replace(document=""))
    assert found.names == ["#1"]
    assert found.looked == counted_plainly(key, response, lambda _: "#1")


def test_columns_and_tables_may_have_any_name(engine: Engine) -> None:
    key, response = _side(Random(1), ["a"], False), _side(Random(2), ["a"], False)
    hostile = ['d"; DROP TABLE k; --', "select {key} 'x' `y`", "entity"]
    view = """k"q'`{pairs}"""
    engine.view(view, dict(zip(hostile, columns_of(key).values(), strict=True)))
    engine.view("r", columns_of(response))
    named = LabelledTable(view, (hostile[2],), hostile[1], hostile[0])
    assert list(engine.columns(view)) == hostile
    [found] = found_by(engine, named, RESPONSE)
    assert found.looked == counted_plainly(key, response)


@pytest.mark.parametrize("mention", ["mention", ""])
def test_one_table_may_have_the_entities_of_key_and_responses(engine: Engine, mention: str) -> None:
    random = Random(3)
    mentions = list(range(60))
    columns: dict[str, list[Any]] = {"document": [f"d{at % 3}" for at in mentions], "mention": mentions}
    for name in ("gold", "t90", "t95"):
        columns[name] = [None if random.random() < 0.1 else f"e{random.randrange(9)}" for _ in mentions]
    engine.view("wide", columns)
    key = LabelledTable("wide", ("gold",), mention, "document")
    found = found_by(engine, key, key._replace(entities=("t90", "t95")))
    for each, name in zip(found, ("t90", "t95"), strict=True):
        gold, answer = (
            [row for row in zip(columns["document"], mentions, columns[side], strict=True) if row[2] is not None]
            for side in ("gold", name)
        )
        assert each.looked == counted_plainly(gold, answer)
        assert each.facts.key.missing["entity"] == columns["gold"].count(None)
        assert each.facts.response.missing["entity"] == columns[name].count(None)
        assert each.facts.key.rows == 60


def test_several_responses_share_a_join(engine: Engine) -> None:
    key = _side(Random(1), ["a", "b"], False)
    answers = [_side(Random(2), ["a", "b"], False) for _ in range(2)]
    second = [(document, mention, Random(mention).choice("xyz")) for document, mention, _ in answers[0]]
    engine.view("k", columns_of(key))
    engine.view("r", {**columns_of(answers[0]), "second": [row[2] for row in second]})
    steps: list[str] = []
    found = found_by(engine, KEY, RESPONSE._replace(entities=("entity", "second")), progress=steps.append)
    assert found[0].looked == counted_plainly(key, answers[0])
    assert found[1].looked == counted_plainly(key, second)
    assert [step for step in steps if "join" in step] == ["joining key and responses"]


def _written(directory: Path, rows: list[Row], kind: str) -> Any:
    """The rows in files of a kind, of which there are two."""
    directory.mkdir()
    halves = [columns_of(half) for half in (rows[::2], rows[1::2])]
    if kind == "parquet":
        pyarrow = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        for number, half in enumerate(halves):
            parquet.write_table(pyarrow.table(half), directory / f"{number}'s.parquet")
        return str(directory / "*.parquet")
    delimiter = {"csv": ",", "tsv": "\t", "csv.gz": ";"}[kind]
    for number, half in enumerate(halves):
        lines = [delimiter.join(half), *[delimiter.join(map(str, row)) for row in zip(*half.values(), strict=True)]]
        path = directory / f"{number}.{kind}"
        text = "\n".join(lines) + "\n"
        if kind.endswith("gz"):
            import gzip

            path.write_bytes(gzip.compress(text.encode()))
        else:
            path.write_text(text, encoding="utf-8")
    return [directory / f"{number}.{kind}" for number in range(2)]


def test_ids_of_csv_are_texts_as_they_stand_there(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "numbers.csv"
    path.write_text("mention,entity\n1,1.0\n01,1\n", encoding="utf-8")
    engine.view("k", path)
    assert set(engine.columns("k").values()) == {"VARCHAR"}
    side = KEY._replace(document="")
    assert found_by(engine, side, side._replace(mention="mention"))[0].facts.key.entities == 2


def test_a_directory_is_all_its_files_and_odd_names_are_names(engine: Engine, tmp_path: Path) -> None:
    key, response = _side(Random(1), ["a"], False), _side(Random(2), ["a"], False)
    _written(tmp_path / "key[1]*", key, "parquet")
    [path, _] = _written(tmp_path / "response", response, "csv")
    engine.view("k", tmp_path / "key[1]*")
    engine.view("r", tmp_path / "response")
    assert found_by(engine, KEY, RESPONSE)[0].looked == counted_plainly(key, response)
    odd = path.rename(path.with_name("what?[0].csv"))
    engine.drop("r")
    engine.view("r", [odd, tmp_path / "response" / "1.csv"])
    assert found_by(engine, KEY, RESPONSE)[0].looked == counted_plainly(key, response)


@pytest.mark.parametrize("kind", ["parquet", "csv", "tsv", "csv.gz"])
def test_files_are_read(engine: Engine, kind: str, tmp_path: Path) -> None:
    key, response = _side(Random(1), ["007", "7"], False), _side(Random(2), ["007", "7"], False)
    engine.view("k", _written(tmp_path / "key", key, kind))
    engine.view("r", _written(tmp_path / "response", response, kind))
    [found] = found_by(engine, KEY, RESPONSE)
    assert found.names == ["007", "7"]
    assert found.looked == counted_plainly(key, response)


def test_frames_and_relations_are_read() -> None:
    key, response = _side(Random(1), ["a"], True), _side(Random(2), ["a"], True)
    pyarrow = pytest.importorskip("pyarrow")
    frame = pyarrow.table(columns_of(key))
    with duckdb.connect() as connection:
        engine = open_engine(connection)
        engine.view("k", frame)
        engine.view("r", connection.from_arrow(pyarrow.table(columns_of(response))))
        assert found_by(engine, KEY, RESPONSE)[0].looked == counted_plainly(key, response)
        engine.close()


def test_a_connection_of_the_callers_stays_as_it_is(tmp_path: Path) -> None:
    """Its tables are read by name; no setting changes, nothing is left in it, and it goes on."""
    key, response = _side(Random(1), ["a"], True), _side(Random(2), ["a"], True)
    pyarrow = pytest.importorskip("pyarrow")
    path = tmp_path / "of the caller.db"
    with duckdb.connect(path) as connection:
        connection.register("k_rows", pyarrow.table(columns_of(key)))
        connection.register("r_rows", pyarrow.table(columns_of(response)))
        connection.execute('CREATE TABLE "odd.""name" AS SELECT * FROM k_rows')
        connection.execute("CREATE SCHEMA s; CREATE TABLE s.answers AS SELECT * FROM r_rows")
    with duckdb.connect(path, read_only=True, config={"threads": 1}) as connection:
        before = connection.execute("SELECT name, value FROM duckdb_settings()").fetchall()
        engine = open_engine(connection)
        engine.view("k", 'odd."name')
        engine.view("r", "s.answers")
        assert found_by(engine, KEY, RESPONSE, local=0)[0].looked == counted_plainly(key, response)
        engine.drop("k", "r", "never there")
        engine.close()
        assert connection.execute("SELECT name, value FROM duckdb_settings()").fetchall() == before
        assert len(connection.execute("SELECT * FROM information_schema.tables").fetchall()) == 2
        assert not connection.execute("SELECT * FROM duckdb_views() WHERE NOT internal").fetchall()
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_ids_of_different_types_are_compared_as_texts() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    key, response = _side(Random(1), [1, 2], True), _side(Random(2), [1, 2], True)
    texts = [(document, str(mention), entity) for document, mention, entity in response]
    with duckdb.connect() as connection:
        engine = open_engine(connection)
        engine.view("k", pyarrow.table(columns_of(key)))
        engine.view("r", pyarrow.table(columns_of(texts)))
        [found] = found_by(engine, KEY, RESPONSE)
    assert [tuple(cast) for cast in found.facts.cast] == [("mention", "BIGINT", "VARCHAR")]
    assert found.looked == counted_plainly(key, response)


def test_floats_that_are_whole_are_whole_numbers() -> None:
    """As pandas writes a column that had gaps once."""
    pyarrow = pytest.importorskip("pyarrow")
    key, response = _side(Random(1), [1], True), _side(Random(2), [1], True)
    floats: dict[str, Any] = {**columns_of(response), "mention": np.array([row[1] for row in response], dtype=float)}
    with duckdb.connect() as connection:
        engine = open_engine(connection)
        engine.view("k", pyarrow.table(columns_of(key)))
        engine.view("r", pyarrow.table(floats))
        [found] = found_by(engine, KEY, RESPONSE)
        assert not found.facts.cast
        assert found.looked == counted_plainly(key, response)
        floats["mention"] = floats["mention"] + 0.5
        engine.drop("r")
        engine.view("r", pyarrow.table(floats))
        [found] = found_by(engine, KEY, RESPONSE)
        assert found.facts.fatal
        assert found.facts.response.missing == {"mention": len(response)}


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("nowhere.parquet", "nowhere.parquet"),
        ("no_such_table", "no_such_table"),
        (object(), "cannot read a object"),
    ],
)
def test_what_cannot_be_read_is_an_error_of_ours(engine: Engine, source: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        engine.view("k", source)
    assert said in str(caught.value)
    assert "hint" in str(caught.value)
    assert caught.value.__suppress_context__


URLS = [
    "https://example.invalid/key.parquet",
    "s3://bucket/key.csv",
    "HTTP://example.invalid/a",
    "hf://datasets/a.csv",
]


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize("listed", [False, True])
def test_no_url_is_fetched(engine: Engine, url: str, listed: bool) -> None:
    with pytest.raises(InputError, match="is a URL, and nothing is fetched") as caught:
        engine.view("k", [url] if listed else url)
    assert "engine=duckdb.connect()" in str(caught.value)


def test_no_extension_is_installed_or_loaded_by_itself(engine: Any) -> None:
    settings = dict(engine._connection.execute("SELECT name, value FROM duckdb_settings()").fetchall())
    assert settings["autoinstall_known_extensions"] == settings["autoload_known_extensions"] == "false"


def test_a_url_is_left_to_a_connection_of_the_callers() -> None:
    with duckdb.connect(config={"autoload_known_extensions": False}) as connection:
        engine = open_engine(connection)
        with pytest.raises(InputError, match=r"(?s)requires the extension httpfs.*LOAD httpfs"):
            engine.view("k", URLS[0])


@pytest.mark.parametrize(
    ("error", "hint"),
    [
        (duckdb.HTTPException("HTTP Error: 403\n* No credentials are provided."), "* No credentials are provided."),
        (duckdb.HTTPException("HTTP Error: 403"), "look at the address, and at the secrets of your connection"),
        (
            duckdb.Error("automatically install the required extension 'httpfs:\nno network\n\nLINE 1: SELECT\n  ^"),
            "load it in your connection: INSTALL httpfs; LOAD httpfs. no network",
        ),
        (duckdb.Error("wrong\nand why"), "and why"),
    ],
)
def test_errors_keep_what_follows_their_first_line(error: Exception, hint: str, engine: Any) -> None:
    translated = engine._translated(error)
    assert translated.hint == hint
    assert len(translated.message.splitlines()) == 1


def test_a_file_may_be_named_as_a_local_address(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "key.csv"
    path.write_text("mention,entity\n1,1\n", encoding="utf-8")
    engine.view("k", f"file://{path}")
    assert list(engine.columns("k")) == ["mention", "entity"]


def test_memory_is_limited_on_systems_that_do_not_say_what_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows has neither /proc/meminfo nor os.sysconf: half of all memory is the default there."""
    monkeypatch.delattr("os.sysconf")
    monkeypatch.setattr("corefscope.scale.engines.duckdb.free_memory", lambda: 0)
    with duckdb.connect() as plain:
        [(usual,)] = plain.execute("SELECT current_setting('memory_limit')").fetchall()
    engine: Any = open_engine("duckdb", Budget("", str(tmp_path), 1))
    [(limit,)] = engine._connection.execute("SELECT current_setting('memory_limit')").fetchall()
    engine.close()
    assert not list(tmp_path.iterdir())
    assert _bytes(limit) == pytest.approx(_bytes(usual) * 5 / 8, rel=0.01)
    assert engine.local > 0


def test_a_broken_file_is_an_error_of_ours(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "broken.parquet"
    path.write_bytes(b"PAR1 and nothing else")
    with pytest.raises(InputError, match=r"broken\.parquet"):
        engine.view("k", path)


def test_a_column_that_is_not_there_is_an_error_with_those_that_are(engine: Engine) -> None:
    engine.view("k", columns_of([(1, 2, 3)]))
    with pytest.raises(InputError, match=r"(?s)'who'.*'document', 'mention', 'entity'"):
        found_by(engine, KEY._replace(mention="who"), KEY._replace(entities=("document",)))
