"""How correlations between metrics are laid out."""

from __future__ import annotations

from ...count.metrics import METRICS
from ...study.correlation import COEFFICIENTS, FEW, Correlation
from ..layout import Block, Layout, Sheet, Text

UNDEFINED = "–"


def lay_out(correlation: Correlation, per_document: bool, width: int) -> Layout:  # noqa: ARG001
    """A matrix for each coefficient, of which the upper half would say nothing new."""
    metrics, systems = correlation.metrics, correlation.systems
    titles = [METRICS[metric].title for metric in metrics]
    blocks: list[Block] = [Text([f"Correlations between metrics over {len(systems)} systems: {', '.join(systems)}"])]
    for name, (title, _) in COEFFICIENTS.items():
        rows = [
            [titles[row], *(figure(value) if column < row else "" for column, value in enumerate(values[:-1]))]
            for row, values in enumerate(correlation.matrix(name))
        ][1:]
        blocks.append(Sheet.of([title, *titles[:-1]], rows, sparse=True))
    constant = [METRICS[metric].title for metric in metrics if correlation.value("pearson", metric, metric) is None]
    if constant:
        blocks.append(Text([f"{UNDEFINED} is undefined: all systems score the same in {', '.join(constant)}"]))
    if len(systems) < FEW:
        blocks.append(Text([f"With fewer than {FEW} systems, chance has a large say in these figures."], wrap=False))
    return Layout(blocks, correlation.signatures)


def figure(value: float | None) -> str:
    """A coefficient with three decimals.

    >>> figure(0.98765), figure(None)
    ('0.988', '–')
    """
    return UNDEFINED if value is None else f"{value:.3f}"
