"""The anaphor-decomposable score for zeros: R = TP / (TP + FN + WL), P = TP / (TP + FP + WL)

Anaphors are the zeros of an entity except its first mention. A key anaphor is

- lost (FN) if it has no counterpart, or its counterpart is the first mention of a response entity,
- wrongly linked (WL) if its counterpart stands in no response entity that also has the counterpart of an earlier
  mention of the same key entity,
- right (TP) otherwise.

A response zero that is not the first mention of its entity and no counterpart of a key anaphor is spurious (FP).
Which zeros are anaphors is decided by each side for itself, so the score is not symmetric.

Žabokrtský et al. (2022), after Tuggener (2014).
"""

from __future__ import annotations

from ..alignment import NONE, Alignment, Side
from ..counts import Counts
from ..document import Mention
from .base import RECALL_PRECISION, Metric, plain


def _count(alignment: Alignment) -> Counts:
    key, response = alignment.key, alignment.response
    if not (key.zeros or response.zeros or key.repeats or response.repeats):
        return 0, 0, 0, 0
    entities = [_in_text_order(response, j) for j in range(len(response.entities))]
    first = {entity[0][0] for entity in entities}
    right = wrong = lost = 0
    covered = set()
    for i in range(len(key.entities)):
        seen: set[int] = set()
        for at, (number, mention) in enumerate(_in_text_order(key, i)):
            counterpart = alignment.anaphors[number]
            owner = response.owner[counterpart] if counterpart != NONE else NONE
            if at and mention.is_zero:
                if counterpart == NONE or counterpart in first:
                    lost += 1
                elif owner not in seen:
                    wrong += 1
                else:
                    right += 1
                covered.add(counterpart)
            if owner != NONE:
                seen.add(owner)
    spurious = sum(
        1
        for entity in entities
        for number, mention in entity
        if mention.is_zero and number not in first and number not in covered
    )
    return right, right + lost + wrong, right, right + spurious + wrong


def _in_text_order(side: Side, i: int) -> list[tuple[int, Mention]]:
    """The mentions of an entity with their numbers, by first word, then last word, then shorter first."""
    members = zip(side.entities[i], side.given[i], strict=True)
    return sorted(members, key=lambda member: _place(member[1]))


def _place(mention: Mention) -> tuple[int, int, int]:
    positions = mention.positions
    return positions[0], positions[-1], len(positions)


ZERO = Metric(
    name="zero",
    title="Zeros",
    summary="anaphor-decomposable score for zeros: is each zero linked to a right antecedent",
    cite="zabokrtsky-2022",
    reads="alignment",
    fields=RECALL_PRECISION,
    count=_count,
    score=plain,
    definition=__doc__,
    symmetric=False,
)
