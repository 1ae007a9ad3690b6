"""The words of a document and the empty nodes of all its sides, numbered in the order of the text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from ...base.document import Document
from ...base.mention import Mention
from ...base.positions import MINOR_MASK, SENTENCE_SHIFT, decimal, node_name, runs_of, shown_id
from ...count.relations.elements import mentions_of
from .spacing import form_of, joints

Plain = list[Any]


class NumberedNodes:
    """Numbers for words and empty nodes, the same for key and responses.

    Side 0 is the key, side 1 the first response, and so on. Of empty nodes only those are numbered that stand in
    mentions. Where mentions are ids, of documents without words, each id is a node. Where words are not compared, a
    response may have words beyond those of a sentence of the key: they follow these.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self._empty = [
            {position for position in _positions(document) if position & MINOR_MASK} for document in documents
        ]
        self._zeros = sorted(set().union(*self._empty))
        by_sentence: dict[int, list[int]] = {}
        for zero in self._zeros:
            by_sentence.setdefault(zero >> SENTENCE_SHIFT, []).append(zero)
        self._longest = [
            max(alike, key=lambda sentence: len(sentence.words))  # the key's if they are equally long
            for alike in zip(*[document.sentences for document in documents], strict=True)
        ]
        self._sentences = [sorted([*each.positions, *by_sentence.get(each.number, ())]) for each in self._longest]
        if not self._sentences:
            self._sentences = [sorted(set(chain.from_iterable(map(_positions, documents))))]
        self._numbers = {node: number for number, node in enumerate(chain.from_iterable(self._sentences))}
        self._decimal = {decimal(zero): zero for zero in reversed(self._zeros)}
        self._absent = [{self._numbers[zero] for zero in self._zeros if zero not in own} for own in self._empty]

    def number(self, position: int) -> int:
        """The number of the node at a position; also where a rule set read its id as a decimal number."""
        number = self._numbers.get(position)
        return self._numbers[self._decimal[decimal(position)]] if number is None else number

    def runs(self, mention: Mention, side: int) -> tuple[int, ...]:
        """First and last node of every unbroken part of a mention: (first, last, first, last, …)."""
        numbers = [self.number(position) for position in mention.positions]
        ends: list[int] = []
        for first, last in runs_of(numbers):
            if ends and self._absent[side].issuperset(range(ends[-1] + 1, first)):
                ends[-1] = last  # in between is nothing that this side has
            else:
                ends += [first, last]
        return tuple(ends)

    def sentences(self) -> list[Plain]:
        """For each sentence its id, line, words, and where no blank follows; empty nodes are empty words."""
        if not self._documents[0].sentences:
            ids = list(map(shown_id, self._sentences[0]))
            return [["", 0, ids, [], []]] if ids else []
        plain: list[Plain] = []
        for sentence, longest, nodes in zip(
            self._documents[0].sentences, self._longest, self._sentences, strict=True
        ):
            indexes = [index for index, node in enumerate(nodes) if not node & MINOR_MASK]  # those of words
            forms = [""] * len(nodes)
            for index, word in zip(indexes, [*sentence.words, *longest.words[len(sentence.words) :]], strict=True):
                forms[index] = form_of(word)
            unspaced, glued = (
                [indexes[word - 1] for word in words if word <= len(indexes)] for words in joints(sentence)
            )
            plain.append([sentence.id, sentence.line, forms, unspaced, glued])
        return plain

    def zeros(self, relations: Sequence[dict[int, str]]) -> list[Plain]:
        """For each empty node its number, id, and what sides (as bits) say of it: form and dependencies.

        ``relations`` has for each side what empty nodes depend on, in words.
        """
        plain: list[Plain] = []
        for zero in self._zeros:
            number = self._numbers[zero]
            variants: dict[tuple[str, str], int] = {}
            for side, own in enumerate(self._empty):
                if zero in own:
                    form = self._documents[side].form(zero)
                    variant = "" if form == "_" else form, relations[side].get(number, "")
                    variants[variant] = variants.get(variant, 0) | 1 << side
            plain.append([number, node_name(zero), [[sides, *variant] for variant, sides in variants.items()]])
        return plain


def _positions(document: Document) -> set[int]:
    """The positions of all mentions, of entities and of relations, and of discourse deixis."""
    layers = [document, document.deixis] if document.deixis else [document]
    return {position for layer in layers for mention in mentions_of(layer) for position in mention.positions}
