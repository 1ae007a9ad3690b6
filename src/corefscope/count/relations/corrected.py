"""Two documents by how their mentions are aligned: one to one, with singletons, whatever else is dropped.

Mentions that are aligned are one value here, so that entities, elements and anchors of both sides can be compared.
Nothing depends on the order of entities, on their names, or on which side is the key.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from functools import cached_property
from typing import Any

from ...base.document import Document
from ...base.mention import Mention
from ...base.numbers import Counts
from ...match.alignment import NONE, Alignment, Side
from ...match.transform import Identity, one_owner
from .aligned import PluralCounts, TwoPartitions
from .elements import anchor_of, bridging_links, mentions_of, non_referring, plural_entities
from .judged import Judged, JudgedLink, JudgedSide
from .partition import Partition, Plural
from .weighted import Handling

HANDLING = Handling()
Token = tuple[Any, Any, int]
"""A mention, or two that are aligned: what they are the same as, in the order of the text, and whose it is."""
BOTH, KEY, RESPONSE, BOTH_CROSSED = 0, 1, 2, 3
"""A pair whose key mention comes later is told apart from one whose response mention does: of two zeros that swap
places, each is then a pair of its own."""
APART = "\t"
"""Begins the names of entities that are there for relations only: no file has such a name."""
Link = tuple[Token, Any]
Align = Callable[[Document, Document], Alignment]


def complete(document: Document) -> Document:
    """The document with all mentions of relations among its entities: as it is aligned."""
    known = {mention for entity in document.entities for mention in entity}
    further = [*non_referring(document)]
    known.update(mention for entity in further for mention in entity)
    involved = [m for r in document.relations for entity in (r.anaphor, *r.targets) for m in entity]
    further += [(mention,) for mention in dict.fromkeys(involved) if mention not in known]
    return document._replace(
        entities=(*document.entities, *further),
        entity_ids=(*_names(document), *(f"{APART}{i}" for i in range(len(further)))),
        entity_types=(),
        official=None,
        largest_minor=0,
        repeats_words=False,
    )


def _names(document: Document) -> tuple[str, ...]:
    return document.entity_ids or tuple(map(str, range(len(document.entities))))


class _Aligned:
    """One side: its entities as sets of tokens."""

    def __init__(self, document: Document, side: Side, tokens: list[Token], identity: Identity) -> None:
        self.document = document
        self._identity = identity
        self._numbers, self._tokens = side.numbers, tokens
        assert side.document is not None
        self.entities: dict[str, list[Token]] = {
            name: [tokens[number] for number in entity]
            for name, entity in zip(side.document.entity_ids, side.entities, strict=True)
        }
        """By name."""
        self.entity_of = {token: name for name, entity in self.entities.items() for token in entity}

    def token(self, mention: Mention) -> Token:
        """What a mention is here."""
        return self._tokens[self._numbers[self._identity(mention)]]

    def partition(self, smallest: int) -> Partition:
        """Its entities with plurals; those of which too little is left are dropped."""
        entities: dict[str, set[Hashable]] = {
            name: set(entity) for name, entity in self.entities.items() if not name.startswith(APART)
        }
        merged: dict[Plural, set[Hashable]] = {}
        taken: set[str] = set()  # an entity has one plural, also where it takes the mentions of another
        # By id: an entity that refers may have the same mentions as one that does not.
        nowhere = {(*r.ids, r.anaphor)[0] for r in self.document.relations if r.kind == "non-referring"}
        by_place = sorted(
            [plural for plural in plural_entities(self.document) if plural.name not in nowhere],
            key=lambda plural: sorted({m.positions for leaf in plural.leaves for m in leaf}),
        )
        for plural in by_place:
            name = plural.name if plural.name in entities else self.entity_of[self.token(plural.mentions[0])]
            if name in entities and name not in taken:
                taken.add(name)
                value = Plural(_disjoint(map(self.token, leaf) for leaf in plural.leaves))
                entities[name].add(value)
                if merged.setdefault(value, entities[name]) is not entities[name]:
                    merged[value] |= entities.pop(name)
        return Partition([list(entity) for entity in entities.values() if len(entity) >= smallest])

    def links(self) -> tuple[set[Link], set[Link]]:
        """The anaphor of each bridging link with its anchor, and with the entity of its anchor."""
        links = [(self.token(anaphor), self.token(anchor)) for anaphor, anchor in bridging_links(self.document)]
        return set(links), {(anaphor, self.entity_of[anchor]) for anaphor, anchor in links}

    def best_for(self, tokens: Iterable[Token]) -> str | None:
        """The entity that holds most of some mentions, of several the one of the earliest; None if none does."""
        held = Counter([self.entity_of[token] for token in sorted(tokens, key=_place) if token in self.entity_of])
        return max(held, key=held.__getitem__, default=None)

    def non_referring(self) -> set[Token]:
        """All mentions that do not refer."""
        return {self.token(mention) for mentions in non_referring(self.document) for mention in mentions}

    def judged_by(self, other: _Aligned, partition: Partition) -> JudgedSide:
        """Each relation, and whether the other side has it."""
        to_mentions, to_entities = other.links()
        anaphors, nowhere = {anaphor for anaphor, _ in to_mentions}, other.non_referring()
        links = []
        for relation in self.document.relations:
            if relation.kind == "bridging":
                of, to = self.token(relation.anaphor[0]), self.token(anchor_of(relation))
                entity = self.entity_of[to]
                same_entity = (of, other.best_for(self.entities[entity])) in to_entities
                links.append(JudgedLink(relation, of, entity, of in anaphors, (of, to) in to_mentions, same_entity))
        without = {self.token(mention): mention for mentions in non_referring(self.document) for mention in mentions}
        return JudgedSide(
            partition,
            {self.token(mention): mention for mention in mentions_of(self.document)},
            links,
            [(mention, token in nowhere) for token, mention in without.items()],
        )


def _place(token: Token) -> tuple[Any, ...]:
    """What sorts mentions as they stand in the text: by first word, the longer one first."""
    first, last, *_ = token[0]
    return first, -last, token


def _disjoint(leaves: Iterable[Iterable[Token]]) -> list[tuple[Token, ...]]:
    """Elements that share no mention: the larger one keeps it, as everywhere."""
    listed = sorted((sorted(set(leaf)) for leaf in leaves), key=lambda leaf: (-len(leaf), leaf))
    owned = one_owner(listed, range(len(listed)))
    return [tuple(leaf[n] for n in kept) for leaf, kept in zip(listed, owned, strict=True) if kept]


class CorrectedRelations:
    """What is counted of two documents."""

    def __init__(self, key: Document, response: Document, align: Align, identity: Identity, smallest: int) -> None:
        """``smallest`` is how many members an entity must have to count; a plural is one."""
        self._documents, self._align, self._identity = (key, response), align, identity
        alignment = align(complete(key), complete(response))
        tokens = _tokens(alignment)
        self._key = _Aligned(key, alignment.key, tokens[0], identity)
        self._response = _Aligned(response, alignment.response, tokens[1], identity)
        sides = self._key.partition(smallest), self._response.partition(smallest)
        self._both = TwoPartitions(*sides, HANDLING, key.path)
        self._forced = alignment.forced and not (alignment.key.repeats or alignment.response.repeats)

    def counted(self, metric: str) -> PluralCounts:
        """The counts of an identity metric, and those of its split antecedents."""
        return self._both.counted(metric)

    @property
    def settled(self) -> bool:
        """Whether all mentions have one counterpart at most, those of deixis included."""
        return self._forced and (self.deixis is None or self.deixis.settled)

    @cached_property
    def deixis(self) -> CorrectedRelations | None:
        """The same of the layer of discourse deixis, in which singletons count."""
        if not any(document.deixis for document in self._documents):
            return None
        key, response = (document.deixis_layer for document in self._documents)
        return CorrectedRelations(key, response, self._align, self._identity, smallest=1)

    def bridging(self) -> dict[str, Counts]:
        """The counts of each level.

        An anchor's entity is identified with the one of the other side that holds most of its mentions.
        """
        key, response = self._key, self._response
        (to_mentions, to_entities), (by_mentions, by_entities) = key.links(), response.links()
        anaphors, found = ({anaphor for anaphor, _ in links} for links in (to_mentions, by_mentions))
        recalled = sum((a, response.best_for(key.entities[entity])) in by_entities for a, entity in to_entities)
        precise = sum((a, key.best_for(response.entities[entity])) in to_entities for a, entity in by_entities)
        return {
            "recognition": _in_common(anaphors, found),
            "mention": _in_common(to_mentions, by_mentions),
            "entity": (recalled, len(to_entities), precise, len(by_entities)),
        }

    def judged(self) -> Judged:
        """The same, relation by relation."""
        both, key, response = self._both, self._key, self._response
        return Judged(key.judged_by(response, both.key), response.judged_by(key, both.response), HANDLING)

    def non_referring(self) -> Counts:
        """Mentions that do not refer."""
        return _in_common(self._key.non_referring(), self._response.non_referring())


def _in_common(key: set[Any], response: set[Any]) -> Counts:
    common = len(key & response)
    return common, len(key), common, len(response)


def _tokens(alignment: Alignment) -> tuple[list[Token], list[Token]]:
    """The value of each mention of the key, and of the response."""
    key, response = alignment.key.identities, alignment.response.identities
    ours: list[Token] = [(place, place, KEY) for place in key]
    theirs: list[Token] = [(place, place, RESPONSE) for place in response]
    for k, r in enumerate(alignment.to_response):
        if r != NONE and alignment.to_key[r] == k:
            one, other = key[k], response[r]
            ours[k] = theirs[r] = (one, other, BOTH) if one <= other else (other, one, BOTH_CROSSED)
    return ours, theirs
