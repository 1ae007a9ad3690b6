"""How the agreement of annotators is laid out."""

from __future__ import annotations

from ...base.numbers import headline
from ...count.metrics import METRICS
from ...study.agreement import Agreement
from ..layout import Beside, Block, Layout, Sheet, Text
from ..text import percent


def lay_out(agreement: Agreement, per_document: bool, width: int) -> Layout:  # noqa: ARG001
    """Mean, least and greatest agreement by metric, then a matrix for each; of two annotators, one column."""
    blocks: list[Block] = [Text([f"Agreement of {', '.join(agreement.annotators)}, in percent"])]
    blocks += [_documents(agreement)] if per_document else []
    blocks.append(_overall(agreement))
    if len(agreement) > 1:
        blocks.append(Beside([_matrix(agreement, metric) for metric in agreement.metrics]))
    return Layout(blocks, [agreement.signature])


def _overall(agreement: Agreement) -> Sheet:
    rows = []
    for metric in agreement.metrics:
        values = [headline(report[metric]) for report in agreement.values()]
        figures = [agreement.mean(metric), min(values), max(values)] if len(values) > 1 else values
        rows.append([METRICS[metric].title, *map(percent, figures)])
    return Sheet.of(["", "Mean", "Least", "Most"] if len(agreement) > 1 else ["", "Agreement"], rows)


def _matrix(agreement: Agreement, metric: str) -> Sheet:
    rows = [
        [name, *("" if value is None else percent(value) for value in values)]
        for name, values in zip(agreement.annotators, agreement.matrix(metric), strict=True)
    ]
    return Sheet.of([METRICS[metric].title, *agreement.annotators], rows)


def _documents(agreement: Agreement) -> Sheet:
    rows = [
        [document, *(percent(figures[metric]) for metric in agreement.metrics)]
        for document, figures in agreement.documents.items()
    ]
    corner = "Document" if len(agreement) == 1 else "Document (mean over pairs)"
    return Sheet.of([corner, *(METRICS[metric].title for metric in agreement.metrics)], rows)
