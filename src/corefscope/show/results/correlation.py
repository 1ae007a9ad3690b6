"""How correlations between metrics are shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ...count.metrics import METRICS
from ...study.correlation import COEFFICIENTS, FEW, Correlation
from ..columns import table, wrapped
from ..formats.delimited import signed
from ..formats.json import as_json
from ..text import shown

UNDEFINED = "–"


def text(correlation: Correlation, width: int = 100) -> str:
    """A matrix for each coefficient, of which the upper half would say nothing new."""
    metrics = correlation.metrics
    titles = [METRICS[metric].title for metric in metrics]
    systems = correlation.systems
    over = f"Correlations between metrics over {len(systems)} systems: {', '.join(map(shown, systems))}"
    lines = wrapped(over, width)
    for name, (title, _) in COEFFICIENTS.items():
        matrix = correlation.matrix(name)
        rows = [
            [titles[row], *(figure(value) if column < row else "" for column, value in enumerate(values[:-1]))]
            for row, values in enumerate(matrix)
        ][1:]
        lines += ["", *table([title, *titles[:-1]], rows, width=width, sparse=True)]
    constant = [METRICS[metric].title for metric in metrics if correlation.value("pearson", metric, metric) is None]
    if constant:
        said = f"{UNDEFINED} is undefined: all systems score the same in {', '.join(constant)}"
        lines += ["", *wrapped(said, width)]
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


def csv(correlation: Correlation, width: int = 0, delimiter: str = ",") -> str:  # noqa: ARG001
    """One row for every two metrics; what is undefined is empty."""
    return signed(correlation.to_records(), " ".join(correlation.signatures), delimiter)


tsv = partial(csv, delimiter="\t")


CORRELATIONS: dict[str, tuple[str, Callable[[Correlation, int], str]]] = {
    "text": ("tables", text),
    "json": ("JSON, unrounded", json),
    "csv": ("a row for every two metrics, unrounded", csv),
    "tsv": ("the same with tabs", tsv),
}
