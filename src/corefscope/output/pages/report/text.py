"""The text of a document on the page: spacing, numbered words and empty nodes, and the chains of a side."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from itertools import chain, pairwise
from typing import Any, NamedTuple

from ....analysis.errors.pairing import AnnotatedSide
from ....anaphora.plurals import mentions_of
from ....core.document import Document, Mention, Sentence
from ....core.positions import MINOR_MASK, SENTENCE_SHIFT, coordinates, decimal, node_name, runs_of, shown_id
from ....core.result import Plain

PlainError = list[Any]
"""Kind, line, entries in key and response, slices, and the other responses that share it."""

IDENTITY = ""
DEIXIS = "deixis"
NON_REFERRING = "non-referring"
UNSCORED = "unscored"
"""Mentions that a relation needs but identity does not score, such as a singleton that is an anchor."""

NO_SPACE = re.compile(r"^([0-9]+)(?:-([0-9]+))?\t[^\n]*\bSpaceAfter=No\b", flags=re.MULTILINE)
TEXT = re.compile(r"^# text = ([^\n]*)", flags=re.MULTILINE)
SURFACE = re.compile(r"^([0-9]+)-([0-9]+)\t([^\t\n]*)", flags=re.MULTILINE)
MULTIWORD = re.compile(r"([0-9]+)-([0-9]+)")
UNSPACED = re.compile(  # scripts that put no blanks between words
    "[\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f"  # Myanmar
    "\u1780-\u17ff"  # Khmer
    "\u2e80-\u31ff"  # Han radicals, punctuation, kana
    "\u3400-\u9fff"  # Han
    "\uf900-\ufaff"  # Han, compatibility
    "\ufe30-\ufe4f"  # punctuation of vertical text
    "\uff00-\uffef"  # full-width forms
    "\U00020000-\U0003ffff]"  # Han, rarer
)


def find_spacing(sentence: Sentence) -> tuple[list[int], list[int]]:
    """The words, counted from 1, before no blank, and those joined to the next by a multiword token."""
    glued: set[int] = set()
    for name in sentence.unusual:
        if token := MULTIWORD.fullmatch(name):
            glued.update(range(int(token[1]), min(int(token[2]), len(sentence.words))))
    if "SpaceAfter=No" in sentence.text:
        unspaced = sorted({int(last or first) for first, last in NO_SPACE.findall(sentence.text)})
    elif (in_text := _unspaced_in_text(sentence, glued)) is not None:
        unspaced = in_text
    else:  # the words between which their script puts no blanks
        neighbours = pairwise(map(form_of, sentence.words))
        unspaced = [
            word
            for word, (form, following) in enumerate(neighbours, 1)
            if UNSPACED.match(form[-1:]) and UNSPACED.match(following)
        ]
    return [word for word in unspaced if word not in glued], sorted(glued)


def _unspaced_in_text(sentence: Sentence, glued: set[int]) -> list[int] | None:
    """The words without a blank in ``# text``; None if it is absent or does not match the words."""
    stated = TEXT.search(sentence.text)
    if not stated:
        return None
    text, offset = stated[1], 0
    surfaces = {int(first): (int(last), form) for first, last, form in SURFACE.findall(sentence.text)}
    unspaced: list[int] = []
    word = 1
    while word <= len(sentence.words):
        last, form = surfaces.get(word, (word, form_of(sentence.words[word - 1])))
        if last < word or not text.startswith(form, offset):
            return None
        offset += len(form)
        if offset < len(text) and text[offset].isspace():
            offset = len(text) - len(text[offset:].lstrip())
        elif last not in glued:
            unspaced.append(last)
        word = last + 1
    return unspaced


def form_of(word: str) -> str:
    """The form of a word of a sentence."""
    return word.partition("\t")[2]


