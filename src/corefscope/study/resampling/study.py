"""Intervals of scores, and differences between systems with intervals and p-values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from ...base.errors import InputError, OptionError
from ...base.numbers import headline
from ...count.metrics import select
from ...evaluate.blocks import bookable
from ...evaluate.results import Report
from .outcome import DEFAULT, Difference, Interval, Plan, Results, Study, cautions, headline_of
from .paired import TESTS, Evidence, PValues, holm

if TYPE_CHECKING:
    from .matrix import Array, Figures, Systems

POWER = 0.8
"""How often a test should find a difference that is said to be detectable."""

Metrics = str | Sequence[str] | None


def intervals(
    report: Report,
    metrics: Metrics = None,
    *,
    resamples: int = DEFAULT.resamples,
    seed: int = DEFAULT.seed,
    level: float = DEFAULT.level,
) -> Results[dict[str, Interval]]:
    """Percentile bootstrap intervals of pooled scores: documents are drawn with replacement, pooled and scored.

    ``intervals(report)["muc"]["f1"].low``; without ``metrics``, of all that were scored.
    """
    return study({"": report}, metrics, resamples=resamples, seed=seed, level=level).intervals[""]


def compare(
    ours: Report,
    baseline: Report,
    metrics: Metrics = None,
    *,
    test: str = DEFAULT.test,
    resamples: int = DEFAULT.resamples,
    seed: int = DEFAULT.seed,
    level: float = DEFAULT.level,
) -> Results[Difference]:
    """By metric how much higher we score than a baseline, with an interval and a two-sided p-value.

    ``test`` is ``randomisation``, ``bootstrap`` or ``wilcoxon``.
    """
    reports = {"the baseline": baseline, "ours": ours}
    return study(reports, metrics, test=test, resamples=resamples, seed=seed, level=level).differences["ours"]


def study(
    reports: Mapping[str, Report],
    metrics: Metrics = None,
    *,
    baseline: str | None = None,
    test: str = DEFAULT.test,
    resamples: int = DEFAULT.resamples,
    seed: int = DEFAULT.seed,
    level: float = DEFAULT.level,
) -> Study:
    """Intervals of all systems, and how each differs from one of them, the first unless ``baseline`` names another.

    The resamples are the same for all systems and metrics. p-values are adjusted, for each metric, for the number of
    systems that are compared.
    """
    if test not in TESTS:
        raise OptionError.unknown("test", [test], TESTS)
    plan = Plan(resamples, seed, level, test).checked()
    names, metric_names = _order(reports, baseline), _metrics(reports, metrics)
    ordered = {name: reports[name] for name in names}
    _check_same(ordered)
    from .matrix import Systems

    systems = Systems(list(ordered.values()), metric_names)
    figures = _bootstrap(systems, plan, len(names))
    said = cautions(systems.documents, systems.counting())
    found = {
        name: Results(_intervals(of_system, plan.level), said) for name, of_system in zip(names, figures, strict=True)
    }
    differences = _differences(ordered, systems, plan, figures) if len(names) > 1 else {}
    return Study(
        plan,
        systems.documents,
        names[0],
        {name: found[name] for name in reports},
        {name: Results(differences[name], said) for name in reports if name in differences},
        said,
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
        for number, (ours, theirs) in enumerate(zip_longest(first.rows, report.rows), start=1):
            if ours != theirs:
                said = [
                    f"of {system}, document {number} is {repr(id_) if id_ else 'missing'}"
                    for system, id_ in ((name, ours), (other, theirs))
                ]
                raise InputError(
                    f"the reports are not about the same documents: {', but '.join(said)}",
                    hint="score all responses against the same key",
                )
        if first.options._replace(format="") != report.options._replace(format=""):
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


def _bootstrap(systems: Systems, plan: Plan, count: int) -> list[dict[str, Figures]]:
    """The figures of each system in each resample."""
    import numpy as np

    from . import draws

    chunks: list[list[dict[str, Figures]]] = [[] for _ in range(count)]
    for weights in draws.bootstrap(plan.seed, systems.documents, plan.resamples, len(systems.matrix)):
        for of_system, pooled in zip(chunks, systems.pooled(weights), strict=True):
            of_system.append(systems.scores(pooled))
    return [
        {
            name: {figure: np.concatenate([chunk[name][figure] for chunk in of_system]) for figure in found}
            for name, found in of_system[0].items()
        }
        for of_system in chunks
    ]


def _intervals(figures: dict[str, Figures], level: float) -> dict[str, dict[str, Interval]]:
    return {
        name: {figure: _interval(values, level) for figure, values in found.items()}
        for name, found in figures.items()
    }


def _interval(values: Array, level: float) -> Interval:
    """What lies between the (1 − level)/2 quantile and its mirror, interpolated."""
    import numpy as np

    low, high = np.quantile(values, [(1 - level) * 0.5, (1 + level) * 0.5])
    return Interval(float(low), float(high))


def _differences(
    reports: Mapping[str, Report], systems: Systems, plan: Plan, figures: list[dict[str, Figures]]
) -> dict[str, dict[str, Difference]]:
    """Of each system but the first."""
    import numpy as np

    first, *others = ([headline(report[name]) for name in systems.names] for report in reports.values())
    observed = np.array(others) - np.array(first)
    baseline, *resampled = (np.array([headline_of(found) for found in of_system.values()]) for of_system in figures)
    for of_system in resampled:
        of_system -= baseline
    evidence = Evidence(systems, plan, observed, np.array(resampled))
    tested: PValues = TESTS[plan.test].p_values(evidence)
    adjusted = [holm(column) for column in zip(*tested.p, strict=True)]
    standard_errors = evidence.resampled.std(axis=-1, ddof=1)
    factor = _detectable_errors(plan.level)
    found: dict[str, dict[str, Difference]] = {}
    for at, name in enumerate(list(reports)[1:]):
        found[name] = {
            metric: Difference(
                difference=float(observed[at, m]),
                interval=_interval(evidence.resampled[at, m], plan.level),
                p=tested.p[at][m],
                adjusted=adjusted[m][at],
                exact=tested.exact[at][m],
                detectable=factor * float(standard_errors[at, m]),
            )
            for m, metric in enumerate(systems.names)
        }
    return found


def _detectable_errors(level: float) -> float:
    """How many standard errors a difference must be: z(1 − α/2) to be significant, and z(power) to be so that often.

    >>> round(_detectable_errors(0.95), 3)
    2.802
    """
    from statistics import NormalDist

    normal: Any = NormalDist()
    return float(normal.inv_cdf((1 + level) * 0.5) + normal.inv_cdf(POWER))
