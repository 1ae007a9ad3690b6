"""Problems of ``Entity`` brackets, collected: the sink that validation gives to the bracket machine."""

from __future__ import annotations

from ...base.mention import Dependency
from ...base.positions import MINOR_MASK, node_name
from ...read.corefud.nodes import Nodes
from ...read.corefud.sink import CODES, REFUSALS
from .problems import Problems, shortened

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
