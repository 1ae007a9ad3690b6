"""Importer ``text2text_coref text2conllu``: makes a CorefUD file of cleaned items and the skeleton, and reads it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from ...core.document import Document
from ...core.errors import InputError, Warnings
from ...formats.corefud.reader import CorefUDReader
from ...formats.source import Source
from ...llm.styles import STYLES
from .cleaning import clean_line, skeleton_words
from .trees import ChainError, Tree, TreeNode, by_number, head_of, trees_of

if TYPE_CHECKING:
    from ...llm.reader import TaggedReader


REFUSED = "a file that CorefUD scorer 1.2 refuses"
HEADER = "eid-etype-head-other"
"""Value of ``global.Entity`` if the skeleton has none."""


class _Mention(NamedTuple):
    """Nodes of a mention, and the id of its entity."""

    words: Sequence[TreeNode]
    id: str


def documents_of(lines: Iterable[str]) -> list[list[Tree]]:
    """The sentences of each document, which begins at ``# newdoc``, with an id or without."""
    documents: list[list[Tree]] = []
    for tree in trees_of(lines):
        if documents and documents[0][0].id and not tree.id:
            raise ChainError(REFUSED, "a sentence of the skeleton has no sent_id, others have")
        if not documents or any(map(_begins, tree.comments)):
            documents.append([])
        documents[-1].append(tree)
    return documents


def _begins(comment: str) -> re.Match[str] | None:
    """The match of a comment that begins a document; its group is the id."""
    return re.match(r"# newdoc(?:\s+id\s*=\s*(.+))?$", comment)


def headers_of(documents: Iterable[Sequence[Tree]]) -> Iterator[str]:
    """The value of ``global.Entity`` for each document: its own, or that of an earlier one."""
    header = HEADER
    for trees in documents:
        named = [re.match(r"# global.Entity\s*=\s*(\S+)", comment) for comment in trees[0].comments]
        header = next((match[1] for match in named if match), header)
        yield header


def import_document(items: Sequence[str], trees: Sequence[Tree], header: str, zeros: bool) -> Iterator[str]:
    """The lines of a document with the empty nodes and entities of the items; this changes the trees."""
    for tree in trees:
        tree.cut_parents()
        if zeros:
            tree.move_empty()
        else:
            tree.delete_empty()
    if not zeros:
        _create_zeros(items, [word for tree in trees for word in tree.words])
    nodes = [node for tree in trees for node in tree.nodes]
    if len(nodes) != len(items):
        error = "AssertionError" if len(nodes) < len(items) else "IndexError"
        raise ChainError(error, f"{len(items)} cleaned words and zeros for {len(nodes)} of the skeleton")
    if not any(match and match[1] for match in map(_begins, trees[0].comments)):
        # The importer's warning about differing words names the document; created zeros always differ.
        for item, node in zip(items, nodes, strict=True):
            if node.form != item.split("|")[0]:
                cause = f"{item!r} for {node.form!r} in a document of the skeleton that has no id"
                raise ChainError("KeyError", cause)
    numbers = {tree: number for number, tree in enumerate(trees)}

    def order(mention: _Mention) -> tuple[int, float, int, float, str]:
        """By first word, the longer one first."""
        first, last = mention.words[0], mention.words[-1]
        return numbers[first.tree], first.number, -len(mention.words), last.number, mention.id

    for mention in sorted(_mentions(items, nodes), key=order):
        _write(mention, header.split("-"))
    yield from _lines(trees, header)


def _create_zeros(items: Sequence[str], words: Sequence[TreeNode]) -> None:
    """Create an empty node after a word for each zero that follows it; the first item is taken for a word."""
    place = 1
    for word in words:
        while place < len(items) and items[place].startswith("##"):
            word.tree.create_empty(word, "_")
            place += 1
        place += 1


def _mentions(items: Sequence[str], nodes: Sequence[TreeNode]) -> Iterator[_Mention]:
    """The mentions between tags; those that are never closed are lost."""
    opened: dict[str, list[int]] = {}
    for place, item in enumerate(items):
        for tag in item.split("|")[1].split(",") if "|" in item else ():
            id_ = tag.strip("[]")
            if tag.startswith("["):
                opened.setdefault(id_, []).append(place)
            if tag.endswith("]"):
                words = nodes[opened[id_].pop() : place + 1]
                yield _Mention(sorted(words, key=by_number), id_)


