"""Spark, through a session of the caller, which keeps its settings and stays open."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from secrets import token_hex
from typing import Any

from ...core.errors import InputError
from .base import CSV, LOCAL, Budget, Columns, Dialect, Result, first_line, is_path, run_until_done, suffix_of

DIALECT = Dialect(quote="`", row_number="monotonically_increasing_id()")
TYPES = {int: "BIGINT", float: "DOUBLE"}
GROUP = "corefscope"
"""The job group of our jobs in the web interface of Spark."""


def open_spark(session: Any, budget: Budget, scratch: str = "") -> SparkEngine:
    """Open an engine for a session."""
    if any(budget):
        raise InputError("memory, temp and threads are settings of your session", hint="give scratch=, or nothing")
    if not hasattr(session, "sparkContext"):
        what = f"{type(session).__module__}.{type(session).__name__} has no Spark context"
        raise InputError(what, hint="give a SparkSession of the driver; those of Spark Connect have none")
    return SparkEngine(session, scratch)


class SparkEngine:
    """A Spark session. Tables are written to ``scratch``, a directory that all executors can reach, and read back.

    Without ``scratch`` the executors keep them; if an executor is lost, everything is computed again.
    """

    name = "spark"
    dialect = DIALECT

    def __init__(self, session: Any, scratch: str) -> None:
        self._session = session
        self._context = session.sparkContext
        self._errors: tuple[type[Exception], ...] = (
            import_module("pyspark.errors").PySparkException,
            import_module("py4j.protocol").Py4JError,
        )
        self._directory = f"{scratch.rstrip('/')}/corefscope-{token_hex(6)}" if scratch else ""
        self._paths: dict[str, str] = {}
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
            if self._directory:
                path = self._paths[name] = f"{self._directory}/{name}"
                frame.write.parquet(path)
                frame = self._session.read.parquet(path)
            else:
                frame = frame.localCheckpoint()
            frame.createOrReplaceTempView(name)

        self._run(work, step)

    def fetch(self, statement: str, step: str = "") -> Columns:
        """The columns that a statement selects."""

        def work() -> Columns:
            frame = self._session.sql(statement)
            if hasattr(frame, "toArrow"):  # from Spark 4 on
                table = frame.toArrow()
                return {name: table.column(name).to_numpy() for name in table.column_names}
            table = frame.toPandas()
            return {name: table[name].to_numpy() for name in table.columns}

        return self._run(work, step)

    def drop(self, *names: str) -> None:
        """Drop views and tables, and remove their files."""
        with suppress(*self._errors):  # the session may have ended
            for name in names:
                self._session.catalog.dropTempView(name)
                if path := self._paths.pop(name, ""):
                    self._remove(path)

    def close(self) -> None:
        """Remove all files; the session stays open."""
        if self._directory:
            with suppress(*self._errors):
                self._remove(self._directory)

    def _remove(self, path: str) -> None:
        jvm = self._context._jvm
        there = jvm.org.apache.hadoop.fs.Path(path)
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
        return session.createDataFrame(source)

    def _run(self, work: Callable[[], Result], step: str) -> Result:
        """Run work in a thread with the properties of this one, such as the scheduler's pool, and our job group."""
        inheritable: Any = import_module("pyspark.util").inheritable_thread_target
        if int(self.version.split(".")[0]) >= 4:
            inheritable = inheritable(self._session)

        def grouped() -> Result:
            self._context.setJobGroup(GROUP, step, interruptOnCancel=True)
            return work()

        def cancel() -> None:
            with suppress(*self._errors):
                self._context.cancelJobGroup(GROUP)

        try:
            result: Result = run_until_done(inheritable(grouped), cancel)
            return result
        except self._errors as error:
            raise _translated(error) from None
        except (TypeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"Spark: {first_line(error)}", hint="give a DataFrame, a table or a path") from None


def _translated(error: Exception) -> InputError:
    """An error of Spark as an InputError with a remedy."""
    java = getattr(error, "java_exception", None)
    text = str(java.toString()) if java is not None else str(error)
    message = next((line.strip() for line in text.splitlines() if line.strip()), type(error).__name__)
    hints = {
        "UNRESOLVED_COLUMN": "look at the names of the columns",
        "TABLE_OR_VIEW_NOT_FOUND": "name a table that the session has, or a path",
        "PATH_NOT_FOUND": "look whether the path is there",
        "OutOfMemory": "give executors and driver more memory",
        "No space left": "give executors more disk space, or scratch=",
        "Checkpoint block": "an executor was lost: give scratch=, a directory that all executors see",
        "ExecutorLost": "an executor was lost: give scratch=, a directory that all executors see",
        "cancelled": "a job was cancelled in the session",
    }
    hint = next((hint for sign, hint in hints.items() if sign in text), "")
    return InputError(f"Spark: {message}", hint=hint)
