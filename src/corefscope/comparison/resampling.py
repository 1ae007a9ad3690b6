"""Confidence intervals of scores and paired tests of differences, from resampling documents or parts of one.

A resample is a row of weights, one for each document; all systems and metrics share it. Scores come from the rows of
counts that a report holds, by matrix products. ``docs/significance.md`` explains the results.

How sure a score is, is learned from how documents differ. Where there is only one, such as a novel, its sentences, or
blocks of sentences, can replace documents if the counts of a metric are **sums over mentions**: what a mention
contributes is booked on the block of its first word, and the rows of the blocks add up to the row of the document.
Entities stay whole: a mention is always judged by the whole document. Whether counts are such sums, and what each
mention adds, is said by each metric (``Metric.resampling``). Others count entities, links or pairs, or choose a map
of entities. These reach over many blocks, and :func:`check_bookable` refuses them with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from itertools import zip_longest
from math import isclose
from numbers import Real
from statistics import NormalDist
from typing import Any, NamedTuple, Protocol, TypedDict, TypeVar, Unpack

from ..core.choices import Test
from ..core.document import Document
from ..core.errors import InputError, OptionError, amount
from ..core.matching.alignment import Alignment
from ..core.metrics import METRICS, select
from ..core.metrics.base import Metric
from ..core.naming import check_values
from ..core.numbers import Counts, add, headline
from ..core.options import Options
from ..core.positions import SENTENCE_SHIFT
from ..core.report import Report
from ..core.steps import count
from .mean_report import MeanReport, average_runs, runs_of
from .paired_tests import RUNS, TESTS, PValues, holm

FEW = 6
"""With fewer documents no p-value of the randomisation test can be below .05: 2 of 2⁵ outcomes are .0625."""
ENOUGH = 20
"""With fewer documents, intervals contain the true value noticeably less often than their level."""
LEAST_RESAMPLES = 100
MOST_RESAMPLES = 1_000_000
POWER = 0.8
"""The power of a test for the difference that is called detectable."""

Value = TypeVar("Value")
Values = TypeVar("Values")
"""A figure in every resample: an array, or a list where there is no NumPy."""
Figures = dict[str, dict[str, Values]]
"""By metric and figure (recall, precision, f1, value) those of every resample."""
Metrics = str | Sequence[str] | None


class Plan(NamedTuple):
    """How to resample; ``str(plan)`` is part of the signature of a result.

    >>> str(Plan(seed=7))
    'resamples:10000|seed:7|level:0.95|test:randomisation'
    """

    resamples: int = 10_000
    seed: int = 0
    level: float = 0.95
    """The confidence level of intervals."""
    test: str = "randomisation"

    def __str__(self) -> str:
        return "|".join(f"{name}:{value}" for name, value in self._asdict().items())

    def checked(self) -> Plan:
        """The same plan; OptionError if a value is out of range."""
        check_values({"resamples": self.resamples, "seed": self.seed})
        if not isinstance(self.level, Real):
            raise OptionError(f"level is a number between 0 and 1, not {self.level!r:.60}")
        if self.resamples < LEAST_RESAMPLES:
            raise OptionError(f"{self.resamples} resamples are too few: take at least {LEAST_RESAMPLES}")
        if self.resamples > MOST_RESAMPLES:
            raise OptionError(f"{self.resamples:,} resamples are too many: take at most {MOST_RESAMPLES:,}")
        if self.seed < 0:
            raise OptionError(f"the seed is {self.seed}, but must not be negative")
        if not 0 < self.level < 1:
            raise OptionError(f"the level of an interval is between 0 and 1, such as 0.95, not {self.level}")
        return self


DEFAULT = Plan()


class PlanArguments(TypedDict, total=False):
    """The fields of a plan, as keyword arguments."""

    resamples: int
    seed: int
    level: float
    test: Test


class Interval(NamedTuple):
    """A percentile interval."""

    low: float
    high: float


def headline_of(figures: Mapping[str, Value]) -> Value:
    """The entry for F1 of a mapping from figures, or that for the value of a metric that has no F1."""
    return figures["f1" if "f1" in figures else "value"]


class Difference(NamedTuple):
    """How much higher a system scores than the baseline: F1, or the value of a metric that has no F1."""

    difference: float
    """The pooled score of the system minus that of the baseline."""
    interval: Interval
    """Percentile bootstrap interval; both systems share the resamples."""
    p: float
    """The two-sided p-value."""
    adjusted: float
    """p after Holm's correction for the number of systems compared with the baseline."""
    exact: bool
    """Whether p was counted over all possibilities instead of a sample."""
    detectable: float
    """The true difference that a test at the same level has 80 % power to detect, with these documents."""


