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
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from ...base.errors import OptionError
from ...base.numbers import headline, ratio
from ...count.metrics import counted
from ...count.metrics.base import RECALL_PRECISION
from ...evaluate.options import Options
from ...evaluate.results import Report, Row, Rows, Scores, Tally
from ...evaluate.steps import count
from ...match.alignment import NONE, Alignment, Side
from .annotated import Annotated
from .features import DIMENSIONS, Dimension, Values
from .pairing import Pairing
from .repair import aligned_by_number

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
    """Of the mentions of both sides; 0 of a layer of its own, as discourse deixis is: no part of what is scored."""
    intervals: dict[str, tuple[float, float]]
    """95 % bootstrap intervals of the headline figures of metrics, where they were asked for and can be had."""

    def with_intervals(self, metrics: Iterable[str] | None = None, resamples: int | None = None) -> Slice:
        """The same with intervals of those metrics that have a score here, unless too few documents take part."""
        from ..resampling import DEFAULT, FEW, headline_of, intervals

        names = [name for name in metrics or self.report if score_of(self.report, name) is not None]
        if self.documents < FEW or not names:
            return self

        by_metric = intervals(self.report, names, resamples=resamples or DEFAULT.resamples)
        return self._replace(intervals={name: (*headline_of(figures),) for name, figures in by_metric.items()})


class Weakness(NamedTuple):
    """A slice that pulls the score down."""

    slice: Slice
    score: float
    below: float
    """The overall score minus that of the slice."""
    weight: float
    """``below`` times the share of the slice."""


def score_of(scores: Scores, metric: str) -> float | None:
    """The headline figure of a metric, if it has anything to count.

    That is up to the key; of metrics that do not say what the key has, up to both sides.
    """
    for part in counted([metric]):
        counts = scores.counts(part.name)
        relevant = part.fields[1:2] if part.fields == RECALL_PRECISION else part.fields
        if not any(counts[field] for field in relevant):
            return None
    return headline(scores[metric])


def worst(overall: Report, slices: Iterable[Slice], metric: str, limit: int = 5) -> list[Weakness]:
    """The slices that pull a score down most, the worst first."""
    level = headline(overall[metric])
    weak = []
    for part in slices:
        score = score_of(part.report, metric)
        is_rest = part.by in DIMENSIONS and part.value == DIMENSIONS[part.by].rest
        is_part = 0 < part.share < 1  # neither all of the data, nor a layer beside it
        if score is not None and score < level and is_part and not is_rest:
            weak.append(Weakness(part, score, level - score, (level - score) * part.share))
    return sorted(weak, key=lambda weakness: -weakness.weight)[:limit]


