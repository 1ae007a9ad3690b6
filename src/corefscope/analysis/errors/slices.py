"""Scores of parts of the data: of pronouns, of long chains, of one genre.

A slice holds the mentions with one value of a dimension (``DIMENSIONS``), and its score is that of both partitions
restricted to them: entities keep only mentions of the slice, those without any are gone, and counterparts stay
counterparts. A response mention that has a counterpart belongs to the slice of that key mention, so that no
pair is torn apart; one that has none belongs to the slice of its own annotation. The alignment is that of the
whole document, and entities that are left with one mention stay, whatever is done with singletons before: of an
entity with one pronoun, that pronoun is in the slice of pronouns. Where mentions are in several entities, or
counterparts are not mutual, the slice has what the owner has, and what is mutual.

``document`` and ``genre=REGEX`` divide documents instead; their scores are the ordinary ones.

A metric for which the key has nothing to count in a slice (MUC, where entities have but one mention left) has no
score there, nor has a mean of such a metric.

The **worst slices** are those that pull the score down most: the points by which they stay below the overall score
times their share of all mentions. A slice is no cause: those of different dimensions overlap, and a score over fewer
mentions is another one even of the same quality.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, groupby
from typing import NamedTuple

from ...core.document import TYPES, Document, mention_type, text_order
from ...core.errors import OptionError
from ...core.matching.alignment import NONE, Alignment, Side
from ...core.metrics import counted
from ...core.metrics.base import RECALL_PRECISION
from ...core.numbers import headline, ratio
from ...core.options import Options
from ...core.positions import SENTENCE_SHIFT
from ...core.report import Report, Row, Rows, Scores, Tally
from ...core.steps import count
from ...formats.windows import WordNumbers
from .labels import UNKNOWN, Labels, TypedCounts, Values
from .pairing import AnnotatedSide, Pairing, aligned_by_number

Members = dict[int, list[int]]
"""Entity → the mentions it has; both are numbers."""


class Dimension(NamedTuple):
    """One row of the catalogue."""

    name: str
    title: str
    values: Callable[[AnnotatedSide, Members], Values]
    """Computes the values of the mentions of one side, from the annotation of that side."""
    order: tuple[str, ...] = ()
    """All values in the order in which they are shown; by default by size."""
    applies: Callable[[Document], bool] = lambda _: True
    """Tests whether a document can be divided; a pair is divided if one of its documents can be."""
    rest: str = ""
    """The value of what is left over, which is never a worst slice."""
    layers: tuple[str, ...] = ()
    """Layers of annotation beside identity that are shown as slices, too."""
    phrase: Callable[[str], str] = str
    """Describes the mentions with a value, for sentences."""


LENGTHS = ((1, "1"), (2, "2"), (5, "3-5"), (10, "6-10"), (None, "11+"))
DISTANCES = ((0, "0"), (1, "1"), (2, "2"), (5, "3-5"), (None, "6+"))
SPANS = ((99, "1-99"), (499, "100-499"), (1999, "500-1999"), (None, "2000+"))
SENTENCES = ((1, "1"), (5, "2-5"), (25, "6-25"), (100, "26-100"), (None, "101+"))
MENTIONS_BETWEEN = ((1, "1"), (2, "2"), (5, "3-5"), (10, "6-10"), (20, "11-20"), (None, "21+"))
FIRST, LATER = "first", "later"
ONE, SEVERAL = "one", "several"

Buckets = Sequence[tuple[int | None, str]]


def bucket(size: int, buckets: Buckets) -> str:
    """The name of the first bucket that is large enough.

    >>> bucket(4, LENGTHS), bucket(11, LENGTHS)
    ('3-5', '11+')
    """
    return next(name for largest, name in buckets if largest is None or size <= largest)


def _mentions(members: Members) -> Iterator[int]:
    return chain.from_iterable(members.values())


def _cross_document(side: AnnotatedSide, members: Members) -> Values:
    """Whether the entity is in one or in several of the documents that were joined."""
    starts = side.document.starts
    within = [bisect_right(starts, mention.first >> SENTENCE_SHIFT) for mention in side.side.mentions]
    spread = {i: ONE if len({within[n] for n in entity}) == 1 else SEVERAL for i, entity in members.items()}
    return {n: spread[i] for i, entity in members.items() for n in entity}


def _relation(side: AnnotatedSide, members: Members) -> Values:
    """The relation of which a mention is the anaphor: its kind, and its label in the annotation."""
    named = {
        mention.positions: f"{relation.kind} {relation.label}".strip()
        for relation in reversed(side.document.relations)
        for mention in relation.anaphor
    }
    return {n: named.get(side.mention(n).positions, UNKNOWN) for n in _mentions(members)}


def _entity_span(side: AnnotatedSide, members: Members) -> Values:
    """Words from the first word of the first mention of an entity to the last word of its last one."""
    words = WordNumbers(side.document)
    return _by_extent(side, members, lambda first, last: bucket(words[last] - words[first] + 1, SPANS))


def _entity_sentences(side: AnnotatedSide, members: Members) -> Values:
    """Sentences from the first mention of an entity to its last one."""
    index = {sentence.number: i for i, sentence in enumerate(side.document.sentences)}

    def value(first: int, last: int) -> str:
        return bucket(index[last >> SENTENCE_SHIFT] - index[first >> SENTENCE_SHIFT] + 1, SENTENCES)

    return _by_extent(side, members, value)


def _by_extent(side: AnnotatedSide, members: Members, value: Callable[[int, int], str]) -> Values:
    """A value for each entity, of its first and its last position; mentions that are ids have no places."""
    if not side.document.sentences:
        return dict.fromkeys(_mentions(members), UNKNOWN)
    values: Values = {}
    for entity in members.values():
        mentions = [side.mention(n) for n in entity]
        extent = min(mention.first for mention in mentions), max(mention.last for mention in mentions)
        values.update(dict.fromkeys(entity, value(*extent)))
    return values


def _distance(side: AnnotatedSide, members: Members) -> Values:
    """Sentences between the first words of a mention and of its antecedent."""
    sentences = [mention.first >> SENTENCE_SHIFT for mention in side.side.mentions]
    return _by_antecedent(side, members, lambda n, before: bucket(sentences[n] - sentences[before], DISTANCES))


def _mention_distance(side: AnnotatedSide, members: Members) -> Values:
    """Steps in the order of all mentions of the document between a mention and its antecedent."""
    rank = {n: index for index, n in enumerate(_in_text_order(side, _mentions(members)))}
    return _by_antecedent(side, members, lambda n, before: bucket(rank[n] - rank[before], MENTIONS_BETWEEN))


def _by_antecedent(side: AnnotatedSide, members: Members, value: Callable[[int, int], str]) -> Values:
    """A value for each mention and the one before it in its entity; mentions that are ids have no order."""
    if not side.document.sentences:
        return dict.fromkeys(_mentions(members), UNKNOWN)
    values: Values = {}
    for entity in members.values():
        first, *later = ordered = _in_text_order(side, entity)
        values[first] = FIRST
        values.update({n: value(n, before) for before, n in zip(ordered, later, strict=False)})
    return values


def _so_many(value: str, noun: str) -> str:
    """A bucket of numbers before a noun.

    >>> _so_many("1", "word"), _so_many("2", "word"), _so_many("3-5", "word"), _so_many("11+", "word")
    ('one word', 'two words', '3–5 words', '11 or more words')
    """
    number = {"1": "one", "2": "two"}.get(value, value.replace("-", "–").replace("+", " or more"))
    return f"{number} {noun}{'s' * (value != '1')}"


def _describe_distance(value: str, noun: str) -> str:
    """The mentions at a distance from their antecedents, in sentences or mentions."""
    named = {FIRST: "first mentions", UNKNOWN: "mentions without an order", "0": f"antecedents in the same {noun}"}
    return named.get(value) or f"antecedents {_so_many(value, noun)} back"


def _describe_extent(value: str, noun: str) -> str:
    """The mentions of entities that extend over so many words or sentences."""
    return "entities without places" if value == UNKNOWN else f"entities that span {_so_many(value, noun)}"


def _describe_relation(value: str) -> str:
    """The mentions with a value of the dimension ``relation``, among them those of a layer beside identity."""
    named = {UNKNOWN: "anaphors of no relation", "deixis": "discourse deixis"}
    return named.get(value) or f"anaphors of {value}"


def describe_slice(by: str, value: str) -> str:
    """The plain name of a slice, for everything that people read.

    >>> describe_slice("chain-length", "2"), describe_slice("distance", "0"), describe_slice("distance", "6+")
    ('entities with two mentions', 'antecedents in the same sentence', 'antecedents 6 or more sentences back')
    >>> describe_slice("document", "d1"), describe_slice("genre=^([a-z]+)", "none")
    ('document d1', 'documents without a genre')
    """
    if dimension := dimension_of(by):
        return dimension.phrase(value)
    name = by.partition("=")[0]
    return "documents without a genre" if (name, value) == ("genre", NO_GENRE) else f"{name} {value}"


def _in_text_order(side: AnnotatedSide, numbers: Iterable[int]) -> list[int]:
    return sorted(numbers, key=lambda number: text_order(side.side.mentions[number]))


LENGTH_NAMES, DISTANCE_NAMES, MENTION_DISTANCE_NAMES, SPAN_NAMES, SENTENCE_NAMES = (
    tuple([name for _, name in buckets]) for buckets in (LENGTHS, DISTANCES, MENTIONS_BETWEEN, SPANS, SENTENCES)
)
DIMENSIONS: dict[str, Dimension] = {
    row.name: row
    for row in (
        Dimension(
            *("mention-type", "kind of mention, by its head"),
            lambda side, members: {n: mention_type(side.document, side.mention(n)) for n in _mentions(members)},
            TYPES,
            phrase=lambda value: "other mentions" if value == "other" else f"{value}s",
        ),
        Dimension(
            *("entity-type", "type of the entity"),
            lambda side, members: {n: side.type_of(i) or UNKNOWN for i, entity in members.items() for n in entity},
            phrase=lambda value: f"entities of type {value}" if value != UNKNOWN else "entities without a type",
        ),
        Dimension(
            *("chain-length", "mentions of the entity"),
            lambda _, members: {n: bucket(len(entity), LENGTHS) for entity in members.values() for n in entity},
            LENGTH_NAMES,
            phrase=lambda value: f"entities with {_so_many(value, 'mention')}",
        ),
        Dimension(
            *("entity-span", "words from the first to the last mention of the entity", _entity_span, SPAN_NAMES),
            phrase=lambda value: _describe_extent(value, "word"),
        ),
        Dimension(
            *("entity-sentences", "sentences from its first to its last mention", _entity_sentences, SENTENCE_NAMES),
            phrase=lambda value: _describe_extent(value, "sentence"),
        ),
        Dimension(
            *("distance", "sentences to the antecedent", _distance, (FIRST, *DISTANCE_NAMES)),
            phrase=lambda value: _describe_distance(value, "sentence"),
        ),
        Dimension(
            *("mention-distance", "mentions to the antecedent", _mention_distance, (FIRST, *MENTION_DISTANCE_NAMES)),
            phrase=lambda value: _describe_distance(value, "mention"),
        ),
        Dimension(
            *("order", "first and later mentions of the entity"),
            lambda side, members: _by_antecedent(side, members, lambda *_: LATER),
            (FIRST, LATER),
            phrase=lambda value: "mentions without an order" if value == UNKNOWN else f"{value} mentions",
        ),
        Dimension(
            *("span-length", "words of the mention"),
            lambda side, members: {
                n: bucket(len(set(side.side.mentions[n].positions)), LENGTHS) for n in _mentions(members)
            },
            LENGTH_NAMES,
            phrase=lambda value: f"mentions of {_so_many(value, 'word')}",
        ),
        Dimension(
            *("cross-document", "documents of the entity", _cross_document, (ONE, SEVERAL)),
            phrase=lambda value: f"entities in {value} document{'s' * (value != ONE)}",
        ),
        Dimension(
            *("relation", "relation of which the mention is the anaphor", _relation),
            applies=lambda document: bool(document.relations or document.deixis),
            rest=UNKNOWN,
            layers=("deixis",),
            phrase=_describe_relation,
        ),
    )
}

LABEL = Dimension(
    *("label", "class of the entity, from the file of --labels", lambda *_: {}),
    phrase=lambda value: f"entities of class {value}" if value != UNKNOWN else "entities without a class",
)
"""The values are those of ``Labels``."""


def dimension_of(by: str) -> Dimension | None:
    """The dimension of mentions with a name; None if it divides documents."""
    return LABEL if by == LABEL.name else DIMENSIONS.get(by)


def title_of(by: str) -> str:
    """What a dimension of mentions divides by."""
    dimension = dimension_of(by)
    return dimension.title if dimension else by


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
    """Documents that have such mentions."""
    key_mentions: int
    response_mentions: int
    share: float
    """Share of the mentions of both sides; 0 for a layer beside identity, such as discourse deixis."""
    intervals: dict[str, tuple[float, float]]
    """95 % bootstrap intervals of the headline figures of metrics, if they were requested and can be computed."""

    def with_intervals(self, metrics: Iterable[str] | None = None, resamples: int | None = None) -> Slice:
        """The same with intervals of those metrics that have a score here, unless too few documents take part."""
        from ...comparison.resampling import DEFAULT, FEW, headline_of, intervals

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
    """The headline figure of a metric; None if the key has nothing to count.

    Of metrics whose counts do not tell the key apart: None if neither side has anything.
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
        dimension = dimension_of(part.by)
        is_rest = dimension is not None and part.value == dimension.rest
        is_part = 0 < part.share < 1  # neither all of the data, nor a layer beside it
        if score is not None and score < level and is_part and not is_rest:
            weak.append(Weakness(part, score, level - score, (level - score) * part.share))
    return sorted(weak, key=lambda weakness: -weakness.weight)[:limit]


