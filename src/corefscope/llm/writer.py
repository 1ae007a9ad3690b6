"""Writer of tagged text as language models read and print it: one document a line, tags around mentions.

Blanks in words are written as ``_``, and zeros as ``##`` and their form, right after the word that governs them.
Characters of a word that would be taken for tags, or for a zero, are written full-width (``｜``, ``［``, ``＃``),
which the reader takes for the same word.

The reader finds the words of a mention, and the zeros at its first and last tag. The mention extends from the first
to the last of these in the order of the file, with all nodes between, wherever zeros are printed.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, count
from typing import NamedTuple

from ..core.choices import WrittenZeros
from ..core.document import Document, Mention, mention_order, same_words
from ..core.errors import OptionError
from ..core.positions import MINOR_MASK, SENTENCE_SHIFT
from ..core.request import ReadingArguments
from ..formats.jsonl.strings import OFFSETS, STRINGS
from ..formats.jsonl.writer import dumped
from ..formats.losses import Losses
from ..formats.writing import Origin, numbers, unique
from .lexer import ZERO, Close, Event, Open, Word, Zero, clean
from .skeleton import BLANKS, MentionBuilder, SkeletonIndex
from .styles import STYLES, Style, named_style

USABLE = re.compile(r"\w+")
"""Ids that can be read back in every style."""
FULL_WIDTH = {ord(sign): ord(sign) + 0xFEE0 for sign in "|[]()<>#:`~"}
ZEROS: dict[str, str] = {
    "keep": "zeros are written as ##",
    "drop": "zeros are omitted, and so are mentions of them",
}


class TaggingOptions(NamedTuple):
    """Options for writing tagged text."""

    style: str = "crac"
    """One of ``STYLES``."""
    zeros: str = "keep"
    """One of ``ZEROS``."""
    blind: bool = False
    """Whether words are written without tags."""
    masked: bool = False
    """Whether mentions are marked without entity ids."""

    @property
    def has_zeros(self) -> bool:
        """Whether zeros are written."""
        return self.zeros == "keep"

    def checked(self) -> TaggingOptions:
        """These options, if they are valid."""
        OptionError.check("zeros", self.zeros, ZEROS)
        style = named_style(self.style)
        if self.blind and self.masked:
            raise OptionError("--blind writes no tags, --masked writes tags without entities: give one of the two")
        if self.masked and not style.masked:
            can = ", ".join(style.name for style in STYLES.values() if style.masked)
            raise OptionError(f"style {self.style} cannot mask entities; {can} can")
        return self


class TaggedArguments(ReadingArguments, total=False):
    """Options for writing tagged text as keyword arguments, with those for reading printed text."""

    zeros: WrittenZeros | None
    blind: bool
    masked: bool


PLAIN = TaggingOptions()


class _Item(NamedTuple):
    """A word or a zero as it is written, with the ids of mentions that begin or end there."""

    form: str
    opened: list[str]
    """Ids of mentions that begin here and go on, longer ones first."""
    alone: list[str]
    """Ids of mentions of this item alone."""
    closed: list[str]
    """Ids of mentions that end here, shorter ones first."""

    def tagged(self, style: Style) -> str:
        """The item with its tags around it, ``<e1>Ann</e1>``, or after a bar, ``Ann|[e1]``."""
        if style.opening:
            opening = [style.opening.format(id=id_) for id_ in (*self.opened, *self.alone)]
            closing = [style.closing.format(id=id_) for id_ in (*reversed(self.alone), *self.closed)]
            return "".join([*opening, self.form, *closing])
        tags = [f"[{id_}" for id_ in self.opened] + [f"[{id_}]" for id_ in self.alone]
        tags += [f"{id_}]" for id_ in self.closed]
        return f"{self.form}|{','.join(tags)}" if tags else self.form


def write(documents: Iterable[Document], _: Origin, losses: Losses, options: TaggingOptions = PLAIN) -> Iterator[str]:
    """Write each document as a line, or as an element of a JSON array."""
    style = named_style(options.style)
    if style.is_json:
        yield from _array(documents, options)
        return
    if options.masked:
        style = style._replace(closing=style.masked)
    for document in documents:
        order = PrintedOrder(document, options.has_zeros)
        losses.add("words", order.words_without_form)
        yield _readable(_items(document, order, style, losses), style) + "\n"


def _items(document: Document, order: PrintedOrder, style: Style, losses: Losses) -> list[_Item]:
    """Words and zeros of a document in order, with their tags."""
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
    """Words and zeros as they are written; no word looks like a zero, a code fence or reasoning."""
    forms = []
    for place, form in zip(order.nodes, order.forms, strict=True):
        form = BLANKS.sub("_", form)
        if place & MINOR_MASK:
            form = ZERO + form
        elif form.startswith(ZERO) or clean(form) != form:
            form = form.translate(FULL_WIDTH)
        forms.append(form or "_")
    return forms


def _readable(items: list[_Item], style: Style) -> str:
    """The items as text; in full-width characters if it would be read back differently."""
    line = " ".join([item.tagged(style) for item in items])
    expected: list[str] = []
    for item in items:
        opened, closed = (len(item.alone) + len(tags) for tags in (item.opened, item.closed))
        expected += [*[Open.__name__] * opened, item.form, *[Close.__name__] * closed]
    if clean(line) == line and list(map(_describe, style.events(line))) == expected:
        return line
    plain = [(item, ZERO if item.form.startswith(ZERO) else "") for item in items]
    wide = [item._replace(form=zero + item.form.removeprefix(zero).translate(FULL_WIDTH)) for item, zero in plain]
    return " ".join([item.tagged(style) for item in wide])


def _describe(event: Event) -> str:
    """The form of an item, or the kind of a tag."""
    if isinstance(event, Zero):
        return ZERO + event.form
    return event.form if isinstance(event, Word) else type(event).__name__


def _array(documents: Iterable[Document], options: TaggingOptions) -> Iterator[str]:
    """JSON as in the CRAC task of 2026: clusters by first and last item, and by their text."""
    before = "[\n"
    for document in documents:
        order = PrintedOrder(document, options.has_zeros)
        forms = _forms(order)
        offsets = [[[*order.ends(mention)] for mention in entity] for entity in document.entities]
        texts = [[" ".join(forms[first : last + 1]) for first, last in entity] for entity in offsets]
        clusters = {OFFSETS: None if options.blind else offsets, STRINGS: None if options.blind else texts}
        yield before + dumped({"doc_id": document.id, "tokens": forms, **clusters})
        before = ",\n"
    yield "\n]\n" if before != "[\n" else "[]\n"


class ItemRange(NamedTuple):
    """Numbers of the first and the last item of a mention in the printed text."""

    first: int
    last: int


class PrintedOrder:
    """Words and zeros of a document in the order in which they are printed."""

    def __init__(self, document: Document, with_zeros: bool = True) -> None:
        skeleton = SkeletonIndex(document)
        self._has_zeros = bool(skeleton.zeros)
        self.nodes: list[int] = skeleton.places
        self.forms: list[str] = skeleton.forms
        """Positions, and forms; those of zeros may be empty."""
        if with_zeros and skeleton.zeros:
            words = list(zip(count(), self.nodes, self.forms, strict=False))
            zeros = [(zero.governor, zero.place, zero.form) for zero in skeleton.zeros]
            items = sorted([*words, *zeros], key=lambda item: item[0])  # stable: a word, then the zeros it governs
            self.nodes, self.forms = [place for _, place, _ in items], [form for _, _, form in items]
        self._number = {place: number for number, place in enumerate(self.nodes)}
        self._sorted = sorted([*skeleton.places, *(zero.place for zero in skeleton.zeros)])

    @cached_property
    def _words_before(self) -> list[int]:
        """Number of words before each item."""
        return list(accumulate((not place & MINOR_MASK for place in self.nodes), initial=0))

    @property
    def words_without_form(self) -> int:
        """Number of words without form."""
        return sum(not form and not place & MINOR_MASK for place, form in zip(self.nodes, self.forms, strict=True))

    def is_whole(self, mention: Mention) -> bool:
        """Whether all words between the ends of a mention, and no zeros, belong to it."""
        return not self._has_zeros and not mention.broken

    def ends(self, mention: Mention) -> ItemRange:
        """Items for the tags of a mention, so that as much of it as possible, and nothing else, is read back."""
        if self.is_whole(mention):
            return ItemRange(self._number[mention.first], self._number[mention.last])
        part = self._part(mention)
        words = [number for number in part if not self.nodes[number] & MINOR_MASK]
        spans = {
            ItemRange(part[0], part[-1]): None,
            ItemRange(self._number[mention.head], self._number[mention.head]): None,
        }
        if words:
            firsts, lasts = (part[0], words[0]), (words[-1], part[-1])
            spans |= dict.fromkeys(ItemRange(first, last) for first in firsts for last in lasts)
        wanted = set(mention.positions)
        sound = [ends for ends in spans if mention.head in (back := set(self.read_back(ends))) and back <= wanted]
        return max(sound, key=lambda ends: len(self.read_back(ends)))

    def read_back(self, ends: ItemRange) -> Sequence[int]:
        """Positions of the mention that is read if tags are on these items."""
        places = [self.nodes[number] for number in ends]
        places += [place for place in self.nodes[ends.first : ends.last + 1] if not place & MINOR_MASK]
        return self._sorted[bisect_left(self._sorted, min(places)) : bisect_right(self._sorted, max(places))]

    def _part(self, mention: Mention) -> list[int]:
        """Items of the part of a mention that contains its head, without words of others between them."""
        part: list[int] = []
        head = self._number[mention.head]
        for number in sorted(self._number[place] for place in set(mention.positions) if place in self._number):
            if part and self._words_before[number] > self._words_before[part[-1] + 1]:
                if part[-1] >= head:
                    break
                part = []
            part.append(number)
        return part


def representable_mentions(style: Style, with_zeros: bool, document: Document, losses: Losses) -> list[list[Mention]]:
    """Mentions of each entity as they are read back from tagged text."""
    order, read = PrintedOrder(document, with_zeros), MentionBuilder(document)
    entities = []
    for entity in document.entities:
        found = [_read_back(mention, order, read, losses) for mention in entity]
        entities.append(list({same_words(mention): mention for mention in found}.values()))
        losses.add("repeated", len(found) - len(entities[-1]))
    if style.is_json:
        return entities
    spans = [(order.ends(mention), number, mention) for number, entity in enumerate(entities) for mention in entity]
    spans.sort(key=lambda span: (span[0].first, -span[0].last))
    kept: list[list[Mention]] = [[] for _ in entities]
    groups: dict[int, list[ItemRange]] = {}  # open mentions, by entity if those of different entities may cross
    for ends, number, mention in spans:
        around = groups.setdefault(0 if style.nests else number, [])
        while around and around[-1].last < ends.first:
            around.pop()
        if around and around[-1].first < ends.first and around[-1].last < ends.last:
            losses.add("overlapping" if style.nests else "crossing")
        else:
            around.append(ends)
            kept[number].append(mention)
    return [sorted(entity, key=mention_order) for entity in kept]


def _read_back(mention: Mention, order: PrintedOrder, read: MentionBuilder, losses: Losses) -> Mention:
    """The mention that is read back for a mention."""
    is_plain = type(mention) is Mention and not mention.dependencies and order.is_whole(mention)
    if is_plain and read.head(mention.first, mention.last) == mention.head:
        return mention
    places = mention.positions if is_plain else order.read_back(order.ends(mention))
    if places[0] >> SENTENCE_SHIFT != places[-1] >> SENTENCE_SHIFT:
        places = [place for place in places if place >> SENTENCE_SHIFT == mention.head >> SENTENCE_SHIFT]
        losses.add("sentences")
    found = read.build(places[0], places[-1])
    if same_words(found) != same_words(mention):
        words = (place for place in mention.positions if not place & MINOR_MASK)
        losses.add("empty_nodes" if set(places).issuperset(words) else "parts")
    losses.add("tree_heads", int(found.head != mention.head))
    return found
