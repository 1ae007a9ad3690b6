"""Tables with a row for each mention: CSV, TSV or Parquet with columns document, mention and entity.

Without a column for the document there is one document. Mentions are identified by their ids, as text. Rows may be
in any order; documents are sorted by name.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from importlib import import_module
from itertools import chain, islice
from typing import TYPE_CHECKING, NoReturn

from ...core.document import Document
from ...core.errors import CorefscopeError, InputError, Warnings
from ..jsonl.json_text import shortened
from ..source import PARQUET, Source, max_memory, max_unpacked, memory_error, size_error
from .columns import ANY_COLUMNS, ColumnNames
from .rows import ONE_DOCUMENT, Batch, Table, rows_document, tabulated

if TYPE_CHECKING:
    from pyarrow import Array
    from pyarrow.parquet import ParquetFile

DELIMITERS = "\t,;"
BATCH = 1 << 14  # characters of a file that are cut at a time ...
ROWS = 1 << 12  # ... and rows of csv
COLUMNS: dict[str, tuple[str, ...]] = {
    "document": ("document", "document_id", "doc", "doc_id", "doc_key"),
    "mention": ("mention", "mention_id"),
    "entity": ("entity", "entity_id", "cluster", "cluster_id", "label"),
}
FURTHER = {"mention": ("record_id", "unique_id", "record", "id")}
"""Names that a column may have if none has one of ``COLUMNS``."""
NO_NAMES: Mapping[str, str] = {}


def has_column(names: Sequence[str]) -> str:
    """A pattern of a first line that has one of these columns."""
    return rf'(?=(?:[^\n]*[{DELIMITERS}])?[ "]*(?:{"|".join(names)})[ "]*(?:[{DELIMITERS}\n]|\Z))'


LOOKS_LIKE = (
    rf"{PARQUET.decode()}"
    rf"|(?i:\s{{0,99}}(?![\[{{#])"
    rf"{has_column((*COLUMNS['mention'], *FURTHER['mention']))}{has_column(COLUMNS['entity'])})"
)
"""Parquet, or a first line that names columns of mentions and entities."""


FindColumns = Callable[..., list[int]]
"""Finds columns in a header, given with its line if it has one."""


class TableReader:
    """The documents of one table; mentions are ids, and have no words."""

    starts: Sequence[int] = ()  # it is read as a whole
    roles: Sequence[str] = tuple(COLUMNS)
    """Names of the columns in messages."""

    def __init__(self, source: Source, warnings: Warnings, side: str = "key") -> None:  # noqa: ARG002
        self.source = source
        self.has_heads = True  # an id has no words to choose a head from
        self._side, self._named = side, ANY_COLUMNS
        self._columns: dict[str, str] = {}

    def select_columns(self, names: ColumnNames) -> None:
        """Take the columns of these names, before the first document is read."""
        self._named = names

    def columns_read(self) -> dict[str, str]:
        """The columns that are read, by what they hold."""
        return self._columns if self._table else {}

    @property
    def names(self) -> list[str]:
        """The names of the documents, sorted."""
        return list(self._table)

    @cached_property
    def _table(self) -> Table:
        """The rows of each document."""
        source = self.source
        if source.read(source.start, source.start + len(PARQUET)) == PARQUET:
            with open_parquet(source) as file:
                table = tabulated(_batches(file, source, self._find_columns, self.roles))
        else:
            table = _CsvTable(source, self._find_columns, self.roles).read()
        if not table:
            source.refuse("has no rows", "a row is needed for each mention")
        return dict(sorted(table.items()))

    def _find_columns(self, header: Sequence[str], line: int = 0) -> list[int]:
        """The columns of document, mention and entity, as :func:`columns_of` finds them; errors name the file."""
        rows_are_mentions = self._named.in_one_table and self._named.has_both_entities
        optional = ("document", "mention") if rows_are_mentions else ("document",)
        try:
            indices = columns_of(header, self._named.of_side(self._side, header), optional)
        except InputError as error:
            self.source.refuse(error.message, error.hint, line)
        self._columns = {role: header[index] for role, index in zip(COLUMNS, indices, strict=True) if index >= 0}
        return indices

    def line_of_document(self, index: int) -> int:
        """The line of the first row of a document."""
        return self._table[self.names[index]].line

    def __iter__(self) -> Iterator[Document]:
        for name, rows in self._table.items():
            make = partial(rows.document, name, self.source.name)
            yield rows_document(name, self.source.name, make, rows)


class WeightReader(TableReader):
    """The weights of entities: a column of numbers that is read in the place of mentions."""

    roles: Sequence[str] = ("document", "weight", "entity")

    def weights(self) -> Iterator[tuple[str, str, str]]:
        """Document, entity and weight of each row."""
        for name, rows in self._table.items():
            yield from ((name, entity, weight) for weight, entity in zip(rows.mentions, rows.entities, strict=True))


class _CsvTable:
    """Comma- or tab-separated values; errors have their line.

    A batch of lines without quotes and faults is split at its separators, all at once. From the first other batch
    on, ``csv`` reads row by row.
    """

    def __init__(self, source: Source, find_columns: FindColumns, roles: Sequence[str]) -> None:
        self._source, self._find_columns, self._roles = source, find_columns, roles
        self._texts = _texts(source)
        self._lines_before, header = self._find_header()
        self._delimiter = max(DELIMITERS, key=lambda delimiter: _columns_in(header, delimiter))
        lines = chain([header], chain.from_iterable(io.StringIO(text, newline="\n") for text in self._rest()))
        self._rows = csv.reader(lines, delimiter=self._delimiter, strict=True, skipinitialspace=True)

    def read(self) -> Table:
        """The rows by document and entity."""
        try:
            return tabulated(self._batches())
        except csv.Error as error:
            self._refuse(f"is not a table: {error}", "quotes around a cell must be closed")

    def _find_header(self) -> tuple[int, str]:
        """The number of lines before the first that is not blank, and that line."""
        before = 0
        for text in self._texts:
            if not text.isspace():
                start = text.rfind("\n", 0, len(text) - len(text.lstrip())) + 1
                end = text.find("\n", start) + 1 or len(text)
                self._texts = chain([text[end:]] if end < len(text) else [], self._texts)
                return before + text.count("\n", 0, start), text[start:end]
            before += text.count("\n")
        return 0, ""

    def _rest(self) -> Iterator[str]:
        """The batches that are left when the next one is needed."""
        while text := next(self._texts, ""):
            yield text

    def _batches(self) -> Iterator[Batch]:
        header = next(self._rows, [])
        indices = self._find_columns(header, self._line())
        if self._rows.line_num == 1:  # or a quoted cell goes on
            for text in self._texts:
                columns = self._unquoted(text, len(header), indices)
                if columns is None:
                    self._texts = chain([text], self._texts)
                    break
                yield range(self._line() + 1, self._line() + 1 + len(columns[0])), *columns
                self._lines_before += len(columns[0])
        rows = self._read(len(header), indices)
        while batch := list(islice(rows, ROWS)):
            lines, names, mentions, entities = zip(*batch, strict=True)
            yield lines, names, mentions, entities

    def _unquoted(
        self, text: str, width: int, indices: Sequence[int]
    ) -> tuple[list[str], list[str], list[str]] | None:
        """The columns of document, mention and entity; None if the text needs ``csv``."""
        delimiter, end = self._delimiter, self._delimiter + "\n" + self._delimiter
        if text.startswith(" ") or any(sign in text for sign in ('"', "\0", "\r", "\n ", delimiter + " ")):
            return None
        if len(text) > csv.field_size_limit():
            return None
        text = text if text.endswith("\n") else text + "\n"
        *cells, _ = text.replace("\n", end).split(delimiter)
        rows = text.count("\n")
        if len(cells) != rows * (width + 1) or cells[width :: width + 1].count("\n") != rows:
            return None  # a row of more or fewer cells
        first = self._line() + 1
        names, mentions, entities = (
            cells[index :: width + 1] if index >= 0 else absent(role, rows, first)
            for role, index in zip(COLUMNS, indices, strict=True)
        )
        return (names, mentions, entities) if all(names) and all(mentions) and all(entities) else None

    def _read(self, width: int, indices: Sequence[int]) -> Iterator[tuple[int, str, str, str]]:
        """The line, document, mention and entity of each row."""
        of_document, of_mention, of_entity = indices
        name = ONE_DOCUMENT
        for row in self._rows:
            if len(row) != width:
                if not row:
                    continue
                self._refuse(f"a row of {len(row)} cells; the header has {width}", "quote cells that hold separators")
            mention, entity = row[of_mention] if of_mention >= 0 else str(self._line()), row[of_entity]
            if of_document >= 0:
                name = row[of_document]
            if not (name and mention and entity):
                role = next(role for role, cell in zip(self._roles, (name, mention, entity), strict=True) if not cell)
                self._refuse(f"the cell of the {role} is empty", "each row must name its mention and entity")
            yield self._line(), name, mention, entity

    def _line(self) -> int:
        """The line of the row that was read last."""
        return self._lines_before + max(self._rows.line_num, 1)

    def _refuse(self, message: str, hint: str) -> NoReturn:
        self._source.refuse(message, hint, self._line())


def _texts(source: Source) -> Iterator[str]:
    """The text of a file in batches of lines."""
    for offset, piece in source.pieces(b"\n"):
        text, start = source.text(offset, offset + len(piece)), 0
        while start < len(text):
            end = text.find("\n", start + BATCH) + 1 or len(text)
            yield text[start:end]
            start = end


def _columns_in(header: str, delimiter: str) -> tuple[int, int]:
    """The number of known columns, and of cells, that a delimiter makes of the header."""
    try:
        names = next(csv.reader([header], delimiter=delimiter), [])
    except csv.Error:
        return 0, 0
    aliases = set(chain.from_iterable([*COLUMNS.values(), *FURTHER.values()]))
    return sum(name.strip().casefold() in aliases for name in names), len(names)


def absent(role: str, rows: int, first: int) -> list[str]:
    """The cells of a column that a table lacks: one document; and mentions that are called by their lines."""
    return [ONE_DOCUMENT] * rows if role == "document" else list(map(str, range(first, first + rows)))


def columns_of(
    header: Sequence[str], named: Mapping[str, str] = NO_NAMES, optional: Container[str] = ("document",)
) -> list[int]:
    """The indices of the columns of document, mention and entity; -1 for one that is absent.

    ``named`` maps roles to the names that the user gives to columns; an empty name says that there is no such column.
    A missing column that is not optional is an error, and so are two that may be the same.

    >>> columns_of(["cluster_id", "Mention", "age"]), columns_of(["unique_id", "label"], {"mention": "unique_id"})
    ([-1, 1, 0], [-1, 0, 1])
    """
    folded = [name.strip().casefold() for name in header]
    listed = ", ".join(map(repr, header[:20]))
    indices = []
    for role, aliases in COLUMNS.items():
        name = named.get(role)
        wanted = aliases if name is None else (name.strip().casefold(),)
        matching = [index for index, folded_name in enumerate(folded) if folded_name in wanted]
        if name in header:
            matching = [header.index(name)]
        if name is None and not matching:
            matching = [index for index, folded_name in enumerate(folded) if folded_name in FURTHER.get(role, ())]
        if len(matching) > 1:
            both = " and ".join(repr(header[index]) for index in matching[:2])
            hint = f"rename or drop one of them, or name the right one: --{role}-column"
            raise InputError(f"the columns {both} may both be the {role}", hint=hint)
        if not matching and name:
            raise InputError(f"there is no column {name!r}", hint=f"there are {listed}")
        if not matching and role not in optional:
            hint = f"it may be called {', '.join([*aliases, *FURTHER.get(role, ())])}; or name it: --{role}-column"
            raise InputError(f"no column holds the {role}; found {listed}", hint=hint)
        indices.append(matching[0] if matching else -1)
    return indices


PARQUET_ROWS = 1 << 12
"""Rows that are unpacked at a time: a column of equal long texts is small in the file, whatever its metadata say."""
ROW_SIZE = 64
"""Bytes that a row takes besides its texts while it is scored: 2 GB are 30 million rows."""


@contextmanager
def open_parquet(source: Source) -> Iterator[ParquetFile]:
    """The file, while its rows are read; every failure is an InputError."""
    try:
        parquet = import_module("pyarrow.parquet")
    except ImportError:
        source.refuse("is a Parquet file, which needs pyarrow", "pip install 'corefscope[parquet]'")
    if not os.path.isfile(source.name):
        source.refuse("Parquet cannot be read from a pipe", "name the file")
    try:
        with parquet.ParquetFile(source.file) as file:
            yield file
        source.check_unchanged()
        import_module("pyarrow").default_memory_pool().release_unused()
    except (CorefscopeError, MemoryError):
        raise
    except Exception as error:  # pyarrow raises errors of many kinds
        what = (str(error).splitlines() or ["?"])[0]
        source.check_unchanged()
        source.refuse(f"is no Parquet file that can be read: {what}", "write it again")


def _batches(file: ParquetFile, source: Source, find_columns: FindColumns, roles: Sequence[str]) -> Iterator[Batch]:
    """The rows of a Parquet file; ids that are whole numbers are read as text, as in CSV.

    They are refused when they exceed the limit of unpacked input or would take more memory than :func:`max_memory`.
    The number of rows is known from the metadata before any is read.
    """
    header = [str(name) for name in file.schema_arrow.names]
    names = [header[index] if index >= 0 else "" for index in find_columns(header)]
    before = unpacked = needed = 0
    limit, memory = max_unpacked(), max_memory()
    if file.metadata.num_rows * ROW_SIZE > memory:
        raise memory_error(source.name)
    columns = [name for name in names if name]
    # In one thread: with threads, one exit in some hundred ended in "terminate called without an active exception".
    for batch in file.iter_batches(PARQUET_ROWS, columns=columns, use_threads=False):
        size = batch.num_rows
        unpacked += batch.nbytes
        if unpacked > limit:
            raise size_error(source.name)
        if unpacked > memory or batch.nbytes > memory // 8:
            raise memory_error(source.name)
        documents, mentions, entities = (
            _texts_of_cells(batch.column(name), role, before, source) if name else absent(role, size, before + 1)
            for name, role in zip(names, roles, strict=True)
        )
        needed += size * ROW_SIZE + sum(map(len, chain(documents, mentions, entities)))
        if needed > memory:
            raise memory_error(source.name)
        yield range(before + 1, before + size + 1), documents, mentions, entities
        before += size


def _texts_of_cells(column: Array, role: str, before: int, source: Source) -> list[str]:
    """Cells as text; an empty one is an error. Those of a dictionary share its texts, which may be long."""
    if hasattr(column, "dictionary"):
        values = [*column.dictionary.to_pylist(), None]
        cells = [values[-1 if index is None else index] for index in column.indices.to_pylist()]
    else:
        cells = column.to_pylist()
    if set(map(type, cells)) <= {str} and all(cells):
        return cells
    texts = []
    for row, cell in enumerate(cells, before + 1):
        if isinstance(cell, float) and cell.is_integer():
            cell = int(cell)  # pandas makes whole numbers floats in columns with gaps
        if cell is None or cell == "" or cell != cell:
            hint = "each row must name its mention and entity (rows are counted from 1)"
            source.refuse(f"the cell of the {role} is empty", hint, row)
        if isinstance(cell, bool) or not isinstance(cell, str | int | (float if role == "weight" else int)):
            source.refuse(f"the {role} is {shortened(repr(cell))}", "ids must be strings or whole numbers", row)
        texts.append(str(cell))
    return texts
