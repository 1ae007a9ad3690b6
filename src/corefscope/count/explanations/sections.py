"""A calculation by hand: tables of lines, each of which is about something and adds to the counts of the metric."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from ...base.mention import Mention

KEY, RESPONSE = 0, 1
Number = Fraction | float
"""Exact, unless it is a logarithm or a root."""
MentionRef = tuple[int, "int | Mention"]
"""A mention: its side, and its number there (or itself)."""
EntityRef = tuple[int, int]
"""An entity: its side, and its number there; NONE if it was added to make the sides alike."""


class Column(NamedTuple):
    """What the terms of one column of a section are."""

    title: str
    fields: tuple[int, ...] = ()
    """The counts of the metric that they add to, by their index in ``Metric.fields``; none if they only inform."""


class Term(NamedTuple):
    """One number of an entry."""

    value: Number
    formula: str = ""
    """How it comes about, such as ``3 − 2``; empty if it is the number itself."""


class Piece(NamedTuple):
    """Mentions that stand together, and the entity in which they do."""

    mentions: tuple[MentionRef, ...]
    entity: EntityRef | None = None


class Entry(NamedTuple):
    """One line of a calculation: what it is about, and a term for each column."""

    terms: tuple[Term | None, ...]
    name: str = ""
    """What it is about, if that is no entity."""
    entity: EntityRef | None = None
    pieces: tuple[Piece, ...] = ()
    """The mentions that it is about."""
    entries: tuple[Entry, ...] = ()
    """The same in detail: their terms add up to those of the entry."""
    links: bool = False
    """Whether the pieces are links between two mentions."""


class AlteredSide(NamedTuple):
    """A side as a metric alters it before it counts."""

    title: str
    entities: tuple[Piece, ...]


class Section(NamedTuple):
    """One table of a calculation."""

    title: str
    """What is counted here, in a sentence."""
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
    """What the entries of all sections add to each of so many counts."""
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
    """The columns of the recall and those of the precision, of a metric whose counts are just these."""
    return (
        (Column(numerator, (0,)), Column(denominator, (1,))),
        (Column(numerator, (2,)), Column(denominator, (3,))),
    )


def one_of(columns: int, place: int, term: Term) -> tuple[Term | None, ...]:
    """The terms of a line that adds to one column only."""
    return tuple([term if column == place else None for column in range(columns)])


def one_each(title: str, columns: Sequence[str], terms: Sequence[tuple[str, Term]]) -> Section:
    """A table with a line for each count of a metric, named, and its term in the column of the count."""
    return Section(
        title,
        tuple([Column(name, (field,)) for field, name in enumerate(columns)]),
        tuple([Entry(one_of(len(columns), place, term), name=name) for place, (name, term) in enumerate(terms)]),
    )
