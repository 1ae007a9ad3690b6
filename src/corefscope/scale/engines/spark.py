"""Spark, through a session of the caller, which keeps its settings and stays open: a classic one or Spark Connect."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from secrets import token_hex
from typing import Any

import numpy as np

from ...core.errors import InputError
from .base import CSV, LOCAL, Budget, Columns, Dialect, Result, first_line, is_path, run_until_done, suffix_of

DIALECT = Dialect(quote="`", row_number="monotonically_increasing_id()")
TYPES: dict[type, str] = {int: "BIGINT", float: "DOUBLE"}
NUMBERS: dict[str, type[np.generic]] = {"bigint": np.int64, "int": np.int64, "double": np.float64}
GROUP = "corefscope"
"""The job group of our jobs in the web interface of Spark; with Spark Connect, their tag."""
SCRATCH = "give scratch=, a directory that all executors see, or a schema"
HINTS = {
    "UNRESOLVED_COLUMN": "look at the names of the columns",
    "TABLE_OR_VIEW_NOT_FOUND": "name a table that the session has, or a path",
    "SCHEMA_NOT_FOUND": "scratch= is a directory, with a slash in its name, or a schema of the session",
    "PATH_NOT_FOUND": "look whether the path is there",
    "No FileSystem for scheme": "the session lacks the package for such addresses: spark.jars.packages",
    "OutOfMemory": "give executors and driver more memory",
    "No space left": "give executors more disk space, or scratch=",
    "Checkpoint block": f"an executor was lost: {SCRATCH}",
    "ExecutorLost": f"an executor was lost: {SCRATCH}",
    "localCheckpoint": f"this version of Spark Connect keeps no intermediate tables: {SCRATCH}",
    "NOT_SUPPORTED_WITH_SERVERLESS": f"serverless compute keeps no intermediate tables: {SCRATCH}",
    "cancelled": "a job was cancelled in the session",
    "OPERATION_CANCELED": "a job was cancelled in the session",
}
"""What helps, by what messages contain."""


def open_spark(session: Any, budget: Budget, scratch: str = "") -> SparkEngine:
    """Open an engine for a session."""
    if any(budget):
        raise InputError("memory, temp and threads are settings of your session", hint="give scratch=, or nothing")
    return SparkEngine(session, scratch)


class SparkEngine:
    """A Spark session. Tables are made in ``scratch``: a directory that all executors can reach, or a schema.

    Without ``scratch`` the executors keep them; if an executor is lost, so are they.
    """

    name = "spark"
    dialect = DIALECT

    def __init__(self, session: Any, scratch: str) -> None:
        self._session = session
        is_remote = any(".connect." in each.__module__ for each in type(session).__mro__)
        self._context: Any = None if is_remote else session.sparkContext
        others = ("grpc", "RpcError") if is_remote else ("py4j.protocol", "Py4JError")
        self._errors: tuple[type[Exception], ...] = (
            import_module("pyspark.errors").PySparkException,
            getattr(import_module(others[0]), others[1]),
        )
        own = f"corefscope_{token_hex(6)}"
        is_directory = any(sign in scratch for sign in "/\\:")
        self._directory = f"{scratch.rstrip('/')}/{own}" if is_directory else ""
        self._schema = "" if is_directory else ".".join(map(DIALECT.quoted, filter(None, scratch.split("."))))
        self._own_schema = own if is_directory and is_remote else ""
        self._made: dict[str, str] = {}
        self.version: str = session.version
        self.room = 0
        self.local = LOCAL

    def view(self, name: str, source: object) -> None:
        """Make a view of files, a table or a data frame."""
        self._run(lambda: self._frame(source).createOrReplaceTempView(name), f"opening {name}")

    def columns(self, name: str) -> dict[str, str]:
        """The columns of a view or table, and their types."""
        return dict(self._run(lambda: self._session.table(DIALECT.quoted(name)).dtypes, f"opening {name}"))

    def make(self, name: str, statement: str, step: str = "") -> None:
        """Make a table, so that its rows are computed once."""

        def work() -> None:
            frame = self._session.sql(statement)
            if self._own_schema and not self._schema:  # Spark Connect removes tables, but no files
                place = self._directory.replace("\\", "\\\\").replace("'", "\\'")
                self._session.sql(f"CREATE SCHEMA {self._own_schema} LOCATION '{place}'")
                self._schema = self._own_schema
            if self._schema:
                table = self._made[name] = f"{self._schema}.{DIALECT.quoted(name)}"
                frame.write.saveAsTable(table)
                frame = self._session.table(table)
            elif self._directory:
                path = self._made[name] = f"{self._directory}/{name}"
                frame.write.parquet(path)
                frame = self._session.read.parquet(path)
            else:
                frame = frame.localCheckpoint()
            frame.createOrReplaceTempView(name)

        self._run(work, step)

    def fetch(self, statement: str, step: str = "") -> Columns:
        """The columns that a statement selects: by Arrow, or else from rows, which takes longer."""

        def work() -> Columns:
            frame = self._session.sql(statement)
            with suppress(ImportError):  # no PyArrow, or one that is too old
                if hasattr(frame, "toArrow"):  # from Spark 4 on
                    table = frame.toArrow()
                    return {name: table.column(name).to_numpy() for name in table.column_names}
            rows, types = frame.collect(), [NUMBERS.get(type_, object) for _, type_ in frame.dtypes]
            values = zip(*rows, strict=True) if rows else [()] * len(types)
            return dict(zip(frame.columns, map(np.array, values, types), strict=True))

        return self._run(work, step)

    def drop(self, *names: str) -> None:
        """Drop views and tables, and remove their files."""
        with suppress(*self._errors):  # the session may have ended
            for name in names:
                self._session.catalog.dropTempView(name)
                if made := self._made.pop(name, ""):
                    self._remove(made)

    def close(self) -> None:
        """Remove all files; the session stays open."""
        with suppress(*self._errors):
            if self._own_schema:
                self._session.sql(f"DROP SCHEMA IF EXISTS {self._own_schema} CASCADE")
                self._schema = ""
            elif self._directory:
                self._remove(self._directory)

    def _remove(self, made: str) -> None:
        """Remove a table, or files."""
        if self._schema:
            self._session.sql(f"DROP TABLE IF EXISTS {made}")
        else:
            jvm = self._context._jvm
            there = jvm.org.apache.hadoop.fs.Path(made)
            there.getFileSystem(self._context._jsc.hadoopConfiguration()).delete(there, True)

    def _frame(self, source: Any) -> Any:
        """A data frame of files, of a table, or of data in memory."""
        session = self._session
        if hasattr(source, "createOrReplaceTempView"):
            return source
        if isinstance(source, dict):
            columns = []
            for column, values in source.items():
                first = next((value for value in values if value is not None), "")
                columns.append(f"{DIALECT.quoted(column)} {TYPES.get(type(first), 'STRING')}")
            return session.createDataFrame(list(zip(*source.values(), strict=True)), ", ".join(columns))
        paths = [source] if isinstance(source, (str, os.PathLike)) else source
        if isinstance(paths, (list, tuple)):
            named: list[str] = [os.fspath(path) for path in paths]
            if len(named) == 1 and not is_path(named[0]):
                return session.table(named[0])
            suffixes = {suffix_of(path) for path in named}
            if len(suffixes) == 1 and suffixes <= set(CSV):
                return session.read.csv(named, header=True, sep=CSV[suffixes.pop()])
            return session.read.parquet(*named)
        if hasattr(source, "to_arrow"):  # of Polars
            source = source.to_arrow()
        return session.createDataFrame(source)

    def _run(self, work: Callable[[], Result], step: str) -> Result:
        """Run work in a thread, under our job group or tag; else with the properties of this thread."""

        def tagged() -> Result:
            if self._context is None:
                self._session.addTag(GROUP)  # of this thread
            else:
                self._context.setJobGroup(GROUP, step, interruptOnCancel=True)
            return work()

        def cancel() -> None:
            with suppress(*self._errors):
                if self._context is None:
                    self._session.interruptTag(GROUP)
                else:
                    self._context.cancelJobGroup(GROUP)

        try:
            result: Result = run_until_done(self._inheriting(tagged), cancel)
            return result
        except self._errors as error:
            raise _translated(error) from None
        except (TypeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"Spark: {first_line(error)}", hint="give a DataFrame, a table or a path") from None

    def _inheriting(self, target: Callable[[], Result]) -> Callable[[], Result]:
        """A target for a thread that has the properties of this one, such as the pool of the scheduler."""
        if self._context is None:
            return target
        inheritable: Any = import_module("pyspark.util").inheritable_thread_target
        if int(self.version.split(".")[0]) >= 4:
            inheritable = inheritable(self._session)
        inheriting: Callable[[], Result] = inheritable(target)
        return inheriting


def _messages(error: Any) -> Iterator[str]:
    """The messages of an error of Spark and of its causes, the outermost first."""
    java = getattr(error, "java_exception", None) or getattr(error, "_origin", None)
    if java is None:
        yield str(error)
        stack = error.getStackTrace() if hasattr(error, "getStackTrace") else None  # Spark Connect, from Spark 4 on
        yield from re.findall("^Caused by: (.*)", stack or "", re.MULTILINE)
    while java is not None:
        yield str(java.toString())
        java = java.getCause()


def _translated(error: Exception) -> InputError:
    """An error of Spark as an InputError with a remedy: the outermost cause that has one, or the innermost."""
    messages = list(_messages(error))
    helped = ((message, hint) for message in messages for sign, hint in HINTS.items() if sign in message)
    message, hint = next(helped, (messages[-1], ""))
    line = next((line.strip() for line in message.splitlines() if line.strip()), type(error).__name__)
    return InputError(f"Spark: {line}", hint=hint)
