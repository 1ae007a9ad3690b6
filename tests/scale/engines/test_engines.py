"""What engines are, how they are opened, and that nothing is left behind, whatever happens."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from corefscope.core.errors import InputError, OptionError
from corefscope.core.metrics.ceaf import dice
from corefscope.core.table import Weighing
from corefscope.scale.engines import ENGINES, open_engine
from corefscope.scale.engines.base import Budget, run_until_done
from corefscope.scale.engines.sql import LabelledTable
from tables_in_engines import counted_plainly, found_by

duckdb = pytest.importorskip("duckdb")
SIDES = LabelledTable("k", ("entity",), "mention"), LabelledTable("r", ("entity",), "mention")
MANY = "SELECT range * 7919 % 1000003 AS mention, range // 4 AS entity FROM range(1000003)"
"""A million mentions."""


def test_an_engine_is_a_name_or_what_its_package_makes() -> None:
    with pytest.raises(OptionError, match="'duckdb'"):
        open_engine("duckbd")
    with pytest.raises(OptionError, match="SparkSession"):
        open_engine("spark")
    with pytest.raises(InputError, match=r"int is no engine(?s:.*)'duckdb'"):
        open_engine(7)
    with pytest.raises(InputError, match="temp="):
        open_engine("duckdb", scratch="s3://bucket")
    for row in ENGINES.values():
        assert row.title
        assert row.session_name
    engine = open_engine("duckdb")
    assert (engine.name, engine.version) == ("duckdb", duckdb.__version__)
    engine.close()
    engine.close()


def test_importing_and_scoring_load_no_engine() -> None:
    code = (
        "import sys, corefscope; from corefscope.cli import main\n"
        "from pathlib import Path\n"
        "examples = Path(corefscope.__file__).parent / 'formats' / 'examples'\n"
        "main(['score', str(examples / 'key.conllu'), str(examples / 'response.conllu'), '--quiet'])\n"
        "corefscope.score_clusters([['a']], [['a']])\n"
        "assert not {'duckdb', 'pyspark', 'corefscope.scale.engines'} & set(sys.modules), sys.modules.keys()\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def _disturbed(engine: Any) -> None:
    """A million mentions on either side, as tables of the engine."""
    engine.make("k", MANY)
    moved = "CASE WHEN mention % 10 = 0 THEN mention % 250000 ELSE entity END"
    engine.make("r", f"SELECT mention, {moved} AS entity FROM k WHERE mention % 50 > 0")


def test_little_memory_gives_the_same_and_leaves_no_file(tmp_path: Path) -> None:
    looked = []
    for memory in ("200MB", "2GB"):
        engine = open_engine("duckdb", Budget(memory, str(tmp_path), 2))
        _disturbed(engine)
        [found] = found_by(engine, *SIDES, Weighing(dice), local=0)
        assert list(tmp_path.iterdir())
        engine.close()
        looked.append(found.looked)
        assert not list(tmp_path.iterdir())
    assert looked[0] == looked[1]
    assert sum(look[1] * count for look, count in looked[0].cells.items()) == 980_002


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"memory_limit": "10MB", "temp_directory": ""}, "--memory"),
        ({"memory_limit": "25MB", "max_temp_directory_size": "1MB"}, "--temp"),
    ],
)
def test_too_little_room_is_an_error_with_a_hint(settings: dict[str, str], said: str, tmp_path: Path) -> None:
    temp = {"temp_directory": str(tmp_path)}
    with duckdb.connect(config={**temp, **settings, "threads": 1}) as connection:
        engine = open_engine(connection)
        with pytest.raises(InputError) as caught:  # noqa: PT012  (either may be the one that is too much)
            _disturbed(engine)
            found_by(engine, *SIDES)
        assert said in str(caught.value)
        assert len(caught.value.message.splitlines()) == 1
        engine.drop("k", "r")
        assert not connection.execute("SELECT * FROM information_schema.tables").fetchall()


def test_a_full_disk_is_an_error_that_names_the_option(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = open_engine("duckdb", Budget("200MB"))
    full = duckdb.IOException('IO Error: Could not write file "x": No space left on device\nand more')

    def fail(*_: object) -> None:
        raise full

    monkeypatch.setattr("corefscope.scale.engines.duckdb.run_until_done", fail)
    with pytest.raises(InputError, match=r"No space left on device\n  hint: .*--temp"):
        engine.fetch("SELECT 1")
    engine.close()


def test_room_is_compared_before_tables_are_joined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = open_engine("duckdb", Budget("100MB", str(tmp_path)))
    assert 100_000_000 < engine.room < 2_000_000_000
    _disturbed(engine)
    # A row takes 28 bytes and two numbers of 8 bytes, an eighth of these twice.
    monkeypatch.setattr(engine, "room", 46 * 1_980_005 - 1)
    with pytest.raises(InputError, match=r"1,980,005 rows may need 86 MB of memory and disk(?s:.*)--temp"):
        found_by(engine, *SIDES)
    engine.close()


def test_texts_take_their_bytes_and_a_header(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of both columns, with é as two bytes; numbers that are compared as texts are texts, too."""
    engine = open_engine("duckdb", Budget("200MB"))
    engine.view("k", {"mention": ["é1", "é2"], "entity": ["abcd", "abcd"]})
    engine.view("r", {"mention": [1, 2], "entity": [3, 4]})
    needed = int(2 * (28 + 9 / 8 * (16 + 3 + 16 + 4)) + 2 * (28 + 9 / 8 * (16 + 1 + 8)))
    monkeypatch.setattr(engine, "room", needed - 1)
    with pytest.raises(InputError, match="4 rows may need"):
        found_by(engine, *SIDES)
    monkeypatch.setattr(engine, "room", needed + 1)
    with pytest.raises(InputError, match="4 pairs of entities may need"):
        found_by(engine, *SIDES)
    engine.close()


