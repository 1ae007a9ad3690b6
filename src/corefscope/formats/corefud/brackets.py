"""Bracket parser for ``Entity=`` values: opened, closed, discontinuous, nested and crossing mentions.

The reader, validation and rewriting feed it the chunks of one document in text order. It matches brackets and never
stops by itself: problems go to a sink, which raises, warns or collects. The sink of the reader raises for what cannot
be read and warns of what is ignored. The ``global.Entity`` header defines what brackets contain (:class:`Fields`).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ...core.document import Dependency, Mention, mention_order
from ...core.errors import InputError, Warnings
from ...core.positions import MINOR_MASK, NEXT_WORD, SENTENCE_SHIFT, node_name

if TYPE_CHECKING:
    from .nodes import Nodes, OfficialOrder


class Sink(Protocol):
    """Receiver of problems: it raises, warns or collects; if it does not raise, parsing continues."""

    repairs: bool
    """Whether a closing bracket that names another part closes the bracket of that part; otherwise the last one."""

    def report(self, problem: str, position: int, **facts: object) -> None:
        """Receive a problem at a position: its name, and the values its message needs."""

    def dependencies(self, nodes: Nodes | None, head: int, whole: bool) -> tuple[Dependency, ...]:
        """The DEPS of a head; ``whole`` is False while parts of its mention are still missing."""


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
        "the head is the index of a word in the mention, from 1; it is the field that global.Entity calls 'head'",
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
"""Problems that stop the reader: message and hint."""

CODES = {
    "closing-of-no-part": "bad-part",
    "entity-without-equals": "entity-without-value",
    "head-of-one-word": "unused-head",
    "head-zero": "unused-head",
    "part-of-new-entity": "part-without-first",
    "part-out-of-range": "bad-part",
}
"""Code names of problems that share the code of another problem."""

WARNINGS: dict[str, str] = {
    "entity-on-multiword-token": "Entity on the multiword token {name}: ignored",
    "entity-without-value": "Entity has no value: ignored",
    "entity-without-words": "Entity in a stretch between empty lines that holds no ordinary word: ignored",
    "last-part-missing": "discontinuous mention of {id!r} lacks its last part: read without it",
    "never-closed": "mention of {id!r} is never closed: ignored",
    "no-bracket": "{chunk!r} in Entity has no bracket: ignored",
    "part-closed-otherwise": "{text!r} closes {part} of the same entity, which was opened last",
    "parts-disagree": "{part} of a mention of {id!r} after {before} of {of}: read as the next one",
    "repeated-entity-attribute": "MISC has Entity {times} times: only the last counts",
    "type-changes": "entity {id!r} is {type!r} here but was {before!r}",
}
"""Problems that the reader warns of: message."""


HARMLESS = frozenset(["type-changes"])
"""Problems that no score depends on."""


class ReaderSink:
    """The reader's sink: raises at the first problem that cannot be read, and warns of what is ignored."""

    __slots__ = ("_line_of", "_path", "_warnings")

    repairs = False

    def __init__(
        self, path: str, line_of: Callable[[int], int] = lambda _: 0, warnings: Warnings | None = None
    ) -> None:
        self._path, self._line_of, self._warnings = path, line_of, warnings

    def report(self, problem: str, position: int, **facts: object) -> None:
        """Raise or warn, with the line of a position."""
        self.note(problem, partial(self._line_of, position), **facts)

    def note(self, problem: str, line: int | Callable[[], int], **facts: object) -> None:
        """Raise or warn, with a line or a function that finds it."""
        code = CODES.get(problem, problem)
        if problem in REFUSALS:
            message, hint = REFUSALS[problem]
            line = line if isinstance(line, int) else line()
            raise InputError(message.format(**facts), path=self._path, line=line, hint=hint, code=code)
        if problem in WARNINGS and self._warnings is not None:
            text = partial(WARNINGS[problem].format, **facts)
            self._warnings.add(code, self._path, line, text, harmless=problem in HARMLESS)

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
"""An opening bracket, a closing one, both around one word, or text outside brackets."""
LINKS = ("Bridge=", "SplitAnte=", "Split=")
"""Attributes of MISC that hold relations."""
LARGEST = 999_999_999  # larger head indices are outside every mention, as this one is


