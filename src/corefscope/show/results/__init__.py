"""How each result looks, and the tables that several results share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...base.numbers import AnyScore, headline
from ...count.metrics import METRICS
from ...evaluate.results import Report
from ..layout import Sheet
from ..text import percent


def titles(metrics: Iterable[str]) -> list[str]:
    """What people call these metrics."""
    return [METRICS[metric].title for metric in metrics]


def by_metric(corner: str, scores: Mapping[str, Mapping[str, AnyScore]], metrics: Iterable[str]) -> Sheet:
    """A row for each of ``scores``, a column for each metric; F1 or the value in the cells."""
    names = list(metrics)
    rows = [
        [label, *(percent(headline(row[name])) if name in row else "" for name in names)]
        for label, row in scores.items()
    ]
    return Sheet.of([corner, *titles(names)], rows)


def by_document(corner: str, reports: Mapping[str, Report], metric: str) -> Sheet:
    """One metric: documents as rows, systems as columns."""
    columns = [report.documents for report in reports.values()]
    rows = [[name, *(percent(headline(scores[name][metric])) for scores in columns)] for name in columns[0]]
    return Sheet.of([corner, *reports], rows)
