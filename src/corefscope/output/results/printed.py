"""Layout of copy reports and format loss."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...base.errors import amount
from ...base.numbers import ratio
from ...count.metrics import METRICS
from ...evaluate.results import INPUTS, Report
from ...llm.copy_report import CopyReport, merge_reports
from ...llm.format_loss import FormatLoss
from ...llm.options import FAITHFUL, PrintedOptions
from ..layout import Block, Sheet, Text
from ..text import percent

LISTED = 3
"""Maximum number of documents that are named."""
COPIED = "same"
OTHERS = {
    "changed": "in another spelling",
    "replaced": "replaced",
    "glued": "glued together",
    "split": "split",
    "left out": "left out",
    "invented": "invented",
    "set aside": "before or after the text",
}
"""Labels for words that were not simply copied."""


def printed_blocks(report: Report) -> list[Block]:
    """Copy report and format loss of a report."""
    lines, loss = printed_lines(report), report.format_loss
    return [*([Text(lines)] if lines else []), *([lost_points(loss)] if loss else [])]


def printed_lines(report: Report) -> list[str]:
    """Copy reports, a few lines for each side; indented lines belong to the first."""
    sides = zip(INPUTS, report.inputs, strict=False)
    return [
        line for name, side in sides if side.copy_reports for line in _lines(name, merge_reports(side.copy_reports))
    ]


def lost_points(loss: FormatLoss) -> Sheet:
    """Points lost by the format and by the coreference, and the ceiling, for each metric."""
    rows = [
        [
            METRICS[name].title,
            *map(percent, (lost.format_loss, lost.coreference_loss, lost.landed, lost.ceiling)),
        ]
        for name, lost in loss.items()
    ]
    return Sheet.of(["points", "Format loss", "Coreference loss", "If tags landed", "Ceiling"], rows)


def _lines(side: str, report: CopyReport) -> Iterator[str]:
    if not report.documents:
        if (reading := PrintedOptions.parse(report.signed).reading) != FAITHFUL:
            yield f"{side} printed: --reading {reading} does not follow words and tags, so no format loss is known"
        return
    words = report.words
    total = sum(number for kind, number in words.items() if kind not in ("invented", "set aside"))
    others = [f"{words[kind]:,} {label}" for kind, label in OTHERS.items() if words[kind]]
    copied = f"{words[COPIED]:,} of {amount(total, 'word')} copied ({percent(ratio(words[COPIED], total))} %)"
    style = f" in style {'+'.join(report.styles)}" if report.styles else ""
    yield f"{side} printed{style}: " + ", ".join([copied, *others])
    fates, reasons = (", ".join(f"{n:,} {name}" for name, n in c.items()) for c in (report.fates, report.dropped))
    yield f"  tags: {fates}" + (f" ({reasons})" if reasons else "")
    documents = report.documents
    yield from _named("cut off", [f"{d.name} behind word {d.cut_off:,} of {d.of:,}" for d in documents if d.cut_off])
    yield from _named("not printed", [document.name for document in documents if document.absent])


def _named(what: str, documents: Sequence[str]) -> Iterable[str]:
    if documents:
        more = f" and {len(documents) - LISTED:,} more" if len(documents) > LISTED else ""
        yield f"  {what}: {', '.join(documents[:LISTED])}{more}"
