"""Noise in zeros: empty nodes that are not found, invented, or attached to the wrong word.

Empty nodes of the key stay in the text, so that spans around them stay as they are; only mentions leave them. New
empty nodes stand where no span has words on both sides of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from ...base.document import Document, Mention, Sentence
from ...base.positions import MINOR_MASK, SENTENCE_SHIFT, WORD_SHIFT, node_name
from .changes import Changes
from .draws import Draws
from .mentions import coreferent, dropping, joining
from .spans import replacing
from .text import plain_words_of

VERBS = ("VERB", "AUX")
LAST_MINOR = 9  # scorers disagree about empty nodes .10 and up
ADDED_RELATION = "nsubj"


def zero_drop(document: Document, draws: Draws) -> Changes:
    """Zeros are left out."""
    return dropping(document, list(_zeros(document)), draws)


def zero_add(document: Document, draws: Draws) -> Changes:
    """Zeros that are none join entities: as many as there are zeros, each the subject of a verb that has no zero."""
    count = sum(1 for _ in _zeros(document))
    new: list[tuple[int, Mention]] = []
    if count:
        slots = _Slots(document)
        targets = coreferent(document)
        parents = [parent for sentence in document.sentences for parent in slots.parents(sentence)]
        verbs = {place for sentence in document.sentences for place in _verbs(sentence)}
        ordered = sorted(draws.shuffled(parents), key=lambda parent: parent not in verbs)
        for parent in ordered:
            if len(new) < count and (place := slots.take(parent)) is not None:
                new.append((draws.pick(targets), Mention((place,), place, ((parent, ADDED_RELATION),))))
    return _with_nodes(document, joining(document, new), [mention for _, mention in new])


def zero_misattach(document: Document, draws: Draws) -> Changes:
    """Zeros depend on another word, and stand next to it; their entities stay the same."""
    zeros = [
        ((i, at), mention)
        for i, entity in enumerate(document.entities)
        for at, mention in enumerate(entity)
        if mention.is_zero and len(mention.positions) == 1 and mention.dependencies and document.sentences
    ]
    replaced = []
    if zeros:
        slots = _Slots(document)
        sentences = {sentence.number: sentence for sentence in document.sentences}
        for where, mention in draws.shuffled(zeros):
            sentence = sentences[mention.head >> SENTENCE_SHIFT]
            free = slots.parents(sentence)
            parents = [place for place in _verbs(sentence) if place in free] or free
            parent = draws.pick(parents) if parents else None
            place = slots.take(parent) if parent is not None else None
            if parent is not None and place is not None:
                replaced.append((where, Mention((place,), place, ((parent, mention.dependencies[0][1]),))))
    return _with_nodes(document, replacing(document, replaced), [mention for _, mention in replaced])


def _zeros(document: Document) -> Iterator[Mention]:
    return (mention for entity in document.entities for mention in entity if mention.is_zero)


def _verbs(sentence: Sentence) -> list[int]:
    """The verbs of a sentence of CoNLL-U; of another format, none."""
    rows = [line.split("\t") for line in sentence.text.split("\n")]
    verbs = {row[0] for row in rows if len(row) == 10 and row[3] in VERBS}
    return [place for place in plain_words_of(sentence) if node_name(place) in verbs]


class _Slots:
    """Where new empty nodes can stand."""

    def __init__(self, document: Document) -> None:
        mentions = [mention for entity in document.entities for mention in entity]
        self._occupied = {parent for mention in mentions for parent, _ in mention.dependencies}
        self._spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for mention in mentions:
            first, last = mention.positions[0], mention.positions[-1]
            self._spans[first >> SENTENCE_SHIFT].append((first, last))
        self._last_word: dict[int, int] = {}
        self._minors: dict[int, int] = defaultdict(int)
        for sentence in document.sentences:
            start = sentence.number << SENTENCE_SHIFT
            self._last_word[sentence.number] = start | len(sentence.words) << WORD_SHIFT
            for name in sentence.empty:
                word, _, minor = name.partition(".")
                before = start | int(word) << WORD_SHIFT
                self._minors[before] = max(self._minors[before], int(minor))

    def parents(self, sentence: Sentence) -> list[int]:
        """The words of a sentence on which no zero depends."""
        return [place for place in plain_words_of(sentence) if place not in self._occupied]

    def take(self, parent: int) -> int | None:
        """The position of a new empty node that depends on a word: before it, or at the end of the sentence."""
        sentence = parent >> SENTENCE_SHIFT
        for before in (parent - (1 << WORD_SHIFT), self._last_word[sentence]):
            place = before | self._minors[before] + 1
            inside = any(first < place < last for first, last in self._spans[sentence])
            if not inside and place & MINOR_MASK <= LAST_MINOR:
                self._minors[before] += 1
                self._occupied.add(parent)
                return place
        return None


def _with_nodes(document: Document, changes: Changes, zeros: Sequence[Mention]) -> Changes:
    """The same changes, each of which also brings the empty node of a zero into the text."""

    def make(count: int) -> Document:
        new = changes.make(count)
        by_sentence: dict[int, list[Mention]] = defaultdict(list)
        for zero in zeros[:count]:
            by_sentence[zero.head >> SENTENCE_SHIFT].append(zero)
        sentences = tuple(
            _with_empty_nodes(sentence, by_sentence[sentence.number]) if sentence.number in by_sentence else sentence
            for sentence in document.sentences
        )
        largest_minor = max([new.largest_minor, *(zero.head & MINOR_MASK for zero in zeros[:count])])
        return new._replace(sentences=sentences, largest_minor=largest_minor)

    return Changes(changes.total, make)


def _with_empty_nodes(sentence: Sentence, zeros: Sequence[Mention]) -> Sentence:
    lines = sentence.text.split("\n")
    for zero in zeros:
        dependencies = "|".join(f"{node_name(parent)}:{relation}" for parent, relation in zero.dependencies)
        name = node_name(zero.head)
        columns = [name, "_", "_", "PRON", "_", "_", "_", "_", dependencies, "_"]
        lines.insert(_line_after(lines, name), "\t".join(columns))
    return sentence._replace(
        text="\n".join(lines), unusual=[*sentence.unusual, *(node_name(zero.head) for zero in zeros)]
    )


def _line_after(lines: Sequence[str], name: str) -> int:
    r"""Where the line of an empty node belongs: after its word and earlier empty nodes, or after the comments.

    >>> _line_after(["# a comment", "1\tx", "1.1\t_", "2\ty"], "1.2"), _line_after(["# a comment", "1\tx"], "0.1")
    (3, 1)
    """
    word = name.partition(".")[0]
    numbers = [number for number, line in enumerate(lines) if line.startswith((f"{word}\t", f"{word}."))]
    if numbers:
        return numbers[-1] + 1
    return next(number for number, line in enumerate(lines) if not line.startswith("#"))
