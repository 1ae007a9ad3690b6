"""How the agreement of annotators is shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ...base.numbers import headline
from ...count.metrics import METRICS
from ...study.agreement import Agreement
from ..columns import side_by_side, table, wrapped
from ..formats.delimited import signed
from ..formats.json import as_json
from ..text import percent, shown


def text(agreement: Agreement, per_document: bool = False, width: int = 100) -> str:
    """Mean, least and greatest agreement by metric, then a matrix for each; of two annotators, one column."""
    lines = [*wrapped(f"Agreement of {', '.join(map(shown, agreement.annotators))}, in percent", width), ""]
    if per_document:
        lines += [*_documents(agreement, width), ""]
    lines += _overall(agreement, width)
    if len(agreement) > 1:
        matrices = [_matrix(agreement, metric) for metric in agreement.metrics]
        lines += ["", *side_by_side(matrices, width)]
    return "\n".join([*lines, "", agreement.signature]) + "\n"


def json(agreement: Agreement, per_document: bool = False, width: int = 0) -> str:  # noqa: ARG001
    """The same as plain values, unrounded."""
    return as_json(agreement.to_dict(per_document))


def csv(agreement: Agreement, per_document: bool = False, width: int = 0, delimiter: str = ",") -> str:  # noqa: ARG001
    """One row for each pair, with ``per_document`` after those for each pair and document."""
    records = agreement.to_records(per_document)
    if per_document:
        records += [{**record, "document": ""} for record in agreement.to_records()]
    return signed(records, agreement.signature, delimiter)


tsv = partial(csv, delimiter="\t")


AGREEMENTS: dict[str, tuple[str, Callable[[Agreement, bool, int], str]]] = {
    "text": ("tables", text),
    "json": ("JSON, unrounded", json),
    "csv": ("a row for each pair, unrounded", csv),
    "tsv": ("the same with tabs", tsv),
}


def _overall(agreement: Agreement, width: int) -> list[str]:
    rows = []
    for metric in agreement.metrics:
        values = [headline(report[metric]) for report in agreement.values()]
        figures = [agreement.mean(metric), min(values), max(values)] if len(values) > 1 else values
        rows.append([METRICS[metric].title, *map(percent, figures)])
    head = ["", "Mean", "Least", "Most"] if len(agreement) > 1 else ["", "Agreement"]
    return table(head, rows, width=width)


def _matrix(agreement: Agreement, metric: str) -> list[str]:
    names = list(map(shown, agreement.annotators))
    rows = [
        [name, *("" if value is None else percent(value) for value in values)]
        for name, values in zip(names, agreement.matrix(metric), strict=True)
    ]
    return table([METRICS[metric].title, *names], rows)


def _documents(agreement: Agreement, width: int) -> list[str]:
    rows = [
        [shown(document), *(percent(figures[metric]) for metric in agreement.metrics)]
        for document, figures in agreement.documents.items()
    ]
    head = "Document" if len(agreement) == 1 else "Document (mean over pairs)"
    return table([head, *(METRICS[metric].title for metric in agreement.metrics)], rows, width=width)
