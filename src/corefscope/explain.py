"""Why two scores of the same files differ: every combination of settings is tried, and those that fit are named."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from itertools import product
from math import trunc
from typing import Any, NamedTuple

from ._version import __version__
from .counts import headline, mean
from .document import MINOR_MASK, Document
from .errors import OptionError, Warnings
from .evaluate import Progress, run
from .metrics import select
from .options import CHOICES, Options
from .readers.corpora import Corpus
from .readers.pairs import Pair
from .results import Report
from .scoring import Scoring
from .transform import SAME_WORDS, with_one_owner, without_repeats

AGGREGATIONS: dict[str, str] = {"micro": "counts pooled over documents", "macro": "mean over documents"}
DUPLICATES: dict[str, str] = {"kept": "as the rules have it", "removed": "each span in one entity only, beforehand"}
EXACT_ONLY = "conll-8.01"
"""Rules that differ from ``corrected`` only in exact matches."""


class Way(NamedTuple):
    """One way to arrive at a figure."""

    metric: str
    match: str
    zeros: str
    singletons: str
    rules: str
    duplicates: str
    aggregation: str

    def __str__(self) -> str:
        return " ".join(f"{name}:{value}" for name, value in self._asdict().items())

    def differs(self, other: Way) -> dict[str, tuple[str, str]]:
        """The settings in which two ways differ, with both values."""
        pairs = zip(self._fields, self, other, strict=True)
        return {name: (ours, theirs) for name, ours, theirs in pairs if ours != theirs}


class Explanation(NamedTuple):
    """What produces each of the figures."""

    wanted: tuple[str, ...]
    """The figures as they were given; ``ours`` is the one under the default settings."""
    found: tuple[tuple[tuple[Way, float], ...], ...]
    """For each of them the ways that lead to it with their exact values, nearest to the defaults first."""
    nearest: tuple[tuple[Way, float], ...]
    """For each of them the way that comes closest."""
    tried: int
    irrelevant: tuple[str, ...]
    """Settings that make no difference to these files, and why."""

    @property
    def path(self) -> tuple[Way, Way] | None:
        """One way for each of two figures that have as much in common as can be."""
        if len(self.found) < 2 or not all(self.found):
            return None
        pairs = ((one[0], other[0]) for one, other in product(self.found[0], self.found[1]))
        return min(pairs, key=lambda pair: len(pair[0].differs(pair[1])))

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        path = self.path
        return {
            "schema": "corefscope-explanation-1",
            "version": __version__,
            "tried": self.tried,
            "irrelevant": list(self.irrelevant),
            "figures": [
                {
                    "wanted": wanted,
                    "ways": [{**way._asdict(), "value": value} for way, value in ways],
                    "nearest": {**nearest[0]._asdict(), "value": nearest[1]},
                }
                for wanted, ways, nearest in zip(self.wanted, self.found, self.nearest, strict=True)
            ],
            "differs": {name: list(pair) for name, pair in path[0].differs(path[1]).items()} if path else None,
        }


class Figure:
    """A figure as somebody quotes it: rounded, or cut off, after so many decimals."""

    def __init__(self, text: str) -> None:
        self.text = text.strip().removesuffix("%")
        try:
            value = Decimal(self.text)
        except InvalidOperation:
            raise OptionError(f"{text!r} is no number: give a score as it was printed, such as 68.42") from None
        if not value.is_finite() or not -100 <= value <= 200:
            raise OptionError(f"{text} is no score: give a percentage, or a ratio between 0 and 1")
        exponent = value.as_tuple().exponent
        decimals = -int(exponent) if isinstance(exponent, int) else 0
        self._is_ratio = abs(value) <= 1 and decimals > 2
        self.decimals = min(max(decimals, 0), 12)
        self.value = float(value)

    def distance(self, ratio: float) -> float:
        """How far a ratio is from what was quoted, in points."""
        scale = 100.0 if self._is_ratio else 1.0
        return abs(100 * ratio - scale * self.value)

    def fits(self, ratio: float) -> bool:
        """Whether the ratio is printed like this by somebody who rounds, or who cuts off."""
        value = ratio if self._is_ratio else 100 * ratio
        scale = 10.0**self.decimals
        wanted = self.value * scale
        return (
            abs(round(value, self.decimals) * scale - wanted) < 0.1 or abs(trunc(value * scale + 1e-9) - wanted) < 0.1
        )


def explain_difference(
    figures: Sequence[str | float],
    key: str | os.PathLike[str],
    response: str | os.PathLike[str],
    *,
    metrics: str | Sequence[str] = "corefud",
    key_format: str | None = None,
    response_format: str | None = None,
    progress: Progress | None = None,
) -> Explanation:
    """Search all settings for those that produce one or two figures; of one, also how it differs from ours."""
    if not 1 <= len(figures) <= 2:
        raise OptionError(f"{len(figures)} figures: give one or two")
    wanted = [Figure(str(figure)) for figure in figures]
    names = select(metrics)
    formats = key_format, response_format
    choices, irrelevant = _choices(Corpus(key, response, Warnings(), *formats))
    values: dict[Way, float] = {}
    for duplicates in choices.pop("duplicates"):
        scorings = [Scoring(options, names) for options in _grid(choices)]
        corpus = (_Once if duplicates == "removed" else Corpus)(key, response, Warnings(), *formats)
        for scoring, report in zip(scorings, run(corpus, scorings, Warnings(), progress=progress), strict=True):
            values.update(_figures(scoring.options, duplicates, report))
    ours = Way(names[-1] if "conll" not in names else "conll", *Options()[1:5], "kept", "micro")
    found = [[(way, value) for way, value in values.items() if figure.fits(value)] for figure in wanted]
    nearest = [min(values.items(), key=lambda item: figure.distance(item[1])) for figure in wanted]
    texts = [figure.text for figure in wanted]
    if len(wanted) == 1:
        own = _same_metric(found[0], ours, values)
        texts, found, nearest = [*texts, "ours"], [*found, [own]], [*nearest, own]
    ordered = [sorted(ways, key=lambda item: len(item[0].differs(ours))) for ways in found]
    return Explanation(tuple(texts), tuple(map(tuple, ordered)), tuple(nearest), len(values), tuple(irrelevant))


def _same_metric(ways: list[tuple[Way, float]], ours: Way, values: dict[Way, float]) -> tuple[Way, float]:
    """Our own figure, of the metric that the other one seems to be."""
    metrics = dict.fromkeys(way.metric for way, _ in ways)
    if metrics and ours.metric not in metrics:
        ours = ours._replace(metric=next(iter(metrics)))
    return ours, values[ours]


class _Once(Corpus):
    """The same documents with every span in one entity only."""

    def __iter__(self) -> Any:
        for pair in super().__iter__():
            yield Pair(*(with_one_owner(without_repeats(side, SAME_WORDS), SAME_WORDS) for side in pair))


def _choices(corpus: Corpus) -> tuple[dict[str, Sequence[str]], list[str]]:
    """The values that each setting can have, and the settings that cannot matter."""
    zeros = repeats = False
    documents = 0
    for pair in corpus:
        documents += 1
        zeros = zeros or any(map(_has_zeros, pair))
        repeats = repeats or any(map(_repeats, pair))
    choices: dict[str, Sequence[str]] = {**CHOICES, "duplicates": tuple(DUPLICATES)}
    irrelevant = []
    if not zeros:
        choices["zeros"] = ("dependent",)
        irrelevant.append("zeros: neither file has any")
    if not repeats:
        choices["duplicates"] = ("kept",)
        irrelevant.append("duplicates: no span stands twice")
    if documents == 1:
        irrelevant.append("aggregation: there is only one document")
    return choices, irrelevant


def _has_zeros(document: Document) -> bool:
    return any(mention.head & MINOR_MASK for entity in document.entities for mention in entity)


def _repeats(document: Document) -> bool:
    spans = [mention.positions for entity in document.entities for mention in entity]
    return len(set(spans)) < len(spans)


def _grid(choices: dict[str, Sequence[str]]) -> list[Options]:
    names = tuple(choices)
    found = [Options(**dict(zip(names, values, strict=True))) for values in product(*choices.values())]
    return [options for options in found if options.rules != EXACT_ONLY or options.match == "exact"]


def _figures(options: Options, duplicates: str, report: Report) -> Iterable[tuple[Way, float]]:
    several = len(report.documents) > 1
    for name in report:
        way = Way(name, *options[1:5], duplicates, "micro")
        yield way, headline(report[name])
        if several:
            values = [headline(scores[name]) for scores in report.documents.values()]
            yield way._replace(aggregation="macro"), mean(values)
