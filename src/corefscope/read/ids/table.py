"""Tables with a row for each mention: CSV, TSV or Parquet with columns document, mention and entity.

Without a column for the document there is one document. Mentions are known by their ids, as text. Rows may come in
any order; documents are put in the order of their names.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from typing import NoReturn

from ...base.document import Document
from ...base.errors import Warnings
from ..source import Source
from ..unpacking import PARQUET
from .ids import ONE_DOCUMENT
from .rows import Table, is_large, rows_document, tabulated

DELIMITERS = "\t,;"
COLUMNS = {
    "document": ("document", "document_id", "doc", "doc_id", "doc_key"),
    "mention": ("mention", "mention_id"),
    "entity": ("entity", "entity_id", "cluster", "cluster_id", "label"),
}


def _has_column(names: Sequence[str]) -> str:
    return rf'(?=(?:[^\n]*[{DELIMITERS}])?[ "]*(?:{"|".join(names)})[ "]*(?:[{DELIMITERS}\n]|\Z))'


LOOKS_LIKE = (
    rf"{PARQUET.decode()}"
    rf"|(?i:\s{{0,99}}(?![\[{{#]){_has_column(COLUMNS['mention'])}{_has_column(COLUMNS['entity'])})"
)
"""Parquet, or a first line that names columns of mentions and entities."""


class TableReader:
    """The documents of one table; mentions are ids, and have no words."""

    starts = ()  # it is read as a whole

    def __init__(self, source: Source, warnings: Warnings, side: str = "key") -> None:  # noqa: ARG002
        self.source = source
        self.has_heads = True  # an id has no words to choose a head from
        if source.read(source.start, source.start + len(PARQUET)) == PARQUET:
            from .parquet import parquet_table

            table = parquet_table(source)
        else:
            table = _CsvTable(source).read()
        if not table:
            source.refuse("has no rows", "a row is needed for each mention")
        self._table = dict(sorted(table.items()))
        self.names = list(self._table)
        self._is_large = is_large(table.values())

    def line_of_document(self, index: int) -> int:
        """The line of the first row of a document."""
        return self._table[self.names[index]].line

    def __iter__(self) -> Iterator[Document]:
        for name, rows in self._table.items():
            make = partial(rows.document, name, self.source.name)
            yield rows_document(name, self.source.name, make, rows) if self._is_large else make()


class _CsvTable:
    """Comma- or tab-separated values, with the line of whatever is wrong with them."""

    def __init__(self, source: Source) -> None:
        self._source = source
        texts = (source.text(offset, offset + len(piece)) for offset, piece in source.pieces(b"\n"))
        lines = chain.from_iterable(io.StringIO(text, newline="\n") for text in texts)
        numbered = enumerate(lines, 1)
        self._header_line, header = next((line for line in numbered if line[1].strip()), (1, ""))
        delimiter = max(DELIMITERS, key=lambda delimiter: _columns_in(header, delimiter))
        self._rows = csv.reader(chain([header], lines), delimiter=delimiter, strict=True, skipinitialspace=True)

    def read(self) -> Table:
        """The rows by document and entity."""
        try:
            return tabulated(self._read())
        except csv.Error as error:
            self._refuse(f"is not a table: {error}", "quotes around a cell must be closed")

    def _read(self) -> Iterator[tuple[int, str, str, str]]:
        header = next(self._rows, [])
        of_document, of_mention, of_entity = find_columns(header, self._source, self._line())
        width = len(header)
        name = ONE_DOCUMENT
        for row in self._rows:
            if len(row) != width:
                if not row:
                    continue
                self._refuse(f"a row of {len(row)} cells; the header has {width}", "quote cells that hold separators")
            mention, entity = row[of_mention], row[of_entity]
            if of_document >= 0:
                name = row[of_document]
            if not (name and mention and entity):
                role = next(role for role, cell in zip(COLUMNS, (name, mention, entity), strict=True) if not cell)
                self._refuse(f"the cell of the {role} is empty", "each row must name its mention and entity")
            yield self._line(), name, mention, entity

    def _line(self) -> int:
        """The line of the row that was read last."""
        return self._header_line + max(self._rows.line_num, 1) - 1

    def _refuse(self, message: str, hint: str) -> NoReturn:
        self._source.refuse(message, hint, self._line())


def _columns_in(header: str, delimiter: str) -> tuple[int, int]:
    """How many of the columns that are read a delimiter cuts out of the header, and how many cells."""
    try:
        names = next(csv.reader([header], delimiter=delimiter), [])
    except csv.Error:
        return 0, 0
    aliases = set(chain.from_iterable(COLUMNS.values()))
    return sum(name.strip().casefold() in aliases for name in names), len(names)


def find_columns(header: Sequence[str], source: Source, line: int = 0) -> list[int]:
    """The indices of the columns of document, mention and entity; -1 if there is none of the document.

    A column that is missing is an error, and so are two that may be the same.
    """
    names = [name.strip().casefold() for name in header]
    indices = []
    for role, aliases in COLUMNS.items():
        matching = [index for index, name in enumerate(names) if name in aliases]
        if len(matching) > 1:
            both = " and ".join(repr(header[index]) for index in matching[:2])
            source.refuse(f"the columns {both} may both be the {role}", "rename or drop one of them", line)
        if not matching and role != "document":
            listed = ", ".join(map(repr, header[:20]))
            hint = f"it may be called {', '.join(aliases)}"
            source.refuse(f"no column holds the {role}; found {listed}", hint, line)
        indices.append(matching[0] if matching else -1)
    return indices
