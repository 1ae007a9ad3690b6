"""Fast reading of plain CoNLL-UA documents: the same entities as the general reader, or None.

Nearly all documents are plain: words only, and cells of one spelling.

Sentences end at empty lines, lines are cut into cells all at once, and only cells that say something are looked at.
UA scorer 1.0 reads the same of such a document as we do, so one reading is enough. Whatever is otherwise (zeros,
other spellings, discontinuous markables, faults) is left to the general reader.
"""

from __future__ import annotations

from typing import NamedTuple

from ...core.document import Mention, MentionWithMinimum, mention_order, unbroken
from ...core.positions import LONGEST, WORD_SHIFT, word_positions
from ..corefud.sentences import sent_id
from ..relations import find_cycle
from ..sentences import NumberedWords
from .lines import Cells, UASentence
from .markables import EMPTY, SEPARATOR, AnnotatedColumn, Fields, meaning

IDENTITY, BRIDGING, DEIXIS = 10, 11, 12
"""The columns that UA scorer 1.0 reads."""
DIGITS = 9
"""Of ids and numbers of words: longer ones are left to the long way."""
ODD_SPACES = tuple([chr(code) for code in (*range(0x0B, 0x0E), *range(0x1C, 0x20), 0x85, 0xA0, 0x1680)]) + tuple(
    [chr(code) for code in (*range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000)]
)
"""White space besides blanks, tabs and line feeds."""
ODD_IN_ASCII = 7
UNKNOWN = "_Pseudo"
"""What ends the ids of entities that do not refer, but not for UA scorer 1.0."""
SPELLED = {"markableid": "MarkableID", "entityid": "EntityID", "min": "Min", "elementof": "ElementOf"}
LINKED = {"markableid": "MarkableID", "mentionanchor": "MentionAnchor", "entityanchor": "EntityAnchor", "rel": "Rel"}
"""How fields that mean something are spelled, in IDENTITY and in BRIDGING."""
USUAL = {*SPELLED.values(), *LINKED.values(), "SemType"}


class PlainDocument(NamedTuple):
    """The sentences of a document, and of each word its position, its line in the file and its cells."""

    sentences: tuple[UASentence, ...]
    places: list[int]
    lines: list[int]
    cells: list[Cells]

    @property
    def rows(self) -> list[tuple[int, int, Cells]]:
        """The three of each word."""
        return list(zip(self.places, self.lines, self.cells, strict=True))


def plain_document(text: str, number: int, line: int) -> PlainDocument | None:
    """The document of this text, sentences numbered after ``number``; its first line is ``line`` of the file."""
    if any(space in text for space in ODD_SPACES[: ODD_IN_ASCII if text.isascii() else None]):
        return None
    blocks: list[tuple[int, int, list[str]]] = []  # the first line, how many comments, all lines
    words: list[str] = []
    for block in text.split("\n\n"):
        lines = block.strip("\n").split("\n")
        comments = 0
        while comments < len(lines) and lines[comments][:1] == "#":
            comments += 1
        if own := lines[comments:] if lines[-1] else []:
            blocks.append((line + (block[:1] == "\n"), comments, lines))
            words += own
        line += block.count("\n") + 2
    cells = _cells(words)
    if cells is None:
        return None
    sentences: list[UASentence] = []
    places: list[int] = []
    numbers: list[int] = []
    forms = [row[1] for row in cells]
    for first, comments, lines in blocks:
        number += 1
        size = len(lines) - comments
        if size > LONGEST:
            return None
        own_words = NumberedWords(forms[len(places) : len(places) + size])
        sentences.append(tuple.__new__(UASentence, (sent_id(lines[:comments]), number, first, own_words, [], lines)))
        places += word_positions(number, size)
        numbers += range(first + comments, first + len(lines))
    return PlainDocument(tuple(sentences), places, numbers, cells)


def _cells(lines: list[str]) -> list[Cells] | None:
    """The cells of lines of words; None if some line is none, or is cut otherwise at tabs than at white space."""
    text = "\n".join(["", *lines, ""])
    if "\t" not in text:
        cells = [line.split() for line in lines]
    elif any(odd in text for odd in (" ", "\t\t", "\t\n", "\n\t")):
        return None
    else:
        cells = [line.split("\t") for line in lines]
    if not cells or min(map(len, cells)) <= DEIXIS:
        return None
    names = [row[0] for row in cells]
    return cells if "".join(names).isdigit() and max(map(len, names)) <= DIGITS else None


class Plain(NamedTuple):
    """A column that everybody reads alike, and BRIDGING of it."""

    annotated: AnnotatedColumn
    alike: bool
    """Whether UA scorer 1.0 makes the same of it: it reads members in the order of their brackets, one anchor of an
    anaphor, and knows one spelling of what does not refer."""


