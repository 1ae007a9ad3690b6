"""``Bridge`` and ``SplitAnte`` of CorefUD: relations between mentions, read lazily.

``Bridge=T<S:REL`` links a mention of entity S to entity T; several links are joined by ``,``. The anaphor is the
mention of S that was opened last, normally at this word. ``SplitAnte=A<S,B<S`` makes S a plural whose elements are A
and B. Both are read only on words with an ``Entity``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.document import Entity, Relation, Sentence, mention_order
from ...core.errors import InputError, Warnings
from ...core.positions import node_name
from ..relations import described, find_cycle, split_relations
from .brackets import LINKS, Brackets, EntityInProgress, Fields, ReaderSink, entities_of, entity_order, unique_id
from .nodes import Nodes, OfficialNodes, OfficialOrder
from .sentences import entity_values


def relations_of(
    sentences: Sequence[Sentence],
    starts: Sequence[int],
    fields: Fields,
    path: str,
    warnings: Warnings,
    official: bool,
) -> tuple[Relation, ...]:
    """The relations of a document; ids mean other entities from each sentence in ``starts`` on.

    With ``official``, mentions are those that CorefUD scorer 1.2 reads.
    """
    if not any(mark in line for sentence in sentences for line in sentence.lines for mark in LINKS):
        return ()
    ends = [*starts[1:], len(sentences)]
    parts = [
        tuple(_LinkReader(fields, path, warnings, official).read(sentences[start:end]))
        for start, end in zip(starts, ends, strict=True)
    ]
    if len(parts) == 1:
        return parts[0]
    return tuple(
        relation._replace(ids=tuple([unique_id(id_, number) for id_ in relation.ids]))
        for number, part in enumerate(parts)
        for relation in part
    )


class _LinkReader:
    """Reader of the links in a part of a document, in which an id always means the same entity."""

    def __init__(self, fields: Fields, path: str, warnings: Warnings, official: bool) -> None:
        self._path, self._warnings, self._official = path, warnings, official
        self._sink = ReaderSink(path)  # the reader has warned already
        self._brackets = Brackets(fields, self._sink)
        self._bridging: list[tuple[str, str, EntityInProgress, int, int]] = []
        """Target, label, the entity of the anaphor, its slot there, and the line."""
        self._elements: dict[str, dict[str, int]] = {}  # of plurals, with lines

    def read(self, sentences: Sequence[Sentence]) -> Iterator[Relation]:
        """The relations of these sentences: plurals first."""
        for sentence in sentences:
            self._feed(sentence)
        self._brackets.finish()
        found = entities_of(self._brackets, OfficialOrder if self._official else mention_order)
        entities = {entity.id: entity.mentions for entity in sorted(found, key=entity_order)}
        yield from self._split(entities)
        for target, label, entity, slot, line in self._bridging:
            if target not in entities:
                self._ignore(f"Bridge names entity {target!r}, which has no mention", line)
            elif (anaphor := entity.members[slot]) is not None:  # if it is never closed, the reader has warned
                yield Relation("bridging", (anaphor,), (entities[target],), label, (entity.id, target))

    def _feed(self, sentence: Sentence) -> None:
        """Parse the brackets of a sentence; word by word if words have links."""
        values = dict(entity_values(sentence, self._sink))
        if not values:
            return
        nodes = (OfficialNodes if self._official else Nodes).of(sentence) if sentence.empty else None
        order = [node for node in nodes.order if node in values] if nodes else sorted(values)
        links = _attributes(sentence) if any(mark in sentence.text for mark in LINKS) else {}
        for node in order if links else ():
            self._brackets.feed([(node, values[node])], nodes)
            line = sentence.line_of(node)
            for name, value in links.get(node_name(node), {}).items():
                self._take(name, value, line)
        if not links:
            self._brackets.feed([(node, values[node]) for node in order], nodes)

    def _take(self, name: str, value: str, line: int) -> None:
        """Read the links of an attribute; faulty ones are ignored with a warning."""
        for text in value.split(","):
            target, sign, rest = text.partition("<")
            source, colon, label = rest.partition(":")
            entity = self._brackets.entities.get(source)
            if not sign or "<" in rest or not target or (name != "Bridge" and colon):
                self._ignore(f"{name} {text!r} is no link between two entities", line)
            elif target == source:
                self._ignore(f"{name} {text!r} links entity {source!r} to itself", line)
            elif entity is None:
                self._ignore(f"{name} {text!r}: entity {source!r} has no mention so far", line)
            elif name == "Bridge":
                self._bridging.append((target, label, entity, len(entity.members) - 1, line))
            else:
                self._elements.setdefault(source, {}).setdefault(target, line)

    def _split(self, entities: dict[str, Entity]) -> Iterator[Relation]:
        for elements in self._elements.values():
            for id_ in [id_ for id_ in elements if id_ not in entities]:
                self._ignore(f"SplitAnte names entity {id_!r}, which has no mention", elements.pop(id_))
        if cycle := find_cycle(self._elements):
            message = f"SplitAnte: entity {cycle[0]!r} is an element of itself ({described(cycle)})"
            line = self._elements[cycle[-1]][cycle[0]]
            hint = "SplitAnte=A<S says that A is an element of the plural S"
            raise InputError(message, path=self._path, line=line, hint=hint, code="element-cycle")
        yield from split_relations(self._elements, entities)

    def _ignore(self, message: str, line: int) -> None:
        self._warnings.add("bad-link", self._path, line, f"{message}: ignored")


def _attributes(sentence: Sentence) -> dict[str, dict[str, str]]:
    """The links of each node of a sentence, by node id and attribute."""
    found: dict[str, dict[str, str]] = {}
    for line in sentence.lines:
        if line[:1] == "#" or not any(mark in line for mark in LINKS):
            continue
        columns = line.split("\t")
        misc = dict(item.partition("=")[::2] for item in columns[9].split("|"))
        links = {name: misc[name] for name in ("SplitAnte", "Bridge") if misc.get(name)}
        if "SplitAnte" not in misc and misc.get("Split"):
            links["Split"] = misc["Split"]
        found[columns[0]] = links
    return found
