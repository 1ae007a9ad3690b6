"""What the basic and the enhanced dependencies say of the nodes of a sentence."""

from __future__ import annotations

from ...base.document import Sentence, is_comment
from ...base.mention import Dependency
from ...base.positions import MINOR_MASK, parse_position
from .nodes import Nodes

COLUMNS = 10
HEAD_COLUMN = 6


def parents(sentence: Sentence) -> dict[int, int | None]:
    """The parent of each word; None of those that have no number there."""
    lines = [line.split("\t") for line in sentence.lines if line and not is_comment(line)]
    if any(len(row) != COLUMNS for row in lines):  # a file of another format has no tree
        return {}
    heads = [row[HEAD_COLUMN] for row in lines if not {".", "-"} & set(row[0])]
    return {
        word: parse_position(sentence.number, head) for word, head in zip(sentence.positions, heads, strict=False)
    }


def zero_dependencies(sentence: Sentence, head: int) -> tuple[Dependency, ...]:
    """What is read of heads that are empty nodes: their enhanced dependencies."""
    if not head & MINOR_MASK:
        return ()
    try:
        return Nodes.of(sentence).dependencies(head)
    except LookupError:  # a node that depends on nothing that exists; the reader has warned of mentions that need it
        return ()