def plain_column(document: PlainDocument, column: int, *, bridging: bool) -> Plain | None:
    """What a column says, and BRIDGING if that is wanted; None if it takes the long way to know."""
    found = _markables(document, column)
    links = _links(document) if bridging else []
    if found is None or links is None:
        return None
    mentions, entity_of, elements = found
    annotated = AnnotatedColumn(mentions, entity_of, elements, links)
    plurals = {plural: [entity_of[id_] for id_ in ids] for plural, ids in elements.items()}
    if find_cycle(plurals):
        return None
    ends = [(link["markableid"], link["mentionanchor"]) for link, _ in links]
    one_anchor = len(dict(ends)) == len(ends) and all(id_ in mentions for pair in ends for id_ in pair)
    members = annotated.members()
    in_order = all(opened == sorted(opened, key=mention_order) for opened in members.values() if len(opened) > 1)
    return Plain(annotated, one_anchor and in_order and not any(id_.endswith(UNKNOWN) for id_ in members))


Found = tuple[dict[str, Mention], dict[str, str], dict[str, dict[str, int]]]
"""As in ``AnnotatedColumn``: mentions, entities of markables, elements of plurals."""


def _markables(document: PlainDocument, column: int) -> Found | None:
    """The markables of a column, of which each is opened and closed once; None if that is not so."""
    made: dict[str, Mention | None] = {}
    entity_of: dict[str, str] = {}
    elements: dict[str, dict[str, int]] = {}
    waiting: list[tuple[str, int, str | None]] = []  # what is open: id, first line, and Min
    for index, cell in [(index, row[column]) for index, row in enumerate(document.cells) if row[column] != "_"]:
        closings, *openings = cell.split("(")
        if len(closings) > len(waiting) or closings.strip(")"):
            return None
        for _ in closings:
            id_, first, minimum = waiting.pop()
            made[id_] = _mention(document.places, first, index, minimum)
        for opening in openings:
            text = opening.removesuffix(")")
            named = _fields(text, SPELLED)
            id_, entity = named.get("MarkableID", ""), named.get("EntityID", "")
            if not (id_ and entity) or id_ in entity_of:
                return None
            entity_of[id_] = entity
            minimum = named.get("Min")
            if text == opening:
                waiting.append((id_, index, minimum))
            else:
                made[id_] = _mention(document.places, index, index, minimum)
            if "ElementOf" in named:
                for plural in named["ElementOf"].split(","):
                    elements.setdefault(plural, {}).setdefault(id_, document.lines[index])
    mentions = {id_: mention for id_ in entity_of if (mention := made.get(id_))}
    if len(mentions) < len(entity_of) or not elements.keys().isdisjoint(EMPTY):
        return None
    return mentions, entity_of, elements


def _mention(places: list[int], first: int, last: int, minimum: str | None) -> Mention | None:
    """The words from one line to another; None if its Min is not inside of it, or none."""
    start, stop = places[first], places[last]
    head = start
    words: tuple[int, ...] = ()
    if minimum is not None:
        begin, comma, end = minimum.partition(",")
        if not (_is_number(begin) and (not comma or _is_number(end))):
            return None
        low, high = int(begin) - 1, int(end or begin) - 1
        if not first <= low <= high <= last:
            return None
        words = tuple(places[low : high + 1])
        head = words[0]
    if stop - start == last - first << WORD_SHIFT:
        return unbroken(start, stop, head, words)
    positions = places[first : last + 1]
    return MentionWithMinimum(positions, head, (), words) if words else Mention(positions, head)


def _is_number(text: str) -> bool:
    return text.isdigit() and text.isascii() and len(text) <= DIGITS


def _links(document: PlainDocument) -> list[tuple[Fields, int]] | None:
    """The bridging links of a document; None if some are written in another way."""
    links: list[tuple[Fields, int]] = []
    for index, cell in [(index, row[BRIDGING]) for index, row in enumerate(document.cells) if row[BRIDGING] != "_"]:
        before, *parts = cell.split("(")
        for part in parts:
            named = _fields(part.removesuffix(")"), LINKED)
            if before or not (part[-1:] == ")" and named.get("MarkableID") and named.get("MentionAnchor")):
                return None
            links.append(
                ({name: named[field] for name, field in LINKED.items() if field in named}, document.lines[index])
            )
        if not parts:
            return None
    return links


def _fields(text: str, spelled: dict[str, str]) -> dict[str, str]:
    """The fields of a bracket; none if one that means something is spelled in another way, or if it is no field."""
    if ")" in text or SEPARATOR in text:
        return {}
    try:
        named = dict([item.split("=", 1) for item in text.split("|")])
    except ValueError:
        return {}
    if not named.keys() <= USUAL and any(spelled.get(meaning(name), name) != name for name in named):
        return {}
    return named
