"""The one machine that reads ``Entity=`` brackets: opened, closed, discontinuous, nested and crossing mentions.

The reader, validation and rewriting feed it the chunks of one document, in the order of the text. It knows which
bracket closes which and never stops by itself: what is wrong goes to a sink, which raises, warns or collects.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...base.mention import Dependency, Mention
from ...base.positions import MINOR_MASK, NEXT_WORD, SENTENCE_SHIFT, WORD_MASK, WORD_SHIFT
from .entities import WHOLE, EntityInProgress, Part, named_part, part_of
from .fields import Fields, usual_index
from .sink import Sink

if TYPE_CHECKING:
    from .in_parts import Discontinuous
    from .nodes import Nodes

NOWHERE = 1 << 99
OFFSETS: dict[str | None, int] = {None: 0, "": 0} | {str(n): n - 1 << WORD_SHIFT for n in range(1, 100)}
"""How far from the first word of a mention its head is, by the index as written: those that are not rare."""


class Brackets:
    """Collects the mentions of one document, chunk by chunk in the order of the text."""

    __slots__ = ("_fields", "_nodes", "_nodes_of", "_position", "_sink", "ambiguous", "entities", "repeats_words")

    def __init__(self, fields: Fields, sink: Sink) -> None:
        self._fields = fields
        self._sink = sink
        self._position = 0
        self._nodes: Nodes | None = None
        self._nodes_of: dict[int, Nodes] = {}
        self.entities: dict[str, EntityInProgress] = {}
        self.repeats_words = False
        self.ambiguous = False
        """Whether something was met that the official scorer reads in another way, be the order of nodes the same."""

    def enter(self, sentence: int, nodes: Nodes | None) -> None:
        """Go on to a sentence; without ``nodes`` it has no empty nodes."""
        self._nodes = nodes
        if nodes is not None:
            self._nodes_of[sentence] = nodes

    def feed(self, carriers: Sequence[tuple[int, str]], nodes: Nodes | None) -> None:
        """Read ``Entity`` values, each with the position of the node that carries it.

        They are those of a sentence, or of several without empty nodes. Continuous mentions that are written as they
        should be, nearly all there are, are read right here: what the pattern of the header matches in full cannot
        fail the checks of :meth:`read`.
        """
        entities, fields = self.entities, self._fields
        find, findall = entities.get, fields.pattern.findall
        shuffled = fields.order if fields.order != [0, 1, 2] else None
        new = tuple.__new__  # half the time of calling Mention
        self.enter(carriers[0][0] >> SENTENCE_SHIFT, nodes)
        for position, value in carriers:
            chunks = findall(value)
            if shuffled:
                chunks = [(c[shuffled[0]], c[shuffled[1]], c[shuffled[2]], *c[3:]) for c in chunks]
            for id_, type_, head, single, closed, other in chunks:
                if closed:
                    entity = find(closed)
                    if entity is not None and entity.opened and nodes is None:
                        slot, first, head, in_parts = entity.opened[-1]
                        if in_parts is None and first < position <= first | WORD_MASK:  # whole, in this sentence
                            length, offset = position - first, OFFSETS.get(head, NOWHERE)
                            if offset <= length:  # the head is one of its words
                                del entity.opened[-1]
                                place = first, ~(length >> WORD_SHIFT), position, first + offset, (), ()
                                entity.members[slot] = new(Mention, place)
                                continue
                    self.read(position, closed + ")")
                elif id_:
                    entity = find(id_)
                    if entity is None:
                        entity = entities[id_] = EntityInProgress(id_, type_)
                    elif type_ != entity.type:
                        self._position = position
                        self._check_type(entity, type_)
                    members = entity.members
                    if not single:
                        entity.opened.append((len(members), position, head, None))
                        members.append(None)
                    elif nodes is not None and position & MINOR_MASK:
                        members.append(self._mention((position,), position))
                    else:
                        members.append(new(Mention, (position, -1, position, position, (), ())))
                else:
                    self.read(position, other)

    def read(self, position: int, chunk: str) -> tuple[str, int] | None:
        """Read one chunk with all checks; the sentence must have been entered.

        Returns the id of the entity and how many of its brackets are open with this one: the same for the bracket
        that opens a mention and the one that closes it. None for what opens and closes nothing.
        """
        self._position = position
        if chunk[0] == "(":
            return self._single(chunk[1:-1].split("-")) if chunk[-1] == ")" else self._opening(chunk[1:].split("-"))
        if chunk[-1] == ")":
            return self._closing(chunk[:-1])
        self._sink.report("no-bracket", position, chunk=chunk)
        return None

    def finish(self) -> None:
        """Report what was left open or without its last part; the latter becomes a mention without it."""
        for entity in self.entities.values():
            for _, first, _, _ in entity.opened:
                self._sink.report("never-closed", first, id=entity.id)
        for entity in self.entities.values():
            for mention in entity.in_parts.unfinished() if entity.in_parts else ():
                if entity.members[mention.slot] is None:
                    entity.members[mention.slot] = self._headed(entity, mention.words, mention.first, None, False)
                if mention.parts > 1:
                    facts = {"id": entity.id, "part": mention.part.number, "parts": mention.parts}
                    self._sink.report("last-part-missing", mention.words[0], **facts)

    def _single(self, values: list[str]) -> tuple[str, int]:
        """A bracket around one word: a mention, or one part of it."""
        entity, part, head = self._named(values)
        position = self._position
        if part.number:
            mention = self._next_part(entity, part)
            if part.last and part.of > 1:
                if head is None:
                    self._sink.report("last-part-without-head", position, id=entity.id)
                self._finish(entity, mention)
                head = head if int(head or 0) else str(len(mention.words))  # here, and only here, 0 is the last word
            self._part_closed(entity, mention, head if part.of > 1 else None, part.last)
        else:
            if head and int(head) != 1:
                self._sink.report("head-of-one-word", position, id=entity.id, head=int(head))
            entity.members.append(self._mention((position,), position))
        return entity.id, len(entity.opened)

    def _opening(self, values: list[str]) -> tuple[str, int]:
        entity, part, head = self._named(values)
        position = self._position
        if part.number:
            mention = self._next_part(entity, part)
            mention.open = True
            entity.opened.append((mention.slot, position, head, mention))
        else:
            entity.opened.append((len(entity.members), position, head, None))
            entity.members.append(None)
        if part.last:  # the head in a part before the last is never looked at
            if head is None and self._fields.head >= 0:
                self._sink.report("missing-head", position, id=entity.id)
            elif head and not int(head):
                self._sink.report("head-zero", position, id=entity.id)
        return entity.id, len(entity.opened)

    def _named(self, values: list[str]) -> tuple[EntityInProgress, Part, str | None]:
        """The entity of an opening bracket, which part of a mention it is, and the head."""
        fields, size = self._fields, len(values)
        id_, type_, head = fields.of(values)
        if head is not None and not (head.isdecimal() and len(head) < 10):
            text, head = head, usual_index(head)
            if not head:
                self._sink.report("head-not-a-number", self._position, head=text, chunk="(" + "-".join(values))
        entity, part = self.entities.get(id_), WHOLE
        if entity is None:
            if id_[-1:] == "]":
                id_, part = self._part(id_)
            entity = self.entities.get(id_) or self._new_entity(id_, type_, values)
        if size > fields.size:
            self._sink.report("extra-fields", self._position, id=entity.id, size=size, named=fields.size)
        if type_ != entity.type:
            self._check_type(entity, type_)
        return entity, part, head

    def _part(self, text: str) -> tuple[str, Part]:
        """Id and part of ``e1[1/2]``."""
        named = named_part(text)
        id_, part = named or (text.partition("[")[0], WHOLE)
        if 1 <= part.number <= part.of:
            if part.of == 1:
                self._sink.report("single-part", self._position, text=text)
            return id_, part
        self._sink.report("part-out-of-range" if named else "bad-part", self._position, text=text, id=id_, part=part)
        return id_, WHOLE

    def _new_entity(self, id_: str, type_: str, values: list[str]) -> EntityInProgress:
        if not id_ or " " in id_ or "=" in id_:
            self._sink.report("bad-entity-id", self._position, chunk="(" + "-".join(values))
        elif "[" in id_ or "]" in id_:
            self._sink.report("bracket-in-id", self._position, id=id_)
        return self.entities.setdefault(id_, EntityInProgress(id_, type_))

    def _check_type(self, entity: EntityInProgress, type_: str) -> None:
        if type_ and entity.type:
            self._sink.report("type-changes", self._position, id=entity.id, type=type_, before=entity.type)
        elif type_:
            entity.type = type_

    def _next_part(self, entity: EntityInProgress, part: Part) -> Discontinuous:
        """The discontinuous mention that a part belongs to, the part's first word added.

        A first part begins one; a later one continues the first that waits and is not open right now.
        """
        from .in_parts import Discontinuous, InParts  # most files have none

        position = self._position
        if entity.in_parts is None:
            entity.in_parts = InParts()
        mention = entity.in_parts.waiting() if part.number > 1 else None
        if mention is None:
            if part.number > 1:
                problem = "part-without-first" if entity.members else "part-of-new-entity"
                self._sink.report(problem, position, id=entity.id, part=part)
            mention = Discontinuous(len(entity.members), position, part)
            entity.in_parts.begin(mention)
            entity.members.append(None)
            return mention
        if part != (mention.part.number + 1, mention.parts):
            facts = {"id": entity.id, "part": part, "before": mention.part.number, "of": mention.parts}
            self._sink.report("parts-disagree", position, **facts)
        if mention.words[0] >> SENTENCE_SHIFT != position >> SENTENCE_SHIFT:
            self.ambiguous = True
            self._sink.report("parts-in-two-sentences", position, id=entity.id, opened=mention.words[0])
        mention.part = part
        mention.words.append(position)
        entity.members[mention.slot] = None
        return mention

    def _finish(self, entity: EntityInProgress, mention: Discontinuous | None) -> None:
        """The last part is closed; ``mention`` is None if what it closes was opened as a whole mention."""
        if mention is None or entity.in_parts is None or not entity.in_parts.finish(mention):
            self._sink.report("parts-entangled", self._position, id=entity.id)

    def _part_closed(self, entity: EntityInProgress, mention: Discontinuous, head: str | None, whole: bool) -> None:
        """Make the mention if it is whole; until then its head is the first word, of which the DEPS must be right."""
        if whole:
            entity.members[mention.slot] = self._headed(entity, mention.words, mention.first, head, whole)
        else:
            self._dependencies(mention.words[0], whole)

    def _closing(self, text: str) -> tuple[str, int] | None:
        """Close what was opened last under an id; ``e1)`` may close a part and ``e1[1/2])`` a whole mention."""
        position = self._position
        id_, part, entity = text, WHOLE, self.entities.get(text)
        if entity is None and (named := named_part(text)):
            id_, part = named
            entity = self.entities.get(id_)
        whole = part.last
        if entity is None or not entity.opened:
            if (entity := self._unmatched(text, id_)) is None:
                return None
            part = part_of(entity.opened[-1])
        depth, last = len(entity.opened), entity.opened[-1]
        if last[1] == position and depth > 1:
            self._sink.report("closed-after-opened", position, id=entity.id, opened=entity.opened[-2][1])
        if part != part_of(last):
            self._sink.report("part-closed-otherwise", position, text=text + ")", part=part_of(last), opened=last[1])
        if self._sink.mends:
            last = entity.take(part)
            part = part_of(last)
            whole = part.last
        else:
            entity.opened.pop()
        slot, first, head, mention = last
        if mention is not None and entity.in_parts is not None:
            entity.in_parts.close(mention)
        nodes = self._nodes
        latest = first
        if mention is not None and nodes is not None:
            mention.words = nodes.sorted(mention.words)
            latest = mention.words[-1]
        crosses = latest >> SENTENCE_SHIFT != position >> SENTENCE_SHIFT
        if crosses:
            self._sink.report("crosses-sentences", position, id=entity.id, opened=first)
        if part.number and whole:
            self._finish(entity, mention)
        if crosses:
            return entity.id, depth
        self.ambiguous = self.ambiguous or latest == position
        words = range(latest, position + 1, NEXT_WORD) if nodes is None else nodes.between(latest, position)
        if mention is None:
            entity.members[slot] = self._headed(entity, words, first, head if whole else None, whole)
        else:
            mention.words.extend(words[1:])
            self._part_closed(entity, mention, head, whole)
        return entity.id, depth

    def _unmatched(self, text: str, id_: str) -> EntityInProgress | None:
        """Report a bracket that closes nothing; the entity that it was meant for, if that can be guessed."""
        guess = text.partition("-")[0].partition("[")[0]
        entity = self.entities.get(guess)
        if entity is not None and entity.opened:
            problem = "closing-with-fields" if "-" in text else "closing-of-no-part"
            self._sink.report(problem, self._position, id=id_, text=text + ")")
            return entity
        self._sink.report("closed-never-opened", self._position, id=id_, text=text + ")", guess=guess)
        return None

    def _headed(
        self, entity: EntityInProgress, words: Sequence[int], first: int, head: str | None, whole: bool
    ) -> Mention:
        """The mention with the word its head index names; without an index, or with 0, the word that opened it."""
        index = int(head or 0)
        if index > len(words):
            self._sink.report("head-outside-mention", self._position, id=entity.id, head=index, words=len(words))
            index = 0
        named = words[index - 1] if index else first
        if isinstance(words, list) and len(set(words)) < len(words):  # parts may overlap
            self.repeats_words = True
            if whole:
                self._sink.report("parts-overlap", self._position, id=entity.id)
        return self._mention(sorted(words) if isinstance(words, list | tuple) else words, named, whole)

    def _mention(self, words: Sequence[int], head: int, whole: bool = True) -> Mention:
        return Mention(words, head, self._dependencies(head, whole))

    def _dependencies(self, head: int, whole: bool) -> tuple[Dependency, ...]:
        return self._sink.dependencies(self._nodes_of.get(head >> SENTENCE_SHIFT), head, whole)
