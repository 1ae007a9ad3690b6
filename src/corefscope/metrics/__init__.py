"""The catalogue of metrics: one row each, in the order in which reports show them."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import OptionError
from .anaphors import ZERO
from .b_cubed import B_CUBED
from .base import Metric
from .blanc import BLANC
from .ceaf import CEAFE, CEAFM
from .conll import CONLL
from .lea import LEA
from .mentions import MENTIONS
from .muc import MUC
from .overlap import MOR

METRICS: dict[str, Metric] = {
    metric.name: metric for metric in (MUC, B_CUBED, CEAFE, CEAFM, BLANC, LEA, MOR, ZERO, MENTIONS, CONLL)
}

GROUPS: dict[str, tuple[str, ...]] = {
    "corefud": ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "mor", "zero", "mentions", "conll"),
    "conll": ("muc", "bcub", "ceafe", "conll"),
}


def select(names: str | Iterable[str]) -> tuple[str, ...]:
    """The metrics that a name, a group, a comma-separated string or a list of these stands for.

    >>> select("conll"), select("lea,muc"), select(["conll", "lea"])
    (('muc', 'bcub', 'ceafe', 'conll'), ('lea', 'muc'), ('muc', 'bcub', 'ceafe', 'conll', 'lea'))
    """
    wanted = names.split(",") if isinstance(names, str) else list(names)
    wanted = [name.strip() for name in wanted]
    unknown = [name for name in wanted if name not in METRICS and name not in GROUPS]
    if unknown or not wanted:
        raise OptionError.unknown("metric", unknown or [""], [*GROUPS, *METRICS])
    found: dict[str, None] = {}
    for name in wanted:
        found.update(dict.fromkeys(GROUPS.get(name, (name,))))
    return tuple(found)


def counted(names: Iterable[str]) -> tuple[Metric, ...]:
    """The metrics whose counts are needed for these: parts instead of what is made from them."""
    needed: dict[str, None] = {}
    for name in names:
        needed.update(dict.fromkeys(METRICS[name].parts or (name,)))
    return tuple(METRICS[name] for name in needed)
