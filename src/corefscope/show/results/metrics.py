"""The catalogue of metrics for people: an overview, and one metric at a time."""

from __future__ import annotations

import re

from ...count.metrics import GROUPS, METRICS, groups_of
from ...count.metrics.base import Metric
from ...count.metrics.bibliography import reference
from ..columns import padded, table, wrapped


def overview(width: int = 100) -> str:
    """One line per metric: name, title, groups, range; then what it is, and its paper; then the groups."""
    rows = [
        [metric.name, metric.title, ", ".join(groups_of(metric.name)), shown_range(metric)]
        for metric in METRICS.values()
    ]
    head = ["name", "title", "groups", "range"]
    lines = [*table(head, rows, left=len(head)), ""]
    names = max(map(len, METRICS)) + 2
    for metric in METRICS.values():
        said = f"{padded(metric.name, names)}{metric.summary}; {reference(metric.cite)}"
        lines += wrapped(said, width, " " * names)
    lines.append("")
    for name, members in GROUPS.items():
        lines += wrapped(f"group {name}: {', '.join(members)}", width)
    return "\n".join(lines) + "\n"


def details(metric: Metric, width: int = 100) -> str:
    """Everything about a metric: definition, edge cases, departures, paper."""
    facts = (
        f"groups {', '.join(groups_of(metric.name)) or 'all'}; range {shown_range(metric)}; {reference(metric.cite)}"
    )
    head = [*wrapped(f"{metric.name}: {metric.title}, {metric.summary}", width), *wrapped(f"({facts})", width, " ")]
    return "\n".join(head) + f"\n\n{definition(metric)}\n"


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
