"""Correlation of metrics over systems whose scores were saved: Pearson's r, Spearman's ρ and Kendall's τ.

- Pearson: r = Σ (x − x̄)(y − ȳ) / √(Σ (x − x̄)² · Σ (y − ȳ)²).
- Spearman: Pearson's r of the ranks; equal values share the mean of their ranks.
- Kendall: τ_b = (C − D) / √((P − T_x)(P − T_y)) with C pairs of systems in the same order and D in opposite order
  among all P pairs, of which T_x are tied in one metric and T_y in the other.

All are undefined (None) if a metric gives all systems the same score. Each has a two-sided p-value: of r by the exact
distribution for normal scores, of ρ by Student's t, of τ counted out where that can be done. SciPy computes them. One
metric against the rest, for recall, precision and F1, is Table 3 of Luo et al. (2014).
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product
from math import isfinite, isnan
from typing import Any, ClassVar, NamedTuple, TextIO
from warnings import catch_warnings, simplefilter

from ..comparison.systems import COMPARISON
from ..comparison.tasks.result import TASK
from ..core.errors import InputError, OptionError, Warnings
from ..core.metrics import METRICS, select
from ..core.naming import check_values, listed_names
from ..core.numbers import ratio
from ..core.options import Options
from ..core.report import FIGURES
from ..core.report import SCHEMA as REPORT
from ..core.result import Result
from ..formats.naming import checked_names, names_of
from ..formats.source import read_text

Saved = dict[str, Any]
"""A result or report as it is in a JSON file."""
HINT = "write results with: corefscope score KEY RESPONSE --format json > result.json"
CSV_HINT = "name the columns: system,metric,recall,precision,f1 (and task, if the same systems took part in several)"


class SavedScores(NamedTuple):
    """The scores of a system."""

    name: str
    signature: str
    """Empty if the scores were published without one."""
    scores: Mapping[str, Mapping[str, float]]
    """The figures of each metric: recall, precision and f1; f1 alone; or a value."""
    key: str = ""
    """SHA-256 of the key, if known."""
    path: str = ""

    def figure(self, metric: str, name: str) -> float | None:
        """Recall, precision or f1 of a metric, or its value in place of f1; None if it has none."""
        figures = self.scores.get(metric, {})
        return figures.get(name, figures.get("value") if name == "f1" else None)


def read_scores(
    paths: Sequence[str | os.PathLike[str]], names: str | Sequence[str] | None = None
) -> tuple[SavedScores, ...]:
    """The scores of the systems in files that ``score``, ``compare`` or ``task`` has written with ``--format json``.

    A result of ``score`` gets the name of its file; systems of a comparison keep their names, prefixed by that of the
    file if names would clash. A ``.csv`` file has one row for each system and metric, as papers print them; rows of
    one system in several such files are merged.
    """
    systems: list[SavedScores] = []
    published: dict[str, SavedScores] = {}
    for path, file_name in zip([os.fspath(path) for path in paths], names_of(paths), strict=True):
        if path.lower().endswith(".csv"):
            _read_published(path, published)
            continue
        text = read_text(path)
        try:
            content = json.loads(text)
        except (ValueError, RecursionError):
            raise InputError("is no JSON", path=path, hint=HINT) from None
        if not isinstance(content, dict) or content.get("schema") not in (REPORT, COMPARISON, TASK):
            raise InputError(f"is no result of the schema {REPORT}, {COMPARISON} or {TASK}", path=path, hint=HINT)
        if content["schema"] == REPORT:
            systems.append(_scores(file_name, content, path))
            continue
        inside = [_scores(name, report, path) for name, report in _reports(content, path)]
        if {system.name for system in systems} & {system.name for system in inside}:
            inside = [system._replace(name=f"{file_name}:{system.name}") for system in inside]
        systems += inside
    systems += published.values()
    if names is None:
        names = [system.name for system in systems]
    checked = checked_names(names, len(systems), "systems")
    return tuple(system._replace(name=name) for system, name in zip(systems, checked, strict=True))


def _reports(content: Saved, path: str) -> list[tuple[str, Saved]]:
    """The report of each system of a comparison; for a task, its macro averages."""
    systems = content.get("systems")
    if not isinstance(systems, dict) or not all(isinstance(report, dict) for report in systems.values()):
        raise InputError("has no reports of systems", path=path, hint=HINT)
    if content["schema"] == COMPARISON:
        return list(systems.items())
    signature = str(content.get("signature", ""))
    averages = [(name, row.get("macro")) for name, row in systems.items()]
    return [(name, {"metrics": macro, "signature": signature}) for name, macro in averages if macro]


def _scores(name: str, report: Saved, path: str) -> SavedScores:
    try:
        scores = {
            metric: {name: float(score[name]) for name in FIGURES if name in score}
            for metric, score in report["metrics"].items()
            if metric in METRICS
        }
        if not all(figures and all(map(isfinite, figures.values())) for figures in scores.values()):
            raise ValueError
        key = report.get("inputs", {}).get("key", {}).get("sha256", "")
        return SavedScores(name, str(report["signature"]), scores, str(key), path)
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
        raise InputError("has scores that are no numbers", path=path, hint=HINT) from None


def _read_published(path: str, systems: dict[str, SavedScores]) -> None:
    """Add the rows of a CSV file to the systems, by name. Percentages become ratios."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            rows = _published_rows(path, file)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from None
    except (csv.Error, UnicodeDecodeError):
        raise InputError("is no CSV", path=path, hint=CSV_HINT) from None
    largest = max((value for _, _, _, figures in rows for value in figures.values()), default=0.0)
    for line, name, metric, figures in rows:
        system = systems.setdefault(name, SavedScores(name, "", {}, path=path))
        if metric in system.scores:
            raise InputError(f"a second row of {name!r} and {metric!r}", path=path, line=line, hint="keep one")
        shares = {figure: ratio(value, 100.0) if largest > 1 else value for figure, value in figures.items()}
        systems[name] = system._replace(scores={**system.scores, metric: shares})


