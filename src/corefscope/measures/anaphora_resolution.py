"""Anaphora resolution: is every anaphor attached to what it refers to (Popescu-Belis 2000, section 4.4)

An anaphor is resolved by a *full* mention, which is neither a pronoun nor a zero: to share an entity with other
pronouns resolves nothing. Anaphors are what ``--anaphors`` says (zeros, pronouns, or all mentions; in Python also
a predicate, whose mentions are then not full). Pronouns are mentions whose head has that UPOS; where a format
has none, all mentions but zeros are full. An anaphor never resolves itself.

- ``anaphora_classes``: R = of the key's anaphors that have a full mention in their key entity, the share whose
  response entity has one of these, too. P = of the full mentions in the response entities of anaphors, the share
  that is in the anaphor's key entity, summed over anaphors. The recall is indulgent, the precision severe. (After
  Azzam et al. 1998.)
- ``anaphora_links``: the antecedent of an anaphor is the nearest mention before it in its response entity, full
  or not; it is right if it is in the anaphor's key entity. R = right / anaphors of the key that have an antecedent
  there, P = right / anaphors that have one in the response. (The success rate of Mitkov and Belguith 1998.)
- ``anaphora_full``: as ``anaphora_links``, with the nearest *full* mention before it as the antecedent.

Each side says which of its mentions are anaphors. A mention belongs to the one entity that owns it, and only
counterparts that are mutual count. Links that a system made are not in files: they are made from entities.
Mentions that are ids have no order, so there are no links to count. 0/0 follows the rule set. Documents are
pooled by adding numerators and denominators.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from functools import partial
from typing import NamedTuple

from ..core.document import Mention, text_order
from ..core.matching.alignment import NONE, Alignment, Side
from ..core.metrics.base import (
    Applicability,
    BlockOf,
    Booking,
    EngineSupport,
    Explanation,
    Metric,
    Resampling,
    Scale,
    rows,
)
from ..core.numbers import Counts, add, where
from ..core.table import Table


class Judgement(NamedTuple):
    """An anaphor, and its contribution to the counts."""

    mention: Mention
    counts: Counts
    antecedent: Mention | None = None
    """Of metrics of links, the antecedent in the response, if there is one."""
    verdict: str = ""
    """Of metrics of links, whether it is right."""


class Resolver(NamedTuple):
    """One side with its anaphors and full mentions, all by number."""

    side: Side
    anaphors: Sequence[int]
    full: Set[int]
    counterparts: list[int]
    other_entity: list[int]
    """The entity of the other side in which the counterpart is; NONE without counterpart."""

    def companions(self) -> Iterator[tuple[int, int, int]]:
        """Each anaphor, how many full mentions its entity has, and how many of these the other side has there, too.

        None is its own companion.
        """
        owner = self.side.owner
        full = Counter(owner[m] for m in self.full)
        shared = Counter((owner[m], self.other_entity[m]) for m in self.full)
        for number in self.anaphors:
            entity, home, itself = owner[number], self.other_entity[number], number in self.full
            if full[entity] > itself:
                yield number, full[entity] - itself, shared[entity, home] - itself if home != NONE else 0

    def antecedents(self, *, full: bool) -> dict[int, int]:
        """The nearest mention before each mention in its entity, where there is one; ids have no order."""
        nearest: dict[int, int] = {}
        if not (self.side.document and self.side.document.sentences):
            return nearest
        mentions, owner = self.side.mentions, self.side.owner
        candidates = self.full if full else range(len(mentions))
        last: dict[int, int] = {}  # by entity
        for number in sorted(range(len(mentions)), key=lambda number: text_order(mentions[number])):
            if (entity := owner[number]) in last:
                nearest[number] = last[entity]
            if number in candidates:
                last[entity] = number
        return nearest


def both_sides(alignment: Alignment) -> tuple[Resolver, Resolver]:
    """Key and response."""
    key, response, to_response, to_key = alignment[:4]
    return _resolver(key, response, to_response, to_key), _resolver(response, key, to_key, to_response)


def _resolver(side: Side, other: Side, to_other: list[int], back: list[int]) -> Resolver:
    counterparts = [m if m != NONE and back[m] == number else NONE for number, m in enumerate(to_other)]
    other_entity = [other.owner[m] if m != NONE else NONE for m in counterparts]
    document = side.document
    if document is None or document.anaphors is None:
        return Resolver(side, range(len(side.mentions)), side.full, counterparts, other_entity)
    anaphors = [n for n, mention in enumerate(side.mentions) if document.anaphors(document, mention)]
    return Resolver(side, anaphors, side.full.difference(anaphors), counterparts, other_entity)


def by_classes(alignment: Alignment) -> Iterator[Judgement]:
    """The anaphors of the key, then those of the response, by the entities they are in."""
    key, response = both_sides(alignment)
    for number, _, shared in key.companions():
        yield Judgement(key.side.mentions[number], (int(shared > 0), 1, 0, 0))
    for number, companions, shared in response.companions():
        yield Judgement(response.side.mentions[number], (0, 0, shared, companions))


def by_links(alignment: Alignment, *, full: bool) -> Iterator[Judgement]:
    """The anaphors of the key, then those of the response, by their antecedents."""
    key, response = both_sides(alignment)
    in_key, in_response = key.antecedents(full=full), response.antecedents(full=full)

    def is_right(number: int, entity: int) -> int:
        """Whether a response mention has an antecedent in a key entity."""
        return int(entity != NONE and number in in_response and response.other_entity[in_response[number]] == entity)

    def judge(mention: Mention, number: int, right: int, counts: Counts) -> Judgement:
        """The judgement of an anaphor with this number in the response."""
        if number not in in_response:
            return Judgement(mention, counts, None, "no antecedent" if number != NONE else "missing")
        antecedent = response.side.mentions[in_response[number]]
        return Judgement(mention, counts, antecedent, "right" if right else "wrong")

    for number in key.anaphors:
        if number in in_key:
            counterpart = key.counterparts[number]
            right = is_right(counterpart, key.side.owner[number])
            yield judge(key.side.mentions[number], counterpart, right, (right, 1, 0, 0))
    for number in response.anaphors:
        if number in in_response:
            right = is_right(number, response.other_entity[number])
            yield judge(response.side.mentions[number], number, right, (0, 0, right, 1))


def _classes_of_ids(table: Table) -> Counts:
    """All ids are full mentions, and anaphors: each has its whole entity for companions."""
    return (
        table.over_cells(lambda n, _k, _r: where(n > 1, n, 0)),
        table.over_entities(lambda k: where(k > 1, k, 0)),
        table.over_cells(lambda n, _k, _r: n * (n - 1)),
        table.T.over_entities(lambda r: r * (r - 1)),
    )


def _row(
    name: str,
    title: str,
    summary: str,
    judge: Callable[[Alignment], Iterator[Judgement]],
    explained_by: str,
    first: str,
    of_ids: Callable[[Table], Counts] = lambda _: (0, 0, 0, 0),  # ids have no order, and so no links
) -> Metric:
    def count(alignment: Alignment) -> Counts:
        return add([(0, 0, 0, 0), *(judgement.counts for judgement in judge(alignment))])

    def book(alignment: Alignment, block_of: BlockOf) -> Iterator[Booking]:
        for judgement in judge(alignment):
            yield block_of(judgement.mention.first), judgement.counts

    return Metric(
        *(name, title, summary),
        cite=(first, "popescu-belis-2000"),
        definition=__doc__,
        reads="alignment",
        scope=Applicability(needs_words=True),
        counts=count,
        engines=EngineSupport(counts_of_ids=of_ids),
        scale=Scale(symmetric=False),
        resampling=Resampling(book),
        explanation=Explanation(explained_by),
    )


ROWS = rows(
    _row(
        *("anaphora_classes", "Anaphora (classes)", "anaphors that share an entity with a right full mention"),
        judge=by_classes,
        explained_by="mentions.by_classes",
        first="azzam-1998",
        of_ids=_classes_of_ids,
    ),
    _row(
        *("anaphora_links", "Anaphora (links)", "anaphors whose nearest antecedent is right"),
        judge=partial(by_links, full=False),
        explained_by="mentions.by_links:any",
        first="mitkov-belguith-1998",
    ),
    _row(
        *("anaphora_full", "Anaphora (full)", "anaphors whose nearest full antecedent is right"),
        judge=partial(by_links, full=True),
        explained_by="mentions.by_links:full",
        first="mitkov-belguith-1998",
    ),
)
