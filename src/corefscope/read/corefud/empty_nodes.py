"""Empty nodes that are put into a sentence."""

from __future__ import annotations

from collections.abc import Iterable

from ...base.document import Sentence, is_comment
from ...base.mention import Dependency
from ...base.positions import node_name
from ...base.record import Record


class NewNode(Record):
    """An empty node that a sentence is to have."""

    place: int
    dependencies: tuple[Dependency, ...]
    form: str = "_"
    pos: str = "_"

    @property
    def line(self) -> str:
        """Its line."""
        deps = "|".join(f"{node_name(parent)}:{relation}" for parent, relation in self.dependencies)
        return "\t".join([node_name(self.place), self.form, "_", self.pos, "_", "_", "_", "_", deps, "_"])


def with_empty_nodes(sentence: Sentence, nodes: Iterable[NewNode]) -> Sentence:
    r"""The sentence with further empty nodes: each after its word and earlier empty nodes, or after the comments.

    >>> sentence = Sentence("", 0, 1, ["1\tx"], ["1.1"], ["# a comment", "1\tx", "1.1\t_", "2\ty"])
    >>> nodes = [NewNode((1 << 20) + 2, ((1 << 20, "dep"),)), NewNode(1, ())]
    >>> [line.partition("\t")[0] for line in with_empty_nodes(sentence, nodes).lines]
    ['# a comment', '0.1', '1', '1.1', '1.2', '2']
    """
    lines = list(sentence.lines)
    words = [None if is_comment(line) else line.partition("\t")[0].partition(".")[0] for line in lines]
    first = next((number for number, word in enumerate(words) if word is not None), len(lines))
    after = {"0": first} | {word: number for number, word in enumerate(words, 1) if word is not None}
    added: dict[int, list[str]] = {}
    names = []
    for node in nodes:
        names.append(name := node_name(node.place))
        added.setdefault(after[name.partition(".")[0]], []).append(node.line)
    grown: list[str] = []
    for number, line in enumerate([*lines, ""]):
        grown += added.get(number, ())
        grown.append(line)
    return sentence._replace(lines=grown[:-1], unusual=[*sentence.unusual, *names])
