"""What a file holds: documents, words, mentions, entities, and how mentions and chains are built.

A mention is the *set* of its words and empty nodes, here as elsewhere. It is **nested** if it is a proper subset of
another, and it **crosses** another if the two share a word and neither holds the other; so a mention in the gap of a
discontinuous one does neither. Both count mentions, not pairs. Mentions of the same words are **repeated** from the
second on, in whichever entity they stand.
"""

from __future__ import annotations

import os
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, fields
from itertools import chain, count
from typing import Any, NamedTuple

from ..base.document import Document
from ..base.errors import Warnings
from ..base.numbers import ratio
from ..base.positions import runs_of
from ..read.formats import open_reader
from ..read.source import path_name

SCHEMA = "corefscope-stats-1"
Histogram = Counter[int]  # how often each length occurs

Runs = tuple[tuple[int, int], ...]
"""A span by its unbroken parts, (first, last) in nodes of the document: equal if the sets of nodes are."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts of one document or of several: ``+`` adds them up.

    A figure is None where it cannot be told: what needs words, if the format has none (clusters, tables), and
    ratios with nothing to divide by.
    """

    documents: int = 0
    sentences: int | None = 0
    words: int | None = 0
    """Without empty nodes."""
    zeros: int | None = 0
    """Mentions headed by an empty node."""
    discontinuous: int | None = 0
    nested: int | None = 0
    """Mentions whose words are a proper part of another mention's."""
    crossing: int | None = 0
    """Mentions that share words with another one, and neither holds the other."""
    crossing_same_entity: int | None = 0
    """Those that cross a mention of their own entity."""
    repeated: int = 0
    """Mentions of the same words as one that was counted before."""
    chain_lengths: Histogram = field(default_factory=Counter)
    """Entities by their number of mentions."""
    span_lengths: Histogram | None = field(default_factory=Counter)
    """Mentions by their number of words and empty nodes."""
    entity_types: Counter[str] = field(default_factory=Counter)
    """Entities by their type; those without one are left out."""

    @property
    def mentions(self) -> int:
        """How often entities are mentioned."""
        return sum(length * times for length, times in self.chain_lengths.items())

    @property
    def entities(self) -> int:
        """How many entities there are, singletons included."""
        return sum(self.chain_lengths.values())

    @property
    def singletons(self) -> int:
        """Entities of one mention."""
        return self.chain_lengths[1]

    @property
    def mentions_per_100_words(self) -> float | None:
        """100 · mentions / words"""
        return ratio(100 * self.mentions, self.words) if self.words else None

    @property
    def coreference_rate(self) -> float | None:
        """|E| / |P_K|: distinct mentions per entity (Popescu-Belis 2000), the mean chain length if none repeats."""
        return ratio(self.mentions - self.repeated, self.entities) if self.entities else None

    @property
    def chain_length(self) -> ChainLengths:
        """How long chains are, singletons included."""
        return ChainLengths.of(self.chain_lengths)

    @property
    def chain_length_without_singletons(self) -> ChainLengths:
        """How long chains of two mentions or more are."""
        return ChainLengths.of(Counter({length: times for length, times in self.chain_lengths.items() if length > 1}))

    def __add__(self, other: Statistics) -> Statistics:
        pairs = [(getattr(self, part.name), getattr(other, part.name)) for part in fields(Statistics)]
        sums: list[Any] = [None if None in pair else pair[0] + pair[1] for pair in pairs]
        return Statistics(*sums)

    def to_dict(self) -> dict[str, Any]:
        """All figures as plain values, unrounded; the schema ``corefscope-stats-1`` describes them."""
        return {
            **{name: getattr(self, name) for name in COUNTS},
            "mentions_per_100_words": self.mentions_per_100_words,
            "coreference_rate": self.coreference_rate,
            "chain_length": self.chain_length._asdict(),
            "chain_length_without_singletons": self.chain_length_without_singletons._asdict(),
            "chain_lengths": {str(length): often for length, often in sorted(self.chain_lengths.items())},
            "span_lengths": self.span_lengths
            and {str(length): often for length, often in sorted(self.span_lengths.items())},
            "entity_types": dict(sorted(self.entity_types.items(), key=lambda item: (-item[1], item[0]))),
        }


COUNTS = (  # the figures that are whole numbers
    *("documents", "sentences", "words", "mentions", "entities", "singletons"),
    *("zeros", "discontinuous", "nested", "crossing", "crossing_same_entity", "repeated"),
)


