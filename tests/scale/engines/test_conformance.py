"""Engines of other people: the recipe of docs/linkage.md on DataFusion, what is refused, and what is found wrong."""

from __future__ import annotations

from typing import Any

import pytest

import corefscope
from corefscope.core.errors import InputError
from corefscope.core.metrics import METRICS
from corefscope.scale.engines import open_engine
from corefscope.scale.engines.base import MEMBERS
from places import REPOSITORY

OFFERED = [name for name, metric in METRICS.items() if not metric.not_from_histogram]
KEY = {"mention": [1, 2, 3, 4, 5], "entity": ["x", "x", "é", "y", "y"]}
RESPONSE = {"mention": [5, 1, 2, 3, 4], "entity": [6, 5, 5, 6, 6]}


def recipe() -> str:
    """The engine that the page shows."""
    page = (REPOSITORY / "docs" / "linkage.md").read_text(encoding="utf-8")
    _, after = page.split("## Your own engine")
    return after.split("```py\n")[1].split("```")[0]


def test_the_recipe_conforms_and_finds_the_bits_of_duckdb(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("datafusion", reason="DataFusion is not installed: pip install datafusion")
    pytest.importorskip("duckdb")
    assert len([line for line in recipe().splitlines() if line]) <= 30
    names: dict[str, Any] = {"key": KEY, "response": RESPONSE}
    exec(recipe(), names)
    assert capsys.readouterr().out == "[]\n"
    engine = names["engine"]
    assert not engine.session.catalog().schema().names()
    found = corefscope.score_tables(KEY, RESPONSE, engine=engine, metrics=OFFERED)
    expected = corefscope.score_tables(KEY, RESPONSE, metrics=OFFERED)
    assert found.inputs[0].engine == f"datafusion {engine.version}"
    for name in OFFERED:
        if {"ceafe", "ceaf_sys_phi4"} & {name, *METRICS[name].parts}:
            assert tuple(found[name]) == pytest.approx(tuple(expected[name]), abs=1e-12)
        else:
            assert found[name] == expected[name]


class Delegating:
    """An engine that has what the protocol asks for, without being derived from it; sizes are larger by ``more``."""

    def __init__(self, engine: corefscope.Engine, more: int = 0) -> None:
        self.engine, self.more = engine, more

    def __getattr__(self, name: str) -> Any:
        return getattr(self.engine, name)

    def fetch(self, statement: str, step: str = "") -> Any:
        rows = self.engine.fetch(statement, step)
        return {name: column + self.more if name == "size" else column for name, column in rows.items()}


def test_what_has_the_members_is_an_engine_and_wrong_sizes_are_found() -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        engine = open_engine(connection)
        right: Any = Delegating(engine)
        assert open_engine(right) is right
        assert corefscope.check_engine(right) == []
        wrong: Any = Delegating(engine, more=1)
        assert "documents: muc is" in corefscope.check_engine(wrong)[0]
        assert not connection.execute("SELECT * FROM information_schema.tables").fetchall()
        with pytest.raises(InputError, match="are settings of your engine"):
            corefscope.score_tables(KEY, RESPONSE, engine=right, threads=2)


def test_what_an_engine_lacks_is_named() -> None:
    class Half:
        name, version, dialect, room, local = "half", "1", corefscope.Dialect('"', "1"), 0, 1

        def close(self) -> None:
            """Nothing to close."""

    with pytest.raises(InputError, match=r"Half is no engine: it lacks view, columns, make, fetch, drop\n.*Engine"):
        corefscope.score_tables(KEY, RESPONSE, engine=Half())
    incomplete: Any = type("Incomplete", (corefscope.Engine,), {})
    with pytest.raises(TypeError, match="abstract"):
        incomplete()
    assert len(MEMBERS) == 11


def test_frames_of_polars_are_read_as_they_are() -> None:
    pytest.importorskip("pyarrow")
    polars = pytest.importorskip("polars", reason="Polars is not installed: pip install polars")
    expected = corefscope.score_tables(KEY, RESPONSE, metrics="muc")["muc"]
    for frame in (polars.DataFrame, polars.LazyFrame):
        assert corefscope.score_tables(frame(KEY), frame(RESPONSE), metrics="muc")["muc"] == expected
    with pytest.raises(InputError, match="score_tables takes data frames"):
        corefscope.score(polars.DataFrame(KEY), RESPONSE)  # type: ignore[arg-type]
