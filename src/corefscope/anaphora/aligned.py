"""Which plural of the response stands for which of the key: those whose elements agree best, by the same metric.

The elements of two plurals are two small partitions; a metric scores them as it scores entities. Plurals are mapped
one to one with the greatest total of F1. Recall, precision and F1 of a pair are the weights of its pseudo-mentions.

Paun et al. (2022).

What each side has of the relations of the other, relation by relation: what metrics count, to be shown.

Two documents by how their mentions are aligned: one to one, with singletons, whatever else is dropped.

Mentions that are aligned are one value here, so that entities, elements and anchors of both sides can be compared.
Nothing depends on the order of entities, on their names, or on which side is the key.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from ..core.components import components
from ..core.document import Document, Mention, Relation
from ..core.errors import InputError
from ..core.matching.alignment import NONE, Alignment, Side
from ..core.matching.assignment import assign, assign_all, tight_edges
from ..core.matching.transform import Identity, one_owner
from ..core.numbers import Counts, Score, in_order, mean, prf
from .plurals import (
    Counterpart,
    Partition,
    Plural,
    anchor_of,
    bridging_links,
    mentions_of,
    non_referring,
    plural_entities,
)
from .weighted import MEASURES, Handling, Measure, TwoSides

UNIT = 10**12
"""Scores are compared in so many steps from 0 to 1, so that no rounding decides."""
BITS = 1000
"""Pairs of plurals for which ties are broken at a time: bits for many thousands would make long weights."""
TOO_MANY = 100_000
"""Pairs of plurals that have something in common: more are refused."""
NOTHING = Plural()
NOBODY = Partition(())


class PluralCounts(NamedTuple):
    """A metric on two sides with plurals, one row of counts for each of its measures."""

    whole: list[Counts]
    """Those of the metric, plurals weighed."""
    split: list[Counts]
    """Those of the elements of plurals that stand for each other, out of those of all plurals."""
    has_plurals: bool
    apart: int
    """Members that only one side has."""
    plurals_apart: int
    """The plurals among them."""
    judged: list[float]
    """For each row of ``split`` how many links there are that decide whether it counts."""


class TwoPartitions:
    """Two sides whose plurals are aligned, for each metric by itself; what all metrics need is made once."""

    def __init__(self, key: Partition, response: Partition, handling: Handling, path: str = "") -> None:
        """``path`` is the file that errors are about."""
        self._path = path
        self.view = TwoSides(key, response, handling)
        self.key, self.response, self._handling = key, response, handling
        self._counted: dict[str, PluralCounts] = {}

    def counted(self, metric: str) -> PluralCounts:
        """The counts of an identity metric where plurals have counterparts; counted once."""
        if metric not in self._counted:
            self._counted[metric] = self._count(MEASURES[metric])
        return self._counted[metric]

    def _count(self, measures: Sequence[Measure]) -> PluralCounts:
        parts = [measures] if self._handling.links_together else [(measure,) for measure in measures]
        whole: list[Counts] = []
        split: list[Counts] = []
        for part in parts:
            view, sums = self.aligned(part)
            whole += [measure(view) for measure in part]
            split += sums
        ours, theirs = set(self.key.plurals.values()), set(self.response.plurals.values())
        judged = [of_one[1] + of_one[3] for of_one in (split if self._handling.judged_by_elements else whole)]
        return PluralCounts(whole, split, bool(ours or theirs), self._apart, len(ours ^ theirs), judged)

    def aligned(self, measures: Sequence[Measure]) -> tuple[TwoSides, list[Counts]]:
        """Both sides with the plurals aligned, and the counts of the alignment for each measure."""
        if not (self.key.plurals or self.response.plurals):
            return self.view, [(0, 0, 0, 0) for _ in measures]
        table = _Table(measures, self)
        pairs = table.assigned()
        by_side = [table.score(i, j) for i, j in pairs]
        kept = [(table.ours[i], table.theirs[j], score) for (i, j), score in zip(pairs, by_side, strict=True)]
        view = self.view._replace(
            of_recall=Counterpart({p: (q, score.recall) for p, q, score in kept if score.recall > 0}),
            of_precision=Counterpart({q: (p, score.precision) for p, q, score in kept if score.precision > 0}),
            of_f1=Counterpart({p: (q, score.f1) for p, q, score in kept if score.f1 > 0}),
        )
        return view, table.sums(pairs)

    def pairs(self, measures: Sequence[Measure]) -> list[tuple[Plural, Plural, list[Counts]]]:
        """Each plural with its counterpart, and what both add to each measure; without one, what there is of it."""
        if not (self.key.plurals or self.response.plurals):
            return []
        table = _Table(measures, self)
        return table.listed(table.assigned())

    @cached_property
    def _apart(self) -> int:
        return len(self.key.owner.keys() ^ self.response.owner.keys())

    @cached_property
    def plurals(self) -> tuple[list[Plural], list[Plural]]:
        """Those of both sides; of a side without any, one of nothing."""
        return list(self.key.plurals.values()) or [NOTHING], list(self.response.plurals.values()) or [NOTHING]

    @cached_property
    def elements(self) -> tuple[list[Partition], list[Partition]]:
        """The elements of each."""
        return list(map(self.key.leaves, self.plurals[0])), list(map(self.response.leaves, self.plurals[1]))

    @cached_property
    def touching(self) -> dict[tuple[int, int], TwoSides]:
        """The elements of plurals that may have something in common, by the numbers of the plurals."""
        key, response = self.elements
        pairs: list[tuple[int, int]] = []
        for i, others in enumerate(self.key.touching(key, response)):
            pairs += [(i, j) for j in others]
            if len(pairs) > TOO_MANY:
                hint = "do thousands of plural entities have an element in common? Check ElementOf, or SplitAnte"
                raise InputError("has too many plural entities with common elements", path=self._path, hint=hint)
        return {(i, j): TwoSides(key[i], response[j], self._handling, inside=True) for i, j in pairs}


class _Table:
    """How well the elements of each plural of the key fit those of each plural of the response.

    Most plurals have nothing in common with most others: then there are denominators only, and no cell.
    """

    def __init__(self, measures: Sequence[Measure], both: TwoPartitions) -> None:
        self._handling = both.view.handling
        self.ours, self.theirs = both.plurals
        self._denominators = [
            [[_denominator(measure, tuple(plural.sizes)) for measure in measures] for plural in side]
            for side in both.elements
        ]
        self._counts: dict[tuple[int, int], list[Counts]] = {
            pair: [measure(view) for measure in measures] for pair, view in both.touching.items()
        }

    def score(self, i: int, j: int) -> Score:
        """The score of a pair; of two kinds of links, the mean of those that there are."""
        counts = self._counted(i, j)
        scores = [prf(of_one) for of_one in counts if len(counts) == 1 or of_one[1] or of_one[3]]
        if not scores:  # one mention on each side has no links
            return Score(*[float(self.ours[i] == self.theirs[j])] * 3)
        return scores[0] if len(scores) == 1 else Score(*map(mean, zip(*scores, strict=True)))

    def assigned(self) -> list[tuple[int, int]]:
        """The pairs of a best map, those of score 0 included."""
        scored = [(self.score(i, j).f1, i, j) for i, j in self._counts]
        if not self._handling.identical_first:
            rows: list[dict[int, float]] = [{} for _ in self.ours]
            for f1, i, j in scored:
                rows[i][j] = f1
            return assign_all(rows, len(self.theirs))
        place = {plural: j for j, plural in enumerate(self.theirs)}
        identical = {i: place[plural] for i, plural in enumerate(self.ours) if plural in place}
        taken = set(identical.values())
        scored = [(f1, i, j) for f1, i, j in scored if f1 > 0 and i not in identical and j not in taken]
        groups = [[scored[n] for n in group] for group in components((i, ~j) for _, i, j in scored)]
        return [*identical.items(), *(pair for group in groups for pair in self._best(group))]

    def _best(self, scored: list[tuple[float, int, int]]) -> list[tuple[int, int]]:
        """The best map of plurals that compete with each other, of which there is exactly one.

        A bit for every pair breaks ties, by what plurals hold. Bits are dealt out to some pairs at a time, and only
        to those that a best map may still have.
        """
        scored.sort(key=lambda pair: (-pair[0], _place(self.ours[pair[1]], self.theirs[pair[2]])))
        row_of = {i: row for row, i in enumerate(dict.fromkeys(i for _, i, _ in scored))}
        column_of = {j: column for column, j in enumerate(dict.fromkeys(j for _, _, j in scored))}
        rows: list[dict[int, int]] = [{} for _ in row_of]
        for f1, i, j in scored:
            rows[row_of[i]][column_of[j]] = round(f1 * UNIT)
        left = [(row_of[i], column_of[j]) for _, i, j in scored]
        while left:
            rows = tight_edges(rows, len(column_of))
            left = [(i, j) for i, j in left if j in rows[i]]
            rows = [{j: weight << BITS for j, weight in row.items()} for row in rows]
            for rank, (i, j) in enumerate(left[:BITS], 1):
                rows[i][j] += 1 << BITS - rank
            left = left[BITS:]
        keys, responses = list(row_of), list(column_of)
        return [(keys[i], responses[j]) for i, j in assign_all(rows, len(responses)) if j in rows[i]]

    def listed(self, pairs: list[tuple[int, int]]) -> list[tuple[Plural, Plural, list[Counts]]]:
        """The counts of pairs, then of what is in none."""
        of_key, of_response = self._denominators
        alone = {*range(len(self.ours))} - {i for i, _ in pairs}, {*range(len(self.theirs))} - {j for _, j in pairs}
        listed = [(self.ours[i], self.theirs[j], self._counted(i, j)) for i, j in pairs]
        listed += [(self.ours[i], NOTHING, [(0, one, 0, 0) for one in of_key[i]]) for i in sorted(alone[0])]
        listed += [(NOTHING, self.theirs[j], [(0, 0, 0, one) for one in of_response[j]]) for j in sorted(alone[1])]
        return listed

    def sums(self, pairs: Iterable[tuple[int, int]]) -> list[Counts]:
        """For each measure: of the pairs the numerators, of all plurals the denominators."""
        found = [counts for pair in pairs if (counts := self._counts.get(pair))]
        in_key, in_response = (map(sum, zip(*rows, strict=True)) for rows in self._denominators)
        return [
            (in_order([row[m][0] for row in found]), of_key, in_order([row[m][2] for row in found]), of_response)
            for m, (of_key, of_response) in enumerate(zip(in_key, in_response, strict=True))
        ]

    def _counted(self, i: int, j: int) -> list[Counts]:
        """What a pair adds to each measure."""
        denominators = zip(self._denominators[0][i], self._denominators[1][j], strict=True)
        return self._counts.get((i, j)) or [(0, of_key, 0, of_response) for of_key, of_response in denominators]


@lru_cache(maxsize=1 << 12)
def _denominator(measure: Measure, sizes: tuple[int, ...]) -> float:
    """That of elements of these sizes."""
    elements = Partition([range(size) for size in sizes])
    return measure(TwoSides(elements, NOBODY, Handling(), inside=True))[1]


def _place(ours: Plural, theirs: Plural) -> tuple[object, ...]:
    """What sorts pairs of plurals alike from both sides."""
    one, other = sorted(sorted(map(sorted, plural)) for plural in (ours, theirs))
    return one, other, sorted(map(sorted, ours)) != one


class JudgedLink(NamedTuple):
    """A bridging link of one side, and how much of it the other side has."""

    relation: Relation
    of: Hashable
    """What is equal for the same anaphor of both sides."""
    to: Hashable
    """What is equal for anchors of one entity of this side."""
    recognised: bool
    """Whether it is an anaphor there, too,"""
    same_mention: bool
    """linked to the same anchor,"""
    same_entity: bool
    """or to one of the same entity."""

    @property
    def names_mention(self) -> bool:
        """Whether the file names the anchor itself, or only its entity."""
        return len(self.relation.targets[0]) == 1


class JudgedSide(NamedTuple):
    """The relations of one side."""

    partition: Partition
    mentions: Mapping[Hashable, Mention]
    """What the members of the partition are in the document."""
    links: list[JudgedLink]
    non_referring: list[tuple[Mention, bool]]
    """With what does not refer on the other side, too."""


class JudgedPlural(NamedTuple):
    """A plural of the key, one of the response, or both if they stand for each other: mentions, and some elements."""

    key: tuple[Mention, ...]
    response: tuple[Mention, ...]
    key_elements: list[tuple[Mention, ...]]
    """Those of which the other side has nothing; of a plural that stands alone, all."""
    response_elements: list[tuple[Mention, ...]]


class PairedPlural(NamedTuple):
    """The same by entities and members of the two partitions."""

    i: int | None
    j: int | None
    ours: Plural
    theirs: Plural
    missing: list[tuple[Hashable, ...]]
    """Elements of the key's that have no counterpart; of plurals that stand for each other,"""
    extra: list[tuple[Hashable, ...]]
    """and of the response's."""


