"""The order of Python sets, for mentions that sort alike.

CorefUD scorer 1.2 sorts mentions by first word, last word and length. Mentions that agree in all three (other
words in between, or another head) stay in the order in which CPython iterates over its sets of them: fixed by
the hashes of the words' coordinates and by the history of the set. That order decides ties, so it is followed
here, by doing what the scorer does to stand-ins that have the hashes of its mentions.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ..base.positions import NEXT_WORD, SENTENCE_SHIFT, node_name, positions_in


class _StandIn:
    __slots__ = ("_hash", "number")

    def __init__(self, number: int, identity: Any) -> None:
        self.number = number
        self._hash = _hash(identity)

    def __hash__(self) -> int:
        return self._hash


def zeros_in_set_order(identities: list[Any], zeros: Collection[int]) -> list[int]:
    """The zeros as the scorer's set of them yields them."""
    mentions = {_StandIn(number, identity) for number, identity in enumerate(identities)}
    return [mention.number for mention in {m for m in mentions if m.number in zeros}]


def free_in_set_order(
    identities: list[Any], paired_zeros: Collection[int] | None, identical: Collection[int]
) -> list[int]:
    """What is left without zeros that are paired (None: nobody looked for any) and identical mentions."""
    mentions = {_StandIn(number, identity) for number, identity in enumerate(identities)}
    left = mentions.copy()
    if paired_zeros is not None:
        left = left - {mention for mention in mentions if mention.number in paired_zeros}
    left = left - {mention for mention in left if mention.number in identical}
    return [mention.number for mention in {mention for mention in left}]  # noqa: C416  (a set built anew)


def _hash(identity: Any) -> int:
    """The hash of the scorer's mention: of the set of its words, and in head matching of its head too."""
    first, last, broken, *head = identity
    words = frozenset(map(_word, positions_in(broken) or range(first, last + 1, NEXT_WORD)))
    return hash((words, frozenset(map(_word, head))) if head else words)


def _word(position: int) -> tuple[int, float]:
    return position >> SENTENCE_SHIFT, float(node_name(position))  # an int has the hash of the float it equals
