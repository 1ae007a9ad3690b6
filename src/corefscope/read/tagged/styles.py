r"""The styles of tagged text: one row each. All yield the same events; see :mod:`.lexing`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any, NamedTuple

from ...base.brief import by_name
from ...base.errors import OptionError
from . import spelling
from .events import Event
from .lexing import BARS, IsText
from .spelling import ID
from .tags import Lexed, lexed

M = r"(?i:m(?:ention)?)"
_M = r"<m>(?P<open>)"
_SIGN = re.compile(r"[][<|]")
"""What every closing tag and every near miss has at least one of."""
_JSON = r"\s{0,99}(?:\{\s{0,99}\"|\[\s{0,99}(?:[{\"]|\[\s{0,99}[\"0-9]))"


class Style(NamedTuple):
    """One row of the catalogue."""

    name: str
    title: str
    example: str
    looks_like: str
    """What closing tags look like, and nothing that a text may hold: it is searched, and counted."""
    lexer: str
    """The function of :mod:`.lexing` that finds its events; or, of JSON, the one that finds items and mentions."""
    tags: str = ""
    """A regular expression of its tags, with the groups that the lexer wants."""
    near_misses: spelling.Spellings = ()
    """What else models print, and the tags that they mean."""
    opening: str = ""
    """What is written before a mention, with its ``{id}``; empty if tags do not stand around words."""
    closing: str = ""
    """What is written behind it."""
    masked: str = ""
    """The same where models are to find the entity of a mention, if there is a way to write it."""
    numbers: bool = False
    """Whether ids are numbers."""
    nests: bool = False
    """Whether tags close what was opened last, so that no mentions can cross."""
    is_json: bool = False
    """Whether mentions are numbers of words, beside the words."""

    def __repr__(self) -> str:
        return by_name(self)

    def events(self, text: str, is_text: IsText | None = None) -> Iterator[Event]:
        """The events of a document, if it has tags; what ``is_text`` says is no tag."""
        found: Iterator[Event] = _function(self.lexer)(text, self.tags, is_text)
        return found

    def lexed(self, text: str, repair: str = "", is_text: IsText | None = None) -> Lexed:
        """The items and mentions of a document; ``repair`` is for JSON."""
        found: Lexed = _function(self.lexer)(text, repair) if self.is_json else lexed(self.events(text, is_text))
        return found

    def respelt(self, text: str) -> str:
        """A document in which near misses are tags, and signs in disguise are signs if that makes more tags."""
        plain, clear = spelling.respelt(text, self.near_misses), spelling.undisguised(text)
        if clear == text:
            return plain
        clear = spelling.respelt(clear, self.near_misses)
        return clear if self.closings(clear) > self.closings(plain) else plain

    def closings(self, text: str, words: str = "") -> int:
        """How many closing tags a text has that do not stand in its words, which are given without blanks."""
        literal = {found[0] for found in re.finditer(self.looks_like, words)} if words else set()
        found = re.finditer(self.looks_like, text)
        return sum(1 for each in found if not literal or squeezed(each[0]) not in literal)

    def mistaken_for(self, text: str) -> str:
        """The name of the style that a text is in, if it has nothing that looks like this one; else nothing."""
        other = None if re.search(self.looks_like, self.respelt(text)) else style_of(text)
        return other.name if other else ""


def squeezed(text: str) -> str:
    """A text without blanks."""
    return "".join(text.split())


def _function(name: str) -> Any:
    module, _, function = name.rpartition(".")
    return getattr(import_module(f".{module}", __package__), function)


STYLES: dict[str, Style] = {
    row.name: row
    for row in (
        Style(
            "crac",
            "CRAC plaintext: tags behind a bar",
            "Ann|[e1] met her|[e1],[e2 dog|e2]",
            rf"\S ?\|(?:{ID}\]|\[{ID}(?:\]|[,\s]|\Z))",
            "lexing.bars",
            BARS,
            spelling.CRAC,
        ),
        Style(
            "xml",
            "XML: the id of the entity is the tag",
            "<e1>Ann</e1> met <e2><e1>her</e1> dog</e2>",
            rf"</(?!{M}>)(?:{ID})?>|<(?:entity|mention|coref|span|e|m)\s{{1,9}}[^<>\n]{{0,99}}?\b(?i:id|entity)\s{{0,9}}=",
            "elements.elements",
            rf"(?P<bad><(?:/\w*|\w+)(?m:$))|<(?P<open>{ID})(?P<attributes>\s[^<>\n]{{0,400}})?>|</(?P<close>(?:{ID})?)>",
            spelling.XML,
            opening="<{id}>",
            closing="</{id}>",
        ),
        Style(
            "markdown",
            "Markdown links",
            "[Ann](#cluster_0) met [[her](#cluster_0) dog](#cluster_1)",
            rf"\]\(#{ID}\)",
            "lexing.brackets",
            rf"(?P<bad>\]\(#?\w*(?m:$))|\[(?P<open>)|\]\(#(?P<last>(?:{ID})?)\)|\](?P<plain>)",
            spelling.MARKDOWN,
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
            "lexing.brackets",
            rf"\[(?P<open>)|:\s*(?P<last>{ID})\s*\]|\](?P<plain>)",
            spelling.COLON,
            opening="[",
            closing=": {id}]",
            numbers=True,
            nests=True,
        ),
        Style(
            "seq2seq",
            "tokens of Seq2seqCoref",
            "<m> Ann | 0 </m> met <m> <m> her | 0 </m> dog | 1 </m>",
            rf"\|[ ]?{ID}[ ]?</{M}>",
            "lexing.marks",
            rf"(?P<bad><(?:/m?|m)(?m:$))|{_M}|\|\s*(?P<last>{ID})\s*</m>|</m>(?P<close>)",
            spelling.SEQ2SEQ,
            opening="<m> ",
            closing=" | {id} </m>",
            numbers=True,
            nests=True,
        ),
        Style(
            "corefinst",
            "CorefInst: the id stands behind the mention",
            "<m>Ann</m>#0 met <m><m>her</m>#0 dog</m>#1",
            rf"</{M}>#{ID}",
            "lexing.marks",
            rf"(?P<bad><(?:/m?|m)(?m:$))|{_M}|</m>(?:\s?#(?!MASK\b)(?P<last>{ID})|(?:\s?#MASK\b)?(?P<close>))",
            spelling.COREFINST,
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
            r"""["']tokens["']\s*:\s*\[\s*["']|["']clusters_token_offsets["']\s*:\s*\[""",
            "printed_json.lexed",
            is_json=True,
        ),
    )
}
LOOKS_LIKE = rf"\s*<think|(?!{_JSON})(?s:.)*?(?:{'|'.join(style.looks_like for style in STYLES.values())})"
"""What a file of tagged text begins like, whichever style it is in."""


def named_style(name: str) -> Style:
    """The style of that name."""
    OptionError.check("style", name, STYLES)
    return STYLES[name]


def style_of(text: str, usual: Style | None = None, words: str = "") -> Style | None:
    """The style with the most closing tags, near misses if there are no others; if there are none, the usual one.

    Of those with as many, the usual one. What stands in ``words``, those of the key without blanks, does not count.
    """
    if not _SIGN.search(spelling.undisguised(text)):  # as most lines of chatter: none of the patterns finds anything
        return usual
    tagged = [style for style in STYLES.values() if not style.is_json]
    counts = {style: style.closings(text, words) for style in tagged}
    if not any(counts.values()):
        counts = {style: style.closings(style.respelt(text), words) for style in tagged}
    best = max(counts, key=lambda style: (counts[style], style == usual))
    return best if counts[best] else usual
