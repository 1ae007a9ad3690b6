"""Empty nodes that are put into a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ...base.document import Sentence, is_comment
from ...base.mention import Dependency
from ...base.positions import MINOR_MASK, WORD_MASK, node_name


class NewNode(NamedTuple):
    """An empty node that a sentence is to have."""

    place: int
    dependencies: tuple[Dependency, ...]
    form: str = "_"
    pos: str = "_"


def with_empty_nodes(sentence: Sentence, nodes: Iterable[NewNode]) -> Sentence:
    r"""The sentence with further empty nodes: each after its word and earlier empty nodes, or after the comments.

    The sentence is one of CoNLL-U, or of CoNLL-UA, where files may number words through the document: lines are found
    by their positions, and IDs are those of the file.

    >>> lines = ["# a comment", "1\tx", "1.1\t_", "2\ty"]
    >>> sentence = Sentence("", 0, 1, ["1\tx", "2\ty"], ["1.1"], lines)
    >>> nodes = [NewNode((1 << 20) + 2, ((1 << 20, "dep"),)), NewNode(1, ())]
    >>> [line.partition("\t")[0] for line in with_empty_nodes(sentence, nodes).lines]
    ['# a comment', '0.1', '1', '1.1', '1.2', '2']
    """
    lines = list(sentence.lines)
    first = next((index for index, line in enumerate(lines) if not is_comment(line)), len(lines))
    last_behind = {place & ~MINOR_MASK: place for place in sentence.nodes}  # in order: of several, the last
    added: dict[int, list[str]] = {}
    names = []
    for node in nodes:
        names.append(node_name(node.place))
        last = last_behind.get(node.place & ~MINOR_MASK)
        index = first if last is None else sentence.line_index(node_name(last)) + 1
        added.setdefault(index, []).append(_line(node, sentence))
    for index in sorted(added, reverse=True):
        lines[index:index] = added[index]
    return sentence._replace(lines=lines, unusual=[*sentence.unusual, *names])


def _line(node: NewNode, sentence: Sentence) -> str:
    """The line of a new node; the file may number words through the document."""

    def id_of(place: int) -> str:
        return sentence.columns(node_name(place))[0] if place & WORD_MASK else "0"

    word = id_of(node.place & ~MINOR_MASK)
    name = f"{word}.{node.place & MINOR_MASK}" if word.isdigit() else node_name(node.place)
    deps = "|".join(f"{id_of(parent)}:{relation}" for parent, relation in node.dependencies)
    return "\t".join([name, node.form, "_", node.pos, "_", "_", "_", "_", deps or "_", "_"])
