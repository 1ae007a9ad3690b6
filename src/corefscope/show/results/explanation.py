"""How an explanation of two figures is shown."""

from __future__ import annotations

from ...count.metrics import METRICS
from ...study.difference import MEANINGS, Explanation


def text(explanation: Explanation, limit: int) -> str:
    """For each figure the settings that produce it, then the shortest way from one to the other."""
    lines: list[str] = []
    for figure in zip(explanation.wanted, explanation.read_as, explanation.found, explanation.nearest, strict=True):
        wanted, readings, ways, (near, value) = figure
        if ways:
            told = f", read as a {' or a '.join(readings)}," if readings else ""
            lines.append(f"{wanted}{told} is what these settings give:")
            for way, exact in ways[:limit]:
                lines.append(f"  {100 * exact:9.4f}  {METRICS[way.metric].title:9} {str(way).partition(' ')[2]}")
            if len(ways) > limit:
                lines.append(f"  and {len(ways) - limit} more")
        else:
            lines.append(f"{wanted} comes from none of the {explanation.tried:,} settings tried; the nearest is")
            lines.append(f"  {100 * value:9.4f}  {METRICS[near.metric].title:9} {str(near).partition(' ')[2]}")
        lines.append("")
    path = explanation.path
    if path:
        changes = path[0].differs(path[1])
        told = ", ".join(
            f"{name}: {_meant(name, one)} instead of {_meant(name, other)}" for name, (one, other) in changes.items()
        )
        lines += [f"What differs: {told or 'nothing: both come from the same settings'}", ""]
    lines += [f"Makes no difference here: {said}" for said in explanation.irrelevant]
    return "\n".join(lines).rstrip() + "\n"


def _meant(name: str, value: str) -> str:
    """A value, and what it means if no option is called like it."""
    meaning = MEANINGS.get(name, {}).get(value)
    return f"{value} ({meaning})" if meaning else value
