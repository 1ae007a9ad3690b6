"""``text2text_coref text2conllu``: cleaned items and the skeleton become a CorefUD file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from .cleaning import ChainError
from .heads import by_number, head_of
from .trees import Tree, TreeNode, trees_of

REFUSED = "a file that CorefUD scorer 1.2 refuses"
HEADER = "eid-etype-head-other"
"""What ``global.Entity`` is where the skeleton has none."""


class _Tagged(NamedTuple):
    """A mention: its words by number, and the id of its entity."""

    words: Sequence[TreeNode]
    id: str

    def order(self, numbers: Mapping[Tree, int]) -> tuple[int, float, int, float, str]:
        """Of the mentions of a document: by first word, the longer one first."""
        first, last = self.words[0], self.words[-1]
        return numbers[first.tree], first.number, -len(self.words), last.number, self.id


def documents_of(lines: Iterable[str]) -> list[list[Tree]]:
    """The sentences of each document; ``# newdoc`` begins one, with an id or without."""
    documents: list[list[Tree]] = []
    for tree in trees_of(lines):
        if documents and documents[0][0].id and not tree.id:
            raise ChainError(REFUSED, "a sentence of the skeleton has no sent_id, others have")
        if not documents or any(map(_begins, tree.comments)):
            documents.append([])
        documents[-1].append(tree)
    return documents


def _begins(comment: str) -> re.Match[str] | None:
    """Whether a document begins there; its id is the group."""
    return re.match(r"# newdoc(?:\s+id\s*=\s*(.+))?$", comment)


def headers_of(documents: Iterable[Sequence[Tree]]) -> Iterator[str]:
    """The value of ``global.Entity`` for each document: its own, or that of an earlier one."""
    header = HEADER
    for trees in documents:
        named = [re.match(r"# global.Entity\s*=\s*(\S+)", comment) for comment in trees[0].comments]
        header = next((match[1] for match in named if match), header)
        yield header


def imported(items: Sequence[str], trees: Sequence[Tree], header: str, zeros: bool) -> Iterator[str]:
    """The lines of a document, whose empty nodes and entities are those of the items; this changes the trees."""
    for tree in trees:
        tree.cut_parents()
        if zeros:
            tree.move_empty()
        else:
            tree.delete_empty()
    if not zeros:
        _make_zeros(items, [word for tree in trees for word in tree.words])
    nodes = [node for tree in trees for node in tree.nodes]
    if len(nodes) != len(items):
        error = "AssertionError" if len(nodes) < len(items) else "IndexError"
        raise ChainError(error, f"{len(items)} cleaned words and zeros for {len(nodes)} of the skeleton")
    if not any(match and match[1] for match in map(_begins, trees[0].comments)):
        _warn_of_words(items, nodes)
    numbers = {tree: number for number, tree in enumerate(trees)}
    for mention in sorted(_mentions(items, nodes), key=lambda mention: mention.order(numbers)):
        _write(mention, header.split("-"))
    yield from _lines(trees, header)


def _warn_of_words(items: Sequence[str], nodes: Iterable[TreeNode]) -> None:
    """A warning of words that differ names the document, and one without id has no name. Zeros made differ always."""
    for item, node in zip(items, nodes, strict=True):
        if node.form != item.split("|")[0]:
            raise ChainError("KeyError", f"{item!r} for {node.form!r} in a document of the skeleton that has no id")


def _make_zeros(items: Sequence[str], words: Sequence[TreeNode]) -> None:
    """An empty node behind a word for each zero that follows it; the first item is taken for a word."""
    place = 1
    for word in words:
        while place < len(items) and items[place].startswith("##"):
            word.tree.make_empty(word, "_")
            place += 1
        place += 1


def _mentions(items: Sequence[str], nodes: Sequence[TreeNode]) -> Iterator[_Tagged]:
    """The mentions that the tags tell; one that is never closed is none."""
    opened: dict[str, list[int]] = {}
    for place, item in enumerate(items):
        for tag in item.split("|")[1].split(",") if "|" in item else ():
            id_ = tag.strip("[]")
            if tag.startswith("["):
                opened.setdefault(id_, []).append(place)
            if tag.endswith("]"):
                words = nodes[opened[id_].pop() : place + 1]
                yield _Tagged(sorted(words, key=by_number), id_)


def _write(mention: _Tagged, fields: Sequence[str]) -> None:
    """Add the brackets of a mention to those that begin earlier, or at the same word and are longer.

    A zero behind the last word of a sentence goes with the tags of the next sentence. So a mention may have words of
    both, which are in the order of their numbers all the same.
    """
    first, last = mention.words[0], mention.words[-1]
    head = mention.words.index(head_of(mention.words)) + 1
    outside = sum(word.tree is not first.tree for word in mention.words)
    if first.tree is not last.tree or head > len(mention.words) - outside:
        cause = f"a mention of {mention.id} begins with a zero behind the last word of a sentence, and goes on"
        raise ChainError(REFUSED, cause)
    known = {"eid": mention.id, "GRP": mention.id, "head": str(head)}
    opening = "(" + "-".join(known.get(field, "") for field in fields).rstrip("-")
    if first is not last:
        first.entity += opening
        last.entity = f"{mention.id}){last.entity}"
    elif not first.entity.endswith(")") or re.search(r"\([^()]+(\(|$)", first.entity):
        first.entity += opening + ")"
    else:
        first.entity = f"{opening}){first.entity}"


def _lines(trees: Sequence[Tree], header: str) -> Iterator[str]:
    """The sentences of a document, which has a header, whether the skeleton has it or not."""
    if not any(map(_begins, trees[0].comments)) and any(node.entity for tree in trees for node in tree.nodes):
        raise ChainError(REFUSED, "the skeleton begins without # newdoc, the file that is written with it")
    for tree in trees:
        for comment in tree.comments:
            if not comment.startswith("# global.Entity"):
                yield comment
            if _begins(comment):
                yield f"# global.Entity = {header}"
        yield from tree.lines
        yield ""