def _write(mention: _Mention, fields: Sequence[str]) -> None:
    """Add the brackets of a mention to those that begin earlier, or at the same word and are longer.

    A zero after the last word of a sentence is grouped with the next sentence. So a mention may have words of both,
    in the order of their numbers.
    """
    first, last = mention.words[0], mention.words[-1]
    head = mention.words.index(head_of(mention.words)) + 1
    outside = sum(word.tree is not first.tree for word in mention.words)
    if first.tree is not last.tree or head > len(mention.words) - outside:
        cause = f"a mention of {mention.id} begins with a zero after the last word of a sentence, and goes on"
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
    """The lines of a document with its header, whether the skeleton has one or not."""
    if not any(map(_begins, trees[0].comments)) and any(node.entity for tree in trees for node in tree.nodes):
        raise ChainError(REFUSED, "the skeleton begins without # newdoc, but the file that is written has it")
    for tree in trees:
        for comment in tree.comments:
            if not comment.startswith("# global.Entity"):
                yield comment
            if _begins(comment):
                yield f"# global.Entity = {header}"
        yield from tree.lines
        yield ""


def documents(reader: TaggedReader, reading: str, warnings: Warnings, start: int, stop: int) -> Iterator[Document]:
    """The documents of the file that the chain writes; for readings ``…-z`` both programs run with that option."""
    if not reader.over_corefud:
        reader.source.refuse(
            "needs a skeleton in CorefUD to be read as by text2text_coref",
            "name one: --skeleton FILE",
        )
    if other := STYLES["crac"].mistaken_for(reader.source.text(0, reader.source.size)):
        message = f"looks like style {other}, but text2text_coref reads no other than crac"
        warnings.add("style", reader.source.name, 0, message)
    text = corefud(reader.source, reader.skeleton.source, reading.endswith("-z"), warnings)
    yield from CorefUDReader(Source(reader.source.name, BytesIO(text.encode())), Warnings()).documents(start, stop)


def corefud(printed: Source, skeleton: Source, zeros: bool, warnings: Warnings) -> str:
    """The CorefUD file that the chain writes; InputError if one of its programs ends with an error."""
    chain = _Chain(printed, skeleton, zeros, warnings)
    try:
        return "".join(f"{line}\n" for line in chain.lines())
    except ChainError as stopped:
        raise InputError(
            f"text2text_coref {chain.step} ends with {stopped.error} here: {stopped.cause}",
            path=printed.name,
            line=chain.line,
            hint="align the text with the original words instead: --reading faithful",
            code="text2text-stops",
        ) from None


class _Chain:
    """Both programs, one after the other; ``step`` and ``line`` are their progress."""

    def __init__(self, printed: Source, skeleton: Source, zeros: bool, warnings: Warnings) -> None:
        self._name, self._zeros, self._warnings = printed.name, zeros, warnings
        self._printed, self._skeleton = (source.text(0, source.size).split("\n") for source in (printed, skeleton))
        if not self._printed[-1]:
            self._printed.pop()
        self.step, self.line = "clean", 0

    def lines(self) -> Iterator[str]:
        """The lines of the CorefUD file."""
        words = skeleton_words(self._skeleton, self._zeros)
        items = []
        for line, sentences in zip(self._printed, words, strict=False):
            self.line += 1
            items.append(list(clean_line(line, sentences, self._zeros)))
        self.step, self.line = "text2conllu", 0
        documents = documents_of(self._skeleton)
        if len(items) != len(documents):
            raise ChainError("AssertionError", f"{len(items)} printed documents for {len(documents)} of the skeleton")
        rows = zip(items, documents, headers_of(documents), strict=True)
        for cleaned_items, trees, header in rows:
            self.line += 1
            yield from import_document(cleaned_items, trees, header, self._zeros)
            for tree in trees:
                if tree.is_misnumbered:  # numbers of empty nodes are decimal fractions there
                    numbers = ", ".join(str(node.number) for node in tree.empty)
                    message = f"text2text_coref -z numbers empty nodes of {tree.name} {numbers}: read in this order"
                    self._warnings.add("text2text", self._name, self.line, message)