class Judged(NamedTuple):
    """Two documents."""

    key: JudgedSide
    response: JudgedSide
    handling: Handling

    def plurals(self) -> Iterator[JudgedPlural]:
        """All plurals, mapped as for CEAFe; their elements one to one, with the most mentions in common."""
        for i, j, ours, theirs, missing, extra in self.paired_plurals():
            if j is None:
                yield JudgedPlural(_anaphors(self.key, i), (), _elements(self.key, ours), [])
            elif i is None:
                yield JudgedPlural((), _anaphors(self.response, j), [], _elements(self.response, theirs))
            else:
                elements = [
                    [_mentions(side, leaf) for leaf in leaves]
                    for side, leaves in ((self.key, missing), (self.response, extra))
                ]
                yield JudgedPlural(_anaphors(self.key, i), _anaphors(self.response, j), *elements)

    def both(self) -> TwoPartitions:
        """The partitions of both sides, to align their plurals."""
        return TwoPartitions(self.key.partition, self.response.partition, self.handling)

    def paired_plurals(self) -> Iterator[PairedPlural]:
        """The same, before mentions are looked up."""
        key, response = self.key.partition, self.response.partition
        counterpart = self.both().aligned(MEASURES["ceafe"])[0].of_f1
        paired: set[int] = set()
        for i, ours in key.plurals.items():
            found = counterpart.found(ours, response)
            if found is None:
                yield PairedPlural(i, None, ours, NOTHING, [], [])
                continue
            j = found[0]
            paired.add(j)
            theirs = response.plurals[j]
            yield PairedPlural(i, j, ours, theirs, *_left_over(key.leaves(ours), response.leaves(theirs)))
        for j, theirs in response.plurals.items():
            if j not in paired:
                yield PairedPlural(None, j, NOTHING, theirs, [], [])


