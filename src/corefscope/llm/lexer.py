"""Lexer of printed text: words, zeros, and tags in pairs.

The lexers of all styles yield the same events in one pass over the text. ``is_text`` tells them which matches are
words of the text although they look like tags. A style describes its tags by a regular expression with named groups:
``open`` and ``close`` hold the id (empty if the tag has none), ``last`` an id that belongs to what was opened last,
``bad`` a tag that is cut off. ``at`` is always an offset in the text of the document, for messages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

ID = r"\w+(?:-\w+)*"
ZERO = "##"
_REASONING = re.compile(
    r"(?s)\A(?:(?!<think(?:ing)?>).)*?</think(?:ing)?>|<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)|</think(?:ing)?>"
)
"""Reasoning between tags; a closing tag that comes first ends reasoning that began in the prompt."""
_FENCE = re.compile(r"[^\S\n]*(?:`{3,}|~{3,})")
_INFO = re.compile(r"[\w+#.-]*\s*")


def clean(text: str) -> str:
    r"""Remove reasoning and code fences; lines keep their numbers.

    >>> clean("<think>e1?</think>\n```text\nAnn|[e1]\n```")
    '\n\nAnn|[e1]\n'
    """
    if "</think" in text or "<think" in text:
        text = _REASONING.sub(lambda reasoning: "\n" * reasoning[0].count("\n"), text)
    return "\n".join(map(without_fence, text.split("\n")))


def without_fence(line: str) -> str:
    """Remove the fence that a line begins or ends with, and the whole line if it holds nothing else."""
    if "```" not in line and "~~~" not in line:
        return line
    if fence := _FENCE.match(line):
        line = line[fence.end() :]
        if _INFO.fullmatch(line):
            return ""
    end = line.rstrip()
    bare = end.rstrip(end[-1:]) if end[-1:] in ("`", "~") else end
    return bare if len(end) - len(bare) >= 3 else line


class Word(NamedTuple):
    """A word as it was printed."""

    form: str
    at: int


class Zero(NamedTuple):
    """An empty node, printed as ``##`` and its form if it has one."""

    form: str
    at: int


class Open(NamedTuple):
    """A tag that opens a mention before the next word or zero; if it has no id, the closing tag has one."""

    id: str
    at: int


class Close(NamedTuple):
    """A tag that closes the mention of this id that was opened last, after the last word or zero."""

    id: str
    at: int
    innermost: bool = False
    """Whether it closes the mention that was opened last without an id, and gives it this id."""


class Unreadable(NamedTuple):
    """A tag that is cut off or mangled."""

    text: str
    at: int


Event = Word | Zero | Open | Close | Unreadable

_ITEM = re.compile(r"\S+")
_TAG = rf"\[{ID}\]?|{ID}\]"
BARS = (
    rf"\|(?:(?P<tags>(?:{_TAG})(?:[,|]*(?:{_TAG}))*)(?P<rest>,?[\[\]][\[\],|]*)?|(?P<bad>[\[\]][\[\],|]*|e[0-9]+$))"
)
_BARRED = re.compile(rf"\S+(?:[^\S\n]+(?=\|(?:{_TAG}))\S+)*")
"""A word with its tags, also after a blank."""
_BAR_TAG = re.compile(_TAG)

IsText = Callable[["re.Match[str]"], bool]
"""Whether a match that looks like a tag is part of the text."""


def plain_items(text: str, start: int, stop: int) -> Iterator[Event]:
    """The words and zeros of a part of the text that has no tags."""
    for item in _ITEM.finditer(text, start, stop):
        yield _item(item[0], item.start())


def _item(form: str, at: int) -> Event:
    return Zero(form[len(ZERO) :], at) if form.startswith(ZERO) else Word(form, at)


def find_tags(text: str, pattern: str, is_text: IsText | None) -> list[re.Match[str]]:
    """The matches of tags that are not part of the text."""
    return [mark for mark in re.finditer(pattern, text) if is_text is None or not is_text(mark)]


