"""The ``Entity=`` brackets of one document: opened, closed, discontinuous, nested and crossing mentions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NoReturn

from ...base.document import Dependency, Mention
from ...base.positions import MINOR_MASK, NEXT_WORD, SENTENCE_SHIFT, node_name
from .fields import Fields
from .in_progress import EntityInProgress, Pending
from .nodes import Nodes

CHUNK = re.compile(r"\([^()]*\)?|[^()]+\)?|\)")
"""An opening bracket, a closing one, both around one word, or text outside of brackets."""
PART = re.compile(r"([^\[\]]+)\[([0-9]{1,9})/([0-9]{1,9})\]")


Warn = Callable[[int, str, str], None]  # position, kind, message
Fail = Callable[[int, str, str], NoReturn]  # position, message, hint


class Brackets:
    """Collects the mentions of one document, chunk by chunk in the order of the text."""

    __slots__ = ("_fail", "_fields", "_nodes", "_place", "_warn", "_with_empty", "entities", "repeats_words")

    def __init__(self, fields: Fields, warn: Warn, fail: Fail) -> None:
        self._fields = fields
        self._warn = warn
        self._fail = fail
        self._place = 0
        self._nodes: Nodes | None = None
        self._with_empty: dict[int, Nodes] = {}
        self.entities: dict[str, EntityInProgress] = {}
        self.repeats_words = False

    def feed(self, carriers: list[tuple[int, str]], nodes: Nodes | None) -> None:
        """Read the ``Entity`` values of one sentence, each with the position of the node that carries it.

        Continuous mentions that are written as they should be, nearly all there are, are read right here.
        """
        self._nodes = nodes
        if nodes is not None:
            self._with_empty[carriers[0][0] >> SENTENCE_SHIFT] = nodes
        find = self.entities.get
        findall = self._fields.pattern.findall
        shuffled = self._fields.order if self._fields.order != [0, 1, 2] else None
        new = tuple.__new__  # half the time of calling Mention
        sentence = carriers[0][0] >> SENTENCE_SHIFT << SENTENCE_SHIFT
        for place, value in carriers:
            self._place = place
            chunks = findall(value)
            if shuffled:
                chunks = [(c[shuffled[0]], c[shuffled[1]], c[shuffled[2]], *c[3:]) for c in chunks]
            for id_, type_, head, single, closed, other in chunks:
                if closed:
                    entity = find(closed)
                    if entity is not None and entity.opened and nodes is None:
                        slot, first, head, words = entity.opened[-1]
                        if words is None and first > sentence:
                            span = tuple(range(first, place + 1, NEXT_WORD))
                            at = int(head or 0)
                            if at <= len(span):
                                entity.opened.pop()
                                entity.members[slot] = new(Mention, (span, span[at - 1] if at else first, ()))
                                continue
                    self._closing(closed)
                elif id_:
                    entity = find(id_)
                    if entity is None:
                        entity = self.entities[id_] = EntityInProgress(id_, type_)
                    elif type_ != entity.type:
                        self._note_type(entity, type_)
                    members = entity.members
                    if not single:
                        entity.opened.append((len(members), place, head, None))
                        members.append(None)
                    elif place & MINOR_MASK:
                        members.append(self._mention((place,), place))
                    else:
                        members.append(new(Mention, ((place,), place, ())))
                else:
                    self._unusual(other)

    def _unusual(self, chunk: str) -> None:
        """A chunk of a discontinuous mention, or a faulty one."""
        if chunk[0] == "(":
            if chunk[-1] == ")":
                self._single(chunk[1:-1].split("-"))
            else:
                self._opening(chunk[1:].split("-"))
        elif chunk[-1] == ")":
            self._closing(chunk[:-1])
        else:
            self._warn(self._place, "chunk", f"{chunk!r} in Entity has no bracket: ignored")

    def unclosed(self) -> list[tuple[str, int]]:
        """Entity id and first word of every mention that was opened and never closed."""
        return [(entity.id, first) for entity in self.entities.values() for _, first, _, _ in entity.opened]

    def incomplete(self) -> list[tuple[str, int]]:
        """Entity id and first word of every discontinuous mention whose last part never came."""
        return [
            (entity.id, words[0])
            for entity in self.entities.values()
            for slot, words, parts in entity.pending
            if entity.members[slot] is not None and parts > 1
        ]

    def _single(self, fields: list[str]) -> None:
        entity, part, parts, head = self._read(fields)
        place = self._place
        if not part:
            entity.members.append(self._mention((place,), place))
            return
        slot, words, _ = self._next_part(entity, part, parts)
        if part == parts > 1:
            if not head:
                self._fail(
                    place,
                    f"the last part of a discontinuous mention of {entity.id!r} has no head",
                    "name the head field in global.Entity and give the head in the last part",
                )
            self._finish(entity, slot)
            head = head if int(head or 0) else str(len(words))  # here, and only here, 0 is the last word
        entity.members[slot] = self._headed(entity, words, head if part == parts > 1 else "")

    def _opening(self, fields: list[str]) -> None:
        entity, part, parts, head = self._read(fields)
        if part:
            slot, words, _ = self._next_part(entity, part, parts)
            entity.opened.append((slot, self._place, head, words))
        else:
            entity.opened.append((len(entity.members), self._place, head, None))
            entity.members.append(None)

    def _closing(self, id_: str) -> None:
        """Close what was opened last under an id; ``e1)`` may close a part and ``e1[1/2])`` a whole mention."""
        entity = self.entities.get(id_)
        part = parts = ""
        if entity is None and (found := PART.fullmatch(id_)):
            id_, part, parts = found.groups()
            entity = self.entities.get(id_)
        place = self._place
        if entity is None or not entity.opened:
            self._fail(
                place,
                f"entity {id_!r} is closed but was never opened",
                "a closing bracket holds nothing but the id, as in 'e4)', in the sentence that opened it",
            )
        slot, first, head, words = entity.opened.pop()
        if words is not None:
            first = max(words)
        if first >> SENTENCE_SHIFT != place >> SENTENCE_SHIFT:
            self._fail(place, f"mention of {id_!r} was opened in another sentence", "mentions cannot cross sentences")
        nodes = self._nodes
        span = tuple(range(first, place + 1, NEXT_WORD)) if nodes is None else nodes.between(first, place)
        if words is not None:
            words.extend(span[1:])
        if part and part == parts:
            self._finish(entity, slot)
        entity.members[slot] = self._headed(entity, words or span, head if part == parts else "")

    def _read(self, fields: list[str]) -> tuple[EntityInProgress, int, int, str]:
        """The entity, the number of this part and of all parts (0, 0 for a continuous mention), the head."""
        id_at, type_at, head_at = self._fields.id, self._fields.type, self._fields.head
        size = len(fields)
        id_ = fields[id_at] if id_at < size else ""
        type_ = fields[type_at] if 0 <= type_at < size else ""
        head = fields[head_at] if 0 <= head_at < size else ""
        if 0 <= head_at < size and not (head.isdecimal() and len(head) < 10):
            head = self._number(head, fields)
        entity = self.entities.get(id_)
        part = parts = 0
        if entity is None:
            if id_[-1:] == "]":
                id_, part, parts = self._part(id_)
            entity = self.entities.get(id_) or self._new_entity(id_, type_, part, fields)
        if type_ != entity.type:
            self._note_type(entity, type_)
        return entity, part, parts, head

    def _note_type(self, entity: EntityInProgress, type_: str) -> None:
        if type_ and entity.type:
            self._warn(self._place, "type", f"entity {entity.id!r} is {type_!r} here but was {entity.type!r}")
        elif type_:
            entity.type = type_

    def _part(self, id_: str) -> tuple[str, int, int]:
        found = PART.fullmatch(id_)
        if not found:
            self._fail(self._place, f"{id_!r} is no part of a mention", "write parts as e1[1/2] … e1[2/2]")
        part, parts = int(found[2]), int(found[3])
        if not 1 <= part <= parts:
            self._fail(
                self._place, f"part {part} of {parts} of a mention of {found[1]!r}", "parts count from 1/n to n/n"
            )
        return found[1], part, parts

    def _new_entity(self, id_: str, type_: str, part: int, fields: list[str]) -> EntityInProgress:
        if not id_ or " " in id_ or "=" in id_:
            self._fail(
                self._place,
                f"Entity chunk '({'-'.join(fields)}' has no usable entity id",
                "ids are not empty and hold no blanks, brackets, '-', '=' or '|'",
            )
        if part > 1:
            self._fail(
                self._place, f"part {part} of a mention of {id_!r} comes before its first part", "start with e1[1/n]"
            )
        entity = self.entities[id_] = EntityInProgress(id_, type_)
        return entity

    def _number(self, head: str, fields: list[str]) -> str:
        """An unusual head index as a usual one; one that is too long for a number is as good as any large one."""
        if head.isdecimal() and len(head) > 4000:
            return "999999999"
        try:
            return str(min(int(head), 999999999))
        except ValueError:
            self._fail(
                self._place,
                f"head {head!r} in '({'-'.join(fields)}' is not a number",
                "the head is the index of a word in the mention, from 1; it stands where global.Entity says 'head'",
            )

    def _next_part(self, entity: EntityInProgress, part: int, parts: int) -> Pending:
        """The discontinuous mention that a part belongs to, the part's first word added.

        A first part begins one; a later one continues the first that waits and is not open right now.
        """
        if part == 1:
            waiting: Pending = (len(entity.members), [self._place], parts)
            entity.members.append(None)
            entity.pending.append(waiting)
            return waiting
        opened = {slot for slot, _, _, _ in entity.opened}
        for pending in entity.pending:
            slot, words, _ = pending
            if slot not in opened:
                words.append(self._place)
                entity.members[slot] = None
                return pending
        self._fail(
            self._place,
            f"part {part} of a mention of {entity.id!r} comes without the parts before it",
            "a later part continues a mention of the same document whose earlier parts are closed",
        )

    def _finish(self, entity: EntityInProgress, slot: int) -> None:
        if not entity.pending or entity.pending.pop()[0] != slot:
            self._fail(
                self._place,
                f"the parts of the discontinuous mentions of {entity.id!r} do not fit together",
                "finish the inner mention before the outer one",
            )

    def _headed(self, entity: EntityInProgress, words: Sequence[int], head: str) -> Mention:
        """The mention with the word its head index names; without an index, or with 0, the first word."""
        at = int(head or 0)
        if at > len(words):
            self._fail(
                self._place,
                f"head {at} of a mention of {entity.id!r} lies outside its {len(words)} words",
                "the head is the index of a word in the mention, from 1, empty nodes counted",
            )
        if not isinstance(words, tuple):  # a discontinuous mention, whose parts may overlap
            self.repeats_words |= len(set(words)) < len(words)
            words = tuple(sorted(words))
        return self._mention(words, words[at - 1] if at else words[0])

    def _mention(self, words: tuple[int, ...], head: int) -> Mention:
        return Mention(words, head, self._dependencies(head) if head & MINOR_MASK else ())

    def _dependencies(self, place: int) -> tuple[Dependency, ...]:
        """The DEPS of an empty node as (position of the parent, relation); checked to exist."""
        try:
            return self._with_empty[place >> SENTENCE_SHIFT].dependencies(place)
        except LookupError as missing:
            self._fail(
                place,
                f"DEPS {missing.args[0]!r} of empty node {node_name(place)} names no word of the sentence",
                "DEPS are parent:relation pairs joined by '|', as in 3:nsubj|5.1:obj",
            )
