"""MOR, the mention overlap ratio: R = Σ |K ∩ R| over the best one-to-one map of mentions, divided by Σ |K|

Mentions are sets of words, empty nodes included; the map is the one with the greatest total overlap, whatever
the match and zeros options say. Precision divides by Σ |R|. A mention in two entities counts twice.

Mapping equal mentions to each other never loses anything: |A∩X| + |A∩Y| ≤ |A| + |X∩Y|, so (A,X), (Y,A) are no
better than (A,A), (Y,X). Only what is left after that is searched for the best map.

Žabokrtský et al. (2022).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator

from ..document import Mention
from ..matching.alignment import NONE, Alignment, Side
from ..matching.assignment import best_total
from ..matching.matchers import are_crowded
from ..matching.transform import SAME_WORDS
from ..numbers import Counts
from ..positions import SENTENCE_SHIFT
from ..registry import HOOKS
from .base import Applicability, BlockOf, Booking, EngineSupport, Explanation, Metric, Resampling, rows
from .mentions import MENTIONS

Mentions = list[Mention]


def _count(alignment: Alignment) -> Counts:
    keys, responses = _occurrences(alignment.key), _occurrences(alignment.response)
    keys_left, responses_left, repeated = _without_equal(alignment, keys, responses)
    key_words, response_words = _words(keys), _words(responses)
    total = key_words - _words(keys_left) - repeated + _best_overlap(keys_left, responses_left)
    return total, key_words, total, response_words


def _words(mentions: Mentions) -> int:
    """Σ |K|: the words of all mentions, counted once for each mention."""
    return -sum([mention[1] for mention in mentions])


def _occurrences(side: Side) -> Mentions:
    """Every mention, once for each entity it is in."""
    if not side.repeats:
        return side.mentions
    return [side.mentions[number] for entity in side.entities for number in entity]


def _without_equal(alignment: Alignment, keys: Mentions, responses: Mentions) -> tuple[Mentions, Mentions, int]:
    """What is left of each side without mentions whose words both have; and how often these repeat a word.

    An alignment has paired most of them already; those it has not are left to the search.
    """
    same = SAME_WORDS
    if not alignment.mutual or alignment.key.repeats or alignment.response.repeats:
        mention_of = {same(mention): mention for mention in (*keys, *responses)}
        of_key, of_response = Counter(map(same, keys)), Counter(map(same, responses))
        common = of_key & of_response
        parts = of_key - common, of_response - common, common
        key_left, response_left, equal = ([mention_of[words] for words in part.elements()] for part in parts)
        return key_left, response_left, sum(map(_repeated, equal))
    left: Mentions = []
    others: Mentions = []
    repeated = 0
    for mention, number in zip(keys, alignment.to_response, strict=True):
        if number < 0:
            left.append(mention)
        elif mention == (other := responses[number]) or same(mention) == same(other):
            if mention[5]:
                repeated += _repeated(mention)
        else:
            left.append(mention)
            others.append(other)
    others += [mention for mention, number in zip(responses, alignment.to_key, strict=True) if number < 0]
    return left, others, repeated


def _repeated(mention: Mention) -> int:
    return mention.size - mention.distinct


def _best_overlap(keys: Mentions, responses: Mentions) -> float:
    """Σ |K ∩ R| over the best map."""
    if are_crowded(keys, responses):
        best: float = HOOKS["best_overlap"](keys, responses)
        return best
    return best_total(overlaps(keys, responses))


def overlaps(keys: Mentions, responses: Mentions) -> list[tuple[int, int, float]]:
    """(key, response, common words) of all pairs that have any; only mentions of one sentence are compared."""
    by_sentence: dict[int, list[int]] = defaultdict(list)
    for r, mention in enumerate(responses):
        for sentence in _sentences(mention):
            by_sentence[sentence].append(r)
    overlaps: list[tuple[int, int, float]] = []
    for k, mention in enumerate(keys):
        first, last = mention[0], mention[2]
        sentences = _sentences(mention)
        near = [r for sentence in sentences for r in by_sentence.get(sentence, ())]
        for r in near if len(sentences) == 1 else set(near):
            other = responses[r]
            if other[0] <= last and first <= other[2] and (common := mention.common(other)):
                overlaps.append((k, r, common))
    return overlaps


def _sentences(mention: Mention) -> Collection[int]:
    first, last = mention[0] >> SENTENCE_SHIFT, mention[2] >> SENTENCE_SHIFT
    return (first,) if first == last else {word >> SENTENCE_SHIFT for word in mention.positions}


def _by_mention(alignment: Alignment, block_of: BlockOf) -> Iterator[Booking]:
    """Words by mention; the best map block by block, since only mentions that share words are mapped to each other.

    Blocks that a mention ties together are mapped together, and their overlap is booked on the first of them.
    """
    sides = [[side.mentions[number] for entity in side.entities for number in entity] for side in alignment[:2]]
    first_of = _tied_together(sides[0] + sides[1], block_of)
    groups: dict[int, tuple[list[Mention], list[Mention]]] = {}
    for index, side in enumerate(sides):
        for mention in side:
            block, words = block_of(mention.first), mention.size
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
    spans = {(block_of(mention.first), block_of(mention.last)) for mention in mentions}
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
    scope=Applicability(needs_words=True),
    counts=_count,
    engines=EngineSupport(counts_of_ids=MENTIONS.counts),  # an id is as good as a word
    resampling=Resampling(_by_mention),
    explanation=Explanation("mentions.overlap"),
)
ROWS = rows(MOR)
