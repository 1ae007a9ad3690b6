"""Responses in which some kinds of errors are repaired, in any combination.

A repair is defined by what it does to the labels of mentions, so that all orders of repairs lead to one response.
A matched mention of key entity i in response entity j is labelled

    (j, –)                   as it is,
    (home of i, –)           if divided entities are joined: pieces move to the home of their entity,
    (j, i)                   if conflated entities are cut: response entities fall into their pieces,
    (home of i, i)           with both: the key entity;

mentions with the same label are an entity. Extra mentions go with the largest piece of theirs, as if they belonged to
the main entity, until they are removed. Missing ones are added at the home of their entity. Entities that are wholly
missing or extra are added and removed. Mentions that are only near their key mentions become counterparts where
spans are corrected, and all matched mentions get the words of the key. Where singletons are dropped, those that
repairs leave behind are dropped as well: the repaired response is scored like any other. With all steps taken it is
the key.

Entities that no matched mention connects do not meet in any repaired response, so a document is cut into **groups**
of connected entities, most of which are small and have few kinds of errors.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ...core.components import components
from ...core.document import Document, Mention
from ...core.matching.alignment import NONE, Alignment, Side
from ...core.table import Contingency
from .pairing import Pairing, largest_pieces

ALL = -1  # the second part of a label where entities are not cut
NEW = 1 << 62  # the first part of the label of a missing entity: after those of all response entities

Label = tuple[int, int]


class Repair(NamedTuple):
    """The steps that turn a response into the key; an error kind is repaired by one or more of them."""

    corrects_spans: bool = False
    adds_mentions: bool = False
    removes_mentions: bool = False
    adds_entities: bool = False
    removes_entities: bool = False
    cuts_entities: bool = False
    joins_entities: bool = False

    def overlaps(self, other: Repair) -> bool:
        """Whether two repairs have a step in common."""
        return any(ours and theirs for ours, theirs in zip(self, other, strict=True))


def combine(repairs: Iterable[Repair]) -> Repair:
    """The repair that has all steps of some."""
    return Repair(*map(any, zip(Repair(), *repairs, strict=True)))


class Labels(NamedTuple):
    """The labels of mentions in a repaired response; None for mentions that are not in it."""

    repair: Repair
    home: Mapping[int, int]
    main: Mapping[int, int]

    def matched(self, i: int, j: int) -> Label:
        """The label of a mention of key entity i that is matched in response entity j."""
        return self.home[i] if self.repair.joins_entities else j, i if self.repair.cuts_entities else ALL

    def missing(self, i: int) -> Label | None:
        """The label of the missing mentions of a key entity."""
        if i in self.home:
            return self.matched(i, self.home[i]) if self.repair.adds_mentions else None
        return (NEW, i) if self.repair.adds_entities else None

    def extra(self, j: int) -> Label | None:
        """The label of the extra mentions of a response entity."""
        if j in self.main:
            return None if self.repair.removes_mentions else self.matched(self.main[j], j)
        return None if self.repair.removes_entities else (j, ALL)


class Group(NamedTuple):
    """Entities that matched mentions connect, as numbers of mentions; entities are numbered from 0 in their order."""

    cells: tuple[tuple[int, int, int, int], ...]
    """(key entity, response entity, counterparts, near mentions)"""
    missing: tuple[int, ...]
    """For each key entity how many mentions are not matched."""
    extra: tuple[int, ...]
    """For each response entity how many mentions are not matched."""


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


class RepairableGroup:
    """A group, and the tables of the responses into which it can be repaired."""

    def __init__(self, group: Group, min_entity_size: int) -> None:
        """``min_entity_size`` is 2 where singletons are dropped."""
        self.group, self.min_entity_size = group, min_entity_size
        self.key_sizes = list(group.missing)
        for i, _, counterparts, near in group.cells:
            self.key_sizes[i] += counterparts + near
        self.home = home = largest_pieces((i, j, size + near) for i, j, size, near in group.cells)
        self.main = main = largest_pieces((j, i, size + near) for i, j, size, near in group.cells)
        self.needed = Repair(
            corrects_spans=any(near for *_, near in group.cells),
            adds_mentions=any(group.missing[i] for i in home),
            removes_mentions=any(group.extra[j] for j in main),
            adds_entities=len(home) < len(group.missing),
            removes_entities=len(main) < len(group.extra),
            cuts_entities=len(main) < len(group.cells),
            joins_entities=len(home) < len(group.cells),
        )
        """The steps that change something here."""

    def table(self, repair: Repair) -> Contingency:
        """The key against the repaired response."""
        labels = Labels(repair, self.home, self.main)
        label: Label | None
        sizes: dict[Label, int] = defaultdict(int)
        cells: dict[tuple[int, Label], int] = defaultdict(int)
        for i, j, counterparts, near in self.group.cells:
            label = labels.matched(i, j)
            sizes[label] += counterparts + near
            cells[i, label] += counterparts + near if repair.corrects_spans else counterparts
        for i, missing in enumerate(self.group.missing):
            if missing and (label := labels.missing(i)):
                sizes[label] += missing
                cells[i, label] += missing
        for j, extra in enumerate(self.group.extra):
            if extra and (label := labels.extra(j)):
                sizes[label] += extra
        kept = sorted([label for label, size in sizes.items() if size >= self.min_entity_size])
        column = {label: index for index, label in enumerate(kept)}
        response_sizes = [sizes[label] for label in kept]
        pairs = {(i, column[label]): n for (i, label), n in cells.items() if n and label in column}
        return Contingency.of_pairs(self.key_sizes, response_sizes, pairs)


def is_span_error(key: Mention, response: Mention) -> bool:
    """Whether two counterparts differ in their words, or as zeros in their dependencies."""
    if key.positions != response.positions or key.is_zero != response.is_zero:
        return True
    return key.is_zero and set(key.dependencies) != set(response.dependencies)


def needed_repair(pairing: Pairing) -> Repair:
    """The steps that change something in a document, those that only its words need among them."""
    keys, responses = pairing.key.mentions, pairing.response.mentions
    spans = any(is_span_error(keys[k], responses[r]) for k, r in pairing.counterparts.items())
    needed = RepairableGroup(whole(pairing), 1).needed
    return needed._replace(corrects_spans=needed.corrects_spans or spans)


def repaired_alignment(pairing: Pairing, repair: Repair, min_entity_size: int) -> Alignment:
    """The key and the repaired response, for metrics that need words."""
    labels = Labels(repair, pairing.home, pairing.main)
    key, response = pairing.key, pairing.response
    label: Label | None
    entities: dict[Label, list[Numbered]] = defaultdict(list)
    for k, r in pairing.matched.items():
        label = labels.matched(key.owner[k], response.owner[r])
        if repair.corrects_spans:
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
        [entities[label] for label in sorted(entities) if len(entities[label]) >= min_entity_size],
        (key.document, response.document),
    )


Numbered = tuple[Mention, int]
"""A mention, and the number of the key mention that it is or is matched with; NONE if there is none."""


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