class Results(dict[str, Value]):
    """Results by metric; ``cautions`` are warnings about few documents."""

    def __init__(self, by_metric: dict[str, Value], cautions: tuple[str, ...]) -> None:
        super().__init__(by_metric)
        self.cautions = cautions


class Study(NamedTuple):
    """The intervals of several systems, and their differences from one of them."""

    plan: Plan
    documents: int
    baseline: str
    """The system that the others are compared with."""
    intervals: dict[str, Results[dict[str, Interval]]]
    """By system, metric and figure (recall, precision, f1, value)."""
    differences: dict[str, Results[Difference]]
    """By system and metric; the baseline is not among them."""
    cautions: tuple[str, ...]

    @property
    def least_p(self) -> float:
        """The smallest adjusted p-value that these documents allow."""
        return len(self.differences) * TESTS[self.plan.test].least_p(self.documents, self.plan.resamples)

    def __repr__(self) -> str:
        systems = amount(len(self.intervals), "system")
        return f"<Study of {systems} and {amount(self.documents, 'document')} ({self.plan})>"


class Resampler(Protocol[Values]):
    """The rows of counts of several systems, of which the first is the baseline, to be resampled."""

    names: Sequence[str]
    documents: int

    def bootstrap(self, plan: Plan) -> list[Figures[Values]]:
        """The figures of each system in each resample."""

    def minus(self, values: Values, others: Values) -> Values:
        """The difference of two figures in each resample."""

    def interval(self, values: Values, level: float) -> Interval:
        """The percentile interval: from the (1 − level)/2 quantile to its mirror, interpolated."""

    def spread(self, values: Values) -> float:
        """The standard deviation."""

    def p_values(self, plan: Plan, observed: list[list[float]], resampled: list[list[Values]]) -> PValues:
        """Of the differences from the baseline, as observed and as resampled."""

    def counting(self) -> dict[str, int]:
        """In how many documents each metric has anything to count, in some system."""


def intervals(report: Report, metrics: Metrics = None, **plan: Unpack[PlanArguments]) -> Results[dict[str, Interval]]:
    """Percentile bootstrap intervals of pooled scores: documents are drawn with replacement, pooled and scored.

    ``intervals(report)["muc"]["f1"].low``; of all scored metrics unless ``metrics`` are given. ``plan`` is
    ``resamples``, ``seed`` and ``level``.
    """
    return study({"": report}, metrics, **plan).intervals[""]


def compare(
    ours: Report, baseline: Report, metrics: Metrics = None, **plan: Unpack[PlanArguments]
) -> Results[Difference]:
    """By metric how much higher we score than a baseline, with an interval and a two-sided p-value.

    ``plan`` is as for :func:`study`.
    """
    return study({"the baseline": baseline, "ours": ours}, metrics, **plan).differences["ours"]


