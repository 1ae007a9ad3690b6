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


Altered = tuple[AlteredSide, ...]


class Section(NamedTuple):
    """One table of an explanation."""

    title: str
    """What is counted, in a sentence."""
    columns: tuple[Column, ...]
    entries: tuple[Entry, ...]
    altered: Altered = ()

    def totals(self) -> list[Number | None]:
        """The sum of each column; None where there are no numbers."""
        columns = [[entry.terms[i] for entry in self.entries] for i in range(len(self.columns))]
        return [total(term.value for term in terms if term) if any(terms) else None for terms in columns]


def to_exact(count: float) -> Number:
    """A whole number as a fraction; others as they are, since they are rounded."""
    return Fraction(count) if count == int(count) else count


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


def recall_and_precision(
    titles: Sequence[str], columns: tuple[str, str], entries: Sequence[Iterable[Entry]], altered: Altered = ()
) -> list[Section]:
    """A section that adds up to the counts of recall, 0 and 1, and one for those of precision, 2 and 3.

    ``columns`` are the titles of numerator and denominator; ``altered`` is shown before the first section.
    """
    numerator, denominator = columns
    return [
        Section(
            f"{half}: {title}",
            (Column(numerator, (2 * side,)), Column(denominator, (2 * side + 1,))),
            tuple(entries[side]),
            () if side else altered,
        )
        for side, (half, title) in enumerate(zip(("Recall", "Precision"), titles, strict=True))
    ]


def one_each(title: str, columns: Sequence[str], terms: Sequence[tuple[str, Term]]) -> Section:
    """A section with a named entry for each count, its term in the column of the count."""
    entries = []
    for place, (name, term) in enumerate(terms):
        row: list[Term | None] = [None] * len(columns)
        row[place] = term
        entries.append(Entry(tuple(row), name=name))
    return Section(title, tuple([Column(name, (field,)) for field, name in enumerate(columns)]), tuple(entries))
