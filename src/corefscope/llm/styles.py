"""Tag styles: their catalogue, near misses of their tags, and recognition.

A near miss is what models print in place of a tag. A style has a table of them, patterns with the correct spelling,
which are applied in order before the tags are searched. Each pattern begins with a character that is rare in texts,
so that the search is fast. The words of the key decide whether such characters, ``[`` or ``&lt;``, belong to the text
(:func:`.copies.lex_over`). No line is removed, since messages give line numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ..core.errors import OptionError
from ..core.naming import by_name
from . import lexer
from .lexer import BARS, ID, Event, IsText, LexedText, pair_tags
from .printed_json import JSON_DOCUMENT, lex_json

NUMBERED = r"[A-Za-z_]{1,12}[0-9]+"
"""The usual shape of ids, rare among words."""
MAYBE = r"[^\S\n]{0,9}"
BLANK = r"[^\S\n]{1,9}"

Spellings = tuple[tuple[str, str], ...]
"""Patterns and replacements."""

_SIGNS = {
    **dict.fromkeys(("&lt;", "&#60;", "&#x3c;", "＜", "〈", "‹", "〈"), "<"),
    **dict.fromkeys(("&gt;", "&#62;", "&#x3e;", "＞", "〉", "›", "〉"), ">"),
    **dict.fromkeys(("&#91;", "&lbrack;", "&lsqb;", "［", "【"), "["),
    **dict.fromkeys(("&#93;", "&rbrack;", "&rsqb;", "］", "】"), "]"),
    **dict.fromkeys(("&#124;", "&vert;", "｜", "￨", "│"), "|"),
    **dict(zip("（）＃：；，／＝", "()#:;,/=", strict=True)),
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


def undisguise(text: str) -> str:
    r"""Replace character references, full-width characters and backslash escapes of the characters of tags.

    >>> undisguise(r"&lt;e1&gt;Ann＜/e1＞ \[x\] (")
    '<e1>Ann</e1> [x] ('
    """
    if text.isascii() and "&" not in text and "\\" not in text:
        return text
    return _DISGUISED.sub(lambda sign: _SIGNS.get(sign[0].lower(), ""), text)


def respell(text: str, spellings: Iterable[tuple[str, str]]) -> str:
    """Replace near misses by tags.

    >>> respell("Ann| [e1] met her|[ e1 ], [e2 dog|e2]", CRAC)
    'Ann|[e1] met her|[e1],[e2 dog|e2]'
    """
    for pattern, replacement in spellings:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return text


_MENTION = r"(?i:m(?:ention)?)"
_M = r"<m>(?P<open>)"
_SIGN = re.compile(r"[][<|]")
"""Characters of which each closing tag and each near miss has at least one."""
_JSON = r"\s{0,99}(?:\{\s{0,99}\"|\[\s{0,99}(?:[{\"]|\[\s{0,99}[\"0-9]))"


class Style(NamedTuple):
    """One row of the catalogue."""

    name: str
    title: str
    example: str
    looks_like: str
    """Regular expression of closing tags, which texts without tags do not match."""
    lexer: Callable[[str, str, IsText | None], Iterator[Event]] | None = None
    """Function that finds the events of a text; None for JSON."""
    tags: str = ""
    """Regular expression of all tags, with the groups that the lexer needs."""
    near_misses: Spellings = ()
    opening: str = ""
    """Tag before a mention, with its ``{id}``; empty if tags are not around words."""
    closing: str = ""
    """Tag after a mention."""
    masked: str = ""
    """Tag after a mention without the id, which models are asked to find; empty if the style has none."""
    numbers: bool = False
    """Whether ids are numbers."""
    nests: bool = False
    """Whether a tag closes the mention that was opened last, so that mentions cannot cross."""
    is_json: bool = False
    """Whether mentions are given by the numbers of their words, separately from the text."""

    def __repr__(self) -> str:
        return by_name(self)

    def events(self, text: str, is_text: IsText | None = None) -> Iterator[Event]:
        """The events of a document; matches for which ``is_text`` is true are no tags."""
        return self.lexer(text, self.tags, is_text) if self.lexer else iter(())

    def lex(self, text: str, repair: str = "", is_text: IsText | None = None) -> LexedText:
        """The items and mentions of a document; ``repair`` is for JSON."""
        return lex_json(text, repair) if self.is_json else pair_tags(self.events(text, is_text))

    def respell(self, text: str) -> str:
        """Replace near misses by tags, and escaped characters by plain ones if that makes more tags."""
        plain, clear = respell(text, self.near_misses), undisguise(text)
        if clear == text:
            return plain
        clear = respell(clear, self.near_misses)
        return clear if self.closings(clear) > self.closings(plain) else plain

    def closings(self, text: str, words: str = "") -> int:
        """Number of closing tags, except those that are among the original words, given without blanks."""
        literal = {found[0] for found in re.finditer(self.looks_like, words)} if words else set()
        found = re.finditer(self.looks_like, text)
        return sum(1 for each in found if not literal or squeezed(each[0]) not in literal)

    def mistaken_for(self, text: str) -> str:
        """Name of the style that a text without tags of this one seems to be in; else empty."""
        other = None if re.search(self.looks_like, self.respell(text)) else recognise_style(text)
        return other.name if other else ""


def squeezed(text: str) -> str:
    """Remove blanks."""
    return "".join(text.split())


STYLES: dict[str, Style] = {
    row.name: row
    for row in (
        Style(
            "crac",
            "CRAC plaintext: tags after a bar",
            "Ann|[e1] met her|[e1],[e2 dog|e2]",
            rf"\S ?\|(?:{ID}\]|\[{ID}(?:\]|[,\s]|\Z))",
            lexer.lex_bars,
            BARS,
            CRAC,
        ),
        Style(
            "xml",
            "XML: the id of the entity is the tag",
            "<e1>Ann</e1> met <e2><e1>her</e1> dog</e2>",
            rf"</(?!{_MENTION}>)(?:{ID})?>|<(?:entity|mention|coref|span|e|m)\s{{1,9}}[^<>\n]{{0,99}}?\b(?i:id|entity)\s{{0,9}}=",
            lexer.lex_elements,
            rf"(?P<bad><(?:/\w*|\w+)(?m:$))|<(?P<open>{ID})(?P<attributes>\s[^<>\n]{{0,400}})?>|</(?P<close>(?:{ID})?)>",
            XML,
            opening="<{id}>",
            closing="</{id}>",
        ),
        Style(
            "markdown",
            "Markdown links",
            "[Ann](#cluster_0) met [[her](#cluster_0) dog](#cluster_1)",
            rf"\]\(#{ID}\)",
            lexer.lex_brackets,
            rf"(?P<bad>\]\(#?\w*(?m:$))|\[(?P<open>)|\]\(#(?P<last>(?:{ID})?)\)|\](?P<plain>)",
            MARKDOWN,
            opening="[",
            closing="](#cluster_{id})",
            masked="](#)",
            numbers=True,
            nests=True,
        ),
        Style(
            "colon",
            "brackets, a colon and the id",
            "[Ann: 1] met [[her: 1] dog: 2]",
            rf":[ ]?{ID}\]",
            lexer.lex_brackets,
            rf"\[(?P<open>)|:\s*(?P<last>{ID})\s*\]|\](?P<plain>)",
            COLON,
            opening="[",
            closing=": {id}]",
            numbers=True,
            nests=True,
        ),
        Style(
            "seq2seq",
            "tokens of Seq2seqCoref",
            "<m> Ann | 0 </m> met <m> <m> her | 0 </m> dog | 1 </m>",
            rf"\|[ ]?{ID}[ ]?</{_MENTION}>",
            lexer.lex_marks,
            rf"(?P<bad><(?:/m?|m)(?m:$))|{_M}|\|\s*(?P<last>{ID})\s*</m>|</m>(?P<close>)",
            SEQ2SEQ,
            opening="<m> ",
            closing=" | {id} </m>",
            numbers=True,
            nests=True,
        ),
        Style(
            "corefinst",
            "CorefInst: the id follows the mention",
            "<m>Ann</m>#0 met <m><m>her</m>#0 dog</m>#1",
            rf"</{_MENTION}>#{ID}",
            lexer.lex_marks,
            rf"(?P<bad><(?:/m?|m)(?m:$))|{_M}|</m>(?:\s?#(?!MASK\b)(?P<last>{ID})|(?:\s?#MASK\b)?(?P<close>))",
            COREFINST,
            opening="<m>",
            closing="</m>#{id}",
            masked="</m>#MASK",
            numbers=True,
            nests=True,
        ),
        Style(
            "json",
            "JSON of the CRAC task of 2026: mentions by the numbers of their words",
            '{"tokens": ["Ann", "left"], "clusters_token_offsets": [[[0, 0]]]}',
            JSON_DOCUMENT,
            is_json=True,
        ),
    )
}
LOOKS_LIKE = rf"\s*<think|(?!{_JSON})(?s:.)*?(?:{'|'.join(style.looks_like for style in STYLES.values())})"
"""Regular expression for the beginning of a file of tagged text in any style."""


def named_style(name: str) -> Style:
    """Look up a style by name."""
    OptionError.check("style", name, STYLES)
    return STYLES[name]


def recognise_style(text: str, usual: Style | None = None, words: str = "") -> Style | None:
    """Find the style with the most closing tags, or else near misses of them; ties and no tags give the usual style.

    What is among ``words``, those of the key without blanks, does not count.
    """
    if not _SIGN.search(undisguise(text)):  # most lines of chatter: no pattern can match
        return usual
    tagged = [style for style in STYLES.values() if not style.is_json]
    counts = {style: style.closings(text, words) for style in tagged}
    if not any(counts.values()):
        counts = {style: style.closings(style.respell(text), words) for style in tagged}
    best = max(counts, key=lambda style: (counts[style], style == usual))
    return best if counts[best] else usual
