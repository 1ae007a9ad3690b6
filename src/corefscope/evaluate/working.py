"""One document and one metric, worked out by hand: from an alignment to lines whose terms add up to the counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..base.errors import OptionError
from ..count.metrics import METRICS
from ..count.metrics.base import Metric
from ..count.working import named, working_of
from ..count.working.cuts import Cuts
from ..count.working.sections import Section
from ..count.working.sets import Sets
from ..match.alignment import Alignment
from ..match.matchers import MATCHERS
from .rules import RULES

if TYPE_CHECKING:
    from ..count.relations.judged import Judged


def cannot(metric: Metric) -> OptionError:
    """Why a metric is not worked out by hand, and which ones like it are."""
    alike = [
        row.name
        for row in METRICS.values()
        if row.reads == metric.reads and (row.explanation.working or row.relation.over_layer)
    ]
    others = f"; these can: {', '.join(alike)}" if alike else ""
    return OptionError(f"{metric.name} cannot be worked out by hand: its row names no working{others}")


SOURCES: dict[str, Callable[[Alignment], Any]] = {
    "table": Cuts.of_alignment,
    "partition": Sets.of_alignment,
    "alignment": lambda alignment: alignment,
}
"""What a working takes, by what its metric reads."""


def work_out(alignment: Alignment, metric: Metric, rules: str, judged: Judged | None = None) -> Sequence[Section]:
    """The calculation of a metric on one document, in the way of the rule set if it has one of its own.

    ``judged`` has the relations of the document, if there are any.
    """
    work = working_of(metric)
    if work is None:
        raise cannot(metric)
    if metric.reads == "relations":
        return work(judged)
    row = RULES[rules]
    if metric.name in row.counted(alignment, MATCHERS[row.matches[0]], [metric.name]):
        if not (row.program and row.program.cuts):
            raise OptionError(f"{metric.name} is not worked out by hand under the rules {rules}: choose others")
        return work(named(row.program.cuts)(alignment))
    return work(SOURCES[metric.reads](alignment))
