"""Runs of positions: they say the same as the positions, and sort like them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from corefscope.core.document import Mention
from corefscope.core.positions import NodeCuts, NodeRange, position, positions_in, runs_in

NODES = st.builds(position, st.integers(1, 2), st.integers(1, 5), st.sampled_from([0, 0, 0, 1, 2]))
WORDS = st.lists(NODES, min_size=1, max_size=9, unique=True).map(sorted)
REPEATED = st.lists(NODES, min_size=1, max_size=9).map(sorted)


@given(REPEATED)
def test_runs_hold_all_positions(positions: list[int]) -> None:
    assert positions_in(runs_in(positions)) in ((), tuple(positions))
    mention = Mention(positions, positions[0])
    assert mention.positions == tuple(positions)
    assert (mention.size, mention.distinct) == (len(positions), len(set(positions)))
    assert mention.repeats == (len(set(positions)) < len(positions))


@given(REPEATED, REPEATED, NODES, NODES)
def test_mentions_sort_as_their_positions_do(one: list[int], other: list[int], first: int, last: int) -> None:
    """If they begin and end alike and are as long, which is when their positions are looked at."""
    size = min(len(one), len(other))
    mentions = [Mention(sorted([first, *each[:size], last]), first) for each in (one, other)]
    if mentions[0][:3] == mentions[1][:3]:
        assert sorted(mentions) == sorted(mentions, key=lambda mention: mention.positions)
        assert (mentions[0] == mentions[1]) == (mentions[0].positions == mentions[1].positions)


@given(REPEATED, REPEATED, st.integers(1, 30))
def test_common_words_are_those_of_both_sets(one: list[int], other: list[int], longer: int) -> None:
    """Few runs of many words are compared as runs."""
    sides = [
        sorted([*positions, *(position(1, word) for word in range(5, 5 + longer))]) for positions in (one, other)
    ]
    mention, other_mention = (Mention(positions, positions[0]) for positions in sides)
    assert mention.common(other_mention) == len(set(sides[0]) & set(sides[1]))


@given(WORDS, st.data())
def test_a_node_range_has_the_runs_of_its_positions(order: list[int], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(order) - 1))
    stop = data.draw(st.integers(start + 1, len(order)))
    nodes = NodeRange(order, NodeCuts.of(order), start, stop)
    assert (list(nodes), len(nodes)) == (order[start:stop], stop - start)
    assert nodes[-1] == order[stop - 1]
    assert nodes[1:] == order[start + 1 : stop]
    assert runs_in(nodes) == runs_in(order[start:stop])
    assert Mention(nodes, order[start]) == Mention(order[start:stop], order[start])


def test_a_long_mention_with_an_empty_node_inside_is_three_runs() -> None:
    words = [position(1, word) for word in range(1, 5001)]
    order = sorted([*words, position(1, 2000, 1)])
    mention = Mention(NodeRange(order, NodeCuts.of(order), 0, len(order)), words[0])
    assert mention.runs == [(words[0], words[1999]), (order[2000], order[2000]), (words[2000], words[-1])]
    assert len(mention.broken) == 6


def test_mentions_that_go_on_over_the_same_empty_nodes_share_their_numbers() -> None:
    """Thousands inside each other would take gigabytes."""
    order = sorted(node for word in range(1, 40) for node in (position(1, word), position(1, word, 1)))
    cuts = NodeCuts.of(order)
    one, other = (Mention(NodeRange(order, cuts, start, len(order)), order[start]) for start in (0, 2))
    assert one.broken[4:] == other.broken
    assert all(number is same for number, same in zip(one.broken[5:-1], other.broken[1:-1], strict=True))
    listed, again = (Mention(order[start:], order[start]) for start in (0, 2))
    assert (listed, again) == (one, other)
    assert all(number is same for number, same in zip(listed.broken[5:-1], again.broken[1:-1], strict=True))
