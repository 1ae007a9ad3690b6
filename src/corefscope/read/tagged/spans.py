"""From first and last positions to a document over the sentences of the skeleton."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.document import Document, Sentence
from ...base.mention import Mention, mention_order
from ...base.positions import MINOR_MASK, NEXT_WORD, SENTENCE_SHIFT
from ..corefud.nodes import NewNode, Nodes, parents, with_empty_nodes, zero_dependencies
from ..ua.lines import UASentence
from .frame import Frame
from .placing import Entities, NewZero

RELATION = "dep"
ROOT = "root"


class PrintedSentence(Sentence):
    """A sentence of the skeleton; ``line`` is where it begins in the text."""

    __slots__ = ()

    def line_of(self, position: int) -> int:  # noqa: ARG002
        """The line of the sentence: the text has no lines for words."""
        return self.line


class PrintedUASentence(UASentence):
    """The same of a CoNLL-UA skeleton, whose token lines are found by counting."""

    __slots__ = ()

    line_of = PrintedSentence.line_of


def over(frame: Frame, entities: Entities, new_zeros: Sequence[NewZero], lines: Sequence[int], path: str) -> Document:
    """The document with these entities, and with empty nodes that the skeleton does not have.

    ``lines`` are those of the text in which its sentences begin.
    """
    document = _grown(frame, new_zeros)
    sentences = [
        (PrintedUASentence if isinstance(sentence, UASentence) else PrintedSentence)(*sentence._replace(line=line))
        for sentence, line in zip(document.sentences, lines, strict=True)
    ]
    document = document._replace(sentences=tuple(sentences))
    mentions = MentionsOver(document)
    rows = []
    for id_, spans in entities.items():
        members = sorted((mentions.over(*span) for span in spans), key=mention_order)
        rows.append((members[0][:3], id_, tuple(members)))
    rows.sort()
    empty = [name.partition(".")[2] for sentence in document.sentences for name in sentence.empty]
    return Document(
        document.id,
        tuple(members for _, _, members in rows),
        entity_ids=tuple(id_ for _, id_, _ in rows),
        sentences=document.sentences,
        path=path,
        largest_minor=max(map(int, empty), default=0),
        local_ids=True,
    )


def _grown(frame: Frame, new_zeros: Sequence[NewZero]) -> Document:
    document = frame.document
    if not new_zeros:
        return document
    by_sentence: dict[int, list[NewNode]] = {}
    for place, form, _ in new_zeros:
        word = place & ~MINOR_MASK
        relation = RELATION if word & ((1 << SENTENCE_SHIFT) - 1) else ROOT
        node = NewNode(place, ((word, relation),), form or "_")
        by_sentence.setdefault(place >> SENTENCE_SHIFT, []).append(node)
    sentences = [
        with_empty_nodes(sentence, by_sentence[sentence.number]) if sentence.number in by_sentence else sentence
        for sentence in document.sentences
    ]
    return document._replace(sentences=tuple(sentences))


class MentionsOver:
    """Mentions over the sentences of a document, their heads found in the trees.

    The head is the first word that depends on a word outside of the mention; that of a zero is the zero.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._nodes: dict[int, Nodes | None] = {}
        self._parents: dict[int, dict[int, int | None]] = {}

    def over(self, first: int, last: int) -> Mention:
        """The mention from one position to another."""
        sentence = self._document.sentence_of(first)
        if sentence.number not in self._nodes:
            self._nodes[sentence.number] = Nodes(list(sentence.nodes), {}) if sentence.empty else None
        nodes = self._nodes[sentence.number]
        positions = nodes.between(first, last) if nodes else range(first, last + 1, NEXT_WORD)
        head = self._head(sentence, first, last)
        if isinstance(sentence, UASentence):
            return Mention(positions, head, sentence.dependencies.get(head, ()) if head & MINOR_MASK else ())
        return Mention(positions, head, zero_dependencies(sentence, head))

    def _head(self, sentence: Sentence, first: int, last: int) -> int:
        word = first if not first & MINOR_MASK else (first & ~MINOR_MASK) + NEXT_WORD
        if word >= last:
            return word if word == last else first
        if sentence.number not in self._parents:
            self._parents[sentence.number] = parents(sentence)
        above = self._parents[sentence.number]
        for each in range(word, last + 1, NEXT_WORD):
            parent = above.get(each)
            if parent is None or not first <= parent <= last:
                return each
        return word
