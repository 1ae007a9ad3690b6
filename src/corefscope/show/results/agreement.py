"""How the agreement of annotators is laid out."""

from __future__ import annotations

from ...count.metrics import METRICS
from ...study.agreement import Agreement
from ..layout import Beside, Block, Layout, Sheet, Text
from .score import shown_figure, titles


def lay_out(agreement: Agreement, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """Mean, least and greatest agreement by metric, then a matrix for each; of two annotators, one column."""
    names, metrics, several = agreement.annotators, agreement.metrics, len(agreement) > 1
    blocks: list[Block] = [Text([f"Agreement of {', '.join(names)}, in percent"])]
    if per_document:
        corner = "Document (mean over pairs)" if several else "Document"
        by_document = [
            [document, *(shown_figure(means[metric]) for metric in metrics)]
            for document, means in agreement.documents.items()
        ]
        blocks.append(Sheet.of([corner, *titles(metrics)], by_document))
    rows = []
    for metric in metrics:
        values = [value for report in agreement.values() if (value := report.figure(metric)) is not None]
        columns = 3 if several else 1
        figures = [agreement.mean(metric), min(values), max(values)][-columns:] if values else [None] * columns
        rows.append([METRICS[metric].title, *map(shown_figure, figures)])
    blocks.append(Sheet.of(["", "Mean", "Least", "Most"] if several else ["", "Agreement"], rows))
    if several:
        matrices = []
        for metric in metrics:
            rows = [
                [one, *("" if one == other else shown_figure(value) for other, value in zip(names, row, strict=True))]
                for one, row in zip(names, agreement.matrix(metric), strict=True)
            ]
            matrices.append(Sheet.of([METRICS[metric].title, *names], rows))
        blocks.append(Beside(matrices))
    return Layout(blocks, [agreement.signature])
