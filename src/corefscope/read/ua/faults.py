"""What is wrong with CoNLL-UA files: what readers refuse, and what they warn of; validation collects both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.errors import InputError, Warnings

Report = Callable[..., None]
"""Takes the name of a fault (a code of validation), its line, and what its message needs."""
_CELL = (
    "cells hold (EntityID=…|MarkableID=…) around one word, or that without ')' on the first word and ')' on the last"
)

REFUSALS: dict[str, tuple[str, str]] = {
    "wrong-columns": ("{columns} columns, but IDENTITY is column {identity}", "is it a CoNLL-UA file at all?"),
    "bad-id": ("{name!r} is not the id of a word", "ids are 1, 2, … or N.1 (zero) or N-M (multiword token)"),
    "bad-cell": ("{text!r} in {column} is no bracket", _CELL),
    "bad-markable": ("{text!r} in {column} has no {field}", "write (EntityID=…|MarkableID=…)"),
    "closed-never-opened": ("a bracket in {column} closes what was never opened", _CELL),
    "never-closed": ("markable {id!r} in {column} is never closed", "write ')' in the cell of its last word"),
    "markable-without-words": (
        "markable {id!r} stands on a multiword token without words",
        "the words of a multiword token follow it",
    ),
    "element-cycle": (
        "entity {id!r} is an element of itself ({cycle})",
        "ElementOf names a plural entity that the entity of this markable is a part of",
    ),
    "bad-minimum": (
        "Min={value} of markable {id!r} is no number of a word",
        "write Min=N or Min=N,M: words count from 1",
    ),
    "missing-anchor": (
        "bridging of {id!r} has neither MentionAnchor nor EntityAnchor",
        "write (MarkableID=…|Rel=…|MentionAnchor=…|EntityAnchor=…)",
    ),
}
"""What cannot be read: the message, and what to do."""

WARNINGS: dict[str, str] = {
    "minimum-outside": "Min={value} of markable {id!r} is not inside of it: it is matched exactly",
    "markable-in-two-entities": "markable {id!r} is in entity {entity!r} here but was in {before!r}: the last counts",
    "bridging-of-nothing": "bridging from {anaphor!r} to {anchor!r}: {missing!r} is not in IDENTITY: ignored",
    "element-of-nothing": "ElementOf={plural}: entity {plural!r} has no markable: ignored",
}
"""What is read nevertheless: the message."""


LONGEST = 60
"""Characters of a file that a message repeats."""


def described_fault(fault: str, facts: dict[str, Any]) -> tuple[str, str]:
    """The message about a fault, and a hint if there is one of its own."""
    shown = {name: value[:LONGEST] if isinstance(value, str) else value for name, value in facts.items()}
    message, hint = REFUSALS.get(fault) or (WARNINGS[fault], "")
    return message.format(**shown), hint


def reader_report(path: str, warnings: Warnings) -> Report:
    """The reader's way: it refuses the first fault that cannot be read, and warns of others."""

    def report(fault: str, line: int, **facts: Any) -> None:
        message, hint = described_fault(fault, facts)
        if fault in REFUSALS:
            raise InputError(message, path=path, line=line, hint=hint, code=fault)
        warnings.add(fault, path, line, message)

    return report
