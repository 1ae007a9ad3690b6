"""The formats that can be read: one row each, recognised by content, then by the name of the file."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from ..document import Document
from ..errors import OptionError, Warnings
from .source import Source

GLANCE = 1 << 14  # bytes that are enough to tell formats apart


class DocumentReader(Protocol):
    """What a reader is: documents one at a time, their ids known beforehand."""

    source: Source
    has_heads: bool
    """Whether the file says which words are heads."""

    @property
    def names(self) -> list[str]:
        """The ids of the documents, in order."""

    def line_of_document(self, at: int) -> int:
        """The line of the file on which a document begins."""

    def __iter__(self) -> Iterator[Document]: ...


class Format(NamedTuple):
    """One row of the catalogue."""

    name: str
    title: str
    looks_like: str
    """A regular expression that the beginning of such a file matches."""
    suffixes: tuple[str, ...]
    reader: Callable[[Source, Warnings], DocumentReader]


def _corefud(source: Source, warnings: Warnings) -> DocumentReader:
    from .corefud import CorefUDReader

    return CorefUDReader(source, warnings)


def _conll(source: Source, warnings: Warnings) -> DocumentReader:
    from .conll import ConllReader

    return ConllReader(source, warnings)


FORMATS: dict[str, Format] = {
    row.name: row
    for row in (
        Format(
            "conll",
            "CoNLL-2011 and CoNLL-2012: brackets in the last column",
            r"\s*(?:#(?!\s?begin document)[^\n]*\n\s*)*#\s?begin document\b",
            ("conll",),
            _conll,
        ),
        Format(
            "corefud",
            "CorefUD 1.0 and later: CoNLL-U with Entity in MISC",
            r"\s*(?:#[^\n]*\n\s*)*(?:# (?:global\.Entity|newdoc|sent_id)|1\t)",
            (".conllu",),
            _corefud,
        ),
    )
}
DEFAULT = "corefud"


def open_reader(path: str | os.PathLike[str], format_: str | None, warnings: Warnings) -> tuple[str, DocumentReader]:
    """Open a file in the format that is named or else recognised: the name of the format, and the reader."""
    if format_ is not None and format_ not in FORMATS:
        raise OptionError.unknown("format", [format_], FORMATS)
    source = Source.open(path)
    try:
        row = FORMATS[format_ or sniff(source)]
        return row.name, row.reader(source, warnings)
    except BaseException:
        source.close()
        raise


def sniff(source: Source) -> str:
    """The format whose beginning this looks like, else the one its name ends like, else the default."""
    glance = source.read(source.start, min(source.start + GLANCE, source.size)).decode("utf-8", errors="replace")
    for row in FORMATS.values():
        if re.match(row.looks_like, glance):
            return row.name
    for row in FORMATS.values():
        if source.name.endswith(row.suffixes):
            return row.name
    return DEFAULT
