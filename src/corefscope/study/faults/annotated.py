"""Mentions and entities as they stand in the file, for those that have been prepared and numbered."""

from __future__ import annotations

from collections import Counter

from ...base.document import Document, Mention, Sentence
from ...base.positions import MINOR_MASK, NEXT_WORD, SENTENCE_SHIFT, decimal, node_name, shown_id
from ...match.alignment import Side
from ...match.assignment import assign

ZERO = "∅"
GAP = "…"
DECIMAL = 100_000  # minors from here on have been read as decimals, see document.decimal


class Annotated:
    """A side of an alignment and the document it was made from."""

    def __init__(self, document: Document, side: Side) -> None:
        self.document, self.side = document, side
        self._entities: list[int] | None = None
        self._lines: dict[int, tuple[list[str], dict[str, int]]] = {}

    def name(self, i: int) -> str:
        """What an entity is called in its file; if nothing, its number."""
        at, names = self.entity(i), self.document.entity_ids
        return names[at] if names and at >= 0 else str(i + 1)

    def type_of(self, i: int) -> str:
        """The type of an entity, empty if it has none."""
        at, types = self.entity(i), self.document.entity_types
        return types[at] if types and at >= 0 else ""

    def entity(self, i: int) -> int:
        """Which entity of the document a prepared entity comes from; -1 if that cannot be said."""
        if self._entities is None:
            self._entities = origins(self.document, self.side)
        return self._entities[i]

    def mention(self, number: int) -> Mention:
        """A mention with positions that the file has."""
        mention: Mention = self.side.mentions[number]
        if not any(place & MINOR_MASK >= DECIMAL for place in mention.positions):
            return mention
        return mention._replace(positions=tuple(map(_place, mention.positions)), head=_place(mention.head))

    def sentence(self, mention: Mention) -> str:
        """The id of the sentence in which a mention begins, or its number."""
        if not self.document.sentences:
            return ""
        sentence = self.document.sentence_of(mention.positions[0])
        return sentence.id or str(sentence.number)

    def line(self, mention: Mention) -> int:
        """The line on which the head stands."""
        if not self.document.sentences:
            return 0
        sentence = self.document.sentence_of(mention.head)
        lines, rows = self._lines_of(sentence)
        name = node_name(mention.head)
        if name not in rows and len(lines) == len(sentence.words) and name.isdigit():
            return sentence.line + int(name) - 1  # a format that has a line for each word and calls words otherwise
        return sentence.line + rows.get(name, 0)

    def text(self, mention: Mention) -> str:
        """The words of a mention: a zero is ∅, and where words are left out is an ellipsis. Of an id, the id."""
        if not self.document.sentences:
            return mention_id(mention)
        words: list[str] = []
        for at, place in enumerate(mention.positions):
            if at and gap_before(mention.positions, at):
                words.append(GAP)
            words.append(self.word(place))
        return " ".join(words)

    def word(self, place: int) -> str:
        """The word at a position; an empty node is ∅, followed by its form if it has one."""
        if not place & MINOR_MASK:
            return self.document.form(place)
        name = node_name(place)
        lines, rows = self._lines_of(self.document.sentence_of(place))
        form = lines[rows[name]].split("\t")[1] if name in rows else "_"
        return ZERO if form == "_" else ZERO + form

    def _lines_of(self, sentence: Sentence) -> tuple[list[str], dict[str, int]]:
        """The lines of a sentence, and which of them has the word or empty node of an id; taken apart only once."""
        if sentence.number not in self._lines:
            lines = sentence.text.split("\n")
            rows: dict[str, int] = {}
            for at, line in enumerate(lines):
                name, tab, _ = line.partition("\t")
                if tab:
                    rows.setdefault(name, at)
            self._lines[sentence.number] = lines, rows
        return self._lines[sentence.number]


def mention_id(mention: Mention) -> str:
    """The id of a mention that has no words, to be shown."""
    return shown_id(mention.head)


def gap_before(positions: tuple[int, ...], at: int) -> bool:
    """Whether ordinary words are left out before a word of a mention."""
    one, other = positions[at - 1] | MINOR_MASK, positions[at] | MINOR_MASK
    return NEXT_WORD < other - one < 1 << SENTENCE_SHIFT


def _place(place: int) -> int:
    """A position with the minor it has in the file, as far as decimals tell: that of 3.10 and 3.1 is the same."""
    minor = place & MINOR_MASK
    return place - minor + int(str(minor).rstrip("0")) if minor >= DECIMAL else place


def origins(document: Document, side: Side) -> list[int]:
    """The entity of the document that each entity of the side was: itself, or one that has its mentions, or -1."""
    same = {id(entity): at for at, entity in enumerate(document.entities)}
    found = [same.get(id(entity), -1) for entity in side.members]
    if -1 in found:
        holders: dict[frozenset[int], set[int]] = {}
        taken = set(found)
        for at, entity in enumerate(document.entities):
            if at not in taken:
                for mention in entity:
                    holders.setdefault(_words(mention), set()).add(at)
        lost = [i for i, at in enumerate(found) if at < 0]
        rows = []
        for i in lost:
            common = Counter(at for mention in side.members[i] for at in holders.get(_words(mention), ()))
            # as many common mentions as possible, then as few others as possible
            rows.append({at: (number << 32) - len(document.entities[at]) for at, number in common.items()})
        for row, at in assign(rows, len(document.entities)):
            if at in rows[row]:
                found[lost[row]] = at
    return found


def _words(mention: Mention) -> frozenset[int]:
    """The words of a mention, the same for all ways in which rules read positions."""
    return frozenset(map(decimal, mention.positions))
