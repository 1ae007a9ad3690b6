"""Connected components, against a search that repeats itself until nothing changes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from corefscope.core.components import components


@given(st.lists(st.lists(st.integers(0, 12), max_size=3), max_size=12))
def test_groups_share_elements_within_and_nothing_without(sets: list[list[int]]) -> None:
    label = list(range(len(sets)))
    for _ in sets:
        for a, one in enumerate(sets):
            for b, other in enumerate(sets):
                if set(one) & set(other):
                    label[a] = label[b] = min(label[a], label[b])
    expected = [[n for n, other in enumerate(label) if other == least] for least in sorted(set(label))]
    groups = components(sets)
    assert [sorted(group) for group in groups] == expected
    assert [group[0] for group in groups] == [group[0] for group in expected]


def test_links_that_close_a_long_chain() -> None:
    links = [(n, n + 1) for n in range(0, 400, 2)] + [(n + 1, n + 2) for n in reversed(range(0, 398, 2))]
    assert [sorted(group) for group in components(links)] == [list(range(len(links)))]


def test_a_group_is_in_the_order_of_a_depth_first_search() -> None:
    """The last digit of a sum over a component depends on it."""
    assert components(["ab", "cd", "bc", "ae", "ed", "f"]) == [[0, 2, 1, 4, 3], [5]]


def test_there_may_be_nothing() -> None:
    assert components([]) == []
    assert components([(), ()]) == [[0], [1]]
