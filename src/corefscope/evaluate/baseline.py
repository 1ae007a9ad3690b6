"""Scores measured from those of a file: (s − b)/(1 − b), where b is what another response to the same key scores."""

from __future__ import annotations

from collections.abc import Sequence

from ..count.baselines import of_file
from ..count.metrics import counted
from .results import Report, Rows
from .scoring import Scoring


def unmeasured(scorings: Sequence[Scoring]) -> list[Scoring]:
    """Scorings in the same ways for the response that others are measured from."""
    return [Scoring(scoring.options._replace(baseline=""), scoring.names) for scoring in scorings]


def measured_from(report: Report, baseline: Report) -> Report:
    """The scores of a report measured from those of another response, pooled and in each document.

    A document that only one of them has (in formats without words) counts as one without mentions in the other.
    """
    names = dict.fromkeys((*report.rows, *baseline.rows))
    nothing = tuple((0,) * len(metric.fields) for metric in counted(report))

    def completed(rows: Rows) -> Rows:
        return {name: rows.get(name, nothing) for name in names}

    (file,) = baseline.inputs[1:]
    return Report(
        report.options._replace(baseline=of_file(file.digest)),
        tuple(report),
        completed(report.rows),
        warnings=list(dict.fromkeys((*report.warnings, *baseline.warnings))),
        baseline_rows=[completed(baseline.rows)],
        inputs=(*report.inputs, file) if len(report.inputs) > 1 else report.inputs,
    )
