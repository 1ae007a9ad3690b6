"""The ``Entity`` brackets of one document, read on past every fault."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.document import Mention
from ...base.positions import MINOR_MASK, SENTENCE_SHIFT, node_name
from ...read.corefud.brackets import CHUNK, PART
from ...read.corefud.fields import Fields
from ...read.corefud.nodes import Nodes
from .openings import Opened, OpenEntity, Slot
from .problems import Problems, quoted


class Brackets:
    """Collects the mentions of one document and notes what is wrong with its brackets.

    The same rules as those of the reader decide which bracket closes which.
    """

    def __init__(self, header: str, problems: Problems, open_before: dict[str, int]) -> None:
        fields = Fields(header)
        if fields.id < 0:  # go on with what nearly every header has
            header = "eid"
            fields = Fields(header)
        self._fields = fields
        self._names = header.split("-")
        self._problems = problems
        self._open_before = open_before
        self._entities: dict[str, OpenEntity] = {}
        self._nodes: dict[int, Nodes] = {}
        self._checked: set[int] = set()
        self._place = self._line = 0
        self._opened_here: set[str] = set()
        self._sound = True

    def feed(self, carriers: list[tuple[int, int, str]], nodes: Nodes, sound: bool) -> None:
        """Read the ``Entity`` values of one sentence: position, line, value; in the order of the text."""
        self._sound = sound
        self._nodes[carriers[0][0] >> SENTENCE_SHIFT] = nodes
        for self._place, self._line, value in carriers:
            self._opened_here.clear()
            for chunk in CHUNK.findall(value):
                if chunk[0] == "(":
                    single = chunk[-1] == ")"
                    self._opening((chunk[1:-1] if single else chunk[1:]).split("-"), single)
                elif chunk[-1] == ")":
                    self._closing(chunk[:-1])
                else:
                    self._note("no-bracket", f"{quoted(chunk)} in Entity has no bracket")

    def finish(self) -> dict[str, int]:
        """Note what was left open; the ids of these entities, with the lines that opened them."""
        left: dict[str, int] = {}
        for entity in self._entities.values():
            for opened in entity.opened:
                self._problems.add("never-closed", opened.line, f"a mention of {quoted(entity.id)} is never closed")
                left[entity.id] = opened.line
            for slot in entity.pending:
                if not slot.finished and not slot.open and slot.parts > 1:
                    slot.mention = Mention(tuple(sorted(slot.words)), slot.words[0])
                    parts = f"part {slot.part} of {slot.parts}"
                    message = f"a discontinuous mention of {quoted(entity.id)} ends with {parts}"
                    self._problems.add("last-part-missing", slot.line, message)
        return left

    def entities(self) -> Iterator[tuple[str, str, list[tuple[Mention, int]]]]:
        """Id, type, and mentions with their lines, of the entities that have any."""
        for entity in self._entities.values():
            if mentions := [(slot.mention, slot.line) for slot in entity.slots if slot.mention]:
                yield entity.id, entity.type, mentions

    def _note(self, name: str, message: str) -> None:
        self._problems.add(name, self._line, message)

    # ---- opening

    def _opening(self, values: list[str], single: bool) -> None:
        fields, size = self._fields, len(values)
        id_ = values[fields.id] if fields.id < size else ""
        type_ = values[fields.type] if 0 <= fields.type < size else ""
        given = 0 <= fields.head < size
        head = self._head(values[fields.head], values) if given else None
        part = parts = 0
        if id_ not in self._entities and id_[-1:] == "]":
            id_, part, parts = self._part(id_)
        entity = self._entities.get(id_) or self._new_entity(id_, type_, values)
        self._check_fields(entity, type_, size)
        slot = self._slot(entity, part, parts)
        if not single:
            slot.open = True
            self._opened_here.add(entity.id)
            entity.opened.append(Opened(slot, self._place, self._line, head, part, parts))
            if fields.head >= 0 and not given and part == parts:
                self._note("missing-head", f"a mention of {quoted(id_)} gives no head")
            if head == 0 and part == parts:
                self._note("unused-head", f"head 0 of a mention of {quoted(id_)} is read as 1")
            return
        if not part and head not in (None, 1):
            self._note("unused-head", f"head {head} of a mention of {quoted(id_)} that is one word")
        last = part == parts > 1
        if last:
            if not given:
                self._note("last-part-without-head", f"the last part of a mention of {quoted(id_)} has no head")
            self._finish(entity, slot)
            head = head or len(slot.words)
        if part < parts:
            self._check_part(slot)
        else:
            self._settle(entity, slot, head if last else None)

    def _head(self, text: str, values: list[str]) -> int | None:
        """The head index; None if it is no number. A number that is too long is as good as any large one."""
        if text.isdecimal() and len(text) > 4000:
            return 999999999
        try:
            return min(int(text), 999999999)
        except ValueError:
            chunk = quoted("(" + "-".join(values))
            self._note("head-not-a-number", f"head {quoted(text)} in {chunk} is not a number")
            return None

    def _part(self, text: str) -> tuple[str, int, int]:
        found = PART.fullmatch(text)
        if found and 1 <= int(found[2]) <= int(found[3]):
            part, parts = int(found[2]), int(found[3])
            if parts == 1:
                self._note("single-part", f"{quoted(text)} is the only part of a mention")
            return found[1], part, parts
        self._note("bad-part", f"{quoted(text)} is no part of a mention")
        return text.partition("[")[0], 0, 0

    def _new_entity(self, id_: str, type_: str, values: list[str]) -> OpenEntity:
        if not id_ or " " in id_ or "=" in id_:
            self._note("bad-entity-id", f"{quoted('(' + '-'.join(values))} has no usable entity id")
        elif "[" in id_ or "]" in id_:
            self._note("bracket-in-id", f"the entity id {quoted(id_)} holds a square bracket")
        entity = self._entities[id_] = OpenEntity(id_, type_)
        return entity

    def _check_fields(self, entity: OpenEntity, type_: str, size: int) -> None:
        if size > len(self._names):
            message = f"{size} fields in a mention of {quoted(entity.id)}, but global.Entity names {len(self._names)}"
            self._note("extra-fields", message)
        if type_ and entity.type and type_ != entity.type:
            self._note("type-changes", f"{quoted(entity.id)} is {quoted(type_)} here but was {quoted(entity.type)}")
        entity.type = entity.type or type_

    # ---- discontinuous mentions

    def _slot(self, entity: OpenEntity, part: int, parts: int) -> Slot:
        """The mention that a bracket belongs to; a later part continues the first that waits and is not open."""
        slot = entity.waiting() if part > 1 else None
        if slot is None:
            if part > 1:
                message = f"part {part} of {parts} of a mention of {quoted(entity.id)} comes without those before"
                self._note("part-without-first", message)
            slot = Slot(self._place, self._line, part, parts)
            entity.begin(slot)
            return slot
        if (part, parts) != (slot.part + 1, slot.parts):
            message = f"part {part} of {parts} of a mention of {quoted(entity.id)} after {slot.part} of {slot.parts}"
            self._note("parts-disagree", message)
        if slot.words[0] >> SENTENCE_SHIFT != self._place >> SENTENCE_SHIFT:
            message = f"a mention of {quoted(entity.id)} has parts in different sentences (from line {slot.line})"
            self._note("parts-in-two-sentences", message)
        slot.part = part
        slot.words.append(self._place)
        return slot

    def _finish(self, entity: OpenEntity, slot: Slot) -> None:
        if not entity.finish(slot):
            message = f"the parts of the discontinuous mentions of {quoted(entity.id)} do not fit together"
            self._note("parts-entangled", message)

    def _check_part(self, slot: Slot) -> None:
        """Note DEPS that cannot be read of an empty node that heads a mention until its next part comes."""
        first = slot.words[0]
        if first & MINOR_MASK and self._nodes[first >> SENTENCE_SHIFT].raw.get(node_name(first)) != "_":
            self._check_dependencies(first)

    # ---- closing

    def _closing(self, text: str) -> None:
        """Close what was opened last under an id."""
        entity = self._entities.get(text)
        part = parts = 0
        if entity is None and (found := PART.fullmatch(text)):
            entity, part, parts = self._entities.get(found[1]), int(found[2]), int(found[3])
        if entity is None or not entity.opened:
            entity = self._unmatched(text)
            if entity is None:
                return
            part, parts = entity.opened[-1].part, entity.opened[-1].parts
        if entity.id in self._opened_here and len(entity.opened) > 1:
            before = entity.opened[-2].line
            message = f"{quoted(entity.id)} is opened and closed here; the mention of line {before} stays open"
            self._note("closed-after-opened", message)
        meant, last = entity.take(part, parts)
        if (last.part, last.parts) != (part, parts):
            as_part = f"part {last.part} of {last.parts}" if last.part else "a whole mention"
            message = f"{quoted(text + ')')} is read to close what was opened as {as_part} in line {last.line}"
            self._note("part-closed-otherwise", message)
        self._close(entity, meant)

    def _close(self, entity: OpenEntity, opened: Opened) -> None:
        slot = opened.slot
        entity.wait_again(slot)
        whole = opened.part == opened.parts
        if opened.part and whole:
            self._finish(entity, slot)
        sentence = self._place >> SENTENCE_SHIFT
        if opened.first >> SENTENCE_SHIFT != sentence:
            message = f"a mention of {quoted(entity.id)} was opened in another sentence, in line {opened.line}"
            self._note("crosses-sentences", message)
            return
        slot.words += self._nodes[sentence].between(opened.first, self._place)[1:]
        if whole:
            self._settle(entity, slot, opened.head)
        else:
            self._check_part(slot)

    def _unmatched(self, text: str) -> OpenEntity | None:
        """Note a bracket that closes nothing; the entity that it should name, if that can be guessed."""
        id_ = text.partition("-")[0].partition("[")[0]
        entity = self._entities.get(id_)
        if entity is not None and entity.opened:
            fault = ("closing-with-fields", "holds more than an id") if "-" in text else ("bad-part", "names no part")
            self._note(fault[0], f"{quoted(text + ')')} {fault[1]}")
            return entity
        if id_ in self._open_before:
            message = f"{quoted(id_)} was opened in line {self._open_before[id_]}, in the document before"
            self._note("crosses-documents", message)
        else:
            self._note("closed-never-opened", f"{quoted(text + ')')} closes what was never opened")
        return None

    # ---- mentions

    def _settle(self, entity: OpenEntity, slot: Slot, head: int | None) -> None:
        """Make the mention of what its slot holds; the head is the first word unless an index is given."""
        words = tuple(sorted(slot.words))
        if len(set(words)) < len(words):
            self._note("parts-overlap", f"parts of a mention of {quoted(entity.id)} share words")
        if head is not None and head > len(words):
            message = f"head {head} of a mention of {quoted(entity.id)} lies outside its {len(words)} words"
            self._note("head-outside-mention", message)
            head = None
        slot.mention = Mention(words, words[head - 1] if head else words[0])
        self._check_dependencies(slot.mention.head)

    def _check_dependencies(self, place: int) -> None:
        """Note the DEPS of a head that cannot be read, or of an empty node that has none; each once."""
        nodes = self._nodes[place >> SENTENCE_SHIFT]
        if place in self._checked or not self._sound:
            return
        self._checked.add(place)
        zero = place & MINOR_MASK
        name = node_name(place)
        if zero and nodes.raw.get(name) == "_":
            self._note("zero-without-deps", f"empty node {name} heads a mention and has no DEPS")
            return
        try:
            nodes.dependencies(place)
        except LookupError as missing:
            message = f"DEPS {quoted(str(missing.args[0]))} of {name} names no word of the sentence"
            self._note("bad-zero-deps" if zero else "bad-head-deps", message)
