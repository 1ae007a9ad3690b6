"""Problems: what is wrong, where, and what to do about it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import NamedTuple

from ...base.brief import brief_fields
from ...base.document import Document
from ...read.source import Source
from .codes import BY_NAME, CODES, Code

LONGEST = 60  # characters of a file that a message repeats


class Problem(NamedTuple):
    """One thing that is wrong, or odd, in one place."""

    path: str
    line: int
    """1-based; 0 if it concerns the whole file."""
    code: str
    message: str
    hint: str
    test: Code | None = None
    """The test of another program that found it; None if the code is ours."""

    def __repr__(self) -> str:
        return brief_fields(self)

    @property
    def entry(self) -> Code:
        """What is known of its code."""
        return self.test or CODES[self.code]

    @property
    def name(self) -> str:
        """The code in words."""
        return self.entry.name

    @property
    def severity(self) -> str:
        """``error`` or ``warning``."""
        return self.entry.severity

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.entry.title}: {self.message}"


class Reading(NamedTuple):
    """What a tolerant reading gives: a document, and the lines on which its mentions begin."""

    document: Document
    lines: dict[int, int]
    """By position of the first word."""


class TolerantReading(ABC):
    """A file that is read on past its faults, document by document; what is wrong is noted among its problems."""

    def __init__(self, source: Source, problems: Problems) -> None:
        self.source = source
        self.sentences = self.words = 0
        self._problems = problems
        self._note = problems.add

    @abstractmethod
    def __iter__(self) -> Iterator[Reading]: ...


class Problems:
    """The problems that checks have found and that have not been taken yet."""

    __slots__ = ("_collected", "errors", "path")

    def __init__(self, path: str) -> None:
        self.path = path
        self.errors = 0
        self._collected: list[Problem] = []

    def add(self, name: str, line: int, message: str, hint: str = "") -> None:
        """Note a problem by the name of its code; without a hint the usual one of that code is given."""
        code = BY_NAME[name]
        self.errors += code.severity == "error"
        self._collected.append(Problem(self.path, line, code.code, message, hint or code.hint))

    def add_test(self, test: Code, line: int, message: str) -> None:
        """Note a problem that a test of another program has found."""
        self.errors += test.severity == "error"
        self._collected.append(Problem(self.path, line, test.code, message, test.hint, test))

    def take(self) -> list[Problem]:
        """What was added since the last time, by line."""
        problems, self._collected = self._collected, []
        return sorted(problems, key=lambda problem: (problem.line, problem.code))


def shortened(text: str, longest: int = LONGEST) -> str:
    """The beginning of a text, so many characters of it at most."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def quoted(text: str) -> str:
    """The same in quotes.

    >>> quoted("e1"), len(quoted("e" * 1000))
    ("'e1'", 62)
    """
    return repr(shortened(text))