def study(
    reports: Mapping[str, Report | Sequence[Report]],
    metrics: Metrics = None,
    *,
    baseline: str | None = None,
    **plan: Unpack[PlanArguments],
) -> Study:
    """Intervals of all systems, and their differences from a baseline: the first unless ``baseline`` names another.

    ``plan`` is ``resamples``, ``seed``, ``level`` and ``test`` (a name of ``TESTS``).
    The resamples are the same for all systems and metrics. p-values are adjusted, for each metric, for the number of
    systems that are compared. A system may have several runs: a list of reports, or their ``MeanReport``. Its
    intervals and differences are computed over runs and documents (:mod:`.runs`).
    """
    systems = {name: each if isinstance(each, Report) else average_runs(each) for name, each in reports.items()}
    several = any(isinstance(report, MeanReport) for report in systems.values())
    checked = Plan(**{"test": RUNS, **plan} if several else plan)
    OptionError.check("test", checked.test, TESTS)
    if several != (checked.test == RUNS):
        raise OptionError(
            f"the test {checked.test} is for systems of {'one run' if several else 'several runs'}: leave it out"
        )
    checked.checked()
    if not systems:
        raise InputError("there is nothing to compare: no report was given")
    first = next(iter(systems)) if baseline is None else baseline
    OptionError.check("baseline", first, systems)
    names = [first, *(name for name in systems if name != first)]
    metric_names = _metrics(systems, metrics)
    ordered = {name: systems[name] for name in names}
    of_runs = _every_run(ordered)
    _check_same(of_runs)
    counts = _make_resampler(list(of_runs.values()), metric_names)
    single = {name: report for name, report in ordered.items() if not isinstance(report, MeanReport)}
    intervals: dict[str, dict[str, dict[str, Interval]]] = {}
    differences: dict[str, dict[str, Difference]] = {}
    if single:
        own = _make_resampler(list(single.values()), metric_names) if several else counts
        intervals, differences = _resample(single, own, checked, names[0])
    if several:
        own_intervals, own_differences = _study_runs(ordered, metric_names, checked)
        intervals |= own_intervals
        differences |= own_differences
    differences = _adjusted({name: differences[name] for name in names if name in differences})
    messages = _cautions(counts.documents, counts.counting(), randomised=not several)
    return Study(
        checked,
        counts.documents,
        names[0],
        {name: Results(intervals[name], messages) for name in systems},
        {name: Results(differences[name], messages) for name in systems if name in differences},
        messages,
    )


def _resample(
    reports: Mapping[str, Report], counts: Resampler[Values], plan: Plan, baseline: str
) -> tuple[dict[str, dict[str, dict[str, Interval]]], dict[str, dict[str, Difference]]]:
    """The intervals of systems of one run each, and their differences from the baseline if it is one of them."""
    figures = dict(zip(reports, counts.bootstrap(plan), strict=True))
    differences = _differences(reports, counts, plan, figures) if baseline in reports and len(reports) > 1 else {}
    intervals = {
        name: {
            metric: {figure: counts.interval(values, plan.level) for figure, values in of_metric.items()}
            for metric, of_metric in figures[name].items()
        }
        for name in reports
    }
    return intervals, differences


def _study_runs(
    reports: Mapping[str, Report], metrics: Sequence[str], plan: Plan
) -> tuple[dict[str, dict[str, dict[str, Interval]]], dict[str, dict[str, Difference]]]:
    """The intervals of systems of several runs, and all differences that concern one of them."""
    from .runs import difference_of, interval_of, run_scores  # needs NumPy

    scores = {name: run_scores([report], metrics) for name, report in reports.items()}
    first, *others = reports
    several = [name for name, report in reports.items() if isinstance(report, MeanReport)]
    intervals = {
        name: {metric: interval_of(reports[name], scores[name][metric], metric, plan.level) for metric in metrics}
        for name in several
    }
    differences = {
        name: {
            metric: difference_of(
                (reports[name], reports[first]), (scores[name][metric], scores[first][metric]), metric, plan.level
            )
            for metric in metrics
        }
        for name in others
        if name in several or first in several
    }
    return intervals, differences


def _every_run(reports: Mapping[str, Report]) -> dict[str, Report]:
    """All runs of all systems by name."""
    return {
        f"{name}, run {number}" if isinstance(report, MeanReport) else name: run
        for name, report in reports.items()
        for number, run in enumerate(runs_of(report), 1)
    }


