"""Noise in zeros: empty nodes that are not found, invented, or attached to the wrong word.

Empty nodes of the key stay in the text, so that spans around them stay as they are; only mentions leave them. New
empty nodes stand where no span has words on both sides of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain

from ...base.document import Document, Sentence
from ...base.mention import Mention
from ...base.positions import MINOR_MASK, NEXT_WORD, SENTENCE_SHIFT, node_name, position
from ...read.corefud.nodes import NewNode, with_empty_nodes
from .changes import Changes, Draws, plain_words
from .mentions import coreferent, dropping, joining, numbered_mentions, replacing

VERBS = ("VERB", "AUX")
LAST_MINOR = 9  # scorers disagree about empty nodes .10 and up
ADDED_RELATION = "nsubj"


def zero_drop(document: Document, draws: Draws) -> Changes:
    """Zeros are left out."""
    return dropping(document, _zeros(document), draws)


def zero_add(document: Document, draws: Draws) -> Changes:
    """Zeros that are none join entities: as many as there are zeros, each the subject of a verb that has no zero."""
    count = len(_zeros(document))
    new: list[tuple[int | None, Mention]] = []
    if count:
        slots = _Slots(document)
        targets = coreferent(document)
        parents = [parent for sentence in document.sentences for parent in slots.parents(sentence)]
        verbs = {verb for sentence in document.sentences for verb in _verbs(sentence)}
        verbs_first = sorted(draws.shuffled(parents), key=lambda parent: parent not in verbs)
        for parent in verbs_first:
            if len(new) < count and (node := slots.take(parent)):
                new.append((draws.pick(targets), Mention((node,), node, ((parent, ADDED_RELATION),))))
    return _with_nodes(document, joining(document, new), [mention for _, mention in new])


def zero_misattach(document: Document, draws: Draws) -> Changes:
    """Zeros depend on another word, and stand next to it; their entities stay the same."""
    zeros = [
        (numbers, mention)
        for numbers, mention in numbered_mentions(document)
        if mention.is_zero and mention.size == 1 and mention.dependencies and document.sentences
    ]
    replaced = []
    slots = _Slots(document)
    for numbers, mention in draws.shuffled(zeros):
        sentence = document.sentence_of(mention.head)
        free = slots.parents(sentence)
        parents = [verb for verb in _verbs(sentence) if verb in free] or free
        if parents:
            parent = draws.pick(parents)
            if node := slots.take(parent):
                replaced.append((numbers, Mention((node,), node, ((parent, mention.dependencies[0][1]),))))
    return _with_nodes(document, replacing(document, replaced), [mention for _, mention in replaced])


def _zeros(document: Document) -> list[Mention]:
    return [mention for entity in document.entities for mention in entity if mention.is_zero]


def _verbs(sentence: Sentence) -> list[int]:
    """The verbs of a sentence of CoNLL-U; of another format, none."""
    rows = [line.split("\t") for line in sentence.text.split("\n")]
    verbs = {row[0] for row in rows if len(row) == 10 and row[3] in VERBS}
    return [word for word in plain_words(sentence) if node_name(word) in verbs]


class _Slots:
    """Where new empty nodes can stand."""

    def __init__(self, document: Document) -> None:
        mentions = list(chain.from_iterable(document.entities))
        self._occupied = {parent for mention in mentions for parent, _ in mention.dependencies}
        self._spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for mention in mentions:
            first, last = mention.first, mention.last
            self._spans[first >> SENTENCE_SHIFT].append((first, last))
        self._last_word: dict[int, int] = {}
        self._minors: dict[int, int] = defaultdict(int)
        for sentence in document.sentences:
            self._last_word[sentence.number] = position(sentence.number, len(sentence.words))
            for node in sentence.nodes:
                self._minors[node & ~MINOR_MASK] = node & MINOR_MASK  # nodes come in order: the largest is the last

    def parents(self, sentence: Sentence) -> list[int]:
        """The words of a sentence on which no zero depends."""
        return [word for word in plain_words(sentence) if word not in self._occupied]

    def take(self, parent: int) -> int | None:
        """The position of a new empty node that depends on a word: before it, or at the end of the sentence."""
        sentence = parent >> SENTENCE_SHIFT
        for before in (parent - NEXT_WORD, self._last_word[sentence]):
            node = before | self._minors[before] + 1
            inside = any(first < node < last for first, last in self._spans[sentence])
            if not inside and node & MINOR_MASK <= LAST_MINOR:
                self._minors[before] += 1
                self._occupied.add(parent)
                return node
        return None


def _with_nodes(document: Document, changes: Changes, zeros: Sequence[Mention]) -> Changes:
    """The same changes, each of which also brings the empty node of a zero into the text."""

    def make(count: int) -> Document:
        new = changes.make(count)
        by_sentence: dict[int, list[NewNode]] = defaultdict(list)
        for zero in zeros[:count]:
            node = NewNode(zero.head, zero.dependencies, pos="PRON")
            by_sentence[zero.head >> SENTENCE_SHIFT].append(node)
        sentences = tuple(
            with_empty_nodes(sentence, by_sentence[sentence.number]) if sentence.number in by_sentence else sentence
            for sentence in document.sentences
        )
        largest_minor = max([new.largest_minor, *(zero.head & MINOR_MASK for zero in zeros[:count])])
        return new._replace(sentences=sentences, largest_minor=largest_minor)

    return Changes(changes.total, make)
