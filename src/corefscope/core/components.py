"""Connected components of sets that share elements."""

from __future__ import annotations

from collections.abc import Hashable, Iterable


def components(sets: Iterable[Iterable[Hashable]]) -> list[list[int]]:
    """The numbers of the sets in groups that share elements, directly or through other sets of the group.

    Rows of a sparse matrix are sets of columns, links are sets of two ends. Groups stand in the order of their
    first sets. Each begins with its first set; the others follow as a depth-first search meets them. A set without
    elements is a group of its own.

    >>> components(["ab", "c", "", "bd", "cc", "ae"])
    [[0, 3, 5], [1, 4], [2]]
    """
    sets = list(sets)
    sets_with: dict[Hashable, list[int]] = {}
    for number, elements in enumerate(sets):
        for element in elements:
            sets_with.setdefault(element, []).append(number)
    groups = []
    seen = [False] * len(sets)
    for first in range(len(sets)):
        if seen[first]:
            continue
        seen[first] = True
        group, waiting = [], [first]
        while waiting:
            number = waiting.pop()
            group.append(number)
            for element in sets[number]:
                for other in sets_with.pop(element, ()):
                    if not seen[other]:
                        seen[other] = True
                        waiting.append(other)
        groups.append(group)
    return groups