class Slicer:
    """A division of documents by one dimension, one document at a time."""

    def __init__(self, by: str, options: Options, metrics: Sequence[str], labels: Labels | None = None) -> None:
        self.by = by
        self.labels: Labels | None = labels if by == LABEL.name else None
        self.typed: TypedCounts = TypedCounts()
        """Mentions and links by class, if the values are classes of a file."""
        if by == LABEL.name and labels is None:
            raise OptionError("by label needs classes of mentions: --labels FILE")
        self._names, self._metrics, self._options = tuple(metrics), counted(metrics), options
        name, _, pattern = by.partition("=")
        if by not in (*DIMENSIONS, LABEL.name, "document") and not (name == "genre" and pattern):
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
        return dimension_of(self.by)  # not stored: its functions cannot be pickled

    def add(self, key: AnnotatedSide, response: AnnotatedSide, pairing: Pairing, row: Row) -> tuple[Values, Values]:
        """Add a document; ``row`` has its counts as scored. Returns the values of mentions, if these are divided."""
        document = key.document.id
        if self._dimension is None:
            self.add_document(document, row, len(key.side.mentions), len(response.side.mentions))
            return {}, {}
        self._documents.append(document)
        if not any(self._dimension.applies(side.document) for side in (key, response)):
            return {}, {}
        if self.labels:
            own = self.labels.values(key, response, pairing)
            self.typed.add(own, pairing)
            self.typed.named |= self.labels.named(key) | self.labels.named(response)
            key_values, response_values = with_key_values(own, pairing)
        else:
            key_values, response_values = mention_values(self._dimension, key, response, pairing)
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
        self.typed.merge(other.typed)
        for value, sizes in other._mentions.items():
            self._note(value, other._rows[value], *sizes)

    def warnings(self) -> tuple[str, ...]:
        """What is odd about the file that says the values of mentions."""
        warning = self.labels.warn_of_unknown(self._documents, self.typed.named) if self.labels else ""
        return (warning,) if warning else ()

    def slices(self, options: Options) -> list[Slice]:
        """The slices, as scored under these options.

        Those of mentions have a row for every document, with nothing in it if the document has none of them.
        """
        if self.labels and not self.typed.classes:
            raise self.labels.unused()
        order, layers = (self._dimension.order, self._dimension.layers) if self._dimension else ((), ())
        mentions = sum(sum(sizes) for value, sizes in self._mentions.items() if value not in layers)
        nothing = count(aligned_by_number([], []), self._metrics, self._options)
        slices = []
        by_size = sorted(self._rows, key=lambda value: (-sum(self._mentions[value]), value))
        others = list(self._rows) if self.by == "document" else by_size
        ordered = [*order, *(value for value in others if value not in (*order, *layers)), *layers]
        for value in filter(self._rows.__contains__, ordered):
            subset = re.sub(r"[^\w.=+-]", "", f"{self.by}={value}")  # what a signature can hold
            tally = Tally(options._replace(subset=subset), self._names)
            rows = self._rows[value]
            for document in self._documents if self._dimension else rows:
                tally.add(document, rows.get(document, nothing))
            keys, responses = self._mentions[value]
            share = 0.0 if value in layers else ratio(keys + responses, mentions)
            slices.append(Slice(self.by, value, tally.report(), len(rows), keys, responses, share, {}))
        return slices

    def value_of(self, document: str) -> str:
        """The slice of a document, where documents are divided."""
        if self._pattern is None:
            return document
        match = self._pattern.search(document)
        return (match and (match[1] if self._pattern.groups else match[0])) or NO_GENRE


