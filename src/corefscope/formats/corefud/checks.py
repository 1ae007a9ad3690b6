"""Problems of ``Entity`` brackets, collected: the sink that validation gives to the bracket machine.

CorefUD, read on past every fault: documents as well as they can be read, and what is wrong with them.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from ...core.document import Dependency, Document
from ...core.positions import MINOR_MASK, node_name
from ..relations import described, find_cycle
from ..source import Source
from ..validate.problems import Block, Problems, Reading, TolerantReading, blocks, quoted, shortened
from .brackets import CHUNK, CODES, REFUSALS, Brackets, Fields
from .nodes import Nodes
from .sentence_checks import Boundaries, Headers, Row, Rows, read_rows
from .sentences import hold_entity, sent_id

MESSAGES: dict[str, str] = {
    "bad-entity-id": "{chunk!r} has no usable entity id",
    "bad-head-deps": "DEPS {item!r} of {name} names no word of the sentence",
    "bad-zero-deps": "DEPS {item!r} of {name} names no word of the sentence",
    "bracket-in-id": "the entity id {id!r} holds a square bracket",
    "closed-after-opened": "{id!r} is opened and closed here; the mention of line {line} stays open",
    "closed-never-opened": "{text!r} closes what was never opened",
    "closing-of-no-part": "{text!r} names no part",
    "closing-with-fields": "{text!r} holds more than an id",
    "crosses-documents": "{guess!r} was opened in line {line}, in the document before",
    "crosses-sentences": "a mention of {id!r} was opened in another sentence, in line {line}",
    "extra-fields": "{size} fields in a mention of {id!r}, but global.Entity names {named}",
    "head-not-a-number": "head {head!r} in {chunk!r} is not a number",
    "head-of-one-word": "head {head} of a mention of {id!r} that is one word",
    "head-zero": "head 0 of a mention of {id!r} is read as 1",
    "last-part-missing": "a discontinuous mention of {id!r} ends with part {part} of {parts}",
    "last-part-without-head": "the last part of a mention of {id!r} has no head",
    "missing-head": "a mention of {id!r} gives no head",
    "never-closed": "a mention of {id!r} is never closed",
    "no-bracket": "{chunk!r} in Entity has no bracket",
    "part-closed-otherwise": "{text!r} is read to close what was opened as {part} in line {line}",
    "part-of-new-entity": "{part} of a mention of {id!r} comes without those before",
    "part-out-of-range": "{text!r} is no part of a mention",
    "part-without-first": "{part} of a mention of {id!r} comes without those before",
    "parts-disagree": "{part} of a mention of {id!r} after {before} of {of}",
    "parts-in-two-sentences": "a mention of {id!r} has parts in different sentences (from line {line})",
    "parts-overlap": "parts of a mention of {id!r} share words",
    "single-part": "{text!r} is the only part of a mention",
    "type-changes": "{id!r} is {type!r} here but was {before!r}",
    "zero-without-deps": "empty node {name} heads a mention and has no DEPS",
}
"""What validation says of a problem; of others, it says what the reader does."""


class CollectingSink:
    """Notes every problem of the brackets of one document, with its line and code."""

    mends = True

    def __init__(self, problems: Problems, open_before: dict[str, int]) -> None:
        self.lines: dict[int, int] = {}
        """The lines of the nodes with an Entity, by position."""
        self.left_open: dict[str, int] = {}
        """Entities that are open at the end of the document, with the lines that opened them."""
        self.sound = True
        """Whether the rows of the sentence are as they should be, so that its DEPS can be looked up."""
        self._problems = problems
        self._open_before = open_before  # what the document before left open
        self._checked: set[int] = set()
        self._place = 0

    def enter(self, place: int, line: int) -> None:
        """Go on to a node with an Entity."""
        self._place = place
        self.lines[place] = line

    def report(self, problem: str, position: int, **facts: object) -> None:
        """Note a problem in the line of a position."""
        line = self.lines[position]
        if problem == "never-closed":
            self.left_open[str(facts["id"])] = line
        if problem == "closed-never-opened" and facts["guess"] in self._open_before:
            problem = "crosses-documents"
            facts["line"] = self._open_before[str(facts["guess"])]
        elif isinstance(opened := facts.get("opened"), int):
            facts["line"] = self.lines[opened]
        shown = {name: shortened(fact) if isinstance(fact, str) else fact for name, fact in facts.items()}
        message = MESSAGES.get(problem) or REFUSALS[problem][0]
        self._problems.add(CODES.get(problem, problem), line, message.format(**shown))

    def dependencies(self, nodes: Nodes | None, head: int, whole: bool) -> tuple[Dependency, ...]:
        """Note the DEPS of a head that cannot be read, or of an empty node that has none; each once."""
        zero, name = head & MINOR_MASK, node_name(head)
        if nodes is None or head in self._checked or not self.sound:
            return ()
        without = zero and nodes.raw.get(name) == "_"
        if not whole and (without or not zero):  # another word may become the head
            return ()
        self._checked.add(head)
        if without:
            self.report("zero-without-deps", self._place, name=name)
            return ()
        try:
            return nodes.dependencies(head)
        except LookupError as missing:
            problem = "bad-zero-deps" if zero else "bad-head-deps"
            self.report(problem, self._place, item=str(missing.args[0]), name=name)
            return ()


ATTRIBUTES = ("Bridge", "SplitAnte", "Split")
"""Links between entities, which no score needs but the official scorer reads."""
WORD = re.compile(r"[0-9]+\t")
LINK = re.compile(r"([^<>,:]+)<([^<>,:]+)(?::[^<>,]*)?")


class CorefUDReading(TolerantReading):
    """The documents of a file, one at a time while iterating."""

    def __init__(self, source: Source, problems: Problems) -> None:
        super().__init__(source, problems)
        self._headers = Headers(source, problems)
        self._boundaries = Boundaries(problems)
        self._name: str | None = None
        self._begin_brackets({})
        self._links = Links(problems)
        self._sent_ids: dict[str, tuple[str, int]] = {}  # the latest document and line of each
        self._sent_ids_of: set[tuple[str, str]] = set()
        self._entities: dict[str, str] = {}  # the first document of each

    def __iter__(self) -> Iterator[Reading]:
        for block in blocks(self.source, self._problems):
            self._headers.read(block)
            has_words = any(map(WORD.match, block.lines))
            name = self._boundaries.read(block, has_words)
            if has_words and name is None and self._name is None:
                name = self._boundaries.outside(block.line)
            if name is not None:
                if self._name is not None:
                    yield self._document(self._name)
                self._name = name
            rows = read_rows(block, self.sentences + 1, self._problems, has_words)
            if not has_words:
                if hold_entity(block.lines):
                    self._note("entity-without-words", block.line, "Entity is lost: there are no words")
                self._note("block-without-words", block.line, "no words between these empty lines")
                continue
            self.sentences += 1
            self.words += rows.words
            self._check_sent_id(block, self._name or "")
            self._read_entities(rows)
        self._boundaries.finish()
        if not self.sentences:
            self._note("no-sentence", 0, "the file holds no sentence")
        if self._name is not None:
            yield self._document(self._name)
        if not self._headers.local_ids:
            self._links.finish(self._entities)

    def _begin_brackets(self, open_before: dict[str, int]) -> None:
        fields = Fields(self._headers.last)
        if fields.id < 0:  # go on with what nearly every header has
            fields = Fields("eid")
        self._sink = CollectingSink(self._problems, open_before)
        self._brackets = Brackets(fields, self._sink)

    def _check_sent_id(self, block: Block, name: str) -> None:
        if not any("# sent_id" in line for line in block.lines):
            self._note("missing-sent-id", block.line, f"sentence {self.sentences} has no sent_id")
            return
        id_ = sent_id(block.lines) or str(self.sentences)
        document, line = self._sent_ids.get(id_, ("", 0))
        if (name, id_) in self._sent_ids_of:
            message = f"sent_id {quoted(id_)} comes twice in the document (before in line {line})"
            self._note("repeated-sent-id", block.line, message)
        elif line:
            message = f"sent_id {quoted(id_)} occurs in document {quoted(document)} as well, in line {line}"
            self._note("sent-id-in-two-documents", block.line, message)
        self._sent_ids[id_] = (name, block.line)
        self._sent_ids_of.add((name, id_))

    def _read_entities(self, rows: Rows) -> None:
        carriers = []
        for row in rows.rows:
            misc = row.columns[9] if len(row.columns) == 10 else row.columns[-1]
            if misc != "_" and any(mark in misc for mark in ("Entity", *ATTRIBUTES)):
                value = self._attributes(row, misc)
                if value:
                    self._headers.used(row.line)
                    carriers.append((row.place, row.line, value))
        if not carriers:
            return
        self._sink.sound = rows.sound
        self._brackets.enter(rows.number, rows.nodes())
        for place, line, value in sorted(carriers):
            self._sink.enter(place, line)
            for chunk in re.findall(CHUNK, value):
                self._brackets.read(place, chunk)

    def _attributes(self, row: Row, misc: str) -> str:
        """The value of Entity, if there is one; links are handed on."""
        values: list[str] = []
        links: list[tuple[str, str]] = []
        for item in misc.split("|"):
            key, equals, value = item.partition("=")
            if key == "Entity":
                values.append(value)
                if not equals or not value:
                    self._note("entity-without-value", row.line, "Entity has no value")
            elif key in ATTRIBUTES and equals:
                links.append((key, value))
        if len(values) > 1:
            message = f"Entity occurs {len(values)} times in MISC: only the last counts"
            self._note("repeated-entity-attribute", row.line, message)
        for key, value in links:
            self._links.add(row.line, key, value, bool(values))
        return values[-1] if values else ""

    def _document(self, name: str) -> Reading:
        sink = self._sink
        sink.sound = False  # all heads have been looked up
        self._brackets.finish()
        ids, types, entities = [], [], []
        for entity in self._brackets.entities.values():
            mentions = tuple(mention for mention in entity.members if mention is not None)
            if mentions:
                ids.append(entity.id)
                types.append(entity.type)
                entities.append(mentions)
                if not self._headers.local_ids:
                    self._check_documents_of(entity.id, name, sink.lines[mentions[0].first])
        if self._headers.local_ids:
            self._links.finish(set(ids))
        self._begin_brackets(sink.left_open)
        document = Document(
            name, tuple(entities), entity_ids=tuple(ids), entity_types=tuple(types), path=self.source.name
        )
        return Reading(document, sink.lines)

    def _check_documents_of(self, id_: str, name: str, line: int) -> None:
        first = self._entities.setdefault(id_, name)
        if first != name:
            message = f"entity {quoted(id_)} also occurs in document {quoted(first)}"
            self._note("entity-in-two-documents", line, message)


class Links:
    """The links of a document, or of a file if entity ids hold for all of it."""

    def __init__(self, problems: Problems) -> None:
        self._note = problems.add
        self._named: list[tuple[int, str, str]] = []  # line, attribute, entity id
        self._elements: dict[str, dict[str, int]] = {}  # by plural its elements, and where they are named

    def add(self, line: int, attribute: str, value: str, with_entity: bool) -> None:
        """Note what is wrong with the links of a line; the entities they name are looked up in the end."""
        if not with_entity:
            self._note("bad-link", line, f"{attribute} without Entity is ignored")
            return
        for item in value.split(","):
            link = LINK.fullmatch(item)
            if not link:
                self._note("bad-link", line, f"{quoted(item)} in {attribute} is no link of two entities")
            elif link[1] == link[2]:
                self._note("bad-link", line, f"{quoted(item)} in {attribute} links an entity with itself")
            else:
                self._named += [(line, attribute, link[1]), (line, attribute, link[2])]
                if attribute != "Bridge":
                    self._elements.setdefault(link[2], {}).setdefault(link[1], line)

    def finish(self, entities: Container[str]) -> None:
        """Note links to entities that do not exist, and plurals that are elements of themselves."""
        for line, attribute, id_ in self._named:
            if id_ not in entities:
                self._note("bad-link", line, f"{attribute} names the entity {quoted(id_)}, which has no mention")
        if cycle := find_cycle(self._elements):
            message = f"SplitAnte makes entity {quoted(cycle[0])} an element of itself ({quoted(described(cycle))})"
            self._note("element-cycle", self._elements[cycle[-1]][cycle[0]], message)
        self._named, self._elements = [], {}