def normalise_index(head: str) -> str:
    """A head index without sign, blanks and leading zeros; empty if it is not a number.

    >>> normalise_index("+2"), normalise_index("1" * 5000), normalise_index("two")
    ('2', '999999999', '')
    """
    if head.isdecimal() and len(head) > 4000:  # int() refuses so many digits
        return str(LARGEST)
    try:
        return str(min(int(head), LARGEST))
    except ValueError:
        return ""


def all_places(header: str) -> list[list[int]]:
    """The indices of the fields for id, type and head in an opening bracket, last one first.

    >>> all_places("eid-etype-head-head")
    [[0], [1], [3, 2]]
    """
    names = header.split("-")
    return [
        [index for index in reversed(range(len(names))) if names[index] in alike]
        for alike in (("eid", "GRP"), ("etype", "entity"), ("head",))
    ]


def places(header: str) -> tuple[int, ...]:
    """The last index of each, -1 for none.

    >>> places("eid-etype-head-other"), places("GRP")
    ((0, 1, 2), (0, -1, -1))
    """
    return tuple([indices[0] if indices else -1 for indices in all_places(header)])


class Fields:
    """Fields of an opening bracket, as the ``global.Entity`` header names them.

    ``id``, ``type`` and ``head`` are indices, -1 for none, and ``size`` is the number of fields. ``pattern`` finds
    the chunks of a value: id, type, head and closing bracket of a continuous mention, the id that is closed, or the
    whole chunk otherwise.

    >>> fields = Fields("eid-etype-head-other")
    >>> fields.id, fields.type, fields.head
    (0, 1, 2)
    >>> fields.pattern.findall("e1)(e2-person-1-x)")
    [('', '', '', '', 'e1', ''), ('e2', 'person', '1', ')', '', '')]

    If the header repeats a name, the last such field that a bracket has counts.

    >>> Fields("eid-head-head").of(["e1", "2", "3"]), Fields("eid-head-head").of(["e1", "2"])
    (('e1', '', '3'), ('e1', '', '2'))
    """

    __slots__ = ("_places", "head", "id", "order", "pattern", "size", "type")

    id: int
    type: int
    head: int

    def __init__(self, header: str) -> None:
        self.size: int = header.count("-") + 1
        self._places = all_places(header)
        self.id, self.type, self.head = places(header)
        patterns = {self.id: r"([^()\-\[\]= ]++)", self.type: r"([^()\-]*+)", self.head: r"([0-9]{1,9}+)"}
        fields = [patterns.get(index, r"[^()\-]*+") for index in range(max(patterns) + 1)]
        absent = "()" * ((self.type < 0) + (self.head < 0))
        # Further fields, or the end of the bracket. Groups that are optional, or could backtrack, take longer.
        opening = rf"\({'-'.join(fields)}{absent}(?:-[^()]*+|(?![^()]))(\)?)"
        closing = r"([^()\-\[\]]++)\)"
        self.pattern: re.Pattern[str] = re.compile(rf"{opening}|{closing}|({CHUNK})")
        indices = self.id, self.type, self.head
        in_order = sorted(indices, key=lambda index: index if index >= 0 else sys.maxsize)
        self.order: list[int] = [in_order.index(index) for index in indices]
        """Which groups of the pattern are id, type and head."""

    def well_formed(self) -> re.Pattern[str]:
        """Pattern of values in which nothing is odd but perhaps types, heads outside mentions, and unpaired brackets.

        >>> pattern = Fields("eid-etype-head-other").well_formed()
        >>> [bool(pattern.fullmatch(value)) for value in ("e1)(e2-x-2-(e3-x-1)", "(e2-x-0-", "(e2-x-2)", "(e2-x")]
        [True, False, False, False]
        """
        if any(len(indices) > 1 for indices in self._places):
            return re.compile(r"(?!)")
        last = max(self.id, self.type, self.head)

        def bracket(head: str) -> str:
            patterns = {self.id: r"[^()\-\[\]= ]+", self.head: head}
            fields = "-".join([patterns.get(index, r"[^()\-]*") for index in range(last + 1)])
            return rf"\({fields}(?:-[^()\-]*){{0,{self.size - last - 1}}}"

        single, opening = bracket("1"), bracket("[1-9][0-9]{0,8}")
        return re.compile(rf"(?:{single}\)|{opening}(?![^(])|[^()\-\[\]]+\))+")

    def of(self, values: list[str]) -> tuple[str, str, str | None]:
        """Id, type and head of an opening bracket; the head is None if the bracket ends before it."""
        id_, type_, head = (
            next((values[index] for index in indices if index < len(values)), None) for indices in self._places
        )
        return id_ or "", type_ or "", head


