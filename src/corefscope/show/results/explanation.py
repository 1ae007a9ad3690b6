"""How an explanation of two figures is laid out."""

from __future__ import annotations

from ...count.metrics import METRICS
from ...study.difference import MEANINGS, Explanation, Way
from ..layout import Layout, Text


def lay_out(explanation: Explanation, per_document: bool, width: int) -> Layout:  # noqa: ARG001
    """For each figure the settings that produce it, then the shortest way from one to the other."""
    blocks: list[list[str]] = []
    for figure in zip(explanation.wanted, explanation.read_as, explanation.found, explanation.nearest, strict=True):
        wanted, readings, ways, (near, value) = figure
        if ways:
            told = f", read as a {' or a '.join(readings)}," if readings else ""
            lines = [f"{wanted}{told} is what these settings give:"]
            lines += [_way(way, exact) for way, exact in ways[: explanation.limit]]
            if len(ways) > explanation.limit:
                lines.append(f"  and {len(ways) - explanation.limit} more")
        else:
            lines = [f"{wanted} comes from none of the {explanation.tried:,} settings tried; the nearest is"]
            lines.append(_way(near, value))
        blocks.append(lines)
    path = explanation.path
    if path:
        changes = path[0].differs(path[1])
        told = ", ".join(
            f"{name}: {_meant(name, one)} instead of {_meant(name, other)}" for name, (one, other) in changes.items()
        )
        blocks.append([f"What differs: {told or 'nothing: both come from the same settings'}"])
    if explanation.irrelevant:
        blocks.append([f"Makes no difference here: {reason}" for reason in explanation.irrelevant])
    return Layout([Text(lines, wrap=False) for lines in blocks], [explanation.signature])


def _way(way: Way, value: float) -> str:
    return f"  {100 * value:9.4f}  {METRICS[way.metric].title:9} {str(way).partition(' ')[2]}"


def _meant(name: str, value: str) -> str:
    """A value, and what it means if no option is called like it."""
    meaning = MEANINGS.get(name, {}).get(value)
    return f"{value} ({meaning})" if meaning else value
