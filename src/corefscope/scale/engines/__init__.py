"""Engines that join, group and count tables where they are: DuckDB, Spark, or one of the caller.

Those that come with corefscope are rows of ``ENGINES``; :class:`~.base.Engine` is the protocol.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, cast

from ...core.errors import InputError, OptionError
from .base import MEMBERS, Budget, Engine
from .duckdb import open_duckdb
from .spark import open_spark


class EngineRow(NamedTuple):
    """One engine: how it is opened, and what can be passed instead of its name."""

    title: str
    opener: Callable[[object, Budget, str], Engine]
    """Takes a connection or session or None, a budget, and a scratch directory."""
    package: str
    """The package of a connection or session."""
    session_name: str
    """The name of a connection or session in messages."""
    by_name: bool = True
    """Whether the name alone opens one."""


ENGINES = {
    "duckdb": EngineRow("DuckDB, in this process", open_duckdb, "duckdb", "a connection of DuckDB"),
    "spark": EngineRow("the caller's Spark", open_spark, "pyspark", "a SparkSession", by_name=False),
}


def open_engine(engine: object, budget: Budget | None = None, scratch: str = "") -> Engine:
    """Open an engine by its name, or for a connection or session; one of the caller is returned.

    ``scratch`` is a directory that all machines of a cluster can reach.
    """
    budget = budget or Budget()
    if isinstance(engine, str):
        if engine not in ENGINES:
            raise OptionError.unknown("engine", [engine], ENGINES)
        row = ENGINES[engine]
        if not row.by_name:
            raise OptionError(f"{row.title} is a session of yours: engine= takes {row.session_name}")
        return row.opener(None, budget, scratch)
    package = type(engine).__module__.split(".")[0].lstrip("_")
    for row in ENGINES.values():
        if row.package == package:
            return row.opener(engine, budget, scratch)
    lacking = [name for name in MEMBERS if not hasattr(engine, name)]
    if not lacking:
        if any(budget) or scratch:
            raise InputError("memory, temp, threads and scratch are settings of your engine", hint="leave them out")
        return cast("Engine", engine)
    choices = [repr(name) for name, row in ENGINES.items() if row.by_name]
    choices += [row.session_name for row in ENGINES.values()]
    hint = f"give {', '.join(choices)}, or a corefscope.Engine"
    raise InputError(f"{type(engine).__name__} is no engine: it lacks {', '.join(lacking)}", hint=hint)