NEAR = 100
"""Number of open brackets that are searched for the part that a closing bracket names."""


class Part(NamedTuple):
    """``[2/3]``: part 2 of 3; a continuous mention is part 0 of 0."""

    number: int = 0
    of: int = 0

    @property
    def last(self) -> bool:
        """Whether no further part follows."""
        return self.number == self.of

    def __str__(self) -> str:
        return f"part {self.number} of {self.of}" if self.number else "a whole mention"


WHOLE = Part()
PART = r"([^\[\]]+)\[(0|[1-9][0-9]{0,8})/(0|[1-9][0-9]{0,8})\]"


def named_part(text: str) -> tuple[str, Part] | None:
    """The id and the part that a label such as ``e1[2/3]`` names; None if it is not such a label.

    >>> named_part("e1[2/3]"), named_part("e1[2/x]")
    (('e1', Part(number=2, of=3)), None)
    """
    match = re.fullmatch(PART, text)
    return (match[1], Part(int(match[2]), int(match[3]))) if match else None


class OpenBracket(NamedTuple):
    """A bracket that is not closed yet."""

    slot: int
    """The index of its mention in the entity."""
    first: int
    head: str | None
    """The head index as written."""
    mention: DiscontinuousMention | None = None
    """The mention it is a part of."""

    @property
    def part(self) -> Part:
        """The part as which it was opened."""
        return self.mention.part if self.mention is not None else WHOLE


class EntityInProgress:
    """The mentions of one entity as they are read.

    A slot in ``members`` is reserved when a mention is opened and filled when it is closed.
    """

    __slots__ = ("id", "in_parts", "members", "mentions", "opened", "type")

    mentions: tuple[Mention, ...]
    """Its mentions in order, once all are read."""

    def __init__(self, id_: str, type_: str) -> None:
        self.id: str = id_
        self.type: str = type_
        self.members: list[Mention | None] = []
        self.opened: list[OpenBracket] = []
        self.in_parts: DiscontinuousMentions | None = None

    def take(self, part: Part) -> OpenBracket:
        """Remove and return the last open bracket of that part, or else the last one."""
        for back, bracket in enumerate(islice(reversed(self.opened), NEAR), 1):
            if bracket.part == part:
                return self.opened.pop(-back)
        return self.opened.pop()


class DiscontinuousMention:
    """A mention in parts: its slot in the entity, its latest part, and the words of all parts so far.

    ``parts`` is their number as its first part gives it, and ``first`` is the word that opened it.
    """

    __slots__ = ("finished", "first", "open", "part", "parts", "slot", "words")

    def __init__(self, slot: int, position: int, part: Part) -> None:
        self.slot: int = slot
        self.words: list[int] = [position]
        self.part: Part = part
        self.parts: int = part.of
        self.first: int = position
        self.open: bool = False
        self.finished: bool = False

    def __lt__(self, other: DiscontinuousMention) -> bool:
        return self.slot < other.slot


class DiscontinuousMentions:
    """The discontinuous mentions of one entity."""

    __slots__ = ("_waiting", "begun")

    def __init__(self) -> None:
        self.begun: list[DiscontinuousMention] = []  # by their first parts; some may be finished
        self._waiting: list[DiscontinuousMention] = []  # a heap; open and finished mentions are skipped

    def wait(self, mention: DiscontinuousMention) -> None:
        """Expect another part of a mention, none of which is open."""
        mention.open = False
        heappush(self._waiting, mention)

    def next_waiting(self) -> DiscontinuousMention | None:
        """The mention that a later part continues: the first that is neither open nor finished."""
        waiting = self._waiting
        while waiting and (waiting[0].open or waiting[0].finished):
            heappop(waiting)
        return waiting[0] if waiting else None

    def finish(self, mention: DiscontinuousMention) -> bool:
        """Mark a mention as finished; returns whether all mentions that began after it are finished, too."""
        while self.begun and self.begun[-1].finished:
            self.begun.pop()
        mention.finished = True
        return bool(self.begun) and self.begun[-1] is mention


