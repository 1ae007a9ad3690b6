"""CSV and TSV: one record a line, unrounded, the signature in each."""

from __future__ import annotations

from functools import partial

from ...base.annotations import Any


def render(result: Any, per_document: bool, colour: bool, delimiter: str = ",") -> str:  # noqa: ARG001
    """The records of a result under a line with their names; what lacks a signature of its own gets that of all.

    What a record lacks, or what is None, is empty. The ``columns`` of a result come first, records or not.
    """
    import csv
    import io

    records = result.to_records(per_document)
    for record in records:
        record.setdefault("signature", result.signature)
    names = dict.fromkeys([*getattr(result, "columns", ()), *(name for record in records for name in record)])
    text = io.StringIO()
    writer = csv.DictWriter(text, list(names), delimiter=delimiter, lineterminator="\n", restval="")
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue()


tsv = partial(render, delimiter="\t")
