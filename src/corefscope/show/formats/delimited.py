"""CSV and TSV: one record a line, unrounded, the signature in each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any


def render(result: Any, per_document: bool, colour: bool, delimiter: str = ",") -> str:  # noqa: ARG001
    """The records of a result under a line with their names; what lacks a signature of its own gets that of all."""
    records = result.to_records(per_document)
    for record in records:
        record.setdefault("signature", result.signature)
    return delimited(records, delimiter, getattr(result, "columns", ()))


tsv = partial(render, delimiter="\t")


def delimited(records: Iterable[Mapping[str, Any]], delimiter: str = ",", columns: Sequence[str] = ()) -> str:
    """Records as lines; what a record lacks, or what is None, is empty. ``columns`` come first, records or not.

    >>> delimited([{"a": 1, "b": None}, {"a": "x,y", "c": 0.5}]).splitlines()
    ['a,b,c', '1,,', '"x,y",,0.5']
    """
    import csv
    import io

    rows = list(records)
    names = dict.fromkeys([*columns, *(name for row in rows for name in row)])
    text = io.StringIO()
    writer = csv.DictWriter(text, list(names), delimiter=delimiter, lineterminator="\n", restval="")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
