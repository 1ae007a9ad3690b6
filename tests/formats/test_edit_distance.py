"""Edit distance over words: memory and time of token splits, and the difference of long words."""

from __future__ import annotations

from random import Random

import pytest

from corefscope.formats.edit_distance import TokenSplits, WordGap, cheapest_moves, spelling_difference
from tests.formats.test_alignment import Words, common_letters, peak_memory

REPEATED = {
    "glued twice": (["aa"], ["a"]),
    "an ellipsis for each stop": (["..."], ["."]),
    "a glued bigram": (["ofthe", "cat"], ["of", "the", "cat"]),
    "split": (["a", "b"], ["ab"]),
    "of many sizes": (["a" * size for size in range(1, 65)], ["a"]),
}


@pytest.mark.parametrize(("printed", "key"), REPEATED.values(), ids=REPEATED)
def test_what_is_kept_of_token_splits_grows_with_the_words(printed: Words, key: Words) -> None:
    """Not with the pairs of words and of neighbours that spell them: twice the words have four times as many."""
    printed, key = printed * 800, key * 800
    once, twice = (
        peak_memory(lambda: WordGap(printed[:400], key[:400])),
        peak_memory(lambda: WordGap(printed[:800], key[:800])),
    )
    assert twice < 2.5 * once


def test_a_row_asks_for_the_token_splits_of_its_columns_only() -> None:
    splits = TokenSplits(["a"] * 1000, ["aa"] * 1000)
    assert [column.tolist() for column in splits.of_whole("aa", 500, 503)] == [[500, 501, 502], [2] * 3, [20] * 3]
    found = [(pieces, cost, places.tolist()) for pieces, cost, places in splits.of_pieces(700, 500, 503)]
    assert found == [(2, 20, [500, 501, 502])]
    assert not splits.of_whole("a", 0, 1001)[0]
    assert not list(splits.of_pieces(1, 0, 1001))


def test_a_token_split_in_each_cell_takes_a_byte() -> None:
    """160,000 cells, with marks and token splits, beside the costs of 64 rows; in a dict, a split takes 100."""
    assert peak_memory(lambda: cheapest_moves(["..."] * 400, ["."] * 400)) < 5e6


def test_long_words_are_compared_many_letters_at_a_time() -> None:
    class Counted(str):
        looked = 0

        def __getitem__(self, at: object) -> str:
            Counted.looked += 1
            return str.__getitem__(self, at)  # type: ignore[index]

    one, other = Counted("a" * 10_000 + "b" + "a" * 10_000), Counted("a" * 10_000 + "c" + "a" * 10_000)
    assert spelling_difference(one, other) == 1
    assert Counted.looked < 200


def test_long_words_differ_by_what_is_not_incommon_letters() -> None:
    random = Random(13)
    for _ in range(2000):
        one = "".join(random.choices("aaab", k=random.randrange(1, 100)))
        at = random.randrange(len(one))
        other = one[:at] + "".join(random.choices("abc", k=random.randrange(3))) + one[at + random.randrange(3) :]
        expected = 100 - 200 * common_letters(one, other) // (len(one) + len(other))
        assert spelling_difference(one, other) == expected, (one, other)
