"""Skeleton: the original words and zeros that printed text is read over, and documents made from it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..core.document import Document, Mention, Sentence, is_comment, mention_order
from ..core.positions import MINOR_MASK, NEXT_WORD, SENTENCE_SHIFT, WORD_SHIFT, parse_position, position
from ..formats.corefud.nodes import BasicTree, NewNode, Nodes, with_empty_nodes, zero_dependencies
from ..formats.sentences import BorrowedSentence, forms_of
from ..formats.ua.lines import UASentence

DEPS = 8
BLANKS = re.compile(r"\s+")
LAST_MINOR = 99
"""Maximum number of empty nodes after one word; only a model that repeats itself prints more."""

Entities = dict[str, dict[tuple[int, int], None]]
"""First and last position of the mentions of each entity."""


class KeyZero(NamedTuple):
    """An empty node of the skeleton. Slot n is the place after word n of the document; slot -1 is its beginning."""

    place: int
    form: str
    """Empty if it has none."""
    slot: int
    governor: int
    """Slot after the word that governs it: of several, the highest in the tree."""
    parents: tuple[int, ...] = ()
    """Slots after all words that govern it."""


class SkeletonIndex:
    """Words of a document, numbered from 0, and its zeros."""

    def __init__(self, document: Document) -> None:
        self.document = document
        sentences = document.sentences
        self.forms: list[str] = [form for sentence in sentences for form in forms_of(sentence)]
        self.places: list[int] = [place for sentence in sentences for place in sentence.positions]
        self.zeros: list[KeyZero] = []
        before = 0
        for sentence in sentences:
            if sentence.empty:
                self.zeros += _SentenceZeros(sentence, before).find()
            before += len(sentence.words)

    def last_of_sentence(self, word: int) -> int:
        """Number of the last word in the sentence of a word."""
        end = (self.places[word] >> SENTENCE_SHIFT) + 1 << SENTENCE_SHIFT
        return bisect_right(self.places, end) - 1

    def greatest_minors(self) -> dict[int, int]:
        """Greatest number after the point of the empty nodes after each word, by the place of the word."""
        minors: dict[int, int] = {}
        for zero in self.zeros:
            word = zero.place & ~MINOR_MASK
            minors[word] = max(minors.get(word, 0), zero.place & MINOR_MASK)
        return minors

    def add_zero(self, slot: int, minors: dict[int, int]) -> int | None:
        """Position of one more empty node in a slot; None if there are too many, or no words. Updates ``minors``."""
        if not self.places:
            return None
        word = self.places[slot] if slot >= 0 else position(self.document.sentences[0].number, 0)
        minor = minors.get(word, 0) + 1
        if minor > LAST_MINOR:
            return None
        minors[word] = minor
        return word + minor


class _SentenceZeros:
    """Empty nodes of one sentence, which ``before`` words of the document precede."""

    def __init__(self, sentence: Sentence, before: int) -> None:
        self._number, self._before = sentence.number, before
        self._keeps_place = isinstance(sentence, UASentence)
        """Whether a zero without governor is printed where it is in the file: CoNLL-UA rarely names governors."""
        if isinstance(sentence, UASentence):
            rows = [cells for _, cells in sentence.conllu_rows]
        else:
            rows = [line.split("\t") for line in sentence.lines if line and not is_comment(line)]
        self._heads = [row[6] for row in rows if row[0].isdigit()]
        self._empty = {row[0]: row for row in rows if "." in row[0]}

    def find(self) -> list[KeyZero]:
        """All of them, in order."""
        places = {name: parse_position(self._number, name) for name in self._empty}
        return sorted(self._zero(place, self._empty[name]) for name, place in places.items() if place is not None)

    def _zero(self, place: int, row: Sequence[str]) -> KeyZero:
        own = place - (self._number << SENTENCE_SHIFT) >> WORD_SHIFT
        words = [self._word(name, 0) for name in _parents(row)] or [own if self._keeps_place else 0]
        governor = min(words, key=self._depth) if len(words) > 1 else words[0]
        slots = [self._before + word - 1 for word in (own, governor, *words)]
        return KeyZero(place, "" if row[1] == "_" else row[1], slots[0], slots[1], tuple(slots[2:]))

    def _word(self, name: str, steps: int) -> int:
        """Number of a word; of an empty node, that of the word that governs it; 0 for the root."""
        if "." in name:
            above = _parents(self._empty[name]) if name in self._empty and steps < len(self._empty) else []
            return self._word(above[0], steps + 1) if above else 0
        word = (parse_position(0, name) or 0) >> WORD_SHIFT
        return word if word <= len(self._heads) else 0

    def _depth(self, word: int) -> int:
        """Depth of a word in the tree; more than the number of words in a cycle."""
        depth, seen = 0, set[int]()
        while word and word not in seen:
            seen.add(word)
            word = self._word(self._heads[word - 1], 0)
            depth += 1
        return depth if not word else len(self._heads) + 1


def _parents(row: Sequence[str]) -> list[str]:
    """Ids of the nodes that an empty node depends on."""
    return [item.partition(":")[0] for item in row[DEPS].split("|") if item != "_"]


def as_conllu(document: Document) -> Document:
    """A document of a format without empty nodes, with its words as lines of CoNLL-U, to which some can be added."""
    sentences = []
    for sentence in document.sentences:
        names_and_forms = [word.partition("\t")[::2] for word in sentence.words]
        rows = [[name, BLANKS.sub("_", form) or "_", *"________"] for name, form in names_and_forms]
        sentences.append(sentence._replace(lines=["\t".join(row) for row in rows]))
    return document._replace(sentences=tuple(sentences))


class PrintedUASentence(UASentence):
    """A sentence of a CoNLL-UA skeleton, whose token lines are found by counting, not in the printed text."""

    __slots__ = ()

    line_of = BorrowedSentence.line_of


def build_document(
    document: Document, entities: Entities, new_zeros: Iterable[tuple[int, str]], lines: Sequence[int], path: str
) -> Document:
    """Build a document from the skeleton, its entities, and additional zeros (position and form).

    ``lines`` are the lines of the printed text on which its sentences begin.
    """
    new_nodes: dict[int, list[NewNode]] = {}
    for place, form in new_zeros:
        word = place & ~MINOR_MASK
        relation = "dep" if word & ((1 << SENTENCE_SHIFT) - 1) else "root"
        new_nodes.setdefault(place >> SENTENCE_SHIFT, []).append(NewNode(place, ((word, relation),), form or "_"))
    sentences: list[Sentence] = []
    for sentence, line in zip(document.sentences, lines, strict=True):
        if sentence.number in new_nodes:
            sentence = with_empty_nodes(sentence, new_nodes[sentence.number])
        kind = PrintedUASentence if isinstance(sentence, UASentence) else BorrowedSentence
        sentences.append(kind(*sentence._replace(line=line)))
    mentions = MentionBuilder(document._replace(sentences=tuple(sentences)))
    rows = []
    for id_, spans in entities.items():
        members = sorted((mentions.build(*span) for span in spans), key=mention_order)
        rows.append((members[0][:3], id_, tuple(members)))
    rows.sort()
    return Document(
        document.id,
        tuple(members for _, _, members in rows),
        entity_ids=tuple(id_ for _, id_, _ in rows),
        sentences=tuple(sentences),
        path=path,
        largest_minor=max((int(name.partition(".")[2]) for each in sentences for name in each.empty), default=0),
        local_ids=True,
    )


class MentionBuilder:
    """Builder of mentions from first and last position, with heads from the trees.

    The head is the first word that depends on a word outside the mention; the head of a zero is the zero.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._known: dict[int, tuple[Sentence, Nodes | None, BasicTree]] = {}
        """Sentences by number, their nodes if some are empty, and their trees."""

    def build(self, first: int, last: int) -> Mention:
        """The mention from one position to another."""
        sentence, nodes, _ = self._around(first)
        positions = nodes.between(first, last) if nodes else range(first, last + 1, NEXT_WORD)
        head = self.head(first, last)
        if not head & MINOR_MASK:
            return Mention(positions, head)
        if isinstance(sentence, UASentence):
            return Mention(positions, head, sentence.dependencies.get(head, ()))
        return Mention(positions, head, zero_dependencies(sentence, head))

    def _around(self, place: int) -> tuple[Sentence, Nodes | None, BasicTree]:
        number = place >> SENTENCE_SHIFT
        if number not in self._known:
            sentence = self._document.sentence_of(place)
            nodes = Nodes(list(sentence.nodes), {}) if sentence.empty else None
            self._known[number] = sentence, nodes, BasicTree(sentence)
        return self._known[number]

    def head(self, first: int, last: int) -> int:
        """The head of the mention from one position to another."""
        word = first if not first & MINOR_MASK else (first & ~MINOR_MASK) + NEXT_WORD
        if word >= last:
            return word if word == last else first
        tree = self._around(first)[2]
        for each in range(word, last + 1, NEXT_WORD):
            parent = tree.parent(each)
            if parent is None or not first <= parent <= last:
                return each
        return word
