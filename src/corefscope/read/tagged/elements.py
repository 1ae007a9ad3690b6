"""``<e1>Ann</e1> met``: tags by name, with attributes, in other cases, and what else models make of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .events import Close, Event, Open, Unreadable
from .lexing import IsText, tags_of, woven

_VALUE = r"\s*=\s*[\"'“”„‟‘’«»]?\s*#?(\w+(?:-\w+)*)"
_ENTITY = re.compile(rf"(?i:\b(?:entity|cluster|chain|coref|group|eid)(?:_?id)?){_VALUE}")
_ID = re.compile(rf"(?i:\b(?:id|ref|no|num|number|n|class|name)){_VALUE}")
_DIGIT = re.compile(r"[0-9]")
_MARKUP = re.compile(
    r"(?i:[bipsuq]|em|br|li|[ou]l|t[dr]|div|span|strong|html|body|root|xml|pre|code|doc|input|final|mark|quote"
    r"|\w*(?:text|answer|output|document|response|result|sentence|paragraph|passage|coref|annot|tag)\w*)"
)
"""What stands around texts and in web pages."""


def elements(text: str, pattern: str, is_text: IsText | None = None) -> Iterator[Event]:
    """The events of tags whose names, or attributes, say whose mention it is.

    - ``<e1 type="x">`` is e1, ``<entity id="3">`` is 3: the name if it has a digit, or else an attribute.
    - A tag that closes goes to the last open one of its name, in whatever case; ``</>`` to the last of all.
    - An opening tag of a name that is open, glued to a word before it and to none behind it, closes it.
    - Where most names have digits, ``<p>`` and the like, without attributes, are other markup: marks without id.
    """
    found = tags_of(text, pattern, is_text)
    return woven(text, zip(found, _events(text, found), strict=True))


def _events(text: str, found: list[re.Match[str]]) -> Iterator[Event]:
    numbered = 2 * sum(1 for mark in found if _DIGIT.search(mark[0])) >= len(found)
    opened = _Opened()
    for mark, ends_words in zip(found, _behind_words(text, found), strict=True):
        at = mark.start()
        if mark["bad"] is not None:
            yield Unreadable(mark[0], at)
            continue
        closes = mark["open"] is None
        name = mark["close"] if closes else mark["open"]
        id_ = opened.closed(name) if closes or ends_words else None
        if id_ is None and not closes:
            id_ = _id(name, mark["attributes"] or "", numbered)
            opened.add(name, id_)
            yield Open(id_, at)
        else:
            yield Close(_id(name, "", numbered) if id_ is None else id_, at)


class _Opened:
    """The ids of open elements, by name and in order."""

    def __init__(self) -> None:
        self._by_name: dict[str, list[int]] = {}
        self._ids: dict[int, str] = {}
        self._numbers = 0

    def add(self, name: str, id_: str) -> None:
        """One is opened."""
        self._by_name.setdefault(name.casefold(), []).append(self._numbers)
        self._ids[self._numbers] = id_
        self._numbers += 1

    def closed(self, name: str) -> str | None:
        """The id of the last one of this name, or of all if there is no name, which is open no more."""
        if not name and self._ids:
            return self._ids.popitem()[1]
        numbers = self._by_name.get(name.casefold(), [])
        while numbers:
            if (id_ := self._ids.pop(numbers.pop(), None)) is not None:
                return id_
        return None


def _behind_words(text: str, found: list[re.Match[str]]) -> list[bool]:
    """Whether each tag, and those that are glued to it, is glued to a word before it and to none behind it."""
    answers: list[bool] = []
    for number, mark in enumerate(found):
        if number + 1 == len(found) or found[number + 1].start() > mark.end():
            first = found[len(answers)].start()
            before, behind = text[first - 1 : first], text[mark.end() : mark.end() + 1]
            answer = before.isalnum() and (not behind.strip() or behind in ".,;:!?)")
            answers += [answer] * (number + 1 - len(answers))
    return answers


def _id(name: str, attributes: str, numbered: bool) -> str:
    """Whose mention a tag opens; nothing if it does not say."""
    if attributes and (entity := _ENTITY.search(attributes)):
        return entity[1]
    if _DIGIT.search(name):
        return name
    if attributes and (id_ := _ID.search(attributes)):
        return id_[1]
    return "" if numbered and _MARKUP.fullmatch(name) else name
