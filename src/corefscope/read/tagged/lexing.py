r"""Text as events: ways to find tags, which the styles share.

All of them run over the text once, and may be told of what looks like a tag that it is text. A style says in a
regular expression what its tags look like, with these groups: ``open`` and ``close`` hold the id (or nothing, if it
is not told there), ``last`` an id that goes to what was opened last, ``bad`` a tag that was cut off.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from .events import Close, Event, Open, Unreadable, Word, Zero
from .spelling import ID

ZERO = "##"
_ITEM = re.compile(r"\S+")
_TAG = rf"\[{ID}\]?|{ID}\]"
BARS = (
    rf"\|(?:(?P<tags>(?:{_TAG})(?:[,|]*(?:{_TAG}))*)(?P<rest>,?[\[\]][\[\],|]*)?|(?P<bad>[\[\]][\[\],|]*|e[0-9]+$))"
)
_BARRED = re.compile(rf"\S+(?:[^\S\n]+(?=\|(?:{_TAG}))\S+)*")
"""A word with its tags, also where a blank came between them."""
_BAR_TAG = re.compile(_TAG)

IsText = Callable[["re.Match[str]"], bool]
"""Whether what looks like a tag is part of the text."""


def items(text: str, start: int, stop: int) -> Iterator[Event]:
    """The words and zeros of a stretch of text without tags."""
    for item in _ITEM.finditer(text, start, stop):
        yield _item(item[0], item.start())


def _item(form: str, at: int) -> Event:
    return Zero(form[len(ZERO) :], at) if form.startswith(ZERO) else Word(form, at)


def tags_of(text: str, pattern: str, is_text: IsText | None) -> list[re.Match[str]]:
    """What looks like tags and is not part of the text."""
    return [mark for mark in re.finditer(pattern, text) if is_text is None or not is_text(mark)]


def woven(text: str, tags: Iterable[tuple[re.Match[str], Event]]) -> Iterator[Event]:
    """The events of tags, with the words and zeros that stand between them."""
    start = 0
    for mark, event in tags:
        yield from items(text, start, mark.start())
        yield event
        start = mark.end()
    yield from items(text, start, len(text))


def bars(text: str, pattern: str, is_text: IsText | None = None) -> Iterator[Event]:
    """``Ann|[e1] met her|[e1],[e2 dog|e2]``: the tags of a word stand behind it, and behind a bar.

    Openings stand before the word, closings behind it, in whatever order they are written. What follows the tags
    without a blank is a word of its own. Only what looks like tags is tags: words may hold bars. A blank before
    the bar does not matter.
    """
    found_in = re.compile(pattern).finditer
    for item in _BARRED.finditer(text):
        if "|" not in item[0]:
            yield _item(item[0], item.start())
            continue
        start, stop = item.span()
        for tags in found_in(text, start, stop):
            if is_text and is_text(tags):
                continue
            found = list(_BAR_TAG.finditer(text, *tags.span("tags"))) if tags["tags"] else []
            for tag in found:
                if tag[0][0] == "[":
                    yield Open(tag[0].strip("[]"), tag.start())
            if word := text[start : tags.start()].rstrip():
                yield _item(word, start)
            for tag in found:
                if tag[0][-1] == "]":
                    yield Close(tag[0].strip("[]"), tag.start())
            if bad := tags["rest"] or tags["bad"]:
                yield Unreadable(bad, tags.end() - len(bad))
            start = tags.end()
        if start < stop:
            yield _item(text[start:stop], start)


def marks(text: str, pattern: str, is_text: IsText | None = None) -> Iterator[Event]:
    """``<m> Ann | 0 </m> met``, ``<m>Ann</m>#0 met``: tags that no words of a text look like."""
    return woven(text, ((mark, _tag(mark)) for mark in tags_of(text, pattern, is_text)))


def brackets(text: str, pattern: str, is_text: IsText | None = None) -> Iterator[Event]:
    """``[Ann](#cluster_0) met``, ``[Ann: 1] met``: a bracket that opens is a tag only if a tag closes it.

    A plain pair of brackets is text, and so is one that opens, stands alone and is never closed; one that is glued to
    the next word and never closed is a tag that does not say whose mention it opens.
    """
    found = list(re.finditer(pattern, text))
    opened: list[int] = []
    literal: set[int] = set()
    for number, mark in enumerate(found):
        if mark["open"] is not None:
            opened.append(number)
        elif mark["plain"] is not None or (is_text and is_text(mark)):
            literal.add(number)
            if opened:
                literal.add(opened.pop())
        elif mark["last"] is not None and opened:
            opened.pop()
    literal.update(number for number in opened if not text[(end := found[number].end()) : end + 1].strip())
    return woven(text, ((mark, _tag(mark)) for number, mark in enumerate(found) if number not in literal))


def _tag(mark: re.Match[str]) -> Event:
    """The event of a match, by its group."""
    kind, at = mark.lastgroup, mark.start()
    if kind == "open":
        return Open(mark["open"], at)
    if kind == "bad":
        return Unreadable(mark[0], at)
    id_ = mark[kind or 0]
    return Close(id_, at, innermost=kind == "last" or not id_)
