"""A response in which some classes of faults are repaired, whichever and in whatever order.

A repair is defined by what it does to the labels of mentions, so that all orders of repairs lead to one response.
A matched mention of key entity i in response entity j is labelled

    (j, –)                   as it is,
    (home of i, –)           with ``divided`` repaired: pieces move to the home of their entity,
    (j, i)                   with ``conflated`` repaired: response entities are cut into their pieces,
    (home of i, i)           with both: the key entity;

mentions with the same label are an entity. Extra mentions go with the largest piece of theirs, as if they belonged to
the main entity, and vanish with ``extra_mention`` repaired. Missing ones appear at the home of their entity with
``missing_mention`` repaired. Missing entities appear and extra entities vanish with theirs. Mentions that are only
near their key mentions become counterparts with ``span`` repaired (and all matched mentions have the words of
the key). Where singletons are dropped, those that repairs leave behind are dropped as well: the repaired response is
scored like any other. With everything repaired it is the key.

Entities that no matched mention connects do not meet in any repaired response, so a document is cut into **groups**
of connected entities, most of which are small and have few classes of faults.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ...base.components import components
from ...base.document import Document
from ...base.mention import Mention
from ...count.table import Contingency
from ...match.alignment import NONE, Alignment, Side
from .pairing import Pairing, largest_pieces
from .taxonomy import KINDS, is_span_fault

BITS = {kind: 1 << index for index, kind in enumerate(KINDS)}
SPAN, MISSING_MENTION, EXTRA_MENTION, MISSING_ENTITY, EXTRA_ENTITY, CONFLATED, DIVIDED = BITS.values()
EVERYTHING = (1 << len(KINDS)) - 1
ALL = -1  # the second part of a label where entities are not cut
NEW = 1 << 62  # the first part of the label of a missing entity: after those of all response entities

Label = tuple[int, int]


class Labels(NamedTuple):
    """The labels of mentions in a repaired response; None for those that are not in it."""

    repaired: int
    home: Mapping[int, int]
    main: Mapping[int, int]

    def matched(self, i: int, j: int) -> Label:
        """Of a mention of key entity i that is matched in response entity j."""
        return self.home[i] if self.repaired & DIVIDED else j, i if self.repaired & CONFLATED else ALL

    def missing(self, i: int) -> Label | None:
        """Of the missing mentions of a key entity."""
        if i in self.home:
            return self.matched(i, self.home[i]) if self.repaired & MISSING_MENTION else None
        return (NEW, i) if self.repaired & MISSING_ENTITY else None

    def extra(self, j: int) -> Label | None:
        """Of the extra mentions of a response entity."""
        if j in self.main:
            return None if self.repaired & EXTRA_MENTION else self.matched(self.main[j], j)
        return None if self.repaired & EXTRA_ENTITY else (j, ALL)


class Group(NamedTuple):
    """Entities that matched mentions connect, as numbers of mentions; entities are numbered from 0 in their order."""

    cells: tuple[tuple[int, int, int, int], ...]
    """(key entity, response entity, counterparts, near mentions)"""
    missing: tuple[int, ...]
    """For each key entity how many mentions are not matched."""
    extra: tuple[int, ...]
    """For each response entity likewise."""


def groups(pairing: Pairing) -> list[Group]:
    """The groups of a document."""
    responses_of: dict[int, list[int]] = {i: [] for i in pairing.key_members}
    for i, j in pairing.pieces:
        responses_of[i].append(j)
    entities = list(responses_of)
    connected = []
    for component in components(responses_of.values()):
        keys = sorted(entities[n] for n in component)
        pieces = [(i, j) for i in keys for j in responses_of[i]]
        connected.append(_group(pairing, keys, sorted({j for _, j in pieces}), pieces))
    return connected + [_group(pairing, [], [j], []) for j in pairing.response_members if j not in pairing.main]


def whole(pairing: Pairing) -> Group:
    """The document as one group."""
    return _group(pairing, list(pairing.key_members), list(pairing.response_members), pairing.pieces)


def _group(pairing: Pairing, keys: list[int], responses: list[int], pieces: Iterable[tuple[int, int]]) -> Group:
    row, column = ({entity: index for index, entity in enumerate(side)} for side in (keys, responses))
    missing = [len(pairing.key_members[i]) for i in keys]
    extra = [len(pairing.response_members[j]) for j in responses]
    cells = []
    for i, j in pieces:
        members = pairing.pieces[i, j]
        near = sum(k in pairing.near for k in members) if pairing.near else 0
        cells.append((row[i], column[j], len(members) - near, near))
        missing[row[i]] -= len(members)
        extra[column[j]] -= len(members)
    return Group(tuple(sorted(cells)), tuple(missing), tuple(extra))


class Repairs:
    """The responses into which a group can be repaired."""

    def __init__(self, group: Group, smallest: int) -> None:
        """``smallest`` is 2 where singletons are dropped."""
        self.group, self.smallest = group, smallest
        self.key_sizes = list(group.missing)
        for i, _, counterparts, near in group.cells:
            self.key_sizes[i] += counterparts + near
        self.home = home = largest_pieces((i, j, size + near) for i, j, size, near in group.cells)
        self.main = main = largest_pieces((j, i, size + near) for i, j, size, near in group.cells)
        present = {
            SPAN: any(near for *_, near in group.cells),
            MISSING_ENTITY: len(home) < len(group.missing),
            EXTRA_ENTITY: len(main) < len(group.extra),
            MISSING_MENTION: any(group.missing[i] for i in home),
            EXTRA_MENTION: any(group.extra[j] for j in main),
            CONFLATED: len(main) < len(group.cells),
            DIVIDED: len(home) < len(group.cells),
        }
        self.classes = sum(bit for bit, is_present in present.items() if is_present)
        """Which classes of faults there are, as bits; repairing others changes nothing."""

    def table(self, repaired: int) -> Contingency:
        """The key against the response with these classes repaired."""
        labels = Labels(repaired, self.home, self.main)
        label: Label | None
        sizes: dict[Label, int] = defaultdict(int)
        cells: dict[tuple[int, Label], int] = defaultdict(int)
        for i, j, counterparts, near in self.group.cells:
            label = labels.matched(i, j)
            sizes[label] += counterparts + near
            cells[i, label] += counterparts + near if repaired & SPAN else counterparts
        for i, missing in enumerate(self.group.missing):
            if missing and (label := labels.missing(i)):
                sizes[label] += missing
                cells[i, label] += missing
        for j, extra in enumerate(self.group.extra):
            if extra and (label := labels.extra(j)):
                sizes[label] += extra
        kept = sorted([label for label, size in sizes.items() if size >= self.smallest])
        column = {label: index for index, label in enumerate(kept)}
        response_sizes = [sizes[label] for label in kept]
        pairs = {(i, column[label]): n for (i, label), n in cells.items() if n and label in column}
        return Contingency.of_pairs(self.key_sizes, response_sizes, pairs)


def subsets(classes: int) -> Iterator[int]:
    """All sets of classes out of some, as bits, from all to none.

    >>> list(subsets(0b101))
    [5, 4, 1, 0]
    """
    subset = classes
    while subset:
        yield subset
        subset = (subset - 1) & classes
    yield 0


def classes_of(pairing: Pairing) -> int:
    """Which classes of faults a document has, also those that only words show, as bits."""
    keys, responses = pairing.key.mentions, pairing.response.mentions
    spans = any(is_span_fault(keys[k], responses[r]) for k, r in pairing.counterparts.items())
    return Repairs(whole(pairing), 1).classes | (SPAN if spans else 0)


def repaired_alignment(pairing: Pairing, repaired: int, smallest: int) -> Alignment:
    """The key and the response with these classes repaired, for metrics that need words."""
    labels = Labels(repaired, pairing.home, pairing.main)
    key, response = pairing.key, pairing.response
    label: Label | None
    entities: dict[Label, list[Numbered]] = defaultdict(list)
    for k, r in pairing.matched.items():
        label = labels.matched(key.owner[k], response.owner[r])
        if repaired & SPAN:
            entities[label].append((key.mentions[k], k))
        else:
            entities[label].append((response.mentions[r], k if k in pairing.counterparts else NONE))
    for k in pairing.missing():
        if label := labels.missing(key.owner[k]):
            entities[label].append((key.mentions[k], k))
    for r in pairing.extra():
        if label := labels.extra(response.owner[r]):
            entities[label].append((response.mentions[r], NONE))
    return aligned_by_number(
        [[(key.mentions[k], k) for k in members] for members in pairing.key_members.values()],
        [entities[label] for label in sorted(entities) if len(entities[label]) >= smallest],
        (key.document, response.document),
    )


Numbered = tuple[Mention, int]
"""A mention, and the number of the key mention that it is or stands for; NONE if there is none."""


def aligned_by_number(
    key: list[list[Numbered]],
    response: list[list[Numbered]],
    documents: tuple[Document | None, Document | None] = (None, None),
) -> Alignment:
    """The alignment of mentions with the same number; those of one side are different, even if they look alike."""
    response_of = {k: r for r, k in enumerate(k for entity in response for _, k in entity)}
    to_response = [response_of.get(k, NONE) for entity in key for _, k in entity]
    return Alignment.of_pairs(_side(key, documents[0]), _side(response, documents[1]), to_response)


def _side(entities: list[list[Numbered]], document: Document | None) -> Side:
    mentions = [[mention for mention, _ in entity] for entity in entities]
    return Side(mentions, list(range(sum(map(len, entities)))), document)
