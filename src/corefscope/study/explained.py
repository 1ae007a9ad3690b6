"""Calculations by hand as plain values: for JSON, and one record for each term."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..count.metrics import METRICS
from ..count.working.sections import EntityRef, Entry, Number, Piece, Section, Term
from .named import Names

if TYPE_CHECKING:
    from .explain import Calculation

Plain = dict[str, Any]


def plain_calculation(calculation: Calculation, names: Names | None) -> Plain:
    """Tables, counts and score of a metric; the same of its parts."""
    metric = METRICS[calculation.metric]
    score = {
        name: value if isinstance(value, str) else _number(value)
        for name, value in calculation.score._asdict().items()
    }
    return {
        "metric": metric.name,
        "title": metric.title,
        "score": score,
        "counts": {name: _number(count) for name, count in zip(metric.fields, calculation.counts, strict=True)},
        "sections": [_section(section, metric.fields, names) for section in calculation.sections],
        "parts": [plain_calculation(part, names) for part in calculation.parts],
    }


def _section(section: Section, fields: tuple[str, ...], names: Names | None) -> Plain:
    return {
        "title": section.title,
        "altered": [
            {"title": side.title, "entities": [_piece(piece, names) for piece in side.entities]}
            for side in section.altered
        ],
        "columns": [
            {"title": column.title, "adds_to": [fields[field] for field in column.fields]}
            for column in section.columns
        ],
        "entries": [_entry(entry, names) for entry in section.entries],
        "totals": [None if number is None else _number(number) for number in section.totals()],
    }


def _entry(entry: Entry, names: Names | None) -> Plain:
    return {
        "name": entry.name or None,
        "entity": _entity(entry.entity, names),
        "pieces": [_piece(piece, names) for piece in entry.pieces],
        "terms": [term and _term(term) for term in entry.terms],
        "entries": [_entry(detail, names) for detail in entry.entries],
    }


def _piece(piece: Piece, names: Names | None) -> Plain:
    mentions = [names.mention(ref)._asdict() for ref in piece.mentions] if names else []
    return {"entity": _entity(piece.entity, names), "mentions": mentions}


def _entity(ref: EntityRef | None, names: Names | None) -> Plain | None:
    return names.entity(ref)._asdict() if names and ref else None


def _term(term: Term) -> Plain:
    return {"formula": term.formula or None, **_number(term.value)}


def _number(value: Number) -> Plain:
    return {"exact": str(value) if isinstance(value, Fraction) else None, "value": float(value)}


def records(calculation: Calculation, names: Names | None) -> Iterator[Plain]:
    """One flat record for each term; details have a level."""
    for part in calculation.parts:
        yield from records(part, names)
    for section in calculation.sections:
        for level, entry in _with_details(section.entries):
            about = names.entity(entry.entity).id if names and entry.entity else entry.name
            mentions = [str(names.mention(ref)) for piece in entry.pieces for ref in piece.mentions] if names else []
            for column, term in zip(section.columns, entry.terms, strict=True):
                if term:
                    yield {
                        "metric": calculation.metric,
                        "section": section.title,
                        "level": level,
                        "about": about,
                        "mentions": ", ".join(mentions),
                        "column": column.title,
                        **_term(term),
                    }


def _with_details(entries: Iterable[Entry], level: int = 0) -> Iterator[tuple[int, Entry]]:
    for entry in entries:
        yield level, entry
        yield from _with_details(entry.entries, level + 1)
