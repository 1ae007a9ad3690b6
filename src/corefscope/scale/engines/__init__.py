"""Engines that join, group and count tables where they are: DuckDB, and Spark through a session of the caller.

An engine is a row of ``ENGINES`` and a class with six methods (:class:`~.base.Engine`).
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from ...core.errors import InputError, OptionError
from .base import Budget, Engine


class EngineRow(NamedTuple):
    """One engine: its name, how it is opened, and what can be passed instead of its name."""

    name: str
    title: str
    opener: str
    """The module and its function, which takes (a connection or session or None, budget, scratch)."""
    package: str
    """The package of a connection or session."""
    handed_over: str
    """The name of a connection or session in messages."""
    by_name: bool = True
    """Whether the name alone opens one."""


ENGINES = {
    row.name: row
    for row in (
        EngineRow("duckdb", "DuckDB, in this process", "duckdb.open_duckdb", "duckdb", "a connection of DuckDB"),
        EngineRow("spark", "the caller's Spark", "spark.open_spark", "pyspark", "a SparkSession", by_name=False),
    )
}


def open_engine(engine: Any, budget: Budget | None = None, scratch: str = "") -> Engine:
    """Open an engine by its name, or for a connection or session.

    ``scratch`` is a directory that all machines of a cluster can reach.
    """
    budget = budget or Budget()
    if isinstance(engine, str):
        if engine not in ENGINES:
            raise OptionError.unknown("engine", [engine], ENGINES)
        row, given = ENGINES[engine], None
        if not row.by_name:
            raise OptionError(f"{row.title} is a session of yours: engine= takes {row.handed_over}")
    else:
        row, given = _row_of(engine), engine
    module, _, function = row.opener.partition(".")
    opener: Callable[[Any, Budget, str], Engine] = getattr(import_module(f".{module}", __name__), function)
    return opener(given, budget, scratch)


def _row_of(given: Any) -> EngineRow:
    package = type(given).__module__.split(".")[0].lstrip("_")
    for row in ENGINES.values():
        if row.package == package:
            return row
    choices = " or ".join([repr(row.name) for row in ENGINES.values() if row.by_name])
    handed_over = ", ".join([row.handed_over for row in ENGINES.values()])
    raise InputError(f"{type(given).__name__} is no engine", hint=f"give {choices}, or {handed_over}")