def _left_over(ours: Partition, theirs: Partition) -> tuple[list[Any], list[Any]]:
    """The elements of both plurals that have no counterpart."""
    rows: list[dict[int, float]] = [{} for _ in ours.entities]
    for (i, j), common in ours.shared_with(theirs).items():
        rows[i][j] = common
    pairs = assign(rows, len(theirs.entities))
    matched, also_matched = {i for i, _ in pairs}, {j for _, j in pairs}
    return (
        [entity for i, entity in enumerate(ours.entities) if i not in matched],
        [entity for j, entity in enumerate(theirs.entities) if j not in also_matched],
    )


def _anaphors(side: JudgedSide, i: int | None) -> tuple[Mention, ...]:
    return () if i is None else _mentions(side, side.partition.entities[i])


def _elements(side: JudgedSide, plural: Plural) -> list[tuple[Mention, ...]]:
    return sorted(_mentions(side, leaf) for leaf in plural)


def _mentions(side: JudgedSide, members: object) -> tuple[Mention, ...]:
    found = [side.mentions[member] for member in members if not isinstance(member, Plural)]  # type: ignore[attr-defined]
    return tuple(sorted(found))


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
        held = Counter(
            [self.entity_of[token] for token in sorted(tokens, key=_corrected_place) if token in self.entity_of]
        )
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


def _corrected_place(token: Token) -> tuple[Any, ...]:
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
