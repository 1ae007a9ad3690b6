"""Layouts of studies of metrics: coherence criteria, correlation over systems, and curves under noise."""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis.correlation import COEFFICIENTS, FEW, SIGNIFICANT, Correlation, CorrelationValue
from ...analysis.criteria import CRITERIA, Criteria
from ...analysis.noise import PERTURBATIONS
from ...analysis.noise.curves import Curves
from ...core.errors import amount
from ...core.metrics import METRICS
from ..layout import Block, Layout, Sheet, Text
from ..text import p_value, percent
from .score import NOTHING, titles

HEADS = [row.number for row in CRITERIA.values()]


def lay_out_criteria(result: Criteria, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """The criteria, the metrics that meet them, metrics that are never below others, and counterexamples."""
    legend = [f"  {row.number}: {row.title}" for row in CRITERIA.values()]
    rows = [
        [METRICS[name].title, *("yes" if finding.holds else "no" for finding in result.findings[name].values())]
        for name, *_ in result.same
    ]
    same = [f"  {', '.join(titles(group))}" for group in result.same if len(group) > 1]
    orders = [f"  {METRICS[more].title} ≥ {METRICS[less].title}" for more, less in result.orders]
    indulgence = "(6) no metric is always at least as indulgent as another"
    if orders:
        indulgence = "(6) always at least as indulgent, as far as was tried; no other two metrics are ordered:"
    witnesses = [  # the smallest pair that breaks a criterion; for (5), the smallest that scores 0
        [METRICS[name].title, CRITERIA[criterion].number, *finding.witness[:2], percent(finding.witness[2])]
        for name, *_ in result.same
        for criterion, finding in result.findings[name].items()
        if finding.witness
    ]
    blocks: list[Block] = [
        Text(["Coherence criteria (Popescu-Belis 2000), by their numbers; F1 or value", *legend]),
        Sheet.of(["", *HEADS], rows, left=1 + len(HEADS)),
        *([Text(["The same on one set of mentions:", *same])] if same else []),
        Text([indulgence, *orders]),
        Sheet.of(["Witness", "", "key", "response", "score"], witnesses, left=4, whole=True),
    ]
    notes = [
        f"all {result.pairs:,} kinds of pairs of partitions of up to {result.mentions} mentions that both sides have",
        f"(6) was tried on {result.larger_pairs:,} larger pairs, too; that there is no counterexample is no proof",
        "where (5) says no, 0 is never scored, and (3) holds of itself",
        "1 is perfect; of an error measure, 1 minus its value is looked at",
    ]
    return Layout(blocks, [result.signature], notes, "Coherence criteria")


UNDEFINED = "–"
NAMED = 12
"""Maximum number of systems that are named; of more, the first ones and the last are."""
LETTERS = {"recall": "R", "precision": "P", "f1": "F1"}


def lay_out_correlation(correlation: Correlation, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """One table for each coefficient, with p-values if one metric is compared with the rest."""
    systems = correlation.systems
    named = ", ".join(systems) if len(systems) <= NAMED else f"{', '.join(systems[: NAMED - 1])}, … {systems[-1]}"
    blocks: list[Block] = [Text([f"Correlations between metrics over {len(systems)} systems: {named}"])]
    for name in COEFFICIENTS:
        if correlation.against:
            blocks.append(_against(correlation, name))
        else:
            blocks += [_triangle(correlation, name, figure) for figure in correlation.figures]
    if not correlation.against:
        blocks.append(Text([f"(In brackets): p ≥ {SIGNIFICANT}, it may well be chance."], wrap=False))
    constant = [name for name in correlation.scores if correlation.value("pearson", name, name) is None]
    if constant:
        message = f"{UNDEFINED} is undefined: all systems score the same in {', '.join(titles(constant))}"
        blocks.append(Text([message]))
    if len(systems) < FEW:
        blocks.append(Text([f"With fewer than {FEW} systems, chance has a large say in these figures."], wrap=False))
    return Layout(blocks, correlation.signatures or ("published scores, without a signature",))


def _triangle(correlation: Correlation, name: str, figure: str) -> Sheet:
    """The lower half of a matrix: the upper half is the same."""
    metrics = list(correlation.scores_of(figure))
    shown = titles(metrics)
    rows = [
        [
            shown[row],
            *(_in_brackets(correlation.correlated(name, one, other, figure)) for other in metrics[:row]),
            *[""] * (len(metrics) - 1 - row),
        ]
        for row, one in enumerate(metrics)
        if row
    ]
    title = COEFFICIENTS[name].title
    if len(correlation.figures) > 1:
        title += f", {LETTERS[figure]}"
    return Sheet.of([title, *shown[:-1]], rows, sparse=True)


def _against(correlation: Correlation, name: str) -> Sheet:
    """Every other metric, with the coefficient and the p-value of each figure: Table 3 of Luo et al. (2014)."""
    head = [f"{COEFFICIENTS[name].title} with {titles([correlation.against])[0]}"]
    for figure in correlation.figures:
        head += [LETTERS[figure], "p"]
    rows = []
    for metric, title in zip(correlation.metrics, titles(correlation.metrics), strict=True):
        if metric == correlation.against:
            continue
        row = [title]
        for figure in correlation.figures:
            has_both = (correlation.against, metric) in correlation.pairs(figure)
            found = correlation.correlated(name, correlation.against, metric, figure) if has_both else None
            row += [figure_of(found), p_value(found.p) if found else UNDEFINED]
        rows.append(row)
    return Sheet.of(head, rows)


def figure_of(correlated: CorrelationValue | None) -> str:
    """A coefficient with three decimals.

    >>> figure_of(CorrelationValue(0.98765, 0.001)), figure_of(None)
    ('0.988', '–')
    """
    return UNDEFINED if correlated is None else f"{correlated.value:.3f}"


def _in_brackets(correlated: CorrelationValue | None) -> str:
    """A coefficient, in brackets if it is not significant."""
    figure = figure_of(correlated)
    return f"({figure})" if correlated and correlated.p >= SIGNIFICANT else figure


BARS = "▁▂▃▄▅▆▇█"


def lay_out_curves(curves: Curves, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """A table for each kind of noise, with a small picture of each curve."""
    title = Text([f"Scores of {curves.response or curves.key} with noise, in percent"], wrap=False)
    return Layout([title, *(_curve_sheet(curves, kind) for kind in curves.kinds)], [curves.signature])


def _curve_sheet(curves: Curves, kind: str) -> Sheet:
    noise, levels = PERTURBATIONS[kind], curves.levels(kind)
    most = levels[-1]
    changes = amount(curves.changes[kind][most], "change") + (f" at {most} %" if most < 100 else "")
    rows = []
    for metric in curves.metrics:
        figures = [report.figure(metric) for report in curves.reports[kind].values()]
        shown = [NOTHING if figure is None else f"{100 * figure:.1f}" for figure in figures]
        rows.append([METRICS[metric].title, sparkline(figures), *shown])
    title = f"{kind}: {noise.title}; 100 % is {noise.of} ({changes})"
    return Sheet.of(["", "", *(f"{level} %" for level in levels)], rows, title=title, left=2)


def sparkline(values: Sequence[float | None]) -> str:
    """A bar for each value from 0 to 1: the lowest for values below 0, a blank for None.

    >>> sparkline([1.0, 0.75, 0.5, 0.25, None, 0.0, -0.5])
    '█▇▅▃ ▁▁'
    """
    most = len(BARS) - 1
    return "".join(" " if value is None else BARS[max(0, min(int(value * len(BARS)), most))] for value in values)
