"""Plain tables as files, written batch by batch: CSV, TSV or Parquet, by the suffix."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from types import TracebackType

from ..base.annotations import Any
from ..base.errors import InputError, OptionError
from ..base.naming import packed_suffix
from .target import Target

DELIMITERS = {".csv": ",", ".tsv": "\t"}
PARQUET = ".parquet"
SUFFIXES = (*DELIMITERS, PARQUET)


def check_table(path: str) -> str:
    """The suffix of a file to be written, once it is known that it can be; call it before the work."""
    unpacked = path.lower().removesuffix(packed_suffix(path))
    suffix = next((suffix for suffix in SUFFIXES if unpacked.endswith(suffix)), "")
    if not suffix or (suffix == PARQUET and packed_suffix(path)):
        raise OptionError(f"the name {path!r} does not say how to write a table: end it in {', '.join(SUFFIXES)}")
    if suffix == PARQUET:
        _pyarrow(path)
    return suffix


class TableFile:
    """A table of columns of the types ``str``, ``int`` and ``float``: there when all was written, or not at all.

    CSV is UTF-8 with a line of names; in Parquet numbers have 64 bits.
    ``with TableFile("scores.csv", {"document": str, "f1": float}) as file: file.add([names, figures])``
    """

    def __init__(self, path: str, columns: Mapping[str, type]) -> None:
        suffix = check_table(path)
        self._target = Target(path)
        self._written: _Parquet | _Text = (
            _Parquet(self._target, path, columns)
            if suffix == PARQUET
            else _Text(self._target, DELIMITERS[suffix], columns)
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


def write_table(path: str, columns: Mapping[str, type], rows: Iterable[Sequence[Any]]) -> None:
    """Write rows under the names of their columns."""
    with TableFile(path, columns) as file:
        if listed := list(rows):
            file.add(zip(*listed, strict=True))


class _Text:
    def __init__(self, target: Target, delimiter: str, columns: Mapping[str, type]) -> None:
        self._target, self._delimiter = target, delimiter
        self._head = [list(columns)]

    def add(self, columns: Sequence[Any]) -> None:
        text = io.StringIO()
        writer = csv.writer(text, delimiter=self._delimiter, lineterminator="\n")
        writer.writerows(self._head)
        self._head = []
        writer.writerows(zip(*map(_cells, columns), strict=True))
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
