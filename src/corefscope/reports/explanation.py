"""How an explanation of two figures is shown."""

from __future__ import annotations

from ..explain import Explanation
from ..metrics import METRICS

SHOWN = 5


def text(explanation: Explanation, limit: int = SHOWN) -> str:
    """For each figure the settings that produce it, then the shortest way from one to the other."""
    lines: list[str] = []
    for wanted, ways, (near, value) in zip(explanation.wanted, explanation.found, explanation.nearest, strict=True):
        if ways:
            lines.append(f"{wanted} is what these settings give:")
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
        told = ", ".join(f"{name}: {one} instead of {other}" for name, (one, other) in changes.items())
        lines += [f"What differs: {told or 'nothing: both come from the same settings'}", ""]
    lines += [f"Makes no difference here: {said}" for said in explanation.irrelevant]
    return "\n".join(lines).rstrip() + "\n"
