"""What readers make of a file: its documents, lines and warnings, and the error that ends them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from corefscope.core.document import Document
from corefscope.core.errors import InputError, Warned, Warnings
from corefscope.formats.detection import open_reader
from corefscope.formats.source import DocumentReader, Source
from corefscope.formats.tables.reader import TableReader

Reading = tuple[list[Document], list[int], str, list[Warned]]


def reading(reader: Callable[[Source, Warnings], DocumentReader | TableReader], path: Path) -> Reading:
    """The documents of a file up to the error that ends them, their lines, that error, and the warnings."""
    warnings = Warnings()
    documents: list[Document] = []
    lines: list[int] = []
    error = ""
    with closing(Source.open(path)) as source:
        try:
            opened = reader(source, warnings)
            lines += map(opened.line_of_document, range(len(opened.names)))
            documents.extend(opened)
        except InputError as fault:
            error = f"{fault} [{fault.code}]"
    return documents, lines, error, warnings.records()


def refusal(path: Path, format_: str | None = None, side: str = "key") -> InputError | None:
    """The error with which the reader stops."""
    try:
        _, reader = open_reader(path, format_, Warnings(), side)
    except InputError as error:
        return error
    try:
        for _ in reader:
            pass
    except InputError as error:
        return error
    finally:
        reader.source.close()
    return None
