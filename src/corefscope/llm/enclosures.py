"""Mentions enclosed in brackets, braces, parentheses or emphasis, with the id of the entity at one of four places.

Chat models mark mentions in many ways: ``[Ann]_1``, ``[Ann](1)``, ``{Ann|1}``, ``[1: Ann]``, ``**Ann** (1)``. All
of them are an *enclosure* and a *place* of the id. A style is a combination of the two; how the id is written at its
place (below, above, in parentheses, after a colon) may vary from tag to tag.

========  ==========================================  =====================================================
place     example                                     also
========  ==========================================  =====================================================
behind    ``[Ann]_1``                                 ``]1``, ``](1)``, ``] [1]``, ``]^1``, ``]₁``, ``]#1``
last      ``[Ann|1]``                                 ``: 1]``, ``/1]``, `` (1)]``, ``_1]``, `` 1]``
first     ``[1 Ann]``                                 ``[1: ``, ``[(1) ``, ``[E1 ``, ``[Entity 1: ``
before    ``1[Ann]``                                  ``(1)[``, ``E1[``, ``₁[``, ``[1](Ann)``
========  ==========================================  =====================================================

An id has a digit, with or without a name (``1``, ``e1``, ``Entity_1``, ``PERSON_1``), or is a single letter; after
``_`` and ``^`` it is any word. Labels such as ``Entity`` and ``id:`` are not part of it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from .lexer import Close, Event, IsText, Open, weave

BLANKS = r"[^\S\n]{0,3}"
BLANK = r"[^\S\n]{1,3}"
_SMALL = "[₀-₉⁰¹²³⁴-⁹]{1,6}"
"""Digits below or above the line."""
_NAMED = r"(?:\#?(?:[A-Za-z]{1,20}[ _.:=,\#-]{0,3}){0,2}[0-9]{1,6}(?:[,:;/|][^\S\n]?[A-Za-z]{1,20})?|[A-Za-z])"
"""An id where signs around it leave no doubt, also with a label or a type: ``Entity 1``, ``id: 1``, ``1, PERSON``."""
_SHORT = r"\#?(?:[A-Za-z]{1,12}_?)?[0-9]{1,6}"
"""An id that is attached to other characters."""
_QUOTED = rf"(?:\({BLANKS}{_NAMED}{BLANKS}\)|\[{BLANKS}{_NAMED}{BLANKS}\]|\{{{BLANKS}{_NAMED}{BLANKS}\}}|<{_SHORT}>)"
_RAISED = rf"(?:{_SMALL}|<su[bp]>{_NAMED}</su[bp]>|\$[_^](?:\{{{_NAMED}\}}|\w{{1,20}})\$)"
_INDEX = rf"[_^](?:\{{{BLANKS}\w{{1,20}}{BLANKS}\}}|{_QUOTED}|\w{{1,20}})"
_DIGIT_INDEX = r"[_^](?:\{[A-Za-z]?[0-9]{1,6}\}|[A-Za-z]?[0-9]{1,6})"
_LABEL = r"(?i:entity|cluster|chain|person|group|mention|ent|id)"
_SEPARATED = rf"\#?(?:[A-Z]{{2,12}}_|{_LABEL}[ _]?|[A-Za-z]{{1,2}})?[0-9]{{1,6}}"
"""An id that only a blank separates from words."""
_SIGN = r"(?:->|=>|::|\#(?!\#)|[|:;/@=,~→–-])"

PLACES: dict[str, str] = {
    "behind": rf"(?:{_INDEX}|{_RAISED}|[^\S\n]?{_QUOTED}|[#:/|@=~→-]{_SHORT}(?!\w)|{_SHORT}(?![\w.]\w))",
    "last": rf"(?<![\[({{<])(?:{BLANKS}(?:{_SIGN}{BLANKS}{_NAMED}|{_QUOTED})|{_DIGIT_INDEX}|{BLANKS}{_RAISED}"
    rf"|{BLANK}{_SEPARATED}){BLANKS}",
    "first": rf"{BLANKS}(?:{_QUOTED}[:.]?{BLANKS}|{_INDEX}{BLANK}|{_RAISED}{BLANKS}"
    rf"|{_NAMED}{BLANKS}(?:{_SIGN}|\.){BLANKS}|(?:{_LABEL}[ _])?{_SHORT}{BLANK})(?=\S)",
    "before": rf"(?:{_QUOTED}[:_^]?[^\S\n]?|{_RAISED}|(?<![\w.]){_SHORT}[:_^]?)",
}
"""Where the id is, and regular expressions of how it may be written there."""
_MARKS = r"\*\*|__|==|\*|`"
_HTML = "(?:b|strong|i|em|u|mark)"
_BEFORE_WORD, _AFTER_WORD = r"(?<![^\s(\[{>*_`=\"“])", r"(?<=[^\s*`=])"
"""Surroundings of marks that look the same at both ends."""
_MARK_OPENS = rf"{_MARKS}|(?<![^\s(\"“])_(?=\w)|<{_HTML}>"
_MARK_CLOSES = rf"{_MARKS}|(?<=\w)_(?!\w)|</{_HTML}>"


class Enclosure(NamedTuple):
    """Signs around a mention: regular expressions of both ends, and their spelling."""

    name: str
    title: str
    opening: str
    closing: str
    left: str
    right: str
    symmetric: bool = False
    """Whether both ends may look the same: then an opening one is followed, a closing one preceded by no blank."""


ENCLOSURES = (
    Enclosure("bracket", "brackets", r"\[", r"\]", "[", "]"),
    Enclosure("brace", "braces", r"\{", r"\}", "{", "}"),
    Enclosure("paren", "parentheses", r"\(", r"\)", "(", ")"),
    Enclosure("bold", "bold, italics or code", _MARK_OPENS, _MARK_CLOSES, "**", "**", True),
    Enclosure("angle", "angle brackets", "<(?!/)", ">", "<", ">"),
)
SPELLINGS = {
    "behind": ("{left}", "{right}_{id}"),
    "last": ("{left}", "|{id}{right}"),
    "first": ("{left}{id} ", "{right}"),
    "before": ("{id}{left}", "{right}"),
}
"""Spellings of tags, before and after a mention."""
_TITLES = {
    "behind": "the id is behind them: below, above, in brackets or in parentheses",
    "last": "the id is last in them",
    "first": "the id is first in them",
    "before": "the id is before them",
}


class EnclosedStyle(NamedTuple):
    """Parts of a style: what is different from one combination of enclosure and place to the next."""

    name: str
    title: str
    looks_like: str
    """Regular expression of the tags that have the id."""
    tags: str
    """Regular expression of all tags, with the groups ``open``, ``close`` and ``id``."""
    opening: str
    closing: str


def enclosed_styles() -> Iterator[EnclosedStyle]:
    """All combinations of enclosures and places."""
    for enclosure in ENCLOSURES:
        for place, spelling in SPELLINGS.items():
            written = [
                part.replace("{left}", _escaped(enclosure.left)).replace("{right}", _escaped(enclosure.right))
                for part in spelling
            ]
            if enclosure.symmetric and place == "behind":
                written[1] = f"{enclosure.right} ({{id}})"
            yield EnclosedStyle(
                enclosure.name if place == "behind" else f"{enclosure.name}-{place}",
                f"{enclosure.title}: {_TITLES[place].replace('them', 'it' if enclosure.symmetric else 'them')}",
                _with_id(enclosure, place, named=False),
                f"{_with_id(enclosure, place, named=True)}|{_without_id(enclosure)}",
                *written,
            )


def _escaped(text: str) -> str:
    """Braces as :meth:`str.format` wants them."""
    return text.replace("{", "{{").replace("}", "}}")


def _with_id(enclosure: Enclosure, place: str, *, named: bool) -> str:
    """Regular expression of the tag that has the id; ``named``: with groups."""
    end = "close" if place in ("behind", "last") else "open"
    sign = enclosure.closing if end == "close" else enclosure.opening
    if enclosure.symmetric:
        around = {"behind": _AFTER_WORD, "last": _AFTER_WORD, "first": _BEFORE_WORD, "before": ""}
        sign = f"{around[place]}(?:{sign})"
    after = {"before": r"(?=[^\s*])", "first": r"(?=\S)"}.get(place, "") if enclosure.symmetric else ""
    sign = f"(?P<{end}>{sign})" if named else f"(?:{sign})"
    id_ = f"(?P<id>{PLACES[place]})" if named else PLACES[place]
    return id_ + sign + after if place in ("last", "before") else sign + after + id_


def _without_id(enclosure: Enclosure) -> str:
    """Regular expression of the tag at the other end, and of enclosures that are no tags."""
    if not enclosure.symmetric:
        return rf"(?P<opens>{enclosure.opening})|(?P<closes>{enclosure.closing})"
    return (
        rf"(?P<opens>{_BEFORE_WORD}(?:{enclosure.opening})(?=\**[^\s*.,;:!?]))"
        rf"|(?P<closes>(?<=\S)(?:{enclosure.closing}))"
    )


def lex_enclosed(text: str, pattern: str, is_text: IsText | None = None) -> Iterator[Event]:
    """Lex ``[Ann]_1 met [[her]_1 dog]_2`` and the like: an enclosure is a tag only if it has an id.

    An enclosure without an id is text. One that is never closed, and one that was never opened, is a tag if it has an
    id.
    """
    found = list(re.finditer(pattern, text))
    events: dict[int, Event] = {}
    opened: dict[str, list[tuple[int, str]]] = {}
    """Numbers of the open enclosures, innermost last, and their ids; by kind."""
    for number, mark in enumerate(found):
        literal = is_text is not None and is_text(mark)
        id_ = "" if literal or mark["id"] is None else canonical_id(mark["id"])
        opening, closing = (_group(mark, name) or _group(mark, f"{name}s") for name in ("open", "close"))
        if opening:
            opened.setdefault(_kind(opening), []).append((number, id_))
            if id_:
                events[number] = Open(id_, mark.start())
            continue
        stack = opened.get(_kind(closing), [])
        start, first_id = stack.pop() if stack else (-1, "")
        if id_:
            if start >= 0:
                events[start] = Open(id_, found[start].start())
            events[number] = Close(id_, mark.start())
        elif first_id and not literal:
            events[number] = Close(first_id, mark.start())
    return weave(text, ((mark, events[number]) for number, mark in enumerate(found) if number in events))


def _group(mark: re.Match[str], name: str) -> str:
    return (mark[name] or "") if name in mark.re.groupindex else ""


def _kind(sign: str) -> str:
    """The sign that stands for both ends of an enclosure."""
    return {"]": "[", "}": "{", ")": "(", ">": "<"}.get(sign, sign.replace("/", ""))


_LABELS = re.compile(
    r"(?i:\A(?:(?:entity|cluster|chain|coref(?:erence)?|group|mention|referent|ref|ent|id|no|number)\b[ _.:=,#-]*"
    r"|(?:entity|cluster|chain|group|id)_))(?=[A-Za-z]*[ _]?[0-9])"
)
_TYPE = re.compile(r"(?<=[0-9])[,:;/|]\s?[A-Za-z]+\Z|\A[A-Za-z]+,\s*(?=[0-9])")
_NO_ID = re.compile(r"</?su[bp]>|\A[\W_]+|[\W_]+\Z")


def canonical_id(written: str) -> str:
    """The id of an entity, without the signs, the label and the type that may be written with it.

    >>> [canonical_id(id_) for id_ in ("_1", " (1)", "₁", "[Entity 1]", "^{e1}", "#PERSON_1", "(1, PERSON)")]
    ['1', '1', '1', '1', 'e1', 'PERSON_1', '1']
    """
    id_ = _NO_ID.sub("", unicodedata.normalize("NFKC", written))
    id_ = _NO_ID.sub("", id_)
    id_ = _TYPE.sub("", id_)
    while label := _LABELS.match(id_):
        id_ = id_[label.end() :]
    return re.sub(r"\W+", "_", id_.strip())