class ChainLengths(NamedTuple):
    """How long the chains of some entities are; None if there are none."""

    mean: float | None
    median: float | None
    max: int | None

    @classmethod
    def of(cls, lengths: Histogram) -> ChainLengths:
        """From the number of entities of each length.

        >>> ChainLengths.of(Counter({1: 2, 2: 1, 6: 1}))
        ChainLengths(mean=2.5, median=1.5, max=6)
        """
        order = sorted(lengths.elements())
        if not order:
            return cls(None, None, None)
        middle = order[(len(order) - 1) // 2] + order[len(order) // 2]
        return cls(ratio(sum(order), len(order)), ratio(middle, 2) if middle % 2 else middle // 2, order[-1])


class FileStatistics(NamedTuple):
    """The statistics of a file, document by document."""

    path: str
    format: str
    documents: list[tuple[str, Statistics]]

    @property
    def total(self) -> Statistics:
        """That of all documents."""
        return sum((statistics for _, statistics in self.documents), Statistics())

    def to_dict(self, per_document: bool = False) -> dict[str, Any]:
        """As plain values."""
        found: dict[str, Any] = {"path": self.path, "format": self.format, "statistics": self.total.to_dict()}
        documents = [{"id": name, "statistics": each.to_dict()} for name, each in self.documents if per_document]
        return {**found, "documents": documents} if per_document else found


def stats(path: str | os.PathLike[str], file_format: str | None = None) -> Statistics:
    """The statistics of a file, in the format that is named or else recognised."""
    return file_statistics(path, file_format).total


def file_statistics(
    path: str | os.PathLike[str], file_format: str | None = None, warnings: Warnings | None = None
) -> FileStatistics:
    """The statistics of each document of a file; documents are read one at a time."""
    name, reader = open_reader(path, file_format, Warnings() if warnings is None else warnings)
    try:
        documents = [(document.id, document_statistics(document)) for document in reader]
    finally:
        reader.source.close()
    return FileStatistics(path_name(path), name, documents)


def document_statistics(document: Document) -> Statistics:
    """The statistics of one document."""
    chains = Counter(map(len, document.entities))
    types = Counter(filter(None, document.entity_types))
    if document.entities and not document.sentences:
        names = [mention.positions for entity in document.entities for mention in entity]
        repeated = len(names) - len(set(names))
        return Statistics(1, None, None, None, None, None, None, None, repeated, chains, None, types)
    ranks = _ranks(document)
    entities = [[_runs(mention.positions, ranks) for mention in entity] for entity in document.entities]
    times = Counter(chain.from_iterable(entities))
    nested, crossing = overlapping(times)
    return Statistics(
        documents=1,
        sentences=len(document.sentences),
        words=sum(len(sentence.words) for sentence in document.sentences),
        zeros=sum(mention.is_zero for entity in document.entities for mention in entity),
        discontinuous=sum(times[span] for span in times if len(span) > 1),
        nested=sum(times[span] for span in nested),
        crossing=sum(times[span] for span in crossing),
        crossing_same_entity=sum(_crossing_within(entity, crossing) for entity in entities) if crossing else 0,
        repeated=times.total() - len(times),
        chain_lengths=chains,
        span_lengths=Counter(map(_length, times.elements())),
        entity_types=types,
    )


def overlapping(spans: Iterable[Runs]) -> tuple[set[Runs], set[Runs]]:
    """Which of these distinct spans are nested in another one, and which cross another one.

    Unbroken spans are swept from left to right and back, in n log n steps. Broken ones are compared with the spans
    that share a word with them, and no others.
    """
    spans = list(spans)
    broken = [at for at, span in enumerate(spans) if len(span) > 1]
    unbroken = [span[0] for span in spans if len(span) == 1]
    inside, cut_on_the_left = _sweep(unbroken)
    _, cut_on_the_right = _sweep([(-last, -first) for first, last in unbroken])
    nested: set[Runs] = {(span,) for span in inside}
    crossing: set[Runs] = {(span,) for span in cut_on_the_left}
    crossing |= {((-last, -first),) for first, last in cut_on_the_right}
    if broken:
        _compare(spans, broken, nested, crossing)
    return nested, crossing


def _sweep(spans: list[tuple[int, int]]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Of unbroken spans, those inside another, and those in whose middle another ends that began before them."""
    inside, cut = [], []
    ends: list[int] = []  # of the spans that have begun, in order
    still_open = 0
    for first, last in sorted(spans, key=lambda span: (span[0], -span[1])):
        still_open = bisect_left(ends, first, still_open)
        at = bisect_left(ends, last, still_open)
        if at > still_open:
            cut.append((first, last))
        if at < len(ends):
            inside.append((first, last))
        if at == len(ends) or ends[at] != last:
            ends.insert(at, last)
    return inside, cut


def _compare(spans: list[Runs], broken: list[int], nested: set[Runs], crossing: set[Runs]) -> None:
    """Find what is nested and what crosses among pairs with a broken span."""
    nodes = sorted(set(chain.from_iterable(_nodes(spans[at]) for at in broken)))
    holders: dict[int, list[int]] = {node: [] for node in nodes}
    for at, span in enumerate(spans):
        for first, last in span:
            for node in nodes[bisect_left(nodes, first) : bisect_right(nodes, last)]:
                holders[node].append(at)
    sizes = list(map(_length, spans))
    for at in broken:
        common = Counter(chain.from_iterable(holders[node] for node in _nodes(spans[at])))
        del common[at]
        for other, shared in common.items():
            if shared < sizes[at] and shared < sizes[other]:
                crossing |= {spans[at], spans[other]}
            else:
                nested.add(spans[at] if shared == sizes[at] else spans[other])


def _crossing_within(entity: list[Runs], crossing: Collection[Runs]) -> int:
    """How many mentions of an entity cross another of it."""
    times = Counter(span for span in entity if span in crossing)
    return sum(times[span] for span in overlapping(times)[1]) if len(times) > 1 else 0


def _ranks(document: Document) -> dict[int, int]:
    """The number of each word and empty node, counted through the document."""
    ranks: dict[int, int] = {}
    for sentence in document.sentences:
        ranks.update(zip(sentence.nodes, count(len(ranks))))
    return ranks


def _runs(positions: tuple[int, ...], ranks: dict[int, int]) -> Runs:
    first, last = ranks[positions[0]], ranks[positions[-1]]
    if last - first + 1 == len(positions) == len(set(positions)):
        return ((first, last),)
    return tuple(runs_of(ranks[place] for place in positions))


def _nodes(span: Runs) -> Iterable[int]:
    return chain.from_iterable(range(first, last + 1) for first, last in span)


def _length(span: Runs) -> int:
    return sum(last - first + 1 for first, last in span)
