"""Relations of two documents: what rule sets count of them, how each relation is judged, and repaired counts.

The corrected rules align mentions one to one, singletons included, whatever else is dropped. Aligned mentions are one
value here, so that entities, elements and anchors of both sides can be compared. Nothing depends on the order of
entities, on their names, or on which side is the key.

Repaired counts are those of a metric of relations once errors of some kinds are repaired. Repairing a kind adds what
the key has lost by it, and removes what the response has wrong by it. With k lost and r wrong, both numerators gain
k, and the denominator of the precision k − r. Plurals are repaired themselves and counted again: a missing element is
put into its plural and leaves others, an extra one is taken out, missing plurals are added and extra ones removed.
With all kinds repaired a score is 1; that of plurals only if their elements have the same mentions as in the key.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Set
from functools import cache, cached_property
from typing import Any, NamedTuple, Protocol

from ..core.document import Document, Mention, Relation
from ..core.matching.alignment import NONE, Alignment, Side
from ..core.matching.assignment import assign
from ..core.matching.transform import Identity, one_owner
from ..core.metrics import METRICS
from ..core.numbers import Counts
from ..formats.relations import anchor_of
from .plural_measures import MEASURES, NO_PLURAL, Handling, PluralCounts, TwoPartitions
from .plurals import Partition, Plural, bridging_links, mentions_of, non_referring, plural_entities


class Relations(Protocol):
    """Counts of the relations of two documents under a rule set."""

    def count_plurals(self, metric: str) -> PluralCounts:
        """An identity metric with plurals."""

    def bridging(self) -> dict[str, Counts]:
        """Bridging by level: ``recognition``, ``mention``, ``entity``."""

    def non_referring(self) -> Counts:
        """Expressions that do not refer."""

    def judged(self) -> JudgedRelations:
        """All relations one by one."""

    @property
    def settled(self) -> bool:
        """Whether every alignment is forced, so that rules which count in this way agree."""

    @property
    def deixis(self) -> Relations | None:
        """The relations of the layer of discourse deixis, if there is one."""


class RelationCounts:
    """What the metrics of relations read: counts of one document by layer and metric."""

    def __init__(self, relations: Relations | None, identity: Callable[[str], Counts]) -> None:
        """``relations`` is None if neither document has any; ``identity`` counts a metric without relations."""
        self._relations, self._identity = relations, identity
        self._deixis = relations and relations.deixis
        self._bridging = cache(relations.bridging) if relations else None

    def plural(self, metric: str) -> Counts:
        """An identity metric with plurals."""
        counts = self._relations and self._relations.count_plurals(metric)
        return counts.row(metric) if counts and counts.has_plurals else self._identity(metric)

    def split(self, metric: str) -> Counts:
        """An identity metric over the elements of plurals alone."""
        if not self._relations:
            return (0,) * (len(METRICS[metric].fields) + 2 * (metric == "blanc"))
        return self._relations.count_plurals(metric).split_row(metric)

    def deixis(self, metric: str) -> Counts:
        """An identity metric over the layer of discourse deixis."""
        return self._deixis.count_plurals(metric).row(metric) if self._deixis else (0,) * len(METRICS[metric].fields)

    def bridging(self, level: str) -> Counts:
        """Bridging at one level."""
        return self._bridging()[level] if self._bridging else (0, 0, 0, 0)

    def non_referring(self) -> Counts:
        """Expressions that do not refer."""
        return self._relations.non_referring() if self._relations else (0, 0, 0, 0)


class JudgedLink(NamedTuple):
    """A bridging link of one side, compared with those of the other."""

    relation: Relation
    of: Hashable
    """A value that the same anaphor of both sides shares."""
    to: Hashable
    """A value that anchors of one entity of this side share."""
    recognised: bool
    """Whether it is an anaphor on the other side, too;"""
    same_mention: bool
    """whether it is linked to the same anchor there;"""
    same_entity: bool
    """or to one of the same entity."""

    @property
    def names_mention(self) -> bool:
        """Whether the file names the anchor itself, or only its entity."""
        return len(self.relation.targets[0]) == 1


class JudgedSide(NamedTuple):
    """The relations of one side, compared with those of the other."""

    partition: Partition
    mentions: Mapping[Hashable, Mention]
    """The mentions of the document by members of the partition."""
    links: list[JudgedLink]
    non_referring: list[tuple[Mention, bool]]
    """Expressions that do not refer, and whether they do not on the other side."""

    def in_text(self, members: Iterable[Hashable]) -> tuple[Mention, ...]:
        """The mentions among members of the partition, in the order of the text."""
        return tuple(sorted(self.mentions[member] for member in members if not isinstance(member, Plural)))

    def of_entity(self, i: int | None) -> tuple[Mention, ...]:
        """The mentions of an entity; none of no entity."""
        return () if i is None else self.in_text(self.partition.entities[i])


class JudgedPlural(NamedTuple):
    """A plural of the key, one of the response, or an aligned pair, as entities and members of the two partitions."""

    i: int | None
    j: int | None
    ours: Plural
    theirs: Plural
    missing: list[tuple[Hashable, ...]]
    """Elements of the key's plural that its counterpart lacks; all of them if it has no counterpart."""
    extra: list[tuple[Hashable, ...]]
    """Elements of the response's plural that its counterpart lacks."""


