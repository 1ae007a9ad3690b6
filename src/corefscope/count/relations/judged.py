"""What each side has of the relations of the other, relation by relation: what metrics count, to be shown."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any, NamedTuple

from ...base.document import Relation
from ...base.mention import Mention
from ...match.assignment import assign
from .aligned import NOTHING, TwoPartitions
from .partition import Partition, Plural
from .weighted import MEASURES, Handling


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
