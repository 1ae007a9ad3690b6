"""Do metrics rank systems alike? Pearson's r, Spearman's ρ and Kendall's τ between metrics over systems.

- Pearson: r = Σ (x − x̄)(y − ȳ) / √(Σ (x − x̄)² · Σ (y − ȳ)²).
- Spearman: Pearson's r of the ranks; equal values share the mean of their ranks.
- Kendall: τ_b = (C − D) / √((P − T_x)(P − T_y)) with C pairs of systems in the same order and D in opposite order
  among all P pairs, of which T_x are tied in one metric and T_y in the other.

All are undefined (None) if a metric gives all systems the same score. As in Table 3 of Luo et al. (2014).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from itertools import combinations
from math import fsum, sqrt
from typing import Any

from ..base.errors import InputError, OptionError, Warnings
from ..base.numbers import mean, ratio
from ..count.metrics import METRICS, select
from ..evaluate.options import Options
from .resampling.paired import doubled_ranks
from .saved_scores import SavedScores, read_scores

SCHEMA = "corefscope-correlation-1"
FEWEST = 3
"""Through two points there is always a line."""
FEW = 10
"""With fewer systems than this, chance has a large say."""

Coefficient = Callable[[Sequence[float], Sequence[float]], "float | None"]


def pearson(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Pearson's r; None if all values of a side are the same.

    >>> pearson([1, 2, 3], [1, 3, 5]), pearson([1, 2], [7, 7])
    (1.0, None)
    """
    if len(set(xs)) < 2 or len(set(ys)) < 2:
        return None
    x_mean, y_mean = mean(xs), mean(ys)
    common = fsum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True))
    spread = sqrt(fsum((x - x_mean) ** 2 for x in xs) * fsum((y - y_mean) ** 2 for y in ys))
    return max(-1.0, min(1.0, ratio(common, spread))) if spread else None


def spearman(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Spearman's ρ: Pearson's r of the ranks.

    >>> spearman([1, 2, 30], [2, 4, 5])
    1.0
    """
    return pearson(doubled_ranks(xs), doubled_ranks(ys))


def kendall(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Kendall's τ_b.

    >>> kendall([1, 2, 3], [1, 3, 2])
    0.3333333333333333
    """
    score = x_untied = y_untied = 0
    for (x, y), (other_x, other_y) in combinations(zip(xs, ys, strict=True), 2):
        across, up = (x > other_x) - (x < other_x), (y > other_y) - (y < other_y)
        score += across * up
        x_untied += abs(across)
        y_untied += abs(up)
    return ratio(score, sqrt(x_untied * y_untied)) if x_untied and y_untied else None


COEFFICIENTS: dict[str, tuple[str, Coefficient]] = {
    "pearson": ("Pearson's r", pearson),
    "spearman": ("Spearman's ρ", spearman),
    "kendall": ("Kendall's τ", kendall),
}


class Correlation:
    """Coefficients between metrics over systems: ``correlation.value("kendall", "blanc", "muc")``."""

    def __init__(self, systems: Sequence[SavedScores], metrics: Sequence[str], warnings: Sequence[str] = ()) -> None:
        self.systems = tuple(system.name for system in systems)
        self.metrics = tuple(metrics)
        self.signatures = tuple(dict.fromkeys(system.signature for system in systems))
        self.scores = {metric: [system.scores[metric] for system in systems] for metric in metrics}
        """For each metric what the systems scored, in their order."""
        self.warnings = tuple(warnings)

    def value(self, coefficient: str, one: str, other: str) -> float | None:
        """A coefficient between two metrics; None where it is undefined."""
        if coefficient not in COEFFICIENTS:
            raise OptionError.unknown("coefficient", [coefficient], COEFFICIENTS)
        # Without the noise of floating point, which would make ties look like differences.
        xs, ys = ([round(score, 12) for score in self.scores[metric]] for metric in (one, other))
        return COEFFICIENTS[coefficient][1](xs, ys)

    def matrix(self, coefficient: str) -> list[list[float | None]]:
        """The coefficient of every metric (row) with every metric (column)."""
        return [[self.value(coefficient, one, other) for other in self.metrics] for one in self.metrics]

    @property
    def signature(self) -> str:
        """What to quote beside the figures: all signatures, usually one."""
        return " ".join(self.signatures)

    def to_dict(self, per_document: bool = False) -> dict[str, Any]:  # noqa: ARG002
        """Everything as plain values."""
        return {
            "schema": SCHEMA,
            "signatures": list(self.signatures),
            "systems": list(self.systems),
            "metrics": list(self.metrics),
            "scores": self.scores,
            "correlations": self.to_records(),
            "warnings": list(self.warnings),
        }

    def to_records(self, per_document: bool = False) -> list[dict[str, Any]]:  # noqa: ARG002
        """One row for every two metrics."""
        return [
            {"metric": one, "other": other, **{name: self.value(name, one, other) for name in COEFFICIENTS}}
            for one, other in combinations(self.metrics, 2)
        ]


def correlate(
    results: Sequence[str | os.PathLike[str]],
    *,
    names: str | Sequence[str] | None = None,
    metrics: str | Sequence[str] | None = None,
    mixed: bool = False,
) -> Correlation:
    """Correlate metrics over systems, whose scores are in files.

    Parameters
    ----------
    results
        What ``corefscope score --format json`` or ``corefscope compare --format json`` has written, of three systems
        or more in all.
    names
        What to call the systems; without it, by their files, or as they are called in there.
    metrics
        Metrics or groups; without it, all that every result has.
    mixed
        Also if results were scored under different options, which are otherwise refused.
    """
    systems = read_scores(results, names)
    if len(systems) < FEWEST:
        raise OptionError(f"correlations need {FEWEST} systems or more, not {len(systems)}")
    warnings = Warnings()
    _same_options(systems, mixed, warnings)
    return Correlation(systems, _common_metrics(systems, metrics, warnings), list(warnings))


def _same_options(systems: Sequence[SavedScores], mixed: bool, warnings: Warnings) -> None:
    """Different options are an error, different keys or versions a warning."""
    first = systems[0]
    for system in systems[1:]:
        if system.key and first.key and system.key != first.key:
            warnings.add("key", system.path, 0, f"{system.name} was scored against another key than {first.name}")
        if system.signature == first.signature:
            continue
        differ = _differences(first.signature, system.signature)
        message = f"{system.name} was scored under other options than {first.name}: {', '.join(differ) or 'version'}"
        if differ and not mixed:
            raise InputError(message, path=system.path, hint="score all systems alike, or say --mixed")
        warnings.add("options", system.path, 0, message)


def _differences(one: str, other: str) -> list[str]:
    """In which options two signatures differ; formats and versions do not count."""
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
        raise InputError(
            f"the results have {len(common)} of these metrics in common, but two are needed: {', '.join(names)}",
            hint="score all systems with the same --metrics",
        )
    return common
