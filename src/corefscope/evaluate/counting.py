"""From an alignment to one row of counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.numbers import Counts
from ..count.metrics.base import Metric
from ..count.tabulate import tabulate, tabulate_partition
from ..match.alignment import Alignment
from .rules import RULES


def count(alignment: Alignment, metrics: Sequence[Metric], rules: str) -> tuple[Counts, ...]:
    """One row: the counts of each metric, in the way of the rule set if it has one of its own."""
    own = RULES[rules].count
    known = own(alignment) if own else {}
    if all(metric.name in known for metric in metrics):
        return tuple([known[metric.name] for metric in metrics])
    seen: dict[str, Any] = {"alignment": alignment, "table": tabulate(alignment)}
    if any(metric.reads == "partition" for metric in metrics):
        seen["partition"] = tabulate_partition(alignment) if irregular(alignment) else seen["table"]
    return tuple(
        [known[metric.name] if metric.name in known else metric.counts(seen[metric.reads]) for metric in metrics]
    )


def irregular(alignment: Alignment) -> bool:
    """Whether counterparts are not mutual, or mentions stand in several entities."""
    return not alignment.mutual or alignment.key.repeats or alignment.response.repeats