def _adjusted(differences: dict[str, dict[str, Difference]]) -> dict[str, dict[str, Difference]]:
    """The same differences with p-values adjusted, for each metric, for the number of systems."""
    metrics = list(next(iter(differences.values()), {}))
    adjusted = {metric: holm([of_system[metric].p for of_system in differences.values()]) for metric in metrics}
    return {
        name: {metric: one._replace(adjusted=adjusted[metric][number]) for metric, one in of_system.items()}
        for number, (name, of_system) in enumerate(differences.items())
    }


def _metrics(reports: Mapping[str, Report], metrics: Metrics) -> tuple[str, ...]:
    """The requested metrics, or those of the first report; all reports must have them."""
    names = tuple(next(iter(reports.values()))) if metrics is None else select(metrics)
    for system, report in reports.items():
        missing = [name for name in names if name not in set(report)]
        if missing:
            of = f" of {system}" if system else ""
            raise OptionError(f"the report{of} has no {', '.join(missing)} (scored: {', '.join(report)})")
    return names


def _check_same(reports: Mapping[str, Report]) -> None:
    """Systems are compared on the same documents, scored in the same way."""
    (name, first), *others = reports.items()
    for other, report in others:
        for number, ids in enumerate(zip_longest(first.rows, report.rows), start=1):
            if ids[0] != ids[1]:
                documents = [
                    f"of {system}, document {number} is {repr(id_) if id_ else 'missing'}"
                    for system, id_ in zip((name, other), ids, strict=True)
                ]
                raise InputError(
                    f"the reports are not about the same documents: {', but '.join(documents)}",
                    hint="score all responses against the same key",
                )
        if first.options._replace(format="", llm="") != report.options._replace(format="", llm=""):
            raise InputError(
                f"{name} and {other} were scored in different ways: {first.options} and {report.options}",
                hint="score all responses with the same options",
            )
    if len(first.rows) < 2:
        count = "only one document" if first.rows else "no document"
        possible = [name for name in bookable() if name in first] or bookable()
        raise InputError(
            f"there is {count}: confidence intervals need several documents",
            hint=f"parts of a document can be resampled instead (--resample) with {', '.join(possible)}",
        )


def _make_resampler(reports: Sequence[Report], metrics: Sequence[str]) -> Resampler[Any]:
    if find_spec("numpy") is None:  # in a browser, or in a container of Codabench
        from .plain_resampling import PlainCounts

        return PlainCounts(reports, metrics)
    from .count_matrix import CountMatrix  # needs NumPy

    return CountMatrix(reports, metrics)


def _differences(
    reports: Mapping[str, Report], counts: Resampler[Values], plan: Plan, figures: Mapping[str, Figures[Values]]
) -> dict[str, dict[str, Difference]]:
    """Of each system but the first; p-values are not yet adjusted."""
    first, *others = reports
    observed = [
        [headline(reports[name][metric]) - headline(reports[first][metric]) for metric in counts.names]
        for name in others
    ]
    resampled = [
        [
            counts.minus(headline_of(figures[name][metric]), headline_of(figures[first][metric]))
            for metric in counts.names
        ]
        for name in others
    ]
    p_values = counts.p_values(plan, observed, resampled)
    # The detectable difference in standard errors: z(1 − α/2) + z(power), 2.802 at the level 0.95.
    errors = NormalDist().inv_cdf((1 + plan.level) * 0.5) + NormalDist().inv_cdf(POWER)
    return {
        name: {
            metric: Difference(
                difference=observed[s][m],
                interval=counts.interval(resampled[s][m], plan.level),
                p=p_values[s][m].p,
                adjusted=p_values[s][m].p,
                exact=p_values[s][m].exact,
                detectable=counts.spread(resampled[s][m]) * errors,
            )
            for m, metric in enumerate(counts.names)
        }
        for s, name in enumerate(others)
    }


