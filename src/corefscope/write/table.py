"""Plain tables as files: CSV, TSV or Parquet, by the suffix."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module

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


def write_table(path: str, columns: Mapping[str, type], rows: Iterable[Sequence[Any]]) -> None:
    """Write rows under the names of their columns, whose types are ``str``, ``int`` or ``float``.

    The file is written whole or not at all. CSV is UTF-8 with a line of names; in Parquet whole numbers have 64 bits.
    """
    suffix = check_table(path)
    with Target(path) as target:
        target.write(_parquet(path, columns, rows) if suffix == PARQUET else _delimited(suffix, columns, rows))


def _delimited(suffix: str, columns: Iterable[str], rows: Iterable[Sequence[Any]]) -> str:
    import csv

    text = io.StringIO()
    writer = csv.writer(text, delimiter=DELIMITERS[suffix], lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def _parquet(path: str, columns: Mapping[str, type], rows: Iterable[Sequence[Any]]) -> bytes:
    arrow = _pyarrow(path)
    types = {str: arrow.string(), int: arrow.int64(), float: arrow.float64()}
    schema = arrow.schema([(name, types[kind]) for name, kind in columns.items()])
    values = [*zip(*rows, strict=True)] or [()] * len(columns)
    content = io.BytesIO()
    arrow.parquet.write_table(arrow.table(list(map(list, values)), schema=schema), content)
    return content.getvalue()


def _pyarrow(path: str) -> Any:
    try:
        import_module("pyarrow.parquet")
    except ImportError:
        hint = "pip install 'corefscope[parquet]', or name a .csv"
        raise InputError("cannot be written as Parquet without pyarrow", path=path, hint=hint) from None
    return import_module("pyarrow")
