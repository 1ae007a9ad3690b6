"""Fast reading of plain CoNLL-UA documents: the same sentences and entities as the general reader, or None.

Nearly all documents are plain: words only, and one spelling of cells. All lines are split at once, only annotated
cells are parsed, and UA scorer 1.0 mostly reads the same, so that one reading is enough. Documents with zeros, other
spellings, discontinuous markables or faults are left to the general reader.
"""

from __future__ import annotations

from typing import NamedTuple

from ...core.document import Mention, MentionWithMinimum, mention_order, unbroken
from ...core.positions import LONGEST, WORD_SHIFT, word_positions
from ..corefud.sentences import sent_id
from ..relations import find_cycle
from ..sentences import NumberedWords
from .lines import Cells, Row, UASentence
from .markables import EMPTY, SEPARATOR, AnnotatedColumn, Fields, meaning

IDENTITY, BRIDGING, DEIXIS = 10, 11, 12
"""The columns that UA scorer 1.0 reads."""
DIGITS = 9
"""Maximum length of ids and word numbers."""
ODD_SPACES = tuple([chr(code) for code in (*range(0x0B, 0x0E), *range(0x1C, 0x20), 0x85, 0xA0, 0x1680)]) + tuple(
    [chr(code) for code in (*range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000)]
)
"""White space besides blanks, tabs and line feeds."""
ODD_IN_ASCII = 7
UNKNOWN = "_Pseudo"
"""Suffix of non-referring entities that UA scorer 1.0 does not know."""
SPELLED = {"markableid": "MarkableID", "entityid": "EntityID", "min": "Min", "elementof": "ElementOf"}
LINKED = {"markableid": "MarkableID", "mentionanchor": "MentionAnchor", "entityanchor": "EntityAnchor", "rel": "Rel"}
"""The usual spelling of each field that is read, in IDENTITY and in BRIDGING."""
USUAL = {*SPELLED.values(), *LINKED.values(), "SemType"}


class PlainDocument(NamedTuple):
    """The sentences of a document, and its columns."""

    sentences: tuple[UASentence, ...]
    rows: list[Row]
    """Position, line in the file and cells of each word."""
    identity: AnnotatedColumn
    deixis: AnnotatedColumn
    alike: bool
    """Whether UA scorer 1.0 reads the same. It reads members in the order of their brackets and one anchor of an
    anaphor, and knows only one suffix of non-referring entities."""


def read_plain(text: str, number: int, line: int) -> PlainDocument | None:
    """The document of this text, sentences numbered after ``number``; its first line is ``line`` of the file."""
    if any(space in text for space in ODD_SPACES[: ODD_IN_ASCII if text.isascii() else None]):
        return None
    blocks: list[tuple[int, int, list[str]]] = []  # the first line, the number of comments, all lines
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
    rows: list[Row] = []
    for first, comments, lines in blocks:
        number += 1
        size = len(lines) - comments
        if size > LONGEST:
            return None
        own_cells = cells[len(rows) : len(rows) + size]
        forms = NumberedWords([row[1] for row in own_cells])
        sentences.append(UASentence(sent_id(lines[:comments]), number, first, forms, [], lines))
        rows += zip(word_positions(number, size), range(first + comments, first + len(lines)), own_cells, strict=True)
    identity, deixis = _column(rows, IDENTITY), _column(rows, DEIXIS)
    links = _links(rows)
    if identity is None or deixis is None or links is None:
        return None
    identity = identity._replace(links=links)
    ends = [(link["markableid"], link["mentionanchor"]) for link, _ in links]
    one_anchor = len(dict(ends)) == len(ends) and all(id_ in identity.mentions for pair in ends for id_ in pair)
    members = [*identity.members().items(), *deixis.members().items()]
    in_order = all(opened == sorted(opened, key=mention_order) for _, opened in members if len(opened) > 1)
    alike = one_anchor and in_order and not any(id_.endswith(UNKNOWN) for id_, _ in members)
    return PlainDocument(tuple(sentences), rows, identity, deixis, alike)


def _cells(lines: list[str]) -> list[Cells] | None:
    """The cells of lines of words; None if a line is not of a word, or tabs and white space split it differently."""
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


def _column(rows: list[Row], column: int) -> AnnotatedColumn | None:
    """The markables of a column if each is opened and closed once, without links; None if that is not so."""
    places = [place for place, _, _ in rows]
    closed: dict[str, Mention | None] = {}
    entity_of: dict[str, str] = {}
    elements: dict[str, dict[str, int]] = {}
    waiting: list[tuple[str, int, str | None]] = []  # open markables: id, first word, and Min
    for index, cell in [(index, cells[column]) for index, (_, _, cells) in enumerate(rows) if cells[column] != "_"]:
        closings, *openings = cell.split("(")
        if len(closings) > len(waiting) or closings.strip(")"):
            return None
        for _ in closings:
            id_, first, minimum = waiting.pop()
            closed[id_] = _mention(places, first, index, minimum)
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
                closed[id_] = _mention(places, index, index, minimum)
            if "ElementOf" in named:
                for plural in named["ElementOf"].split(","):
                    elements.setdefault(plural, {}).setdefault(id_, rows[index][1])
    mentions = {id_: mention for id_ in entity_of if (mention := closed.get(id_))}
    if len(mentions) < len(entity_of) or not elements.keys().isdisjoint(EMPTY):
        return None
    if find_cycle({plural: [entity_of[id_] for id_ in ids] for plural, ids in elements.items()}):
        return None
    return AnnotatedColumn(mentions, entity_of, elements, [])


def _mention(places: list[int], first: int, last: int, minimum: str | None) -> Mention | None:
    """The mention from one word to another; None if Min is faulty or outside it."""
    start, stop = places[first], places[last]
    head = start
    words: tuple[int, ...] = ()
    if minimum is not None:
        begin, comma, end = minimum.partition(",")
        if not all(text.isdigit() and text.isascii() and len(text) <= DIGITS for text in (begin, end or begin)):
            return None
        if comma and not end:
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


def _links(rows: list[Row]) -> list[tuple[Fields, int]] | None:
    """The bridging links of a document; None if some have another spelling."""
    links: list[tuple[Fields, int]] = []
    for line, cell in [(line, cells[BRIDGING]) for _, line, cells in rows if cells[BRIDGING] != "_"]:
        before, *parts = cell.split("(")
        for part in parts:
            named = _fields(part.removesuffix(")"), LINKED)
            if before or not (part[-1:] == ")" and named.get("MarkableID") and named.get("MentionAnchor")):
                return None
            links.append(({name: named[field] for name, field in LINKED.items() if field in named}, line))
        if not parts:
            return None
    return links


def _fields(text: str, spelled: dict[str, str]) -> dict[str, str]:
    """The fields of a bracket; none if one has another spelling, or is not a field."""
    if ")" in text or SEPARATOR in text:
        return {}
    try:
        named = dict([item.split("=", 1) for item in text.split("|")])
    except ValueError:
        return {}
    if not named.keys() <= USUAL and any(spelled.get(meaning(name), name) != name for name in named):
        return {}
    return named
