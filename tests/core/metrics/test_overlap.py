"""MOR by hand: words that mentions repeat."""

from __future__ import annotations

from corefscope.core.document import Mention
from corefscope.core.matching.alignment import Alignment, Side
from corefscope.core.matching.transform import SAME_WORDS_AND_HEAD
from corefscope.core.metrics import METRICS
from corefscope.core.positions import position


def test_a_word_that_a_mention_repeats_is_common_once() -> None:
    mention = Mention(tuple(position(1, word) for word in (1, 2, 2, 3)), position(1, 1))
    side = Side([[mention]], [SAME_WORDS_AND_HEAD(mention)])
    assert METRICS["mor"].counts(Alignment.of_pairs(side, side, [0])) == (3, 4, 3, 4)
