"""Scores of parts of the data: of pronouns, of long chains, of one genre.

A slice holds the mentions with one value of a dimension (:mod:`.features`), and its score is that of both partitions
restricted to them: entities keep only mentions of the slice, those without any are gone, and counterparts stay
counterparts. A response mention that has a counterpart belongs to the slice of that key mention, so that no
pair is torn apart; one that has none belongs to the slice of its own annotation. The alignment is that of the
whole document, and entities that are left with one mention stay, whatever is done with singletons before: of an
entity with one pronoun, that pronoun is in the slice of pronouns. Where mentions stand in several entities, or
counterparts are not mutual, the slice has what the owner has, and what is mutual.

``document`` and ``genre=REGEX`` divide documents instead; their scores are the ordinary ones.

A metric for which the key has nothing to count in a slice, as MUC where entities have but one mention left (the first
ones), has no score there, nor has one that is made from it.

The **worst slices** are those that pull the score down most: the points by which they stay below the overall score
times their share of all mentions. A slice is no cause: those of different dimensions overlap, and a score over fewer
mentions is another one even of the same quality.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...base.errors import OptionError
from ...base.numbers import headline, ratio
from ...count.metrics import METRICS, counted
from ...count.metrics.base import RECALL_PRECISION
from ...evaluate.options import Options
from ...evaluate.results import Report, Rows, Scores, Tally
from .annotated import Annotated
from .features import DIMENSIONS, Values
from .pairing import Pairing
from .parts import Parts, Row

OF_DOCUMENTS = {
    "document": "each document",
    "genre": "documents by what a regular expression finds in their ids: genre=REGEX",
}
NO_GENRE = "none"


class Slice(NamedTuple):
    """One part of the data and its scores."""

    by: str
    value: str
    report: Report
    documents: int
    """That have such mentions."""
    key_mentions: int
    response_mentions: int
    share: float
    """Of the mentions of both sides."""
    intervals: dict[str, tuple[float, float]]
    """95 % bootstrap intervals of the headline figures of metrics, where they were asked for and can be had."""

    def with_intervals(self, metrics: Iterable[str] | None = None, resamples: int | None = None) -> Slice:
        """The same with intervals of those metrics that have a score here, unless too few documents take part."""
        from ..resampling import DEFAULT, FEW, headline_of, intervals

        names = [name for name in metrics or self.report if score_of(self.report, name) is not None]
        if self.documents < FEW or not names:
            return self

        found = intervals(self.report, names, resamples=resamples or DEFAULT.resamples)
        return self._replace(intervals={name: (*headline_of(figures),) for name, figures in found.items()})


class Weakness(NamedTuple):
    """A slice that pulls the score down."""

    slice: Slice
    score: float
    below: float
    """The overall score minus that of the slice."""
    weight: float
    """``below`` times the share of the slice."""


def score_of(scores: Scores, metric: str) -> float | None:
    """The headline figure of a metric, if it has anything to count."""
    parts = counted([metric])
    return None if any(_counts_nothing(scores, part.name) for part in parts) else headline(scores[metric])


def _counts_nothing(scores: Scores, metric: str) -> bool:
    """Whether the key has nothing to count; of metrics that do not say what the key has, whether neither side has."""
    fields = METRICS[metric].fields
    counts = scores.counts(metric)
    relevant = fields[1:2] if fields == RECALL_PRECISION else fields
    return not any(counts[field] for field in relevant)


def worst(overall: Report, slices: Iterable[Slice], metric: str, limit: int = 5) -> list[Weakness]:
    """The slices that pull a score down most, the worst first."""
    level = headline(overall[metric])
    found = []
    for part in slices:
        score = score_of(part.report, metric)
        if score is not None and score < level:
            found.append(Weakness(part, score, level - score, (level - score) * part.share))
    return sorted(found, key=lambda weakness: -weakness.weight)[:limit]


class Slicer:
    """Divides documents by one dimension, one document at a time."""

    def __init__(self, by: str, options: Options, metrics: Sequence[str], parts: Parts | None = None) -> None:
        """``parts`` counts for several slicers what is the same part of a document for all of them."""
        self.by = by
        self._names = tuple(metrics)
        self._parts = parts or Parts(counted(metrics), options.rules)
        name, _, pattern = by.partition("=")
        if by not in (*DIMENSIONS, "document") and not (name == "genre" and pattern):
            raise OptionError.unknown("dimension", [by], (*DIMENSIONS, "document", "genre=REGEX"))
        self._pattern = _compiled(pattern) if pattern else None
        self._dimension = DIMENSIONS.get(by)
        self._rows: dict[str, Rows] = {}
        self._documents: list[str] = []
        self._mentions: dict[str, list[int]] = {}

    def add(self, key: Annotated, response: Annotated, pairing: Pairing, row: Row) -> None:
        """Add a document; ``row`` has its counts as scored."""
        name = key.document.id
        self._documents.append(name)
        if self._dimension is None:
            value = self._value_of(name)
            self._note(value, len(key.side.mentions), len(response.side.mentions))
            self._rows.setdefault(value, {})[name] = row
            return
        ours = self._dimension.values(key, pairing.key_members)
        theirs = self._dimension.values(response, pairing.response_members)
        theirs.update({r: ours[k] for k, r in pairing.counterparts.items()})
        by_value = _numbers(ours), _numbers(theirs)
        for value in dict.fromkeys([*by_value[0], *by_value[1]]):
            keys, responses = (numbers.get(value, []) for numbers in by_value)
            self._note(value, len(keys), len(responses))
            self._rows.setdefault(value, {})[name] = self._parts.count(pairing, keys, responses)

    def slices(self, options: Options) -> list[Slice]:
        """The slices, as scored under these options.

        Those of mentions have a row for every document, with nothing in it if the document has none of them.
        """
        every = sum(map(sum, self._mentions.values()))
        nothing = self._parts.nothing()
        found = []
        for value in self._ordered():
            tally = Tally(options._replace(subset=_named(f"{self.by}={value}")), self._names)
            rows = self._rows[value]
            for name in self._documents if self._dimension else rows:
                tally.add(name, rows.get(name, nothing))
            keys, responses = self._mentions[value]
            share = ratio(keys + responses, every)
            found.append(Slice(self.by, value, tally.report(), len(rows), keys, responses, share, {}))
        return found

    def _ordered(self) -> list[str]:
        if self.by == "document":
            return list(self._rows)
        fixed = [value for value in (self._dimension.order if self._dimension else ()) if value in self._rows]
        others = [value for value in self._rows if value not in fixed]
        return fixed + sorted(others, key=lambda value: (-sum(self._mentions[value]), value))

    def _value_of(self, document: str) -> str:
        if self._pattern is None:
            return document
        match = self._pattern.search(document)
        return (match[1 if self._pattern.groups else 0] if match else None) or NO_GENRE

    def _note(self, value: str, keys: int, responses: int) -> None:
        mentions = self._mentions.setdefault(value, [0, 0])
        mentions[0] += keys
        mentions[1] += responses


def slicers(by: Iterable[str], options: Options, metrics: Sequence[str]) -> list[Slicer]:
    """Slicers by several dimensions."""
    parts = Parts(counted(metrics), options.rules)
    return [Slicer(name, options, metrics, parts) for name in dict.fromkeys(by)]


def _numbers(values: Values) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number in sorted(values):
        found.setdefault(values[number], []).append(number)
    return found


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise OptionError(f"genre={pattern}: not a regular expression: {error}") from None


def _named(subset: str) -> str:
    """A name that a signature can hold."""
    return re.sub(r"[^\w.=+-]", "", subset)
