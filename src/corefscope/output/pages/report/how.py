"""The "how" card of the report page: explanations of the headline score of small documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ....analysis.errors.kinds import DocumentComparison
from ....analysis.explain import Calculation, calculate
from ....analysis.explanations.sections import KEY, AlteredSide, EntityRef, Entry, MentionRef, Piece, Section
from ....core.document import Mention
from ....core.errors import OptionError
from ....core.matching.alignment import NONE
from ....core.metrics import METRICS
from ....core.metrics.base import RECALL_PRECISION
from ....core.numbers import headline
from ...text import exact, figures, percent, term_text, totals

MOST_MENTIONS = 150  # of both sides; longer documents are left to `corefscope explain`
MOST_CHARACTERS = 300_000  # in all documents, so that pages stay small
FORMULA = 40  # characters

Find = Callable[[int, "int | Mention"], int]
"""The place of a mention on the page: from its side, and its number there or itself; −1 if it is not shown."""
Chains = tuple[list[int], list[int]]
"""The chains of both sides on the page, by entity."""


class How:
    """Explains the headline metric of one document after the other."""

    def __init__(self, metric: str, rules: str) -> None:
        self._metric, self._rules, self._left = METRICS[metric], rules, MOST_CHARACTERS

    def work_out(self, pair: DocumentComparison, find: Find, chains: Chains) -> list[Any]:
        """The calculations of a document; empty if it is too long, cannot be explained, or the page is full.

        Mentions and chains are given by their index on the page; those of the response as −1, −2, … for 0, 1, ….
        """
        alignment = pair.alignment
        if len(alignment.key.mentions) + len(alignment.response.mentions) > MOST_MENTIONS or self._left <= 0:
            return []
        plain = _Plain(find, chains)
        try:
            calculation = calculate(self._metric, alignment, self._rules)
        except OptionError:  # no explanation under these rules
            return []
        calculations = list(plain.calculations(calculation))
        self._left -= len(repr(calculations))
        return calculations


def pooled(calculation: Calculation) -> list[tuple[str, str]]:
    """The parts, components or sums of a score of all documents."""
    metric, counts = METRICS[calculation.metric], list(map(exact, calculation.counts))
    if calculation.parts:
        return [(METRICS[part.metric].title, percent(float(headline(part.score)))) for part in calculation.parts]
    if metric.fields == RECALL_PRECISION:
        return [("Recall", " / ".join(counts[:2])), ("Precision", " / ".join(counts[2:]))]
    return [(name.replace("_", " "), count) for name, count in zip(metric.fields, counts, strict=True)]


class _Plain:
    """Calculations as lists, with indices on the page for mentions and entities."""

    def __init__(self, find: Find, chains: Chains) -> None:
        self._find, self._chains = find, chains

    def calculations(self, calculation: Calculation) -> Iterable[list[Any]]:
        for part in calculation.parts:
            yield from self.calculations(part)
        sections = [self._section(section) for section in calculation.sections]
        yield [METRICS[calculation.metric].title, sections, list(figures(calculation))]

    def _section(self, section: Section) -> list[Any]:
        rows = [
            self._row(level, entry)
            for outer in section.entries
            for level, entry in [(0, outer), *((1, detail) for detail in outer.entries)]
        ]
        columns = [column.title for column in section.columns]
        return [section.title, columns, rows, totals(section), [self._altered(side) for side in section.altered]]

    def _row(self, level: int, entry: Entry) -> list[Any]:
        about = entry.name if entry.entity is None else self._entity(entry.entity)
        pieces = [] if entry.entries else [self._piece(piece) for piece in entry.pieces]
        return [level, "" if level else about, pieces, [term_text(term, FORMULA) for term in entry.terms]]

    def _altered(self, side: AlteredSide) -> list[Any]:
        return [side.title, [self._mentions(piece.mentions) for piece in side.entities]]

    def _piece(self, piece: Piece) -> list[Any]:
        return [self._mentions(piece.mentions), None if piece.entity is None else self._entity(piece.entity)]

    def _mentions(self, refs: Iterable[MentionRef]) -> list[int]:
        places = [(side, self._find(side, mention)) for side, mention in refs]
        return [place if side == KEY else -1 - place for side, place in places if place >= 0]

    def _entity(self, entity: EntityRef) -> int | None:
        side, number = entity
        if number == NONE:
            return None
        chain = self._chains[side][number]
        return chain if side == KEY else -1 - chain
