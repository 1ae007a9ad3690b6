"""Macro averages: what counts in them, and what is missing counts as."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...base.numbers import AnyScore, Counts, mean
from ...count.metrics import METRICS, counted
from ...evaluate.results import Report, Scores

if TYPE_CHECKING:
    from .task import Scheme

ByMetric = Mapping[str, AnyScore]
"""A score by metric."""


class Averages:
    """The scores of all systems on all data sets, and their means over data sets."""

    def __init__(
        self,
        reports: Mapping[str, Mapping[str, Report]],
        datasets: Sequence[str],
        scheme: Scheme,
        empty: Mapping[str, Report] | None = None,
    ) -> None:
        """``reports`` are by system and data set; ``datasets`` are those that count.

        ``empty`` has the report of a response without entities for some data sets: what the key has to count.
        """
        self._reports, self._datasets, self._scheme = reports, tuple(datasets), scheme
        self._empty = empty or {}
        self._known: dict[tuple[str, tuple[str, ...]], ByMetric | None] = {}

    def scores(self, system: str, dataset: str) -> ByMetric | None:
        """The scores of a submission, zeros included that stand for a missing one; None if there is nothing."""
        return self._reports[system].get(dataset) or (self._lost if self._scheme.missing == "zero" else None)

    @cached_property
    def _lost(self) -> ByMetric:
        return {metric: lost(metric, self._scheme.options.rules) for metric in self._scheme.metrics}

    def is_complete(self, system: str, datasets: Sequence[str] | None = None) -> bool:
        """Whether a system has a scored submission for every data set, or for each of these."""
        return all(name in self._reports[system] for name in self._among(datasets))

    def macro(self, system: str, datasets: Sequence[str] | None = None) -> ByMetric | None:
        """By metric the mean of each figure over data sets, or over these; None if the rules allow no average."""
        asked = system, tuple(self._among(datasets))
        if asked not in self._known:
            self._known[asked] = self._averaged(*asked)
        return self._known[asked]

    def _averaged(self, system: str, datasets: Sequence[str]) -> ByMetric | None:
        scores = {name: scores for name in datasets if (scores := self.scores(system, name)) is not None}
        if not scores or (self._scheme.missing == "error" and not self.is_complete(system, datasets)):
            return None
        averages = {}
        for metric in self._scheme.metrics:
            averaged = [scores[name] for name in self.counting(metric, datasets) if name in scores]
            averages[metric] = macro_average([of[metric] for of in averaged or scores.values()])
        return averages

    def counting(self, metric: str, datasets: Sequence[str] | None = None) -> tuple[str, ...]:
        """The data sets that the average of a metric is made of: those in which some system has something to count.

        All of them if there are none.
        """
        among = self._among(datasets)
        return tuple(name for name in among if name in self._counting[metric]) or among

    def nothing(self, metric: str, datasets: Sequence[str] | None = None) -> bool:
        """Whether no system has anything to count in any data set."""
        return not any(name in self._counting[metric] for name in self._among(datasets))

    @cached_property
    def _counting(self) -> dict[str, tuple[str, ...]]:
        by_dataset = {
            name: [reports[name] for reports in (*self._reports.values(), self._empty) if name in reports]
            for name in self._datasets
        }
        return {metric: counting(by_dataset, metric) for metric in self._scheme.metrics}

    def _among(self, datasets: Sequence[str] | None) -> tuple[str, ...]:
        return self._datasets if datasets is None else tuple(datasets)


def counting(scored: Mapping[str, Sequence[Scores]], metric: str) -> tuple[str, ...]:
    """The data sets in which some system has something to count, from the scores of all systems on each.

    Of a data set that nobody was scored on, it is not known that there is nothing.
    """
    return tuple(
        name for name, scores in scored.items() if not scores or not all(one.nothing(metric) for one in scores)
    )


def macro_average(scores: Sequence[AnyScore]) -> AnyScore:
    """The unweighted mean over data sets of recall, precision and F1, each for itself; a direction is lost.

    >>> from corefscope.base.numbers import Score
    >>> macro_average([Score(0.5, 1.0, 0.75), Score(0.0, 0.5, 0.25)])
    Score(recall=0.25, precision=0.75, f1=0.5)
    """
    return _like(
        scores[0], ("" if isinstance(values[0], str) else mean(values) for values in zip(*scores, strict=True))
    )


def lost(metric: str, rules: str) -> AnyScore:
    """What a submission scores that is not there: 0, or the worst there is where a perfect response has 0.

    That may be infinite, and then so is the average; JSON has null for it.

    >>> lost("muc", "corefud-1.2"), lost("d_err", "corefud-1.2").value
    (Score(recall=0.0, precision=0.0, f1=0.0), 1.0)
    """
    row = METRICS[metric]
    nothing: dict[str, Counts] = {part.name: (0,) * len(part.fields) for part in counted([metric])}
    shape = Scores([metric], nothing, rules)[metric]
    worst = row.scale.range[1] if row.scale.perfect == 0 else 0.0
    return _like(shape, ("" if isinstance(value, str) else worst for value in shape))


def _like(score: AnyScore, values: Iterable[Any]) -> AnyScore:
    """A score of the same kind."""
    kind: Any = type(score)
    made: AnyScore = kind(*values)
    return made
