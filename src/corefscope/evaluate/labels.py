"""Scoring two arrays of entity labels: one document of millions of mentions, with NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..count.arrays import tabulate_labels
from .clusters import TABLE_METRICS, table_metrics
from .options import Options
from .results import Report, Tally

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def score_labels(
    key: ArrayLike,
    response: ArrayLike,
    *,
    metrics: str | Sequence[str] = TABLE_METRICS,
    rules: str = "corefud-1.2",
) -> Report:
    """Score two equal-length arrays: mention i belongs to entity ``key[i]`` and ``response[i]``.

    Labels are integers, strings or whatever NumPy can sort. Every mention is on both sides, singletons count.

    >>> round(score_labels([1, 1, 1, 2], [5, 5, 6, 6], metrics="muc")["muc"].f1, 4)
    0.5
    """
    tally = Tally(Options("labels", "exact", "linear", "keep", rules), table_metrics(metrics))
    table = tabulate_labels(key, response)
    tally.add("#1", tuple([tuple(map(_number, metric.counts(table))) for metric in tally.metrics]))
    return tally.report()


def _number(value: Any) -> float:
    """A Python number, not NumPy's."""
    number: float = value.item() if hasattr(value, "item") else value
    return number
