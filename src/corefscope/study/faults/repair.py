"""A response in which some classes of faults are repaired, whichever and in whatever order.

A repair is defined by what it does to the labels of mentions, so that all orders of repairs lead to one response.
A found mention of key entity i in response entity j is labelled

    (j, –)                   as it is,
    (home of i, –)           with ``divided`` repaired: pieces move to the home of their entity,
    (j, i)                   with ``conflated`` repaired: response entities are cut into their pieces,
    (home of i, i)           with both: the key entity;

mentions with the same label are an entity. Extra mentions go with the largest piece of theirs, as if they belonged to
the main entity, and vanish with ``extra_mention`` repaired. Missing ones appear at the home of their entity with
``missing_mention`` repaired. Missing entities appear and extra entities vanish with theirs. Mentions that are only
near their key mentions become counterparts with ``span`` repaired (and all found mentions have the words of
the key). Where singletons are dropped, those that repairs leave behind are dropped as well: the repaired response is
scored like any other. With everything repaired it is the key.

Entities that no found mention connects do not meet in any repaired response, so a document is cut into **groups** of
connected entities, most of which are small and have few classes of faults.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...base.components import components
from ...base.document import Mention
from ...count.table import Contingency
from ...match.alignment import NONE, Alignment, Side
from .pairing import Pairing
from .taxonomy import KINDS, is_span_fault

BITS = {kind: 1 << at for at, kind in enumerate(KINDS)}
SPAN, MISSING_MENTION, EXTRA_MENTION, MISSING_ENTITY, EXTRA_ENTITY, CONFLATED, DIVIDED = BITS.values()
EVERYTHING = (1 << len(KINDS)) - 1
ALL = -1  # the second part of a label where entities are not cut

Label = tuple[int, int]


class Group(NamedTuple):
    """Entities that found mentions connect, as numbers of mentions; entities are numbered from 0 in their order."""

    cells: tuple[tuple[int, int, int, int], ...]
    """(key entity, response entity, counterparts, near mentions)"""
    missing: tuple[int, ...]
    """For each key entity the mentions that are not found."""
    extra: tuple[int, ...]
    """For each response entity the mentions that are nothing that was found."""


def groups(pairing: Pairing) -> list[Group]:
    """The groups of a document."""
    sizes = _sizes(pairing)
    responses_of: dict[int, list[int]] = {i: [] for i in pairing.key_members}
    for i, j in pairing.pieces:
        responses_of[i].append(j)
    names = list(responses_of)
    connected = []
    for component in components(responses_of.values()):
        keys = sorted(names[n] for n in component)
        pieces = [(i, j) for i in keys for j in responses_of[i]]
        connected.append(_group(keys, sorted({j for _, j in pieces}), pieces, sizes))
    unconnected = pairing.response_members.keys() - {j for _, j in pairing.pieces}
    return connected + [_group([], [j], [], sizes) for j in pairing.response_members if j in unconnected]


def whole(pairing: Pairing) -> Group:
    """The document as one group."""
    return _group(list(pairing.key_members), list(pairing.response_members), list(pairing.pieces), _sizes(pairing))


class _Sizes(NamedTuple):
    pieces: dict[tuple[int, int], tuple[int, int]]
    missing: dict[int, int]
    extra: dict[int, int]


def _sizes(pairing: Pairing) -> _Sizes:
    near = pairing.near
    pieces = {}
    missing = {i: len(members) for i, members in pairing.key_members.items()}
    extra = {j: len(members) for j, members in pairing.response_members.items()}
    for (i, j), members in pairing.pieces.items():
        close = sum(1 for k in members if k in near) if near else 0
        pieces[i, j] = (len(members) - close, close)
        missing[i] -= len(members)
        extra[j] -= len(members)
    return _Sizes(pieces, missing, extra)


def _group(keys: list[int], responses: list[int], pieces: Iterable[tuple[int, int]], sizes: _Sizes) -> Group:
    row = {i: at for at, i in enumerate(keys)}
    column = {j: at for at, j in enumerate(responses)}
    return Group(
        tuple(sorted((row[i], column[j], *sizes.pieces[i, j]) for i, j in pieces)),
        tuple([sizes.missing[i] for i in keys]),
        tuple([sizes.extra[j] for j in responses]),
    )


class Repairs:
    """The responses into which a group can be repaired."""

    def __init__(self, group: Group, smallest: int) -> None:
        """``smallest`` is 2 where singletons are dropped."""
        self.group, self.smallest = group, smallest
        home: dict[int, tuple[int, int]] = {}
        main: dict[int, tuple[int, int]] = {}
        rows: Counter[int] = Counter()
        columns: Counter[int] = Counter()
        self.key_sizes = list(group.missing)
        classes = 0
        for i, j, counterparts, near in group.cells:
            size = counterparts + near
            self.key_sizes[i] += size
            rows[i] += 1
            columns[j] += 1
            home[i] = min(home.get(i, (0, 0)), (-size, j))
            main[j] = min(main.get(j, (0, 0)), (-size, i))
            if near:
                classes |= SPAN
        self.home = {i: j for i, (_, j) in home.items()}
        self.main = {j: i for j, (_, i) in main.items()}
        if len(rows) < len(group.missing):
            classes |= MISSING_ENTITY
        if len(columns) < len(group.extra):
            classes |= EXTRA_ENTITY
        if any(group.missing[i] for i in rows):
            classes |= MISSING_MENTION
        if any(group.extra[j] for j in columns):
            classes |= EXTRA_MENTION
        if len(columns) < len(group.cells):
            classes |= CONFLATED
        if len(rows) < len(group.cells):
            classes |= DIVIDED
        self.classes = classes
        """Which classes of faults there are, as bits; repairing others changes nothing."""

    def tables(self) -> Iterator[tuple[int, Contingency]]:
        """The key against the response for every set of the classes that there are."""
        subset = self.classes
        while True:
            yield subset, self.table(subset)
            if not subset:
                return
            subset = (subset - 1) & self.classes

    def table(self, repaired: int) -> Contingency:
        """The key against the response with these classes repaired."""
        cut, joined, spans = repaired & CONFLATED, repaired & DIVIDED, repaired & SPAN
        home, main = self.home, self.main
        sizes: dict[Label, int] = {}
        cells: dict[tuple[int, Label], int] = {}
        for i, j, counterparts, near in self.group.cells:
            label = (home[i] if joined else j, i if cut else ALL)
            sizes[label] = sizes.get(label, 0) + counterparts + near
            shared = counterparts + near if spans else counterparts
            if shared:
                cells[i, label] = cells.get((i, label), 0) + shared
        if repaired & (MISSING_MENTION | MISSING_ENTITY):
            for i, missing in enumerate(self.group.missing):
                if missing and repaired & (MISSING_MENTION if i in home else MISSING_ENTITY):
                    label = (home[i], i if cut else ALL) if i in home else (len(self.group.extra), i)
                    sizes[label] = sizes.get(label, 0) + missing
                    cells[i, label] = cells.get((i, label), 0) + missing
        for j, extra in enumerate(self.group.extra):
            if extra and not repaired & (EXTRA_MENTION if j in main else EXTRA_ENTITY):
                label = (j, ALL)
                if j in main:
                    label = (home[main[j]] if joined else j, main[j] if cut else ALL)
                sizes[label] = sizes.get(label, 0) + extra
        return self._tabulated(sizes, cells)

    def _tabulated(self, sizes: dict[Label, int], cells: dict[tuple[int, Label], int]) -> Contingency:
        kept = sorted([label for label, size in sizes.items() if size >= self.smallest])
        number = {label: at for at, label in enumerate(kept)}
        response_sizes = [sizes[label] for label in kept]
        pairs = {(i, number[label]): n for (i, label), n in cells.items() if label in number}
        return Contingency.of_pairs(self.key_sizes, response_sizes, pairs)


def classes_of(pairing: Pairing) -> int:
    """Which classes of faults a document has, also those that only words show, as bits."""
    classes = Repairs(whole(pairing), 1).classes
    ours, theirs = pairing.key.mentions, pairing.response.mentions
    if any(is_span_fault(ours[k], theirs[r]) for k, r in pairing.counterparts.items()):
        classes |= SPAN
    return classes


def repaired_alignment(pairing: Pairing, repaired: int, smallest: int) -> Alignment:
    """The key and the response with these classes repaired, for metrics that need words."""
    cut, joined, spans = repaired & CONFLATED, repaired & DIVIDED, repaired & SPAN
    home, main = pairing.home, pairing.main
    ours, theirs = pairing.key, pairing.response
    entities: dict[Label, list[tuple[Mention, int]]] = {}

    def put(label: Label, mention: Mention, counterpart: int) -> None:
        entities.setdefault(label, []).append((mention, counterpart))

    for k, r in pairing.found.items():
        i, j = ours.owner[k], theirs.owner[r]
        label = (home[i] if joined else j, i if cut else ALL)
        put(label, (ours.mentions[k] if spans else theirs.mentions[r]), k if spans or k not in pairing.near else NONE)
    for k in pairing.missing():
        i = ours.owner[k]
        if repaired & (MISSING_MENTION if i in home else MISSING_ENTITY):
            put((home[i], i if cut else ALL) if i in home else (len(theirs.entities), i), ours.mentions[k], k)
    for r in pairing.extra():
        j = theirs.owner[r]
        if not repaired & (EXTRA_MENTION if j in main else EXTRA_ENTITY):
            label = (j, ALL)
            if j in main:
                label = (home[main[j]] if joined else j, main[j] if cut else ALL)
            put(label, theirs.mentions[r], NONE)
    kept = [entities[label] for label in sorted(entities) if len(entities[label]) >= smallest]
    return _aligned(pairing, kept)


def _aligned(pairing: Pairing, entities: list[list[tuple[Mention, int]]]) -> Alignment:
    """The key as it is against these entities of mentions with their counterparts."""
    order = [k for members in pairing.key_members.values() for k in members]
    number = {k: at for at, k in enumerate(order)}
    mentions = pairing.key.mentions
    key = numbered([[mentions[k] for k in members] for members in pairing.key_members.values()])
    response = numbered([[mention for mention, _ in entity] for entity in entities])
    to_response = [NONE] * len(order)
    for r, k in enumerate(k for entity in entities for _, k in entity):
        if k != NONE:
            to_response[number[k]] = r
    return Alignment.of_pairs(key, response, to_response)


def numbered(entities: list[list[Mention]]) -> Side:
    """A side whose mentions are all different, even where they look the same."""
    return Side(entities, list(range(sum(map(len, entities)))))
