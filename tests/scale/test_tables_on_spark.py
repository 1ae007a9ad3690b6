"""``score_tables`` on Spark: the session is the caller's, the scores are those of memory and of DuckDB."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

import corefscope
from corefscope.core.errors import InputError
from corefscope.core.metrics import METRICS
from corefscope.scale.tables import score_tables
from labelled import columns, made, write

pytestmark = [pytest.mark.spark, pytest.mark.filterwarnings("ignore")]
OFFERED = [name for name, metric in METRICS.items() if not metric.not_from_histogram]


def test_every_offered_metric_is_that_of_memory_on_spark(any_spark: Any, tmp_path: Path) -> None:
    """Pooled and by document; and all but CEAFe is that of DuckDB to the last bit. Nothing is left in scratch."""
    spark = any_spark
    sides = next(sides for n in range(100) if (sides := made(Random(100 + n))).documents)
    paths = [write(tmp_path / f"{name}.csv", getattr(sides, name), True) for name in ("key", "response")]
    expected = corefscope.score(*paths, metrics=OFFERED)
    frames = []
    for rows in (sides.key, sides.response):
        table = columns(rows, True)
        frames.append(spark.createDataFrame(list(zip(*table.values(), strict=True)), list(table)))
    scratch = str(tmp_path / "it's scratch")
    report = score_tables(*frames, engine=spark, scratch=scratch, metrics=OFFERED)
    assert report.signature == expected.signature
    assert report.inputs[0].engine == f"spark {spark.version}"
    assert list(report.documents) == list(expected.documents)
    by_document = [(report.documents[name], scores) for name, scores in expected.documents.items()]
    for ours, others in [(report, expected), *by_document]:
        for name in OFFERED:
            assert tuple(ours[name]) == pytest.approx(tuple(others[name]), abs=1e-12), name
    assert not list((tmp_path / "it's scratch").iterdir())
    assert [row[0] for row in spark.sql("SHOW SCHEMAS").collect()] == ["default"]
    pytest.importorskip("duckdb")
    again = score_tables(*paths, engine="duckdb", metrics=OFFERED)
    for name in OFFERED:
        if not {"ceafe", "ceaf_sys_phi4"} & {name, *METRICS[name].parts}:
            assert again[name] == report[name]


def test_a_sweep_over_names_of_tables_and_faults(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without PyArrow, and with a schema as scratch."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    rows = [(1, "a", 1, 1), (2, "a", 1, 2), (3, "b", 1, 3), (4, "b", 4, 3)]
    frame = spark.createDataFrame(rows, ["id", "person", "z_90", "z_95"])
    frame.createOrReplaceTempView("linked")
    before = {table.name for table in spark.catalog.listTables()}
    names: dict[str, Any] = {"key": "person", "mention": "id", "engine": spark}
    result = score_tables("linked", response=["z_*"], metrics="bcub", scratch="default", **names)
    assert list(result) == ["z_90", "z_95"]
    assert result["z_95"]["bcub"] == corefscope.score_labels([1, 1, 2, 2], [1, 2, 3, 3])["bcub"]
    assert {table.name for table in spark.catalog.listTables()} == before
    twice = spark.createDataFrame([*rows, (4, "c", 4, 3)], ["id", "person", "z_90", "z_95"])
    with pytest.raises(InputError, match="1 mention in several entities: '4' in 'b' and 'c'"):
        score_tables(twice, frame, response="z_90", **names)
    with pytest.raises(InputError, match="settings of your session"):
        score_tables(frame, frame, response="z_90", memory="4GB", **names)
    with pytest.raises(InputError, match=r"scratch= is a directory, with a slash"):
        score_tables(frame, frame, response="z_90", scratch="nowhere", **names)
    assert spark.sql("SELECT 1").collect()
    spark.catalog.dropTempView("linked")  # other tests look at what is left


def test_estimates_from_a_sampled_key_are_those_of_memory(spark: Any, tmp_path: Path) -> None:
    """The joined sides of one table, documents apart, and weights of a column."""
    sides = next(sides for n in range(100) if (sides := made(Random(n))).documents)
    weights = {entity: 1 + number / 4 for number, entity in enumerate(sorted({row[2] for row in sides.key}))}
    frames = []
    for name, rows in (("key", sides.key), ("response", sides.response)):
        table = {**columns(rows, True), "weight": [weights.get(row[2], 1.0) for row in rows]}
        lines = [",".join(map(str, row)) for row in [tuple(table), *zip(*table.values(), strict=True)]]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines), encoding="utf-8")
        frames.append(spark.createDataFrame(list(zip(*table.values(), strict=True)), list(table)))
    expected = corefscope.score_sampled_key(tmp_path / "key.csv", tmp_path / "response.csv", "weight")
    found = score_tables(*frames, engine=spark, sampled_key="weight")
    assert dict(found) == dict(expected)
    assert found.signature == expected.signature
