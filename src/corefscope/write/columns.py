"""A table that is written batch by batch: columns of equal length, as CSV, TSV or Parquet."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from types import TracebackType

from ..base.annotations import Any
from ..base.errors import InputError, OptionError
from ..base.naming import packed_suffix
from .target import Target

DELIMITERS = {".csv": ",", ".tsv": "\t"}
PARQUET = ".parquet"


class ColumnFile:
    """A table whose name says its format; it is there when all batches were written, or not at all.

    ``with ColumnFile("scores.csv", ["document", "f1"]) as file: file.add([names, figures])``
    """

    def __init__(self, path: str, names: Sequence[str]) -> None:
        suffix = os.path.splitext(path.removesuffix(packed_suffix(path)))[1].lower()
        if suffix not in (*DELIMITERS, PARQUET):
            choices = ", ".join([*DELIMITERS, PARQUET])
            raise OptionError(f"the name {path!r} does not say the format: end it in {choices}")
        self._target = Target(path)
        self._add: Callable[[Sequence[Any]], None]
        self._close: Callable[[], None] = lambda: None
        self._names = names
        if suffix == PARQUET:
            self._begin_parquet(path)
        else:
            self._begin_text(DELIMITERS[suffix])

    def __enter__(self) -> ColumnFile:
        self._target.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._close()
        self._target.__exit__(kind, error, trace)

    def add(self, columns: Iterable[Any]) -> None:
        """Write some rows, given by column: lists, or arrays in which NaN is an empty cell."""
        self._add(list(columns))

    def _begin_text(self, delimiter: str) -> None:
        import csv
        import io

        header = [self._names]

        def add(columns: Sequence[Any]) -> None:
            text = io.StringIO()
            writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
            while header:
                writer.writerow(header.pop())
            writer.writerows(zip(*map(_cells, columns), strict=True))
            self._target.write(text.getvalue())

        self._add = add

    def _begin_parquet(self, path: str) -> None:
        try:
            pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
        except ImportError:
            hint = "pip install 'corefscope[parquet]', or write .csv"
            raise InputError("Parquet needs pyarrow", path=path, hint=hint) from None
        writer: list[Any] = []

        def add(columns: Sequence[Any]) -> None:
            arrays = [pyarrow.array(column, from_pandas=True) for column in columns]  # NaN is an empty cell
            table = pyarrow.table(arrays, names=list(self._names))
            writer[:] = writer or [parquet.ParquetWriter(_Sink(self._target), table.schema)]
            writer[0].write_table(table)

        def close() -> None:
            for each in writer:
                each.close()

        self._add, self._close = add, close


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
