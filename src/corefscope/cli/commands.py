"""What each command does, once its arguments are parsed. Heavy imports wait until they are needed."""

from __future__ import annotations

import argparse
import gc
import sys

from ..metrics import GROUPS, METRICS
from ..reports.text import percent
from ..results import Report
from .terminal import Progress, colourful, complain


def score(options: argparse.Namespace) -> int:
    """``corefscope score``"""
    from ..evaluate import score as evaluate
    from ..reports import REPORTS

    gc.disable()  # documents come and go without reference cycles; looking for some costs a tenth of the time
    progress = Progress()
    try:
        report = evaluate(
            options.key,
            options.response,
            match=options.match,
            zeros=options.zeros,
            singletons=options.singletons,
            rules=options.rules,
            metrics=options.metrics,
            compare_rules=not (options.no_rules_note or options.rules == "corrected"),
            progress=None if options.quiet else progress,
        )
    finally:
        progress.close()
    if not options.quiet:
        for warning in report.warnings:
            complain("warning", warning)
        _note_on_rules(report)
    sys.stdout.write(REPORTS[options.format](report, options.per_document, colourful(sys.stdout)))
    return 0


def _note_on_rules(report: Report) -> None:
    """One line if the corrected rules give another CoNLL score."""
    other = report.alternative
    if other is None or abs(other.ours - other.conll) < 1e-9:
        return
    complain(
        "note",
        f"CoNLL is {percent(other.ours)} under rules {report.options.rules}"
        f" but {percent(other.conll)} under {other.rules} (--no-rules-note silences this)",
    )


def metrics(options: argparse.Namespace) -> int:  # noqa: ARG001
    """``corefscope metrics``"""
    width = max(map(len, METRICS))
    for metric in METRICS.values():
        print(f"{metric.name.ljust(width)}  {metric.title}: {metric.summary}")
    print()
    for name, members in GROUPS.items():
        print(f"group {name}: {', '.join(members)}")
    return 0
