"""Sections of an explanation: tables of entries whose terms add up to the counts of the metric."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from ...core.document import Mention

KEY, RESPONSE = 0, 1
Number = Fraction | float
"""Exact, unless it is a logarithm or a root."""
MentionRef = tuple[int, "int | Mention"]
"""A mention: its side, and its index there (or the mention itself)."""
EntityRef = tuple[int, int]
"""An entity: its side, and its index there; NONE for an added singleton."""


class Column(NamedTuple):
    """A column of a section."""

    title: str
    fields: tuple[int, ...] = ()
    """The counts that its terms add to, as indices in ``Metric.fields``; empty for information only."""


class Term(NamedTuple):
    """One number of an entry."""

    value: Number
    formula: str = ""
    """How the value is computed, such as ``3 − 2``; empty for a plain number."""


class Piece(NamedTuple):
    """Mentions of one entity, and that entity."""

    mentions: tuple[MentionRef, ...]
    entity: EntityRef | None = None


class Entry(NamedTuple):
    """One row of a section: its subject, and a term for each column."""

    terms: tuple[Term | None, ...]
    name: str = ""
    """The subject, if it is no entity."""
    entity: EntityRef | None = None
    pieces: tuple[Piece, ...] = ()
    """The mentions that it counts."""
    entries: tuple[Entry, ...] = ()
    """Details, whose terms add up to those of the entry."""
    links: bool = False
    """Whether the pieces are links between two mentions."""


class AlteredSide(NamedTuple):
    """A side as altered by a metric before counting."""

    title: str
    entities: tuple[Piece, ...]


class Section(NamedTuple):
    """One table of an explanation."""

    title: str
    """What is counted, in a sentence."""
    columns: tuple[Column, ...]
    entries: tuple[Entry, ...]
    altered: tuple[AlteredSide, ...] = ()

    def totals(self) -> list[Number | None]:
        """The sum of each column; None where there are no numbers."""
        columns = [[entry.terms[i] for entry in self.entries] for i in range(len(self.columns))]
        return [total(term.value for term in terms if term) if any(terms) else None for terms in columns]


def total(values: Iterable[Number]) -> Number:
    """The sum; of exact numbers, exactly."""
    return sum(values, Fraction(0))


def sums(sections: Sequence[Section], fields: int) -> tuple[Number, ...]:
    """The sums of all sections, for each of ``fields`` counts."""
    counts: list[Number] = [Fraction(0)] * fields
    for section in sections:
        for column, added in zip(section.columns, section.totals(), strict=True):
            for field in column.fields:
                counts[field] += added or 0
    return tuple(counts)


def whole(number: int, formula: str = "") -> Term:
    """A term that is a whole number."""
    return Term(Fraction(number), formula)


def recall_and_precision(numerator: str, denominator: str) -> tuple[tuple[Column, Column], tuple[Column, Column]]:
    """The columns of recall and precision, for a metric with just these counts."""
    return (
        (Column(numerator, (0,)), Column(denominator, (1,))),
        (Column(numerator, (2,)), Column(denominator, (3,))),
    )


def one_of(columns: int, place: int, term: Term) -> tuple[Term | None, ...]:
    """The terms of an entry that adds to one column only."""
    return tuple([term if column == place else None for column in range(columns)])


def one_each(title: str, columns: Sequence[str], terms: Sequence[tuple[str, Term]]) -> Section:
    """A section with a named entry for each count, its term in the column of the count."""
    return Section(
        title,
        tuple([Column(name, (field,)) for field, name in enumerate(columns)]),
        tuple([Entry(one_of(len(columns), place, term), name=name) for place, (name, term) in enumerate(terms)]),
    )
