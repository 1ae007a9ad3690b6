"""DuckDB, in this process; it uses the disk where memory does not suffice."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple

import numpy as np

from ...core.errors import CorefscopeError, InputError
from .base import (
    CSV,
    LOCAL,
    Budget,
    Columns,
    Dialect,
    Result,
    first_line,
    is_path,
    is_url,
    pattern_of,
    run_until_done,
    suffix_of,
)

CELL_BYTES = 200  # bytes of a cell while a best assignment is found
OWN_MEMORY = 200_000_000  # bytes beside the memory of DuckDB
MOST_CELLS = 12_000_000  # cells; with more it is faster to take the certain ones in the engine first
THREAD_MEMORY = 125_000_000  # bytes, as DuckDB recommends: with less, large joins end for want of memory
SPILLED = 20
"""So many times the memory can be on the disk: of a join or count, one part at a time must fit into memory."""
OFFLINE = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}
"""Settings of our own connection: no extension is installed, and none that could fetch files is loaded."""
FETCHING = "download it first; or, in Python, give a connection that may read it: engine=duckdb.connect()"
DIALECT = Dialect(quote='"', row_number="ROW_NUMBER() OVER ()")
CSV_RULES = """header = true, all_varchar = true, quote = '"', escape = '"', comment = '', skip = 0"""
"""Those of tables in memory. Else DuckDB guesses, and drops rows as comments, or takes single quotes for quotes."""


def open_duckdb(connection: Any, budget: Budget, scratch: str = "") -> DuckEngine:
    """Open an engine, through a connection of the caller if there is one."""
    if scratch:
        raise InputError("scratch= is a directory of a cluster", hint="DuckDB takes temp=")
    return DuckEngine(connection, budget)


class DuckEngine:
    """A connection to DuckDB. That of a caller keeps its settings and gets temporary tables only.

    Our own connection reads local files only: URLs are refused, and extensions are neither installed nor loaded.
    """

    name = "duckdb"
    dialect = DIALECT

    def __init__(self, connection: Any, budget: Budget) -> None:
        try:
            self._duckdb: Any = import_module("duckdb")
        except ImportError:
            raise InputError("the engine DuckDB is not installed", hint="pip install 'corefscope[duckdb]'") from None
        self.version: str = self._duckdb.__version__
        self.room: int = 0
        self.local: int = LOCAL
        self._kinds: dict[str, str] = {}
        self._directory = ""
        self._connection = connection
        if connection is None:
            self._connect(budget)

    def _connect(self, budget: Budget) -> None:
        """Open a connection whose files are in a new temporary directory."""
        try:
            self._directory = mkdtemp(prefix="corefscope-", dir=budget.temp or None)
        except OSError as error:
            where = budget.temp or "the directory for temporary files"
            hint = "name another directory (--temp, temp=)"
            raise InputError(f"no directory can be made in {where}: {error.strerror}", hint=hint) from None
        free = free_memory()
        memory = budget.memory or (f"{max(free // 2, THREAD_MEMORY)}B" if free else "")
        settings = {
            "temp_directory": self._directory,
            "preserve_insertion_order": False,
            **OFFLINE,
            **({"memory_limit": memory} if memory else {}),
            **({"threads": budget.threads} if budget.threads else {}),
        }
        try:
            connection = self._connection = self._duckdb.connect(":memory:", config=settings)
            connection.execute("SET enable_progress_bar = false")  # which notebooks would show
            if not memory:  # DuckDB's own limit is 80 % of all memory, on every system: half of all is 5/8 of it
                connection.execute(f"SET memory_limit = '{_memory_limit(connection) * 5 // 8}B'")
            limit = _memory_limit(connection)
            if not budget.threads:
                threads = int(connection.execute("SELECT current_setting('threads')").fetchall()[0][0])
                connection.execute(f"SET threads = {max(min(threads, limit // THREAD_MEMORY), 1)}")
        except self._duckdb.Error as error:
            self.close()
            raise self._translated(error) from None
        self.room = min(shutil.disk_usage(self._directory).free + limit, SPILLED * limit)
        self.local = _local(limit, bool(budget.memory))

    def view(self, name: str, source: object) -> None:
        """Make a view of files, a table, a relation or a data frame."""
        if isinstance(source, os.PathLike):
            source = os.fspath(source)
        if isinstance(source, str) and not is_path(source):
            source = f"SELECT * FROM {self._table(source)}"
        elif isinstance(source, (str, list, tuple)):
            paths = [os.fspath(path) for path in ([source] if isinstance(source, str) else source)]
            if self._directory and (urls := list(filter(is_url, paths))):
                raise InputError("is a URL, and nothing is fetched from the network", path=urls[0], hint=FETCHING)
            source = _reading(list(map(pattern_of, paths)))
        else:
            self._register(name, source)
            return
        self._create("VIEW", name, source)

    def columns(self, name: str) -> dict[str, str]:
        """The columns of a view or table, and their types."""
        rows = self._run(lambda: self._connection.execute(f"DESCRIBE {DIALECT.quoted(name)}").fetchall())
        return {row[0]: row[1] for row in rows}

    def make(self, name: str, statement: str, step: str = "") -> None:  # noqa: ARG002
        """Make a temporary table."""
        self._create("TABLE", name, statement)

    def fetch(self, statement: str, step: str = "") -> Columns:  # noqa: ARG002
        """The columns that a statement selects."""
        found: Columns = self._run(lambda: self._connection.execute(statement).fetchnumpy())
        return found

    def drop(self, *names: str) -> None:
        """Drop views and tables."""
        for name in names:
            kind = self._kinds.pop(name, "")
            with suppress(self._duckdb.Error):  # closed connection, failed transaction
                if kind == "registered":
                    self._connection.unregister(name)
                elif kind:
                    self._connection.execute(f"DROP {kind} IF EXISTS temp.{DIALECT.quoted(name)}")

    def close(self) -> None:
        """Close our own connection and remove its directory."""
        if self._directory:
            with suppress(self._duckdb.Error):
                if self._connection is not None:
                    self._connection.close()
            shutil.rmtree(self._directory, ignore_errors=True)
            self._directory = ""

    def _create(self, kind: str, name: str, statement: str) -> None:
        self._kinds[name] = kind  # even if it fails: dropping what does not exist is no error
        self._run(lambda: self._connection.execute(f"CREATE TEMP {kind} {DIALECT.quoted(name)} AS {statement}"))

    def _register(self, name: str, source: object) -> None:
        if isinstance(source, dict):
            source = {column: np.array(values, dtype=object) for column, values in source.items()}
        try:
            self._connection.register(name, source)
        except (self._duckdb.Error, TypeError) as error:
            kind = type(source).__name__
            hint = "give a path, a data frame, or a relation of the connection that is the engine"
            if "pyarrow" in str(error):  # for Polars
                hint = "pip install pyarrow"
            raise InputError(f"DuckDB cannot read a {kind}: {first_line(error)}", hint=hint) from None
        self._kinds[name] = "registered"

    def _table(self, name: str) -> str:
        """The quoted name of a table of the connection; dots separate names unless a table has dots in its name."""
        found = self._run(
            lambda: self._connection.execute(
                "SELECT 1 FROM information_schema.tables WHERE table_name = ?", [name]
            ).fetchall()
        )
        return DIALECT.quoted(name) if found else ".".join(map(DIALECT.quoted, name.split(".")))

    def _run(self, work: Callable[[], Result]) -> Result:
        try:
            return run_until_done(work, self._connection.interrupt)
        except self._duckdb.Error as error:
            raise self._translated(error) from None

    def _translated(self, error: Exception) -> CorefscopeError:
        """An error of DuckDB as an InputError with a remedy, or else with the rest of what DuckDB says."""
        lines = [line for line in str(error).partition("\nLINE ")[0].splitlines() if line]
        message, rest = first_line(error), " ".join(lines[1:])
        duckdb = self._duckdb
        if isinstance(error, duckdb.OutOfMemoryException):
            hint = "allow more memory (--memory, memory=), or more disk space (--temp, temp=)"
        elif "No space left" in str(error) or "max_temp_directory_size" in str(error):
            hint = "name a directory with more disk space (--temp, temp=)"
        elif re.search("require[sd] .*extension", message):
            hint = f"load it in your connection: INSTALL httpfs; LOAD httpfs. {rest}".rstrip()
        elif isinstance(error, duckdb.HTTPException):
            hint = rest or "look at the address, and at the secrets of your connection"
        elif isinstance(error, duckdb.BinderException):
            hint = "; ".join(str(error).splitlines()[1:3]).strip()
        elif isinstance(error, duckdb.CatalogException):
            hint = "name a file, or a table that the connection has"
        elif isinstance(error, duckdb.IOException) or (
            isinstance(error, duckdb.InvalidInputException) and "file" in message
        ):
            hint = "look whether the file is there, whole, and may be read: engines read Parquet, CSV and TSV"
        else:
            hint = rest
        return InputError(f"DuckDB: {message}", hint=hint)


def _reading(paths: list[str]) -> str:
    """The statement that reads files; ids in CSV are text."""
    suffixes = {suffix_of(path) for path in paths}
    listed = ", ".join("'" + path.replace("'", "''") + "'" for path in paths)
    if suffixes <= set(CSV):
        delimiter = f", delim = '{CSV['.tsv']}'" if suffixes == {".tsv"} else ""
        return f"SELECT * FROM read_csv([{listed}], {CSV_RULES}{delimiter})"
    return f"SELECT * FROM read_parquet([{listed}])"


def _local(memory: int, strict: bool) -> int:
    """How many cells may be fetched, beside the memory of DuckDB itself; few if the caller set a limit (``strict``).

    >>> _local(250 << 20, True), _local(4 << 30, True), _local(16 << 30, False)
    (1196608, 4221225, 12000000)
    """
    room = memory * 15 // 100 + OWN_MEMORY if strict else memory // 2
    return min(room // CELL_BYTES, MOST_CELLS)


def _bytes(size: str) -> int:
    """A size as DuckDB prints it, in bytes.

    >>> _bytes("1.5 GiB"), _bytes("953.6 MiB"), _bytes("512 bytes")
    (1610612736, 999922073, 512)
    """
    number, unit = size.split()
    return int(float(number) * 1024 ** "BKMGTP".index(unit[0].upper()))


def _memory_limit(connection: Any) -> int:
    [(limit,)] = connection.execute("SELECT current_setting('memory_limit')").fetchall()
    return _bytes(limit)


# ---- memory: Slurm, Docker and Kubernetes limit it by control groups (cgroups, versions 1 and 2), which
# /proc/meminfo does not show. Every group on the path from that of the process to the root has a limit of its own.


class CgroupVersion(NamedTuple):
    """Where a version of cgroups is mounted, and its files."""

    mount: str
    limits: tuple[str, ...]
    usage: str
    cache: str
    """The line of ``memory.stat`` with the bytes of files that are freed when memory is needed."""


VERSIONS = {
    1: CgroupVersion("memory", ("memory.limit_in_bytes",), "memory.usage_in_bytes", "total_inactive_file"),
    2: CgroupVersion("", ("memory.max", "memory.high"), "memory.current", "inactive_file"),
}


def free_memory(root: Path = Path("/")) -> int:
    """The free memory in bytes; 0 if the system does not say (only Linux does). ``root`` is that of all files."""
    available = _number_after("MemAvailable:", root / "proc/meminfo") * 1024
    return min([available, *_free_in_cgroups(root)]) if available else 0


def _free_in_cgroups(root: Path) -> Iterator[int]:
    """The bytes that each control group with a limit leaves to the process."""
    for line in _lines(root / "proc/self/cgroup"):
        number, controllers, path = line.split(":", 2)
        if number != "0" and "memory" not in controllers.split(","):
            continue
        version = VERSIONS[2 if number == "0" else 1]
        group = root / "sys/fs/cgroup" / version.mount
        for part in ["", *[part for part in path.split("/") if part not in ("", "..")]]:
            group /= part  # a container may see its own group at the root, and the path as the host has it
            limits = [int(text) for name in version.limits for text in _lines(group / name) if text.isdecimal()]
            if limits:
                used = sum(int(text) for text in _lines(group / version.usage) if text.isdecimal())
                yield max(min(limits) - used + _number_after(version.cache, group / "memory.stat"), 1)


def _number_after(name: str, path: Path) -> int:
    """The number after a name at the beginning of a line; 0 if there is none."""
    return next((int(words[1]) for words in map(str.split, _lines(path)) if words[:1] == [name]), 0)


def _lines(path: Path) -> list[str]:
    """The lines of a file; none if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
