"""What looks like a tag and is a word of the text: the key tells.

A text may hold ``<b>`` or ``[see: 1]``. Where the key's words look like tags, what is printed like them is taken for
words first, and aligned. What stands for just these words of the key is text; all else is tags.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .aligning import aligned, keys_of
from .events import Word
from .spelling import undisguised
from .styles import Style, squeezed
from .tags import Lexed


def lexed_over(style: Style, text: str, forms: Sequence[str]) -> Lexed:
    """The items and mentions of a document, printed in a style, over the words of the key."""
    text = style.respelt(text)
    known = _marks(style, "".join(forms))
    if not known:
        return style.lexed(text)

    def doubtful(mark: re.Match[str]) -> bool:
        return squeezed(mark[0]) in known

    first = style.lexed(text, is_text=doubtful)
    marks = [mark.span() for mark in re.finditer(style.tags, text) if doubtful(mark)]
    literal = _literal(style, text, marks, first, forms) if marks else set()
    if len(literal) == len(marks):
        return first
    return style.lexed(text, is_text=lambda mark: mark.start() in literal)


def _marks(style: Style, words: str) -> set[str]:
    """What looks like tags in words without blanks; a bracket alone does not."""
    found = re.finditer(style.tags, style.respelt(undisguised(words)))
    return {mark[0] for mark in found if len(mark[0]) > 1 and mark.lastgroup != "bad"}


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
        if over and squeezed(text[start:stop]) in _marks(style, "".join(forms[min(over) : max(over) + 1])):
            found.add(start)
    return found
