"""Repaired counts: the counts of a metric of relations once errors of some kinds are repaired.

Repairing a kind adds what the key has lost by it, and removes what the response has wrong by it. With k lost and r
wrong, both numerators gain k, and the denominator of the precision k − r. Plurals are repaired themselves and counted
again: a missing element is put into its plural and leaves others, an extra one is taken out, missing plurals are
added and extra ones removed. With all kinds repaired a score is 1; that of plurals only if their elements have the
same mentions as in the key.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Set

from ..core.numbers import Counts
from .plural_alignment import TwoPartitions
from .plurals import Partition, Plural, anchor_of
from .relations import JudgedLink, JudgedRelations

Lost = dict[str, tuple[int, int]]
"""By kind of error, how many the key has lost, and how many the response has wrong."""
RepairedCounts = Callable[[JudgedRelations, Counts, Set[str]], Counts]
"""Function of the judged relations of a document, its counts as scored, and the kinds of errors to repair."""

BRIDGING = ("missing_bridging", "extra_bridging")
LINKS = (*BRIDGING, "wrong_entity")
ANCHORS = (*LINKS, "wrong_anchor")
NON_REFERRING = ("missing_non_referring", "extra_non_referring")
PLURALS = ("missing_plural", "extra_plural", "missing_element", "extra_element")


def repaired_bridging(level: str) -> RepairedCounts:
    """Bridging at one level: ``recognition``, ``mention`` or ``entity``."""

    def item(link: JudgedLink) -> object:
        """What counts once."""
        if level == "recognition":
            return link.of
        return link.of, link.to if level == "entity" else anchor_of(link.relation)

    def count_lost(judged: JudgedRelations) -> Lost:
        by_kind: dict[str, tuple[set[object], set[object]]] = {kind: (set(), set()) for kind in ANCHORS}
        for side, links in enumerate((judged.key.links, judged.response.links)):
            for link in links:
                if kind := _error_kind(link, level, side):
                    by_kind[kind][side].add(item(link))
        return {kind: (len(ours), len(theirs)) for kind, (ours, theirs) in by_kind.items()}

    return _add_lost(count_lost)


def _error_kind(link: JudgedLink, level: str, side: int) -> str:
    """The error of a link at a level; empty if there is none, or none that a file can express."""
    if not link.recognised:
        return BRIDGING[side]
    if level == "recognition":
        return ""
    if not link.same_entity:
        return "wrong_entity" if level == "entity" or not link.same_mention else ""
    return "wrong_anchor" if level == "mention" and link.names_mention and not link.same_mention else ""


def _add_lost(count_lost: Callable[[JudgedRelations], Lost]) -> RepairedCounts:
    def repair(judged: JudgedRelations, counts: Counts, kinds: Set[str]) -> Counts:
        found, key, right, response = counts
        for kind, (missing, wrong) in count_lost(judged).items():
            if kind in kinds:
                found, right, response = found + missing, right + missing, response + missing - wrong
        return found, key, right, response

    return repair


@_add_lost
def repaired_non_referring(judged: JudgedRelations) -> Lost:
    """Expressions that do not refer."""
    missing, extra = (sum(not right for _, right in side.non_referring) for side in (judged.key, judged.response))
    return {NON_REFERRING[0]: (missing, 0), NON_REFERRING[1]: (0, extra)}


def repaired_plurals(metric: str) -> RepairedCounts:
    """The elements of plurals, counted by an identity metric."""

    def repair(judged: JudgedRelations, counts: Counts, kinds: Set[str]) -> Counts:  # noqa: ARG001
        response = _repair_plurals(judged, kinds)
        return TwoPartitions(judged.key.partition, response, judged.handling).count(metric).split_row(metric)

    return repair


def _repair_plurals(judged: JudgedRelations, kinds: Set[str]) -> Partition:
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
            plurals[pair.j] = Plural(_repair_elements(pair.theirs, extra, missing))
    entities: list[list[Hashable]] = [
        [*(member for member in entity if not isinstance(member, Plural)), *([plurals[j]] if j in plurals else [])]
        for j, entity in enumerate(judged.response.partition.entities)
    ]
    entities += [[plural] for plural in new]
    return type(judged.response.partition)([entity for entity in entities if entity])


def _repair_elements(
    plural: Plural, extra: Iterable[tuple[object, ...]], missing: Iterable[tuple[object, ...]]
) -> Iterable[tuple[object, ...]]:
    """The elements of a plural without the extra and with the missing ones, which take their mentions along."""
    missing, extra = list(missing), set(extra)
    taken = {member for element in missing for member in element}
    for element in plural:
        if element not in extra and (kept := tuple([member for member in element if member not in taken])):
            yield kept
    yield from missing
