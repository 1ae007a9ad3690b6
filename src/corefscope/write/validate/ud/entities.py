"""Level 6: Entity, Bridge and SplitAnte, sentence by sentence."""

from __future__ import annotations

import re

from ..problems import quoted
from .comments import NEWDOC
from .mentions import Declared, EntityBracket, OpenMentions
from .sentence import BLANK, MISC, Note, UDRow, UDSentence

HEADER = re.compile(rf"#{BLANK}*global\.Entity{BLANK}*={BLANK}*(.+)")
PIECE = re.compile(r"\([^( )]+\)?|[^( )]+\)")
ID = r"[^(< :>)]+"
RELATED = rf"{ID}(?::[a-z]+)?"
FIELDS = ("eid", "etype", "head")
STATEMENTS = ("Entity", "Bridge", "SplitAnte")


class Entities:
    """Checks the coreference of the sentences of a file."""

    def __init__(self, note: Note) -> None:
        self._note = note
        self._declared: Declared | None = None
        self._mentions = OpenMentions(note)
        self._split: dict[str, int] = {}  # entities with SplitAnte, and where
        self._beginning: set[str] = set()  # the entities of which a mention begins at the latest word with brackets

    def check(self, sentence: UDSentence) -> None:
        """Note what is wrong."""
        for line, comment in enumerate(sentence.comments, sentence.line):
            if header := HEADER.fullmatch(comment):
                self._header(header[1], line)
            elif NEWDOC.fullmatch(comment):
                self._mentions.begin_document()
        for row in sentence.rows:
            if not row.is_multiword:
                self._mentions.enter(row.id)
            self._check_row(row)
        self._mentions.finish(sentence.rows[-1].line)

    def _header(self, header: str, line: int) -> None:
        """The first one of the file holds."""
        if self._declared is not None:
            if header != self._declared.header:
                message = f"global.Entity is {quoted(header)} here but was {quoted(self._declared.header)}"
                self._note("global-entity-mismatch", line, message)
            return
        names = header.split("-") if re.fullmatch(r"[a-z]+(?:-[a-z]+)*", header) else []
        self._declared = Declared(header, names)
        if not names:
            self._note("spurious-global-entity", line, f"global.Entity = {quoted(header)} cannot be read")
            return
        for place, name in enumerate(FIELDS):
            if name not in names or names[place : place + 1] != [name]:
                self._note("spurious-global-entity", line, f"field {place + 1} of {quoted(header)} is not {name}")
        if "other" in names and names[3:4] != ["other"]:
            self._note("spurious-global-entity", line, f"field 4 of {quoted(header)} is not other")
        if len(set(names)) < len(names):
            self._note("spurious-global-entity", line, f"{quoted(header)} names a field twice")

    def _check_row(self, row: UDRow) -> None:
        found = {name: [item for item in row.attributes if item.startswith(f"{name}=")] for name in STATEMENTS}
        test = self._misplaced(row, found)
        if test:
            self._note(test, row.line, f"MISC is {quoted(row.columns[MISC])}")
            return
        values = {name: items[0].partition("=")[2] for name, items in found.items() if items}
        if "Entity" not in values or not self._read_entity(row, values["Entity"]):
            return
        if "Bridge" in values and not _is_bridge(values["Bridge"]):
            self._note("spurious-bridge-statement", row.line, f"Bridge={quoted(values['Bridge'])} cannot be read")
        if "SplitAnte" in values:
            self._check_split(row.line, values["SplitAnte"])

    def _misplaced(self, row: UDRow, found: dict[str, list[str]]) -> str:
        """The test that a row fails before its brackets are looked at."""
        if row.is_multiword and any(found.values()):
            return "entity-mwt"
        for name, items in found.items():
            if len(items) > 1:
                return f"multiple-{name.lower()}-statements"
        for name in STATEMENTS[1:]:
            if found[name] and not found["Entity"]:
                return f"{name.lower()}-without-entity"
        return "entity-without-global-entity" if found["Entity"] and self._declared is None else ""

    def _read_entity(self, row: UDRow, value: str) -> bool:
        """Read the brackets of a word; whether its links are worth a look."""
        pieces, end = [], 0
        while match := PIECE.match(value, end):
            pieces.append(match[0])
            end = match.end()
        if not pieces or end < len(value):
            self._note("spurious-entity-statement", row.line, f"Entity={quoted(value)} cannot be read")
            return True
        declared = self._declared
        if declared is None or "eid" not in declared.places:
            return False
        brackets = [EntityBracket.read(piece, declared) for piece in pieces]
        self._check_order(row.line, value, brackets)
        self._beginning = self._mentions.read(row, brackets, declared)
        return True

    def _check_order(self, line: int, value: str, brackets: list[EntityBracket]) -> None:
        """Closing brackets come before opening ones; those around one word before the former or after the latter."""
        opened = closed = single = False
        for bracket in brackets:
            if bracket.opens and bracket.closes:
                wrong = closed and not opened
                single = True
            elif bracket.opens:
                wrong = single and (opened or not closed)
                opened, single = True, False
            else:
                wrong = opened
                closed = True
            if wrong:
                message = f"{quoted(bracket.text)} stands in the wrong place in Entity={quoted(value)}"
                self._note("spurious-entity-statement", line, message)

    def _check_split(self, line: int, value: str) -> None:
        if not _is_split(value):
            self._note("spurious-splitante-statement", line, f"SplitAnte={quoted(value)} cannot be read")
            return
        antecedents: dict[str, list[str]] = {}
        for item in value.split(","):
            source, link, target = item.partition("<")
            if not (source and link and target):
                continue
            if source == target:
                self._note("spurious-splitante-relation", line, f"{quoted(item)} links an entity with itself")
            elif target not in self._beginning:
                message = f"{quoted(item)} stands where no mention of {quoted(target)} begins"
                self._note("misplaced-splitante-statement", line, message)
            if source in antecedents.setdefault(target, []):
                self._note("repeated-splitante-relation", line, f"{quoted(item)} stands twice")
            antecedents[target].append(source)
        for target, sources in antecedents.items():
            if len(sources) == 1:
                self._note("only-one-split-antecedent", line, f"{quoted(target)} has one antecedent in SplitAnte")
            if self._split.setdefault(target, line) != line:
                message = f"SplitAnte of {quoted(target)} was given in line {self._split[target]}"
                self._note("split-antecedent-mismatch", line, message)


def _is_bridge(value: str) -> bool:
    """Whether this is ``e1<e2`` or ``e1<e2:relation``, or several joined by commas (ids may hold commas, too)."""
    first, *others = value.split("<")
    if not others or not re.fullmatch(ID, first) or not re.fullmatch(RELATED, others[-1]):
        return False
    return all(re.fullmatch(rf"{RELATED},{ID}", between) for between in others[:-1])


def _is_split(value: str) -> bool:
    """The same without relations."""
    first, *others = value.split("<")
    if not others or not re.fullmatch(ID, first) or not re.fullmatch(ID, others[-1]):
        return False
    return all(re.fullmatch(rf"{ID},{ID}", between) for between in others[:-1])
