"""What each command does, once its arguments are parsed. Heavy imports wait until they are needed."""

from __future__ import annotations

import argparse
import gc
import sys

from ..metrics import METRICS, select
from ..results import Report
from .terminal import Progress, colourful, complain


def score(options: argparse.Namespace) -> int:
    """``corefscope score``"""
    from ..evaluate import score as evaluate
    from ..reports import REPORTS

    progress = Progress()
    gc.disable()  # documents come and go without reference cycles; looking for some costs a tenth of the time
    try:
        report = evaluate(
            options.key,
            options.response,
            match=options.match,
            zeros=options.zeros,
            singletons=options.singletons,
            rules=options.rules,
            metrics=options.metrics,
            key_format=options.key_format,
            response_format=options.response_format,
            baseline=options.baseline,
            compare_rules=not (options.no_rules_note or options.baseline),
            progress=None if options.quiet else progress,
        )
    finally:
        gc.enable()
        progress.close()
    if not options.quiet:
        for warning in report.warnings:
            complain("warning", warning)
        _note_on_rules(report)
    sys.stdout.write(REPORTS[options.format][1](report, options.per_document, colourful(sys.stdout)))
    return 0


def _note_on_rules(report: Report) -> None:
    """One line if the corrected rules give another CoNLL score."""
    other = report.alternative
    if other is None or abs(other.ours - other.conll) < 1e-11:
        return
    digits = next(n for n in range(2, 11) if round(100 * other.ours, n) != round(100 * other.conll, n))
    complain(
        "note",
        f"CoNLL is {100 * other.ours:.{digits}f} under rules {report.options.rules}"
        f" but {100 * other.conll:.{digits}f} under {other.rules} (--no-rules-note silences this)",
    )


def metrics(options: argparse.Namespace) -> int:
    """``corefscope metrics [NAME …]``"""
    from ..reports.catalogue import details, overview

    if not options.names:
        sys.stdout.write(overview())
        return 0
    sys.stdout.write("\n".join(details(METRICS[name]) for name in select(options.names)))
    return 0


def cite(options: argparse.Namespace) -> int:
    """``corefscope cite [NAME …]``"""
    from ..bibliography import entries

    papers = entries()
    wanted = dict.fromkeys(METRICS[name].cite for name in select(options.names or "all"))
    sys.stdout.write("\n\n".join(papers[key] for key in wanted) + "\n")
    return 0
