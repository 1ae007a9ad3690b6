"""Explanations of metrics of relations: links and expressions one by one, plurals with their elements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...anaphora.plural_measures import MEASURES
from ...anaphora.plurals import Plural, anchor_of
from ...anaphora.relations import JudgedLink, JudgedRelations, JudgedSide
from ...core.document import Mention
from .sections import KEY, RESPONSE, Entry, Piece, Section, Term, recall_and_precision, to_exact, whole

LEVELS = {
    "recognition": "anaphors of the {}, and whether the {} has them",
    "mention": "links of the {}, and whether the {} has them",
    "entity": "links of the {} to an entity, and whether the {} has them",
}


def _sections(title: str, entries: Sequence[Iterable[Entry]]) -> list[Section]:
    """``title`` has a place for the side that is listed, and one for the other."""
    titles = title.format("key", "response"), title.format("response", "key")
    return recall_and_precision(titles, ("right", "of"), entries)


def _judged(right: bool, *mentions: Mention, side: int) -> Entry:
    pieces = tuple([Piece(((side, mention),)) for mention in mentions])
    return Entry((whole(int(right)), whole(1)), pieces=pieces, links=len(mentions) > 1)


def bridging(level: str, judged: JudgedRelations | None) -> list[Section]:
    """The links of each side, counted once at one of ``LEVELS``."""

    def item(link: JudgedLink, side: int) -> tuple[object, Entry]:
        """The item that counts once, and its line."""
        anaphor, anchor = link.relation.anaphor[0], anchor_of(link.relation)
        if level == "recognition":
            return link.of, _judged(link.recognised, anaphor, side=side)
        if level == "entity":
            return (link.of, link.to), _judged(link.same_entity, anaphor, anchor, side=side)
        return (link.of, anchor), _judged(link.same_mention, anaphor, anchor, side=side)

    def entries(side: JudgedSide, number: int) -> list[Entry]:
        return [*dict([item(link, number) for link in reversed(side.links)]).values()][::-1]

    sides = (judged.key, judged.response) if judged else ()
    listed = [entries(side, number) for number, side in enumerate(sides)] or [[], []]
    return _sections(LEVELS[level], listed)


def non_referring(judged: JudgedRelations | None) -> list[Section]:
    """Non-referring expressions one by one."""
    sides = (judged.key, judged.response) if judged else ()
    listed = [
        [_judged(right, mention, side=number) for mention, right in side.non_referring]
        for number, side in enumerate(sides)
    ]
    title = "expressions of the {} that do not refer, and whether those of the {} do not"
    return _sections(title, listed or [[], []])


def plurals(metric: str, judged: JudgedRelations | None) -> list[Section]:
    """The plurals of each side and their elements, as one of ``MEASURES`` weighs them."""
    listed: tuple[list[Entry], list[Entry]] = [], []
    for ours, theirs, ((found, key, right, response),) in judged.both().pairs(MEASURES[metric]) if judged else ():
        assert judged is not None
        for side, plural, number, counts in (
            (judged.key, ours, KEY, (found, key)),
            (judged.response, theirs, RESPONSE, (right, response)),
        ):
            if plural:
                terms = tuple([Term(to_exact(count)) for count in counts])
                listed[number].append(Entry(terms, pieces=_elements(side, plural, number)))
    title = "each plural of the {} and its elements, and those of its counterpart in the {}"
    return _sections(title, listed)


def _elements(side: JudgedSide, plural: Plural, number: int) -> tuple[Piece, ...]:
    """The mentions of a plural, then those of each element, in the order of the text."""
    entity = side.partition.entities[side.partition.owner[plural]]
    mentions = sorted(side.mentions[member] for member in entity if not isinstance(member, Plural))
    elements = sorted(sorted(side.mentions[member] for member in element) for element in plural)
    return tuple([Piece(tuple([(number, mention) for mention in each])) for each in (mentions, *elements)])
