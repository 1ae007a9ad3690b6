"""Tag styles: their catalogue, near misses of their tags, and recognition.

The first styles are those that papers and shared tasks ask for; the others, that chat models volunteer, are made of
:mod:`.enclosures`. Of several styles with tags in a text, the one that leaves the words of the key is taken.

A near miss is what models print in place of a tag. A style has a table of them, patterns with the correct spelling,
which are applied in order before the tags are searched. Each pattern begins with a character that is rare in texts,
so that the search is fast. The words of the key decide whether such characters, ``[`` or ``&lt;``, belong to the text
(:func:`.copies.lex_over`). No line is removed, since messages give line numbers.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from ..core.errors import OptionError
from ..core.naming import by_name
from ..formats.edit_distance import normalise
from . import lexer
from .enclosures import enclosed_styles, lex_enclosed
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
"""Characters of which each closing tag and each near miss of the first styles has at least one."""
_ENCLOSING_SIGN = re.compile(r"[][(){}<>*_`=]")
"""Characters of which each tag of an enclosure has at least one."""
SIGNS = r"[][<>|［］＜＞｜]|&[lg]t;"
ENCLOSING_SIGNS = r"[][(){}<>*_`=|［］＜＞｜（）｛｝]|&[lg]t;"
_RUN = re.compile(r"[^\W_]+")
_JSON = r"\s{0,99}(?:\{\s{0,99}\"|\[\s{0,99}(?:[{\"]|\[\s{0,99}[\"0-9]))"


def may_look_like_tags(words: Sequence[str], signs: str = SIGNS) -> bool:
    """Whether words contain characters of tags."""
    return re.search(signs, "".join(words)) is not None


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
    signs: str = SIGNS
    """Regular expression of the characters without which no word looks like a tag."""

    def __repr__(self) -> str:
        return by_name(self)

    def events(self, text: str, is_text: IsText | None = None) -> Iterator[Event]:
        """The events of a document; matches for which ``is_text`` is true are no tags."""
        return self.lexer(text, self.tags, is_text) if self.lexer else iter(())

    @property
    def is_enclosed(self) -> bool:
        """Whether it is one of the styles that are made of enclosures."""
        return self.lexer is lex_enclosed

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

    def closings(self, text: str, words: Sequence[str] = ()) -> int:
        """Number of closing tags, less those that the original words have, joined or with blanks between them."""
        return len(self.spans(text, words))

    def spans(self, text: str, words: Sequence[str] = ()) -> list[tuple[int, int]]:
        """Where these closing tags are."""
        literal: Counter[str] = Counter()
        if words and may_look_like_tags(words, self.signs):
            for joined in ("".join(words), " ".join(words)):
                literal |= Counter(squeezed(found[0]) for found in re.finditer(self.looks_like, joined))
        found = []
        for each in re.finditer(self.looks_like, text):
            if literal and literal[squeezed(each[0])] > 0:
                literal[squeezed(each[0])] -= 1
            else:
                found.append(each.span())
        return found

    def mistaken_for(self, text: str) -> str:
        """Name of the style that a text without tags of this one seems to be in; else empty."""
        other = None if re.search(self.looks_like, self.respell(text)) else recognise_style(text)
        return other.name if other else ""


def squeezed(text: str) -> str:
    """Remove blanks."""
    return "".join(text.split())


def _example(opening: str, closing: str) -> str:
    """The sentence of the examples with the tags of a style."""
    one, two = ((opening.format(id=id_), closing.format(id=id_)) for id_ in (1, 2))
    return f"{one[0]}Ann{one[1]} met {two[0]}{one[0]}her{one[1]} dog{two[1]}"


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
        *(
            Style(
                part.name,
                part.title,
                _example(part.opening, part.closing),
                part.looks_like,
                lex_enclosed,
                part.tags,
                opening=part.opening,
                closing=part.closing,
                numbers=True,
                nests=True,
                signs=ENCLOSING_SIGNS,
            )
            for part in enclosed_styles()
        ),
    )
}
CLASSIC = [name for name, style in STYLES.items() if not style.is_enclosed]
ENCLOSED = list(dict.fromkeys(name.partition("-")[0] for name, style in STYLES.items() if style.is_enclosed))
"""Names of the styles of papers and shared tasks, and of enclosures."""
_TAGS = [STYLES[name].looks_like for name in (*CLASSIC, "bracket", "brace", "brace-last", "bold")]
_NO_JSON = (
    r"\s{0,99}[\[{]{1,9}\s{0,9}(?!true\b|false\b|null\b|NaN\b|Infinity\b)"
    r"(?:[^\s\[\]{}\"'0-9(-]|[0-9]{1,6}[\s:|]{1,3}[^\W\d_])"
)
"""A bracket or brace that no value of JSON follows."""
LOOKS_LIKE = rf"\s*<think|{_NO_JSON}|(?!{_JSON})(?s:.)*?(?:{'|'.join(_TAGS)})"
"""Regular expression for the beginning of a file of tagged text in any style."""


def named_style(name: str) -> Style:
    """Look up a style by name."""
    OptionError.check("style", name, STYLES)
    return STYLES[name]


def recognise_style(text: str, usual: Style | None = None, forms: Sequence[str] = ()) -> Style | None:
    """Find the style of a text: the one with the most closing tags, or else near misses of them.

    Where the tags of enclosures are as frequent, the style counts that leaves most words of the key, and fewest
    others, as far as these are known (``forms``). Tags that are among the words of the key do not count. Ties and no
    tags give the usual style.
    """
    best, most = _best_classic(text, usual, forms)
    if best and forms and _fit(best, text, known := _runs(forms)) == known.total():
        return best  # just the words of the key: no other style can fit better
    enclosed = [style for style in STYLES.values() if style.is_enclosed] if _ENCLOSING_SIGN.search(text) else []
    counts = {style: style.closings(text, forms) for style in enclosed}
    return _best_fit(text, forms, best, most, {style: n for style, n in counts.items() if n}) or usual


def _best_classic(text: str, usual: Style | None, words: Sequence[str]) -> tuple[Style | None, int]:
    """The classic style with the most closing tags, and their number."""
    if not _SIGN.search(undisguise(text)):  # most lines of chatter: no pattern can match
        return None, 0
    tagged = [style for style in STYLES.values() if not style.is_enclosed and not style.is_json]
    counts = {style: style.closings(text, words) for style in tagged}
    if not any(counts.values()):
        counts = {style: style.closings(style.respell(text), words) for style in tagged}
    best = max(counts, key=lambda style: (counts[style], style == usual))
    return (best, counts[best]) if counts[best] else (None, 0)


MIN_TAGS = 0.5
"""Minimum share of the most frequent tags that an enclosure needs to be considered."""


def _best_fit(
    text: str, forms: Sequence[str], best: Style | None, most: int, enclosed: dict[Style, int]
) -> Style | None:
    """The best of the first styles, or that enclosure which explains the text better."""
    if not enclosed:
        return best
    counts = {**({best: most} if best else {}), **enclosed}
    frequent = [style for style, n in counts.items() if style is best or n >= MIN_TAGS * max(counts.values())]
    if len(frequent) == 1:
        return frequent[0]
    known = _runs(forms)
    return max(frequent, key=lambda style: (_fit(style, text, known), style is best, counts[style]))


def _fit(style: Style, text: str, known: Counter[str]) -> int:
    """How well a style explains a text: words that are in the key count, other words and incomplete mentions against.

    Without a key, only mentions count.
    """
    lexed = style.lex(style.respell(text))
    spans = [span for span in lexed.spans if span.id]
    incomplete = sum(span.tags < 2 or (span.closes or 0) < (span.opens or 0) for span in spans)
    if not known:
        return -incomplete
    words = _runs(lexed.words)
    return 2 * (words & known).total() - words.total() - incomplete


def _runs(words: Iterable[str]) -> Counter[str]:
    """Runs of letters and digits in words: punctuation may be attached to them."""
    return Counter(_RUN.findall(" ".join(map(normalise, words))))


class StyleShare(NamedTuple):
    """Number of the tags of a text, in whatever style, that one style explains."""

    explained: int
    tags: int


def share_of_tags(style: Style, text: str, forms: Sequence[str]) -> StyleShare:
    """Share of tags that a style explains; tags that overlap count once."""
    plain = style.respell(text)
    own = style.spans(plain, forms)
    own_starts = [start for start, _ in own]
    others = 0
    for other in STYLES.values():
        if other is style or other.is_json or other.is_enclosed != style.is_enclosed:
            continue
        others = max(others, sum(not _overlaps(span, own, own_starts) for span in other.spans(plain, forms)))
    return StyleShare(len(own), len(own) + others)


def _overlaps(span: tuple[int, int], others: Sequence[tuple[int, int]], starts: Sequence[int]) -> bool:
    """Whether a range overlaps one of others, which are sorted, or touches it."""
    at = bisect_right(starts, span[1])
    return at > 0 and others[at - 1][1] >= span[0]
