"""Counts of the Universal Anaphora scorer 1.0, quirks included.

A mention is its first and last line. With minimal spans, a key mention that has one is equal to any mention between
it and the whole mention; but dicts and sets find only mentions with the same hash, that of their own lines. So the
program finds more where it searches lists: in CEAF, anchors, and expressions that do not refer. Entities pass through
sets: repeated members count once, and members have the order of CPython's sets. The values here have the same hashes,
and are equal where those of the program are.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Protocol

from ..anaphora.plural_measures import MEASURES, Handling, PluralCounts, TwoPartitions
from ..anaphora.plurals import Partition, Plural, mentions_of, non_referring, plural_entities
from ..anaphora.relations import JudgedLink, JudgedRelations, JudgedSide, Relations
from ..core.document import Document, Mention, Relation
from ..core.matching.alignment import Alignment
from ..core.numbers import Counts
from ..core.official_sums import best_in_blocks
from ..formats.relations import anchor_of
from ..formats.ua.lines import LineNumbers

HANDLING = Handling(
    best=best_in_blocks,
    identical_first=False,
    links_together=False,
    links_from_both=False,
    judged_by_elements=False,
    running_weights=True,
)


class MinimalSpanMention:
    """A mention of a document whose mentions are compared by minimal spans."""

    __slots__ = ("_hash", "end", "high", "low", "start")

    def __init__(self, start: int, end: int, low: int | None = None, high: int = 0) -> None:
        self.start: int = start
        self.end: int = end
        self.low: int | None = low
        self.high: int = high
        self._hash = hash(frozenset((start, end)))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MinimalSpanMention):
            return NotImplemented
        if self.low is not None:
            return self.admits(other)
        return other.admits(self) if other.low is not None else (self.start, self.end) == (other.start, other.end)

    def admits(self, other: MinimalSpanMention) -> bool:
        """Whether another mention is between its minimal span and itself."""
        return self.start <= other.start <= (self.low or 0) and self.high <= other.end <= self.end


class _MentionsByStart:
    """Mentions sorted by their first line, each with the number of its group."""

    def __init__(self, groups: Iterable[Iterable[Hashable]]) -> None:
        numbered = [
            (mention, j)
            for j, group in enumerate(groups)
            for mention in group
            if isinstance(mention, MinimalSpanMention)
        ]
        self._mentions = sorted(numbered, key=lambda pair: pair[0].start)
        self._starts = [mention.start for mention, _ in self._mentions]

    def equal_to(self, mention: Hashable) -> set[int]:
        """The numbers of mentions that are equal to a mention; none for a plural."""
        if not isinstance(mention, MinimalSpanMention):
            return set()
        last = mention.start if mention.low is None else min(mention.low, mention.end)
        some = slice(bisect_left(self._starts, mention.start), bisect_right(self._starts, last))
        return {j for other, j in self._mentions[some] if mention == other}


class MinimalSpanPartition(Partition):
    """Entities of the key whose mentions have minimal spans; those of the response have none."""

    @staticmethod
    def touching(sides: Sequence[Partition], others: Sequence[Partition]) -> Iterator[list[int]]:
        """The same by equality, as lists are searched."""
        starts = _MentionsByStart(other.owner for other in others)
        for side in sides:
            yield sorted({j for mention in side.owner for j in starts.equal_to(mention)})

    def _count_shared(self, other: Partition) -> Counter[tuple[int, int]]:
        starts = _MentionsByStart(other.entities)
        return Counter(
            [(i, j) for i, entity in enumerate(self.entities) for mention in entity for j in starts.equal_to(mention)]
        )


def with_plurals(entities: Iterable[tuple[Sequence[Hashable], Plural | None]]) -> list[Sequence[Hashable]]:
    """Entities as sets that hold their plurals; those with equal plurals are one."""
    merged: list[set[Hashable]] = []
    first: dict[Plural, set[Hashable]] = {}
    for members, plural in entities:
        if plural is None:
            merged.append(set(members))
        elif plural in first:
            first[plural].update([*members, plural])
        else:
            merged.append({*members, plural})
            first[plural] = merged[-1]
    return list(map(list, merged))


class UaSide:
    """One side as the program sees it."""

    def __init__(self, document: Document, span: Callable[[Mention], Hashable], *, plurals: bool) -> None:
        """``span`` is the value by which the program compares mentions."""
        self.document = document
        self._plurals = plurals
        self._span = span
        self.entities: Partition = Partition(())
        """They hold the values of mentions, or of their counterparts on the other side."""
        self.counterparts: dict[Hashable, Hashable] = {}
        """By the value of a mention, where it is another one."""

    def refuse(self, *parts: str) -> None:
        """Raise the error at which the program stops in these parts of the document."""
        for part, error in self.document.refusals:
            if part in parts:
                raise error

    def members(self) -> list[Sequence[Hashable]]:
        """The values of the mentions of each entity, with its plural."""
        document = self.document
        entities: list[Sequence[Hashable]] = [list(map(self._span, entity)) for entity in document.entities]
        if not self._plurals:
            return entities
        plurals = {
            plural.name: Plural([tuple(map(self._span, leaf)) for leaf in plural.leaves])
            for plural in plural_entities(document)
        }
        return with_plurals(zip(entities, map(plurals.get, document.entity_ids or document.entities), strict=True))

    @cached_property
    def links(self) -> dict[Hashable, Relation]:
        """The last link of each anaphor."""
        self.refuse("bridging")
        return {self._span(r.anaphor[0]): r for r in self.document.relations if r.kind == "bridging"}

    @cached_property
    def bridging(self) -> dict[Hashable, Hashable]:
        """The anchor of each anaphor."""
        return {anaphor: self._span(anchor_of(relation)) for anaphor, relation in self.links.items()}

    @cached_property
    def non_referring(self) -> list[Hashable]:
        """The first mention of each entity that does not refer."""
        return [self._span(mentions[0]) for mentions in non_referring(self.document)]

    def judged_by(self, bridging: dict[Hashable, tuple[bool, bool]], nowhere: Sequence[Hashable]) -> JudgedSide:
        """Each relation, given the judgements of recognised anaphors, and the other side's non-referring mentions."""
        links = [
            JudgedLink(relation, anaphor, None, anaphor in bridging, *bridging.get(anaphor, (False, False)))
            for anaphor, relation in self.links.items()
        ]
        return JudgedSide(
            self.entities,
            {self.counterparts.get(span := self._span(m), span): m for m in mentions_of(self.document)},
            links,
            [(mentions[0], self._span(mentions[0]) in nowhere) for mentions in non_referring(self.document)],
        )


