"""How it is laid out what became of text that a language model printed: words, tags, and what the format cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...base.errors import amount
from ...base.numbers import ratio
from ...count.metrics import METRICS
from ...evaluate.format_loss import FormatLoss
from ...evaluate.results import INPUTS, Report
from ...read.tagged.account import DROPPED, FATES, REASONS, Account, summed
from ...read.tagged.printed import FAITHFUL, Printed
from ..layout import Block, Sheet, Text
from ..text import percent

LISTED = 3
"""Documents that are named."""
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
"""What happened to words that were not simply copied, as it is said."""


def printed_blocks(report: Report) -> list[Block]:
    """What became of words and tags, and what that cost."""
    lines, loss = printed_lines(report), report.format_loss
    return [*([Text(lines)] if lines else []), *([lost_points(loss)] if loss else [])]


def printed_lines(report: Report) -> list[str]:
    """How words were copied and what became of tags, a few lines for each side; indented ones belong to the first."""
    sides = zip(INPUTS, report.inputs, strict=False)
    return [line for name, side in sides if side.accounts for line in _lines(name, summed(side.accounts))]


def lost_points(loss: FormatLoss) -> Sheet:
    """By metric the points that the format cost, those that the coreference cost, and what could be had."""
    rows = [
        [
            METRICS[name].title,
            *map(percent, (lost.format_loss, lost.coreference_loss, lost.landed, lost.ceiling)),
        ]
        for name, lost in loss.items()
    ]
    return Sheet.of(["points", "Format loss", "Coreference loss", "If tags landed", "Ceiling"], rows)


def _lines(side: str, account: Account) -> Iterator[str]:
    if not account.documents:
        if (reading := Printed.parse(account.signed).reading) != FAITHFUL:
            yield f"{side} printed: --reading {reading} does not follow words and tags, so no format loss is known"
        return
    words, tags = account.words, account.tags
    total = sum(number for kind, number in words.items() if kind not in ("invented", "set aside"))
    others = [f"{words[kind]:,} {said}" for kind, said in OTHERS.items() if words[kind]]
    copied = f"{words[COPIED]:,} of {amount(total, 'word')} copied ({percent(ratio(words[COPIED], total))} %)"
    style = f" in style {'+'.join(account.styles)}" if account.styles else ""
    yield f"{side} printed{style}: " + ", ".join([copied, *others])
    fates = {fate: sum(number for (each, _), number in tags.items() if each == fate) for fate in FATES}
    said = [f"{number:,} {fate}" for fate, number in fates.items()]
    reasons = [f"{tags[DROPPED, reason]:,} {reason}" for reason in REASONS if tags[DROPPED, reason]]
    yield "  tags: " + ", ".join(said) + (f" ({', '.join(reasons)})" if reasons else "")
    documents = account.documents
    yield from _named("cut off", [f"{d.name} behind word {d.cut_off:,} of {d.of:,}" for d in documents if d.cut_off])
    yield from _named("not printed", [document.name for document in documents if document.absent])


def _named(what: str, documents: Sequence[str]) -> Iterable[str]:
    if documents:
        more = f" and {len(documents) - LISTED:,} more" if len(documents) > LISTED else ""
        yield f"  {what}: {', '.join(documents[:LISTED])}{more}"
