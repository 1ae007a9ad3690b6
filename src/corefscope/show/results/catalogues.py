"""The catalogues of metrics and presets for people."""

from __future__ import annotations

import re
from math import inf

from ...count.metrics import GROUPS, METRICS, groups_of
from ...count.metrics.base import Metric
from ...count.metrics.bibliography import reference
from ...evaluate.presets import PRESETS, settings_of
from ..columns import ROOM, folded, padded, table, wrapped


def presets(width: int = ROOM) -> str:
    """Each preset with its title, its options and metrics, and what must be known of it."""
    lines: list[str] = []
    for preset in PRESETS.values():
        options = " ".join(f"{name}:{value}" for name, value in settings_of(preset.options).items())
        lines += [preset.name, f"  {preset.title}", f"  {options} metrics:{preset.metrics}"]
        lines += [f"  note: {preset.note}"] if preset.note else []
    return folded(lines, width) + "\n"


def metrics(width: int = ROOM) -> str:
    """One line per metric: name, title, range; then what it is, and its paper; then the groups."""
    rows, summaries = [], []
    indent = max(map(len, METRICS)) + 2
    for name, metric in METRICS.items():
        rows.append([name, metric.title, shown_range(metric)])
        summary = f"{padded(name, indent)}{metric.summary}; {reference(metric.cite)}"
        summaries += wrapped(summary, width, " " * indent)
    lines = [*table(["name", "title", "range"], rows, left=3), "", *summaries, ""]
    for name, members in GROUPS.items():
        lines += wrapped(f"group {name}: {', '.join(members)}", width)
    return "\n".join(lines) + "\n"


def details(metric: Metric, width: int = ROOM) -> str:
    """Everything about a metric: definition, edge cases, departures, paper."""
    groups = ", ".join(groups_of(metric.name)) or "all"
    facts = f"(groups {groups}; range {shown_range(metric)}; {reference(metric.cite)})"
    head = [*wrapped(f"{metric.name}: {metric.title}, {metric.summary}", width), *wrapped(facts, width, " ")]
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

    >>> shown_range(METRICS["muc"]), shown_range(METRICS["kappa"]), shown_range(METRICS["variation_of_information"])
    ('[0, 1]', '(-∞, 1]', '[0, ∞)')
    """
    low, high = metric.range
    return f"{'(-∞' if low == -inf else f'[{low:g}'}, {'∞)' if high == inf else f'{high:g}]'}"
