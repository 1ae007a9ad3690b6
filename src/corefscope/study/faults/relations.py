"""What is wrong with the relations of a response: bridging, plurals with split antecedents, what does not refer.

Which relations are right is what the metrics of relations say under the same options:

- ``missing_bridging``, ``extra_bridging``: an anaphor that is none on the other side. These are what
  ``bridging_recognition`` counts as not found, and as wrong.
- ``wrong_entity``: an anaphor of both sides with a link to another entity (as ``bridging_entity`` has it), or with
  one that only one side has.
- ``wrong_anchor``: a link to the right entity, but to another mention of it, where both files name mentions.
- ``missing_plural``, ``extra_plural``: a plural without counterpart. Plurals are mapped as for the CEAFe of
  ``split``.
- ``missing_element``, ``extra_element``: an element of a plural that the counterpart does not have: elements of both
  are mapped one to one so that they have the most mentions in common.
- ``missing_non_referring``, ``extra_non_referring``: a mention that does not refer on one side only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from ...base.mention import Mention
from ...count.relations.elements import anchor_of
from ...count.relations.judged import Judged, JudgedLink
from .annotated import Annotated
from .taxonomy import Fault

Mentions = tuple[Mention, ...]


class Half(NamedTuple):
    """One side of a fault."""

    anaphor: Mentions = ()
    targets: Mentions = ()
    label: str = ""


NOTHING = Half()


class _Sides:
    """Makes faults of what both sides have."""

    def __init__(self, key: Annotated, response: Annotated) -> None:
        self._key, self._response = key, response
        self._names = _names(key), _names(response)

    def fault(self, kind: str, key: Half = NOTHING, response: Half = NOTHING) -> Fault:
        """A fault; its place is that of the first anaphor of the key, if there is one."""
        side, first = (self._key, key.anaphor) if key.anaphor else (self._response, response.anaphor)
        mention = side.in_file(first[0])
        return Fault(
            kind,
            side.document.id,
            side.sentence(mention),
            side.document.line_of(mention.head),
            key.anaphor,
            response.anaphor,
            self._entity(0, key),
            self._entity(1, response),
            side.text(mention),
            side.document.path,
            key_targets=key.targets,
            response_targets=response.targets,
            label=key.label or response.label,
        )

    def _entity(self, side: int, half: Half) -> str:
        """The name of what the anaphor is linked to."""
        return next((self._names[side][m] for m in half.targets if m in self._names[side]), "")


def _names(side: Annotated) -> dict[Mention, str]:
    document = side.document
    ids = document.entity_ids or [str(i + 1) for i in range(len(document.entities))]
    return {mention: name for name, entity in zip(ids, document.entities, strict=True) for mention in entity}


def list_relation_faults(key: Annotated, response: Annotated, judged: Judged) -> list[Fault]:
    """The faults of a document, by kind."""
    sides = _Sides(key, response)
    return [*_bridging(sides, judged), *_plurals(sides, judged), *_non_referring(sides, judged)]


def list_plural_faults(key: Annotated, response: Annotated, judged: Judged) -> list[Fault]:
    """Those of plurals alone: all that discourse deixis has."""
    return list(_plurals(_Sides(key, response), judged))


def _bridging(sides: _Sides, judged: Judged) -> Iterator[Fault]:
    ours, theirs = _by_anaphor(judged.key.links), _by_anaphor(judged.response.links)
    for links in ours.values():
        if not links[0].recognised:
            yield sides.fault("missing_bridging", _half(links, links))
    for links in theirs.values():
        if not links[0].recognised:
            yield sides.fault("extra_bridging", response=_half(links, links))
    for anaphor, links in ours.items():
        if links[0].recognised:
            others = theirs[anaphor]
            for link, other in zip_longest(_wrong(links), _wrong(others)):
                yield sides.fault("wrong_entity", _half(links, [link]), _half(others, [other]))
            for link, other in zip(_elsewhere(links), _elsewhere(others), strict=False):
                yield sides.fault("wrong_anchor", _half(links, [link]), _half(others, [other]))


def _by_anaphor(links: Iterable[JudgedLink]) -> dict[object, list[JudgedLink]]:
    grouped: dict[object, list[JudgedLink]] = {}
    for link in links:
        grouped.setdefault(link.of, []).append(link)
    return grouped


def _wrong(links: Iterable[JudgedLink]) -> list[JudgedLink]:
    """The first link to each entity that is not right."""
    return list({link.to: link for link in reversed([*links]) if not link.same_entity}.values())[::-1]


def _elsewhere(links: Iterable[JudgedLink]) -> list[JudgedLink]:
    return [link for link in links if link.same_entity and link.names_mention and not link.same_mention]


def _half(links: Sequence[JudgedLink], about: Sequence[JudgedLink | None]) -> Half:
    """The anaphor of all links, and what those are linked to that the fault is about."""
    relations = [link.relation for link in about if link]
    targets = dict.fromkeys(map(anchor_of, relations))
    return Half(links[0].relation.anaphor, tuple(targets), relations[0].label if relations else "")


def _plurals(sides: _Sides, judged: Judged) -> Iterator[Fault]:
    for plural in judged.plurals():
        key, response = Half(plural.key), Half(plural.response)
        if not plural.response:
            yield sides.fault("missing_plural", key._replace(targets=_firsts(plural.key_elements)))
        elif not plural.key:
            yield sides.fault("extra_plural", response=response._replace(targets=_firsts(plural.response_elements)))
        else:
            for element in plural.key_elements:
                yield sides.fault("missing_element", key._replace(targets=element[:1]), response)
            for element in plural.response_elements:
                yield sides.fault("extra_element", key, response._replace(targets=element[:1]))


def _firsts(elements: Iterable[Mentions]) -> Mentions:
    return tuple([element[0] for element in elements])


def _non_referring(sides: _Sides, judged: Judged) -> Iterator[Fault]:
    for mention, right in judged.key.non_referring:
        if not right:
            yield sides.fault("missing_non_referring", Half((mention,)))
    for mention, right in judged.response.non_referring:
        if not right:
            yield sides.fault("extra_non_referring", response=Half((mention,)))
