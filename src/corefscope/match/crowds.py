"""Crowds: so many mentions that all compete with each other that their pairs are scored by rows, in NumPy.

Five thousand mentions with one head have 25 million pairs. None of them is made: a crowd knows how well one mention
fits all of the other side at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from ..base.components import components
from ..base.document import Mention
from ..base.positions import MINOR_MASK, WORD_SHIFT, runs_of
from .candidates import Find, Mentions, kinds_that_fit, zeros_by_kind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

CROWDED = 20_000  # pairs; from here on NumPy is worth its import
NO_PAIR = -1.0
"""The score of mentions that are no candidates for each other."""

Runs = list[tuple[int, int]]


Crowd = tuple[Mentions, Mentions]
"""Mentions of the key and of the response that compete with each other, and with no others."""


def crowds_of_mentions(keys: Mentions, responses: Mentions, find: Find) -> list[Crowd]:
    """The crowds among mentions that are found by something in which they agree."""
    if find.agree_in is None or len(keys) * len(responses) <= CROWDED:
        return []
    by_key, by_response = (_grouped(side, find.agree_in) for side in (keys, responses))
    together = [(group, by_response.get(name, [])) for name, group in by_key.items()]
    return [(ours, theirs) for ours, theirs in together if len(ours) * len(theirs) > CROWDED]


def crowds_of_zeros(keys: Mentions, responses: Mentions) -> list[Crowd]:
    """The crowds among zeros that are found by their dependencies."""
    if len(keys) * len(responses) <= CROWDED:
        return []
    by_kind, by_other_kind = zeros_by_kind(keys), zeros_by_kind(responses)
    fits = list(kinds_that_fit(by_kind, by_other_kind).items())
    crowds: list[Crowd] = []
    for group in components(kinds for _, kinds in fits):
        competing = [fits[i] for i in group]
        pairs = sum(len(by_kind[kind]) * len(by_other_kind[other]) for kind, kinds in competing for other in kinds)
        if pairs > CROWDED:
            ours = {k for kind, _ in competing for k in by_kind[kind]}
            theirs = {r for _, kinds in competing for other in kinds for r in by_other_kind[other]}
            crowds.append(
                ([zero for zero in keys if zero[0] in ours], [zero for zero in responses if zero[0] in theirs])
            )
    return crowds


def _among(mentions: Mentions, numbers: set[int]) -> Mentions:
    return [numbered for numbered in mentions if numbered[0] in numbers]


def _grouped(mentions: Mentions, name: Callable[[Mention], int]) -> dict[int, list[tuple[int, Mention]]]:
    groups: dict[int, list[tuple[int, Mention]]] = {}
    for numbered in mentions:
        groups.setdefault(name(numbered[1]), []).append(numbered)
    return groups


def without_crowds(keys: Mentions, responses: Mentions, crowds: Sequence[Crowd]) -> Crowd:
    """The mentions of both sides that are in no crowd."""
    if not crowds:
        return keys, responses
    crowded, other_crowded = ({number for crowd in crowds for number, _ in crowd[side]} for side in (0, 1))
    return _among(keys, {k for k, _ in keys} - crowded), _among(responses, {r for r, _ in responses} - other_crowded)


class Words:
    """The words of many mentions, as runs: an empty node is a run of its own, apart from all words."""

    def __init__(self, mentions: Iterable[Mention]) -> None:
        import numpy as np

        self.runs = list(map(_runs, mentions))
        self.sizes: Integers = np.array([sum([last - first + 1 for first, last in runs]) for runs in self.runs])
        self._from, self._to = np.array([run for runs in self.runs for run in runs]).T
        self._first_run = np.cumsum([0, *map(len, self.runs[:-1])])

    def common(self, runs: Runs) -> Integers:
        """|A ∩ B| for a mention of the other side and each of these."""
        import numpy as np

        common = np.zeros(len(self._from), dtype=np.int64)
        for first, last in runs:
            common += np.maximum(np.minimum(last, self._to) - np.maximum(first, self._from) + 1, 0)
        of_mention: Integers = np.add.reduceat(common, self._first_run)
        return of_mention


def words_of(mentions: Mentions) -> Words:
    """The words of mentions."""
    return Words(mention for _, mention in mentions)


def _runs(mention: Mention) -> Runs:
    """First and last of words that follow each other; empty nodes are below 0."""
    if not mention.broken and not mention.first & MINOR_MASK:
        return [(mention.first >> WORD_SHIFT, mention.last >> WORD_SHIFT)]
    empty = {-position for position in mention.positions if position & MINOR_MASK}
    words = {position >> WORD_SHIFT for position in mention.positions if not position & MINOR_MASK}
    return [(node, node) for node in empty] + runs_of(words)


def _ranks(mentions: Mentions) -> Integers:
    """The place of each mention in the order of starts, then ends, then words.

    Of pairs that have one mention in common, the one whose other mention comes first is placed best
    (``corrected._places``): the earlier and the later of two starts both grow with either of them, and so do ends.
    """
    import numpy as np

    def place(number: int) -> tuple[object, ...]:
        _, mention = mentions[number]
        return mention.first, mention.last, mention.positions, mention.head

    ranks = np.empty(len(mentions), dtype=np.int64)
    ranks[sorted(range(len(mentions)), key=place)] = np.arange(len(mentions))
    return ranks


def best_first(
    keys: Mentions, responses: Mentions, row: Callable[[int], Floats], column: Callable[[int], Floats]
) -> list[tuple[int, int]]:
    """The best pair of a crowd, then the best that is left: without looking at more than rows and columns.

    ``row(i)`` has the scores of a key mention with all response mentions, ``column(j)`` those of a response mention.
    A pair that is the best for both its mentions is taken in the end, whatever is taken before. From a mention to its
    best one, and on to the best of that one, pairs get better and better, until there is such a pair.
    """
    import numpy as np

    key_ranks, response_ranks = _ranks(keys), _ranks(responses)
    free_keys, free_responses = np.ones(len(keys), dtype=bool), np.ones(len(responses), dtype=bool)

    def best(scores: Floats, free: NDArray[np.bool_], ranks: Integers) -> int | None:
        scores = np.where(free, scores, NO_PAIR)
        highest = scores.max()
        if highest == NO_PAIR:
            return None
        chosen = np.flatnonzero(scores == highest)
        return int(chosen[ranks[chosen].argmin()])

    pairs: list[tuple[int, int]] = []
    for start in range(len(keys)):
        path = [start] if free_keys[start] else []
        while path:
            i = path[-1]
            j = best(row(i), free_responses, response_ranks)
            rival = i if j is None else best(column(j), free_keys, key_ranks)
            if rival is not None and rival != i:
                path.append(rival)
                continue
            free_keys[path.pop()] = False
            if j is not None:
                free_responses[j] = False
                pairs.append((keys[i][0], responses[j][0]))
    return pairs
