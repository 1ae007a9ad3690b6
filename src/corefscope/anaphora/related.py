"""What metrics of relations read: the counts of one document, by layer and metric."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Protocol

from ..core.metrics import METRICS
from ..core.numbers import Counts
from .aligned import Judged, PluralCounts


class Relations(Protocol):
    """What a rule set counts of two documents."""

    def counted(self, metric: str) -> PluralCounts:
        """An identity metric with plurals."""

    def bridging(self) -> dict[str, Counts]:
        """Bridging, by level: ``recognition``, ``mention``, ``entity``."""

    def non_referring(self) -> Counts:
        """Expressions that do not refer."""

    def judged(self) -> Judged:
        """All of them, relation by relation."""

    @property
    def settled(self) -> bool:
        """Whether there was nothing to choose, so that rules which count in this way align alike."""

    @property
    def deixis(self) -> Relations | None:
        """The same of the layer of discourse deixis, if there is one."""


class Related:
    """The relations of two documents, and their identity metrics without them."""

    def __init__(self, found: Relations | None, identity: Callable[[str], Counts]) -> None:
        """Nothing is found if neither document has relations; ``identity`` counts a metric by its name."""
        self._found, self._identity = found, identity
        self._deixis = found and found.deixis
        self._bridging = cache(found.bridging) if found else None

    def plural(self, metric: str) -> Counts:
        """An identity metric with plurals; without any, just that."""
        counted = self._found and self._found.counted(metric)
        return whole(metric, counted) if counted and counted.has_plurals else self._identity(metric)

    def split(self, metric: str) -> Counts:
        """The same of the elements of plurals alone."""
        counted = self._found and self._found.counted(metric)
        if not counted:
            return (0,) * (len(METRICS[metric].fields) + 2 * (metric == "blanc"))
        return split(metric, counted)

    def deixis(self, metric: str) -> Counts:
        """An identity metric over the layer of discourse deixis."""
        return whole(metric, self._deixis.counted(metric)) if self._deixis else (0,) * len(METRICS[metric].fields)

    def bridging(self, level: str) -> Counts:
        """Bridging at one level."""
        return self._bridging()[level] if self._bridging else (0, 0, 0, 0)

    def non_referring(self) -> Counts:
        """Expressions that do not refer."""
        return self._found.non_referring() if self._found else (0, 0, 0, 0)


def whole(metric: str, counted: PluralCounts) -> Counts:
    """The row of an identity metric."""
    return _of_blanc(counted.whole, counted.apart) if metric == "blanc" else counted.whole[0]


def split(metric: str, counted: PluralCounts) -> Counts:
    """The row of the elements of plurals alone."""
    if metric != "blanc":
        return counted.split[0]
    return (*_of_blanc(counted.split, counted.plurals_apart), *counted.judged)


def _of_blanc(counts: list[Counts], apart: int) -> Counts:
    """The row of BLANC, from those of its two kinds of links."""
    (both, key, _, response), (neither, key_non, _, response_non) = counts
    return both, key, response, neither, key_non, response_non, apart
