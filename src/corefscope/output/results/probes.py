"""Layouts of probes of pronoun resolution: GAP, and accuracies by condition."""

from __future__ import annotations

from ...comparison.gap import BIAS, NAME_MATCHES, GapReport
from ...comparison.probe import METRIC, ProbeReport
from ...comparison.resampling import ENOUGH
from ...core.errors import amount
from ..layout import Cell, Layout, Sheet
from ..text import percent
from .score import NOTHING
from .systems import difference_cell, method

PERCENT = "GAP: recall, precision and F1 in percent, and counts of decisions; the bias is a ratio"


def lay_out_gap(result: GapReport, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """Overall, masculine and feminine pronouns as rows, then the bias."""
    level = f"{100 * result.plan.level:g} % interval"
    rows = []
    for group, score in result.items():
        found = result.intervals[group]
        interval = NOTHING if found is None else f"{percent(found.low)}–{percent(found.high)}"
        rows.append(
            [group.capitalize(), *map(percent, (score.recall, score.precision, score.f1)), interval, *map(str, score)]
        )
    ends = result.intervals[BIAS]
    interval = NOTHING if ends is None else f"{ends.low:.3f}–{ends.high:.3f}"
    bias = NOTHING if result.bias is None else f"{result.bias:.3f}"
    rows.append(["Bias (F/M)", "", "", bias, interval, "", "", "", ""])
    sheets = [Sheet.of(["GAP", "R", "P", "F1", level, "TP", "FP", "FN", "TN"], rows, caption=PERCENT)]
    if per_document:
        shown = {True: "TRUE", False: "FALSE", None: NOTHING}
        decisions = [
            [one.example, one.name, one.gender, shown[one.key], shown[one.response], one.outcome.upper()]
            for one in result.decisions
        ]
        sheets.append(Sheet.of(["Example", "Name", "Gender", "Key", "Response", ""], decisions, left=5))
    by = {"table": "a table of decisions"}.get(result.by, f"TRUE is {NAME_MATCHES.get(result.by)}")
    notes = [f"{amount(len(result.decisions), 'decision')}, {result.missing:,} missing; response: {by}"]
    if len(result.decisions) < 2 * ENOUGH:
        notes.append(f"only {amount(len(result.decisions) // 2, 'example')}: intervals are too narrow")
    return Layout(sheets, [result.signature], notes, PERCENT)


def lay_out_probe(result: ProbeReport, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """Conditions as rows; with ``per_document`` pairs of documents first."""
    comparison, names = result.comparison, result.conditions
    rows = []
    for name in names:
        ends = result.interval(name)
        interval = f"[{percent(ends.low)}, {percent(ends.high)}]" if ends else ""
        cells = [Cell(name), *(Cell(f"{number:,}") for number in result.counts(name))]
        rows.append([*cells, Cell(percent(result.accuracy(name)), note=interval)])
    head = ["Condition", "Right", "Pronouns", "Accuracy"]
    if comparison.study and len(names) > 1:
        head.append(f"− {names[0]}")
        for name, row in zip(names, rows, strict=True):
            row.append(difference_cell(comparison, comparison.study, name, METRIC))
    caption = "Accuracy over annotated pronouns, in percent"
    sheets = [Sheet(head, rows, caption=caption)]
    if per_document:
        by_pair = [
            [pair, *(f"{right} of {pronouns}" for right, pronouns in of.values())]
            for pair, of in result.pairs.items()
        ]
        sheets.insert(0, Sheet.of(["Right", *names], by_pair))
    notes = [f"{amount(len(result.pairs), 'pair')}, {result.all_right:,} right in every condition"]
    if len(names) == 1:
        notes = [amount(len(result.pairs), "document")]  # nothing is paired
    return Layout(
        sheets, [result.signature], [*method(comparison, METRIC, "accuracy"), *notes, *comparison.notes], caption
    )
