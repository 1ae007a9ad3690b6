r"""The styles of tagged text: one row each. All yield the same events; see :mod:`.lexing`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib import import_module

from ...base.annotations import Any
from ...base.errors import OptionError
from ...base.record import Record, by_name
from .events import Event
from .tags import Lexed, lexed

ID = r"\w+(?:-\w+)*"
_M = r"<m>(?P<open>)"
_JSON = r"\s{0,99}(?:\{\s{0,99}\"|\[\s{0,99}(?:[{\"]|\[\s{0,99}[\"0-9]))"


class Style(Record):
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
    documents: str = ""
    """Module and function that cut a text into documents, each with its line; if empty, these are lines."""
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

    def events(self, text: str) -> Iterator[Event]:
        """The events of a document, if it has tags."""
        found: Iterator[Event] = _function(self.lexer)(text, self.tags)
        return found

    def lexed(self, text: str, repair: str = "") -> Lexed:
        """The items and mentions of a document; ``repair`` is for JSON."""
        found: Lexed = _function(self.lexer)(text, repair) if self.is_json else lexed(self.events(text))
        return found

    def mistaken_for(self, text: str) -> str:
        """The name of the style that a text is in, if it has nothing that looks like this one; else nothing."""
        other = None if re.search(self.looks_like, text) else style_of(text)
        return other.name if other else ""

    @property
    def cut(self) -> Callable[..., list[tuple[int, str]]] | None:
        """What cuts a text into documents, each with the number of its first line; None if these are lines.

        What it cannot read goes into the dictionary that is its second argument: offset and fault.
        """
        return _function(self.documents) if self.documents else None


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
        ),
        Style(
            "xml",
            "XML: the id of the entity is the tag",
            "<e1>Ann</e1> met <e2><e1>her</e1> dog</e2>",
            rf"</(?!m>){ID}>",
            "lexing.marks",
            rf"(?P<bad><(?:/\w*|\w+)(?m:$))|<(?P<open>{ID})>|</(?P<close>{ID})>",
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
            opening="[",
            closing=": {id}]",
            numbers=True,
            nests=True,
        ),
        Style(
            "seq2seq",
            "tokens of Seq2seqCoref",
            "<m> Ann | 0 </m> met <m> <m> her | 0 </m> dog | 1 </m>",
            rf"\|[ ]?{ID}[ ]?</m>",
            "lexing.marks",
            rf"(?P<bad><(?:/m?|m)(?m:$))|{_M}|\|\s*(?P<last>{ID})\s*</m>|</m>(?P<close>)",
            opening="<m> ",
            closing=" | {id} </m>",
            numbers=True,
            nests=True,
        ),
        Style(
            "corefinst",
            "CorefInst: the id stands behind the mention",
            "<m>Ann</m>#0 met <m><m>her</m>#0 dog</m>#1",
            rf"</m>#{ID}",
            "lexing.marks",
            rf"(?P<bad><(?:/m?|m)(?m:$))|{_M}|</m>(?:\s?#(?!MASK\b)(?P<last>{ID})|(?:\s?#MASK\b)?(?P<close>))",
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
            r'"tokens"\s*:\s*\[\s*"|"clusters_token_offsets"\s*:\s*\[',
            "printed_json.lexed",
            documents="printed_json.documents",
            is_json=True,
        ),
    )
}
LOOKS_LIKE = rf"\s*<think|(?!{_JSON})(?s:.)*?(?:{'|'.join(style.looks_like for style in STYLES.values())})"
"""What a file of tagged text begins like, whichever style it is in."""


def named_style(name: str) -> Style:
    """The style of that name."""
    if name not in STYLES:
        raise OptionError.unknown("style", [name], STYLES)
    return STYLES[name]


def style_of(text: str) -> Style | None:
    """The style that cuts a text into documents, or else the one with the most closing tags; None if it has none."""
    for style in STYLES.values():
        if style.cut and re.search(style.looks_like, text) and style.cut(text):
            return style
    counts = {name: sum(1 for _ in re.finditer(style.looks_like, text)) for name, style in STYLES.items()}
    best = max(counts, key=lambda name: counts[name])
    return STYLES[best] if counts[best] else None