@pytest.mark.parametrize(("budget", "threads"), [(("100MB",), 1), (("260MB",), 2), (("100MB", "", 3), 3)])
def test_a_thread_gets_the_memory_that_duckdb_recommends(budget: tuple[Any, ...], threads: int) -> None:
    engine: Any = open_engine("duckdb", Budget(*budget))
    [number] = engine.fetch("SELECT current_setting('threads') AS threads")["threads"].tolist()
    assert number == min(threads, max(os.cpu_count() or 1, budget[-1] if len(budget) > 1 else 1))
    engine.close()


def test_a_budget_that_cannot_be_had_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere"):
        open_engine("duckdb", Budget(temp=str(tmp_path / "nowhere")))
    with pytest.raises(InputError, match="DuckDB: "):
        open_engine("duckdb", Budget("much", str(tmp_path)))
    assert not list(tmp_path.iterdir())


def _interrupt_soon(seconds: float) -> threading.Timer:
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
@pytest.mark.skipif(threading.current_thread() is not threading.main_thread(), reason="signals reach the main thread")
def test_an_interrupt_ends_the_statement_and_drops_the_tables(tmp_path: Path) -> None:
    with duckdb.connect(config={"temp_directory": str(tmp_path), "memory_limit": "500MB"}) as connection:
        engine = open_engine(connection)
        _disturbed(engine)
        endless = "SELECT CAST(SUM(a.entity % (b.entity + 1)) AS BIGINT) AS n FROM k a, k b"
        timer = _interrupt_soon(0.3)
        with pytest.raises(KeyboardInterrupt):
            engine.fetch(endless)
        timer.cancel()
        timers: list[threading.Timer] = []

        def interrupt_at_the_join(step: str) -> None:
            if "join" in step:
                timers.append(_interrupt_soon(0.0))

        with pytest.raises(KeyboardInterrupt):
            found_by(engine, *SIDES, progress=interrupt_at_the_join)
        names = connection.execute("SELECT table_name FROM information_schema.tables ORDER BY 1").fetchall()
        assert names == [("k",), ("r",)]
        assert engine.fetch("SELECT 1 AS one")["one"].tolist() == [1]


def test_work_in_a_thread_returns_or_raises() -> None:
    def fail() -> None:
        raise KeyError("of the work")

    assert run_until_done(lambda: 7, lambda: None) == 7
    with pytest.raises(KeyError, match="of the work"):
        run_until_done(fail, lambda: None)


def test_an_iterator_that_is_closed_early_leaves_no_table() -> None:
    from corefscope.scale.engines.tabulate import tabulate

    engine = open_engine("duckdb", Budget("500MB"))
    rows = [("d", number, number // 3) for number in range(30)]
    columns = {"mention": [row[1] for row in rows], "entity": [row[2] for row in rows]}
    engine.view("k", columns)
    engine.view("r", columns)
    tables = tabulate(engine, *SIDES)
    for _, stack in next(tables).batches():
        assert stack.total.tolist() == [30]
    tables.close()
    names = engine.fetch("SELECT table_name AS name FROM information_schema.tables")["name"].tolist()
    assert sorted(names) == ["k", "r"]
    [found] = found_by(engine, *SIDES)
    assert found.looked == counted_plainly(rows, rows, lambda _: "#1")
    engine.close()
