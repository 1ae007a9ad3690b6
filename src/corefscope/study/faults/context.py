"""Faults in context: the sentence on both sides with the chains marked, and the chains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from ...base.document import Sentence
from ...base.mention import Mention
from ...base.positions import MINOR_MASK, SENTENCE_SHIFT, runs_of
from .annotated import Annotated
from .pairing import Pairing
from .taxonomy import Fault

Mentions = tuple[Mention, ...]
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


class Arrow(NamedTuple):
    """What a mention is linked to, as text."""

    side: str
    anaphor: str
    targets: tuple[str, ...]
    label: str


class Example(NamedTuple):
    """A fault and what stands around it."""

    fault: Fault
    key: tuple[Token, ...]
    response: tuple[Token, ...]
    chains: tuple[Chain, ...]
    heads: tuple[str, str]
    """The heads in key and response of a mention that has the same words in both; else empty."""
    arrows: tuple[Arrow, ...] = ()
    """Of relations."""


class Contexts:
    """Makes examples of the faults of one document."""

    def __init__(self, key: Annotated, response: Annotated, pairing: Pairing) -> None:
        self._key = _ShownSide("key", key, pairing.key_members)
        self._response = _ShownSide("response", response, pairing.response_members)

    def example(self, fault: Fault) -> Example:
        """A fault in its context."""
        keys = self._key.entities(fault.key_entity, fault.other_entity if fault.plain_kind == "conflated" else "")
        responses = self._response.entities(
            fault.response_entity, fault.other_entity if fault.plain_kind == "divided" else ""
        )
        number = (fault.key or fault.response)[0].first >> SENTENCE_SHIFT
        chains = [self._key.chain(i, fault.key_targets or fault.key) for i in keys]
        chains += [self._response.chain(j, fault.response_targets or fault.response) for j in responses]
        return Example(
            fault,
            self._key.tokens(number, keys, fault.key, fault.key_targets if fault.relation else None),
            self._response.tokens(
                number, responses, fault.response, fault.response_targets if fault.relation else None
            ),
            tuple(chains),
            self._heads(fault),
            tuple(self._arrows(fault)),
        )

    def _arrows(self, fault: Fault) -> Iterator[Arrow]:
        for shown, anaphor, targets in (
            (self._key, fault.key, fault.key_targets),
            (self._response, fault.response, fault.response_targets),
        ):
            if targets:
                yield shown.arrow(anaphor[0], targets, fault.label)

    def _heads(self, fault: Fault) -> tuple[str, str]:
        if fault.plain_kind != "span" or fault.zero or fault.key[0].positions != fault.response[0].positions:
            return "", ""
        return self._key.side.word(fault.key[0].head), self._response.side.word(fault.response[0].head)


class _ShownSide:
    """The entities of one side, to be shown."""

    def __init__(self, title: str, side: Annotated, members: dict[int, list[int]]) -> None:
        self._title, self.side, self._members = title, side, members

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {self.side.name(i): i for i in self._members}

    def entities(self, *names: str) -> list[int]:
        """The numbers of the entities of these names, as far as there are such."""
        return [self._numbers[name] for name in dict.fromkeys(names) if name in self._numbers]

    def arrow(self, anaphor: Mention, targets: Iterable[Mention], label: str) -> Arrow:
        texts = [self.side.text(mention) for mention in map(self.side.in_file, (anaphor, *targets))]
        return Arrow(self._title, texts[0], tuple(texts[1:]), label)

    def chain(self, i: int, focus: tuple[Mention, ...]) -> Chain:
        mentions = [self.side.mention(n) for n in self._members[i]]
        first = next((index for index, mention in enumerate(mentions) if mention in focus), 0)
        start = max(min(first - LONGEST_CHAIN // 2, len(mentions) - LONGEST_CHAIN), 0)
        kept = mentions[start : start + LONGEST_CHAIN]
        texts = tuple((self.side.text(mention), mention in focus) for mention in kept)
        return Chain(self._title, self.side.name(i), len(mentions), texts, start)

    def tokens(
        self, number: int, entities: list[int], focus: Mentions, targets: Mentions | None = None
    ) -> tuple[Token, ...]:
        """The words of the sentence of that number, with brackets of these entities, and of a relation."""
        sentence = next((s for s in self.side.document.sentences if s.number == number), None)
        if sentence is None:
            return ()
        marked = [(self.side.mention(n), self.side.name(i)) for i in entities for n in self._members[i]]
        if targets is not None:
            known = {mention.positions for mention, _ in marked}
            related = map(self.side.in_file, (*focus, *targets))
            marked += [(mention, "") for mention in related if mention.positions not in known]
        positions = shown_positions(sentence, {p for mention, _ in marked for p in mention.positions})
        index = {position: n for n, position in enumerate(positions)}
        opens = [0] * len(positions)
        closes: list[list[tuple[int, str]]] = [[] for _ in positions]
        for mention, name in marked:
            for first, last, label in labelled_runs(mention, name, index):
                opens[first] += 1
                closes[last].append((-first, label))
        in_focus = {position for mention in focus for position in mention.positions}
        names = [tuple(name for _, name in sorted(closing)) for closing in closes]
        words = map(self.side.word, positions)
        return tuple(map(Token, positions, words, opens, names, map(in_focus.__contains__, positions)))


def shown_positions(sentence: Sentence, used: set[int]) -> list[int]:
    """The words of a sentence, and those of its empty nodes that are used."""
    return [position for position in sentence.nodes if not position & MINOR_MASK or position in used]


def labelled_runs(mention: Mention, name: str, index: dict[int, int]) -> Iterator[tuple[int, int, str]]:
    """The first and last word of each unbroken part of a mention, as ``index`` has them, and the name of the part."""
    runs = runs_of(index[position] for position in mention.positions if position in index)
    for part, (first, last) in enumerate(runs, 1):
        yield first, last, name if len(runs) == 1 else f"{name}[{part}/{len(runs)}]"
