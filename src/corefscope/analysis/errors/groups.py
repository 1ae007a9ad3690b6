"""Groups of errors that one can act on: by the mention, its head, type, distance and document.

An error of several mentions (a missing entity) is in the groups of all of them. The points of a kind are divided
among its errors by their numbers of mentions, and those of an error equally among its groups, so that the groups of
a grouping add up to the points lost. Mentions that differ only in capitals are one group, which has the most
frequent spelling.

There are no groups by what a file does not have: ids have neither words nor an order, some formats name no heads
(each mention seems to have its first word for a head), and types need UPOS.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import fsum
from typing import NamedTuple

from ...core.document import mention_type
from ...core.errors import OptionError
from .attribution import Attribution
from .kinds import DocumentComparison, Error
from .labels import Values
from .slices import DIMENSIONS, mention_values

TEXT, HEAD, TYPE, DISTANCE, DOCUMENT = "text", "head", "mention-type", "distance", "document"
GROUPINGS = {
    TEXT: "words of the mention",
    HEAD: "head of the mention",
    TYPE: DIMENSIONS[TYPE].title,
    DISTANCE: DIMENSIONS[DISTANCE].title,
    DOCUMENT: "document",
}
NO_VALUE = {TYPE: "other", DISTANCE: "none"}
"""The only value of a grouping whose annotation is absent."""
LONGEST = 20
"""Words of a mention; those beyond do not decide its group, because nested mentions would take quadratic time."""

Member = tuple[str, str, int, int]
"""Value, kind of error, and the numbers of mentions and of groups of the error."""


class ErrorGroup(NamedTuple):
    """The errors with one value of a grouping."""

    by: str
    value: str
    errors: int
    gain: float | None
    """Their part of the gains of their kinds; None if no such kind costs points of the metric."""
    kinds: dict[str, int]
    """Errors of each kind."""


class GroupedDocument:
    """The slices and groups of the errors of a pair of documents.

    ``values`` are those of mentions in some dimensions; type and distance are added if they are not among them.
    """

    def __init__(self, pair: DocumentComparison, values: Mapping[str, tuple[Values, Values]]) -> None:
        self._pair, self._known = pair, values
        self._sides = pair.key, pair.response
        self.has_words: bool = bool(pair.key.document.sentences)

    @cached_property
    def values(self) -> dict[str, tuple[Values, Values]]:
        """By dimension, the values of the mentions of both sides."""
        pair, absent = self._pair, [by for by in (TYPE, DISTANCE) if by not in self._known]
        added = {by: mention_values(DIMENSIONS[by], pair.key, pair.response, pair.pairing) for by in absent}
        return {**self._known, **added}

    def values_of(self, error: Error, by: str) -> set[str]:
        """The values of the mentions of both sides in a dimension; a mention that only a relation has has a type."""
        found = set()
        for side, values, mentions in zip(self._sides, self.values[by], (error.key, error.response), strict=True):
            for mention in mentions:
                number = side.numbers.get(mention)
                value = values.get(number) if number is not None else None
                if value is None and by == TYPE and self.has_words:
                    value = mention_type(side.document, mention)
                if value is not None:
                    found.add(value)
        return found

    def slices(self, error: Error) -> set[tuple[str, str]]:
        """Dimension and value of every slice in which the error is."""
        return {(by, value) for by in self.values for value in self.values_of(error, by)}

    def words_of(self, error: Error) -> tuple[list[str], list[str]]:
        """The words of the mentions, and their heads; those of the key if it has any of them."""
        side, mentions = (self._sides[0], error.key) if error.key else (self._sides[1], error.response)
        return [side.text(m, LONGEST) for m in mentions], [side.word(m.head) for m in mentions]

    def described(self, error: Error) -> Error:
        """The error with head, type and distance of its first mention."""
        if not self.has_words:
            return error
        first = error._replace(key=error.key[:1], response=error.response[: not error.key])
        types, distances = (self.values_of(first, by) for by in (TYPE, DISTANCE))
        ((head,)) = self.words_of(first)[1]
        return error._replace(head=head, mention_type="".join(types), distance="".join(distances))


class GroupCounts:
    """Counts of errors in all groups, added up document by document."""

    def __init__(self) -> None:
        self._members: dict[str, Counter[Member]] = {by: Counter() for by in GROUPINGS}
        self._spellings: dict[str, Counter[str]] = {TEXT: Counter(), HEAD: Counter()}
        self._mentions: Counter[str] = Counter()
        """By kind of error."""
        self._heads_known = False

    def add(self, document: GroupedDocument, error: Error) -> None:
        """Count an error."""
        kind, mentions = error.kind, error.key or error.response
        count = len(mentions)
        self._mentions[kind] += count
        self._members[DOCUMENT][error.document, kind, count, 1] += 1
        if not document.has_words:
            return
        self._heads_known = self._heads_known or any(m.head != m.first and not m.is_zero for m in mentions)
        for by, spelled in zip((TEXT, HEAD), document.words_of(error), strict=True):
            spellings = self._spellings[by]
            for spelling in spelled:
                spellings[spelling] += 1
            self._count(by, {spelling.lower() for spelling in spelled}, kind, count)
        for by in (TYPE, DISTANCE):
            self._count(by, document.values_of(error, by), kind, count)

    def _count(self, by: str, values: set[str], kind: str, mentions: int) -> None:
        members, groups = self._members[by], len(values)
        for value in values:
            members[value, kind, mentions, groups] += 1

    def merge(self, other: GroupCounts) -> None:
        """Add the later documents of another one."""
        for by, members in other._members.items():
            self._members[by].update(members)
        for by, spellings in other._spellings.items():
            self._spellings[by].update(spellings)
        self._mentions.update(other._mentions)
        self._heads_known = self._heads_known or other._heads_known

    def groups(self, attribution: Attribution) -> list[ErrorGroup]:
        """By grouping, those that cost most first, then those with most errors."""
        gains = {step.kind: step.gain / (self._mentions[step.kind] or 1) for step in attribution.steps}
        found = []
        for by, members in self._members.items():
            values = {value for value, *_ in members}
            if (by == HEAD and not self._heads_known) or values == {NO_VALUE.get(by)}:
                continue  # not annotated
            spellings = sorted(self._spellings.get(by, {}).items(), key=lambda item: (item[1], item[0]))
            named = {spelling.lower(): spelling for spelling, _ in spellings}  # the most frequent is the last
            groups = [_group(by, named.get(value, value), rows, gains) for value, rows in _by_value(members).items()]
            found += sorted(groups, key=lambda group: (-(group.gain or 0.0), -group.errors, group.value))
        return found


Row = tuple[str, int, float]
"""Kind, errors, and mentions."""


def _by_value(members: Mapping[Member, int]) -> dict[str, list[Row]]:
    rows: dict[str, list[Row]] = defaultdict(list)
    for (value, kind, mentions, groups), count in members.items():
        rows[value].append((kind, count, count * mentions / groups))
    return rows


def _group(by: str, value: str, rows: list[Row], gains: Mapping[str, float]) -> ErrorGroup:
    """A group; ``gains`` are those of one mention of an error of each kind."""
    kinds: dict[str, int] = {}
    for kind, count, _ in rows:
        kinds[kind] = kinds.get(kind, 0) + count
    costs = [gains[kind] * mentions for kind, _, mentions in rows if kind in gains]
    if len(kinds) > 1:
        kinds = dict(sorted(kinds.items(), key=lambda item: (-item[1], item[0])))
    return ErrorGroup(by, value, sum(kinds.values()), fsum(costs) if costs else None, kinds)


def checked_groupings(names: Sequence[str]) -> tuple[str, ...]:
    """The groupings of these names; an OptionError if there is no such grouping."""
    if unknown := [name for name in names if name not in GROUPINGS]:
        raise OptionError.unknown("grouping", unknown, GROUPINGS)
    return tuple(dict.fromkeys(names))


def select_grouping(groups: Iterable[ErrorGroup], by: str) -> list[ErrorGroup]:
    """The groups of one grouping, in their order."""
    return [group for group in groups if group.by == by]
