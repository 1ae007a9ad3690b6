"""MOR, the mention overlap ratio: R = Σ |K ∩ R| over the best one-to-one map of mentions, divided by Σ |K|

Mentions are sets of words, empty nodes included; the map is the one with the greatest total overlap, whatever
the match and zeros options say. Precision divides by Σ |R|. A mention counts as often as it stands in an entity.

Mapping equal mentions to each other never loses anything: |A∩X| + |A∩Y| ≤ |A| + |X∩Y|, so (A,X), (Y,A) are no
better than (A,A), (Y,X). Only what is left after that is searched for the best map.

Žabokrtský et al. (2022).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ...base.document import Mention
from ...base.numbers import Counts
from ...base.positions import SENTENCE_SHIFT, common_words, unbroken
from ...match.alignment import NONE, Alignment, Side
from ...match.assignment import DENSE, assign_matrix
from ...match.crowds import CROWDED
from ...match.crowds import Words as CrowdedWords
from ..best_total import best_total
from .base import Metric
from .by_mention import BlockOf, Booking
from .mentions import MENTIONS

Words = tuple[int, ...]


def _count(alignment: Alignment) -> Counts:
    keys, responses = _spans(alignment.key), _spans(alignment.response)
    key_words, response_words = sum(map(len, keys)), sum(map(len, responses))
    equal, keys, responses = _without_equal(alignment, keys, responses)
    total = sum(map(len, map(set, equal))) + _best_overlap(keys, responses)
    return total, key_words, total, response_words


def _spans(side: Side) -> list[Words]:
    if not side.repeats:
        return [mention.positions for mention in side.mentions]
    return [side.mentions[number].positions for entity in side.entities for number in entity]


def _without_equal(
    alignment: Alignment, keys: list[Words], responses: list[Words]
) -> tuple[list[Words], list[Words], list[Words]]:
    """The spans that both sides have, and what is left of each side.

    An alignment has paired most equal spans already; those it has not are left to the search.
    """
    if not alignment.mutual or alignment.key.repeats or alignment.response.repeats:
        of_key, of_response = Counter(keys), Counter(responses)
        equal = of_key & of_response
        return list(equal.elements()), list((of_key - equal).elements()), list((of_response - equal).elements())
    to_response = alignment.to_response
    paired = [k for k, r in enumerate(to_response) if r >= 0 and keys[k] == responses[r]]
    left, other = set(range(len(keys))), set(range(len(responses)))
    left.difference_update(paired)
    other.difference_update([to_response[k] for k in paired])
    return [keys[k] for k in paired], [keys[k] for k in left], [responses[r] for r in other]


def _best_overlap(keys: list[Words], responses: list[Words]) -> float:
    """Σ |K ∩ R| over the best map; where hundreds of spans overlap, by SciPy and without a cell for each pair."""
    if len(keys) * len(responses) <= CROWDED:
        return best_total(overlaps(keys, responses))
    total = 0.0
    for ours, theirs in _neighbours(keys, responses):
        crowded = CROWDED < len(ours) * len(theirs) <= DENSE
        total += _best_in_crowd(ours, theirs) if crowded else best_total(overlaps(ours, theirs))
    return total


def _neighbours(keys: list[Words], responses: list[Words]) -> Iterator[tuple[list[Words], list[Words]]]:
    """The spans in groups that stand apart, from first to last word."""
    group: tuple[list[Words], list[Words]] = [], []
    end = -1
    spans = [(words, 0) for words in keys] + [(words, 1) for words in responses]
    for words, side in sorted(spans, key=lambda span: span[0][0]):
        if words[0] > end:
            yield group
            group = [], []
        group[side].append(words)
        end = max(end, words[-1])
    yield group


def _best_in_crowd(keys: list[Words], responses: list[Words]) -> float:
    import numpy as np

    theirs = CrowdedWords(responses)
    matrix = np.empty((len(keys), len(responses)))
    for row, runs in zip(matrix, CrowdedWords(keys).runs, strict=True):
        row[:] = theirs.common(runs)
    pairs = assign_matrix(matrix)  # which negates it
    return -float(sum(matrix[i, j] for i, j in pairs))


def overlaps(keys: list[Words], responses: list[Words]) -> list[tuple[int, int, float]]:
    """(key, response, common words) of all pairs that have any; only mentions of one sentence are compared."""
    by_sentence: dict[int, list[int]] = {}
    for r, words in enumerate(responses):
        for sentence in _sentences(words):
            by_sentence.setdefault(sentence, []).append(r)
    overlaps: list[tuple[int, int, float]] = []
    is_unbroken = [unbroken(words) for words in responses]
    for k, words in enumerate(keys):
        first, last, key_unbroken = words[0], words[-1], unbroken(words)
        for r in {r for sentence in _sentences(words) for r in by_sentence.get(sentence, ())}:
            other = responses[r]
            if other[0] <= last and first <= other[-1]:
                common = common_words(words, other, is_unbroken[r] and key_unbroken)
                if common:
                    overlaps.append((k, r, common))
    return overlaps


def _sentences(words: Words) -> set[int]:
    if words[0] >> SENTENCE_SHIFT == words[-1] >> SENTENCE_SHIFT:
        return {words[0] >> SENTENCE_SHIFT}
    return {word >> SENTENCE_SHIFT for word in words}


def _by_mention(alignment: Alignment, block_of: BlockOf) -> Iterator[Booking]:
    """Words by mention; the best map block by block, since only mentions that share words are mapped to each other.

    Blocks that a mention ties together are mapped together, and their overlap is booked on the first of them.
    """
    sides = [[side.mentions[number] for entity in side.entities for number in entity] for side in alignment[:2]]
    first_of = _tied_together(sides[0] + sides[1], block_of)
    groups: dict[int, tuple[list[Mention], list[Mention]]] = {}
    for index, side in enumerate(sides):
        for mention in side:
            block, words = block_of(mention.positions[0]), len(mention.positions)
            groups.setdefault(first_of[block], ([], []))[index].append(mention)
            yield block, (0, 0, 0, words) if index else (0, words, 0, 0)
    for block, mentions in groups.items():
        key, response = (Side([of_side], list(range(len(of_side)))) for of_side in mentions)
        overlap = _count(Alignment.of_pairs(key, response, [NONE] * len(key.mentions)))[0]
        yield block, (overlap, 0, overlap, 0)


def _tied_together(mentions: Iterable[Mention], block_of: BlockOf) -> dict[int, int]:
    """For each block in which mentions begin the first of those that it is tied to: usually the block itself."""
    first_of: dict[int, int] = {}
    start, end = 0, -1
    spans = {(block_of(mention.positions[0]), block_of(mention.positions[-1])) for mention in mentions}
    for first, last in sorted(spans):
        start = first if first > end else start
        end = max(end, last)
        first_of[first] = start
    return first_of


MOR = Metric(
    name="mor",
    aliases=("mention_overlap", "mention-overlap", "mention_overlap_ratio"),
    title="MOR",
    summary="mention overlap ratio: words covered under the best one-to-one map of mentions",
    cite="zabokrtsky-2022",
    definition=__doc__,
    reads="alignment",
    needs_words=True,
    counts=_count,
    of_ids=MENTIONS.counts,  # an id is as good as a word
    by_mention=_by_mention,
    working="words.overlap",
)
ROWS = (MOR,)