class NumberedNodes:
    """Numbers for words and empty nodes, the same for key and responses.

    Side 0 is the key, side 1 the first response, and so on. Only empty nodes in mentions are numbered. In documents
    without words, mentions are ids, and each id is a node. Where words are not compared, words of a response beyond
    those of a sentence of the key follow them.
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
        """The number of the node at a position, even if a rule set read its id as a decimal number."""
        number = self._numbers.get(position)
        return self._numbers[self._decimal[decimal(position)]] if number is None else number

    def runs(self, mention: Mention, side: int) -> tuple[int, ...]:
        """First and last node of every unbroken part of a mention: (first, last, first, last, …)."""
        numbers = [self.number(position) for position in mention.positions]
        ends: list[int] = []
        for first, last in runs_of(numbers):
            if ends and self._absent[side].issuperset(range(ends[-1] + 1, first)):
                ends[-1] = last  # this side has no node in between
            else:
                ends += [first, last]
        return tuple(ends)

    def sentences(self) -> list[list[object]]:
        """For each sentence its id, line, words, and spacing; empty nodes are empty words."""
        if not self._documents[0].sentences:
            ids = list(map(shown_id, self._sentences[0]))
            return [["", 0, ids, [], []]] if ids else []
        plain: list[list[object]] = []
        for sentence, longest, nodes in zip(
            self._documents[0].sentences, self._longest, self._sentences, strict=True
        ):
            indexes = [index for index, node in enumerate(nodes) if not node & MINOR_MASK]  # those of words
            forms = [""] * len(nodes)
            for index, word in zip(indexes, [*sentence.words, *longest.words[len(sentence.words) :]], strict=True):
                forms[index] = form_of(word)
            unspaced, glued = (
                [indexes[word - 1] for word in words if word <= len(indexes)] for words in find_spacing(sentence)
            )
            plain.append([sentence.id, sentence.line, forms, unspaced, glued])
        return plain

    def zeros(self, relations: Sequence[dict[int, str]]) -> list[list[object]]:
        """For each empty node its number, its id, and the form and dependencies that each side (as bits) gives it.

        ``relations`` are the dependencies of empty nodes in words, for each side.
        """
        plain: list[list[object]] = []
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


class Entries(NamedTuple):
    """The chains and entries on the page of the entities and mentions of an aligned side."""

    chains: list[int]
    """By entity, its chain."""
    owned: list[int]
    """By mention, its entry in the chain of the entity that owns it."""
    all: list[tuple[int, int]]
    """Each entry with its mention, which has one in every chain it is in."""


class Chains:
    """The chains of one side as the page shows them: every mention once for each chain it is in."""

    def __init__(self, nodes: NumberedNodes, side: int) -> None:
        self._nodes = nodes
        self.number = side
        self._chains: dict[Hashable, int] = {}  # layer and entity of the file, or a mention there -> chain
        self._entries: dict[tuple[tuple[int, ...], int], dict[int, int]] = {}  # parts and head -> chain -> mention
        self.titles: list[list[str]] = []
        """The name and type of each chain, and its layer if that is not identity."""
        self._layers: list[str] = []
        self.mentions: list[list[int]] = []
        self.relations: dict[int, str] = {}
        """By the node of a zero, its dependencies in words."""

    def add(self, annotated: AnnotatedSide, layer: str = IDENTITY) -> Entries:
        """Add the chains of a side."""
        document, side = annotated.document, annotated.side
        entries = Entries([], [-1] * len(side.mentions), [])
        for i, mentions in enumerate(side.members):
            origin = annotated.origins[i]
            name = document.entity_ids[origin] if document.entity_ids and origin >= 0 else ""
            chain = self._chain((layer, origin if origin >= 0 else -1 - i), name, annotated.type_of(i))
            entries.chains.append(chain)
            for mention, number in zip(mentions, side.entities[i], strict=True):
                entry = self._entry(chain, mention)
                entries.all.append((entry, number))
                if side.owner[number] == i:
                    entries.owned[number] = entry
        for _, zero in side.numbered(side.zeros):
            if zero.dependencies:
                parts = []
                for parent, relation in zero.dependencies:
                    _, word, minor = coordinates(parent)
                    form = node_name(parent) if minor else document.form(parent) if word else "root"
                    parts.append(f"{relation} of {form}")
                self.relations.setdefault(self._nodes.number(zero.head), ", ".join(parts))
        return entries

    def find(self, mention: Mention, entity: str = "", layer: str = IDENTITY) -> int:
        """The entry of a mention in a layer, preferably in the named entity; −1 if it is not shown."""
        in_file = self._entries.get(self._parts(mention), {})
        by_chain = [(chain, entry) for chain, entry in in_file.items() if self._layers[chain] == layer]
        named = [entry for chain, entry in by_chain if self.titles[chain][0] == entity]
        return named[0] if named else by_chain[0][1] if by_chain else -1

    def place(self, mention: Mention, layer: str, name: str = "") -> int:
        """The entry of a mention that a relation needs, in a new chain if it has none yet."""
        known = (IDENTITY, NON_REFERRING, UNSCORED) if layer == UNSCORED else (layer,)
        shown = [entry for where in known if (entry := self.find(mention, layer=where)) >= 0]
        return shown[0] if shown else self._entry(self._chain((layer, self._parts(mention)), name), mention)

    def in_layer(self, layer: str) -> list[int]:
        """The entries of the chains of a layer."""
        if layer not in self._layers:
            return []
        return [entry for entry, (chain, *_) in enumerate(self.mentions) if self._layers[chain] == layer]

    def plain(self) -> Plain:
        """Chains and mentions as plain values."""
        return {"e": self.titles, "m": self.mentions}

    def _parts(self, mention: Mention) -> tuple[tuple[int, ...], int]:
        return self._nodes.runs(mention, self.number), self._nodes.number(mention.head)

    def _chain(self, key: tuple[str, Hashable], name: str, kind: str = "") -> int:
        """The number of the chain with a key (its layer, and its identity there), which is added if it is new."""
        chain = self._chains.setdefault(key, len(self._chains))
        if chain == len(self.titles):
            self.titles.append([name, kind, key[0]] if key[0] else [name, kind])
            self._layers.append(key[0])
        return chain

    def _entry(self, chain: int, mention: Mention) -> int:
        runs, head = self._parts(mention)
        by_chain = self._entries.setdefault((runs, head), {})
        if chain not in by_chain:
            by_chain[chain] = len(self.mentions)
            self.mentions.append([chain, head, *runs])
        return by_chain[chain]
