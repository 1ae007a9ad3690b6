"""Clusters: one JSON object, in which each document has its entities, and each entity the names of its mentions.

The name of a mention is its position: ``2:3-5`` is word 3 to 5 of the second sentence of the document, ``2:3-5,8``
has a gap, and ``2:3.1`` is an empty node. So mentions of the same words have the same name in all files over a text.

Plain tables as files, written batch by batch: CSV, TSV or Parquet, by the suffix.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import chain
from types import TracebackType
from typing import Any

from ...core.document import Document, Mention
from ...core.errors import InputError, OptionError
from ...core.positions import MINOR_MASK, NEXT_WORD, SENTENCE_SHIFT, id_at, node_name
from ..jsonl.fields import CLUSTER_FIELDS
from ..jsonl.writer import dumped
from ..losses import Losses
from ..naming import packed_suffix
from ..target import Target
from ..writing import Origin, distinct


def clean_name(name: str) -> str:
    """The name of a document cannot be that of a field of clusters.

    >>> clean_name("nw/1"), clean_name("clusters")
    ('nw/1', 'clusters_')
    """
    return name + "_" * (name in CLUSTER_FIELDS)


def write(documents: Iterable[Document], _: Origin, losses: Losses) -> Iterator[str]:
    """The object, one document a line."""
    before = "{\n"
    for document in documents:
        entities = dict(zip(distinct(document, losses), _names(document), strict=True))
        yield f"{before}{dumped(document.id)}: {dumped(entities)}"
        before = ",\n"
    yield "\n}\n" if before != "{\n" else "{}\n"


def _names(document: Document) -> list[list[Any]]:
    """The names of the mentions of each entity; ids that were read are written as they were."""
    if not document.sentences:
        return [[json.loads(id_at(mention.head)) for mention in entity] for entity in document.entities]
    sentences = {sentence.number: index for index, sentence in enumerate(document.sentences, 1)}
    return [[mention_name(mention, sentences) for mention in entity] for entity in document.entities]


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


def spreadsheet_cell(value: Any) -> Any:
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
    text: io.StringIO, rows: Iterable[Iterable[Any]], delimiter: str, *, spreadsheet: bool = False
) -> None:
    """Write rows as CSV or TSV, cells as they are, or so that a spreadsheet runs none of them.

    For spreadsheets all text is quoted: they may split lines at semicolons too, and would find cells inside of it.
    """
    writer = csv.writer(
        _UnixLines(text),
        delimiter=delimiter,
        lineterminator="\r\n",
        quoting=csv.QUOTE_NONNUMERIC if spreadsheet else csv.QUOTE_MINIMAL,
    )
    writer.writerows((map(spreadsheet_cell, row) for row in rows) if spreadsheet else rows)


def check_table(path: str) -> str:
    """The suffix of a file to be written, once it is known that it can be; call it before the work."""
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
    """A table of columns of the types ``str``, ``int`` and ``float``: there when all was written, or not at all.

    CSV is UTF-8 with a line of names; in Parquet numbers have 64 bits. With ``spreadsheet``, no cell of CSV and TSV
    can be run by a spreadsheet (:func:`spreadsheet_cell`); Parquet is written as always.
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

    def add(self, columns: Iterable[Any]) -> None:
        """Write some rows, given by column: lists, or arrays in which NaN is an empty cell."""
        self._written.add(list(columns))


def write_table(
    path: str, columns: Mapping[str, type], rows: Iterable[Sequence[Any]], *, spreadsheet: bool = False
) -> None:
    """Write rows under the names of their columns."""
    with TableFile(path, columns, spreadsheet=spreadsheet) as file:
        if listed := list(rows):
            file.add(zip(*listed, strict=True))


class _Text:
    def __init__(self, target: Target, delimiter: str, columns: Mapping[str, type], spreadsheet: bool) -> None:
        self._target, self._delimiter, self._spreadsheet = target, delimiter, spreadsheet
        self._head = [list(columns)]

    def add(self, columns: Sequence[Any]) -> None:
        text = io.StringIO()
        rows = chain(self._head, zip(*map(_cells, columns), strict=True))
        write_rows(text, rows, self._delimiter, spreadsheet=self._spreadsheet)
        self._head = []
        self._target.write(text.getvalue())

    def close(self) -> None:
        """A table without rows has a line of names."""
        if self._head:
            self.add([[] for _ in self._head[0]])


class _Parquet:
    def __init__(self, target: Target, path: str, columns: Mapping[str, type]) -> None:
        self._arrow = _pyarrow(path)
        types = {str: self._arrow.string(), int: self._arrow.int64(), float: self._arrow.float64()}
        self._schema = self._arrow.schema([(name, types[kind]) for name, kind in columns.items()])
        self._target = target
        self._writer: Any = None

    def add(self, columns: Sequence[Any]) -> None:
        kinds = zip(columns, self._schema.types, strict=True)
        arrays = [self._arrow.array(column, type=kind, from_pandas=True) for column, kind in kinds]
        self._begun().write_table(self._arrow.table(arrays, schema=self._schema))

    def close(self) -> None:
        self._begun().close()

    def _begun(self) -> Any:
        if self._writer is None:
            self._writer = self._arrow.parquet.ParquetWriter(_Sink(self._target), self._schema)
        return self._writer


class _Sink:
    """A target as pyarrow writes to files."""

    closed = False

    def __init__(self, target: Target) -> None:
        self._target, self._size = target, 0

    def write(self, content: Any) -> int:
        data = bytes(content)
        self._target.write(data)
        self._size += len(data)
        return len(data)

    def tell(self) -> int:
        return self._size

    def flush(self) -> None:
        """Nothing is kept back."""

    def close(self) -> None:
        """The target is closed by who has opened it."""


def _cells(column: Any) -> list[Any]:
    """A column as plain values; what is not a number is empty."""
    values: list[Any] = column.tolist() if hasattr(column, "tolist") else list(column)
    return [None if value != value else value for value in values]


def _pyarrow(path: str) -> Any:
    try:
        import_module("pyarrow.parquet")
    except ImportError:
        hint = "pip install 'corefscope[parquet]', or name a .csv"
        raise InputError("cannot be written as Parquet without pyarrow", path=path, hint=hint) from None
    return import_module("pyarrow")