def _published_rows(path: str, lines: TextIO) -> list[tuple[int, str, str, dict[str, float]]]:
    """Line, system, metric and figures of each row."""
    reader = csv.DictReader(lines)
    columns: Iterable[str] = reader.fieldnames or ()
    lacking = [name for name in ("system", "metric") if name not in columns]
    if lacking or not set(FIGURES) & set(columns):
        message = f"has no column {' and no '.join(lacking)}" if lacking else f"has none of {', '.join(FIGURES)}"
        raise InputError(message, path=path, line=1, hint=CSV_HINT)
    rows = []
    for row in reader:
        metric = select(row["metric"] or "")[0]
        name = ":".join(filter(None, (row.get("task"), row["system"])))
        try:
            figures = {figure: float(row[figure]) for figure in FIGURES if row.get(figure)}
            if not figures or not all(map(isfinite, figures.values())):
                raise ValueError
        except ValueError:
            raise InputError(f"a figure of {name!r} is no number", path=path, line=reader.line_num) from None
        rows.append((reader.line_num, name, metric, figures))
    return rows


SCHEMA = "corefscope-correlation-1"
FEWEST = 3
"""Through two points there is always a line."""
FEW = 10
"""With fewer systems than this, results carry a note that coefficients are uncertain."""
KINDS_OF_FIGURE = ("recall", "precision", "f1")


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

    NAMES: ClassVar[tuple[str, ...]] = ("metric", "other", "figure")

    def __init__(
        self,
        systems: Sequence[SavedScores],
        metrics: Sequence[str],
        warnings: Sequence[str] = (),
        *,
        figures: Sequence[str] = ("f1",),
        against: str = "",
    ) -> None:
        self.systems: tuple[str, ...] = tuple(system.name for system in systems)
        self.metrics: tuple[str, ...] = tuple(metrics)
        self.signatures: tuple[str, ...] = tuple(
            dict.fromkeys(filter(None, [system.signature for system in systems]))
        )
        self.against = against
        """The metric that all others are compared with, if not every metric is with every other."""
        self._scores: dict[str, dict[str, list[float]]] = {figure: {} for figure in figures}
        for (figure, scores), metric in product(self._scores.items(), metrics):
            column = [score for system in systems if (score := system.figure(metric, figure)) is not None]
            if len(column) == len(systems):
                scores[metric] = column
        self.warnings: tuple[str, ...] = tuple(warnings)

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

    def to_dict(self, per_document: bool = False) -> dict[str, object]:  # noqa: ARG002
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

    def to_records(self, per_document: bool = False) -> list[dict[str, object]]:  # noqa: ARG002
        """One row for every two metrics and figure."""
        records: list[dict[str, object]] = []
        for figure in self.figures:
            for one, other in self.pairs(figure):
                records.append({"metric": one, "other": other, "figure": figure, "systems": len(self.systems)})
                for name in COEFFICIENTS:
                    value, p = self.correlated(name, one, other, figure) or (None, None)
                    records[-1] |= {name: value, f"{name}_p": p}
        return records


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
