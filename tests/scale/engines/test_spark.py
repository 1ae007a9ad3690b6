"""Spark finds what DuckDB finds, to the bit. Few and large tests, since each statement is several jobs."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from corefscope.core.errors import InputError
from corefscope.core.metrics.ceaf import dice
from corefscope.core.table import Weighing
from corefscope.scale.engines import open_engine
from corefscope.scale.engines import spark as spark_engine
from corefscope.scale.engines.base import Budget
from corefscope.scale.engines.counting import RepeatedMention
from corefscope.scale.engines.sql import LabelledTable
from small_cluster import executors
from tables_in_engines import Found, Row, best, best_total, cells_of, columns_of, counted_plainly, found_by

pytestmark = [pytest.mark.spark, pytest.mark.filterwarnings("ignore")]
KEY = LabelledTable("k", ("entity",), "mention", "document")
RESPONSE = KEY._replace(view="r")


def _rows(random: Random, documents: list[str]) -> list[Row]:
    rows = [
        (document, f"m{mention}", f"e {random.randrange(9)}")
        for document in documents
        for mention in range(60)
        if random.random() < 0.9
    ]
    random.shuffle(rows)
    return rows


def _by(engine: Any, key: list[Row], response: list[Row], *weighings: Weighing, **options: Any) -> Found:
    engine.view("k", columns_of(key))
    engine.view("r", columns_of(response))
    try:
        return found_by(engine, KEY, RESPONSE, *weighings, **options)[0]
    finally:
        engine.drop("k", "r")


def test_spark_finds_what_duckdb_finds(spark: Any) -> None:
    """Looks, facts, and the cells that are certain."""
    pytest.importorskip("duckdb")
    key, response = _rows(Random(1), ["b", "é", "a"]), _rows(Random(2), ["b", "é", "c"])
    spark.range(1).count()  # at its first job it completes its settings
    settings = dict(spark.sparkContext.getConf().getAll())
    engine, other = open_engine(spark), open_engine("duckdb", Budget("200MB"))
    assert (engine.name, engine.version) == ("spark", spark.version)
    found, expected = (_by(each, key, response, Weighing(dice), singletons="drop") for each in (engine, other))
    engine.close()
    other.close()
    assert found.looked == expected.looked == counted_plainly(key, response, least=2)
    assert (found.names, found.facts) == (expected.names, expected.facts)
    [[ours]], [[theirs]] = found.peeled, expected.peeled
    assert Counter(zip(*ours.taken.columns, strict=True)) == Counter(zip(*theirs.taken.columns, strict=True))
    assert not spark.catalog.listTables()
    assert dict(spark.sparkContext.getConf().getAll()) == settings


def test_faults_and_errors_are_ours(spark: Any) -> None:
    rows = _rows(Random(1), ["d"])
    engine = open_engine(spark)
    found = _by(engine, [*rows, (*rows[0][:2], "zz")], rows)
    assert found.facts.fatal
    assert found.facts.key.repeated == (RepeatedMention("d", rows[0][1], (rows[0][2], "zz"), 2),)
    for source, said in (("nowhere.parquet", "nowhere"), ("no_such_table", "no_such_table"), (object(), "DataFrame")):
        with pytest.raises(InputError, match=said) as caught:
            engine.view("k", source)
        assert len(caught.value.message.splitlines()) == 1
        assert caught.value.hint
    with pytest.raises(InputError, match="settings of your session"):
        open_engine(spark, Budget("1GB"))


def test_an_interrupt_cancels_the_job(any_spark: Any, spark: Any) -> None:
    engine = open_engine(any_spark)
    endless = "SELECT CAST(SUM(a.id % (b.id + 1)) AS BIGINT) AS n FROM RANGE(1000000) a CROSS JOIN RANGE(1000000) b"
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        engine.fetch(endless, "never ends")
    deadline = time.monotonic() + 20  # a Connect server cancels a little later
    while spark.sparkContext.statusTracker().getActiveJobsIds() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not spark.sparkContext.statusTracker().getActiveJobsIds()
    assert engine.fetch("SELECT 1 AS one")["one"].tolist() == [1]


def test_without_scratch_killed_executors_are_an_error_with_the_remedy(any_spark: Any, spark: Any) -> None:
    """What they held is gone. Spark itself says no more than "Exception thrown in awaitResult" of some statements."""
    rows = _rows(Random(5), ["a"])

    def kill_all(step: str) -> None:
        if step == "measuring cells":
            for number in executors(spark):
                os.kill(number, signal.SIGKILL)

    engine = open_engine(any_spark)
    with pytest.raises(InputError, match=r"an executor was lost: give scratch="):
        _by(engine, rows, rows, progress=kill_all)
    assert not any_spark.catalog.listTables()


class _JavaError:
    """An exception of Java, as py4j shows it."""

    def __init__(self, text: str, cause: _JavaError | None = None) -> None:
        self._text, self._cause = text, cause

    def toString(self) -> str:  # noqa: N802
        return self._text

    def getCause(self) -> _JavaError | None:  # noqa: N802
        return self._cause


class _SparkError(Exception):
    def __init__(self, java_exception: _JavaError | None = None, stack: str = "") -> None:
        super().__init__("Exception thrown in awaitResult")
        self.java_exception, self._stack = java_exception, stack

    def getStackTrace(self) -> str:  # noqa: N802
        return self._stack


AWAITED = "org.apache.spark.SparkException: Exception thrown in awaitResult: "


@pytest.mark.parametrize(
    ("causes", "message", "hint"),
    [
        ([AWAITED, "java.lang.OutOfMemoryError: heap\nand more", "at the root"], "OutOfMemoryError: heap", "memory"),
        ([AWAITED, "Job aborted.", "x.BadThing: at the root"], "BadThing: at the root", ""),
        (["[PATH_NOT_FOUND] a.parquet", "x.LowLevel: no such file"], r"a\.parquet", "path is there"),
    ],
)
def test_the_cause_is_found_behind_what_spark_says(causes: list[str], message: str, hint: str) -> None:
    java = None
    for text in reversed(causes):
        java = _JavaError(text, java)
    stack = "".join(f"Caused by: {text}\n\tat x.y(Z.scala:1)\n" for text in causes)
    for error in (_SparkError(java), _SparkError(stack=stack)):
        found = spark_engine._translated(error)
        assert re.search(message, found.message)
        assert len(found.message.splitlines()) == 1
        assert hint in found.hint


def test_an_executor_that_is_killed_does_not_change_the_result(spark: Any, tmp_path: Path) -> None:
    """With a directory that all executors see, all that was made is still there. Cells are peeled by Spark alone."""
    key, response = _rows(Random(3), ["a", "b", "c"]), _rows(Random(4), ["a", "b", "c"])
    before = executors(spark)
    killed: list[int] = []

    def kill_one(step: str) -> None:
        if step == "measuring cells":
            killed.append(executors(spark)[0])
            os.kill(killed[0], signal.SIGKILL)

    def topic(name: str) -> str:
        return "t" if name < "c" else "u"

    weighing = Weighing(dice)
    options = {"documents": "topic", "topic": topic, "local": 200, "progress": kill_one}
    engine = open_engine(spark, scratch=tmp_path.as_uri())
    found = _by(engine, key, response, weighing, **options)
    engine.close()
    assert killed[0] in before
    assert found.looked == counted_plainly(key, response, topic)
    [[peeled]] = found.peeled
    cells = [
        ((cell.part, cell.key), (cell.part, cell.response), dice(*cell.look[:3]))
        for cell in cells_of(key, response, topic)
    ]
    assert best_total(peeled, weighing) == pytest.approx(best(cells), rel=1e-13)
    assert not list(tmp_path.iterdir())
