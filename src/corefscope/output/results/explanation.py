"""Layout of an explained difference between two figures."""

from __future__ import annotations

from ...count.metrics import METRICS
from ...study.difference import MEANINGS, Explanation, Setting
from ..layout import Layout, Text


def lay_out(explanation: Explanation, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """For each figure the settings that produce it, then what differs between them."""
    blocks: list[list[str]] = []
    for figure, readings, ways, nearest in zip(
        explanation.wanted, explanation.read_as, explanation.found, explanation.nearest, strict=True
    ):
        lines = [_setting_line(way, value) for way, value in ways[: explanation.limit]]
        if ways:
            reading = f", read as a {' or a '.join(readings)}," if readings else ""
            head = f"{figure}{reading} is what these settings give:"
        else:
            head = f"{figure} comes from none of the {explanation.tried:,} settings tried; the nearest is"
            lines.append(_setting_line(*nearest))
        if len(ways) > explanation.limit:
            lines.append(f"  and {len(ways) - explanation.limit} more")
        blocks.append([head, *lines])
    if explanation.path:
        start, end = explanation.path
        changes = ", ".join(
            f"{name}: {_meaning(name, one)} instead of {_meaning(name, other)}"
            for name, (one, other) in start.differs(end).items()
        )
        blocks.append([f"What differs: {changes or 'nothing: both come from the same settings'}"])
    if explanation.irrelevant:
        blocks.append([f"Makes no difference here: {reason}" for reason in explanation.irrelevant])
    return Layout([Text(lines, wrap=False) for lines in blocks], [explanation.signature])


def _setting_line(setting: Setting, value: float) -> str:
    return f"  {100 * value:9.4f}  {METRICS[setting.metric].title:9} {str(setting).partition(' ')[2]}"


def _meaning(name: str, value: str) -> str:
    """A value, and its meaning if no option has this name."""
    meaning = MEANINGS.get(name, {}).get(value)
    return f"{value} ({meaning})" if meaning else value
