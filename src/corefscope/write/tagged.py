"""Tagged text, as language models are shown it and print it: a document a line, tags around its mentions.

Words that hold blanks are written with ``_``, and zeros as ``##`` and their form, right behind the word that governs
them. Where the signs of a word would be taken for tags, or for a zero, they are written full-width (``｜``, ``［``,
``＃``): for whoever reads them back that is the same word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from ..base.document import Document
from ..base.errors import OptionError
from ..base.positions import MINOR_MASK
from ..read.formats import PrintedArguments
from ..read.jsonl.strings import OFFSETS, STRINGS
from ..read.tagged.cleaning import cleaned
from ..read.tagged.events import Close, Event, Open, Word, Zero
from ..read.tagged.lexing import ZERO
from ..read.tagged.styles import STYLES, Style, named_style
from .ids import numbers, unique
from .jsonl import dumped
from .losses import Losses
from .printed_order import PrintedOrder
from .words import Origin

BLANKS = re.compile(r"\s+")
USABLE = re.compile(r"\w+")
"""What may be an id in tags of every style: no other is read back."""
FULL_WIDTH = {ord(sign): ord(sign) + 0xFEE0 for sign in "|[]()<>#:`~"}


ZEROS: dict[str, str] = {
    "keep": "zeros are written as ##",
    "drop": "zeros are left out, and so are mentions of them",
}


class Manner(NamedTuple):
    """How documents are tagged, and what is left out."""

    style: str = "crac"
    """One of ``STYLES``."""
    zeros: str = "keep"
    """One of ``ZEROS``."""
    blind: bool = False
    """Whether words are written without tags."""
    masked: bool = False
    """Whether mentions are marked, but not whose they are."""

    @property
    def has_zeros(self) -> bool:
        """Whether zeros are written."""
        return self.zeros == "keep"

    def checked(self) -> Manner:
        """The same, once its values are known to exist."""
        OptionError.check("zeros", self.zeros, ZEROS)
        style = named_style(self.style)
        if self.blind and self.masked:
            raise OptionError("--blind writes no tags, --masked writes tags without entities: give one of the two")
        if self.masked and not style.masked:
            can = ", ".join(style.name for style in STYLES.values() if style.masked)
            raise OptionError(f"style {self.style} has no way to mask entities; {can} have one")
        return self


class TaggedArguments(PrintedArguments, total=False):
    """The same as keyword arguments, and those of how printed text is read."""

    zeros: str | None
    blind: bool
    masked: bool


PLAIN = Manner()


class _Item(NamedTuple):
    """A word or a zero as it is written, and the ids of mentions whose tags stand at it."""

    form: str
    opened: list[str]
    """Of mentions that begin here and go on, longer ones first."""
    alone: list[str]
    """Of mentions that are this item alone."""
    closed: list[str]
    """Of mentions that end here, shorter ones first."""


def write(documents: Iterable[Document], _: Origin, losses: Losses, manner: Manner = PLAIN) -> Iterator[str]:
    """The text of each document: a line, or an element of an array of JSON."""
    style = named_style(manner.style)
    if style.is_json:
        yield from _array(documents, manner)
        return
    if manner.masked:
        style = style._replace(closing=style.masked)
    for document in documents:
        order = PrintedOrder(document, manner.has_zeros)
        losses.add("words", order.words_of_nothing)
        yield _readable(_items(document, order, style, losses), style) + "\n"


def _items(document: Document, order: PrintedOrder, style: Style, losses: Losses) -> list[_Item]:
    """The words and zeros of a document in order, with their tags."""
    items = [_Item(form, [], [], []) for form in _forms(order)]
    ids = numbers(document, losses) if style.numbers else unique(document, set(), losses, USABLE)
    spans = [
        (*order.ends(mention), id_) for id_, entity in zip(ids, document.entities, strict=True) for mention in entity
    ]
    spans.sort(key=lambda span: (span[0], -span[1]))
    for first, last, id_ in spans:
        (items[first].alone if first == last else items[first].opened).append(id_)
    for first, last, id_ in reversed(spans):
        if first != last:
            items[last].closed.append(id_)
    return items


def _forms(order: PrintedOrder) -> list[str]:
    """Words and zeros as they are written; no word is taken for a zero, or for the beginning of something else."""
    forms = []
    for place, form in zip(order.nodes, order.forms, strict=True):
        form = BLANKS.sub("_", form)
        if place & MINOR_MASK:
            form = ZERO + form
        elif form.startswith(ZERO) or cleaned(form) != form:
            form = form.translate(FULL_WIDTH)
        forms.append(form or "_")
    return forms


def _readable(items: list[_Item], style: Style) -> str:
    """The items as text; full-width where something would be taken for what it is not."""
    line = _line(items, style)
    seen = map(_seen, style.events(line))
    if cleaned(line) == line and list(seen) == list(chain.from_iterable(map(_meant, items))):
        return line
    return _line([item._replace(form=_full_width(item.form)) for item in items], style)


def _full_width(form: str) -> str:
    zero = ZERO if form.startswith(ZERO) else ""
    return zero + form.removeprefix(zero).translate(FULL_WIDTH)


def _seen(event: Event) -> str:
    """What a reader sees: a tag, or what stands between tags."""
    if isinstance(event, Zero):
        return ZERO + event.form
    return event.form if isinstance(event, Word) else type(event).__name__


def _meant(item: _Item) -> list[str]:
    """What a reader is to see."""
    opened, closed = (len(item.alone) + len(tags) for tags in (item.opened, item.closed))
    return [*[Open.__name__] * opened, item.form, *[Close.__name__] * closed]


def _line(items: list[_Item], style: Style) -> str:
    return " ".join([_around(item, style) if style.opening else _with_bar(item) for item in items])


def _around(item: _Item, style: Style) -> str:
    """An item with tags around it: ``<e1>Ann</e1>``."""
    opening = [style.opening.format(id=id_) for id_ in (*item.opened, *item.alone)]
    closing = [style.closing.format(id=id_) for id_ in (*reversed(item.alone), *item.closed)]
    return "".join([*opening, item.form, *closing])


def _with_bar(item: _Item) -> str:
    """An item with its tags behind a bar: ``Ann|[e1]``."""
    tags = (
        [f"[{id_}" for id_ in item.opened] + [f"[{id_}]" for id_ in item.alone] + [f"{id_}]" for id_ in item.closed]
    )
    return f"{item.form}|{','.join(tags)}" if tags else item.form


def _array(documents: Iterable[Document], manner: Manner) -> Iterator[str]:
    """JSON as in the CRAC task of 2026: clusters by first and last item, and by their text."""
    before = "[\n"
    for document in documents:
        order = PrintedOrder(document, manner.has_zeros)
        forms = _forms(order)
        offsets = [[[*order.ends(mention)] for mention in entity] for entity in document.entities]
        texts = [[" ".join(forms[first : last + 1]) for first, last in entity] for entity in offsets]
        clusters = {OFFSETS: None if manner.blind else offsets, STRINGS: None if manner.blind else texts}
        yield before + dumped({"doc_id": document.id, "tokens": forms, **clusters})
        before = ",\n"
    yield "\n]\n" if before != "[\n" else "[]\n"
