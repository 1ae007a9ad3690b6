"""Counts of what a format cannot hold, and of what is written instead (``losses.toml``)."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from importlib.resources import files
from typing import NamedTuple

from ..core.errors import amount


class Loss(NamedTuple):
    """One kind of annotation that some format has no place for."""

    one: str
    many: str
    instead: str
    """Description of the text that is written in its place."""
    changes_scores: bool = True
    """Whether a score can change by it, under some way of matching; such a loss is refused unless allowed."""


_CATALOGUE = tomllib.loads((files(__package__) / "losses.toml").read_text(encoding="utf-8"))
LOSSES: dict[str, Loss] = {name: Loss(**entry) for name, entry in _CATALOGUE.items()}


class Losses:
    """Counts of lost annotation, by kind.

    >>> losses = Losses()
    >>> losses.add("zeros", 1200)
    >>> losses.add("heads")
    >>> losses.add("types", 2)
    >>> losses.listed(losses.refused)
    '1,200 zeros, 1 head that is not the first word'
    >>> losses.noted
    {'types': 2}
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.entities = 0
        """Entities of which no mention was left."""

    def add(self, name: str, times: int = 1) -> None:
        """Count something that is lost."""
        if times:
            self.counts[name] += times

    @property
    def refused(self) -> dict[str, int]:
        """Counts of losses that can change scores."""
        return self._select(changes_scores=True)

    @property
    def noted(self) -> dict[str, int]:
        """Counts of losses that change no score."""
        return self._select(changes_scores=False)

    def _select(self, *, changes_scores: bool) -> dict[str, int]:
        wanted = [name for name, loss in LOSSES.items() if loss.changes_scores == changes_scores]
        return {name: self.counts[name] for name in wanted if self.counts[name]}

    def listed(self, counts: Mapping[str, int]) -> str:
        """Counts in words."""
        return ", ".join(amount(count, LOSSES[name].one, LOSSES[name].many) for name, count in counts.items())

    def instead(self) -> str:
        """Descriptions of the text that is written in place of what was lost."""
        return "; ".join(LOSSES[name].instead for name in self.refused)
