"""Partial matches by minimal words: all of them are in the part, in dense groups, too."""

from __future__ import annotations

import random

from corefscope.core.document import Mention, MentionWithMinimum
from corefscope.core.matching.matchers import MATCHERS, part_with_head
from corefscope.core.positions import position
from corefscope.scale.dense_groups import Overlaps


def _mention(rng: random.Random) -> Mention:
    first = rng.randint(1, 6)
    words = [position(1, word) for word in range(first, first + rng.randint(1, 5))]
    span = tuple(word for word in words if rng.random() < 0.9) or (words[0],)
    if rng.random() < 0.3:
        return Mention(span, rng.choice(span))
    minimum = tuple(sorted(rng.sample(span, rng.randint(1, len(span)))))
    return MentionWithMinimum(span, minimum[0], (), minimum)


def test_a_part_holds_all_minimal_words_of_the_key_or_its_head() -> None:
    rng = random.Random(4)
    found = 0
    for _ in range(100):
        keys, responses = ([(n, _mention(rng)) for n in range(12)] for _ in range(2))
        expected = {
            (k, r)
            for k, key in keys
            for r, response in responses
            if {*response.positions} <= {*key.positions} and {*response.positions} >= {*(key.minimum or (key.head,))}
        }
        assert {(k, r) for k, r, _, _ in part_with_head(keys, responses)} == expected
        overlaps = Overlaps((keys, responses), MATCHERS["partial"].find)
        assert {(k, r) for k, _ in keys for r, n in enumerate(overlaps.row(k).tolist()) if n} == expected
        assert {(k, r) for r, _ in responses for k, n in enumerate(overlaps.column(r).tolist()) if n} == expected
        found += len(expected)
    assert found > 100
