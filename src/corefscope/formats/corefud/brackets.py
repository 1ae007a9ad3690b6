"""What becomes of the problems that the bracket machine meets: the protocol, and the reader's way.

The reader refuses what it cannot read and warns of what it ignores; other problems are none to it.

The bracket machine for ``Entity=`` values: opened, closed, discontinuous, nested and crossing mentions.

The reader, validation and rewriting feed it the chunks of one document, in the order of the text. It knows which
bracket closes which and never stops by itself: problems go to a sink, which raises, warns or collects. What brackets
hold, the ``global.Entity`` header says (:class:`Fields`).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from ...core.document import Dependency, Mention, mention_order
from ...core.errors import InputError, Warnings
from ...core.positions import MINOR_MASK, NEXT_WORD, SENTENCE_SHIFT, node_name

if TYPE_CHECKING:
    from .nodes import Nodes


class Sink(Protocol):
    """Raises, warns or collects; after a report that did not raise, the machine goes on as well as it can."""

    mends: bool
    """Whether a closing bracket that names another part closes the bracket it was meant for; else the last one."""

    def report(self, problem: str, position: int, **facts: object) -> None:
        """Take a problem at a position: its name, and what a message about it needs."""

    def dependencies(self, nodes: Nodes | None, head: int, whole: bool) -> tuple[Dependency, ...]:
        """The DEPS of a head; ``whole`` is False as long as further parts of its mention are to come."""


_UNOPENED = (
    "entity {id!r} is closed but was never opened",
    "a closing bracket holds nothing but the id, as in 'ID)', in the sentence that opened it",
)
REFUSALS: dict[str, tuple[str, str]] = {
    "bad-entity-id": (
        "Entity chunk '{chunk}' has no usable entity id",
        "ids are not empty and hold no blanks, brackets, '-', '=' or '|'",
    ),
    "bad-part": ("{text!r} is no part of a mention", "write parts as ID[1/2] … ID[2/2]"),
    "bad-zero-deps": (
        "DEPS {item!r} of empty node {name} names no word of the sentence",
        "DEPS are ID:relation pairs joined by '|'; each ID is that of a word or an empty node of the sentence",
    ),
    "closed-never-opened": _UNOPENED,
    "closing-of-no-part": _UNOPENED,
    "closing-with-fields": _UNOPENED,
    "entity-without-equals": ("Entity has no value", "write Entity=(ID…) or leave the attribute out"),
    "crosses-sentences": ("mention of {id!r} was opened in another sentence", "mentions cannot cross sentences"),
    "head-not-a-number": (
        "head {head!r} in '{chunk}' is not a number",
        "the head is the index of a word in the mention, from 1; global.Entity says which field it is",
    ),
    "head-outside-mention": (
        "head {head} of a mention of {id!r} is outside its {words} words",
        "the head is the index of a word in the mention, from 1, empty nodes counted",
    ),
    "last-part-without-head": (
        "the last part of a discontinuous mention of {id!r} has no head",
        "name the head field in global.Entity and give the head in the last part",
    ),
    "part-of-new-entity": (
        "part {part.number} of a mention of {id!r} comes before its first part",
        "start with ID[1/n]",
    ),
    "part-out-of-range": ("part {part.number} of {part.of} of a mention of {id!r}", "parts count from 1/n to n/n"),
    "part-without-first": (
        "part {part.number} of a mention of {id!r} comes without the parts before it",
        "a later part continues a mention of the same document whose earlier parts are closed",
    ),
    "parts-entangled": (
        "the parts of the discontinuous mentions of {id!r} do not fit together",
        "finish the inner mention before the outer one",
    ),
}
"""What cannot be read: the message, and what to do."""

CODES = {
    "closing-of-no-part": "bad-part",
    "entity-without-equals": "entity-without-value",
    "head-of-one-word": "unused-head",
    "head-zero": "unused-head",
    "part-of-new-entity": "part-without-first",
    "part-out-of-range": "bad-part",
}
"""Problems that have not a code of their own: the names of their codes."""

WARNINGS: dict[str, str] = {
    "entity-on-multiword-token": "Entity on the multiword token {name}: ignored",
    "entity-without-value": "Entity has no value: ignored",
    "entity-without-words": "Entity in a stretch between empty lines that holds no ordinary word: ignored",
    "last-part-missing": "discontinuous mention of {id!r} lacks its last part: read without it",
    "never-closed": "mention of {id!r} is never closed: ignored",
    "no-bracket": "{chunk!r} in Entity has no bracket: ignored",
    "part-closed-otherwise": "{text!r} closes {part} of the same entity, which was opened last",
    "parts-disagree": "{part} of a mention of {id!r} after {before} of {of}: read as the next one",
    "repeated-entity-attribute": "Entity occurs {times} times in MISC: only the last counts",
    "type-changes": "entity {id!r} is {type!r} here but was {before!r}",
}
"""What is read nevertheless: the message."""


class ReaderSink:
    """Raises the first problem that cannot be read, and warns of what is ignored, if there is anybody to warn."""

    __slots__ = ("_line_of", "_path", "_warnings")

    mends = False

    def __init__(self, path: str, line_of: Callable[[int], int], warnings: Warnings | None) -> None:
        self._path, self._line_of, self._warnings = path, line_of, warnings

    def report(self, problem: str, position: int, **facts: object) -> None:
        """Raise or warn."""
        self.note(problem, partial(self._line_of, position), **facts)

    def note(self, problem: str, line: int | Callable[[], int], **facts: object) -> None:
        """The same of a line, or of a function that finds it when somebody wants to know."""
        code = CODES.get(problem, problem)
        if problem in REFUSALS:
            message, hint = REFUSALS[problem]
            line = line if isinstance(line, int) else line()
            raise InputError(message.format(**facts), path=self._path, line=line, hint=hint, code=code)
        if problem in WARNINGS and self._warnings is not None:
            self._warnings.add(code, self._path, line, partial(WARNINGS[problem].format, **facts))

    def dependencies(self, nodes: Nodes | None, head: int, whole: bool) -> tuple[Dependency, ...]:  # noqa: ARG002
        """The DEPS of an empty node; those of words are not needed."""
        if nodes is None or not head & MINOR_MASK:
            return ()
        try:
            return nodes.dependencies(head)
        except LookupError as missing:
            self.report("bad-zero-deps", head, item=missing.args[0], name=node_name(head))
            raise


CHUNK = r"\([^()]*\)?|[^()]+\)?|\)"
"""An opening bracket, a closing one, both around one word, or text outside of brackets."""
LINKS = ("Bridge=", "SplitAnte=", "Split=")
"""What stands in MISC where there are relations."""
LARGEST = 999_999_999  # head indices that are larger, or too long for a number, are as wrong as this one


def usual_index(head: str) -> str:
    """A head index without signs, blanks and zeros in front; nothing if it is no number.

    >>> usual_index("+2"), usual_index("1" * 5000), usual_index("two")
    ('2', '999999999', '')
    """
    if head.isdecimal() and len(head) > 4000:  # Python makes no number of so many digits
        return str(LARGEST)
    try:
        return str(min(int(head), LARGEST))
    except ValueError:
        return ""


def all_places(header: str) -> list[list[int]]:
    """The places of id, type and head in an opening bracket, the last one first.

    >>> all_places("eid-etype-head-head")
    [[0], [1], [3, 2]]
    """
    names = header.split("-")
    return [
        [index for index in reversed(range(len(names))) if names[index] in alike]
        for alike in (("eid", "GRP"), ("etype", "entity"), ("head",))
    ]


def places(header: str) -> tuple[int, ...]:
    """The last place of each, -1 for none.

    >>> places("eid-etype-head-other"), places("GRP")
    ((0, 1, 2), (0, -1, -1))
    """
    return tuple([indices[0] if indices else -1 for indices in all_places(header)])


class Fields:
    """What the header ``global.Entity`` says about brackets.

    ``id``, ``type`` and ``head`` are the places of these fields in an opening bracket, -1 for none, and ``size`` is
    how many fields there are. ``pattern`` finds the chunks of a value: id, type, head and closing bracket of a
    continuous mention, the id that is closed, or else the chunk as it stands.

    >>> fields = Fields("eid-etype-head-other")
    >>> fields.id, fields.type, fields.head
    (0, 1, 2)
    >>> fields.pattern.findall("e1)(e2-person-1-x)")
    [('', '', '', '', 'e1', ''), ('e2', 'person', '1', ')', '', '')]

    Of a field that is named several times, the last one that a bracket has counts.

    >>> Fields("eid-head-head").of(["e1", "2", "3"]), Fields("eid-head-head").of(["e1", "2"])
    (('e1', '', '3'), ('e1', '', '2'))
    """

    __slots__ = ("_places", "head", "id", "order", "pattern", "size", "type")

    def __init__(self, header: str) -> None:
        self.size = header.count("-") + 1
        self._places = all_places(header)
        self.id, self.type, self.head = places(header)
        patterns = {self.id: r"([^()\-\[\]= ]+)", self.type: r"([^()\-]*)", self.head: r"([0-9]{1,9})"}
        fields = [patterns.get(index, r"[^()\-]*") for index in range(max(patterns) + 1)]
        absent = "()" * ((self.type < 0) + (self.head < 0))
        # Further fields, or the end of the bracket. Groups that are optional take longer.
        opening = rf"\({'-'.join(fields)}{absent}(?:-[^()]*|(?![^()]))(\)?)"
        closing = r"([^()\-\[\]]+)\)"
        self.pattern = re.compile(rf"{opening}|{closing}|({CHUNK})")
        indices = self.id, self.type, self.head
        in_order = sorted(indices, key=lambda index: index if index >= 0 else sys.maxsize)
        self.order = [in_order.index(index) for index in indices]
        """Which groups of the pattern are id, type and head."""

    def of(self, values: list[str]) -> tuple[str, str, str | None]:
        """Id, type and head of an opening bracket; the head is None if the bracket does not go so far."""
        size = len(values)
        id_, type_, head = (next((place for place in places if place < size), -1) for places in self._places)
        return (
            values[id_] if id_ >= 0 else "",
            values[type_] if type_ >= 0 else "",
            values[head] if head >= 0 else None,
        )


NEAR = 100
"""How many open brackets are searched for the one that a closing bracket with a wrong part was meant for."""


class Part(NamedTuple):
    """``[2/3]``: part 2 of 3; a continuous mention is part 0 of 0."""

    number: int = 0
    of: int = 0

    @property
    def last(self) -> bool:
        """Whether no other part follows."""
        return self.number == self.of

    def __str__(self) -> str:
        return f"part {self.number} of {self.of}" if self.number else "a whole mention"


WHOLE = Part()
PART = r"([^\[\]]+)\[(0|[1-9][0-9]{0,8})/(0|[1-9][0-9]{0,8})\]"


def named_part(text: str) -> tuple[str, Part] | None:
    """The id and the part in the name of a part; None if it is something else.

    >>> named_part("e1[2/3]"), named_part("e1[2/x]")
    (('e1', Part(number=2, of=3)), None)
    """
    match = re.fullmatch(PART, text)
    return (match[1], Part(int(match[2]), int(match[3]))) if match else None


# An opened bracket: the slot of its mention in the entity, its first word, its head index as written, and the
# mention that it is a part of, if that is discontinuous.
Open = tuple[int, int, "str | None", "Discontinuous | None"]


def part_of(bracket: Open) -> Part:
    """The part that a bracket was opened as."""
    return bracket[3].part if bracket[3] is not None else WHOLE


class EntityInProgress:
    """The mentions of one entity as they are read.

    A slot in ``members`` is taken when a mention is opened and filled when it is closed; mentions that are never
    closed leave theirs empty.
    """

    __slots__ = ("id", "in_parts", "members", "opened", "type")

    def __init__(self, id_: str, type_: str) -> None:
        self.id = id_
        self.type = type_
        self.members: list[Mention | None] = []
        self.opened: list[Open] = []
        self.in_parts: InParts | None = None

    def take(self, part: Part) -> Open:
        """Remove the open bracket that a closing one was meant for: the last of that part, or else the last."""
        for back, bracket in enumerate(islice(reversed(self.opened), NEAR), 1):
            if part_of(bracket) == part:
                return self.opened.pop(-back)
        return self.opened.pop()


class Discontinuous:
    """A mention in parts: its slot in the entity, its latest part, and the words of all parts so far.

    ``parts`` is how many there are to be, as its first part says, and ``first`` is the word that opened it.
    """

    __slots__ = ("finished", "first", "open", "part", "parts", "slot", "words")

    def __init__(self, slot: int, position: int, part: Part) -> None:
        self.slot, self.words, self.part, self.parts = slot, [position], part, part.of
        self.first = position
        self.open = self.finished = False

    def __lt__(self, other: Discontinuous) -> bool:
        return self.slot < other.slot


class InParts:
    """The discontinuous mentions of one entity."""

    __slots__ = ("_begun", "_waiting")

    def __init__(self) -> None:
        self._begun: list[Discontinuous] = []  # by their first parts; finished ones may still be among them
        self._waiting: list[Discontinuous] = []  # a heap; what is open or finished is passed over

    def begin(self, mention: Discontinuous) -> None:
        """Add a mention."""
        self._begun.append(mention)
        heappush(self._waiting, mention)

    def close(self, mention: Discontinuous) -> None:
        """A part that was open is closed: the next may come."""
        mention.open = False
        heappush(self._waiting, mention)

    def waiting(self) -> Discontinuous | None:
        """The mention that a later part continues: the first that is neither open nor finished."""
        waiting = self._waiting
        while waiting and (waiting[0].open or waiting[0].finished):
            heappop(waiting)
        return waiting[0] if waiting else None

    def finish(self, mention: Discontinuous) -> bool:
        """The last part of a mention has come: whether all mentions that began after it are finished."""
        while self._begun and self._begun[-1].finished:
            self._begun.pop()
        mention.finished = True
        return bool(self._begun) and self._begun[-1] is mention

    def unfinished(self) -> list[Discontinuous]:
        """The mentions whose last part did not come, though no part is open."""
        return [mention for mention in self._begun if not mention.finished and not mention.open]


class Brackets:
    """Collects the mentions of one document, chunk by chunk in the order of the text."""

    __slots__ = ("_nodes", "_nodes_of", "_sink", "ambiguous", "entities", "fields", "position", "repeats_words")

    def __init__(self, fields: Fields, sink: Sink) -> None:
        self.fields = fields
        self._sink = sink
        self.position = 0
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

        They are those of a sentence, or of several without empty nodes.
        """
        self.enter(carriers[0][0] >> SENTENCE_SHIFT, nodes)
        for position, value in carriers:
            for chunk in re.findall(CHUNK, value):
                self.read(position, chunk)

    def read(self, position: int, chunk: str) -> tuple[str, int] | None:
        """Read one chunk with all checks; the sentence must have been entered.

        Returns the id of the entity and how many of its brackets are open with this one: the same for the bracket
        that opens a mention and the one that closes it. None for what opens and closes nothing.
        """
        self.position = position
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
        position = self.position
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
            entity.members.append(self.mention((position,), position))
        return entity.id, len(entity.opened)

    def _opening(self, values: list[str]) -> tuple[str, int]:
        entity, part, head = self._named(values)
        position = self.position
        if part.number:
            mention = self._next_part(entity, part)
            mention.open = True
            entity.opened.append((mention.slot, position, head, mention))
        else:
            entity.opened.append((len(entity.members), position, head, None))
            entity.members.append(None)
        if part.last:  # the head in a part before the last is never looked at
            if head is None and self.fields.head >= 0:
                self._sink.report("missing-head", position, id=entity.id)
            elif head and not int(head):
                self._sink.report("head-zero", position, id=entity.id)
        return entity.id, len(entity.opened)

    def _named(self, values: list[str]) -> tuple[EntityInProgress, Part, str | None]:
        """The entity of an opening bracket, which part of a mention it is, and the head."""
        fields, size = self.fields, len(values)
        id_, type_, head = fields.of(values)
        if head is not None and not (head.isdecimal() and len(head) < 10):
            text, head = head, usual_index(head)
            if not head:
                self._sink.report("head-not-a-number", self.position, head=text, chunk="(" + "-".join(values))
        entity, part = self.entities.get(id_), WHOLE
        if entity is None:
            if id_[-1:] == "]":
                id_, part = self._part(id_)
            entity = self.entities.get(id_) or self._new_entity(id_, type_, values)
        if size > fields.size:
            self._sink.report("extra-fields", self.position, id=entity.id, size=size, named=fields.size)
        if type_ != entity.type:
            self.check_type(entity, type_)
        return entity, part, head

    def _part(self, text: str) -> tuple[str, Part]:
        """Id and part of ``e1[1/2]``."""
        named = named_part(text)
        id_, part = named or (text.partition("[")[0], WHOLE)
        if 1 <= part.number <= part.of:
            if part.of == 1:
                self._sink.report("single-part", self.position, text=text)
            return id_, part
        self._sink.report("part-out-of-range" if named else "bad-part", self.position, text=text, id=id_, part=part)
        return id_, WHOLE

    def _new_entity(self, id_: str, type_: str, values: list[str]) -> EntityInProgress:
        if not id_ or " " in id_ or "=" in id_:
            self._sink.report("bad-entity-id", self.position, chunk="(" + "-".join(values))
        elif "[" in id_ or "]" in id_:
            self._sink.report("bracket-in-id", self.position, id=id_)
        return self.entities.setdefault(id_, EntityInProgress(id_, type_))

    def check_type(self, entity: EntityInProgress, type_: str) -> None:
        """Take the type of an entity, or report that it is another one here."""
        if type_ and entity.type:
            self._sink.report("type-changes", self.position, id=entity.id, type=type_, before=entity.type)
        elif type_:
            entity.type = type_

    def _next_part(self, entity: EntityInProgress, part: Part) -> Discontinuous:
        """The discontinuous mention that a part belongs to, the part's first word added.

        A first part begins one; a later one continues the first that waits and is not open right now.
        """
        position = self.position
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
            self._sink.report("parts-entangled", self.position, id=entity.id)

    def _part_closed(self, entity: EntityInProgress, mention: Discontinuous, head: str | None, whole: bool) -> None:
        """Make the mention if it is whole; until then its head is the first word, of which the DEPS must be right."""
        if whole:
            entity.members[mention.slot] = self._headed(entity, mention.words, mention.first, head, whole)
        else:
            self._dependencies(mention.words[0], whole)

    def _closing(self, text: str) -> tuple[str, int] | None:
        """Close what was opened last under an id; ``e1)`` may close a part and ``e1[1/2])`` a whole mention."""
        position = self.position
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
            self._sink.report(problem, self.position, id=id_, text=text + ")")
            return entity
        self._sink.report("closed-never-opened", self.position, id=id_, text=text + ")", guess=guess)
        return None

    def _headed(
        self, entity: EntityInProgress, words: Sequence[int], first: int, head: str | None, whole: bool
    ) -> Mention:
        """The mention with the word its head index names; without an index, or with 0, the word that opened it."""
        index = int(head or 0)
        if index > len(words):
            self._sink.report("head-outside-mention", self.position, id=entity.id, head=index, words=len(words))
            index = 0
        named = words[index - 1] if index else first
        if isinstance(words, list) and len(set(words)) < len(words):  # parts may overlap
            self.repeats_words = True
            if whole:
                self._sink.report("parts-overlap", self.position, id=entity.id)
        return self.mention(sorted(words) if isinstance(words, list | tuple) else words, named, whole)

    def mention(self, words: Sequence[int], head: int, whole: bool = True) -> Mention:
        """A mention of these nodes; the head has its dependencies if it is an empty node."""
        return Mention(words, head, self._dependencies(head, whole))

    def _dependencies(self, head: int, whole: bool) -> tuple[Dependency, ...]:
        return self._sink.dependencies(self._nodes_of.get(head >> SENTENCE_SHIFT), head, whole)


# First word, minus length and last word of the first mention of an entity, its id, mentions and type. Rows sort as
# entities do; ids are unique, so mentions are never compared. Plain tuples sort fastest.
Row = tuple[int, int, int, str, list[Mention], str]
ID: Final = 3
MENTIONS: Final = 4


def rows_of(brackets: Brackets, order: Callable[[Mention], Any] = mention_order) -> list[Row]:
    """The entities that have mentions, each with its mentions in order."""
    rows: list[Row] = []
    for id_, entity in brackets.entities.items():
        mentions: list[Any] = entity.members
        if entity.opened:  # what is still open has no mention in its slot
            mentions = [mention for mention in mentions if mention is not None]
        if len(mentions) > 1:
            mentions.sort(key=order)
        if mentions:
            first = mentions[0]
            rows.append((first[0], first[1], first[2], id_, mentions, entity.type))
    return rows


def unique_id(id_: str, part: int) -> str:
    """The id of an entity in a part of a document, where the same id is another entity in each part.

    >>> unique_id("e1", 0), unique_id("e1", 1)
    ('e1', 'e1.2')
    """
    return f"{id_}.{part + 1}" if part else id_
