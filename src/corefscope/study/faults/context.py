"""Faults in context: the sentence on both sides with the chains marked, and the chains."""

from __future__ import annotations

from typing import NamedTuple

from ...base.document import Mention, Sentence
from ...base.positions import SENTENCE_SHIFT, parse_position, position
from ...base.positions import runs_of as runs_of
from .annotated import Annotated
from .pairing import Pairing
from .taxonomy import Fault

LONGEST_CHAIN = 60  # mentions that are kept of a chain


class Token(NamedTuple):
    """A word, and the mentions that begin before and end after it."""

    place: int
    word: str
    opens: int
    """How many mentions begin."""
    closes: tuple[str, ...]
    """The names of the entities whose mentions end."""
    in_focus: bool
    """Whether it belongs to a mention of the fault."""


class Chain(NamedTuple):
    """The mentions of an entity, as text, and which of them the fault is about."""

    side: str
    name: str
    size: int
    mentions: tuple[tuple[str, bool], ...]
    """Around the first that the fault is about, if they are many."""
    before: int
    """How many are left out before these."""


class Example(NamedTuple):
    """A fault and what stands around it."""

    fault: Fault
    key: tuple[Token, ...]
    response: tuple[Token, ...]
    chains: tuple[Chain, ...]
    heads: tuple[str, str]
    """The heads in key and response of a mention that has the same words in both; else empty."""


class Contexts:
    """Makes examples of the faults of one document."""

    def __init__(self, key: Annotated, response: Annotated, pairing: Pairing) -> None:
        self._sides = {"key": key, "response": response}
        self._members = {"key": pairing.key_members, "response": pairing.response_members}
        self._numbers: dict[str, dict[str, int]] = {}

    def example(self, fault: Fault) -> Example:
        """A fault in its context."""
        key_names, response_names = [fault.key_entity], [fault.response_entity]
        if fault.kind == "conflated":
            key_names.append(fault.other_entity)
        if fault.kind == "divided":
            response_names.append(fault.other_entity)
        keys, responses = self._entities("key", key_names), self._entities("response", response_names)
        number = (fault.key or fault.response)[0].positions[0] >> SENTENCE_SHIFT
        chains = [self._chain("key", i, fault.key) for i in keys]
        chains += [self._chain("response", j, fault.response) for j in responses]
        return Example(
            fault,
            self._line("key", number, keys, fault.key),
            self._line("response", number, responses, fault.response),
            tuple(chains),
            self._heads(fault),
        )

    def _entities(self, side: str, names: list[str]) -> list[int]:
        if side not in self._numbers:
            self._numbers[side] = {self._sides[side].name(i): i for i in self._members[side]}
        return [self._numbers[side][name] for name in dict.fromkeys(names) if name in self._numbers[side]]

    def _heads(self, fault: Fault) -> tuple[str, str]:
        if fault.kind != "span" or fault.zero or fault.key[0].positions != fault.response[0].positions:
            return "", ""
        return self._sides["key"].word(fault.key[0].head), self._sides["response"].word(fault.response[0].head)

    def _chain(self, side: str, i: int, focus: tuple[Mention, ...]) -> Chain:
        annotated, members = self._sides[side], self._members[side][i]
        mentions = [annotated.mention(number) for number in members]
        wanted = set(focus)
        first = next((at for at, mention in enumerate(mentions) if mention in wanted), 0)
        start = max(min(first - LONGEST_CHAIN // 2, len(mentions) - LONGEST_CHAIN), 0)
        kept = mentions[start : start + LONGEST_CHAIN]
        texts = tuple((annotated.text(mention), mention in wanted) for mention in kept)
        return Chain(side, annotated.name(i), len(mentions), texts, start)

    def _line(self, side: str, number: int, entities: list[int], focus: tuple[Mention, ...]) -> tuple[Token, ...]:
        annotated = self._sides[side]
        sentence = next((s for s in annotated.document.sentences if s.number == number), None)
        if sentence is None:
            return ()
        marked = [
            (mention, annotated.name(i))
            for i in entities
            for mention in map(annotated.mention, self._members[side][i])
            if any(place >> SENTENCE_SHIFT == number for place in mention.positions)
        ]
        seen = {place for mention, _ in marked for place in mention.positions}
        places = places_of(sentence, seen)
        at = {place: index for index, place in enumerate(places)}
        opens = [0] * len(places)
        closes: list[list[tuple[int, str]]] = [[] for _ in places]
        for mention, name in marked:
            runs = runs_of(at[place] for place in mention.positions if place in at)
            for part, (first, last) in enumerate(runs, 1):
                opens[first] += 1
                closes[last].append((-first, name if len(runs) == 1 else f"{name}[{part}/{len(runs)}]"))
        in_focus = {place for mention in focus for place in mention.positions}
        tokens = []
        for index, place in enumerate(places):
            names = tuple(name for _, name in sorted(closes[index]))
            tokens.append(Token(place, annotated.word(place), opens[index], names, place in in_focus))
        return tuple(tokens)


def places_of(sentence: Sentence, seen: set[int]) -> list[int]:
    """The words of a sentence, and its empty nodes that are seen."""
    empty = {parse_position(sentence.number, name) for name in sentence.empty}
    words = (position(sentence.number, word) for word in range(1, len(sentence.words) + 1))
    return sorted({*words, *(place for place in empty if place is not None and place in seen)})
