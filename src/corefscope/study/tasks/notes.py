"""What must be known to read the figures of a task."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...base.errors import amount
from ...count.metrics import METRICS
from ..resampling import FEW, SIGNIFICANT

if TYPE_CHECKING:
    from .result import TaskResult

COUNTS_AS = {
    "zero": "counts as 0",
    "skip": "left out of the average, not ranked",
    "error": "no average, not ranked",
}


def notes(result: TaskResult) -> list[str]:
    """How averages and ranks are made, what is missing, and what is odd about the keys."""
    return [
        f"macro: mean over {amount(len(result.datasets), 'data set')}, each pooled over its documents",
        _how_ranked(result),
        *_left_out(result),
        *_lacking(result),
        *_nothing_to_count(result),
    ]


def _how_ranked(result: TaskResult) -> str:
    by = f"rank: by macro {METRICS[result.scheme.rank_by].title}"
    if not result.tested:
        return f"{by}, not tested for significance"
    documents = result.documents
    if documents < FEW:
        return f"{by}; with only {amount(documents, 'document')} in all, no difference can be significant"
    resamples = result.scheme.plan.resamples
    taken = f"all {2**documents:,} swaps" if 2**documents <= resamples else f"{resamples:,} resamples"
    return (
        f"{by}; systems share a rank unless they differ from the best that has it (p < {SIGNIFICANT} in a"
        f" randomisation test, {taken} of {documents:,} documents, Holm's correction)"
    )


def _left_out(result: TaskResult) -> Iterator[str]:
    for problem in result.problems:
        if not problem.system:
            yield f"{problem.dataset}: left out of all averages, its key cannot be read"


def _lacking(result: TaskResult) -> Iterator[str]:
    for system in result:
        lacking = [problem for problem in result.problems if problem.system == system]
        for status in dict.fromkeys(problem.status for problem in lacking):
            where = ", ".join(problem.dataset for problem in lacking if problem.status == status)
            yield f"{system}: {status} on {where}, {COUNTS_AS[result.scheme.missing]}"


def _nothing_to_count(result: TaskResult) -> Iterator[str]:
    """Metrics of which some keys have nothing: what the rules say of 0/0 is part of the average."""
    scored = {name: report for system in result for name, report in result[system].items()}
    for metric in result.metrics:
        if "recall_denominator" in METRICS[metric].fields:
            idle = [
                name
                for name in result.datasets
                if name in scored and not scored[name].counts(metric)["recall_denominator"]
            ]
            if len(idle) == len(result.datasets):
                yield f"{METRICS[metric].title}: no key has anything to count"
            elif idle:
                where = ", ".join(idle)
                yield f"{METRICS[metric].title}: nothing to count in the key of {where}; its score is in the mean"
