"""The catalogue of metrics for people: an overview, and one metric at a time."""

from __future__ import annotations

import re

from ..bibliography import reference
from ..metrics import GROUPS, METRICS, groups_of
from ..metrics.base import Metric
from .text import aligned


def overview() -> str:
    """One line per metric: name, title, groups, range, paper; then what it is, and the groups."""
    rows = [
        [metric.name, metric.title, ", ".join(groups_of(metric.name)), shown_range(metric), reference(metric.cite)]
        for metric in METRICS.values()
    ]
    lines = aligned(["name", "title", "groups", "range", "paper"], rows)
    width = max(map(len, METRICS))
    lines += ["", *(f"{metric.name.ljust(width)}  {metric.summary}" for metric in METRICS.values()), ""]
    lines += [f"group {name}: {', '.join(members)}" for name, members in GROUPS.items()]
    return "\n".join(lines) + "\n"


def details(metric: Metric) -> str:
    """Everything about a metric: definition, edge cases, departures, paper."""
    facts = (
        f"groups {', '.join(groups_of(metric.name)) or 'all'}; range {shown_range(metric)}; {reference(metric.cite)}"
    )
    return f"{metric.name}: {metric.title}, {metric.summary}\n({facts})\n\n{definition(metric)}\n"


def definition(metric: Metric) -> str:
    """The definition without its examples in code, and without what is said of other metrics."""
    paragraphs = metric.definition.strip().split("\n\n")
    kept = [_own(paragraph, metric.name) for paragraph in paragraphs if not paragraph.startswith(">>>")]
    return "\n\n".join(paragraph for paragraph in kept if paragraph)


def _own(paragraph: str, name: str) -> str:
    """Of a list with an item for each metric, the item of this one."""
    items = re.split(r"\n(?=- ``)", paragraph)
    if not items[0].startswith("- ``"):
        return paragraph
    return "\n".join(item for item in items if item.startswith(f"- ``{name}``"))


def shown_range(metric: Metric) -> str:
    """The range as an interval.

    >>> shown_range(METRICS["muc"]), shown_range(METRICS["kappa"])
    ('[0, 1]', '(-∞, 1]')
    """
    low, high = metric.range
    return f"(-∞, {high:g}]" if low == float("-inf") else f"[{low:g}, {high:g}]"
