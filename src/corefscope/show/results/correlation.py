"""How correlations between metrics are laid out."""

from __future__ import annotations

from ...study.correlation import COEFFICIENTS, FEW, Correlation
from ..layout import Block, Layout, Sheet, Text
from .score import titles

UNDEFINED = "–"


def lay_out(correlation: Correlation, per_document: bool, width: int) -> Layout:  # noqa: ARG001
    """The lower half of a matrix for each coefficient: the upper half is the same."""
    metrics, systems = titles(correlation.metrics), correlation.systems
    blocks: list[Block] = [Text([f"Correlations between metrics over {len(systems)} systems: {', '.join(systems)}"])]
    for name, (title, _) in COEFFICIENTS.items():
        matrix = correlation.matrix(name)
        rows = [
            [metrics[row], *map(figure, matrix[row][:row]), *[""] * (len(metrics) - 1 - row)]
            for row in range(1, len(metrics))
        ]
        blocks.append(Sheet.of([title, *metrics[:-1]], rows, sparse=True))
    constant = [name for name in correlation.metrics if correlation.value("pearson", name, name) is None]
    if constant:
        message = f"{UNDEFINED} is undefined: all systems score the same in {', '.join(titles(constant))}"
        blocks.append(Text([message]))
    if len(systems) < FEW:
        blocks.append(Text([f"With fewer than {FEW} systems, chance has a large say in these figures."], wrap=False))
    return Layout(blocks, correlation.signatures)


def figure(value: float | None) -> str:
    """A coefficient with three decimals.

    >>> figure(0.98765), figure(None)
    ('0.988', '–')
    """
    return UNDEFINED if value is None else f"{value:.3f}"