def mention_values(
    dimension: Dimension, key: AnnotatedSide, response: AnnotatedSide, pairing: Pairing
) -> tuple[Values, Values]:
    """The values of the mentions of both sides; a response mention with a counterpart has that of the key mention."""
    own = dimension.values(key, pairing.key_members), dimension.values(response, pairing.response_members)
    return with_key_values(own, pairing)


def with_key_values(own: tuple[Values, Values], pairing: Pairing) -> tuple[Values, Values]:
    """The values on each side; a response mention with a counterpart has that of the key mention."""
    key_values, response_values = own
    return key_values, response_values | {r: key_values[k] for k, r in pairing.counterparts.items()}


def restricted_alignment(pairing: Pairing, keys: Sequence[int], responses: Sequence[int]) -> Alignment:
    """The alignment of these mentions alone, each in the entity that owns it."""
    key_of = {pairing.counterparts[k]: k for k in keys if k in pairing.counterparts}
    key, response = pairing.key, pairing.response

    def by_owner(numbers: Sequence[int], side: Side) -> Iterator[Iterator[int]]:
        owner = side.owner.__getitem__
        return (entity for _, entity in groupby(sorted(numbers, key=owner), key=owner))

    return aligned_by_number(
        [[(key.mentions[k], k) for k in entity] for entity in by_owner(keys, key)],
        [[(response.mentions[r], key_of.get(r, NONE)) for r in entity] for entity in by_owner(responses, response)],
        (key.document, response.document),
    )