def _span_function(document: Document, *, minimum: bool, is_key: bool) -> Callable[[Mention], Hashable]:
    """The function from mentions to their values: a set of both ends is fast, and has the right hash."""
    lines = LineNumbers(document)
    known: dict[int, MinimalSpanMention] = {}

    def with_minimum(mention: Mention) -> MinimalSpanMention:
        """One object for a mention: if its minimum is outside of it, it is equal only to itself."""
        if id(mention) not in known:
            known[id(mention)] = MinimalSpanMention(
                *lines.span(mention), *(lines.minimum(mention) or ()) if is_key else ()
            )
        return known[id(mention)]

    def exact(mention: Mention) -> Hashable:
        start, end = lines.span(mention)
        return frozenset((start, end)) if start <= end else MinimalSpanMention(start, end)

    return with_minimum if minimum else exact


def count(
    alignment: Alignment,
    names: Container[str],
    relations: Relations | None,
    relations_of: Callable[[Document, Document], Relations],
) -> dict[str, Counts]:
    """The counts of identity metrics of these names, with plurals; none for parts of documents.

    ``relations`` are those of the same documents, if they are known already.
    """
    key, response = alignment.key.document, alignment.response.document
    if key is None or response is None or not any(metric in names for metric in MEASURES):
        return {}
    if key.entities is not alignment.key.members or response.entities is not alignment.response.members:
        return {}
    relations = relations or relations_of(key, response)
    return {metric: relations.count_plurals(metric).row(metric) for metric in MEASURES if metric in names}


class RelatedSide(Protocol):
    """One side, for counts of relations."""

    @property
    def entities(self) -> Partition:
        """Its entities."""

    @property
    def bridging(self) -> Mapping[Hashable, Hashable]:
        """The anchor of each anaphor."""

    @property
    def non_referring(self) -> Sequence[Hashable]:
        """The first mention of each entity that does not refer."""


