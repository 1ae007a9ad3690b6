"""Projection of mentions onto the words of another tokenisation of the same text.

White space is left out of both texts and characters are folded (:func:`~.edit_distance.fold_characters`). If the
texts are then equal, a mention is the same stretch of characters in both. Otherwise :func:`~.alignment.align_words`
aligns them, and a mention moves with its first and last character. A mention that begins or ends inside a word of the
other tokenisation is expanded to it, contracted, or refused (:data:`~corefscope.core.options.ALIGN`).

The text of CoNLL-U is that of its words, or that of its multiword tokens (``del`` for ``de`` and ``el``), whichever
agrees with the other side. Letters of a multiword token are divided among its words.

Characters are counted by *boundaries*: boundary n comes after n characters. Where texts differ, a boundary of one
text corresponds to a range of boundaries of the other. Ranges are in half characters: 2n is boundary n, and 2n + 1 is
inside of the character after it, where one character of this text corresponds to several of the other.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, chain, pairwise
from operator import eq
from typing import NamedTuple, NoReturn

from ..core.document import (
    Document,
    Entity,
    Mention,
    MentionWithMinimum,
    Relation,
    Sentence,
    changed_relations,
    is_comment,
    mention_order,
    same_words,
)
from ..core.errors import AlignmentError, InputError, Location, amount
from ..core.positions import (
    MINOR_MASK,
    NEXT_WORD,
    SENTENCE_SHIFT,
    WORD_MASK,
    coordinates,
    ends_of,
    node_name,
    position,
)
from .alignment import COPIED, AlignedBlock, align_words, shared_beginnings
from .corefud.nodes import zero_dependencies
from .edit_distance import fold_characters
from .sentences import BorrowedSentence, forms_of

ANCHOR = 32
"""Characters that a place has in common with one place of the other text, and with no other."""
LEAST = 2
"""A text fits another if at least one in so many characters is aligned."""
OTHER_TEXT = "key and response must be over the same text; its words may be others, and differ here and there"
MAX_SHOWN = 60
"""Characters of a mention that a message quotes."""


class ProjectionCounts(NamedTuple):
    """Counts of mentions of a side that was laid over the words of the other side: exact, expanded and so on.

    >>> counts = ProjectionCounts("expand", exact=1041, expanded=2).combine(ProjectionCounts("expand", merged=1))
    >>> str(counts), counts.to_dict()["merged"]
    ('1,041 mentions exact, 2 expanded, 1 merged', 1)
    """

    align: str
    """The mode of alignment: one of :data:`~corefscope.core.options.ALIGN`."""
    is_automatic: bool = False
    """Whether it was not asked for: the side counts the characters of a text without words."""
    exact: int = 0
    expanded: int = 0
    contracted: int = 0
    dropped: int = 0
    """Mentions of which no word is left."""
    merged: int = 0
    """Mentions that are then the same words as another mention of their entity, and count once."""
    words_changed: int = 0
    """Words that are others in the other text."""

    def combine(self, other: ProjectionCounts) -> ProjectionCounts:
        """The counts of both."""
        added = [one + two for one, two in zip(self[2:], other[2:], strict=True)]
        return ProjectionCounts(self.align, self.is_automatic or other.is_automatic, *added)

    def __str__(self) -> str:
        further = {name: getattr(self, name) for name in ("expanded", "contracted", "dropped", "merged")}
        changed = [f"{amount(self.words_changed, 'word')} changed"] if self.words_changed else []
        parts = [f"{count:,} {name}" for name, count in further.items() if count]
        return ", ".join([f"{amount(self.exact, 'mention')} exact", *parts, *changed])

    def to_dict(self) -> dict[str, str | int]:
        """As plain values."""
        return {name: value for name, value in self._asdict().items() if name != "is_automatic"}


class FoldedText:
    """The characters of a document without white space, folded, and where its words begin in them.

    ``by_surface`` takes multiword tokens as the text has them, instead of their words.
    """

    def __init__(self, document: Document, *, by_surface: bool = False) -> None:
        forms: list[str] = []
        self.first_words: dict[int, int] = {}
        """The index of the first word of each sentence, by its number."""
        self.positions: list[int] = []
        for sentence in document.sentences:
            self.first_words[sentence.number] = len(forms)
            forms += forms_of(sentence)
            self.positions += sentence.positions
        folded = {form: fold_characters(form) for form in set(forms)}
        self.words: list[str] = [folded[form] for form in forms]
        for sentence in document.sentences if by_surface else ():
            self._divide_tokens(sentence)
        self.text: str = "".join(self.words)
        self.starts: list[int] = list(accumulate(map(len, self.words), initial=0))
        """Where each word begins, and at last where the text ends."""
        self.solid: list[int] = [index for index, word in enumerate(self.words) if word]
        """The words that have characters."""
        self.bounds: list[int] = [*(self.starts[index] for index in self.solid), len(self.text)]
        self.is_characters: bool = document.counts_characters

    def _divide_tokens(self, sentence: Sentence) -> None:
        """Replace the words of each multiword token by pieces of its surface form."""
        before = self.first_words[sentence.number] - 1
        for name in sentence.unusual:
            first, dash, last = name.partition("-")
            columns = sentence.columns(name) if dash else []
            if len(columns) < 2 or columns[0] != name or columns[1] == "_":
                continue
            words = slice(before + int(first), min(before + int(last), before + len(sentence.words)) + 1)
            self.words[words] = divide_letters(fold_characters(columns[1]), self.words[words])

    def index(self, word: int) -> int:
        """The index of the word at a position."""
        return self.first_words[word >> SENTENCE_SHIFT] + coordinates(word)[1] - 1

    def units(self) -> list[int]:
        """Where words begin, and at last where the text ends; if words are characters, what is between blanks."""
        if not self.is_characters:
            return self.bounds
        begins = [self.starts[index] for index in self.solid if not index or not self.words[index - 1]]
        return [*begins, len(self.text)]


def divide_letters(surface: str, words: Sequence[str]) -> list[str]:
    """The letters of a multiword token, divided among its words; each gets one if there are enough.

    >>> divide_letters("del", ["de", "el"]), divide_letters("dáselo", ["da", "se", "lo"])
    (['d', 'el'], ['dá', 'se', 'lo'])
    """
    joined = "".join(words)
    if joined == surface:
        return list(words)
    bounds = BoundaryMap.of(_segments_in_word(joined, surface), len(joined), len(surface)).highs
    ends = [0]
    for number, end in enumerate(accumulate(map(len, words)), 1):
        latest = len(surface) - (len(words) - number)
        ends.append(max(min(max(bounds[end] // 2, ends[-1] + 1), latest), ends[-1]))
    ends[-1] = len(surface)
    return [surface[start:stop] for start, stop in pairwise(ends)]


def texts_agree(key: Document, response: Document) -> bool:
    """Whether two documents have the same characters, apart from white space."""
    return any(one.text == other.text for one, other in _text_pairs(key, response))


def _text_pairs(one: Document, other: Document) -> Iterator[tuple[FoldedText, FoldedText]]:
    """Both texts by their words; then, if there are multiword tokens that differ from their words, by these."""
    texts = FoldedText(one), FoldedText(other)
    yield texts
    surfaces = FoldedText(one, by_surface=True), FoldedText(other, by_surface=True)
    if [text.text for text in surfaces] != [text.text for text in texts]:
        yield surfaces


# ------------------------------------------------------------------ texts that differ


class Segment(NamedTuple):
    """Characters of the source, and the characters of the target that they correspond to."""

    source_start: int
    source_stop: int
    target_start: int
    target_stop: int
    copied: bool = True
    """Whether they are the same word or character, perhaps in another spelling."""
    paired: bool = True
    """Whether, if there are equally many, each corresponds to one."""


def align_texts(source: FoldedText, target: FoldedText) -> list[Segment]:
    """Align two texts by their words, or by their characters if one side has far fewer words.

    Only what differs between places that both certainly share is aligned word by word.
    """
    units: Sequence[int] = source.units()
    others: Sequence[int] = target.units()
    by_characters = 2 * min(len(units), len(others)) < max(len(units), len(others))
    if by_characters:
        units, others = range(len(source.text) + 1), range(len(target.text) + 1)
    words, other_words = _cut(source.text, units), _cut(target.text, others)
    anchors = shared_beginnings(words, other_words, ANCHOR)
    segments: list[Segment] = []
    for (start, first), (stop, last) in pairwise([(0, 0), *anchors, (len(words), len(other_words))]):
        whole = Segment(units[start], units[stop], others[first], others[last])
        if source.text[whole.source_start : whole.source_stop] == target.text[whole.target_start : whole.target_stop]:
            segments.append(whole)
        elif by_characters:
            blocks = align_words(words[start:stop], other_words[first:last])
            segments += _segments_of_characters(blocks, units[start], others[first])
        else:
            pieces, other_pieces = words[start:stop], other_words[first:last]
            blocks = align_words(pieces, other_pieces)
            starts, other_starts = units[start : stop + 1], others[first : last + 1]
            segments += _segments_of_words(blocks, starts, other_starts, pieces, other_pieces)
    return segments


def _cut(text: str, starts: Sequence[int]) -> list[str]:
    return [text[start:stop] for start, stop in pairwise(starts)]


def _segments_of_words(
    blocks: Iterable[AlignedBlock],
    units: Sequence[int],
    others: Sequence[int],
    words: Sequence[str],
    other_words: Sequence[str],
) -> Iterator[Segment]:
    for block in _with_gaps(blocks):
        start, stop, first, last, kind = block
        if kind == "gap":
            yield Segment(units[start], units[stop], others[first], others[last], copied=False, paired=False)
        elif block.source_size == block.target_size:
            for place, other in zip(range(start, stop), range(first, last), strict=True):
                yield from _segments_of_word(words[place], other_words[other], units[place], others[other], kind)
        else:
            pieces = "".join(words[start:stop]), "".join(other_words[first:last])
            yield from _segments_of_word(*pieces, units[start], others[first], kind)


def _segments_of_word(word: str, other: str, start: int, first: int, kind: str) -> Iterator[Segment]:
    """The segments of one spelling of a word and another: one, if they have equally many characters."""
    copied = kind in COPIED
    if len(word) == len(other):
        yield Segment(start, start + len(word), first, first + len(other), copied)
        return
    for segment in _segments_in_word(word, other):
        yield Segment(
            start + segment.source_start,
            start + segment.source_stop,
            first + segment.target_start,
            first + segment.target_stop,
            copied or segment.copied,
            segment.paired,
        )


@lru_cache(maxsize=1 << 12)
def _segments_in_word(word: str, other: str) -> tuple[Segment, ...]:
    return tuple(_segments_of_characters(align_words(word, other), 0, 0))


def _segments_of_characters(blocks: Iterable[AlignedBlock], start: int, first: int) -> Iterator[Segment]:
    for block in _with_gaps(blocks):
        paired = block.source_size == block.target_size and block.kind != "gap"
        stops = start + block.source_stop, first + block.target_stop
        starts = start + block.source_start, first + block.target_start
        yield Segment(starts[0], stops[0], starts[1], stops[1], block.kind in COPIED, paired)


def _agreeing(segment: Segment, source: FoldedText, target: FoldedText) -> int:
    """The number of characters that are the same; in another spelling of a word, all."""
    start, stop, first, last, copied, paired = segment
    if copied or not paired:
        return last - first if copied else 0
    return sum(map(eq, source.text[start:stop], target.text[first:last]))


def _with_gaps(blocks: Iterable[AlignedBlock]) -> Iterator[AlignedBlock]:
    """The blocks; adjacent ones without counterpart, on either side, are one gap."""
    gap: AlignedBlock | None = None
    for block in blocks:
        if block.source_size and block.target_size:
            if gap:
                yield gap
            gap = None
            yield block
        else:
            begin = gap or block
            gap = AlignedBlock(begin.source_start, block.source_stop, begin.target_start, block.target_stop, "gap")
    if gap:
        yield gap


class BoundaryMap(NamedTuple):
    """For each boundary of the source the least and the greatest boundary of the target, in half characters."""

    lows: Sequence[int]
    highs: Sequence[int]

    @classmethod
    def of(cls, segments: Iterable[Segment], size: int, target_size: int) -> BoundaryMap:
        """The map of the segments of a source of so many characters."""
        lows, highs = [2 * target_size] * (size + 1), [0] * (size + 1)

        def widen(boundary: int, low: int, high: int) -> None:
            lows[boundary], highs[boundary] = min(lows[boundary], low), max(highs[boundary], high)

        widen(0, 0, 0)
        widen(size, 2 * target_size, 2 * target_size)
        for start, stop, first, last, _, paired in segments:
            widen(start, 2 * first, 2 * first)
            widen(stop, 2 * last, 2 * last)
            inside = slice(start + 1, stop)
            if stop - start < 2:
                continue
            if paired and stop - start == last - first:
                lows[inside] = highs[inside] = range(2 * first + 2, 2 * last, 2)
            else:
                between = int(first < last)
                lows[inside] = [2 * first + between] * (stop - start - 1)
                highs[inside] = [2 * last - between] * (stop - start - 1)
        return cls(lows, highs)


# ------------------------------------------------------------------ mentions


class WordSpan(NamedTuple):
    """Words of the target, by their numbers among those that have characters."""

    start: int
    stop: int
    exact: bool


class Projection:
    """The map from the positions of one document to those of another over the same text.

    ``mode`` is one of :data:`~corefscope.core.options.ALIGN`.
    """

    def __init__(self, source: Document, target: Document, mode: str) -> None:
        self._source, self._target, self._mode = source, target, mode
        self._words_changed = 0
        pairs: list[tuple[FoldedText, FoldedText]] = []
        for self._from, self._onto in _text_pairs(source, target):
            if self._from.text == self._onto.text:
                size = len(self._from.text)
                self._map = BoundaryMap(*[range(0, 2 * size + 1, 2)] * 2)
                break
            pairs.append((self._from, self._onto))
        else:
            self._align(pairs)
        self._tally: Counter[str] = Counter()
        self._bounds = [2 * bound for bound in self._onto.bounds]
        self._nodes = dict(self._place_nodes())
        self._sentences = cache(self._make_sentences)

    @property
    def counts(self) -> ProjectionCounts:
        """Counts of the mentions of the documents that were projected."""
        tally = self._tally
        return ProjectionCounts(
            self._mode,
            exact=tally["exact"],
            expanded=tally["expanded"],
            contracted=tally["contracted"],
            dropped=tally["dropped"],
            merged=tally["merged"],
            words_changed=self._words_changed,
        )

    def _align(self, pairs: Iterable[tuple[FoldedText, FoldedText]]) -> None:
        """Align texts that differ: those that agree in most characters."""
        aligned = -1
        for texts in pairs:
            segments = align_texts(*texts)
            agreeing = sum(_agreeing(segment, *texts) for segment in segments)
            if agreeing > aligned:
                best, (self._from, self._onto), aligned = segments, texts, agreeing
        self._check_fit(aligned)
        self._map = BoundaryMap.of(best, len(self._from.text), len(self._onto.text))
        self._words_changed = self._count_changed(best)

    def _check_fit(self, aligned: int) -> None:
        """Refuse texts of which less than half is aligned."""
        size = max(len(self._from.text), len(self._onto.text))
        if LEAST * aligned < size:
            lines = [side.sentences[0].line if side.sentences else 0 for side in (self._target, self._source)]
            raise AlignmentError(
                "the text of document {document!r} is not that of {target}: {aligned:,} of {size:,} characters agree",
                Location(self._target.path, lines[0]),
                Location(self._source.path, lines[1]),
                hint=OTHER_TEXT,
                document=self._source.id,
                target=self._target.path,
                aligned=aligned,
                size=size,
            )

    def _count_changed(self, segments: Iterable[Segment]) -> int:
        """The number of words of the target that are others in the source, and of insertions between words."""
        changed: set[int] = set()
        inserted = 0
        for start, stop, first, last, _, _ in segments:
            if self._from.text[start:stop] == self._onto.text[first:last]:
                continue
            if first == last:
                inserted += 1
                continue
            bounds = self._onto.bounds
            changed.update(range(bisect_right(bounds, first) - 1, bisect_left(bounds, last)))
        return len(changed) + inserted

    # ---------------------------------------------------------------- positions

    def _span(self, start: int, stop: int) -> WordSpan:
        """The words of the target from one boundary of the source to another."""
        bounds, mode = self._bounds, self._mode
        low, high = self._map.lows[start], self._map.highs[start]
        first = bisect_right(bounds, high) - 1
        begins = bounds[first] >= low
        if not begins and mode == "contract":
            first += 1
        low, high = self._map.lows[stop], self._map.highs[stop]
        last = bisect_left(bounds, low)
        ends = bounds[last] <= high
        if not ends and mode == "contract":
            last -= 1
        return WordSpan(first, last, begins and ends)

    def _word_at(self, boundary: int) -> int:
        """The position of the target word that holds the character behind a boundary of the source."""
        number = bisect_right(self._bounds, self._map.highs[boundary]) - 1
        solid = self._onto.solid
        return self._onto.positions[solid[min(number, len(solid) - 1)]] if solid else 0

    def _positions(self, span: WordSpan) -> list[int]:
        if span.start >= span.stop:
            return []
        solid = self._onto.solid
        return self._onto.positions[solid[span.start] : solid[span.stop - 1] + 1]

    def _place_nodes(self) -> Iterator[tuple[int, int]]:
        """The empty nodes of the source, and where they are in the target: each behind its word.

        A node keeps its number, unless there is another one of this number behind the word of the target.
        """
        taken: set[int] = set()
        for sentence in self._source.sentences:
            for node in sentence.nodes if sentence.unusual else ():
                if node & MINOR_MASK:
                    place = self._word_before(node) | node & MINOR_MASK
                    while place in taken:
                        place += 1
                    taken.add(place)
                    yield node, place

    def _word_before(self, node: int) -> int:
        """The position of the target word that an empty node of the source follows; word 0 begins a sentence."""
        sentence, word, _ = coordinates(node)
        starts, bounds = self._from.starts, self._bounds
        index = self._from.first_words[sentence]
        target = self._target.sentences
        if word:
            boundary = starts[index + word]
            number = bisect_left(bounds, self._map.lows[boundary]) - 1
        else:
            boundary = starts[index]
            number = bisect_right(bounds, self._map.highs[boundary]) - 1
            is_exact = bounds[number] >= self._map.lows[boundary]
            if is_exact and number < len(self._onto.solid):
                place = self._onto.positions[self._onto.solid[number]]
                if coordinates(place)[1] == 1:
                    return position(place >> SENTENCE_SHIFT, 0)
            number -= is_exact
        solid = self._onto.solid
        if number < 0 or not solid:
            return position(target[0].number if target else sentence, 0)
        return self._onto.positions[solid[min(number, len(solid) - 1)]]

    def _place(self, place: int) -> int:
        """The position in the target of one word or empty node of the source."""
        if place & MINOR_MASK:
            return self._nodes[place] if place in self._nodes else self._word_before(place) | place & MINOR_MASK
        return self._word_at(self._from.starts[self._from.index(place)])

    # ---------------------------------------------------------------- mentions

    def project(self, document: Document) -> Document:
        """The document over the words of the target; its mentions are counted."""
        new = self._project(document, self._tally)
        return new._replace(official=self._project(document.official, Counter())) if document.official else new

    def _project(self, document: Document, tally: Counter[str]) -> Document:
        new_mentions: dict[Mention, Mention | None] = {}

        def change(mention: Mention) -> Mention | None:
            if mention not in new_mentions:
                new_mentions[mention] = self._mention(mention)[0]
            return new_mentions[mention]

        entities: list[Entity] = []
        for entity in document.entities:
            members: dict[tuple[object, ...], Mention] = {}
            for mention in entity:
                new, status = self._mention(mention)
                tally[status] += 1
                if new is not None:
                    words = same_words(new)
                    tally["merged"] += words in members
                    new = members.setdefault(words, new)
                new_mentions.setdefault(mention, new)
            entities.append(tuple(sorted(members.values(), key=mention_order)))
        kept = [index for index, entity in enumerate(entities) if entity]
        if any(new is None for new in new_mentions.values()):
            kept.sort(key=lambda index: entities[index][0].first)
        new_document = document.replace_entities(kept, tuple([entities[index] for index in kept]))
        return new_document._replace(
            relations=tuple(map(_without_repeats, changed_relations(document.relations, change))),
            deixis=self._layer(document.deixis) if document.deixis else None,
            sentences=self._sentences,
            largest_minor=max([document.largest_minor, *(place & MINOR_MASK for place in self._nodes.values())]),
            counts_characters=False,
        )

    def _layer(self, deixis: Document) -> Document:
        return deixis.both(lambda layer: self._project(layer, Counter()))

    def _mention(self, mention: Mention) -> tuple[Mention | None, str]:
        """The mention in the target, None if no word of it is there; and whether it is exact, expanded and so on."""
        starts = self._from.starts
        if not mention.broken and not mention.first & MINOR_MASK:
            spans = [self._span(starts[self._from.index(mention.first)], starts[self._from.index(mention.last) + 1])]
            positions, nodes = self._positions(spans[0]), []
        else:
            runs = [range(first, last + 1, NEXT_WORD) for first, last in mention.runs if first & MINOR_MASK]
            nodes = list(chain.from_iterable(runs))
            spans = [self._span(*part) for part in self._parts(mention)]
            listed = chain.from_iterable(map(self._positions, spans))
            words = sorted(listed) if mention.broken and mention.repeats else sorted(set(listed))
            positions = sorted([*words, *map(self._place, nodes)])
        is_exact = all(span.exact for span in spans)
        if self._mode == "strict" and not (is_exact and all(span.start < span.stop for span in spans)):
            self._refuse(mention)
        if not positions:
            return None, "dropped"
        head = self._place(mention.head)
        head = head if head in positions else positions[0]
        dependencies = tuple((self._parent(parent, head), relation) for parent, relation in mention.dependencies)
        new = Mention(positions, head, dependencies)
        if mention.minimum:
            minimum = tuple(sorted(self._minimum(mention).intersection(positions)))
            new = MentionWithMinimum(positions, head, dependencies, minimum) if minimum else new
        return new, "exact" if is_exact else f"{self._mode}ed"

    def _parts(self, mention: Mention) -> list[tuple[int, int]]:
        """The words of a mention as stretches of characters; those that touch are one."""
        starts = self._from.starts
        parts: list[tuple[int, int]] = []
        firsts, lasts = ends_of(mention.broken) if mention.broken else ([], [])
        for first, last in zip(firsts, lasts, strict=True):
            if first & MINOR_MASK:
                continue
            start, stop = starts[self._from.index(first)], starts[self._from.index(last) + 1]
            if parts and parts[-1][1] == start:
                start = parts.pop()[0]
            parts.append((start, stop))
        return parts

    def _minimum(self, mention: Mention) -> set[int]:
        starts = self._from.starts
        places: set[int] = set()
        for place in mention.minimum:
            if place & MINOR_MASK:
                places.add(self._place(place))
            else:
                index = self._from.index(place)
                places.update(self._positions(self._span(starts[index], starts[index + 1])))
        return places

    def _parent(self, parent: int, head: int) -> int:
        """The position of what a head depends on; the root of a sentence is word 0 of that of the head."""
        if not parent & WORD_MASK:
            return position(head >> SENTENCE_SHIFT, 0)
        return self._place(parent)

    def _refuse(self, mention: Mention) -> NoReturn:
        document = self._source
        text = ("" if document.counts_characters else " ").join(document.words_of(mention))
        shown = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
        raise InputError(
            f"the mention {shown!r} does not begin and end with words of {self._target.path}",
            path=document.path,
            line=document.line_of(mention.first),
            hint="--align expand adds the rest of these words, --align contract leaves them out",
            code="between-words",
        )

    # ---------------------------------------------------------------- sentences

    def _make_sentences(self) -> tuple[Sentence, ...]:
        """The sentences of the target with the empty nodes of the source; lines are those of the source."""
        nodes: dict[int, list[tuple[int, list[str]]]] = {}
        for node, place in self._nodes.items():
            columns = self._source.sentence_of(node).columns(node_name(node))
            if len(columns) == 10:
                columns = [node_name(place), *columns[1:8], self._renamed(columns[8], node, place), columns[9]]
                nodes.setdefault(place >> SENTENCE_SHIFT, []).append((place, columns))
        lines = self._lines_of_sentences()
        return tuple(
            [
                _projected(sentence, line, sorted(nodes.get(sentence.number, [])))
                for sentence, line in zip(self._target.sentences, lines, strict=True)
            ]
        )

    def _renamed(self, deps: str, node: int, place: int) -> str:
        """Enhanced dependencies with the numbers that words have in the target; those elsewhere are left out."""
        dependencies = zero_dependencies(self._source.sentence_of(node), node)
        moved = [(self._parent(parent, place), relation) for parent, relation in dependencies]
        inside = [
            f"{node_name(parent)}:{relation}"
            for parent, relation in moved
            if parent >> SENTENCE_SHIFT == place >> SENTENCE_SHIFT
        ]
        return "|".join(inside) or (deps if not dependencies else "_")

    def _lines_of_sentences(self) -> list[int]:
        """The line of the source on which each sentence of the target begins, as nearly as it is known."""
        lines, line = [], self._source.sentences[0].line if self._source.sentences else 0
        highs, solid = self._map.highs, self._from.solid
        at = 0
        for sentence in self._target.sentences:
            begins = 2 * self._onto.starts[self._onto.first_words[sentence.number]]
            while at < len(solid) and highs[self._from.starts[solid[at]]] < begins:
                at += 1
            if at < len(solid):
                line = self._source.line_of(self._from.positions[solid[at]])
            lines.append(line)
        return lines


def _projected(sentence: Sentence, line: int, nodes: Sequence[tuple[int, list[str]]]) -> Sentence:
    """A sentence with other empty nodes than its own."""
    if type(sentence) is not Sentence:
        return sentence  # a format that has sentences of its own
    unusual, lines = sentence.unusual, sentence.lines
    if nodes or sentence.empty:
        own = set(sentence.empty)
        unusual = [name for name in unusual if name not in own]
        lines = [text for text in lines if text.partition("\t")[0] not in own]
    if nodes:
        unusual = [*unusual, *(columns[0] for _, columns in nodes)]
        lines = _with_nodes(sentence, lines, nodes)
    return BorrowedSentence(sentence.id, sentence.number, line, sentence.words, unusual, lines)


def _with_nodes(sentence: Sentence, lines: Sequence[str], nodes: Sequence[tuple[int, list[str]]]) -> list[str]:
    """The lines of a sentence and of empty nodes, each behind its word."""
    if not all(len(sentence.conllu_of(word)) == 10 for word in range(1, len(sentence.words) + 1)):
        lines = ["\t".join([*word.split("\t", 1), *"________"]) for word in sentence.words]
    behind: dict[int, list[str]] = {}
    for place, columns in nodes:
        behind.setdefault(coordinates(place)[1], []).append("\t".join(columns))
    new = []
    for text in lines:
        name = text.partition("\t")[0]
        if not is_comment(text):
            new += behind.pop(0, [])
        new.append(text)
        if name.isdigit():
            new += behind.pop(int(name), [])
    return new


def _without_repeats(relation: Relation) -> Relation:
    def once(entity: Entity) -> Entity:
        return tuple(
            sorted({same_words(mention): mention for mention in reversed(entity)}.values(), key=mention_order)
        )

    return relation._replace(anaphor=once(relation.anaphor), targets=tuple(map(once, relation.targets)))
