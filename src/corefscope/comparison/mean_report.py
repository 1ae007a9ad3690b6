"""Reports of mean scores: over runs, s̄ = Σ s / R, with their spread √(Σ (s − s̄)² / (R − 1)); and over documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite, nan
from typing import Any

from ..core.errors import InputError
from ..core.input import Input
from ..core.metrics import counted
from ..core.numbers import AnyScore, Counts, add, mean
from ..core.report import FIGURES, KEPT, Report, Row, Scores
from ..core.result import Plain


class MeanScores(Scores):
    """Mean scores over runs; counts are sums over runs."""

    __slots__ = ("runs",)

    def __init__(self, runs: Sequence[Scores], rules: str) -> None:
        names = tuple(runs[0])
        fields = [metric.name for metric in counted(names)]
        sums: dict[str, Counts] = {name: add([tuple(run.counts(name).values()) for run in runs]) for name in fields}
        super().__init__(names, sums, rules)
        self.runs: tuple[Scores, ...] = tuple(runs)

    def __getitem__(self, name: str) -> Any:
        name = self._known(name)
        return mean_of([run[name] for run in self.runs])


class MeanReport(Report):
    """The mean scores of several runs of one system.

    ``report.runs`` are their reports, ``report.spread("muc")["f1"]`` is a standard deviation.
    """

    __slots__ = ("runs",)

    def __init__(self, runs: Sequence[Report]) -> None:
        first = runs[0]
        for run in runs:
            if run.options._replace(format="", llm="") != first.options._replace(format="", llm=""):
                raise InputError(
                    f"runs were scored in different ways: {first.options} and {run.options}",
                    hint="score all runs with the same options",
                )
        names = [name for name in first if all(name in run for run in runs)]
        super().__init__(
            first.options.as_of(run.options for run in runs),
            names,
            _summed(runs, names),
            warnings=list(dict.fromkeys(warning for run in runs for warning in run.warnings)),
            inputs=_inputs(runs),
        )
        self.runs: tuple[Report, ...] = tuple(runs)
        if any(run.is_open(name) for run in runs for name in names):
            self._high = MeanScores([run.at_most for run in runs], first.options.rules)

    def __getitem__(self, name: str) -> Any:
        name = self._known(name)
        return mean_of([run[name] for run in self.runs])

    @property
    def documents(self) -> Mapping[str, Scores]:
        """The mean scores of each document, in the order of the key."""
        return {
            name: MeanScores([run.documents[name] for run in self.runs if name in run.rows], self.options.rules)
            for name in self.rows
        }

    def spread(self, name: str) -> dict[str, float]:
        """The standard deviation over runs of each figure of a metric."""
        return spread_of([run[name] for run in self.runs])


def runs_to_dict(report: MeanReport, per_document: bool) -> Plain:
    """The reports of all runs and the standard deviations over them, as plain values."""
    return {
        "spread": {metric: report.spread(metric) for metric in report},
        "reports": [run.to_dict(per_document) for run in report.runs],
    }


def spread_fields(spread: Mapping[str, float], runs: int) -> dict[str, float | None]:
    """The number of runs and the standard deviation over them of each figure, as fields of a record."""
    return {"runs": runs, **{f"{figure}_sd": spread.get(figure) for figure in FIGURES}}


def spread_notes(runs: Mapping[str, int]) -> list[str]:
    """What ± means, with the number of runs of each system that has several."""
    counts = ", ".join(f"{name} {count}" for name, count in runs.items())
    return [f"±: standard deviation over runs ({counts})"] if runs else []


def mean_of(scores: Sequence[AnyScore]) -> AnyScore:
    """The mean of each figure (recall, precision, F1); text values become empty.

    >>> from corefscope.core.numbers import Score
    >>> mean_of([Score(0.5, 1.0, 0.75), Score(0.0, 0.5, 0.25)])
    Score(recall=0.25, precision=0.75, f1=0.5)
    """
    means = ("" if isinstance(values[0], str) else mean(values) for values in zip(*scores, strict=True))
    return type(scores[0])._make(means)


def spread_of(scores: Sequence[AnyScore]) -> dict[str, float]:
    """The standard deviation of each figure.

    >>> from corefscope.core.numbers import F1
    >>> spread_of([F1(0.5), F1(1.0), F1(0.75)])
    {'f1': 0.25}
    """
    names = [figure for figure in FIGURES if hasattr(scores[0], figure)]
    return {figure: _deviation([getattr(score, figure) for score in scores]) for figure in names}


def _deviation(values: Sequence[float]) -> float:
    from statistics import stdev  # 5 ms of a cold score, which has no runs

    return stdev(values) if all(map(isfinite, values)) else nan


def runs_of(report: Report) -> tuple[Report, ...]:
    """The runs behind a report: itself, unless it is a mean."""
    return report.runs if isinstance(report, MeanReport) else (report,)


def average_runs(reports: Sequence[Report]) -> Report:
    """The mean of several runs; of one run, its report."""
    return MeanReport(reports) if len(reports) > 1 else reports[0]


def _summed(runs: Sequence[Report], names: Sequence[str]) -> dict[str, Row]:
    """The counts of each document, added over runs."""
    columns = [[list(counted(run)).index(metric) for metric in counted(names)] for run in runs]
    rows: dict[str, Row] = {}
    for document in dict.fromkeys(document for run in runs for document in run.rows):
        of_runs = [
            [run.rows[document][i] for i in places]
            for run, places in zip(runs, columns, strict=True)
            if document in run.rows
        ]
        rows[document] = tuple(add(of_metric) for of_metric in zip(*of_runs, strict=True))
    return rows


def _inputs(runs: Sequence[Report]) -> Sequence[Input]:
    """What was read: the key, the responses of all runs as one, and the baseline."""
    first = runs[0].inputs
    if len(first) < 2:
        return first
    responses = Input(", ".join(run.inputs[1].name for run in runs))
    for run in runs:
        responses.merge(run.inputs[1])
        responses.add_columns(run.inputs[1].columns)
    return (first[0], responses, *first[2:])


class AveragedReport(Report):
    """A report that shows the mean over documents beside the pooled score: ``score --average documents``."""

    __slots__ = ()

    @classmethod
    def of(cls, report: Report) -> AveragedReport:
        """The same report, with means."""
        kept = {name: getattr(report, name) for name in (*KEPT, "high_rows")}
        return cls(report.options, tuple(report), report.rows, **kept)

    def to_dict(self, per_document: bool = True) -> Plain:
        """As plain values, with ``document_means``."""
        means = {name: score._asdict() for name, score in self.document_means().items()}
        return super().to_dict(per_document) | {"document_means": means}

    def to_records(self, per_document: bool = False) -> list[Plain]:
        """One flat record for each metric, with the mean over documents of each figure."""
        means = self.document_means()
        return [
            record | {f"mean_{figure}": getattr(means.get(record["metric"]), figure, None) for figure in FIGURES}
            for record in super().to_records(per_document)
        ]
