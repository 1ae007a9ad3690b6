"""Alignments: the mentions of two sides by number, and the counterpart of each mention on the other side."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import accumulate, chain, islice, repeat
from typing import Any, NamedTuple

from ..document import Document
from ..errors import InputError
from ..positions import MINOR_MASK

NONE = -1  # no mention, no entity


class Side:
    """One side of a document with its distinct mentions numbered in the order of their entities."""

    __slots__ = (
        *("_full", "_zeros", "document", "entities", "identities", "members", "mentions", "numbers", "owner"),
        "repeats",
    )

    repeats: bool
    """Whether some mention is in several entities, or several times in one."""

    def __init__(
        self, entities: Sequence[Sequence[Any]], identities: list[Any], document: Document | None = None
    ) -> None:
        """``identities`` has a key for each mention, in the order of the entities: equal keys are one mention."""
        self.document = document
        """The document in which the words of mentions are looked up, if there are any."""
        flat = list(chain.from_iterable(entities))
        numbers = dict(zip(identities, range(len(flat)), strict=True))
        self.members = entities
        """The mentions of each entity as the document has them: where mentions repeat, each with its own head."""
        self._zeros: list[int] | None = None
        self._full: frozenset[int] | None = None
        self.repeats = len(numbers) < len(flat)
        if self.repeats:
            self._number_repeated(flat, identities)
            return
        self.mentions: list[Any] = flat
        self.identities: list[Any] = identities
        self.numbers: dict[Any, int] = numbers
        sizes = list(map(len, entities))
        ends = list(accumulate(sizes))
        self.owner: list[int] = list(chain.from_iterable(map(repeat, range(len(sizes)), sizes)))
        self.entities: list[Sequence[int]] = list(map(range, [0, *ends], ends))

    @classmethod
    def of_hashables(cls, entities: Sequence[Sequence[Hashable]]) -> Side:
        """A side whose mentions are plain values, each its own identity."""
        return cls(entities, list(chain.from_iterable(entities)))

    @property
    def zeros(self) -> list[int]:
        """The mentions whose head is an empty node."""
        if self._zeros is None:
            self._zeros = [number for number, mention in enumerate(self.mentions) if mention.head & MINOR_MASK]
        return self._zeros

    @property
    def full(self) -> frozenset[int]:
        """Mentions that are not pronouns or zeros, in entities of two or more; without words, all of these."""
        if self._full is None:
            from ..document import PRONOMINAL, mention_type  # most scores need no types

            document, mentions = self.document or Document("", ()), self.mentions
            together = chain.from_iterable([entity for entity in self.entities if len(entity) > 1])
            self._full = frozenset([n for n in together if mention_type(document, mentions[n]) not in PRONOMINAL])
        return self._full

    def numbered(self, numbers: Iterable[int]) -> list[tuple[int, Any]]:
        """The mentions with these numbers, each with its number."""
        mentions = self.mentions
        return [(number, mentions[number]) for number in numbers]

    def _number_repeated(self, flat: list[Any], identities: list[Any]) -> None:
        """A mention in several entities has one number; the last entity owns it."""
        first: dict[Any, Any] = {}
        for mention, identity in zip(flat, identities, strict=True):
            first.setdefault(identity, mention)
        self.mentions, self.identities = list(first.values()), list(first)
        self.numbers = {identity: number for number, identity in enumerate(first)}
        self.owner = [NONE] * len(self.mentions)
        self.entities = []
        numbers = map(self.numbers.__getitem__, identities)
        for i, entity in enumerate(self.members):
            members = list(islice(numbers, len(entity)))
            self.entities.append(members)
            for number in members:
                self.owner[number] = i


class Alignment(NamedTuple):
    """The counterpart of each mention on the other side: a number, or NONE."""

    key: Side
    response: Side
    to_response: list[int]
    to_key: list[int]
    matched: int
    """The number of pairs."""
    anaphors: list[int]
    """Like ``to_response``, but by the lookup that the score for zeros uses."""
    mutual: bool = True
    """Whether ``to_response`` and ``to_key`` are inverse to each other."""
    shared: Mapping[tuple[int, int], list[int]] | None = None
    """The mentions of a key entity that have a match in a response entity, if rules match a mention with several."""
    forced: bool = False
    """Whether no pair was chosen among several, so that every rule set would pair the same mentions."""
    competing: int = 0
    """The number of pairs in dense groups of mentions that compete with each other; 0 if there are few."""

    @classmethod
    def of_pairs(cls, key: Side, response: Side, to_response: list[int]) -> Alignment:
        """The plain case: one-to-one pairs, used for everything."""
        matched = len(to_response) - to_response.count(NONE)
        return cls(key, response, to_response, inverse(to_response, len(response.mentions)), matched, to_response)


def inverse(counterparts: list[int], size: int) -> list[int]:
    """The inverse map: for each of ``size`` mentions of the other side the mention it is paired with, or NONE.

    >>> inverse([1, -1, 0], size=3)
    [2, 0, -1]
    """
    back = [NONE] * size
    for number, counterpart in enumerate(counterparts):
        if counterpart >= 0:
            back[counterpart] = number
    return back


MAX_PAIRS = 1_000_000
"""Maximum number of (key entity, response entity) pairs in a document that share a mention, counting only mentions in
several entities or with several matches: 1,000 entities of each side on one span make as many, and take 300 MB."""


def check_pairs(response: Side, pairs: int, others: int = 0) -> None:
    """Raise InputError if too many pairs of entities share mentions; ``others`` are pairs that do not count."""
    if pairs <= MAX_PAIRS + others:
        return
    document = response.document
    name = f"document {document.id!r}: " if document else ""
    message = f"{name}{pairs:,} pairs of key and response entities share a mention, and {MAX_PAIRS:,} can be scored"
    hint = "too many entities are on the same span, in the key and here: remove those that repeat"
    raise InputError(message, path=document.path if document else "", hint=hint)
