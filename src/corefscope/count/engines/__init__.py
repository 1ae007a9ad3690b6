"""Engines that join, group and count where the data are: DuckDB, and the caller's Spark.

An engine is a row of ``ENGINES``, and six methods (:class:`~.base.Engine`).
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from ...base.errors import InputError, OptionError
from .base import Budget, Engine


class EngineRow(NamedTuple):
    """One engine: what it is called, how it is opened, and what somebody may hand over instead of its name."""

    name: str
    title: str
    opener: str
    """The module, and its function of (what was handed over or None, budget, scratch)."""
    package: str
    """What begins the module of a connection or session."""
    handed_over: str
    """What can be handed over, as messages call it."""
    by_name: bool = True
    """Whether its name is enough to open one."""


ENGINES = {
    row.name: row
    for row in (
        EngineRow("duckdb", "DuckDB, in this process", "duck.open_duckdb", "duckdb", "a connection of DuckDB"),
        EngineRow("spark", "the caller's Spark", "spark.open_spark", "pyspark", "a SparkSession", by_name=False),
    )
}


def open_engine(engine: Any, budget: Budget | None = None, scratch: str = "") -> Engine:
    """The engine of a name, or one that works through a connection or session that is handed over.

    ``scratch`` is a directory that all machines of a cluster see.
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
