"""Tables with a row for each mention: CSV, TSV or Parquet with columns document, mention and entity.

Without a column for the document there is one document. Mentions are known by their ids, as text. Rows may come in
any order; documents are put in the order of their names.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NoReturn

from ...base.document import Document
from ...base.errors import InputError, Warnings
from ..source import Source
from .header import COLUMNS, DocumentRows, Table, find_columns
from .ids import ONE_DOCUMENT, ids_document

PARQUET = b"PAR1"
DELIMITERS = "\t,;"


def _has_column(names: Sequence[str]) -> str:
    return rf'(?=(?:[^\n]*[{DELIMITERS}])?[ "]*(?:{"|".join(names)})[ "]*(?:[{DELIMITERS}\n]|\Z))'


LOOKS_LIKE = (
    rf"{PARQUET.decode()}"
    rf"|(?i:\s{{0,99}}(?![\[{{#]){_has_column(COLUMNS['mention'])}{_has_column(COLUMNS['entity'])})"
)
"""Parquet, or a first line that names columns of mentions and entities."""


class TableReader:
    """The documents of one table; mentions are ids, and have no words."""

    def __init__(self, source: Source, warnings: Warnings, side: str = "key") -> None:  # noqa: ARG002
        self.source = source
        self.has_heads = True  # an id has no words to choose a head from
        if source.read(source.start, source.start + len(PARQUET)) == PARQUET:
            from .parquet import parquet_table

            table = parquet_table(source.name)
        else:
            table = _CsvTable(source).read()
        if not table:
            raise InputError("has no rows", path=source.name, hint="a row is needed for each mention")
        self._table = dict(sorted(table.items()))
        self.names = list(self._table)

    def line_of_document(self, at: int) -> int:
        """The line of the first row of a document."""
        return self._table[self.names[at]].line

    def __iter__(self) -> Iterator[Document]:
        for name, rows in self._table.items():
            yield ids_document(name, rows.entities.items(), self.source.name)


class _CsvTable:
    """Comma- or tab-separated values, with the line of whatever is wrong with them."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._lines = chain.from_iterable(io.StringIO(text, newline="\n") for text in self._texts())
        numbered = enumerate(self._lines, 1)
        self._header_line, self._header = next((line for line in numbered if line[1].strip()), (1, ""))
        delimiter = max(DELIMITERS, key=self._columns_known)
        self._reader = csv.reader(
            chain([self._header], self._lines), delimiter=delimiter, strict=True, skipinitialspace=True
        )

    def read(self) -> Table:
        """The rows by document and entity."""
        try:
            return self._read()
        except csv.Error as error:
            self._fail(f"is not a table: {error}", "quotes around a cell must be closed")

    def _read(self) -> Table:
        header = next(self._reader, [])
        columns = find_columns(header, self._source.name, self._here())
        of_document, of_mention, of_entity = columns
        width = len(header)
        table: Table = {}
        name = ONE_DOCUMENT
        for row in self._reader:
            if len(row) != width:
                if not row:
                    continue
                self._fail(f"a row of {len(row)} cells; the header has {width}", "quote cells that hold separators")
            mention, entity = row[of_mention], row[of_entity]
            if of_document >= 0:
                name = row[of_document]
            if not (name and mention and entity):
                role = next(role for role, cell in zip(COLUMNS, (name, mention, entity), strict=True) if not cell)
                self._fail(f"the cell of the {role} is empty", "each row must name its mention and entity")
            rows = table.get(name)
            if rows is None:
                rows = table[name] = DocumentRows(self._here(), {})
            members = rows.entities.get(entity)
            if members is None:
                rows.entities[entity] = [mention]
            else:
                members.append(mention)
        return table

    def _texts(self) -> Iterator[str]:
        for offset, piece in self._source.pieces(b"\n"):
            yield self._source.text(offset, offset + len(piece))

    def _columns_known(self, delimiter: str) -> tuple[int, int]:
        """How many of the columns a delimiter finds, and how many cells."""
        try:
            names = next(csv.reader([self._header], delimiter=delimiter), [])
        except csv.Error:
            return 0, 0
        aliases = set(chain.from_iterable(COLUMNS.values()))
        return sum(name.strip().casefold() in aliases for name in names), len(names)

    def _here(self) -> int:
        return self._header_line + max(self._reader.line_num, 1) - 1

    def _fail(self, message: str, hint: str) -> NoReturn:
        raise InputError(message, path=self._source.name, line=self._here(), hint=hint)
