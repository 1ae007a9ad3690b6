"""The counts of a metric of relations once some kinds of errors are mended: what the response could have scored.

Mending a kind makes right what the key has lost by it, and takes away what the response has wrong by it. Of k lost
and r wrong, both numerators gain k, and the denominator of the precision k − r. Plurals are mended themselves and
counted again: a missing element is put into its plural and leaves others, an extra one is taken out, missing plurals
are there and extra ones are not. With all kinds mended a score is 1; that of plurals only if their elements have the
mentions that they have in the key.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Set

from ..core.numbers import Counts
from .aligned import Judged, JudgedLink, TwoPartitions
from .plurals import Partition, Plural, anchor_of
from .related import split

Lost = dict[str, tuple[int, int]]
"""By kind of error how many the key has lost, and how many the response has wrong."""
Mended = Callable[[Judged, Counts, Set[str]], Counts]
"""The counts of one document, given what is judged of it, its counts as scored, and the kinds that are mended."""

BRIDGING = ("missing_bridging", "extra_bridging")
LINKS = (*BRIDGING, "wrong_entity")
ANCHORS = (*LINKS, "wrong_anchor")
NON_REFERRING = ("missing_non_referring", "extra_non_referring")
PLURALS = ("missing_plural", "extra_plural", "missing_element", "extra_element")


def of_bridging(level: str) -> Mended:
    """Bridging at one level: ``recognition``, ``mention`` or ``entity``."""

    def lost(judged: Judged) -> Lost:
        by_kind: dict[str, tuple[set[object], set[object]]] = {kind: (set(), set()) for kind in ANCHORS}
        for side, links in enumerate((judged.key.links, judged.response.links)):
            for link in links:
                if kind := _kind(link, level, side):
                    by_kind[kind][side].add(_item(link, level))
        return {kind: (len(ours), len(theirs)) for kind, (ours, theirs) in by_kind.items()}

    return _adding(lost)


def _kind(link: JudgedLink, level: str, side: int) -> str:
    """What is wrong with a link at a level; empty if nothing is, or nothing that a file says."""
    if not link.recognised:
        return BRIDGING[side]
    if level == "recognition":
        return ""
    if not link.same_entity:
        return "wrong_entity" if level == "entity" or not link.same_mention else ""
    return "wrong_anchor" if level == "mention" and link.names_mention and not link.same_mention else ""


def _item(link: JudgedLink, level: str) -> object:
    """What counts once."""
    if level == "recognition":
        return link.of
    return link.of, link.to if level == "entity" else anchor_of(link.relation)


def _lost_non_referring(judged: Judged) -> Lost:
    missing, extra = (sum(not right for _, right in side.non_referring) for side in (judged.key, judged.response))
    return {NON_REFERRING[0]: (missing, 0), NON_REFERRING[1]: (0, extra)}


def _adding(lost: Callable[[Judged], Lost]) -> Mended:
    def mended(judged: Judged, counts: Counts, kinds: Set[str]) -> Counts:
        found, key, right, response = counts
        for kind, (missing, wrong) in lost(judged).items():
            if kind in kinds:
                found, right, response = found + missing, right + missing, response + missing - wrong
        return found, key, right, response

    return mended


of_non_referring = _adding(_lost_non_referring)


def of_plurals(metric: str) -> Mended:
    """The elements of plurals, by an identity metric."""

    def mended(judged: Judged, counts: Counts, kinds: Set[str]) -> Counts:  # noqa: ARG001
        response = _with_mended_plurals(judged, kinds)
        return split(metric, TwoPartitions(judged.key.partition, response, judged.handling).counted(metric))

    return mended


def _with_mended_plurals(judged: Judged, kinds: Set[str]) -> Partition:
    plurals, new = dict(judged.response.partition.plurals), list[Plural]()
    for pair in judged.paired_plurals():
        if pair.j is None:
            new += [pair.ours] * ("missing_plural" in kinds)
        elif pair.i is None:
            if "extra_plural" in kinds:
                del plurals[pair.j]
        else:
            extra = pair.extra if "extra_element" in kinds else ()
            missing = pair.missing if "missing_element" in kinds else ()
            plurals[pair.j] = Plural(_elements(pair.theirs, extra, missing))
    entities: list[list[Hashable]] = [
        [*(member for member in entity if not isinstance(member, Plural)), *([plurals[j]] if j in plurals else [])]
        for j, entity in enumerate(judged.response.partition.entities)
    ]
    entities += [[plural] for plural in new]
    return type(judged.response.partition)([entity for entity in entities if entity])


def _elements(
    plural: Plural, extra: Iterable[tuple[object, ...]], missing: Iterable[tuple[object, ...]]
) -> Iterable[tuple[object, ...]]:
    """Those of a plural without some, and with others, which take their mentions along."""
    put_in, left_out = [*missing], {*extra}
    taken = {member for element in put_in for member in element}
    for element in plural:
        if element not in left_out and (kept := tuple([member for member in element if member not in taken])):
            yield kept
    yield from put_in
