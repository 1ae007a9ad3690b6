"""Connected components, against a search that repeats itself until nothing changes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from corefscope.base.components import components


@given(st.lists(st.lists(st.integers(0, 12), max_size=3), max_size=12))
def test_groups_share_elements_within_and_nothing_without(sets: list[list[int]]) -> None:
    label = list(range(len(sets)))
    for _ in sets:
        for a, one in enumerate(sets):
            for b, other in enumerate(sets):
                if set(one) & set(other):
                    label[a] = label[b] = min(label[a], label[b])
    expected = [[n for n, other in enumerate(label) if other == least] for least in sorted(set(label))]
    assert components(sets) == expected


def test_links_that_close_a_long_chain() -> None:
    """Every link joins two groups that are already long: roots move more than once."""
    links = [(n, n + 1) for n in range(0, 400, 2)] + [(n + 1, n + 2) for n in reversed(range(0, 398, 2))]
    assert components(links) == [list(range(len(links)))]


def test_there_may_be_nothing() -> None:
    assert components([]) == []
    assert components([(), ()]) == [[0], [1]]