class JudgedRelations(NamedTuple):
    """The relations of two documents one by one."""

    key: JudgedSide
    response: JudgedSide
    handling: Handling

    def both(self) -> TwoPartitions:
        """The partitions of both sides, to align their plurals."""
        return TwoPartitions(self.key.partition, self.response.partition, self.handling)

    def plurals(self) -> Iterator[JudgedPlural]:
        """All plurals, aligned as for CEAFe; their elements one to one, with the most mentions in common."""
        key, response = self.key.partition, self.response.partition
        counterparts = self.both().align(MEASURES["ceafe"])[0].by_f1
        paired: set[int] = set()
        for i, ours in key.plurals.items():
            partner = counterparts.partner_or_equal(ours, response)
            if partner is None:
                yield JudgedPlural(i, None, ours, NO_PLURAL, list(ours), [])
                continue
            j = partner[0]
            paired.add(j)
            theirs = response.plurals[j]
            yield JudgedPlural(i, j, ours, theirs, *_unmatched_elements(key.leaves(ours), response.leaves(theirs)))
        for j, theirs in response.plurals.items():
            if j not in paired:
                yield JudgedPlural(None, j, NO_PLURAL, theirs, [], list(theirs))


def _unmatched_elements(
    ours: Partition, theirs: Partition
) -> tuple[list[tuple[Hashable, ...]], list[tuple[Hashable, ...]]]:
    rows: list[dict[int, float]] = [{} for _ in ours.entities]
    for (i, j), common in ours.shared_with(theirs).items():
        rows[i][j] = common
    pairs = assign(rows, len(theirs.entities))
    matched, also_matched = {i for i, _ in pairs}, {j for _, j in pairs}
    return (
        [tuple(entity) for i, entity in enumerate(ours.entities) if i not in matched],
        [tuple(entity) for j, entity in enumerate(theirs.entities) if j not in also_matched],
    )


HANDLING = Handling()
Token = tuple[Any, Any, int]
"""A mention, or two that are aligned: their identities in the order of the text, and the side."""
BOTH, KEY, RESPONSE, BOTH_CROSSED = 0, 1, 2, 3
"""A pair whose key mention comes later differs from one whose response mention does: of two zeros that swap places,
each is then a pair of its own."""
RELATION_ONLY = "\t"
"""Prefix of the names of entities that are there for relations only: no file has such a name."""
Align = Callable[[Document, Document], Alignment]


def with_mentions_of_relations(document: Document) -> Document:
    """The document as it is aligned: with all mentions of relations among its entities."""
    known = {mention for entity in document.entities for mention in entity}
    further = non_referring(document)
    known.update(mention for entity in further for mention in entity)
    involved = [m for r in document.relations for entity in (r.anaphor, *r.targets) for m in entity]
    further += [(mention,) for mention in dict.fromkeys(involved) if mention not in known]
    names = document.entity_ids or tuple(map(str, range(len(document.entities))))
    return document._replace(
        entities=(*document.entities, *further),
        entity_ids=(*names, *(f"{RELATION_ONLY}{i}" for i in range(len(further)))),
        entity_types=(),
        official=None,
        largest_minor=0,
        repeats_words=False,
    )


