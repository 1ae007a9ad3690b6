"""Correlation of metrics over systems: Pearson's r, Spearman's ρ and Kendall's τ.

- Pearson: r = Σ (x − x̄)(y − ȳ) / √(Σ (x − x̄)² · Σ (y − ȳ)²).
- Spearman: Pearson's r of the ranks; equal values share the mean of their ranks.
- Kendall: τ_b = (C − D) / √((P − T_x)(P − T_y)) with C pairs of systems in the same order and D in opposite order
  among all P pairs, of which T_x are tied in one metric and T_y in the other.

All are undefined (None) if a metric gives all systems the same score. Each has a two-sided p-value: of r by the exact
distribution for normal scores, of ρ by Student's t, of τ counted out where that can be done. SciPy computes them. One
metric against the rest, for recall, precision and F1, is Table 3 of Luo et al. (2014).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import combinations
from math import isnan
from typing import Any, NamedTuple
from warnings import catch_warnings, simplefilter

from ..comparison.saved_scores import SavedScores, read_scores
from ..core.errors import InputError, OptionError, Warnings
from ..core.metrics import METRICS, select
from ..core.naming import check_values, listed_names
from ..core.options import Options
from ..core.result import Result

SCHEMA = "corefscope-correlation-1"
FEWEST = 3
"""Through two points there is always a line."""
FEW = 10
"""With fewer systems than this, results carry a note that coefficients are uncertain."""
KINDS_OF_FIGURE = ("recall", "precision", "f1")

SIGNIFICANT = 0.05
"""Correlations with a p-value of this or more are marked as not significant."""


class Coefficient(NamedTuple):
    """One row of the catalogue."""

    title: str
    function: str
    """The name of its function in ``scipy.stats``."""


COEFFICIENTS: dict[str, Coefficient] = {
    "pearson": Coefficient("Pearson's r", "pearsonr"),
    "spearman": Coefficient("Spearman's ρ", "spearmanr"),
    "kendall": Coefficient("Kendall's τ", "kendalltau"),
}


class CorrelationValue(NamedTuple):
    """A coefficient, and its p-value: the probability of one as far from 0 if there were no correlation."""

    value: float
    p: float


def coefficient_of(name: str, xs: Sequence[float], ys: Sequence[float]) -> CorrelationValue | None:
    """A coefficient of two columns with its two-sided p-value; None if all values of a side are the same.

    >>> round(coefficient_of("kendall", [1, 2, 3, 4], [2, 1, 4, 3]).value, 6)
    0.333333
    """
    OptionError.check("coefficient", name, COEFFICIENTS)
    if len(set(xs)) < 2 or len(set(ys)) < 2:
        return None
    from scipy import stats

    with catch_warnings():
        simplefilter("ignore")  # that values are nearly the same
        result = getattr(stats, COEFFICIENTS[name].function)(xs, ys)
    value, p = float(result.statistic), float(result.pvalue)
    return None if isnan(value) else CorrelationValue(max(-1.0, min(1.0, value)), p)


class Correlation(Result):
    """Coefficients between metrics over systems: ``correlation.value("kendall", "blanc", "muc")``."""

    NAMES = ("metric", "other", "figure")

    def __init__(
        self,
        systems: Sequence[SavedScores],
        metrics: Sequence[str],
        warnings: Sequence[str] = (),
        *,
        figures: Sequence[str] = ("f1",),
        against: str = "",
    ) -> None:
        self.systems = tuple(system.name for system in systems)
        self.metrics = tuple(metrics)
        self.signatures = tuple(dict.fromkeys(filter(None, [system.signature for system in systems])))
        self.against = against
        """The metric that all others are compared with, if not every metric is with every other."""
        self._scores: dict[str, dict[str, list[float]]] = {figure: {} for figure in figures}
        for figure, scores in self._scores.items():
            for metric in metrics:
                column = [system.figure(metric, figure) for system in systems]
                if None not in column:
                    scores[metric] = [score for score in column if score is not None]
        self.warnings = tuple(warnings)

    @property
    def figures(self) -> tuple[str, ...]:
        """Which of recall, precision and f1 are correlated."""
        return tuple(self._scores)

    @property
    def scores(self) -> dict[str, list[float]]:
        """For each metric the scores of the systems, in their order: the last of ``figures``, usually F1."""
        return self.scores_of(self.figures[-1])

    def scores_of(self, figure: str) -> dict[str, list[float]]:
        """The same for one figure, without the metrics that lack it."""
        return self._scores[figure]

    def pairs(self, figure: str) -> list[tuple[str, str]]:
        """The metrics that are compared with each other."""
        metrics = self.scores_of(figure)
        if self.against:
            return [(self.against, other) for other in metrics if other != self.against and self.against in metrics]
        return list(combinations(metrics, 2))

    def correlated(self, coefficient: str, one: str, other: str, figure: str = "") -> CorrelationValue | None:
        """A coefficient between two metrics, with its p-value; None where it is undefined."""
        scores = self.scores_of(figure or self.figures[-1])
        # Without the noise of floating point, which would make ties look like differences.
        xs, ys = ([round(score, 12) for score in scores[metric]] for metric in (one, other))
        return coefficient_of(coefficient, xs, ys)

    def value(self, coefficient: str, one: str, other: str, figure: str = "") -> float | None:
        """The coefficient alone."""
        correlated = self.correlated(coefficient, one, other, figure)
        return correlated.value if correlated else None

    def matrix(self, coefficient: str) -> list[list[float | None]]:
        """The coefficient of every metric (row) with every metric (column)."""
        return [[self.value(coefficient, one, other) for other in self.metrics] for one in self.metrics]

    @property
    def summary(self) -> str:
        """The number of systems, and the metrics."""
        return f"of {len(self.systems)} systems: {', '.join(self.metrics)}"

    @property
    def signature(self) -> str:
        """The signatures to quote with the figures, usually one."""
        return " ".join(self.signatures)

    def to_dict(self, per_document: bool = False) -> dict[str, Any]:  # noqa: ARG002
        """Everything as plain values."""
        return {
            "schema": SCHEMA,
            "signatures": list(self.signatures),
            "systems": list(self.systems),
            "metrics": list(self.metrics),
            "scores": self.scores,
            "figures": {figure: self.scores_of(figure) for figure in self.figures},
            "correlations": self.to_records(),
            "warnings": list(self.warnings),
        }

    def to_records(self, per_document: bool = False) -> list[dict[str, Any]]:  # noqa: ARG002
        """One row for every two metrics and figure."""
        return [
            {"metric": one, "other": other, "figure": figure, "systems": len(self.systems)}
            | self._record(one, other, figure)
            for figure in self.figures
            for one, other in self.pairs(figure)
        ]

    def _record(self, one: str, other: str, figure: str) -> dict[str, float | None]:
        record: dict[str, float | None] = {}
        for name in COEFFICIENTS:
            value, p = self.correlated(name, one, other, figure) or (None, None)
            record |= {name: value, f"{name}_p": p}
        return record


def correlate(
    results: Sequence[str | os.PathLike[str]],
    *,
    names: str | Sequence[str] | None = None,
    metrics: str | Sequence[str] | None = None,
    figures: str | Sequence[str] | None = None,
    against: str | None = None,
    mixed: bool = False,
) -> Correlation:
    """Correlate metrics over systems whose scores are in files.

    Parameters
    ----------
    results
        Output of ``corefscope score --format json`` or ``corefscope compare --format json``, of three systems or more
        in all; or a CSV of published scores with the columns system, metric, recall, precision and f1.
    names
        Names of the systems; by default those in the files, or else the names of the files.
    metrics
        Metrics or groups; by default all that every result has.
    figures
        Which of recall, precision and f1; by default f1, or all three with ``against``.
    against
        One metric to compare with the rest.
    mixed
        Whether results that were scored under different options are accepted.
    """
    check_values({"mixed": mixed})
    if against is not None:
        (against, *others) = select(against)
        if others:
            raise OptionError("one metric can be compared with the rest, not several")
    chosen = _figures(figures if figures is not None else KINDS_OF_FIGURE if against else "f1")
    systems = read_scores(results, names)
    if len(systems) < FEWEST:
        raise OptionError(f"correlations need {FEWEST} systems or more, not {len(systems)}")
    warnings = Warnings()
    _check_options(systems, mixed, warnings)
    common = _common_metrics(systems, metrics, warnings)
    if against and against not in common:
        raise OptionError(f"{against} is not among the metrics that every result has: {', '.join(common)}")
    return Correlation(systems, common, list(warnings), figures=chosen, against=against or "")


def _figures(named: str | Sequence[str]) -> tuple[str, ...]:
    listed = [name.strip().lower() for name in listed_names("figures", named)]
    unknown = [name for name in listed if name not in KINDS_OF_FIGURE]
    if unknown or not listed:
        raise OptionError.unknown("figure", unknown or [""], KINDS_OF_FIGURE)
    return tuple(name for name in KINDS_OF_FIGURE if name in listed)


def _check_options(systems: Sequence[SavedScores], mixed: bool, warnings: Warnings) -> None:
    """Refuse different options; warn of different keys or versions."""
    first = systems[0]
    for system in systems[1:]:
        if system.key and first.key and system.key != first.key:
            warnings.add("key", system.path, 0, f"{system.name} was scored against another key than {first.name}")
        if system.signature == first.signature or not (system.signature and first.signature):
            continue  # the same, or published without a signature
        differ = _differences(first.signature, system.signature)
        message = f"{system.name} was scored under other options than {first.name}: {', '.join(differ) or 'version'}"
        if differ and not mixed:
            raise InputError(
                message, path=system.path, hint="score all systems under the same options, or use --mixed"
            )
        warnings.add("options", system.path, 0, message)


def _differences(one: str, other: str) -> list[str]:
    """The options in which two signatures differ, formats and versions aside."""
    try:
        options, others = Options.parse(one)._asdict(), Options.parse(other)._asdict()
    except (OptionError, TypeError):
        return [f"{one} and {other}"]
    return [
        f"{name}:{others[name] or 'none'} instead of {value or 'none'}"
        for name, value in options.items()
        if name != "format" and others[name] != value
    ]


def _common_metrics(
    systems: Sequence[SavedScores], metrics: str | Sequence[str] | None, warnings: Warnings
) -> tuple[str, ...]:
    scored = dict.fromkeys(metric for system in systems for metric in system.scores)
    names = tuple(dict.fromkeys([*METRICS, *scored])) if metrics is None else select(metrics)
    expected = {*names} if metrics is not None else scored
    common = tuple(name for name in names if all(name in system.scores for system in systems))
    for system in systems:
        lacking = [name for name in names if name in expected and name not in system.scores]
        if lacking:
            warnings.add("metrics", system.path, 0, f"{system.name} has no {', '.join(lacking)}: left out")
    if len(common) < 2:
        asked = f", of {', '.join(names)}" if metrics is not None else ""
        raise InputError(
            f"the results have {', '.join(common) or 'no metric'} in common{asked}, but two metrics are needed",
            hint="score all systems with the same --metrics, or add published scores of other metrics (a CSV)",
        )
    return common
