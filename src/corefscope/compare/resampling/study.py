"""Intervals of scores, and differences between systems with intervals and p-values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from operator import sub
from typing import Unpack

from ...core.errors import InputError, OptionError
from ...core.metrics import select
from ...core.numbers import headline
from ...core.report import Report
from .blocks import bookable
from .outcome import (
    Difference,
    Figures,
    Interval,
    Plan,
    PlanArguments,
    Resampler,
    Results,
    Study,
    cautions,
    headline_of,
)
from .paired import TESTS, holm

POWER = 0.8
"""How often a test should find a difference that is said to be detectable."""

Metrics = str | Sequence[str] | None
MakeResampler = Callable[[Sequence[Report], Sequence[str]], Resampler]


def intervals(report: Report, metrics: Metrics = None, **plan: Unpack[PlanArguments]) -> Results[dict[str, Interval]]:
    """Percentile bootstrap intervals of pooled scores: documents are drawn with replacement, pooled and scored.

    ``intervals(report)["muc"]["f1"].low``; without ``metrics``, of all that were scored. ``plan`` is ``resamples``,
    ``seed`` and ``level``.
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
    reports: Mapping[str, Report],
    metrics: Metrics = None,
    *,
    baseline: str | None = None,
    **plan: Unpack[PlanArguments],
) -> Study:
    """Intervals of all systems, and how each differs from one of them, the first unless ``baseline`` names another.

    ``plan`` is ``resamples``, ``seed``, ``level`` and ``test`` (a name of ``TESTS``).
    The resamples are the same for all systems and metrics. p-values are adjusted, for each metric, for the number of
    systems that are compared.
    """
    checked = Plan(**plan)
    OptionError.check("test", checked.test, TESTS)
    checked.checked()
    names, metric_names = _order(reports, baseline), _metrics(reports, metrics)
    ordered = {name: reports[name] for name in names}
    _check_same(ordered)
    counts = _make_resampler(list(ordered.values()), metric_names)
    figures = dict(zip(names, counts.bootstrap(checked), strict=True))
    differences = _differences(ordered, counts, checked, figures) if len(names) > 1 else {}
    messages = cautions(counts.documents, counts.counting())
    return Study(
        checked,
        counts.documents,
        names[0],
        {name: Results(_intervals(counts, figures[name], checked.level), messages) for name in reports},
        {name: Results(differences[name], messages) for name in reports if name in differences},
        messages,
    )


def _order(reports: Mapping[str, Report], baseline: str | None) -> list[str]:
    """The baseline first."""
    if not reports:
        raise InputError("there is nothing to compare: no report was given")
    first = next(iter(reports)) if baseline is None else baseline
    if first not in reports:
        raise OptionError.unknown("baseline", [first], reports)
    return [first, *(name for name in reports if name != first)]


def _metrics(reports: Mapping[str, Report], metrics: Metrics) -> tuple[str, ...]:
    """The metrics that are asked for, or those of the first report; all reports must have them."""
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
        raise InputError(
            f"there is {count}: how sure a score is can be learned only from how documents differ",
            hint=f"parts of a document can stand for documents (--resample) with {', '.join(bookable())}",
        )


def _count_matrix(reports: Sequence[Report], metrics: Sequence[str]) -> Resampler:
    from .matrix import CountMatrix

    return CountMatrix(reports, metrics)


_make_resampler: MakeResampler = _count_matrix


def use_resampler(make: MakeResampler | None) -> None:
    """Resample otherwise than with the arrays of NumPy: ``make`` takes reports and metrics; None for the arrays."""
    global _make_resampler
    _make_resampler = make or _count_matrix


def _intervals(counts: Resampler, figures: Figures, level: float) -> dict[str, dict[str, Interval]]:
    return {
        metric: {figure: counts.interval(values, level) for figure, values in of_metric.items()}
        for metric, of_metric in figures.items()
    }


def _differences(
    reports: Mapping[str, Report], counts: Resampler, plan: Plan, figures: Mapping[str, Figures]
) -> dict[str, dict[str, Difference]]:
    """Of each system but the first."""
    first, *others = reports
    observed, resampled = (
        [[minus(of[name][metric], of[first][metric]) for metric in counts.names] for name in others]
        for of, minus in (
            ({name: {m: headline(report[m]) for m in counts.names} for name, report in reports.items()}, sub),
            ({name: {m: headline_of(by[m]) for m in counts.names} for name, by in figures.items()}, counts.minus),
        )
    )
    p_values = counts.p_values(plan, observed, resampled)
    adjusted = [holm([value.p for value in of_metric]) for of_metric in zip(*p_values, strict=True)]
    errors = _detectable_errors(plan.level)
    return {
        name: {
            metric: Difference(
                difference=observed[s][m],
                interval=counts.interval(resampled[s][m], plan.level),
                p=p_values[s][m].p,
                adjusted=adjusted[m][s],
                exact=p_values[s][m].exact,
                detectable=counts.spread(resampled[s][m]) * errors,
            )
            for m, metric in enumerate(counts.names)
        }
        for s, name in enumerate(others)
    }


def _detectable_errors(level: float) -> float:
    """How many standard errors a difference must be: z(1 − α/2) to be significant, and z(power) to be so that often.

    >>> round(_detectable_errors(0.95), 3)
    2.802
    """
    from statistics import NormalDist

    normal = NormalDist()
    return normal.inv_cdf((1 + level) * 0.5) + normal.inv_cdf(POWER)
