"""Printed text as the cleaner and the importer of the CRAC tasks (text2text-coref) read it, flaws included.

``text2text_coref clean`` turns a printed line into exactly the words of a document of the skeleton. A line is a
document; a document begins at ``# newdoc id``, a sentence at ``# sent_id``, and a word ends at white space, even in
the forms of the skeleton. A word keeps its tags if it is copied exactly. In each sentence a closing tag without an
opening one becomes a mention of one word; an opening one without a closing one is lost later.

The cleaner aligns by edit distance over whole words, where every difference costs 1. Zeros cost nothing, except in
the first column, where they cost 1 like other words, so that the table is not always that of an edit distance. Ties
are broken in the backtrace, from the end: a zero, then equal words, then replace, delete, insert. So every cell near
the path must be exact, and all cells are computed, a row at a time; some rows are kept, from which others are
computed again in the backtrace.

``text2text_coref text2conllu`` makes a CorefUD file of cleaned items and the skeleton, which is then read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from ..core.document import Document
from ..core.errors import InputError, Warnings
from ..formats.corefud.reader import CorefUDReader
from ..formats.source import Source
from ..llm.styles import STYLES
from .text2text_trees import ChainError, Tree, TreeNode, by_number, head_of, trees_of

if TYPE_CHECKING:
    import numpy as np

    from ..llm.reader import TaggedReader

    Costs = np.ndarray[tuple[int], np.dtype[np.int32]]


def skeleton_words(lines: Sequence[str], zeros: bool) -> list[list[list[str]]]:
    """The forms of the skeleton by document and sentence; with those of empty nodes if ``zeros``."""
    documents: list[list[list[str]]] = [[[]]]
    for line in lines:
        if line.startswith("#"):
            begins = line.startswith("# newdoc id")
            if (begins or line.startswith("# sent_id")) and documents[-1][-1]:
                documents[-1].append([])
            if begins and len(documents[-1]) > 1:
                documents[-1].pop()
                documents.append([[]])
        elif line.strip():
            columns = line.split()
            if len(columns) < 2:
                raise ChainError("ValueError", f"a line of the skeleton has one column only: {line!r}")
            if "-" not in columns[0] and (zeros or "." not in columns[0]):
                documents[-1][-1].append(columns[1])
    return documents


def clean_line(line: str, sentences: Sequence[Sequence[str]], zeros: bool) -> Iterator[str]:
    """The items of a document: words with tags, and also zeros, unless they are among the forms."""
    items = line.split()
    forms = [form for sentence in sentences for form in sentence]
    if (len(items) + 1) * (len(forms) + 1) > MAX_CELLS:
        raise ChainError("no result", f"{len(items):,} printed words for {len(forms):,} of the skeleton: too many")
    words = [item.split("|")[0] for item in items]
    copied = []  # exactly copied items and zeros unchanged, other words of the skeleton without tags
    for word, form in reversed(backtrace(words, forms, not zeros)):
        if form >= 0:
            copied.append(items[word] if word >= 0 and words[word] == forms[form] else forms[form])
        elif not zeros and words[word].startswith("##"):
            copied.append(items[word])
    start = 0
    for sentence in sentences:
        stop, missing = start, len(sentence)
        while missing:
            if stop == len(copied):
                raise ChainError("IndexError", "a word of the skeleton begins with ## and is taken for a zero")
            missing -= zeros or not copied[stop].startswith("##")
            stop += 1
        yield from _with_matched_tags(copied[start:stop])
        start = stop


def _with_matched_tags(items: Sequence[str]) -> Iterator[str]:
    """The items of a sentence with the tags that the cleaner understands.

    >>> list(_with_matched_tags(["a|[e1,[e2", "b|e1],e3]", "c|x", "d|[e4]|"]))
    ['a|[e1,[e2', 'b|e1],[e3]', 'c', 'd']
    """
    tag_like = re.compile(r"(\[?)e(\d+)(]?)")
    opened: dict[str, int] = {}
    for item in items:
        form, *rest = item.split("|")
        tags = []
        for match in map(tag_like.match, rest[0].split(",") if len(rest) == 1 else ()):
            opens, number, closes = match.groups() if match else ("", "", "")
            if opens and not closes:
                opened[number] = opened.get(number, 0) + 1
            if closes and not opens:
                opens = "" if opened.get(number) else "["
                opened[number] = max(opened.get(number, 0) - 1, 0)
            if opens or closes:
                tags.append(f"{opens}e{number}{closes}")
        yield f"{form}|{','.join(tags)}" if tags else form


MAX_CELLS = 10**9
"""Maximum number of cells: about 30,000 words, for which the cleaner needs minutes and tens of gigabytes."""
KEPT = 128
"""One row in so many is kept."""


def backtrace(printed: Sequence[str], forms: Sequence[str], zeros: bool) -> list[tuple[int, int]]:
    """Steps of the alignment from the end to the beginning: numbers of printed word and form, -1 for none.

    With ``zeros``, a word that begins with ``##`` is a zero, in addition to the forms. Printed words before the first
    form have no step.

    >>> backtrace(["Ann", "##", "has", "a", "dog"], ["Ann", "had", "dog"], zeros=True)
    [(4, 2), (3, 1), (2, -1), (1, -1), (0, 0)]
    """
    table = _CostTable(printed, forms, zeros)
    steps = []
    row, column = len(printed), len(forms)
    while row and column:
        word, form = row - 1, column - 1
        if table.is_zero[word]:
            column += 1
            step = word, -1
        elif printed[word] == forms[form] or table.at(row, column) == table.at(row - 1, column - 1) + 1:
            step = word, form
        elif table.at(row, column) == table.at(row - 1, column) + 1:
            column += 1
            step = word, -1
        else:
            row += 1
            step = -1, form
        steps.append(step)
        row, column = row - 1, column - 1
    return [*steps, *((-1, form) for form in range(column - 1, -1, -1))]


class _CostTable:
    """Costs by numbers of printed words and of forms."""

    def __init__(self, printed: Sequence[str], forms: Sequence[str], zeros: bool) -> None:
        import numpy as np

        self.printed = printed
        self.is_zero = [zeros and word.startswith("##") for word in printed]
        places: dict[str, list[int]] = {}
        for column, form in enumerate(forms, start=1):
            places.setdefault(form, []).append(column)
        self._places = {form: np.array(columns) for form, columns in places.items()}
        self._columns = np.arange(len(forms) + 1, dtype=np.int32)
        self._kept = [self._columns]
        self._block: list[Costs] = []
        self._first = -1
        for number, row in enumerate(self._rows(0, len(printed)), start=1):
            if number % KEPT == 0:
                self._kept.append(row)

    def at(self, row: int, column: int) -> int:
        """The cost of one cell."""
        first = row // KEPT
        if first != self._first:
            start = first * KEPT
            self._block = [self._kept[first], *self._rows(start, min(start + KEPT, len(self.printed)))]
            self._first = first
        return int(self._block[row - first * KEPT][column])

    def _rows(self, start: int, stop: int) -> Iterator[Costs]:
        """The rows after a row that is kept."""
        row = self._kept[start // KEPT]
        for number in range(start, stop):
            row = row.copy() if self.is_zero[number] else self._row(row, self._places.get(self.printed[number]))
            row[0] = number + 1
            yield row

    def _row(self, above: Costs, same: Costs | None) -> Costs:
        """Row of a word that equals the forms at ``same``: from above, from the corner, then from the left."""
        import numpy as np

        row = above + 1
        np.minimum(row[1:], above[:-1] + 1, out=row[1:])
        if same is not None:
            row[same] = above[same - 1]
        swept = np.minimum.accumulate(row - self._columns) + self._columns
        if same is None or (swept[same] == row[same]).all():
            return swept
        costs, fixed = row.tolist(), {*same.tolist()}  # zeros cost 1 in the first column: equal words keep that cost
        for column in range(1, len(costs)):
            if column not in fixed:
                costs[column] = min(costs[column], costs[column - 1] + 1)
        return np.array(costs, dtype=np.int32)


REFUSED = "a file that CorefUD scorer 1.2 refuses"
HEADER = "eid-etype-head-other"
"""The value of ``global.Entity`` for documents of the skeleton before the first that has one."""


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


def import_document(items: Sequence[str], trees: Sequence[Tree], header: str, zeros: bool) -> Iterator[str]:
    """The lines of a document with the empty nodes and entities of the items; this changes the trees."""
    nodes = _import_zeros(items, trees, zeros)
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
    if not any(map(_begins, trees[0].comments)) and any(node.entity for node in nodes):
        raise ChainError(REFUSED, "the skeleton begins without # newdoc, but the file that is written has it")
    for tree in trees:
        for comment in tree.comments:
            if not comment.startswith("# global.Entity"):
                yield comment
            if _begins(comment):
                yield f"# global.Entity = {header}"
        yield from tree.lines
        yield ""


def _import_zeros(items: Sequence[str], trees: Sequence[Tree], zeros: bool) -> list[TreeNode]:
    """Give the trees the empty nodes of the items; return all nodes, one for each item."""
    for tree in trees:
        tree.cut_parents()
        if zeros:
            tree.move_empty()
        else:
            tree.delete_empty()
    if not zeros:  # create an empty node after a word for each zero that follows; the first item is taken for a word
        place = 1
        for word in [word for tree in trees for word in tree.words]:
            while place < len(items) and items[place].startswith("##"):
                word.tree.create_empty(word, "_")
                place += 1
            place += 1
    nodes = [node for tree in trees for node in tree.nodes]
    if len(nodes) != len(items):
        error = "AssertionError" if len(nodes) < len(items) else "IndexError"
        raise ChainError(error, f"{len(items)} cleaned words and zeros for {len(nodes)} of the skeleton")
    return nodes


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


def documents(reader: TaggedReader, reading: str, warnings: Warnings, start: int, stop: int) -> Iterator[Document]:
    """The documents of the file that the chain writes; for readings ``…-z`` both programs run with that option."""
    if not reader.over_corefud:
        message = "needs a skeleton in CorefUD to be read as by text2text_coref"
        reader.source.refuse(message, "name one: --skeleton FILE")
    if other := STYLES["crac"].mistaken_for(reader.source.text(0, reader.source.size)):
        message = f"looks like style {other}, but text2text_coref reads no other than crac"
        warnings.add("style", reader.source.name, 0, message)
    text = corefud(reader.source, reader.skeleton.source, reading.endswith("-z"), warnings)
    yield from CorefUDReader(Source(reader.source.name, BytesIO(text.encode())), Warnings()).documents(start, stop)


def corefud(printed: Source, skeleton: Source, zeros: bool, warnings: Warnings) -> str:
    """The CorefUD file that the chain writes; InputError if one of its programs ends with an error."""
    printed_lines, skeleton_lines = (source.text(0, source.size).split("\n") for source in (printed, skeleton))
    if not printed_lines[-1]:
        printed_lines.pop()
    step, number = "clean", 0
    written: list[str] = []
    try:
        items = []
        words = skeleton_words(skeleton_lines, zeros)
        for line, sentences in zip(printed_lines, words, strict=False):
            number += 1
            items.append(list(clean_line(line, sentences, zeros)))
        step, number = "text2conllu", 0
        documents = documents_of(skeleton_lines)
        if len(items) != len(documents):
            raise ChainError("AssertionError", f"{len(items)} printed documents for {len(documents)} of the skeleton")
        header = HEADER
        for number, (cleaned, trees) in enumerate(zip(items, documents, strict=True), 1):
            named = [re.match(r"# global.Entity\s*=\s*(\S+)", comment) for comment in trees[0].comments]
            header = next((match[1] for match in named if match), header)
            written += import_document(cleaned, trees, header, zeros)
            for tree in trees:
                if tree.is_misnumbered:  # numbers of empty nodes are decimal fractions there
                    numbers = ", ".join(str(node.number) for node in tree.empty)
                    message = f"text2text_coref -z numbers empty nodes of {tree.name} {numbers}: read in this order"
                    warnings.add("text2text", printed.name, number, message)
    except ChainError as stopped:
        raise InputError(
            f"text2text_coref {step} ends with {stopped.error} here: {stopped.cause}",
            path=printed.name,
            line=number,
            hint="align the text with the original words instead: --reading faithful",
            code="text2text-stops",
        ) from None
    return "".join(f"{line}\n" for line in written)
