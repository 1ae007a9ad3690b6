"""Heads of mentions, as the block ``MoveHead`` of udapi finds them in basic and enhanced dependencies."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .cleaning import ChainError

if TYPE_CHECKING:
    from .trees import TreeNode


def by_number(node: TreeNode) -> float:
    """What sorts the nodes of a sentence."""
    return node.number


def meeting_point(nodes: Sequence[TreeNode]) -> TreeNode:
    """Where ways up from all nodes meet, if they are gone in turns and end when one has come to the root.

    So it is the lowest node above all of them, unless one of them is so much higher than another that its way ends
    early: then it is taken for the node that is above the others.
    """
    below: dict[float, TreeNode | None] = dict.fromkeys(map(by_number, nodes))
    climbing, top = deque(nodes), None
    while len(climbing) > 1:
        node = climbing.popleft()
        if node.parent is None:
            top = node
        elif node.parent.number in below:
            below[node.parent.number] = None
        else:
            below[node.parent.number] = node
            climbing.append(node.parent)
    place = top or climbing[0]
    while (lower := below[place.number]) is not None:
        place = lower
    return place


def head_of(words: Sequence[TreeNode]) -> TreeNode:
    """The head of a mention whose first word was its head."""
    inside = set(words)
    heads = [word for word in words if word.parent is None or word.parent not in inside]
    if len(heads) > 1:
        free = [word for word in heads if not any(parent in inside for parent in word.enhanced_parents)]
        heads = free or [word for word in heads if not all(parent in inside for parent in word.enhanced_parents)]
    if not heads:
        return words[0]
    if len(heads) == 1:
        return heads[0]
    governors = [word for word in heads if not word.empty]
    for word in heads:
        parents = [parent for parent, _ in word.dependencies if not parent.empty] if word.empty else []
        if parents and parents[0] not in governors:
            governors.append(parents[0])
    if not governors:
        raise ChainError("IndexError", f"empty nodes of a mention in {words[0].tree.name} depend on no word")
    highest = meeting_point(sorted(governors, key=by_number))
    return next(word for word in (highest, words[0], heads[0]) if word in heads)
