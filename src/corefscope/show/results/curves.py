"""How the behaviour of metrics is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ...count.metrics import METRICS
from ...study.noise import PERTURBATIONS
from ...study.noise.curves import Curves
from ..columns import table, wrapped
from ..formats.delimited import signed
from ..formats.json import as_json
from ..text import shown

BARS = "▁▂▃▄▅▆▇█"


def text(curves: Curves, width: int = 100) -> str:
    """A table for each kind of noise, with a small picture of each curve."""
    lines = [f"Scores of {shown(curves.key)} with noise, in percent"]
    for kind in curves.kinds:
        row, levels = PERTURBATIONS[kind], curves.levels(kind)
        changes = curves.changes[kind][levels[-1]]
        made = f"{changes:,} change{'s' * (changes != 1)}" + (f" at {levels[-1]} %" if levels[-1] < 100 else "")
        lines += ["", *wrapped(f"{kind}: {row.title}; 100 % is {row.of} ({made})", width)]
        rows = []
        for metric in curves.metrics:
            values = curves.series(kind, metric)
            rows.append([METRICS[metric].title, sparkline(values), *(f"{100 * value:.1f}" for value in values)])
        lines += table(["", "", *(f"{level} %" for level in levels)], rows, left=2, width=width)
    return "\n".join([*lines, "", curves.signature]) + "\n"


def sparkline(values: Sequence[float]) -> str:
    """A bar for each value from 0 to 1; what is below 0 has the lowest.

    >>> sparkline([1.0, 0.75, 0.5, 0.25, 0.0, -0.5])
    '█▇▅▃▁▁'
    """
    return "".join(BARS[max(0, min(int(value * len(BARS)), len(BARS) - 1))] for value in values)


def json(curves: Curves, width: int = 0) -> str:  # noqa: ARG001
    """The same as plain values, unrounded."""
    return as_json(curves.to_dict())


def csv(curves: Curves, width: int = 0, delimiter: str = ",") -> str:  # noqa: ARG001
    """One row for each kind and level."""
    return signed(curves.to_records(), curves.signature, delimiter)


tsv = partial(csv, delimiter="\t")


CURVES: dict[str, tuple[str, Callable[[Curves, int], str]]] = {
    "text": ("tables with small curves", text),
    "json": ("JSON, unrounded", json),
    "csv": ("a row for each kind and level, unrounded", csv),
    "tsv": ("the same with tabs", tsv),
}
