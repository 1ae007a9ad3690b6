"""The protocol of engines, the tables they make on the way, and helpers that all of them use.

An engine makes tables from statements and returns columns of numbers. The statements are in :mod:`.sql`, in SQL that
every engine understands; a :class:`Dialect` has the two things that differ.
"""

from __future__ import annotations

import os
import re
from abc import abstractmethod
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from glob import escape
from itertools import count
from secrets import token_hex
from typing import Any, NamedTuple, Protocol, TypeVar

from numpy.typing import NDArray

Columns = Mapping[str, NDArray[Any]]
"""The columns of a table by name."""
Steps = Callable[[str], None]
"""Called with a short description of each step."""


LOCAL = 3_000_000
"""Cells that are fetched where the available memory is not known."""


class Budget(NamedTuple):
    """The limits of an engine that corefscope opens; a connection or session of the caller has its own."""

    memory: str = ""
    """Such as ``4GB``; half of the free memory by default."""
    temp: str = ""
    """The parent of the temporary directory; the system's by default."""
    threads: int = 0
    """0: one for each processor."""


class Dialect(NamedTuple):
    """The SQL in which engines differ: how names are quoted and rows are numbered."""

    quote: str
    """The quotation mark of names."""
    row_number: str
    """An expression that numbers rows without repeats, as BIGINT."""

    def quoted(self, name: str) -> str:
        """A quoted name.

        >>> Dialect('"', "").quoted('size "in" cm')
        '"size ""in"" cm"'
        """
        return self.quote + name.replace(self.quote, 2 * self.quote) + self.quote


class Engine(Protocol):
    """A database for :func:`score_tables`; yours has ``view``, ``columns``, ``make``, ``fetch`` and ``drop``.

    Statements are those of :mod:`corefscope.scale.engines.sql`, whose SQL is that of DuckDB and Spark; ``make`` and
    ``fetch`` may rewrite them. Names are in lower case; integers must be exact, divisions those of doubles, and text
    is compared by its bytes. :func:`check_engine` finds out. Raise :class:`InputError` for errors of the user, and
    let an interrupt end the running statement.
    """

    name: str
    version: str
    dialect: Dialect
    room: int = 0
    """How many bytes tables may take, memory and disk together; 0 if it is not known."""
    local: int = LOCAL
    """The most cells that are fetched to find a best assignment; of more, certain ones are taken in the engine."""

    @abstractmethod
    def view(self, name: str, source: object) -> None:
        """Make a view of a table of the caller, or of a dict of lists, which are numbers or text."""

    @abstractmethod
    def columns(self, name: str) -> dict[str, str]:
        """The columns of a view or table in order, with the names of their types in SQL or Arrow."""

    @abstractmethod
    def make(self, name: str, statement: str, step: str = "") -> None:
        """Make a table of the rows that a statement selects, so that they are computed once."""

    @abstractmethod
    def fetch(self, statement: str, step: str = "") -> Columns:
        """The rows that a statement selects: a NumPy array for each column."""

    @abstractmethod
    def drop(self, *names: str) -> None:
        """Drop views and tables, if they exist, and free their space."""

    def close(self) -> None:
        """Remove what else was made, after each run; a connection or session of the caller stays open."""
        return


MEMBERS = [name for name in {**Engine.__annotations__, **vars(Engine)} if not name.startswith("_")]
"""The attributes and methods of an engine."""


class Scratch:
    """Intermediate tables under unique names, which are dropped at the end."""

    def __init__(self, engine: Engine, steps: Steps | None = None) -> None:
        self.engine = engine
        self._steps = steps
        self._prefix = f"corefscope_{token_hex(6)}"
        self._made: dict[str, None] = {}
        self._numbers = count()

    def __enter__(self) -> Scratch:
        return self

    def __exit__(self, *_: object) -> None:
        self.drop(*self._made)

    def view(self, name: str, source: object) -> str:
        """Make a view; return its full name."""
        full = self._named(name)
        self.engine.view(full, source)
        return full

    def make(self, name: str, statement: str, step: str) -> str:
        """Make a table; return its full name."""
        self.say(step)
        full = self._named(name)
        self.engine.make(full, statement, step)
        return full

    def fetch(self, statement: str, step: str) -> Columns:
        """The columns that a statement selects."""
        self.say(step)
        return self.engine.fetch(statement, step)

    def drop(self, *names: str) -> None:
        """Drop tables that are no longer needed."""
        self.engine.drop(*names)
        for name in names:
            self._made.pop(name, None)

    def say(self, step: str) -> None:
        """Report a step."""
        if self._steps:
            self._steps(step)

    def _named(self, name: str) -> str:
        full = f"{self._prefix}_{next(self._numbers)}_{name}"
        self._made[full] = None  # even if it fails: a part may have been made
        return full


CSV = {".csv": ",", ".tsv": "\t"}
"""Suffixes of text files, and the delimiters of their columns."""
PACKED = (".gz", ".zst")
URL = re.compile(r"(?!file:)[a-z][a-z0-9+.-]+://", re.IGNORECASE)
"""The beginning of an address; one letter before the colon is a drive."""


def is_path(text: str) -> bool:
    """Whether a text names files rather than a table: it has a known suffix, a slash or a wildcard, or exists.

    >>> [is_path(text) for text in ("a.parquet", "s3://b/c", "part-*", "main.links")]
    [True, True, True, False]
    """
    return suffix_of(text) in (".parquet", *CSV) or any(sign in text for sign in "/\\*?") or os.path.exists(text)


def is_url(text: str) -> bool:
    """Whether a text is the address of a file elsewhere.

    >>> [is_url(text) for text in ("https://a/b.csv", "s3://b/c", "file:///a.csv", "C://a.csv", "a.csv")]
    [True, True, False, False, False]
    """
    return URL.match(text) is not None


def suffix_of(path: str) -> str:
    """The suffix of a path, without that of compression.

    >>> suffix_of("a/B.CSV.gz"), suffix_of("links")
    ('.csv', '')
    """
    root, suffix = os.path.splitext(path.lower())
    return os.path.splitext(root)[1] if suffix in PACKED else suffix


def pattern_of(path: str) -> str:
    """The pattern that finds the files of a path; a directory means all files below it.

    >>> pattern_of("part-*.csv")
    'part-*.csv'
    """
    if os.path.isdir(path):
        held = [name for _, _, names in os.walk(path) for name in names]
        suffix = next((suffix for suffix in (".parquet", *CSV) if any(name.endswith(suffix) for name in held)), "")
        return os.path.join(escape(path), "**", "*" + (suffix or ".parquet"))
    return escape(path) if os.path.exists(path) else path


def first_line(error: Exception) -> str:
    """The first line of an error message."""
    return (str(error).splitlines() or [type(error).__name__])[0]


Result = TypeVar("Result")


def run_until_done(work: Callable[[], Result], cancel: Callable[[], None]) -> Result:
    """Run work in a thread of its own, so that an interrupt can cancel it; return or raise its result.

    The interrupt is raised again once the work has ended.
    """
    with ThreadPoolExecutor(1, "corefscope statement") as pool:
        future = pool.submit(work)
        try:
            return future.result()
        except BaseException:
            while not future.done():
                cancel()  # again: the statement may have been about to begin
                wait([future], 0.1)
            raise
