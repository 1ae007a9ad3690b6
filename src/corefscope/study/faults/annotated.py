"""Mentions and entities as they stand in the file, for those that have been prepared and numbered."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cached_property

from ...base.document import Document
from ...base.mention import Mention
from ...base.positions import (
    DECIMAL,
    MINOR_MASK,
    NEXT_WORD,
    SENTENCE_SHIFT,
    WORD_MASK,
    WORD_SHIFT,
    decimal,
    in_file,
    node_name,
    shown_id,
)
from ...match.alignment import NONE, Side
from ...match.assignment import assign
from ...read.numbered import NumberedWords

ZERO = "∅"
GAP = "…"
OUTWEIGHS_SIZES = 1 << 32  # more than all mentions of a document


class Annotated:
    """A side of an alignment and the document it was made from."""

    def __init__(self, document: Document, side: Side) -> None:
        self.document, self.side = document, side

    @cached_property
    def origins(self) -> list[int]:
        """By entity its number in the document; NONE if the rules made it."""
        return origins(self.document, self.side)

    def name(self, i: int) -> str:
        """The id of an entity in its file; if there is none, its number."""
        ids, origin = self.document.entity_ids, self.origins[i]
        return ids[origin] if ids and origin != NONE else str(i + 1)

    def type_of(self, i: int) -> str:
        """The type of an entity, empty if it has none."""
        types, origin = self.document.entity_types, self.origins[i]
        return types[origin] if types and origin != NONE else ""

    def mention(self, number: int) -> Mention:
        """A mention with positions that the file has."""
        return self.in_file(self.side.mentions[number])

    @staticmethod
    def in_file(mention: Mention) -> Mention:
        """The same of a mention as the rules read it."""
        nodes = mention.runs if mention.broken or mention.first & MINOR_MASK else ()  # those of a run are alike
        if not any(first & MINOR_MASK >= DECIMAL for first, _ in nodes):
            return mention
        return mention._replace(positions=tuple(map(in_file, mention.positions)), head=in_file(mention.head))

    def sentence(self, mention: Mention) -> str:
        """The id of the sentence in which a mention begins, or its number."""
        if not self.document.sentences:
            return ""
        sentence = self.document.sentence_of(mention.first)
        return sentence.id or str(sentence.number)

    def text(self, mention: Mention) -> str:
        """The words of a mention: a zero is ∅, and where words are left out is an ellipsis. Of an id, the id."""
        if not self.document.sentences:
            return shown_id(mention.head)
        words: list[str] = []
        before = mention.first
        for first, last in mention.runs:
            # Neighbours are no gap, whatever empty nodes are between them; nor is the end of a sentence.
            if NEXT_WORD < (first | MINOR_MASK) - (before | MINOR_MASK) < 1 << SENTENCE_SHIFT:
                words.append(GAP)
            words += self._words(first, last)
            before = last
        return " ".join(words)

    def _words(self, first: int, last: int) -> list[str]:
        """The words of a run: of words, or of empty nodes."""
        if first & MINOR_MASK:
            return [self.word(position) for position in range(first, last + 1, NEXT_WORD)]
        words = self.document.sentence_of(first).words
        inside = slice(((first & WORD_MASK) >> WORD_SHIFT) - 1, (last & WORD_MASK) >> WORD_SHIFT)
        if isinstance(words, NumberedWords):
            return list(words.forms[inside])
        return [word.partition("\t")[2] for word in words[inside]]

    def word(self, position: int) -> str:
        """The word at a position; an empty node is ∅, followed by its form if it has one."""
        if not position & MINOR_MASK:
            return self.document.form(position)
        sentence, name = self.document.sentence_of(position), node_name(position)
        form = sentence.columns(name)[1] if name in sentence.unusual else "_"
        return ZERO if form == "_" else ZERO + form


def origins(document: Document, side: Side) -> list[int]:
    """The entity of the document that each entity of the side was: itself, or one that has its mentions, or NONE.

    Entities that were changed are assigned to the remaining ones one to one, so that as many mentions as possible are
    common; of equal choices, so that as few others as possible are left over.
    """
    numbers = {id(entity): number for number, entity in enumerate(document.entities)}
    matched = [numbers.get(id(entity), NONE) for entity in side.members]
    changed = [i for i, origin in enumerate(matched) if origin == NONE]
    if not changed:
        return matched
    holders: dict[frozenset[int], set[int]] = defaultdict(set)
    for origin in set(range(len(document.entities))).difference(matched):
        for mention in document.entities[origin]:
            holders[_words(mention)].add(origin)
    weights = []
    for i in changed:
        common = Counter(origin for mention in side.members[i] for origin in holders.get(_words(mention), ()))
        weights.append({o: n * OUTWEIGHS_SIZES - len(document.entities[o]) for o, n in common.items()})
    for row, origin in assign(weights, len(document.entities)):
        if origin in weights[row]:
            matched[changed[row]] = origin
    return matched


def _words(mention: Mention) -> frozenset[int]:
    """The words of a mention, the same for all ways in which rules read positions."""
    return frozenset(map(decimal, mention.positions))
