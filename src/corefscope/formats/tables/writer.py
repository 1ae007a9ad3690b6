"""Writers of clusters as JSON, and of plain tables (CSV, TSV, Parquet).

Clusters are one JSON object, in which each document has its entities, and each entity the names of its mentions.
The name of a mention is its position: ``2:3-5`` is words 3 to 5 of the second sentence of the document, ``2:3-5,8``
has a gap, and ``2:3.1`` is an empty node. So mentions of the same words have the same name in all files of a text.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import chain
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING

from ...core.document import Document, Mention
from ...core.errors import InputError, OptionError
from ...core.positions import MINOR_MASK, NEXT_WORD, SENTENCE_SHIFT, id_at, node_name
from ..jsonl.fields import CLUSTER_FIELDS
from ..jsonl.writer import dumped
from ..losses import Losses
from ..naming import packed_suffix
from ..target import Target
from ..writing import Origin, distinct

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer
    from pyarrow.parquet import ParquetWriter


def clean_name(name: str) -> str:
    """A name of a document that is not that of a field of clusters.

    >>> clean_name("nw/1"), clean_name("clusters")
    ('nw/1', 'clusters_')
    """
    return name + "_" * (name in CLUSTER_FIELDS)


def write(documents: Iterable[Document], _: Origin, losses: Losses) -> Iterator[str]:
    """The object, one document a line; ids that were read are written unchanged."""
    before = "{\n"
    for document in documents:
        names: list[list[object]]
        if document.sentences:
            sentences = {sentence.number: index for index, sentence in enumerate(document.sentences, 1)}
            names = [[mention_name(mention, sentences) for mention in entity] for entity in document.entities]
        else:
            names = [[json.loads(id_at(mention.head)) for mention in entity] for entity in document.entities]
        entities = dict(zip(distinct(document, losses), names, strict=True))
        yield f"{before}{dumped(document.id)}: {dumped(entities)}"
        before = ",\n"
    yield "\n}\n" if before != "{\n" else "{}\n"


def mention_name(mention: Mention, sentences: Mapping[int, int]) -> str:
    """The name of a mention; ``sentences`` maps numbers of sentences in the file to those in the document.

    >>> from corefscope.core.positions import position
    >>> words = (position(9, 3), position(9, 4), position(9, 4, 1), position(9, 5), position(10, 1))
    >>> mention_name(Mention(words, words[0]), {9: 1, 10: 2})
    '1:3-4,4.1,5,2:1'
    """
    parts: list[list[int]] = []  # first and last word of each, or one word or empty node
    for place in dict.fromkeys(mention.positions):
        if parts and place == parts[-1][-1] + NEXT_WORD and not place & MINOR_MASK:
            parts[-1][1:] = [place]
        else:
            parts.append([place])
    names = []
    previous = -1
    for part in parts:
        sentence = part[0] >> SENTENCE_SHIFT
        prefix = f"{sentences[sentence]}:" if sentence != previous else ""
        names.append(prefix + "-".join(map(node_name, part)))
        previous = sentence
    return ",".join(names)


DELIMITERS = {".csv": ",", ".tsv": "\t"}
PARQUET = ".parquet"
SUFFIXES = (*DELIMITERS, PARQUET)
FORMULA_STARTS = (*"=+-@\t\r\n\0", *"＝＋－＠")
"""First characters of cells that a spreadsheet may run, as OWASP lists them; full-width forms are read alike."""
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def spreadsheet_cell(value: object) -> object:
    """A cell that a spreadsheet does not run: text that starts like a formula gets a single quote in front.

    Numbers stay numbers, those in text too.

    >>> [spreadsheet_cell(value) for value in ("=1+1", "@x", "en_gum", "-0.5", -0.5, None)]
    ["'=1+1", "'@x", 'en_gum', '-0.5', -0.5, None]
    """
    if value is None or isinstance(value, (int, float)):
        return value
    text = str(value)
    return f"'{text}" if text.startswith(FORMULA_STARTS) and not NUMBER.fullmatch(text) else text


def write_rows(
    text: io.StringIO, rows: Iterable[Iterable[object]], delimiter: str, *, spreadsheet: bool = False
) -> None:
    """Write rows as CSV or TSV, cells unchanged, or such that a spreadsheet runs none of them.

    For spreadsheets all text is quoted: they may split lines at semicolons too, and find cells inside of it.
    """
    writer = csv.writer(
        _UnixLines(text),
        delimiter=delimiter,
        lineterminator="\r\n",
        quoting=csv.QUOTE_NONNUMERIC if spreadsheet else csv.QUOTE_MINIMAL,
    )
    writer.writerows((map(spreadsheet_cell, row) for row in rows) if spreadsheet else rows)


def check_table(path: str) -> str:
    """The suffix of a table to be written; OptionError, or InputError without pyarrow, if it cannot be."""
    unpacked = path.lower().removesuffix(packed_suffix(path))
    suffix = next((suffix for suffix in SUFFIXES if unpacked.endswith(suffix)), "")
    if not suffix or (suffix == PARQUET and packed_suffix(path)):
        raise OptionError(f"the name {path!r} does not say how to write a table: end it in {', '.join(SUFFIXES)}")
    if suffix == PARQUET:
        _pyarrow(path)
    return suffix


class _UnixLines:
    """Rows that end in a line feed: ``csv`` quotes a carriage return in a cell only if lines end in one, too."""

    def __init__(self, text: io.StringIO) -> None:
        self._text = text

    def write(self, row: str) -> int:
        return self._text.write(row.removesuffix("\r\n") + "\n")


class TableFile:
    """A table of columns of the types ``str``, ``int`` and ``float``, written in batches, whole or not at all.

    CSV is UTF-8 with a line of names; in Parquet numbers have 64 bits. With ``spreadsheet``, no cell of CSV and TSV
    can be run by a spreadsheet (:func:`spreadsheet_cell`).
    ``with TableFile("scores.csv", {"document": str, "f1": float}) as file: file.add([names, figures])``
    """

    def __init__(self, path: str, columns: Mapping[str, type], *, spreadsheet: bool = False) -> None:
        suffix = check_table(path)
        self._target = Target(path)
        self._written: _Parquet | _Text = (
            _Parquet(self._target, path, columns)
            if suffix == PARQUET
            else _Text(self._target, DELIMITERS[suffix], columns, spreadsheet)
        )

    def __enter__(self) -> TableFile:
        self._target.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._written.close()
        self._target.__exit__(kind, error, trace)

    def add(self, columns: Iterable[Iterable[object]]) -> None:
        """Write a batch of rows, given by column: lists, or arrays in which NaN is an empty cell."""
        self._written.add(list(columns))


def write_table(
    path: str, columns: Mapping[str, type], rows: Iterable[Sequence[object]], *, spreadsheet: bool = False
) -> None:
    """Write rows under the names of their columns."""
    with TableFile(path, columns, spreadsheet=spreadsheet) as file:
        if listed := list(rows):
            file.add(zip(*listed, strict=True))


class _Text:
    """A table as CSV or TSV."""

    def __init__(self, target: Target, delimiter: str, columns: Mapping[str, type], spreadsheet: bool) -> None:
        self._target, self._delimiter, self._spreadsheet = target, delimiter, spreadsheet
        self._head = [list(columns)]

    def add(self, columns: Sequence[Iterable[object]]) -> None:
        text = io.StringIO()
        rows = chain(self._head, zip(*map(_cells, columns), strict=True))
        write_rows(text, rows, self._delimiter, spreadsheet=self._spreadsheet)
        self._head = []
        self._target.write(text.getvalue())

    def close(self) -> None:
        """Write the line of names of a table without rows."""
        if self._head:
            self.add([[] for _ in self._head[0]])


class _Parquet:
    """A table as Parquet."""

    def __init__(self, target: Target, path: str, columns: Mapping[str, type]) -> None:
        self._arrow = _pyarrow(path)
        types = {str: self._arrow.string(), int: self._arrow.int64(), float: self._arrow.float64()}
        self._schema = self._arrow.schema([(name, types[kind]) for name, kind in columns.items()])
        self._target = target
        self._writer: ParquetWriter | None = None

    def add(self, columns: Sequence[Iterable[object]]) -> None:
        kinds = zip(columns, self._schema.types, strict=True)
        arrays = [self._arrow.array(column, type=kind, from_pandas=True) for column, kind in kinds]
        self._begun().write_table(self._arrow.table(arrays, schema=self._schema))

    def close(self) -> None:
        self._begun().close()

    def _begun(self) -> ParquetWriter:
        if self._writer is None:
            self._writer = self._arrow.parquet.ParquetWriter(_Sink(self._target), self._schema)
        return self._writer


class _Sink:
    """A target as the file object that pyarrow writes to."""

    closed = False

    def __init__(self, target: Target) -> None:
        self._target, self._size = target, 0

    def write(self, content: Buffer) -> int:
        data = bytes(content)
        self._target.write(data)
        self._size += len(data)
        return len(data)

    def tell(self) -> int:
        return self._size

    def flush(self) -> None:
        """Nothing is kept back."""

    def close(self) -> None:
        """TableFile closes the target."""


def _cells(column: Iterable[object]) -> list[object]:
    """A column as plain values; NaN is an empty cell."""
    values = column.tolist() if hasattr(column, "tolist") else column  # of an array
    return [None if value != value else value for value in values]


def _pyarrow(path: str) -> ModuleType:
    try:
        import_module("pyarrow.parquet")
    except ImportError:
        hint = "pip install 'corefscope[parquet]', or name a .csv"
        raise InputError("cannot be written as Parquet without pyarrow", path=path, hint=hint) from None
    return import_module("pyarrow")
