"""What must be known to read the figures of a task."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...base.errors import amount
from ...count.metrics import METRICS
from ..resampling import ENOUGH, FEW, SIGNIFICANT

if TYPE_CHECKING:
    from .result import TaskResult

COUNTS_AS = {
    "zero": "counts as 0",
    "skip": "left out of the average, not ranked",
    "error": "no average, not ranked",
}


def notes(result: TaskResult) -> list[str]:
    """How averages and ranks are made, what is missing, and what is odd about the keys."""
    what = "key or baseline" if result.task.baselines else "key"
    bad_keys = [problem.dataset for problem in result.problems if not problem.system]
    return [
        f"macro: mean over {amount(len(result.datasets), 'data set')}, each pooled over its documents",
        f"rank: by macro {METRICS[result.scheme.rank_by].title}{_how_tested(result)}",
        *_how_sure(result),
        *(f"{dataset}: left out of all averages, its {what} cannot be read" for dataset in bad_keys),
        *_lacking(result),
        *_invalid(result),
        *_nothing_to_count(result),
    ]


def _how_tested(result: TaskResult) -> str:
    documents, resamples = result.documents, result.scheme.plan.resamples
    if not result.tested:
        return ", not tested for significance"
    if documents < FEW:
        return f"; with only {amount(documents, 'document')} in all, no difference can be significant"
    taken = f"all {2**documents:,} swaps" if 2**documents <= resamples else f"{resamples:,} resamples"
    return (
        f"; systems share a rank unless they differ from the best that has it (p < {SIGNIFICANT} in a"
        f" randomisation test, {taken} of {documents:,} documents, Holm's correction)"
    )


def _how_sure(result: TaskResult) -> Iterator[str]:
    """What intervals are made of, and of how little."""
    if not result.intervals:
        return
    plan, metric = result.scheme.plan, result.scheme.rank_by
    single = [name for name, count in result.documents_of.items() if count == 1]
    few = f"; only {result.documents} documents: intervals are too narrow" if result.documents < ENOUGH else ""
    without = f"; what has one document has no spread: {', '.join(single)}" if single else ""
    yield (
        f"{100 * plan.level:g} %: interval of the macro average, from {plan.resamples:,} resamples of the"
        f" documents of each data set{few}{without}"
    )
    counting = {
        (name, document)
        for by_dataset in result.values()
        for name, report in by_dataset.items()
        for document, scores in report.documents.items()
        if not scores.nothing(metric)
    }
    if len(counting) < min(FEW, result.documents):
        documents = f"only {len(counting)} of {result.documents} documents"
        yield f"{METRICS[metric].title}: {documents} have anything to count, so the interval tells little"


def _lacking(result: TaskResult) -> Iterator[str]:
    for system in result:
        by_status: dict[str, list[str]] = {}
        for problem in result.problems:
            if problem.system == system:
                by_status.setdefault(problem.status, []).append(problem.dataset)
        for status, datasets in by_status.items():
            yield f"{system}: {status} on {', '.join(datasets)}, {COUNTS_AS[result.scheme.missing]}"


def _invalid(result: TaskResult) -> Iterator[str]:
    """Submissions that were scored, but have errors: what an official validator may refuse."""
    for system in result:
        errors = {
            name: check.errors
            for name in result[system]
            if (check := result.checks.get((system, name))) and check.errors
        }
        if errors:
            named = ", ".join(f"{name} ({count:,})" for name, count in errors.items())
            yield f"{system}: scored, but validation finds errors on {named}"


def _nothing_to_count(result: TaskResult) -> Iterator[str]:
    """Metrics of which some keys have nothing: what has become of these keys in the average."""
    scored = {name: report for by_dataset in result.values() for name, report in by_dataset.items()}
    for metric in result.metrics:
        title = METRICS[metric].title
        if "recall_denominator" in METRICS[metric].fields:
            with_score = [name for name in result.datasets if name in scored]
            idle = [name for name in with_score if not scored[name].counts(metric)["recall_denominator"]]
            if len(idle) == len(result.datasets):
                yield f"{title}: no key has anything to count"
                continue
            for left_out in (True, False):
                names = [name for name in idle if left_out != (name in result.counting(metric))]
                what = "left out of the mean" if left_out else "its score is in the mean, as responses have something"
                if names:
                    yield f"{title}: nothing to count in the key of {', '.join(names)}; {what}"