def _by_value(values: Values) -> dict[str, list[int]]:
    mentions: dict[str, list[int]] = {}
    for number in sorted(values):
        mentions.setdefault(values[number], []).append(number)
    return mentions


MOST_GENRES = 20  # more are names of documents


def genre_pattern(ids: Sequence[str]) -> str | None:
    r"""A regular expression for ``genre=``, if the ids begin with the same and go on with one of a few words.

    >>> genre_pattern(["GUM_news_a", "GUM_news_b", "GUM_novel_c", "GUM_novel_d"])
    '^GUM_([^\\W\\d_]+)'
    >>> genre_pattern(["bc/cctv/00/cctv_0000", "bc/cnn/00/cnn_0000", "nw/wsj/00/wsj_0001", "nw/wsj/00/wsj_0002"])
    '^([^\\W\\d_]+)'

    Each genre must have two documents on average, and a word of its own: here each document would be one.

    >>> genre_pattern(["news", "novel"]), genre_pattern(["d1", "d2", "d3", "d4"])
    (None, None)
    """
    if not ids:
        return None
    first, last = min(ids), max(ids)  # what these two share, all do
    shared = next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    beginning = re.match(r"(?:.*[\W\d_])?", first[:shared], flags=re.DOTALL)
    pattern = "^" + re.escape(beginning[0] if beginning else "") + "([^\\W\\d_]+)"
    found = [match and match[1] for match in (re.search(pattern, name) for name in ids)]
    genres = set(found)
    return pattern if None not in genres and 1 < len(genres) <= min(MOST_GENRES, len(ids) // 2) else None
