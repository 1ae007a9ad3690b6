"""What an engine is: six methods. It makes tables from statements, and hands back columns of numbers.

All statements are in :mod:`.statements`, in SQL that every engine understands; a :class:`Dialect` has the two things
that cannot be said alike. Nobody but an engine knows how its data are read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from secrets import token_hex
from typing import Any, NamedTuple, Protocol

Steps = Callable[[str], None]
"""Told what is being done, in a few words."""


LOCAL = 3_000_000
"""Cells that are brought home, where nobody says how much memory there is."""


class Budget(NamedTuple):
    """What an engine of our own may take. A connection or session of the caller's has a budget already."""

    memory: str = ""
    """Such as ``4GB``; half of what there is if nothing is said."""
    temp: str = ""
    """The directory in which a directory of our own is made; that of the system if nothing is said."""
    threads: int = 0
    """0: as many as there are processors."""


class Dialect(NamedTuple):
    """Where engines cannot say the same."""

    quote: str
    """What stands around a name that is not ours."""
    row_number: str
    """A whole number for each row, of which no two are the same."""

    def quoted(self, name: str) -> str:
        """A name as statements have it, whatever it is made of.

        >>> Dialect('"', "").quoted('size "in" cm')
        '"size ""in"" cm"'
        """
        return self.quote + name.replace(self.quote, 2 * self.quote) + self.quote


class Engine(Protocol):
    """Six methods, and what the engine is called. Errors of the engine come out as :class:`InputError`.

    An interrupt ends the statement that runs, and comes out as it is.
    """

    name: str
    version: str
    dialect: Dialect
    room: int
    """How many bytes tables may take, memory and disk together; 0: nobody knows."""
    local: int
    """So many cells are brought home to find a best assignment; more are peeled where they are."""

    def view(self, name: str, source: Any) -> None:
        """Call something a name: a path or several, a table, a relation, a data frame, or a dict of lists."""

    def columns(self, name: str) -> dict[str, str]:
        """The columns of a view or table, and their types as the engine calls them."""

    def make(self, name: str, statement: str, step: str = "") -> None:
        """Make a table of what a statement selects, so that it is computed once."""

    def fetch(self, statement: str, step: str = "") -> Mapping[str, Any]:
        """What a statement selects, by column: arrays of NumPy (of objects, where they are texts)."""

    def drop(self, *names: str) -> None:
        """Forget views and tables, and free their room. What is not there is no error."""

    def close(self) -> None:
        """Leave nothing behind; a connection or session of the caller's goes on."""


class Scratch:
    """The tables that are made on the way, under names that nobody else has; dropped in the end, whatever happens."""

    def __init__(self, engine: Engine, steps: Steps | None = None) -> None:
        self.engine = engine
        self._steps = steps
        self._prefix = f"corefscope_{token_hex(6)}"
        self._made: dict[str, None] = {}

    def __enter__(self) -> Scratch:
        return self

    def __exit__(self, *_: object) -> None:
        self.drop(*self._made)

    def view(self, name: str, source: Any) -> str:
        """The full name of a view that is made of something in memory."""
        full = self._named(name)
        self.engine.view(full, source)
        return full

    def make(self, name: str, statement: str, step: str) -> str:
        """The full name of a table that is made."""
        self.say(step)
        full = self._named(name)
        self.engine.make(full, statement, step)
        return full

    def fetch(self, statement: str, step: str) -> Mapping[str, Any]:
        """What a statement selects, by column."""
        self.say(step)
        return self.engine.fetch(statement, step)

    def drop(self, *names: str) -> None:
        """Drop tables that are no longer needed."""
        self.engine.drop(*names)
        for name in names:
            self._made.pop(name, None)

    def say(self, step: str) -> None:
        """Tell what is being done."""
        if self._steps:
            self._steps(step)

    def _named(self, name: str) -> str:
        full = f"{self._prefix}_{len(self._made)}_{name}"
        self._made[full] = None  # also if it cannot be made: half of it may be there
        return full
