"""The pairing and the ownership of ``corrected``: an oracle that tries everything, and ties worked by hand."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope.core.document import Document, Mention
from corefscope.core.matching import corrected
from corefscope.core.matching.alignment import NONE, Alignment, Side
from corefscope.core.matching.corrected import Scored, best_pairs
from corefscope.core.matching.matchers import MATCHERS
from corefscope.core.matching.transform import SAME_WORDS_AND_HEAD
from corefscope.core.options import Options
from corefscope.core.positions import coordinates, position
from corefscope.core.steps import align
from examples import examples
from on_disk import aligned
from oracles import corrected as oracle
from oracles.generate import random_pair
from strategies import small_documents

SETTINGS = [
    {"match": match, "zeros": zeros, "singletons": singletons}
    for match in ("head", "partial", "exact")
    for zeros in ("dependent", "linear")
    for singletons in ("keep", "drop")
]


# ---- the oracle


def _for_oracle(document: Document) -> list[oracle.Entity]:
    return [[_mention_for_oracle(mention) for mention in entity] for entity in document.entities]


def _mention_for_oracle(mention: Mention) -> oracle.Mention:
    return oracle.Mention(
        tuple(map(coordinates, mention.positions)),
        coordinates(mention.head),
        tuple((coordinates(parent), relation) for parent, relation in mention.dependencies),
    )


def _check(key: Document, response: Document, alignment: Alignment, **options: Any) -> None:
    """The entities that are left and the pairs are those of the oracle."""
    match, zeros, singletons = options["match"], options["zeros"], options["singletons"]
    key_entities, response_entities = (
        oracle.prepared(_for_oracle(document), match, singletons) for document in (key, response)
    )
    for side, entities in ((alignment.key, key_entities), (alignment.response, response_entities)):
        mentions = list(map(_mention_for_oracle, side.mentions))
        assert [[mentions[number] for number in entity] for entity in side.entities] == entities
    pairs = {
        (_mention_for_oracle(alignment.key.mentions[k]), _mention_for_oracle(alignment.response.mentions[r]))
        for k, r in enumerate(alignment.to_response)
        if r != NONE
    }
    assert pairs == oracle.matched(key_entities, response_entities, match, zeros)


@given(small_documents(), small_documents(), st.sampled_from(SETTINGS))
@examples(400)
def test_small_documents_are_paired_as_the_oracle_pairs_them(
    key: Document, response: Document, options: dict[str, Any]
) -> None:
    _check(key, response, align(key, response, Options(**options, rules="corrected")), **options)


@pytest.mark.parametrize("options", SETTINGS, ids=lambda options: "-".join(options.values()))
def test_files_are_paired_as_the_oracle_pairs_them(options: dict[str, Any], tmp_path: Path) -> None:
    for seed in range(12):
        texts = random_pair(random.Random(seed), duplicates=True, two_heads=True, empty_deps=True)
        for key, response, alignment in aligned(tmp_path, *texts, **options, rules="corrected"):
            _check(key, response, alignment, **options)


# ---- ties, by hand: words are numbered from 1, empty node 2.1 stands after word 2


def _words(*numbers: float) -> tuple[int, ...]:
    return tuple(position(1, int(number), round(number % 1 * 10)) for number in numbers)


def _mention(*numbers: float, head: float, attached: str = "") -> Mention:
    """A mention over these words; ``attached`` is the relation of its head to word 1."""
    return Mention(_words(*numbers), _words(head)[0], ((position(1, 1), attached),) if attached else ())


def _paired(keys: list[Mention], responses: list[Mention], zeros: str = "dependent") -> list[int]:
    """For each key mention its response mention under head match."""
    key, response = (Side([mentions], list(map(SAME_WORDS_AND_HEAD, mentions))) for mentions in (keys, responses))
    return corrected.align(key, response, MATCHERS["head"].find, zeros_first=zeros == "dependent").to_response


def test_the_best_total_is_taken_not_the_best_pair() -> None:
    """3 4 and 3 4 5 are the nearest (4/5), but then the other two are as far apart as can be (2/7).

    Dice: (3 4 | 3 4 5) = 4/5, (3 4 | 3) = 2/3, (3 4 5 6 7 8 | 3 4 5) = 6/9, (3 4 5 6 7 8 | 3) = 2/7.
    4/5 + 2/7 = 1.086 < 2/3 + 2/3 = 1.333.
    """
    keys = [_mention(3, 4, head=3), _mention(3, 4, 5, 6, 7, 8, head=3)]
    responses = [_mention(3, 4, 5, head=3), _mention(3, head=3)]
    assert _paired(keys, responses) == [1, 0]


def test_of_equally_good_pairs_identical_mentions_come_first() -> None:
    """Both zeros hang on word 1 as nsubj, so both pairs score 11. Only the second has words and head of the key.

    By places alone the first would win: it is the same span, with the earlier head.
    """
    key = _mention(2.1, 2.2, head=2.2, attached="nsubj")
    responses = [_mention(2.1, 2.2, head=2.1, attached="nsubj"), key]
    assert _paired([key], responses) == [1]


def test_then_the_smaller_difference_in_words() -> None:
    """All score 11. In common: 2 of 4 words, 2 of 3, 2 of 5. The second fits best, though it does not start first."""
    key = _mention(3, 3.1, head=3.1, attached="nsubj")
    responses = [
        _mention(1, 2, 3, 3.1, head=3.1, attached="nsubj"),
        _mention(2, 3, 3.1, head=3.1, attached="nsubj"),
        _mention(3, 3.1, 4, 5, 6, head=3.1, attached="nsubj"),
    ]
    assert _paired([key], responses) == [1]


def test_differences_are_proportional() -> None:
    """Half of the words are in common either way, 1 of 2 and 2 of 4, so the earlier start decides.

    Counted in words, the first pair differs less: by one word instead of two.
    """
    keys = [_mention(3.1, head=3.1, attached="obj"), _mention(2, 3, 3.1, 4, head=3.1, attached="obj")]
    assert _paired(keys, [_mention(3.1, 4, head=3.1, attached="obj")]) == [NONE, 0]


def test_then_the_earlier_start_whatever_the_end() -> None:
    """One word of three in common with both. 2 3 6 starts before 3 4 5, and ends after it: the start decides."""
    responses = [_mention(3, 4, 5, head=3), _mention(2, 3, 6, head=3)]
    assert _paired([_mention(3, head=3)], responses) == [1]


def test_then_the_earlier_end() -> None:
    """Two words of four in common with both, and both start with word 3: 3 4 6 ends before 3 4 7."""
    responses = [_mention(3, 4, 7, head=3), _mention(3, 4, 6, head=3)]
    assert _paired([_mention(3, 4, 5, head=3)], responses) == [1]


def test_ends_come_before_the_words_between() -> None:
    """Three words of six in common, start 3: 3 5 6 ends before 3 4 7. Likewise where the response ends last."""
    responses = [_mention(3, 4, 7, head=3), _mention(3, 5, 6, head=3)]
    assert _paired([_mention(3, 4, 5, 6, 7, 9, head=3)], responses) == [1]
    responses = [_mention(3, 4, 8, head=3), _mention(3, 5, 7, head=3)]
    assert _paired([_mention(3, 4, 5, head=3)], responses) == [1]


def test_then_the_words_between() -> None:
    """Two words of five in common with both, both from 3 to 7: 3 4 7 comes before 3 5 7."""
    responses = [_mention(3, 5, 7, head=3), _mention(3, 4, 7, head=3)]
    assert _paired([_mention(3, 4, 5, 6, 7, head=3)], responses) == [1]


def test_a_better_ranked_pair_outweighs_all_others() -> None:
    """Everything scores 11, so both ways to pair all have the same total; the one with an identical pair wins.

    It leaves a pair that has nothing in common. The other way, both pairs would share a word.
    """
    keys = [_mention(2.1, 4, head=2.1, attached="obj"), _mention(4, 4.1, head=4.1, attached="obj")]
    responses = [keys[1], _mention(4.1, 6.1, head=6.1, attached="obj")]
    assert _paired(keys, responses) == [1, 0]


def test_zeros_find_each_other_before_identical_mentions_do() -> None:
    """The key's 2.1 is an object, so it takes the response's object 4.1, and what is identical goes without."""
    keys = [_mention(2.1, head=2.1, attached="obj")]
    responses = [_mention(2.1, head=2.1, attached="nsubj"), _mention(4.1, head=4.1, attached="obj")]
    assert _paired(keys, responses) == [1]
    assert _paired(keys, responses[::-1]) == [0]
    assert _paired(keys, responses, zeros="linear") == [0]


def test_what_a_zero_has_taken_is_not_there_for_identical_mentions() -> None:
    """The only response zero is the object, as the first key zero is; it is identical to the second."""
    keys = [_mention(2.1, head=2.1, attached="obj"), _mention(4.1, head=4.1, attached="nsubj")]
    assert _paired(keys, [_mention(4.1, head=4.1, attached="obj")]) == [0, NONE]


def test_zeros_score_ten_times_their_dependencies_and_their_parents() -> None:
    """1:a 1:b 2:a against 1:a 2:b 3:a 3:b: 10·2/7 for one dependency of 3 and 4, 4/5 for two parents of 2 and 3."""

    def side(*dependencies: str) -> list[tuple[int, Mention]]:
        node = position(1, 5, 1)
        return [(0, Mention((node,), node, tuple((int(d[0]), d[1:]) for d in dependencies)))]

    pairs = corrected.by_dependencies(side("1a", "1b", "2a"), side("1a", "2b", "3a", "3b"))
    ((k, r, numerator, denominator),) = pairs
    assert (k, r, Fraction(numerator, denominator)) == (0, 0, Fraction(20, 7) + Fraction(4, 5))


def test_mentions_score_the_dice_coefficient_of_their_words() -> None:
    keys, responses = [(7, _mention(1, 2, 3, head=2))], [(8, _mention(2, 3, 4, 5, head=2))]
    ((k, r, numerator, denominator),) = corrected.by_words(keys, responses, MATCHERS["head"].find.pairs)
    assert (k, r, Fraction(numerator, denominator)) == (7, 8, Fraction(2 * 2, 3 + 4))


def test_the_order_of_mentions_decides_nothing() -> None:
    rng = random.Random(1)
    keys = [_mention(*range(a, b), head=4) for a in (1, 2, 3, 4) for b in (5, 6, 7)]
    responses = [_mention(*range(a, b, 2), head=4) for a in (2, 4) for b in (5, 7, 9)]
    expected = None
    for _ in range(20):
        rng.shuffle(keys)
        rng.shuffle(responses)
        pairs = {(keys[k], responses[r]) for k, r in enumerate(_paired(keys, responses)) if r != NONE}
        assert expected in (None, pairs)
        expected = pairs
    assert len(expected or ()) == 6


# ---- dense groups


def _crowd(extra: int) -> tuple[list[Scored], list[Mention]]:
    """20 × 20 pairs and some more, all of which compete; the best pair is not part of the best total."""
    scores = {(k, r): (1, 100) for k in range(20) for r in range(20)}
    scores |= {(20 + n, 0): (1, 100) for n in range(extra)}
    scores |= {(0, 0): (4, 5), (0, 1): (3, 4), (1, 0): (3, 4)}
    return [Scored(*pair, *score) for pair, score in scores.items()], [_mention(n, head=n) for n in range(1, 22)]


@pytest.mark.parametrize(("extra", "first"), [(0, {0: 1, 1: 0}), (1, {0: 0})])
def test_from_401_competing_pairs_on_the_best_pair_is_taken_first(extra: int, first: dict[int, int]) -> None:
    candidates, mentions = _crowd(extra)
    pairs = dict(best_pairs(candidates, mentions, mentions))
    assert first.items() <= pairs.items()
    assert len(pairs) == len(set(pairs.values())) == 20


def test_pairs_are_a_crowd_only_if_they_compete() -> None:
    """500 pairs that nobody else wants do not make the group of three a crowd, nor a crowd forget them."""
    mentions = [_mention(n, head=n) for n in range(1, 600)]
    alone = [Scored(n, n, 1, 2) for n in range(50, 550)]
    group = [Scored(0, 0, 4, 5), Scored(0, 1, 3, 4), Scored(1, 0, 3, 4)]
    assert set(best_pairs(alone + group, mentions, mentions)) == {(n, n) for n in range(50, 550)} | {(0, 1), (1, 0)}
    pairs = best_pairs(alone + _crowd(1)[0], mentions, mentions)
    assert len(pairs) == 520


@pytest.mark.parametrize("order", [1, -1])
def test_ties_are_exact_however_many_pairs_compete(order: int) -> None:
    """59 pairs of one key mention. Two have the best score, and are the last in rank: the earlier start decides."""
    responses = [_mention(n, head=n) for n in range(1, 60)][::order]
    best = [n for n, mention in enumerate(responses) if mention.head >= position(1, 58)]
    candidates = [Scored(0, r, 2 if r in best else 1, 3) for r in range(59)]
    ((_, r),) = best_pairs(candidates, [_mention(1, head=1)], responses)
    assert responses[r].head == position(1, 58)


def test_in_a_crowd_ties_go_to_the_earlier_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """All pairs score alike: 2 with 2, then 3 with 3. Words 2 and 3 would give the same total the other way round."""
    monkeypatch.setattr(corrected, "CROWDED", 3)
    mentions = [_mention(3, head=3), _mention(2, head=2)]
    pairs = [Scored(k, r, 1, 2) for k in (0, 1) for r in (1, 0)]
    assert best_pairs(pairs, mentions, mentions) == [(1, 1), (0, 0)]
    pairs.append(Scored(0, 1, 2, 3))
    assert best_pairs(pairs[1:], mentions, mentions) == [(0, 1), (1, 0)]


def test_of_two_pairs_that_mirror_each_other_the_one_whose_key_mention_is_earlier_is_taken() -> None:
    """Either zero 2.1 of the key goes with 3.1, or 3.1 of the key with 2.1; 4.1 fits the one that is left as well."""

    def zero(name: float, *parents: int) -> Mention:
        return Mention(_words(name), _words(name)[0], tuple((position(1, parent), "x") for parent in parents))

    keys = [zero(2.1, 2, 6, 7, 8, 9), zero(3.1, 1, 6, 7, 8, 9), zero(4.1, 1, 2)]
    responses = [zero(2.1, 1), zero(3.1, 2)]
    assert _paired(keys, responses) == [1, NONE, 0]