def _cautions(documents: int, counting: dict[str, int], *, randomised: bool) -> tuple[str, ...]:
    """Warnings about few documents; ``counting`` is the number of documents that count, by metric."""
    messages = []
    if documents < ENOUGH:
        least = f", and no p-value of a randomisation test can be below {2 * 0.5**documents:g}"
        messages.append(
            f"only {documents} documents: intervals are too narrow{least if documents < FEW and randomised else ''}"
        )
    if documents >= FEW:
        messages += [
            f"{name}: only {count} of {documents} documents {'has' if count == 1 else 'have'} anything to count"
            for name, count in counting.items()
            if 0 < count < FEW
        ]
    return tuple(messages)


CAUTION = (
    "blocks of one document depend on each other: an entity runs through many of them, and no other document is seen "
    "at all; take intervals for too narrow and p-values for too small"
)


def block_size(unit: str) -> int:
    """The number of sentences in a block, from ``sentences`` or ``blocks:N``.

    >>> block_size("sentences"), block_size("blocks:20")
    (1, 20)
    """
    if unit == "sentences":
        return 1
    blocks = re.fullmatch(r"blocks:([1-9][0-9]{0,8})", unit, re.ASCII)
    if not blocks:
        raise OptionError(f"unknown unit {unit!r}: choose sentences, or blocks:N for blocks of N sentences")
    return int(blocks[1])


def rows_by_block(
    key: Document, alignment: Alignment, unit: str, metrics: Sequence[Metric], options: Options
) -> dict[str, tuple[Counts, ...]]:
    """The counts of each metric by block of a document, in the form in which a report has them by document.

    Blocks are named by the document and the numbers of their first and last sentence; the last may have fewer
    sentences. What does not add up to the counts of the document is refused. That happens where rules count otherwise
    than the metrics are defined: pairs of zeros that maps no longer show, or mentions that occur twice.
    """
    check_bookable([metric.name for metric in metrics])
    numbers, size = [sentence.number for sentence in key.sentences], block_size(unit)
    if not numbers:
        raise InputError(f"document {key.id!r} has no sentences that could be resampled", path=key.path)
    block_of = {number: i // size for i, number in enumerate(numbers)}
    parts = [numbers[start : start + size] for start in range(0, len(numbers), size)]
    columns = []
    for metric, whole in zip(metrics, count(alignment, metrics, options), strict=True):
        assert metric.resampling.by_mention
        booked: list[list[Counts]] = [[(0,) * len(metric.fields)] for _ in parts]
        contributions = metric.resampling.by_mention(alignment, lambda position: block_of[position >> SENTENCE_SHIFT])
        for block, counts in contributions:
            booked[block].append(counts)
        columns.append([add(rows) for rows in booked])
        sums = zip(add(columns[-1]), whole, strict=True)
        if not all(isclose(total, expected, abs_tol=1e-9) for total, expected in sums):
            raise OptionError(
                f"under the rules {options.rules}, {metric.title} is not a sum over mentions in documents like this "
                "one; it is under the corrected rules"
            )
    names = [f"{key.id}#{part[0]}-{part[-1]}" for part in parts]
    return dict(zip(names, zip(*columns, strict=True), strict=True))


def bookable() -> list[str]:
    """The metrics whose counts are sums over mentions."""
    return [name for name, metric in METRICS.items() if metric.resampling.by_mention]


def check_bookable(names: Sequence[str]) -> None:
    """Refuse metrics whose counts have no place in the text, and say why."""
    reasons = []
    for metric in map(METRICS.__getitem__, names):
        if not metric.resampling.by_mention:
            parts = [METRICS[part].title for part in metric.parts if not METRICS[part].resampling.by_mention]
            reason = f"is made from {' and '.join(parts)}, which are not" if parts else metric.resampling.reason
            reasons.append(f"{metric.title} {reason}")
    if reasons:
        raise OptionError(
            "parts of a document can be resampled only with metrics that are sums over mentions "
            f"({', '.join(bookable())}): {'; '.join(reasons)}"
        )
