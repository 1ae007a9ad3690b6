"""Problems of files, their catalogue (``codes.toml``), and the tolerant reading of lines that finds them.

An **error** is what a reader refuses, or what it cannot read as intended: something is lost or misread, and the
reader warns of it by the same name. A **warning** is read as written, but breaks the format, stops the official
scorer, or is seldom intended.
"""

from __future__ import annotations

import tomllib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from importlib.resources import files
from typing import NamedTuple

from ...core.document import Document
from ...core.naming import brief_fields
from ..source import Source

LONGEST = 60  # characters of a file that a message repeats


class Code(NamedTuple):
    """One entry of the catalogue."""

    code: str
    name: str
    meaning: str
    hint: str
    severity: str
    """``error`` or ``warning``, which the letter of our own codes tells."""
    title: str
    """Heading of its problems in a report."""


_CATALOGUE = tomllib.loads((files(__package__) / "codes.toml").read_text(encoding="utf-8"))
CODES: dict[str, Code] = {
    code: Code(code, **entry, severity="error" if code[0] == "E" else "warning", title=f"{code} {entry['name']}")
    for code, entry in _CATALOGUE.items()
}
"""All entries by code."""

BY_NAME: dict[str, Code] = {code.name: code for code in CODES.values()}


class Problem(NamedTuple):
    """An error or a warning at one place of a file."""

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
        """The catalogue entry of its code."""
        return self.test or CODES[self.code]

    @property
    def name(self) -> str:
        """The name of its code."""
        return self.entry.name

    @property
    def severity(self) -> str:
        """``error`` or ``warning``."""
        return self.entry.severity

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.entry.title}: {self.message}"


class Reading(NamedTuple):
    """A document that was read tolerantly, and the lines on which its mentions begin."""

    document: Document
    lines: dict[int, int]
    """By the position of the first word."""


class TolerantReading(ABC):
    """A file that is read on past its faults, document by document; faults are noted as problems."""

    def __init__(self, source: Source, problems: Problems) -> None:
        self.source = source
        self.sentences = self.words = 0
        self._problems = problems
        self._note = problems.add

    @abstractmethod
    def __iter__(self) -> Iterator[Reading]: ...


class Problems:
    """The problems that checks have found and that have not been taken yet."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.errors: int = 0
        self._collected: list[Problem] = []

    def add(self, name: str, line: int, message: str, hint: str = "") -> None:
        """Note a problem by the name of its code; the default hint is that of the code."""
        code = BY_NAME[name]
        self.errors += code.severity == "error"
        self._collected.append(Problem(self.path, line, code.code, message, hint or code.hint))

    def add_test(self, test: Code, line: int, message: str) -> None:
        """Note a problem that another program has found."""
        self.errors += test.severity == "error"
        self._collected.append(Problem(self.path, line, test.code, message, test.hint, test))

    def take(self) -> list[Problem]:
        """Take the problems noted since the last call, by line."""
        problems, self._collected = self._collected, []
        return sorted(problems, key=lambda problem: (problem.line, problem.code))


def shortened(text: str, longest: int = LONGEST) -> str:
    """The beginning of a text, at most ``longest`` characters."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def quoted(text: str) -> str:
    """The beginning of a text in quotes.

    >>> quoted("e1"), len(quoted("e" * 1000))
    ("'e1'", 62)
    """
    return repr(shortened(text))


class Block(NamedTuple):
    """Consecutive lines, none of them empty."""

    line: int
    """Number of the first line."""
    lines: list[str]


def blocks(source: Source, problems: Problems) -> Iterator[Block]:
    """The blocks of a file; faults of its encoding and its empty lines are noted."""
    before = 0
    for lines in decoded(source, b"\n\n", problems):  # whole blocks, each but the last of the file with an empty line
        start = 0
        for end in [index for index, line in enumerate(lines) if not line]:
            if end > start:
                yield Block(before + start + 1, lines[start:end])
            else:
                problems.add("extra-empty-line", before + end + 1, "an empty line after another, or at the beginning")
            start = end + 1
        before += len(lines)
        if start < len(lines):
            problems.add("missing-last-empty-line", before, "the file ends without an empty line after this")
            yield Block(before - len(lines) + start + 1, lines[start:])


def decoded(source: Source, separator: bytes, problems: Problems) -> Iterator[list[str]]:
    """The lines of a file in large pieces; bytes that are not UTF-8 are noted and replaced."""
    before = 0
    for _, piece in source.pieces(separator):
        raw = piece.removesuffix(b"\n")
        try:
            lines = raw.decode("utf-8").split("\n")
        except UnicodeDecodeError:
            lines = [_decode_line(line, number, problems) for number, line in enumerate(raw.split(b"\n"), before + 1)]
        yield lines
        before += len(lines)


def _decode_line(line: bytes, number: int, problems: Problems) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        problems.add("not-utf-8", number, f"byte 0x{line[error.start]:02x} is not UTF-8")
        return line.decode("utf-8", errors="replace")


def check_bytes(source: Source, problems: Problems) -> None:
    """Note a byte order mark, and line ends with carriage returns (which a source has converted already)."""
    if source.start:
        problems.add("byte-order-mark", 1, "the file begins with a byte order mark")
    if source.first_return:
        message = "lines end in a carriage return, from this one on or here and there"
        problems.add("carriage-return", source.first_return, message)
