"""Aligning printed words with those of the key: at the least cost, and in time that grows with the words."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from random import Random

import pytest

from corefscope.formats.alignment import SMALL, AlignedBlock, align_words, target_words
from corefscope.formats.edit_distance import cheapest_moves, normalise

Words = list[str]


def peak_memory(function: Callable[[], object]) -> int:
    """The most memory that a function needs."""
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


# ------------------------------------------------------------------ an oracle: every way, plainly


def common_letters(one: str, other: str) -> int:
    """The letters of the common beginning and, behind it, of the common end."""
    begins = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest = one[begins:][::-1], other[begins:][::-1]
    return begins + next((i for i, (a, b) in enumerate(zip(*rest, strict=False)) if a != b), min(map(len, rest)))


def _pair_cost(printed: str, key: str) -> int:
    if printed == key:
        return 0
    one, other = normalise(printed), normalise(key)
    if one == other:
        return 10
    return max(10, 100 - 200 * common_letters(one, other) // (len(one) + len(other)))


def _split_cost(whole: str, parts: tuple[str, ...]) -> float:
    """20 for each boundary, and between two words 10 for each of at most two letters that are missing."""
    splits = 20 * (len(parts) - 1)
    first, last = "".join(parts[:-1]), parts[-1]
    if whole == first + last:
        return splits
    found = float("inf")
    if len(parts) > 2:
        return found
    for left in range(min(3, len(first))):
        for right in range(min(3 - left, len(last))):
            if (
                first[: len(first) - left] + last[right:] == whole
                and 5 * (left + right) <= 2 * len(first + last)
                and whole not in (first, last)
            ):
                found = min(found, splits + 10 * (left + right))
    return found


def _least(printed: Words, key: Words) -> float:
    """The cost of the cheapest way, by looking at all of them."""
    ours, theirs = [normalise(word) for word in printed], [normalise(word) for word in key]

    @cache
    def to_the_end(i: int, j: int, run: str) -> float:
        if i == len(printed) and j == len(key):
            return 0
        ways = []
        if i < len(printed) and j < len(key):
            ways.append(_pair_cost(printed[i], key[j]) + to_the_end(i + 1, j + 1, ""))
        if i < len(printed):
            ways.append(50 + 20 * (run != "invented") + to_the_end(i + 1, j, "invented"))
            ways += [
                _split_cost(ours[i], tuple(theirs[j : j + n])) + to_the_end(i + 1, j + n, "")
                for n in range(2, min(len(ours[i]) + 2, len(key) - j) + 1)
            ]
        if j < len(key):
            ways.append(50 + 20 * (run != "left out") + to_the_end(i, j + 1, "left out"))
            ways += [
                _split_cost(theirs[j], tuple(ours[i : i + n])) + to_the_end(i + n, j + 1, "")
                for n in range(2, min(len(theirs[j]) + 2, len(printed) - i) + 1)
            ]
        return min(ways)

    return to_the_end(0, 0, "")


def _cost(blocks: list[AlignedBlock], printed: Words, key: Words) -> float:
    """What an alignment costs."""
    total = 0.0
    for block in blocks:
        ours, theirs = printed[block.source_start : block.source_stop], key[block.target_start : block.target_stop]
        if block.kind in ("left out", "invented"):
            total += 20 + 50 * len(ours + theirs)
        elif block.kind == "glued":
            total += _split_cost(normalise(ours[0]), tuple(map(normalise, theirs)))
        elif block.kind == "split":
            total += _split_cost(normalise(theirs[0]), tuple(map(normalise, ours)))
        else:
            total += sum(map(_pair_cost, ours, theirs))
    return total


def _check(blocks: list[AlignedBlock], printed: Words, key: Words) -> None:
    """Steps cover both sides in order; kinds say what they are."""
    ends = [(0, 0), *((block.source_stop, block.target_stop) for block in blocks)]
    assert [(block.source_start, block.target_start) for block in blocks] == ends[:-1]
    assert ends[-1] == (len(printed), len(key))
    for before, block in pairwise(blocks):
        assert before.kind != block.kind or block.kind in ("glued", "split")
    for block in blocks:
        ours, theirs = printed[block.source_start : block.source_stop], key[block.target_start : block.target_stop]
        if block.kind == "same":
            assert ours == theirs
        elif block.kind == "changed":
            assert all(a != b and normalise(a) == normalise(b) for a, b in zip(ours, theirs, strict=True))
        elif block.kind == "replaced":
            assert all(normalise(a) != normalise(b) for a, b in zip(ours, theirs, strict=True))
        else:
            shape = min(len(ours), 2), min(len(theirs), 2)
            fits = {"glued": [(1, 2)], "split": [(2, 1)], "left out": [(0, 1), (0, 2)], "invented": [(1, 0), (2, 0)]}
            assert shape in fits[block.kind]


def _corrupted(random: Random, key: Words, rate: float, spare: Words) -> Words:
    """What is printed of the key: words with another case, other words, glued, split, left out and invented ones."""
    printed: Words = []
    for word in key:
        if random.random() >= rate:
            printed.append(word)
            continue
        what = random.randrange(6)
        if what == 0:
            printed.append(word.swapcase())
        elif what == 1:
            printed.append(random.choice(spare))
        elif what == 2 and printed:
            printed[-1] += word
        elif what == 3:
            printed += [part for part in (word[:2], word[2:]) if part]
        elif what == 4:
            printed += [word, random.choice(spare)]
    return printed


ALPHABETS = {
    "few short words": ["a", "b", "ab", "B", "."],
    "similar words": ["dog", "dogs", "Dog", "do", "g", "s", ".", "dog."],
    "many words": [f"{first}{second}{third}" for first in "bdk" for second in "aeiou" for third in "lmn"],
}


@pytest.mark.parametrize("words", ALPHABETS.values(), ids=ALPHABETS)
def test_small_texts_cost_the_least_there_is(words: Words) -> None:
    random = Random(len(words))
    for _ in range(150):
        key = random.choices(words, k=random.randrange(12))
        related = random.random() < 0.7
        printed = _corrupted(random, key, 0.4, words) if related else random.choices(words, k=random.randrange(12))
        blocks = align_words(printed, key)
        _check(blocks, printed, key)
        assert _cost(blocks, printed, key) == _least(printed, key), (printed, key)


def _natural(random: Random, size: int, vocabulary: int = 5000) -> Words:
    """Words of which few are frequent and many are rare."""
    return [f"w{int(vocabulary ** random.random())}" for _ in range(size)]


def _counts(blocks: list[AlignedBlock]) -> dict[str, int]:
    """How many words of the key each kind has, or printed words of those invented."""
    counts: dict[str, int] = {}
    for block in blocks:
        words = block.target_stop - block.target_start or block.source_stop - block.source_start
        counts[block.kind] = counts.get(block.kind, 0) + words
    return counts


def test_anchors_cost_nothing_where_words_are_there_once() -> None:
    """Small gaps are not left to the table here, so that anchors decide."""
    random = Random(3)
    for _ in range(60):
        key = [
            f"{number}{'abcdefg'[number % 7] * 3}" for number in random.sample(range(1000), random.randrange(1, 30))
        ]
        spare = iter([f"x{number}y" for number in range(1000, 1100)])
        printed = [
            copied
            for word in key
            for copied in random.choices(
                ([word], [word.upper()], [next(spare)], [], [word, next(spare)]), (9, 1, 1, 1, 1)
            )[0]
        ]
        blocks = align_words(printed, key, small=0)
        _check(blocks, printed, key)
        assert _cost(blocks, printed, key) == _least(printed, key)


@pytest.mark.parametrize("small", [SMALL, 0])
def test_anchors_cost_little_where_words_are_repeated(small: int) -> None:
    """At most a tenth more than the least over many texts, even if one word in seven is changed; never less."""
    random = Random(7)
    least = cost = 0.0
    for _ in range(15):
        key = _natural(random, 35, 60)
        printed = _corrupted(random, key, 0.15, key)
        blocks = align_words(printed, key, small)
        _check(blocks, printed, key)
        assert _cost(blocks, printed, key) >= _least(printed, key)
        least += _least(printed, key)
        cost += _cost(blocks, printed, key)
    assert cost <= 1.1 * least


@pytest.mark.parametrize("size", [200, 5000])
def test_five_changed_words_in_a_hundred_keep_everything_else(size: int) -> None:
    random = Random(size)
    key = _natural(random, size)
    changed = set(random.sample(range(size), size // 20))
    printed = [f"changed{place}" if place in changed else word for place, word in enumerate(key)]
    blocks = align_words(printed, key)
    _check(blocks, printed, key)
    assert _counts(blocks) == {"same": size - size // 20, "replaced": size // 20}
    assert all(block.source_start == block.target_start for block in blocks)


def test_a_glued_or_split_word_does_not_swallow_its_neighbours() -> None:
    kinds = {
        ("dog.", "dog ."): "glued",
        ("can not", "cannot"): "split",
        ("del", "de el"): "glued",
        ("state-of-the-art", "state - of - the - art"): "glued",
        ("New York", "New_York"): "split",
        ("dog", "dog s"): "same, left out",
        ("dog", "a dog"): "left out, same",
        ("catnap", "cat sleeps"): "replaced, left out",
        ("Don't", "do n't"): "glued",
        ("(the", "-LRB- the"): "glued",
        ("“Ann”", "`` Ann ''"): "glued",
    }
    for (printed, key), expected in kinds.items():
        assert ", ".join(block.kind for block in align_words(printed.split(), key.split())) == expected, printed


def test_spellings_of_a_word_are_changed_words() -> None:
    printed, key = (
        ["dog", "‘", "…", "New_York", "ﬁn", "–", ")", "\xadco"],
        ["Dog", "'", "...", "New York", "fin", "-", "-RRB-", "CO"],
    )
    assert [tuple(block) for block in align_words(printed, key)] == [(0, 8, 0, 8, "changed")]


def test_repeated_blocks_keep_their_places() -> None:
    """A song: what is there many times is told apart by what stands around it."""
    refrain = ["la", "la", "la", "oh", "what", "a", "day", "la", "la", "la"]
    key = [word for verse in range(30) for word in [*refrain, f"verse{verse}", *refrain]]
    printed = list(key)
    printed[25] = "lo"
    del printed[100:110]
    blocks = align_words(printed, key)
    _check(blocks, printed, key)
    assert _counts(blocks) == {"same": len(key) - 11, "replaced": 1, "left out": 10}


def test_texts_without_rare_words_are_aligned() -> None:
    random = Random(5)
    for words in (["la"], ["la", "lo"], ["la", "lo", "li", "le", "lu"]):
        key = random.choices(words, k=1500)
        printed = ["x" if random.random() < 0.05 else word for word in key]
        blocks = align_words(printed, key)
        _check(blocks, printed, key)
        assert _counts(blocks)["same"] >= 0.94 * len(key)


def test_runs_of_words_are_anchors_where_no_word_is() -> None:
    """Three words, 2,000 times: a table of all has 4,000,000 cells, and gets none of them here."""
    random = Random(6)
    key = random.choices(["la", "lo", "li"], k=2000)
    printed = ["x" if random.random() < 0.03 else word for word in key]
    assert _counts(align_words(printed, key, cells=20_000))["same"] > 0.95 * len(key)


def test_a_text_printed_without_blanks_is_aligned() -> None:
    """As some scripts are written: five to twenty words in one, hardly any word of the key by itself."""
    random = Random(8)
    key = [random.choice(["ka", "ki", "ku", "na", "ni", "no", "ta", "to"]) for _ in range(6000)]
    printed, start = [], 0
    while start < len(key):
        stop = start + random.randrange(5, 21)
        printed.append("".join(key[start:stop]))
        start = stop
    blocks = align_words(printed, key, cells=10**5)
    _check(blocks, printed, key)
    assert _counts(blocks) == {"glued": len(key)}


def test_a_band_is_widened_as_far_as_it_must_be() -> None:
    """What is the same begins 40 words later on one side, and ends 40 words earlier."""
    common = [f"{number}{'abcdefg'[number % 7] * 3}" for number in range(60)]
    printed, key = [*["x"] * 40, *common], [*common, *["y"] * 40]
    assert cheapest_moves(printed, key) == [*[(1, 0)] * 40, *[(1, 1)] * 60, *[(0, 1)] * 40]


def test_one_side_may_be_empty() -> None:
    assert align_words([], []) == []
    assert align_words(["a", "b"], []) == [AlignedBlock(0, 2, 0, 0, "invented")]
    assert align_words([], ["a", "b"]) == [AlignedBlock(0, 0, 0, 2, "left out")]


def test_texts_with_nothing_in_common_are_aligned_to_the_end() -> None:
    printed, key = [f"x{n}y" for n in range(90)], [f"a{n}b" for n in range(70)]
    blocks = align_words(printed, key)
    _check(blocks, printed, key)
    assert "same" not in _counts(blocks)


def test_a_gap_with_too_many_cells_was_not_copied() -> None:
    key = ["begins", *["a", "b"] * 300, "ends"]
    printed = ["begins", *["c", "d"] * 200, "ends"]
    assert [block.kind for block in align_words(printed, key, cells=10_000)] == [
        "same",
        "invented",
        "left out",
        "same",
    ]
    assert "replaced" in [block.kind for block in align_words(printed, key)]


def test_chatter_and_a_cut_off_end_are_gaps_of_their_own() -> None:
    key = _natural(Random(9), 3000)
    chatter = ["Here", "is", "the", "text", "with", "tags", ":"]
    blocks = align_words([*chatter, *key[:1200]], key)
    assert [tuple(block) for block in blocks] == [
        (0, 7, 0, 0, "invented"),
        (7, 1207, 0, 1200, "same"),
        (1207, 1207, 1200, 3000, "left out"),
    ]


def test_a_novel_takes_seconds_and_the_memory_of_its_words() -> None:
    """200,000 words with 5 % of errors; a table of all pairs would have 40,000,000,000 cells."""
    random = Random(11)
    key = _natural(random, 200_000, 30_000)
    printed = _corrupted(random, key, 0.05, ["x", "yy", "zzz"])
    started = time.process_time()
    blocks = align_words(printed, key)
    assert time.process_time() - started < 20
    assert _counts(blocks)["same"] > 0.93 * len(key)
    _check(blocks, printed, key)
    assert peak_memory(lambda: align_words(printed[:10_000], key[:10_000])) < 15e6


def test_strings_are_aligned_by_characters() -> None:
    key = "Ada’s machine, and her notes on it."
    printed = "Ada's  machine and her notes on it."
    blocks = align_words(printed, key)
    _check(blocks, list(printed), list(key))
    placed = target_words(blocks, len(printed))
    start = printed.index("her notes")
    first, last = placed[start], placed[start + len("her notes") - 1]
    assert first
    assert last
    assert key[first[0] : last[1] + 1] == "her notes"
