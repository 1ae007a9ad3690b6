"""Near misses: what models print in the place of tags, and the tags that they mean.

A style has a table of them: a pattern and the right spelling. All are tried on the text of a document, in order,
before its tags are looked for. Each begins with a sign that is rare in texts, so that it is found fast. Whether a
text has such signs itself, ``[`` or ``&lt;``, the key tells (``literal``). No line is taken away: messages name it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import reduce

ID = r"\w+(?:-\w+)*"
NUMBERED = r"[A-Za-z_]{1,12}[0-9]+"
"""What ids look like mostly, and words of a text hardly ever."""
MAYBE = r"[^\S\n]{0,9}"
BLANK = r"[^\S\n]{1,9}"

Spellings = tuple[tuple[str, str], ...]
"""Patterns, and what is to stand in the place of what they find."""

_SIGNS = {
    **dict.fromkeys(("&lt;", "&#60;", "&#x3c;", "＜", "〈", "‹", "〈"), "<"),
    **dict.fromkeys(("&gt;", "&#62;", "&#x3e;", "＞", "〉", "›", "〉"), ">"),
    **dict.fromkeys(("&#91;", "&lbrack;", "&lsqb;", "［", "【"), "["),
    **dict.fromkeys(("&#93;", "&rbrack;", "&rsqb;", "］", "】"), "]"),
    **dict.fromkeys(("&#124;", "&vert;", "｜", "￨", "│"), "|"),
    "（": "(",
    "）": ")",
    "＃": "#",
    "：": ":",
    "；": ";",
    "，": ",",
    "／": "/",
    "＝": "=",
}
_DISGUISED = re.compile(rf"(?i:{'|'.join(map(re.escape, _SIGNS))})|\\(?=[\[\](){{}}<>|#:;_*`~/])")

CRAC: Spellings = (
    (r"\|\*{1,3}(?=[\[\w])", "|"),
    (rf"\|(?:\||[^\S\n]){{1,9}}(?=\[{MAYBE}{ID}|{ID}{MAYBE}\])", "|"),
    (rf"\[(?<=[|,]\[){BLANK}(?={ID}{MAYBE}\])", "["),
    (rf"\[(?<=[|,]\[)({ID}){BLANK}(?=\])", r"[\1"),
    (rf";(?<=[\w\]];){MAYBE}(?=\[{NUMBERED}|{NUMBERED}\])", ","),
    (rf",(?<=[\w\]],){BLANK}(?=\[{NUMBERED}[\],|\s]|{NUMBERED}\])", ","),
    (rf"\[(?<=\w\[)(?={NUMBERED}(?:[\],]|\s))", "|["),
)
XML: Spellings = (
    (rf"\[(?<![|,\w]\[)({NUMBERED})\](?=\S)", r"<\1>"),
    (rf"\[(/{NUMBERED})\]", r"<\1>"),
    (rf"<(?:{BLANK}(/?){MAYBE}|(/){BLANK})(?={ID}{MAYBE}/?>)", r"<\1\2"),
    (rf"(</?{ID}){BLANK}(?=>)", r"\1"),
    (rf"<({ID}){MAYBE}/>", r"</\1>"),
    (rf"(</{ID})(?={BLANK}[^\s>])", r"\1>"),
    (rf"(<{NUMBERED})(?={BLANK}[^\s<>=][^<>=\n]{{0,200}}<)", r"\1>"),
)
MARKDOWN: Spellings = (
    (rf"\]{MAYBE}[({{\[]{MAYBE}#{MAYBE}({ID}(?: [0-9]+)?)(?:{BLANK}\"[^\"\n]{{0,80}}\")?{MAYBE}[)}}\]]", r"](#\1)"),
    (rf"\]\(({NUMBERED}|[0-9]+)\)", r"](#\1)"),
    (r"(\]\(#[A-Za-z]{1,20})[ -](?=[0-9]+\))", r"\1_"),
)
COLON: Spellings = (
    (rf"(?:;|:(?={MAYBE}[#*])){MAYBE}[#*]{{0,3}}{MAYBE}(\w{{0,12}}[0-9])\*{{0,3}}(?={MAYBE}\])", r": \1"),
    (rf"(:{MAYBE}{ID}){BLANK}(?=\])", r"\1"),
)
_MARKS: Spellings = ((rf"<(?!/?m>){MAYBE}(/?){MAYBE}(?i:m|mention)(?:[^\S\n][^<>\n]{{0,200}})?>", r"<\1m>"),)
SEQ2SEQ: Spellings = (
    *_MARKS,
    (rf"(?:\|{{2,3}}|\|(?={MAYBE}[#*])){MAYBE}[#*]{{0,3}}{MAYBE}({ID})\*{{0,3}}(?={MAYBE}</m>)", r"| \1"),
)
COREFINST: Spellings = (
    *_MARKS,
    (rf"</m>(?:[(\[{{]{MAYBE}#?|{BLANK}[(\[{{]{MAYBE}#){MAYBE}({ID}){MAYBE}[)\]}}]", r"</m>#\1"),
    (rf"</m>(?:{BLANK}#{MAYBE}|#{BLANK})(?=\w)", "</m>#"),
    (r"</m>(?=[0-9])", "</m>#"),
)


def undisguised(text: str) -> str:
    r"""A text in which signs of tags are no character references, not full-width, and without a backslash.

    >>> undisguised(r"&lt;e1&gt;Ann＜/e1＞ \[x\] (")
    '<e1>Ann</e1> [x] ('
    """
    if text.isascii() and "&" not in text and "\\" not in text:
        return text
    return _DISGUISED.sub(lambda sign: _SIGNS.get(sign[0].lower(), ""), text)


def spelt(text: str, spelling: tuple[str, str]) -> str:
    """A text in which near misses of one kind are tags.

    >>> spelt("[Ann] (#1)", MARKDOWN[0])
    '[Ann](#1)'
    """
    return re.sub(*spelling, text, flags=re.MULTILINE)


def respelt(text: str, spellings: Iterable[tuple[str, str]]) -> str:
    """A text in which near misses are tags.

    >>> respelt("Ann| [e1] met her|[ e1 ], [e2 dog|e2]", CRAC)
    'Ann|[e1] met her|[e1],[e2 dog|e2]'
    """
    return reduce(spelt, spellings, text)