class _AlignedSide:
    """One side with its mentions as tokens."""

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
        """The token of a mention."""
        return self._tokens[self._numbers[self._identity(mention)]]

    def partition(self, smallest: int) -> Partition:
        """Entities with plurals; those with fewer members than ``smallest`` are dropped."""
        entities: dict[str, set[Hashable]] = {
            name: set(entity) for name, entity in self.entities.items() if not name.startswith(RELATION_ONLY)
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
                value = Plural(disjoint_elements(map(self.token, leaf) for leaf in plural.leaves))
                entities[name].add(value)
                if merged.setdefault(value, entities[name]) is not entities[name]:
                    merged[value] |= entities.pop(name)
        return Partition([list(entity) for entity in entities.values() if len(entity) >= smallest])

    def links(self) -> tuple[set[tuple[Token, Token]], set[tuple[Token, str]]]:
        """The anaphor of each bridging link with its anchor, and with the entity of its anchor."""
        links = [(self.token(anaphor), self.token(anchor)) for anaphor, anchor in bridging_links(self.document)]
        return set(links), {(anaphor, self.entity_of[anchor]) for anaphor, anchor in links}

    def best_for(self, tokens: Iterable[Token]) -> str | None:
        """The entity that holds most of some mentions; on ties, that of the earliest, then of the longest mention."""

        def place(token: Token) -> tuple[object, ...]:
            first, last, *_ = token[0]
            return first, -last, token

        held = Counter([self.entity_of[token] for token in sorted(tokens, key=place) if token in self.entity_of])
        return max(held, key=held.__getitem__, default=None)

    def non_referring(self) -> dict[Token, Mention]:
        """All mentions that do not refer."""
        return {self.token(mention): mention for mentions in non_referring(self.document) for mention in mentions}

    def judged_by(self, other: _AlignedSide, partition: Partition) -> JudgedSide:
        """Each relation, compared with those of the other side."""
        to_mentions, to_entities = other.links()
        anaphors, nowhere = {anaphor for anaphor, _ in to_mentions}, other.non_referring()
        links = []
        for relation in self.document.relations:
            if relation.kind == "bridging":
                of, to = self.token(relation.anaphor[0]), self.token(anchor_of(relation))
                entity = self.entity_of[to]
                same_entity = (of, other.best_for(self.entities[entity])) in to_entities
                links.append(JudgedLink(relation, of, entity, of in anaphors, (of, to) in to_mentions, same_entity))
        return JudgedSide(
            partition,
            {self.token(mention): mention for mention in mentions_of(self.document)},
            links,
            [(mention, token in nowhere) for token, mention in self.non_referring().items()],
        )


def disjoint_elements(leaves: Iterable[Iterable[Token]]) -> list[tuple[Token, ...]]:
    """Elements that share no mention: the larger one keeps it, as with entities."""
    listed = sorted((sorted(set(leaf)) for leaf in leaves), key=lambda leaf: (-len(leaf), leaf))
    owned = one_owner(listed, range(len(listed)))
    return [tuple(leaf[n] for n in kept) for leaf, kept in zip(listed, owned, strict=True) if kept]


class CorrectedRelations:
    """Counts of the relations of two documents under the corrected rules."""

    def __init__(self, key: Document, response: Document, align: Align, identity: Identity, smallest: int) -> None:
        """``smallest`` is the minimum number of members of an entity; a plural is one."""
        self._documents, self._align, self._identity = (key, response), align, identity
        alignment = align(*map(with_mentions_of_relations, (key, response)))
        tokens = _tokens(alignment)
        self._key = _AlignedSide(key, alignment.key, tokens[0], identity)
        self._response = _AlignedSide(response, alignment.response, tokens[1], identity)
        self._both = TwoPartitions(
            self._key.partition(smallest), self._response.partition(smallest), HANDLING, key.path
        )
        self._forced = alignment.forced and not (alignment.key.repeats or alignment.response.repeats)

    def count_plurals(self, metric: str) -> PluralCounts:
        """The counts of an identity metric, and those of its split antecedents."""
        return self._both.count(metric)

    @property
    def settled(self) -> bool:
        """Whether all mentions have one counterpart at most, those of deixis included."""
        return self._forced and (self.deixis is None or self.deixis.settled)

    @cached_property
    def deixis(self) -> CorrectedRelations | None:
        """The relations of the layer of discourse deixis, in which singletons count."""
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
            "recognition": _count_common(anaphors, found),
            "mention": _count_common(to_mentions, by_mentions),
            "entity": (recalled, len(to_entities), precise, len(by_entities)),
        }

    def judged(self) -> JudgedRelations:
        """All relations one by one."""
        both, key, response = self._both, self._key, self._response
        return JudgedRelations(key.judged_by(response, both.key), response.judged_by(key, both.response), HANDLING)

    def non_referring(self) -> Counts:
        """Mentions that do not refer."""
        return _count_common(self._key.non_referring().keys(), self._response.non_referring().keys())


def _count_common(key: Set[object], response: Set[object]) -> Counts:
    common = len(key & response)
    return common, len(key), common, len(response)


