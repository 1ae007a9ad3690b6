"""The anaphor-decomposable score for zeros: R = TP / (TP + FN + WL), P = TP / (TP + FP + WL)

Anaphors are the zeros of an entity except its first mention. A key anaphor is

- lost (FN) if it has no counterpart, or its counterpart is the first mention of a response entity,
- wrongly linked (WL) if its counterpart is in no response entity that also has the counterpart of an earlier
  mention of the same key entity,
- right (TP) otherwise.

A response zero that is not the first mention of its entity and no counterpart of a key anaphor is spurious (FP).
Which zeros are anaphors is decided by each side for itself, so the score is not symmetric.

Žabokrtský et al. (2022), after Tuggener (2014).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..document import Mention, text_order
from ..matching.alignment import NONE, Alignment, Side
from ..numbers import Counts
from .base import Applicability, BlockOf, Booking, EngineSupport, Explanation, Metric, Resampling, Scale, rows


class Verdict(NamedTuple):
    """How an anaphoric zero was resolved."""

    mention: Mention
    right: int
    """1 if it is linked to a right antecedent."""
    in_key: int
    """1 if the key has it."""
    in_response: int
    """1 if the response resolves it."""


def verdicts(alignment: Alignment) -> Iterator[Verdict]:
    """Of each zero that is not the first mention of its entity: the key's, then those that only the response has."""
    key, response = alignment.key, alignment.response
    if not (key.zeros or response.zeros or key.repeats or response.repeats):
        return
    entities = [_in_text_order(response, j) for j in range(len(response.entities))]
    first = {entity[0][0] for entity in entities}
    covered = set()
    for i in range(len(key.entities)):
        seen: set[int] = set()
        for index, (number, mention) in enumerate(_in_text_order(key, i)):
            counterpart = alignment.anaphors[number]
            owner = response.owner[counterpart] if counterpart != NONE else NONE
            if index and mention.is_zero:
                resolved = counterpart != NONE and counterpart not in first
                yield Verdict(mention, int(resolved and owner in seen), 1, int(resolved))
                covered.add(counterpart)
            if owner != NONE:
                seen.add(owner)
    for entity in entities:
        for number, mention in entity:
            if mention.is_zero and number not in first and number not in covered:
                yield Verdict(mention, 0, 0, 1)


def _count(alignment: Alignment) -> Counts:
    anaphors = list(verdicts(alignment))
    right = sum(anaphor.right for anaphor in anaphors)
    return right, sum(anaphor.in_key for anaphor in anaphors), right, sum(anaphor.in_response for anaphor in anaphors)


def _by_mention(alignment: Alignment, block_of: BlockOf) -> Iterator[Booking]:
    for mention, right, in_key, in_response in verdicts(alignment):
        yield block_of(mention.first), (right, in_key, right, in_response)


def _in_text_order(side: Side, i: int) -> list[tuple[int, Mention]]:
    """The mentions of an entity with their numbers."""
    members = zip(side.entities[i], side.members[i], strict=True)
    return sorted(members, key=lambda member: text_order(member[1]))


ZERO = Metric(
    name="zero",
    aliases=("zeros", "zero_anaphora", "zero-anaphora"),
    title="Zeros",
    summary="anaphor-decomposable score for zeros: is each zero linked to a right antecedent",
    cite="zabokrtsky-2022",
    definition=__doc__,
    reads="alignment",
    scope=Applicability(needs_words=True),
    counts=_count,
    engines=EngineSupport(counts_of_ids=lambda _: (0, 0, 0, 0)),  # no id is a zero
    scale=Scale(symmetric=False),
    resampling=Resampling(_by_mention),
    explanation=Explanation("mentions.zeros"),
)
ROWS = rows(ZERO)
