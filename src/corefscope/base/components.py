"""Connected components: which of many sets hang together, because they share elements."""

from __future__ import annotations

from collections.abc import Hashable, Iterable


def components(sets: Iterable[Iterable[Hashable]]) -> list[list[int]]:
    """The numbers of the sets in groups that share elements, directly or through other sets of the group.

    Rows of a sparse matrix are sets of columns, links are sets of two ends. Groups stand in the order of their
    first sets, the sets of a group in their own order; a set without elements is a group of its own.

    >>> components(["ab", "c", "", "db", "cc"])
    [[0, 3], [1, 4], [2]]
    """
    # A forest in which every set points to an earlier one of its group, or to itself: the first one is the root.
    earlier: list[int] = []
    first_with: dict[Hashable, int] = {}
    for number, elements in enumerate(sets):
        earlier.append(number)
        root = number
        for element in elements:
            other = first_with.setdefault(element, number)
            while earlier[other] != other:  # on the way to its root, every second step is made shorter
                earlier[other] = other = earlier[earlier[other]]
            if other < root:
                earlier[root] = root = other
            elif other > root:
                earlier[other] = root
    groups: dict[int, list[int]] = {}
    for number, other in enumerate(earlier):
        root = earlier[number] = earlier[other]  # sets before this one point to their roots by now
        groups.setdefault(root, []).append(number)
    return list(groups.values())
