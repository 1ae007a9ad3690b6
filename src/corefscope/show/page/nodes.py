"""The words of a document and the empty nodes of all its sides, numbered in the order of the text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base.document import Document, Mention
from ...base.positions import MINOR_MASK, SENTENCE_SHIFT, decimal, node_name, position, runs_of, shown_id
from .spacing import joints

Plain = list[Any]


class Nodes:
    """Numbers for words and empty nodes, the same for key and responses.

    Side 0 is the key, side 1 the first response, and so on. Of empty nodes only those are numbered that stand in
    mentions.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self._empty = [_empty_nodes(document) for document in documents]
        self._at: dict[int, int] = {}
        self._ids: list[str] = []
        self._zeros: list[int] = []  # positions of empty nodes, in order
        by_sentence: dict[int, list[int]] = {}
        for place in sorted(set().union(*self._empty)):
            by_sentence.setdefault(place >> SENTENCE_SHIFT, []).append(place)
        if not documents[0].sentences:
            self._number_ids()
        for sentence in documents[0].sentences:
            places = [position(sentence.number, word) for word in range(1, len(sentence.words) + 1)]
            empty = by_sentence.get(sentence.number)
            if empty:
                places = sorted(places + empty)
                self._zeros += empty
            self._at.update(zip(places, range(len(self._at), len(self._at) + len(places)), strict=True))
        self._decimal = {decimal(place): place for place in reversed(self._zeros)}
        self._absent = [{self._at[place] for place in self._zeros if place not in own} for own in self._empty]

    def _number_ids(self) -> None:
        """Mentions that are ids, of documents without words: each is a node."""
        heads = {mention.head for document in self._documents for entity in document.entities for mention in entity}
        self._ids = list(map(shown_id, sorted(heads)))
        self._at = {place: number for number, place in enumerate(sorted(heads))}

    def number(self, place: int) -> int:
        """The number of the node at a position; also where a rule set read its id as a decimal number."""
        found = self._at.get(place)
        return self._at[self._decimal[decimal(place)]] if found is None else found

    def runs(self, mention: Mention, side: int) -> tuple[int, ...]:
        """First and last node of every unbroken part of a mention: (first, last, first, last, …)."""
        numbers = [self.number(place) for place in mention.positions]
        first, last = numbers[0], numbers[-1]
        if last - first == len(numbers) - 1 and numbers == list(range(first, last + 1)):
            return first, last
        absent = self._absent[side]
        found: list[int] = []
        for first, last in runs_of(numbers):
            if found and absent.issuperset(range(found[-1] + 1, first)):
                found[-1] = last
            else:
                found += [first, last]
        return tuple(found)

    def sentences(self) -> list[Plain]:
        """For each sentence its id, line, words, and where no blank follows; empty nodes are empty words."""
        found: list[Plain] = [["", 0, self._ids, [], []]] if self._ids else []
        zeros: dict[int, list[int]] = {}
        for place in self._zeros:
            zeros.setdefault(place >> SENTENCE_SHIFT, []).append(place)
        for sentence in self._documents[0].sentences:
            words = [word.partition("\t")[2] for word in sentence.words]
            unspaced, glued = joints(sentence)
            places = list(range(len(words)))
            if empty := zeros.get(sentence.number):
                start = self._at[position(sentence.number, 1)] if words else 0
                start = min(start, self._at[empty[0]])
                places = [self._at[position(sentence.number, word)] - start for word in range(1, len(words) + 1)]
                with_empty = [""] * (len(words) + len(empty))
                for place, word in zip(places, words, strict=True):
                    with_empty[place] = word
                words = with_empty
            unspaced, glued = (
                [places[word - 1] for word in some if word <= len(places)] for some in (unspaced, glued)
            )
            found.append([sentence.id, sentence.line, words, unspaced, glued])
        return found

    def zeros(self, relations: Sequence[dict[int, str]]) -> list[Plain]:
        """For each empty node its number, id, and what sides (as bits) say of it: form and dependencies.

        ``relations`` has for each side what empty nodes depend on, in words.
        """
        found: list[Plain] = []
        for place in self._zeros:
            number = self._at[place]
            variants: dict[tuple[str, str], int] = {}
            for side, own in enumerate(self._empty):
                if place in own:
                    form = self._documents[side].form(place)
                    said = "" if form == "_" else form, relations[side].get(number, "")
                    variants[said] = variants.get(said, 0) | 1 << side
            found.append([number, node_name(place), [[sides, *said] for said, sides in variants.items()]])
        return found


def _empty_nodes(document: Document) -> set[int]:
    if not document.largest_minor:
        return set()
    return {
        place
        for entity in document.entities
        for mention in entity
        for place in mention.positions
        if place & MINOR_MASK
    }
