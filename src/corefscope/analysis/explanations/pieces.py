"""Sections of an explanation, and the contingency tables with named mentions that they are made from.

A section is a table of entries whose terms add up to the counts of the metric. In the contingency tables, each entity
is in pieces, one for each entity of the other side. :class:`EntityPieces` has the entities of an alignment.
:class:`Partitions` have each mention in one entity, and the alterations that papers make before they count.
:func:`pieces_of_chains` counts as the CoNLL scorer does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from ...compat.conll_counts import chains, response_chains
from ...core.document import Mention
from ...core.matching.alignment import NONE, Alignment, Side
from ...core.table import Contingency, tabulate

KEY, RESPONSE = 0, 1
Number = Fraction | float
"""Exact, unless it is a logarithm or a root."""
MentionRef = tuple[int, "int | Mention"]
"""A mention: its side, and its index there (or the mention itself)."""
EntityRef = tuple[int, int | MentionRef]
"""An entity: its side, and its index there; of a singleton that a metric adds, its mention."""


class Column(NamedTuple):
    """A column of a section."""

    title: str
    fields: tuple[int, ...] = ()
    """The counts that its terms add to, as indices in ``Metric.fields``; empty for information only."""


class Term(NamedTuple):
    """One number of an entry."""

    value: Number
    formula: str = ""
    """How the value is computed, such as ``3 − 2``; empty for a plain number."""


class Piece(NamedTuple):
    """Mentions of one entity, and that entity."""

    mentions: tuple[MentionRef, ...]
    entity: EntityRef | None = None
    note: str = ""
    """What this entity is to them, such as their core class c*."""


class Entry(NamedTuple):
    """One row of a section: its subject, and a term for each column."""

    terms: tuple[Term | None, ...]
    name: str = ""
    """The subject, if it is no entity."""
    entity: EntityRef | None = None
    pieces: tuple[Piece, ...] = ()
    """The mentions that it counts."""
    entries: tuple[Entry, ...] = ()
    """Details, whose terms add up to those of the entry."""
    links: bool = False
    """Whether the pieces are links between two mentions."""


class AlteredSide(NamedTuple):
    """A side as altered by a metric before counting."""

    title: str
    entities: tuple[Piece, ...]


Altered = tuple[AlteredSide, ...]


class Section(NamedTuple):
    """One table of an explanation."""

    title: str
    """What is counted, in a sentence."""
    columns: tuple[Column, ...]
    entries: tuple[Entry, ...]
    altered: Altered = ()

    def totals(self) -> list[Number | None]:
        """The sum of each column; None where there are no numbers."""
        columns = [[entry.terms[i] for entry in self.entries] for i in range(len(self.columns))]
        return [total(term.value for term in terms if term) if any(terms) else None for terms in columns]


def to_exact(count: float) -> Number:
    """A whole number as a fraction; others as they are, since they are rounded."""
    return Fraction(count) if count == int(count) else count


def total(values: Iterable[Number]) -> Number:
    """The sum; of exact numbers, exactly."""
    return sum(values, Fraction(0))


def sums(sections: Sequence[Section], fields: int) -> tuple[Number, ...]:
    """The sums of all sections, for each of ``fields`` counts."""
    counts: list[Number] = [Fraction(0)] * fields
    for section in sections:
        for column, added in zip(section.columns, section.totals(), strict=True):
            for field in column.fields:
                counts[field] += added or 0
    return tuple(counts)


def whole(number: int, formula: str = "") -> Term:
    """A term that is a whole number."""
    return Term(Fraction(number), formula)


def recall_and_precision(
    title: str | tuple[str, str],
    columns: tuple[str, str],
    entries: Sequence[Iterable[Entry]],
    altered: Altered = (),
) -> list[Section]:
    """A section that adds up to the counts of recall, 0 and 1, and one for those of precision, 2 and 3.

    ``title`` is one for each; or one for both, with places for the ``{side}`` that is listed, its entities ``{E}``
    and the ``{other}`` side. ``columns`` are the titles of numerator and denominator; ``altered`` is shown before the
    first section.
    """
    numerator, denominator = columns
    titles = title if isinstance(title, tuple) else [title.format(**names) for names in SIDE_NAMES]
    return [
        Section(
            f"{half}: {title}",
            (Column(numerator, (2 * side,)), Column(denominator, (2 * side + 1,))),
            tuple(entries[side]),
            () if side else altered,
        )
        for side, (half, title) in enumerate(zip(("Recall", "Precision"), titles, strict=True))
    ]


SIDE_NAMES = ({"side": "key", "E": "K", "other": "response"}, {"side": "response", "E": "R", "other": "key"})


def one_each(title: str, columns: Sequence[str], terms: Sequence[tuple[str, Term]]) -> Section:
    """A section with a named entry for each count, its term in the column of the count."""
    entries = []
    for place, (name, term) in enumerate(terms):
        row: list[Term | None] = [None] * len(columns)
        row[place] = term
        entries.append(Entry(tuple(row), name=name))
    return Section(title, tuple([Column(name, (field,)) for field, name in enumerate(columns)]), tuple(entries))


class Member(NamedTuple):
    """A mention of an entity."""

    mention: MentionRef
    other: int
    """The index of the entity of the other side that owns its counterpart; NONE without a counterpart."""
    common: int
    """The number of mentions that the two entities share; 0 without a counterpart."""


class SplitEntity(NamedTuple):
    """An entity that the entities of the other side split into pieces."""

    entity: EntityRef | None
    members: list[Member]

    @property
    def size(self) -> int:
        """The number of its mentions."""
        return len(self.members)

    @property
    def mentions(self) -> tuple[MentionRef, ...]:
        """Its mentions by name."""
        return tuple([member.mention for member in self.members])

    @property
    def pieces(self) -> list[list[Member]]:
        """Its mentions grouped by their entity on the other side; each unmatched mention is a piece of its own."""
        by_other: dict[int, list[Member]] = {}
        for place, member in enumerate(self.members):
            by_other.setdefault(member.other if member.other != NONE else -2 - place, []).append(member)
        return list(by_other.values())


class EntityPieces(NamedTuple):
    """The entities of both sides of a document, each split into pieces by the other side."""

    key: list[SplitEntity]
    response: list[SplitEntity]
    shared: dict[tuple[int, int], list[MentionRef]]
    """The mentions that a key entity and a response entity share, even if other entities have them too."""
    alignment: Alignment | None = None
    table: Contingency | None = None
    """The table that the metric counts, unless the rule set has its own counts."""
    chains: tuple[list[list[int]], list[list[int]]] | None = None
    """For rule sets with their own counts: the mentions of both sides as numbers of one set."""

    @property
    def T(self) -> EntityPieces:  # noqa: N802  (as in NumPy)
        """The same with the sides swapped."""
        return self._replace(key=self.response, response=self.key)

    @classmethod
    def of_alignment(cls, alignment: Alignment) -> EntityPieces:
        """Group mentions by the entity that owns their counterpart, as ``tabulate`` does."""

        def split(name: int, side: Side, other: Side, counterparts: Sequence[int]) -> list[SplitEntity]:
            owners = [other.owner[m] if m != NONE else NONE for m in counterparts]
            return [
                _split((name, i), [(name, m) for m in entity], [owners[m] for m in entity])
                for i, entity in enumerate(side.entities)
            ]

        key, response = alignment.key, alignment.response
        return cls(
            split(KEY, key, response, alignment.to_response),
            split(RESPONSE, response, key, alignment.to_key),
            _shared(alignment),
            alignment,
            tabulate(alignment),
        )

    def shown_pieces(self, split: SplitEntity) -> tuple[Piece, ...]:
        """The pieces of an entity, each with its entity on the other side."""
        return tuple([self.piece(piece) for piece in split.pieces])

    def piece(self, piece: Sequence[Member], note: str = "") -> Piece:
        """A piece with its entity on the other side."""
        other = piece[0].other
        return Piece(tuple([m.mention for m in piece]), self.response[other].entity if other != NONE else None, note)


def _split(entity: EntityRef | None, mentions: Sequence[MentionRef], others: Sequence[int]) -> SplitEntity:
    """An entity, given the entity of the other side that owns the counterpart of each of its mentions."""
    common = Counter(others)
    common[NONE] = 0
    return SplitEntity(entity, [Member(mention, j, common[j]) for mention, j in zip(mentions, others, strict=True)])


def _shared(alignment: Alignment) -> dict[tuple[int, int], list[MentionRef]]:
    if alignment.shared is not None:
        return {at: [(KEY, number) for number in numbers] for at, numbers in alignment.shared.items()}
    holders: dict[int, list[int]] = {}
    for j, entity in enumerate(alignment.response.entities):
        for number in entity:
            holders.setdefault(number, []).append(j)
    shared: dict[tuple[int, int], list[MentionRef]] = {}
    for i, entity in enumerate(alignment.key.entities):
        for number in entity:
            for j in holders.get(alignment.to_response[number], ()):
                shared.setdefault((i, j), []).append((KEY, number))
    return shared


Classes = list[Piece]
"""Sets of mentions; mentions of both sides are named as in the key."""


class Partitions(NamedTuple):
    """Two partitions; their sets of mentions may differ."""

    key: Classes
    response: Classes

    @classmethod
    def of_alignment(cls, alignment: Alignment) -> Partitions:
        """Put every mention into the entity that owns it, as ``tabulate_partition`` does."""
        mutual = [k if k != NONE and alignment.to_response[k] == r else NONE for r, k in enumerate(alignment.to_key)]
        return cls(
            _classes(KEY, alignment.key.owner, lambda number: (KEY, number)),
            _classes(
                RESPONSE,
                alignment.response.owner,
                lambda number: (RESPONSE, number) if mutual[number] == NONE else (KEY, mutual[number]),
            ),
        )

    @property
    def missing(self) -> list[MentionRef]:
        """The mentions of the key that the response lacks."""
        there = _mentions(self.response)
        return [mention for one in self.key for mention in one.mentions if mention not in there]

    @property
    def spurious(self) -> list[MentionRef]:
        """The mentions of the response that the key lacks."""
        return self._replace(key=self.response, response=self.key).missing

    def with_missing(self) -> Partitions:
        """Add the missing mentions to the response, as singletons."""
        return self._replace(response=[*self.response, *_singletons(RESPONSE, self.missing)])

    def with_spurious(self) -> Partitions:
        """Add the spurious mentions to the key, as singletons."""
        return self._replace(key=[*self.key, *_singletons(KEY, self.spurious)])

    def completed(self) -> Partitions:
        """Add the mentions that a side lacks as singletons (definition 19 of Popescu-Belis)."""
        return self.with_missing().with_spurious()

    def without_spurious(self) -> Partitions:
        """Remove the spurious mentions, and response classes that become empty."""
        there = _mentions(self.key)
        kept = [one._replace(mentions=tuple([m for m in one.mentions if m in there])) for one in self.response]
        return self._replace(response=[one for one in kept if one.mentions])

    def without_spurious_singletons(self) -> Partitions:
        """Remove the response classes of one spurious mention: R becomes R⁻."""
        there = _mentions(self.key)
        return self._replace(
            response=[one for one in self.response if len(one.mentions) > 1 or one.mentions[0] in there]
        )

    def altered(self, *titles: str) -> Altered:
        """Both sides as they are counted, for display."""
        return tuple([AlteredSide(title, tuple(side)) for title, side in zip(titles, self, strict=True)])

    def table(self) -> Contingency:
        """The contingency table of the classes."""
        key, response = ([len(one.mentions) for one in side] for side in self)
        shared = {cell: len(mentions) for cell, mentions in self.pieces().shared.items()}
        return Contingency.of_pairs(key, response, shared)

    def pieces(self) -> EntityPieces:
        """The classes of both sides, each split into pieces."""
        places = [{m: i for i, one in enumerate(side) for m in one.mentions} for side in self]
        shared: dict[tuple[int, int], list[MentionRef]] = {}
        for i, one in enumerate(self.key):
            for mention in one.mentions:
                if mention in places[RESPONSE]:
                    shared.setdefault((i, places[RESPONSE][mention]), []).append(mention)
        key, response = (
            [_split(one.entity, one.mentions, [others.get(m, NONE) for m in one.mentions]) for one in side]
            for side, others in zip(self, places[::-1], strict=True)
        )
        return EntityPieces(key, response, shared)


def _classes(side: int, owner: Iterable[int], name: Callable[[int], MentionRef]) -> Classes:
    members: dict[int, list[MentionRef]] = {}
    for number, i in enumerate(owner):
        members.setdefault(i, []).append(name(number))
    return [Piece(tuple(mentions), (side, i)) for i, mentions in members.items()]


def _mentions(classes: Classes) -> set[MentionRef]:
    return {mention for one in classes for mention in one.mentions}


def _singletons(side: int, mentions: Iterable[MentionRef]) -> Classes:
    return [Piece((mention,), (side, mention)) for mention in mentions]


def completed_pieces(source: EntityPieces | Partitions) -> tuple[EntityPieces, Altered]:
    """The pieces of the entities; partitions are completed, and both sides shown if that changes them."""
    if isinstance(source, EntityPieces):
        return source, ()
    complete = source.completed()
    return complete.pieces(), () if complete == source else complete.altered("key, completed", "response, completed")


def pieces_of_chains(alignment: Alignment) -> EntityPieces:
    """The pieces from which the CoNLL scorer counts MUC, B³, CEAF and BLANC."""
    key, response = chains(alignment)
    numbers = [j for j, chain in enumerate(response_chains(alignment)) if chain]
    owner = {mention: i for i, chain in enumerate(key) for mention in chain}
    holder = {mention: j for j, chain in enumerate(response) for mention in chain if mention in owner}
    shared: dict[tuple[int, int], list[MentionRef]] = {}
    for i, chain in enumerate(key):
        for mention in chain:
            if mention in holder:
                shared.setdefault((i, holder[mention]), []).append((KEY, mention))
    common = {cell: len(set(mentions)) for cell, mentions in shared.items()}
    spurious = len(alignment.key.mentions)
    key_entities = []
    for i, chain in enumerate(key):
        members, seen = [], set()
        for mention in chain:
            j = holder.get(mention, NONE) if owner[mention] == i and mention not in seen else NONE
            seen.add(mention)
            members.append(Member((KEY, mention), j, common.get((i, j), 0)))
        key_entities.append(SplitEntity((KEY, i), members))
    response_entities = []
    for j, (number, chain) in enumerate(zip(numbers, response, strict=True)):
        members = []
        for mention in chain:
            i = owner.get(mention, NONE)
            ref: MentionRef = (KEY, mention) if i != NONE else (RESPONSE, mention - spurious)
            members.append(Member(ref, i, common.get((i, j), 0)))
        response_entities.append(SplitEntity((RESPONSE, number), members))
    return EntityPieces(key_entities, response_entities, shared, alignment, chains=(key, response))