def weave(text: str, tags: Iterable[tuple[re.Match[str], Event]]) -> Iterator[Event]:
    """Merge the events of tags with the words and zeros between them."""
    start = 0
    for mark, event in tags:
        yield from plain_items(text, start, mark.start())
        yield event
        start = mark.end()
    yield from plain_items(text, start, len(text))


def lex_bars(text: str, pattern: str, is_text: IsText | None = None) -> Iterator[Event]:
    """Lex ``Ann|[e1] met her|[e1],[e2 dog|e2]``: the tags of a word follow it, after a bar.

    Opening tags apply before the word and closing ones after it, in whatever order they are written. What follows the
    tags without a blank is another word. A blank before the bar does not matter, and words may contain bars.
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


def lex_marks(text: str, pattern: str, is_text: IsText | None = None) -> Iterator[Event]:
    """Lex ``<m> Ann | 0 </m> met`` or ``<m>Ann</m>#0 met``: no words look like these tags."""
    return weave(text, ((mark, _tag(mark)) for mark in find_tags(text, pattern, is_text)))


def lex_brackets(text: str, pattern: str, is_text: IsText | None = None) -> Iterator[Event]:
    """Lex ``[Ann](#cluster_0) met`` or ``[Ann: 1] met``: an opening bracket is a tag only if a tag closes it.

    A plain pair of brackets is text. A bracket that is never closed is a tag without id if it is attached to the next
    word, and text if it is followed by a blank.
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
    return weave(text, ((mark, _tag(mark)) for number, mark in enumerate(found) if number not in literal))


def _tag(mark: re.Match[str]) -> Event:
    """The event of a match, according to its group."""
    kind, at = mark.lastgroup, mark.start()
    if kind == "open":
        return Open(mark["open"], at)
    if kind == "bad":
        return Unreadable(mark[0], at)
    id_ = mark[kind or 0]
    return Close(id_, at, innermost=kind == "last" or not id_)


_VALUE = r"\s*=\s*[\"'“”„‟‘’«»]?\s*#?(\w+(?:-\w+)*)"
_ENTITY = re.compile(rf"(?i:\b(?:entity|cluster|chain|coref|group|eid)(?:_?id)?){_VALUE}")
_OTHER_ID = re.compile(rf"(?i:\b(?:id|ref|no|num|number|n|class|name)){_VALUE}")
_DIGIT = re.compile(r"[0-9]")
_MARKUP = re.compile(
    r"(?i:[bipsuq]|em|br|li|[ou]l|t[dr]|div|span|strong|html|body|root|xml|pre|code|doc|input|final|mark|quote"
    r"|\w*(?:text|answer|output|document|response|result|sentence|paragraph|passage|coref|annot|tag)\w*)"
)
"""Names of tags around texts and in web pages."""


def lex_elements(text: str, pattern: str, is_text: IsText | None = None) -> Iterator[Event]:
    """Lex ``<e1>Ann</e1> met``: tags whose names, or attributes, are the ids of entities.

    - ``<e1 type="x">`` is e1, ``<entity id="3">`` is 3: the name if it has a digit, or else an attribute.
    - A closing tag closes the last open one of its name, in whatever case; ``</>`` closes the last of all.
    - An opening tag of a name that is open, attached to the word before it and to none after it, closes it.
    - Where most names have digits, ``<p>`` and the like, without attributes, are other markup: tags without id.
    """
    found = find_tags(text, pattern, is_text)
    return weave(text, zip(found, _events(text, found), strict=True))


def _events(text: str, found: list[re.Match[str]]) -> Iterator[Event]:
    numbered = 2 * sum(1 for mark in found if _DIGIT.search(mark[0])) >= len(found)
    ids: dict[int, str] = {}
    """Ids of open elements, in order."""
    by_name: dict[str, list[int]] = {}
    """Their numbers by name, some of them closed already."""

    def close(name: str) -> str | None:
        """Close the last element of this name, or of all if the name is empty, and return its id."""
        if not name and ids:
            return ids.popitem()[1]
        numbers = by_name.get(name.casefold(), [])
        while numbers:
            if (id_ := ids.pop(numbers.pop(), None)) is not None:
                return id_
        return None

    for number, (mark, ends_words) in enumerate(zip(found, _behind_words(text, found), strict=True)):
        at = mark.start()
        if mark["bad"] is not None:
            yield Unreadable(mark[0], at)
            continue
        closes = mark["open"] is None
        name = mark["close"] if closes else mark["open"]
        id_ = close(name) if closes or ends_words else None
        if id_ is None and not closes:
            ids[number] = id_ = _id(name, mark["attributes"] or "", numbered)
            by_name.setdefault(name.casefold(), []).append(number)
            yield Open(id_, at)
        else:
            yield Close(_id(name, "", numbered) if id_ is None else id_, at)


def _behind_words(text: str, found: list[re.Match[str]]) -> list[bool]:
    """Whether each tag, with the tags attached to it, is attached to a word before it and to none after it."""
    answers: list[bool] = []
    for number, mark in enumerate(found):
        if number + 1 == len(found) or found[number + 1].start() > mark.end():
            first = found[len(answers)].start()
            before, behind = text[first - 1 : first], text[mark.end() : mark.end() + 1]
            answer = before.isalnum() and (not behind.strip() or behind in ".,;:!?)")
            answers += [answer] * (number + 1 - len(answers))
    return answers


def _id(name: str, attributes: str, numbered: bool) -> str:
    """Id of the entity of an opening tag; empty if the tag has none."""
    if attributes and (entity := _ENTITY.search(attributes)):
        return entity[1]
    if _DIGIT.search(name):
        return name
    if attributes and (id_ := _OTHER_ID.search(attributes)):
        return id_[1]
    return "" if numbered and _MARKUP.fullmatch(name) else name


class TaggedSpan(NamedTuple):
    """A mention as tagged: numbers of its first and last item (word or zero), None where a tag is missing."""

    id: str
    opens: int | None
    closes: int | None
    at: int
    """Offset of its first tag."""

    @property
    def tags(self) -> int:
        """Number of its tags."""
        return (self.opens is not None) + (self.closes is not None)


class LexedText(NamedTuple):
    """Items and mentions of a document, and offsets of unreadable tags."""

    items: list[Word | Zero]
    spans: list[TaggedSpan]
    unreadable: list[int]
    notes: tuple[str, ...] = ()
    """Messages about repairs."""
    text: str = ""
    """The text that offsets refer to, if it is not the printed text; it has the same lines."""

    @property
    def words(self) -> list[str]:
        """Forms of its words."""
        return [item.form for item in self.items if isinstance(item, Word)]

    @property
    def tags(self) -> int:
        """Number of tags, unreadable ones included."""
        return sum(span.tags for span in self.spans) + len(self.unreadable)


def pair_tags(events: Iterable[Event]) -> LexedText:
    """Pair opening and closing tags: per entity, what was opened last is closed first; mentions may cross.

    Ids that end in a digit are compared without case: ``e1``, ``E1``.
    """
    items: list[Word | Zero] = []
    spans: list[TaggedSpan] = []
    unreadable: list[int] = []
    opened: dict[str, list[tuple[int, int]]] = {}
    spelt: dict[str, str] = {}
    for event in events:
        if isinstance(event, Word | Zero):
            items.append(event)
            continue
        if isinstance(event, Unreadable):
            unreadable.append(event.at)
            continue
        id_ = event.id
        if id_[-1:].isdigit():
            id_ = spelt.setdefault(id_.casefold(), id_)
        if isinstance(event, Open):
            opened.setdefault(id_, []).append((len(items), event.at))
        elif stack := opened.get("" if event.innermost else id_):
            start, at = stack.pop()
            spans.append(TaggedSpan(id_, start, len(items) - 1, at))
        else:
            spans.append(TaggedSpan(id_, None, len(items) - 1, event.at))
    spans += [TaggedSpan(id_, start, None, at) for id_, stack in opened.items() for start, at in stack]
    return LexedText(items, sorted(spans, key=lambda span: span.at), unreadable)
