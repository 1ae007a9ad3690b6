"""How correlations between metrics are shown."""

from __future__ import annotations

from collections.abc import Callable

from ..correlation import COEFFICIENTS, FEW, Correlation
from ..metrics import METRICS
from .grid import as_csv, as_json, grid
from .text import shown

UNDEFINED = "–"


def text(correlation: Correlation, width: int = 100) -> str:
    """A matrix for each coefficient, of which the upper half would say nothing new."""
    metrics = correlation.metrics
    titles = [METRICS[metric].title for metric in metrics]
    systems = correlation.systems
    lines = [f"Correlations between metrics over {len(systems)} systems: {', '.join(map(shown, systems))}"]
    for name, (title, _) in COEFFICIENTS.items():
        matrix = correlation.matrix(name)
        rows = [
            [titles[row], *(figure(value) if column < row else "" for column, value in enumerate(values[:-1]))]
            for row, values in enumerate(matrix)
        ][1:]
        lines += ["", *grid([title, *titles[:-1]], rows, width)]
    constant = [METRICS[metric].title for metric in metrics if correlation.value("pearson", metric, metric) is None]
    if constant:
        lines += ["", f"{UNDEFINED} is undefined: all systems score the same in {', '.join(constant)}"]
    if len(systems) < FEW:
        lines += ["", f"With fewer than {FEW} systems, chance has a large say in these figures."]
    return "\n".join([*lines, "", *correlation.signatures]) + "\n"


def figure(value: float | None) -> str:
    """A coefficient with three decimals.

    >>> figure(0.98765), figure(None)
    ('0.988', '–')
    """
    return UNDEFINED if value is None else f"{value:.3f}"


def json(correlation: Correlation, width: int = 0) -> str:  # noqa: ARG001
    """The same as plain values, unrounded; what is undefined is null."""
    return as_json(correlation.to_dict())


def csv(correlation: Correlation, width: int = 0) -> str:  # noqa: ARG001
    """One row for every two metrics; what is undefined is empty."""
    return as_csv(correlation.to_records(), " ".join(correlation.signatures))


CORRELATIONS: dict[str, tuple[str, Callable[[Correlation, int], str]]] = {
    "text": ("tables", text),
    "json": ("JSON, unrounded", json),
    "csv": ("a row for every two metrics, unrounded", csv),
}