class Slicer:
    """Divides documents by one dimension, one document at a time."""

    def __init__(self, by: str, options: Options, metrics: Sequence[str]) -> None:
        self.by = by
        self._names, self._metrics, self._options = tuple(metrics), counted(metrics), options
        name, _, pattern = by.partition("=")
        if by not in (*DIMENSIONS, "document") and not (name == "genre" and pattern):
            raise OptionError.unknown("dimension", [by], (*DIMENSIONS, "document", "genre=REGEX"))
        try:
            self._pattern = re.compile(pattern) if pattern else None
        except re.error as error:
            raise OptionError(f"genre={pattern}: not a regular expression: {error}") from None
        self._rows: dict[str, Rows] = defaultdict(dict)
        self._documents: list[str] = []
        self._mentions: dict[str, tuple[int, int]] = {}

    @property
    def _dimension(self) -> Dimension | None:
        return DIMENSIONS.get(self.by)  # not kept: its functions cannot be pickled

    def add(self, key: Annotated, response: Annotated, pairing: Pairing, row: Row) -> tuple[Values, Values]:
        """Add a document; ``row`` has its counts as scored. Returns the values of mentions, if these are divided."""
        document = key.document.id
        if self._dimension is None:
            self.add_document(document, row, len(key.side.mentions), len(response.side.mentions))
            return {}, {}
        self._documents.append(document)
        if not any(self._dimension.applies(side.document) for side in (key, response)):
            return {}, {}
        key_values = self._dimension.values(key, pairing.key_members)
        response_values = self._dimension.values(response, pairing.response_members)
        response_values.update({r: key_values[k] for k, r in pairing.counterparts.items()})
        keys_of, responses_of = _by_value(key_values), _by_value(response_values)
        for value in keys_of | responses_of:
            keys, responses = keys_of.get(value, []), responses_of.get(value, [])
            counts = count(restricted_alignment(pairing, keys, responses), self._metrics, self._options)
            self._note(value, {document: counts}, len(keys), len(responses))
        return key_values, response_values

    def add_layer(self, layer: str, document: str, alignment: Alignment) -> None:
        """Add a layer of annotation beside identity, if the dimension shows it."""
        if self._dimension and layer in self._dimension.layers:
            counts = count(alignment, self._metrics, self._options)
            self._note(layer, {document: counts}, len(alignment.key.mentions), len(alignment.response.mentions))

    def add_document(self, document: str, row: Row, keys: int, responses: int) -> None:
        """Add a document with so many mentions to the slice that its id says."""
        self._documents.append(document)
        self._note(self.value_of(document), {document: row}, keys, responses)

    def _note(self, value: str, rows: Rows, keys: int, responses: int) -> None:
        self._rows[value].update(rows)
        before = self._mentions.get(value, (0, 0))
        self._mentions[value] = before[0] + keys, before[1] + responses

    def merge(self, other: Slicer) -> None:
        """Add the later documents of another slicer."""
        self._documents += other._documents
        for value, sizes in other._mentions.items():
            self._note(value, other._rows[value], *sizes)

    def slices(self, options: Options) -> list[Slice]:
        """The slices, as scored under these options.

        Those of mentions have a row for every document, with nothing in it if the document has none of them.
        """
        layers = self._dimension.layers if self._dimension else ()
        mentions = sum(sum(sizes) for value, sizes in self._mentions.items() if value not in layers)
        nothing = count(aligned_by_number([], []), self._metrics, self._options)
        slices = []
        for value in self._ordered():
            subset = re.sub(r"[^\w.=+-]", "", f"{self.by}={value}")  # what a signature can hold
            tally = Tally(options._replace(subset=subset), self._names)
            rows = self._rows[value]
            for document in self._documents if self._dimension else rows:
                tally.add(document, rows.get(document, nothing))
            keys, responses = self._mentions[value]
            share = 0.0 if value in layers else ratio(keys + responses, mentions)
            slices.append(Slice(self.by, value, tally.report(), len(rows), keys, responses, share, {}))
        return slices

    def _ordered(self) -> list[str]:
        if self.by == "document":
            return list(self._rows)
        order, layers = (self._dimension.order, self._dimension.layers) if self._dimension else ((), ())
        others = sorted(self._rows.keys() - {*order, *layers}, key=lambda value: (-sum(self._mentions[value]), value))
        return [value for value in (*order, *others, *layers) if value in self._rows]

    def value_of(self, document: str) -> str:
        """The slice of a document, where documents are divided."""
        if self._pattern is None:
            return document
        match = self._pattern.search(document)
        return (match and (match[1] if self._pattern.groups else match[0])) or NO_GENRE


def restricted_alignment(pairing: Pairing, keys: Sequence[int], responses: Sequence[int]) -> Alignment:
    """The alignment of these mentions alone, each in the entity that owns it."""
    key_of = {pairing.counterparts[k]: k for k in keys if k in pairing.counterparts}
    return aligned_by_number(
        [[(pairing.key.mentions[k], k) for k in entity] for entity in _by_owner(keys, pairing.key)],
        [
            [(pairing.response.mentions[r], key_of.get(r, NONE)) for r in entity]
            for entity in _by_owner(responses, pairing.response)
        ],
        (pairing.key.document, pairing.response.document),
    )


def _by_owner(numbers: Sequence[int], side: Side) -> Iterator[Iterator[int]]:
    owner = side.owner.__getitem__
    return (entity for _, entity in groupby(sorted(numbers, key=owner), key=owner))


def _by_value(values: Values) -> dict[str, list[int]]:
    mentions: dict[str, list[int]] = {}
    for number in sorted(values):
        mentions.setdefault(values[number], []).append(number)
    return mentions
