"""Scores of arrays of labels: mention i belongs to entity ``key[i]`` and ``response[i]``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..core.clusters import PLAIN, table_metrics, without_words
from ..core.naming import check_values
from ..core.report import Report, Row, Tally
from .arrays import ArrayContingency, plain, tabulate_labels

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def score_labels(
    key: ArrayLike,
    response: ArrayLike,
    *,
    metrics: str | Sequence[str] | None = None,
    rules: str = "corefud-1.2",
    kernel_limit: int | None = None,
) -> Report:
    """Score two equal-length arrays: mention i belongs to entity ``key[i]`` and ``response[i]``.

    Labels are integers, strings or whatever NumPy can sort. Every mention is on both sides, singletons count.

    CEAF maps entities to each other. Where labels are all but random, most overlap, directly or through others, and
    the best map is hard to find. If they share mentions in more than ``kernel_limit`` pairs of entities (1,000,000),
    CEAF and what is made of it lie between two bounds: ``report["ceafe"]`` is the lower one,
    ``report.at_most["ceafe"]`` the upper one, and a warning says so.

    >>> round(score_labels([1, 1, 1, 2], [5, 5, 6, 6], metrics="muc")["muc"].f1, 4)
    0.5
    """
    names = without_words("corefud") if metrics is None else table_metrics(metrics)
    check_values({"kernel_limit": kernel_limit})
    tally = Tally(PLAIN._replace(format="labels", rules=rules), names)
    table = tabulate_labels(key, response, kernel_limit)

    def row(of: ArrayContingency) -> Row:
        return tuple([plain(metric.counts(of)) for metric in tally.metrics])

    tally.add("#1", row(table), row(table.at_most) if table.unsolved else None)
    return tally.report()
