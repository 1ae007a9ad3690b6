"""CorefUD to CorefUD: the same lines, with the brackets of ``Entity`` in canonical order.

Nothing else is touched: comments, columns, other attributes, and what the brackets hold besides id, type and head
stay byte for byte. What the reader ignores (brackets that are never closed, text outside of brackets) is not written.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from ..base.document import Document, Mention, Sentence, mention_order
from ..base.errors import InputError, Warnings
from ..base.positions import parse_position
from ..read.corefud.brackets import CHUNK, PART, Brackets
from ..read.corefud.fields import Fields
from ..read.corefud.layout import Layout, survey
from ..read.corefud.nodes import Nodes
from ..read.formats import DocumentReader
from .brackets import Bracket
from .corefud import values as canonical_values


class Carrier(NamedTuple):
    """A word or empty node with an Entity."""

    place: int
    line: int
    """Of the sentence, from 0."""
    value: str


Values = list[list[tuple[int, str]]]
"""Of each sentence, the nodes with an Entity, each with its position and value, in order."""


def rewritten(reader: DocumentReader, documents: Iterator[Document], warnings: Warnings) -> Iterator[str]:
    """The text of a file, document by document; the documents are those of the reader."""
    source = reader.source
    layout: Layout = survey(source, Warnings())
    segments = sorted(segment for _, found in layout.documents for segment in found)
    fields = Fields(layout.header) if layout.header else None
    yield source.text(source.start, segments[0].start)
    line = source.line_number(segments[0].start)
    if len(segments) > len(layout.documents):  # the file comes back to a document: all must be read first
        changes = {at: text for document in documents for at, text in _changes(document, fields, warnings).items()}
    for segment in segments:
        if len(segments) == len(layout.documents):
            changes = _changes(next(documents), fields, warnings)
        lines = source.text(*segment).split("\n")
        yield "\n".join([changes.get(at, text) for at, text in enumerate(lines, line)])
        line += len(lines) - 1
    for _ in documents:
        raise AssertionError("a reader has more documents than the file has segments")


def _changes(document: Document, fields: Fields | None, warnings: Warnings) -> dict[int, str]:
    """The lines of the file that become others."""
    if fields is None:
        return {}
    carriers = [_carriers(sentence) for sentence in document.sentences]
    old = [[(carrier.place, carrier.value) for carrier in found] for found in carriers]
    new = [_canonical(values, fields.id) for values in old]
    if new == old:
        return {}
    meaning = _read(old, document, fields)
    if _read(new, document, fields) != meaning:
        new = [
            before if any("[" in value for _, value in before) else after
            for before, after in zip(old, new, strict=True)
        ]
        if _read(new, document, fields) != meaning:
            new = old
        message = (
            f"parts of mentions of document {document.id!r} would be joined otherwise in canonical order: left as is"
        )
        warnings.add("order", document.path, document.sentences[0].line, message)
    changes = {}
    for sentence, found, values in zip(document.sentences, carriers, new, strict=True):
        value_of = dict(values)
        lines = sentence.text.split("\n")
        for place, at, value in found:
            if value_of.get(place) != value:
                changes[sentence.line + at] = _with_entity(lines[at], value_of.get(place, ""))
    return changes


def _carriers(sentence: Sentence) -> list[Carrier]:
    found = []
    for at, line in enumerate(sentence.text.split("\n")):
        if "Entity=" not in line:
            continue
        columns = line.split("\t")
        place = parse_position(sentence.number, columns[0])
        if place is not None and len(columns) > 9:
            values = [item[7:] for item in columns[9].split("|") if item.startswith("Entity=")]
            if values and values[-1]:
                found.append(Carrier(place, at, values[-1]))
    return sorted(found)


def _with_entity(line: str, value: str) -> str:
    """The line with another Entity, or without any."""
    *columns, misc = line.split("\t")
    items = misc.split("|")
    at = max(i for i, item in enumerate(items) if item.startswith("Entity="))
    items[at : at + 1] = [f"Entity={value}"] if value else []
    return "\t".join([*columns, "|".join(items) or "_"])


def _canonical(values: list[tuple[int, str]], id_at: int) -> list[tuple[int, str]]:
    """The values of a sentence in canonical order; nodes for which nothing is left are missing."""
    brackets: list[Bracket | None] = []
    opened: dict[str, list[tuple[int, int, str]]] = {}
    for place, value in values:
        for chunk in CHUNK.findall(value):
            if chunk[0] == "(":
                text = chunk[1:].removesuffix(")")
                label = text.split("-")[id_at]
                if chunk[-1] == ")":
                    brackets.append(Bracket(place, place, text, label))
                else:
                    opened.setdefault(_entity(label), []).append((len(brackets), place, text))
                    brackets.append(None)
            elif chunk[-1] == ")":
                at, first, text = opened[_entity(chunk[:-1])].pop()
                brackets[at] = Bracket(first, place, text, chunk[:-1])
    return list(canonical_values(bracket for bracket in brackets if bracket is not None).items())


def _entity(label: str) -> str:
    part = PART.fullmatch(label)
    return part[1] if part else label


def _read(values: Values, document: Document, fields: Fields) -> dict[str, list[Mention]] | None:
    """What the reader makes of these values; None if it would refuse them."""
    brackets = Brackets(fields, lambda *_: None, _refuse)
    try:
        for found, sentence in zip(values, document.sentences, strict=True):
            if found:
                brackets.feed(found, Nodes.of(sentence) if sentence.empty else None)
    except InputError:
        return None
    return {
        id_: sorted((mention for mention in entity.members if mention is not None), key=mention_order)
        for id_, entity in brackets.entities.items()
        if any(entity.members)
    }


def _refuse(_: int, message: str, hint: str) -> NoReturn:
    raise InputError(message, hint=hint)
