"""Which mention was meant: near misses are those that the definition names, and long mentions cost little."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from corefscope.analysis.errors.pairing import _more_than_half
from corefscope.core.document import Mention
from corefscope.core.positions import position

NODES = st.builds(position, st.just(1), st.integers(1, 12), st.sampled_from([0, 0, 0, 0, 1, 2]))
BROKEN = st.frozensets(NODES, min_size=1, max_size=8).map(lambda nodes: Mention(tuple(sorted(nodes)), min(nodes)))


@st.composite
def unbroken(draw: st.DrawFn) -> Mention:
    first = draw(st.integers(1, 12))
    words = tuple([position(1, word, 0) for word in range(first, first + draw(st.integers(1, 9)))])
    return Mention(words, words[0])


MENTIONS = st.lists(st.one_of(unbroken(), BROKEN), max_size=6).map(lambda mentions: list(enumerate(mentions)))


@given(MENTIONS, MENTIONS)
def test_near_are_those_that_have_more_words_in_common_than_not(
    keys: list[tuple[int, Mention]], responses: list[tuple[int, Mention]]
) -> None:
    expected = set()
    for k, key in keys:
        for r, response in responses:
            ours, theirs = set(key.positions), set(response.positions)
            if 2 * len(ours & theirs) > len(ours | theirs):
                expected.add((k, r, 2 * len(ours & theirs), len(ours) + len(theirs)))
    near = list(map(tuple, _more_than_half(keys, responses)))
    assert set(near) == expected
    assert len(near) == len(expected)
