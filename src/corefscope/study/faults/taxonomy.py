"""What is wrong with a response: seven kinds of fault, after the idea of Kummerfeld and Klein (2013).

A response is turned into the key by repairs, and each repair is a fault. What follows is decided by the alignment
alone, so it holds for any language; *found*, *piece*, *home* and *main* are explained in :mod:`.pairing`.

- ``span``: a key mention was found, but as other words: its counterpart (by head, by overlap) has other words; or it
  has no counterpart, but a response mention without one is near it (:mod:`.near`): same head, or more words in common
  than not. For zeros also: it has other enhanced dependencies, or is no zero in the response (or only there).
- ``missing_mention``: a key mention was not found, though others of its entity were.
- ``extra_mention``: a response mention is nothing that was found, though others of its entity are.
- ``missing_entity``: none of the mentions of a key entity were found. One fault for the entity.
- ``extra_entity``: none of the mentions of a response entity are anything that was found. One fault likewise.
- ``conflated``: a piece of a response entity that belongs to another key entity than its main one. As many faults
  as cuts are needed.
- ``divided``: a piece of a key entity that stands elsewhere than at its home. As many faults as joins are needed.

A mention that was put into a wrong entity is a piece there, so it is both conflated and divided.

Zeros have names of their own for three of the kinds, if the mention (in a span fault: the key mention) is a zero:
``missing_zero``, ``extra_zero`` and ``misattached_zero`` (a span fault). They are selections of faults, not further
classes: attribution has the seven.
"""

from __future__ import annotations

from typing import NamedTuple

from ...base.document import Document, Mention
from ...match.alignment import Alignment
from .annotated import Annotated
from .pairing import Pairing

KINDS: dict[str, str] = {
    "span": "span error",
    "missing_mention": "missing mention",
    "extra_mention": "extra mention",
    "missing_entity": "missing entity",
    "extra_entity": "extra entity",
    "conflated": "conflated entities",
    "divided": "divided entity",
}
"""The classes of faults and their titles; the steps of attribution."""

ZERO_KINDS: dict[str, tuple[str, str]] = {
    "missing_zero": ("missing zero", "missing_mention"),
    "extra_zero": ("extra zero", "extra_mention"),
    "misattached_zero": ("misattached zero", "span"),
}
"""Faults of zeros: their titles and the kind they are a part of."""


class Fault(NamedTuple):
    """One thing that is wrong. Entities are named as in their file, mentions are those of the file."""

    kind: str
    document: str
    sentence: str
    """The id of the sentence (or its number) in which the first mention is."""
    line: int
    """Of the head of the first mention, in the key; of extra mentions and entities, in the response."""
    key: tuple[Mention, ...]
    response: tuple[Mention, ...]
    key_entity: str
    """Of extra mentions the main entity of theirs; empty if there is none."""
    response_entity: str
    """Of missing mentions the home of their entity; empty if there is none."""
    text: str
    """The words of the first mention; a zero is ∅, a gap …."""
    path: str = ""
    """The file in which ``line`` is."""
    zero: bool = False
    """Whether the mention is a zero; False for pieces and entities."""
    other_entity: str = ""
    """Of conflated pieces the key entity they are conflated with, of divided ones the home they are cut off from."""

    @property
    def zero_kind(self) -> str:
        """The name that the fault of a zero has besides its kind."""
        return next((name for name, (_, kind) in ZERO_KINDS.items() if self.zero and kind == self.kind), "")


def faults(key: Document, response: Document, alignment: Alignment) -> list[Fault]:
    """The faults of a document, in the order of the text, then of ``KINDS``."""
    return list_faults(Annotated(key, alignment.key), Annotated(response, alignment.response), Pairing(alignment))


def list_faults(key: Annotated, response: Annotated, pairing: Pairing) -> list[Fault]:
    """The same for a document whose mentions have been paired."""
    finder = _Finder(key, response, pairing)
    found = [*finder.spans(), *finder.missing(), *finder.extra(), *finder.conflated(), *finder.divided()]
    rank = {kind: at for at, kind in enumerate(KINDS)}
    found.sort(key=lambda fault: ((fault.key or fault.response)[0].positions[0], rank[fault.kind]))
    return found


def is_span_fault(key: Mention, response: Mention) -> bool:
    """Whether two mentions that are counterparts differ in their words, or as zeros in what they depend on."""
    if key.positions != response.positions or key.is_zero != response.is_zero:
        return True
    return key.is_zero and set(key.dependencies) != set(response.dependencies)


class _Finder:
    def __init__(self, key: Annotated, response: Annotated, pairing: Pairing) -> None:
        self.key, self.response, self.pairing = key, response, pairing
        self.found = pairing.found

    def spans(self) -> list[Fault]:
        pairing = self.pairing
        ours, theirs = pairing.key, pairing.response
        return [
            self._fault("span", [k], [r], ours.owner[k], theirs.owner[r], zero=ours.mentions[k].is_zero)
            for k, r in self.found.items()
            if k in pairing.near or is_span_fault(ours.mentions[k], theirs.mentions[r])
        ]

    def missing(self) -> list[Fault]:
        pairing, faults = self.pairing, []
        for i, members in pairing.key_members.items():
            if i not in pairing.home:
                faults.append(self._fault("missing_entity", members, [], i, None))
                continue
            for k in members:
                if k not in self.found:
                    zero = pairing.key.mentions[k].is_zero
                    faults.append(self._fault("missing_mention", [k], [], i, pairing.home[i], zero=zero))
        return faults

    def extra(self) -> list[Fault]:
        pairing, faults = self.pairing, []
        used = set(self.found.values())
        for j, members in pairing.response_members.items():
            if j not in pairing.main:
                faults.append(self._fault("extra_entity", [], members, None, j))
                continue
            for r in members:
                if r not in used:
                    zero = pairing.response.mentions[r].is_zero
                    faults.append(self._fault("extra_mention", [], [r], pairing.main[j], j, zero=zero))
        return faults

    def conflated(self) -> list[Fault]:
        main = self.pairing.main
        return [
            self._piece("conflated", i, j, self.key.name(main[j])) for i, j in self.pairing.pieces if main[j] != i
        ]

    def divided(self) -> list[Fault]:
        home = self.pairing.home
        return [
            self._piece("divided", i, j, self.response.name(home[i])) for i, j in self.pairing.pieces if home[i] != j
        ]

    def _piece(self, kind: str, i: int, j: int, other: str) -> Fault:
        members = self.pairing.pieces[i, j]
        return self._fault(kind, members, [self.found[k] for k in members], i, j, other=other)

    def _fault(
        self,
        kind: str,
        keys: list[int],
        responses: list[int],
        i: int | None,
        j: int | None,
        *,
        zero: bool = False,
        other: str = "",
    ) -> Fault:
        ours = tuple([self.key.mention(k) for k in keys])
        theirs = tuple([self.response.mention(r) for r in responses])
        side, first = (self.key, ours[0]) if ours else (self.response, theirs[0])
        return Fault(
            kind,
            self.key.document.id,
            side.sentence(first),
            side.line(first),
            ours,
            theirs,
            "" if i is None else self.key.name(i),
            "" if j is None else self.response.name(j),
            side.text(first),
            side.document.path,
            zero,
            other,
        )
