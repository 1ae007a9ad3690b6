"""What is wrong with a response: seven kinds of fault, after the idea of Kummerfeld and Klein (2013).

A response is turned into the key by repairs, and each repair is a fault. What follows is decided by the alignment
alone, so it holds for any language; *matched*, *near*, *piece*, *home* and *main* are explained in :mod:`.pairing`.

- ``span``: a key mention is matched, but by other words: its counterpart (by head, by overlap) has other words; or
  it has no counterpart, but a response mention without one is near it: same head, or more words in common than not.
  For zeros also: it has other enhanced dependencies, or is no zero in the response (or only there).
- ``missing_mention``: a key mention is not matched, though others of its entity are.
- ``extra_mention``: a response mention is not matched, though others of its entity are.
- ``missing_entity``: none of the mentions of a key entity is matched. One fault for the entity.
- ``extra_entity``: none of the mentions of a response entity is matched. One fault likewise.
- ``conflated``: a piece of a response entity that belongs to another key entity than its main one. As many faults
  as cuts are needed.
- ``divided``: a piece of a key entity that stands elsewhere than at its home. As many faults as joins are needed.

A mention that was put into a wrong entity is a piece there, so it is both conflated and divided.

Zeros have names of their own for three of the kinds, if the mention (in a span fault: the key mention) is a zero:
``missing_zero``, ``extra_zero`` and ``misattached_zero`` (a span fault). They are selections of faults, not further
classes: attribution has the seven.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...base.mention import Mention
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
RELATION_KINDS: dict[str, tuple[str, str]] = {
    "missing_bridging": ("missing bridging anaphor", "bridging"),
    "extra_bridging": ("extra bridging anaphor", "bridging"),
    "wrong_entity": ("anchor of a wrong entity", "bridging"),
    "wrong_anchor": ("wrong anchor, right entity", "bridging"),
    "missing_plural": ("missing plural", "split"),
    "extra_plural": ("extra plural", "split"),
    "missing_element": ("plural with a missing element", "split"),
    "extra_element": ("plural with an extra element", "split"),
    "missing_non_referring": ("missing non-referring mention", "non-referring"),
    "extra_non_referring": ("extra non-referring mention", "non-referring"),
}
"""Faults of relations: their titles and the kind of the relation. They cost no points of identity."""
DEIXIS = "deixis_"
"""Begins the kinds of faults of the layer of discourse deixis: those of identity, and of plurals."""
RELATION_KINDS.update(
    {
        DEIXIS + kind: (f"{title} (deixis)", "deixis")
        for kind, title in {
            **KINDS,
            **{kind: title for kind, (title, relation) in RELATION_KINDS.items() if relation == "split"},
        }.items()
    }
)
TITLES = {**KINDS, **{kind: title for kind, (title, _) in RELATION_KINDS.items()}}
"""What faults are listed under."""
WITH_ZEROS = frozenset(kind for _, kind in ZERO_KINDS.values())


def several(title: str) -> str:
    """The title of a kind of fault in the plural.

    >>> list(map(several, KINDS.values()))[2:]
    ['extra mentions', 'missing entities', 'extra entities', 'conflated entities', 'divided entities']
    >>> several("anchor of a wrong entity"), several("missing mention (deixis)")
    ('anchors of a wrong entity', 'missing mentions (deixis)')
    """
    for what_follows in (" of ", " with ", " (", ", "):
        title, separator, rest = title.partition(what_follows)
        if separator:
            return f"{several(title)}{separator}{rest}"
    return title if title.endswith("s") else f"{title[:-1]}ies" if title.endswith("y") else f"{title}s"


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
    """Of extra mentions the main entity of theirs; empty if there is none. Of relations, that of the first target."""
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
    key_targets: tuple[Mention, ...] = ()
    """Of relations: anchors; of each element of a plural, the first mention."""
    response_targets: tuple[Mention, ...] = ()
    label: str = ""
    """What the annotation calls the relation."""

    @property
    def relation(self) -> str:
        """The kind of the relation that is wrong; empty if it is identity."""
        return RELATION_KINDS[self.kind][1] if self.kind in RELATION_KINDS else ""

    @property
    def plain_kind(self) -> str:
        """Its kind, whatever the layer."""
        return self.kind.removeprefix(DEIXIS)

    @property
    def zero_kind(self) -> str:
        """The name that the fault of a zero has besides its kind."""
        return next((name for name, (_, kind) in ZERO_KINDS.items() if self.zero and kind == self.kind), "")


def is_span_fault(key: Mention, response: Mention) -> bool:
    """Whether two mentions that are counterparts differ in their words, or as zeros in what they depend on."""
    if key.positions != response.positions or key.is_zero != response.is_zero:
        return True
    return key.is_zero and set(key.dependencies) != set(response.dependencies)


def list_faults(key: Annotated, response: Annotated, pairing: Pairing) -> list[Fault]:
    """The faults of a document, in the order of the text, then of ``KINDS``."""
    matched, home, main = pairing.matched, pairing.home, pairing.main
    listed: list[Fault] = []

    def add(
        kind: str, keys: Sequence[int], responses: Sequence[int], i: int | None, j: int | None, other: str = ""
    ) -> None:
        in_key = tuple([key.mention(k) for k in keys])
        in_response = tuple([response.mention(r) for r in responses])
        side, first = (key, in_key[0]) if in_key else (response, in_response[0])
        listed.append(
            Fault(
                kind,
                key.document.id,
                side.sentence(first),
                side.document.line_of(first.head),
                in_key,
                in_response,
                "" if i is None else key.name(i),
                "" if j is None else response.name(j),
                side.text(first),
                side.document.path,
                first.is_zero and kind in WITH_ZEROS,
                other,
            )
        )

    for k, r in matched.items():
        if k in pairing.near or is_span_fault(pairing.key.mentions[k], pairing.response.mentions[r]):
            add("span", [k], [r], pairing.key.owner[k], pairing.response.owner[r])
    for i, members in pairing.key_members.items():
        if i not in home:
            add("missing_entity", members, [], i, None)
    for j, members in pairing.response_members.items():
        if j not in main:
            add("extra_entity", [], members, None, j)
    for k in pairing.missing():
        if (i := pairing.key.owner[k]) in home:
            add("missing_mention", [k], [], i, home[i])
    for r in pairing.extra():
        if (j := pairing.response.owner[r]) in main:
            add("extra_mention", [], [r], main[j], j)
    for (i, j), members in pairing.pieces.items():
        if main[j] != i:
            add("conflated", members, [matched[k] for k in members], i, j, key.name(main[j]))
        if home[i] != j:
            add("divided", members, [matched[k] for k in members], i, j, response.name(home[i]))
    rank = {kind: index for index, kind in enumerate(KINDS)}
    return sorted(listed, key=lambda fault: ((fault.key or fault.response)[0].first, rank[fault.kind]))
