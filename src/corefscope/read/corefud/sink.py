"""What becomes of the problems that the bracket machine meets: the protocol, and the reader's way.

The reader refuses what it cannot read and warns of what it ignores; other problems are none to it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Protocol

from ...base.errors import InputError, Warnings
from ...base.mention import Dependency
from ...base.positions import MINOR_MASK, node_name

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
        "the head is the index of a word in the mention, from 1; it stands where global.Entity says 'head'",
    ),
    "head-outside-mention": (
        "head {head} of a mention of {id!r} lies outside its {words} words",
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
    "repeated-entity-attribute": "Entity stands {times} times in MISC: only the last counts",
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
