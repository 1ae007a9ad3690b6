"""Errors and slices for programs: JSON and CSV."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable

from ...study.faults.examine import ErrorReport, places
from ...study.faults.slices import score_of

FAULT_COLUMNS = (
    "kind",
    "zero_kind",
    "document",
    "sentence",
    "path",
    "line",
    "key_entity",
    "response_entity",
    "other_entity",
    "key",
    "response",
    "text",
)


def to_json(found: ErrorReport) -> str:
    """Everything, as the schema corefscope-errors-1 has it."""
    return json.dumps(found.to_dict(), indent=1) + "\n"


def to_csv(found: ErrorReport) -> str:
    """One row for each slice if slices were asked for, else one for each fault."""
    import csv

    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerows(_slice_rows(found) if found.slices else _fault_rows(found))
    return written.getvalue()


def _fault_rows(found: ErrorReport) -> Iterable[list[object]]:
    yield list(FAULT_COLUMNS)
    for fault in found.faults:
        mentions = {
            side: " ".join(places(mention, fault) for mention in getattr(fault, side)) for side in ("key", "response")
        }
        yield [mentions[name] if name in mentions else getattr(fault, name) for name in FAULT_COLUMNS]


def _slice_rows(found: ErrorReport) -> Iterable[list[object]]:
    names = list(found.report)
    figures = [heading for name in names for heading in (name, f"{name}_low", f"{name}_high")]
    yield ["by", "value", "documents", "key_mentions", "response_mentions", "share", *figures]
    for parts in found.slices.values():
        for part in parts:
            row: list[object] = [part.by, part.value, part.documents]
            row += [part.key_mentions, part.response_mentions, part.share]
            for name in names:
                row += [score_of(part.report, name), *part.intervals.get(name, (None, None))]
            yield row
