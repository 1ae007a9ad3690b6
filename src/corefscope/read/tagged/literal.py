"""What looks like a tag and is a word of the text: the key tells.

A text may hold ``<b>`` or ``[see: 1]``. Where the key's words look like tags, what is printed like them is taken for
words first, and aligned. What stands for just these words of the key is text; all else is tags. Where the key has
signs of tags at all, near misses are taken for tags only if no words of the key are lost by that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from .aligning import aligned, keys_of
from .events import Word
from .spelling import spelt, undisguised
from .styles import Style, squeezed
from .tags import Lexed

_SIGN = re.compile(r"[][<>|［］＜＞｜]|&[lg]t;")


def lexed_over(style: Style, text: str, forms: Sequence[str]) -> Lexed:
    """The items and mentions of a document, printed in a style, over the words of the key."""
    text = _respelt(style, text, forms)
    known = _marks(style, forms)
    if not known:
        return style.lexed(text)._replace(text=text)

    def doubtful(mark: re.Match[str]) -> bool:
        return squeezed(mark[0]) in known

    first = style.lexed(text, is_text=doubtful)
    marks = [mark.span() for mark in re.finditer(style.tags, text) if doubtful(mark)]
    literal = _literal(style, text, marks, first, forms) if marks else set()
    if len(literal) == len(marks):
        return first._replace(text=text)
    return style.lexed(text, is_text=lambda mark: mark.start() in literal)._replace(text=text)


def may_look_like_tags(words: Sequence[str]) -> bool:
    """Whether words have signs of which tags are made."""
    return _SIGN.search("".join(words)) is not None


def _respelt(style: Style, text: str, forms: Sequence[str]) -> str:
    """A text in which near misses are tags, but for kinds by which words of the key would be lost."""
    respelt = style.respelt(text)
    if respelt == text or not may_look_like_tags(forms):
        return respelt
    copied = _copied(style, text, forms)
    changes: list[Callable[[str], str]] = [undisguised]
    changes += [partial(spelt, spelling=each) for each in style.near_misses]
    for change in changes:
        new = change(text)
        if new != text and (now := _copied(style, new, forms)) >= copied:
            text, copied = new, now
    return text


def _copied(style: Style, text: str, forms: Sequence[str]) -> int:
    """How many words of the key are copied, if this is what was printed."""
    steps = aligned(style.lexed(text).words, forms)
    return sum(step.key_stop - step.key_start for step in steps if step.kind in ("same", "changed", "glued", "split"))


def _marks(style: Style, words: Sequence[str]) -> set[str]:
    """What looks like tags in words, or in words that are glued, blanks left out; a bracket alone does not."""
    if not may_look_like_tags(words):
        return set()
    found = [
        mark
        for text in (squeezed("".join(words)), *filter(_SIGN.search, words))
        for mark in re.finditer(style.tags, style.respelt(undisguised(text)))
    ]
    return {squeezed(mark[0]) for mark in found if len(mark[0]) > 1 and mark.lastgroup != "bad"}


def _literal(
    style: Style, text: str, marks: Sequence[tuple[int, int]], lexed: Lexed, forms: Sequence[str]
) -> set[int]:
    """Where those marks begin that are also in the words of the key that they stand for."""
    words = [item for item in lexed.items if isinstance(item, Word)]
    keys = keys_of(aligned([word.form for word in words], forms), len(words))
    found: set[int] = set()
    number = 0
    for start, stop in marks:
        while number < len(words) and words[number].at + len(words[number].form) <= start:
            number += 1
        over: list[int] = []
        at = number
        while at < len(words) and words[at].at < stop:
            over += keys[at] or ()
            at += 1
        if over and squeezed(text[start:stop]) in _marks(style, forms[min(over) : max(over) + 1]):
            found.add(start)
    return found
