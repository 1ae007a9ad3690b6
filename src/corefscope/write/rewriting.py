"""CorefUD to CorefUD: the same lines, with the brackets of ``Entity`` in canonical order.

Nothing else is touched: comments, columns, other attributes, and what the brackets hold besides id, type and head
stay byte for byte. What the reader ignores (brackets that are never closed, text outside of brackets) is not written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, repeat

from ..base.document import Document
from ..base.errors import InputError, Warnings
from ..base.mention import Dependency, Mention, mention_order
from ..base.positions import parse_position
from ..read.corefud.brackets import CHUNK, Brackets, Fields
from ..read.corefud.layout import survey
from ..read.corefud.nodes import Nodes
from ..read.corefud.sentences import entity_values
from ..read.corefud.sink import ReaderSink
from ..read.source import DocumentReader
from .brackets import BracketPair
from .corefud import values as canonical_values

Values = list[list[tuple[int, str]]]
"""Of each sentence, the nodes with an Entity, each with its position and value, in order."""


def rewritten(reader: DocumentReader, documents: Iterator[Document], warnings: Warnings) -> Iterator[str]:
    """The text of a file, document by document; the documents are those of the reader."""
    source = reader.source
    layout = survey(source, Warnings())
    segments = sorted(segment for _, parts in layout.documents for segment in parts)
    fields = Fields(layout.header) if layout.header else None
    yield source.text(source.start, segments[0].start)
    line = source.line_number(segments[0].start)
    changes: Iterator[dict[int, str]] = (_changes(document, fields, warnings) for document in documents)
    if len(segments) > len(layout.documents):  # the file comes back to a document: all must be read first
        changes = repeat(dict(chain.from_iterable(changed.items() for changed in changes)), len(segments))
    for segment, changed in zip(segments, changes, strict=True):
        lines = source.text(*segment).split("\n")
        yield "\n".join([changed.get(number, text) for number, text in enumerate(lines, line)])
        line += len(lines) - 1


def _changes(document: Document, fields: Fields | None, warnings: Warnings) -> dict[int, str]:
    """The lines of the file that become others, by number."""
    if fields is None:
        return {}
    sink = ReaderSink(document.path, lambda _: 0, None)  # the reader has warned already
    old = [entity_values(sentence, sink) for sentence in document.sentences]
    machine = Brackets(fields, _Silence())
    new = [_in_order(values, fields, machine) for values in old]
    if new == old:
        return {}
    # A reader joins the parts of discontinuous mentions in the order of the text: another order of the brackets on
    # one word can mean other mentions. Then sentences with parts stay as they are, or all of them.
    meaning = _read(old, document, fields)
    if _read(new, document, fields) != meaning:
        new = [
            before if any("[" in value for _, value in before) else after
            for before, after in zip(old, new, strict=True)
        ]
        if _read(new, document, fields) != meaning:
            new = old
        message = f"parts of mentions of document {document.id!r} would be joined otherwise in canonical order"
        warnings.add("order", document.path, document.sentences[0].line, message + ": left as is")
    changes = {}
    for sentence, before, after in zip(document.sentences, old, new, strict=True):
        old_values, new_values = dict(before), dict(after)
        for number, line in enumerate(sentence.lines if before != after else (), sentence.line):
            place = parse_position(sentence.number, line.partition("\t")[0])
            if place in old_values and new_values.get(place) != old_values[place]:
                changes[number] = _with_entity(line.split("\t"), new_values.get(place, ""))
    return changes


def _with_entity(columns: list[str], value: str) -> str:
    """The line with another Entity, or without any."""
    items = columns[9].split("|")
    last = max(index for index, item in enumerate(items) if item.startswith("Entity="))
    items[last : last + 1] = [f"Entity={value}"] if value else []
    return "\t".join([*columns[:9], "|".join(items) or "_"])


class _Silence:
    """A sink for brackets that were read already: there is nothing to report."""

    mends = False

    def report(self, problem: str, position: int, **facts: object) -> None:
        """Ignore it, as the reader did."""

    def dependencies(self, nodes: Nodes | None, head: int, whole: bool) -> tuple[Dependency, ...]:  # noqa: ARG002
        """Nobody needs them."""
        return ()


def _in_order(values: list[tuple[int, str]], fields: Fields, machine: Brackets) -> list[tuple[int, str]]:
    """The values of a sentence in canonical order; nodes for which nothing is left are missing."""
    brackets: list[BracketPair | None] = []  # None for one that is open, or never closed
    opened: dict[tuple[str, int] | None, tuple[int, int, str]] = {}
    for place, value in values:
        for chunk in re.findall(CHUNK, value):
            bracket = machine.read(place, chunk)
            text = chunk[1:].removesuffix(")")
            if chunk[0] == "(" and chunk[-1] == ")":
                brackets.append(BracketPair(place, place, text, fields.of(text.split("-"))[0]))
            elif chunk[0] == "(":
                opened[bracket] = len(brackets), place, text
                brackets.append(None)
            elif bracket in opened:
                index, first, text = opened.pop(bracket)
                brackets[index] = BracketPair(first, place, text, chunk[:-1])
    return list(canonical_values(bracket for bracket in brackets if bracket is not None).items())


def _read(values: Values, document: Document, fields: Fields) -> dict[str, list[Mention]] | None:
    """What the reader makes of these values; None if it would refuse them."""
    machine = Brackets(fields, ReaderSink(document.path, lambda _: 0, None))
    try:
        for of_sentence, sentence in zip(values, document.sentences, strict=True):
            if of_sentence:
                machine.feed(of_sentence, Nodes.of(sentence) if sentence.empty else None)
        machine.finish()
    except InputError:
        return None
    return {
        id_: sorted((mention for mention in entity.members if mention is not None), key=mention_order)
        for id_, entity in machine.entities.items()
        if any(entity.members)
    }