class Brackets:
    """Parser of the brackets of one document, chunk by chunk in text order."""

    __slots__ = ("_nodes", "_nodes_of", "_sink", "ambiguous", "entities", "fields", "position", "repeats_words")

    def __init__(self, fields: Fields, sink: Sink) -> None:
        self.fields: Fields = fields
        self._sink = sink
        self.position: int = 0
        self._nodes: Nodes | None = None
        self._nodes_of: dict[int, Nodes] = {}
        self.entities: dict[str, EntityInProgress] = {}
        self.repeats_words: bool = False
        self.ambiguous: bool = False
        """Whether the official scorer reads some brackets differently even where nodes have the same order."""

    def enter(self, sentence: int, nodes: Nodes | None) -> None:
        """Enter a sentence; ``nodes`` is None if it has no empty nodes."""
        self._nodes = nodes
        if nodes is not None:
            self._nodes_of[sentence] = nodes

    def feed(self, carriers: Sequence[tuple[int, str]], nodes: Nodes | None) -> None:
        """Read ``Entity`` values with their positions: of one sentence, or of several without empty nodes."""
        self.enter(carriers[0][0] >> SENTENCE_SHIFT, nodes)
        for position, value in carriers:
            for chunk in re.findall(CHUNK, value):
                self.read(position, chunk)

    def read(self, position: int, chunk: str) -> tuple[str, int] | None:
        """Read one chunk of the sentence that was entered.

        Returns the id of the entity and the number of its open brackets, this one included: the same pair for the
        bracket that opens a mention and the one that closes it. None if the chunk opens and closes nothing.
        """
        self.position = position
        if chunk[0] == "(":
            return self._single(chunk[1:-1].split("-")) if chunk[-1] == ")" else self._opening(chunk[1:].split("-"))
        if chunk[-1] == ")":
            return self._closing(chunk[:-1])
        self._sink.report("no-bracket", position, chunk=chunk)
        return None

    def finish(self) -> None:
        """Report mentions that are never closed or lack their last part; the latter are kept without it."""
        for entity in self.entities.values():
            for bracket in entity.opened:
                self._sink.report("never-closed", bracket.first, id=entity.id)
        for entity in self.entities.values():
            for mention in entity.in_parts.begun if entity.in_parts else ():
                if mention.finished or mention.open:
                    continue
                if entity.members[mention.slot] is None:
                    entity.members[mention.slot] = self._headed(entity, mention.words, mention.first, None, False)
                if mention.parts > 1:
                    facts = {"id": entity.id, "part": mention.part.number, "parts": mention.parts}
                    self._sink.report("last-part-missing", mention.words[0], **facts)

    def _single(self, values: list[str]) -> tuple[str, int]:
        """Read a bracket around one word: a mention, or one part of it."""
        entity, part, head = self._named(values)
        position = self.position
        if part.number:
            mention = self._next_part(entity, part)
            if part.last and part.of > 1:
                if head is None:
                    self._sink.report("last-part-without-head", position, id=entity.id)
                self._finish(entity, mention)
                head = head if int(head or 0) else str(len(mention.words))  # here, and only here, 0 is the last word
            self._close_part(entity, mention, head if part.of > 1 else None, part.last)
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
            entity.opened.append(OpenBracket(mention.slot, position, head, mention))
        else:
            entity.opened.append(OpenBracket(len(entity.members), position, head))
            entity.members.append(None)
        if part.last:  # the head in a part before the last is never looked at
            if head is None and self.fields.head >= 0:
                self._sink.report("missing-head", position, id=entity.id)
            elif head and not int(head):
                self._sink.report("head-zero", position, id=entity.id)
        return entity.id, len(entity.opened)

    def _named(self, values: list[str]) -> tuple[EntityInProgress, Part, str | None]:
        """The entity, part and head that an opening bracket names."""
        fields, size = self.fields, len(values)
        id_, type_, head = fields.of(values)
        if head is not None and not (head.isdecimal() and len(head) < 10):
            text, head = head, normalise_index(head)
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
        """Set the type of an entity, or report that it changes."""
        if type_ and entity.type:
            self._sink.report("type-changes", self.position, id=entity.id, type=type_, before=entity.type)
        elif type_:
            entity.type = type_

    def _next_part(self, entity: EntityInProgress, part: Part) -> DiscontinuousMention:
        """The discontinuous mention that a part begins or continues, with the part's first word added."""
        position = self.position
        if entity.in_parts is None:
            entity.in_parts = DiscontinuousMentions()
        mention = entity.in_parts.next_waiting() if part.number > 1 else None
        if mention is None:
            if part.number > 1:
                problem = "part-without-first" if entity.members else "part-of-new-entity"
                self._sink.report(problem, position, id=entity.id, part=part)
            mention = DiscontinuousMention(len(entity.members), position, part)
            entity.in_parts.begun.append(mention)
            entity.in_parts.wait(mention)
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

    def _finish(self, entity: EntityInProgress, mention: DiscontinuousMention | None) -> None:
        """Finish a mention with its last part; it is None if that closes a bracket of a whole mention."""
        if mention is None or entity.in_parts is None or not entity.in_parts.finish(mention):
            self._sink.report("parts-entangled", self.position, id=entity.id)

    def _close_part(
        self, entity: EntityInProgress, mention: DiscontinuousMention, head: str | None, whole: bool
    ) -> None:
        """Make the mention if it is whole; until then its head is the first word, whose DEPS are checked."""
        if whole:
            entity.members[mention.slot] = self._headed(entity, mention.words, mention.first, head, whole)
        else:
            self.mention(mention.words[:1], mention.words[0], whole)

    def _closing(self, text: str) -> tuple[str, int] | None:
        """Close the last open bracket of an id; ``e1)`` may close a part and ``e1[1/2])`` a whole mention."""
        position = self.position
        id_, part, entity = text, WHOLE, self.entities.get(text)
        if entity is None and (named := named_part(text)):
            id_, part = named
            entity = self.entities.get(id_)
        whole = part.last
        if entity is None or not entity.opened:
            if (entity := self._unmatched(text, id_)) is None:
                return None
            part = entity.opened[-1].part
        depth, last = len(entity.opened), entity.opened[-1]
        if last.first == position and depth > 1:
            self._sink.report("closed-after-opened", position, id=entity.id, opened=entity.opened[-2].first)
        if part != last.part:
            self._sink.report("part-closed-otherwise", position, text=text + ")", part=last.part, opened=last.first)
        if self._sink.repairs:
            last = entity.take(part)
            part = last.part
            whole = part.last
        else:
            entity.opened.pop()
        slot, first, head, mention = last
        if mention is not None and entity.in_parts is not None:
            entity.in_parts.wait(mention)
        latest = first
        if mention is not None and self._nodes is not None:
            mention.words = self._nodes.sorted(mention.words)
            latest = mention.words[-1]
        crosses = latest >> SENTENCE_SHIFT != position >> SENTENCE_SHIFT
        if crosses:
            self._sink.report("crosses-sentences", position, id=entity.id, opened=first)
        if part.number and whole:
            self._finish(entity, mention)
        if not crosses:
            self.ambiguous = self.ambiguous or latest == position
            words = self._words_between(latest, position)
            if mention is None:
                entity.members[slot] = self._headed(entity, words, first, head if whole else None, whole)
            else:
                mention.words.extend(words[1:])
                self._close_part(entity, mention, head, whole)
        return entity.id, depth

    def _words_between(self, first: int, last: int) -> Sequence[int]:
        """The words and empty nodes from one to another."""
        return range(first, last + 1, NEXT_WORD) if self._nodes is None else self._nodes.between(first, last)

    def _unmatched(self, text: str, id_: str) -> EntityInProgress | None:
        """Report a closing bracket without an open one; returns the entity it was probably meant for."""
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
        """A mention headed by the word its head index names; without an index, or with 0, by its first word."""
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
        nodes = self._nodes_of.get(head >> SENTENCE_SHIFT)
        return Mention(words, head, self._sink.dependencies(nodes, head, whole))


def entities_of(
    brackets: Brackets, order: Callable[[Mention], tuple[int, int, int] | OfficialOrder] = mention_order
) -> list[EntityInProgress]:
    """The entities that have mentions, with these in order."""
    entities: list[EntityInProgress] = []
    for entity in brackets.entities.values():
        mentions = list(filter(None, entity.members))  # a mention that is never closed is None
        if mentions:
            if len(mentions) > 1:  # most entities are singletons
                mentions.sort(key=order)
            entity.mentions = tuple(mentions)
            entities.append(entity)
    return entities


def entity_order(entity: EntityInProgress) -> tuple[tuple[int, int, int], str]:
    """Sort key of entities: by their first mentions, then by their ids."""
    return mention_order(entity.mentions[0]), entity.id


def unique_id(id_: str, part: int) -> str:
    """The id of an entity in one of several parts of a document, where each part has ids of its own.

    >>> unique_id("e1", 0), unique_id("e1", 1), unique_id("e1.2", 0)
    ('e1', 'e1.2', 'e1.2.1')
    """
    return f"{id_}.{part + 1}" if part or "." in id_ else id_
