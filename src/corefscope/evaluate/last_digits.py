"""The official digits of figures that lie right between two that can be printed.

A figure of 15.625 per cent is printed as 15.62 or 15.63, whichever the rounding errors of its sums say. Where that
happens under the rules of a reference program (once in thousands of figures), documents are counted a second time, in
the arithmetic of that program.
"""

from __future__ import annotations

import os

from ..base.errors import InputError, Warnings
from ..count.metrics import counted
from ..count.tabulate import tabulate
from ..read.corpus import Corpus
from .request import Request
from .results import Report, Row
from .rules import RULES
from .steps import align, is_large

NEAR = 1e-6  # hundredths of a per cent; rounding errors are far smaller


def with_official_digits(request: Request, corpus: Corpus, report: Report) -> Report:
    """The report, with sums in the official arithmetic if the second decimal of a percentage hangs on them.

    Where the files cannot be read again, as pipes cannot, it stays as it is.
    """
    sums = RULES[report.options.rules].last_digits
    if sums is None or report.baseline_rows or report.high_rows:
        return report
    if not any(_between(report, name) for name in report):
        return report
    if not all(os.path.isfile(path) for pair in corpus.files for path in (pair.key, pair.response)):
        return report
    metrics = counted(report)
    rows: dict[str, Row] = {}
    try:
        key, response = (side.name for side in corpus.inputs)
        for pair in request.pairs(request.corpus(key, response, Warnings())):
            row = report.rows[pair.key.id]
            if not is_large(*pair):  # no reference program has ever seen documents of so many ids
                counts = sums(tabulate(align(*pair, report.options)))
                row = tuple([counts.get(metric.name, old) for metric, old in zip(metrics, row, strict=True)])
            rows[pair.key.id] = row
    except (InputError, OSError, KeyError):  # the files are others now, or rows are not of documents
        return report
    return report.with_rows(rows)


def _between(report: Report, name: str) -> bool:
    """Whether a figure of a metric lies between two hundredths of a per cent; sums of integers have no errors."""
    counts = [count for metric in counted([name]) for count in report.counts(metric.name).values()]
    if not any(isinstance(count, float) for count in counts):
        return False
    return any(abs(figure * 10_000 % 1 - 0.5) < NEAR for figure in report[name] if isinstance(figure, float))
