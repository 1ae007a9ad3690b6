"""How the agreement of annotators is laid out."""

from __future__ import annotations

from ...base.numbers import headline
from ...count.metrics import METRICS
from ...study.agreement import Agreement
from ..layout import Beside, Block, Layout, Sheet, Text
from ..text import percent
from .score import titles


def lay_out(agreement: Agreement, per_document: bool, width: int) -> Layout:  # noqa: ARG001
    """Mean, least and greatest agreement by metric, then a matrix for each; of two annotators, one column."""
    names, metrics, several = agreement.annotators, agreement.metrics, len(agreement) > 1
    blocks: list[Block] = [Text([f"Agreement of {', '.join(names)}, in percent"])]
    if per_document:
        corner = "Document (mean over pairs)" if several else "Document"
        by_document = [
            [document, *(percent(means[metric]) for metric in metrics)]
            for document, means in agreement.documents.items()
        ]
        blocks.append(Sheet.of([corner, *titles(metrics)], by_document))
    rows = []
    for metric in metrics:
        values = [headline(report[metric]) for report in agreement.values()]
        figures = [agreement.mean(metric), min(values), max(values)] if several else values
        rows.append([METRICS[metric].title, *map(percent, figures)])
    blocks.append(Sheet.of(["", "Mean", "Least", "Most"] if several else ["", "Agreement"], rows))
    if several:
        matrices = []
        for metric in metrics:
            matrix = [["" if value is None else percent(value) for value in row] for row in agreement.matrix(metric)]
            rows = [[name, *cells] for name, cells in zip(names, matrix, strict=True)]
            matrices.append(Sheet.of([METRICS[metric].title, *names], rows))
        blocks.append(Beside(matrices))
    return Layout(blocks, [agreement.signature])