def _tokens(alignment: Alignment) -> tuple[list[Token], list[Token]]:
    """The token of each mention of the key, and of the response."""
    key, response = alignment.key.identities, alignment.response.identities
    ours: list[Token] = [(place, place, KEY) for place in key]
    theirs: list[Token] = [(place, place, RESPONSE) for place in response]
    for k, r in enumerate(alignment.to_response):
        if r != NONE and alignment.to_key[r] == k:
            one, other = key[k], response[r]
            ours[k] = theirs[r] = (one, other, BOTH) if one <= other else (other, one, BOTH_CROSSED)
    return ours, theirs


Lost = dict[str, tuple[int, int]]
"""By kind of error, how many the key has lost, and how many the response has wrong."""
RepairedCounts = Callable[[JudgedRelations, Counts, Set[str]], Counts]
"""Function of the judged relations of a document, its counts as scored, and the kinds of errors to repair."""

BRIDGING = ("missing_bridging", "extra_bridging")
LINKS = (*BRIDGING, "wrong_entity")
ANCHORS = (*LINKS, "wrong_anchor")
NON_REFERRING = ("missing_non_referring", "extra_non_referring")
PLURALS = ("missing_plural", "extra_plural", "missing_element", "extra_element")


def repaired_bridging(level: str) -> RepairedCounts:
    """Bridging at one level: ``recognition``, ``mention`` or ``entity``."""

    def item(link: JudgedLink) -> object:
        """The value of a link that counts once."""
        if level == "recognition":
            return link.of
        return link.of, link.to if level == "entity" else anchor_of(link.relation)

    def count_lost(judged: JudgedRelations) -> Lost:
        by_kind: dict[str, tuple[set[object], set[object]]] = {kind: (set(), set()) for kind in ANCHORS}
        for side, links in enumerate((judged.key.links, judged.response.links)):
            for link in links:
                if kind := _error_kind(link, level, side):
                    by_kind[kind][side].add(item(link))
        return {kind: (len(ours), len(theirs)) for kind, (ours, theirs) in by_kind.items()}

    return _add_lost(count_lost)


def _error_kind(link: JudgedLink, level: str, side: int) -> str:
    """The error of a link at a level; empty if there is none, or none that a file can express."""
    if not link.recognised:
        return BRIDGING[side]
    if level == "recognition":
        return ""
    if not link.same_entity:
        return "wrong_entity" if level == "entity" or not link.same_mention else ""
    return "wrong_anchor" if level == "mention" and link.names_mention and not link.same_mention else ""


def _add_lost(count_lost: Callable[[JudgedRelations], Lost]) -> RepairedCounts:
    def repair(judged: JudgedRelations, counts: Counts, kinds: Set[str]) -> Counts:
        found, key, right, response = counts
        for kind, (missing, wrong) in count_lost(judged).items():
            if kind in kinds:
                found, right, response = found + missing, right + missing, response + missing - wrong
        return found, key, right, response

    return repair


@_add_lost
def repaired_non_referring(judged: JudgedRelations) -> Lost:
    """Expressions that do not refer."""
    missing, extra = (sum(not right for _, right in side.non_referring) for side in (judged.key, judged.response))
    return {NON_REFERRING[0]: (missing, 0), NON_REFERRING[1]: (0, extra)}


def repaired_plurals(metric: str) -> RepairedCounts:
    """The elements of plurals, counted by an identity metric."""

    def repair(judged: JudgedRelations, _: Counts, kinds: Set[str]) -> Counts:
        response = judged.response.partition
        plurals, new = dict(response.plurals), list[list[Hashable]]()
        for pair in judged.plurals():
            if pair.j is None:
                new += [[pair.ours]] * ("missing_plural" in kinds)
            elif pair.i is None:
                if "extra_plural" in kinds:
                    del plurals[pair.j]
            else:
                extra = pair.extra if "extra_element" in kinds else ()
                missing = pair.missing if "missing_element" in kinds else ()
                plurals[pair.j] = Plural(_repair_elements(pair.theirs, extra, missing))
        entities = [
            [
                *(member for member in entity if not isinstance(member, Plural)),
                *([plurals[j]] if j in plurals else []),
            ]
            for j, entity in enumerate(response.entities)
        ]
        repaired = type(response)([entity for entity in entities + new if entity])
        return TwoPartitions(judged.key.partition, repaired, judged.handling).count(metric).split_row(metric)

    return repair


def _repair_elements(
    plural: Plural, extra: Iterable[tuple[object, ...]], missing: Iterable[tuple[object, ...]]
) -> Iterable[tuple[object, ...]]:
    """The elements of a plural without the extra and with the missing ones, which take their mentions along."""
    missing, extra = list(missing), set(extra)
    taken = {member for element in missing for member in element}
    for element in plural:
        if element not in extra and (kept := tuple([member for member in element if member not in taken])):
            yield kept
    yield from missing