class SideRelations:
    """Counts of the relations of two sides, as UA scorers count them."""

    def __init__(self, key: RelatedSide, response: RelatedSide, handling: Handling, path: str) -> None:
        self._sides = key, response
        self._both = TwoPartitions(key.entities, response.entities, handling, path)

    def element_counts(self, metric: str) -> Iterator[Counts]:
        """The counts of an identity metric over the elements of each two plurals that share some."""
        for view in self._both.touching.values() if any(side.entities.plurals for side in self._sides) else ():
            yield from [measure(view) for measure in MEASURES[metric]]

    @property
    def sizes(self) -> tuple[int, int]:
        """The number of mentions of the key and of the response."""
        key, response = (sum(side.entities.sizes) for side in self._sides)
        return key, response

    @property
    def matched(self) -> int:
        """The number of different mentions that both sides have."""
        key, response = (side.entities.owner.keys() for side in self._sides)
        return len(key & response)

    @property
    def empty_entities(self) -> tuple[bool, bool]:
        """Whether the key has entities without mentions, and whether the response does."""
        key, response = (0 in side.entities.sizes for side in self._sides)
        return key, response

    def count_plurals(self, metric: str) -> PluralCounts:
        """The counts of an identity metric, and those of its split antecedents."""
        return self._both.count(metric)

    def bridging(self) -> dict[str, Counts]:
        """The counts of each level."""
        right = self._right
        found = {
            "recognition": len(right),
            "mention": sum(same_mention for same_mention, _ in right.values()),
            "entity": sum(same_entity for _, same_entity in right.values()),
        }
        of_key, of_response = (len(side.bridging) for side in self._sides)
        return {level: (number, of_key, number, of_response) for level, number in found.items()}

    @cached_property
    def _right(self) -> dict[Hashable, tuple[bool, bool]]:
        """Of anaphors that both sides have, whether anchors are the same, and whether they are in one key entity."""
        (key, response), entity = (side.bridging for side in self._sides), self._sides[0].entities.owner
        both = {anaphor: (anchor, response[anaphor]) for anaphor, anchor in key.items() if anaphor in response}
        return {
            anaphor: (
                anchor == other,
                anchor == other or (anchor in entity and other in entity and entity[anchor] == entity[other]),
            )
            for anaphor, (anchor, other) in both.items()
        }

    def non_referring(self) -> Counts:
        """Mentions that do not refer."""
        key, response = (side.non_referring for side in self._sides)
        right = sum(mention in response for mention in key)
        return right, len(key), right, right + sum(mention not in key for mention in response)


class DocumentRelations(SideRelations):
    """Counts of the relations of two documents."""

    def __init__(
        self, key: UaSide, response: UaSide, handling: Handling, of_layer: Callable[[Document, Document], Relations]
    ) -> None:
        """``of_layer`` makes the relations of the layer of discourse deixis."""
        super().__init__(key, response, handling, key.document.path)
        self._key, self._response, self._handling, self._of_layer = key, response, handling, of_layer
        self.settled = False  # no other rule set counts in this way

    @property
    def deixis(self) -> Relations | None:
        """The relations of the layer of discourse deixis, if there is one."""
        key, response = self._key.document, self._response.document
        return self._of_layer(key.deixis_layer, response.deixis_layer) if key.deixis or response.deixis else None

    def judged(self) -> JudgedRelations:
        """All relations one by one."""
        key, response, right = self._key, self._response, self._right
        of_key = key.judged_by(right, response.non_referring)
        return JudgedRelations(of_key, response.judged_by(right, key.non_referring), self._handling)


def relations_of(key: Document, response: Document, *, minimum: bool, plurals: bool = True) -> DocumentRelations:
    """The relations of two documents; whether minimal spans count, and split antecedents."""
    sides = []
    for document, is_key in ((key, True), (response, False)):
        side = UaSide(document, _span_function(document, minimum=minimum, is_key=is_key), plurals=plurals)
        side.refuse("identity", *["minimum"] * (minimum and is_key), *["split"] * plurals)
        side.entities = (MinimalSpanPartition if minimum else Partition)(side.members())
        sides.append(side)
    return DocumentRelations(sides[0], sides[1], HANDLING, partial(relations_of, minimum=minimum))
