"""Layout of an explained difference between two figures.

Layout of an explained metric: the sides as they are counted, tables of terms, and their sums.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...analysis.explain import Calculation, MentionName, MetricExplanation, Names
from ...analysis.explanations.sections import AlteredSide, Entry, Piece, Section
from ...comparison.difference import MEANINGS, Explanation, Setting
from ...core.metrics import METRICS
from ..columns import CUT, ROOM, cut, width_of, wrapped
from ..layout import Block, Layout, Sheet, Span, Text
from ..text import figures, term_text, totals


def lay_out_difference(explanation: Explanation, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """For each figure the settings that produce it, then what differs between them."""
    blocks: list[list[str]] = []
    for figure, readings, ways, nearest in zip(
        explanation.wanted, explanation.read_as, explanation.found, explanation.nearest, strict=True
    ):
        lines = [_setting_line(way, value) for way, value in ways[: explanation.limit]]
        if ways:
            reading = f", read as a {' or a '.join(readings)}," if readings else ""
            head = f"{figure}{reading} is what these settings give:"
        else:
            head = f"{figure} comes from none of the {explanation.tried:,} settings tried; the nearest is"
            lines.append(_setting_line(*nearest))
        if len(ways) > explanation.limit:
            lines.append(f"  and {len(ways) - explanation.limit} more")
        blocks.append([head, *lines])
    if explanation.path:
        start, end = explanation.path
        changes = ", ".join(
            f"{name}: {_meaning(name, one)} instead of {_meaning(name, other)}"
            for name, (one, other) in start.differs(end).items()
        )
        blocks.append([f"What differs: {changes or 'nothing: both come from the same settings'}"])
    if explanation.irrelevant:
        blocks.append([f"Makes no difference here: {reason}" for reason in explanation.irrelevant])
    return Layout([Text(lines, wrap=False) for lines in blocks], [explanation.signature])


def _setting_line(setting: Setting, value: float) -> str:
    return f"  {100 * value:9.4f}  {METRICS[setting.metric].title:9} {str(setting).partition(' ')[2]}"


def _meaning(name: str, value: str) -> str:
    """A value, and its meaning if no option has this name."""
    meaning = MEANINGS.get(name, {}).get(value)
    return f"{value} ({meaning})" if meaning else value


LONGEST_MENTION = 28  # columns of the words of a mention
LONGEST_NAME = 48
NARROWEST = 20  # columns for mentions
MOST_LINES, MOST_DETAILS, MOST_SETS = 3, 10, 6
"""Lines of mentions of one entry, details of one entry, lines of an altered side, unless everything is shown."""
FORMULA = {1: 44, 2: 32, 3: 20}  # columns of a formula, by the number of terms in a row
SHORT_FORMULA = 14


def lay_out_metric(explanation: MetricExplanation, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """The calculation of a metric; of one that is made from others, theirs first."""
    page = _Page(explanation.names, explanation.limit, width or ROOM)
    blocks = list(page.calculation(explanation.calculation, explanation.document))
    notes = []
    if not explanation.document:
        ids = ", ".join(explanation.documents[:3]) + (", …" if len(explanation.documents) > 3 else "")
        notes.append(f"--document ID works one document out: {ids}" if explanation.documents else "no documents")
    if page.cut:
        notes.append("not everything is shown: --all shows it")
    return Layout(blocks, [explanation.signature], notes, METRICS[explanation.metric].title)


class _Page:
    """The blocks of one explanation."""

    def __init__(self, names: Names | None, limit: int | None, width: int) -> None:
        self._names, self._limit, self._width = names, limit, width
        self.cut = False
        """Whether something is not shown."""

    def calculation(self, calculation: Calculation, document: str) -> Iterator[Block]:
        metric = METRICS[calculation.metric]
        where = f" of document {document}" if document else " of all documents"
        yield Text([[Span(metric.title, "strong"), Span(where)]])
        for part in calculation.parts:
            yield from self.calculation(part, document)
        for section in calculation.sections:
            yield from self._section(section)
        yield Sheet.of(["", "", "value", "percent"], figures(calculation), left=2, strong=_last(calculation))

    def _section(self, section: Section) -> Iterator[Block]:
        altered = [line for side in section.altered for line in self._altered(side)]
        yield Text([[Span(section.title, "strong")], *altered])
        shown = self._shown(section)
        formulas = FORMULA.get(len(section.columns), SHORT_FORMULA)
        terms = [[term_text(term, formulas) for term in entry.terms] for _, entry in shown]
        sums = totals(section)
        head = [_head(section), "", *(column.title for column in section.columns)]
        names = ["" if level or _is_rest(entry) else cut(self._about(entry), LONGEST_NAME) for level, entry in shown]
        widths = [max(map(width_of, column)) for column in zip(head[2:], sums, *terms, strict=True)]
        taken = sum(widths) + 2 * (len(widths) + 1) + max(map(width_of, [head[0], *names]))
        room = max(self._width - taken, NARROWEST)
        rows = []
        for (level, entry), name, cells in zip(shown, names, terms, strict=True):
            first, *others = self._mentions(entry, level, room)
            rows.append([name, first, *cells])
            rows += [["", line, *("" for _ in cells)] for line in others]
        if any(sums) and (len(section.entries) != 1 or section.entries[0].entries):
            rows.append(["Σ", "", *sums])
        yield Sheet.of(head, rows, left=2)

    def _shown(self, section: Section) -> list[tuple[int, Entry]]:
        """The entries that are shown, each with its details: if there are many, those where most is lost."""
        shown: list[tuple[int, Entry]] = []
        for entry in self._most_lost(section.entries, self._limit):
            details = self._most_lost(entry.entries, self._limit and MOST_DETAILS)
            shown += [(0, entry), *((1, detail) for detail in details)]
        return shown

    def _most_lost(self, entries: Sequence[Entry], limit: int | None) -> Sequence[Entry]:
        """As many entries as the limit allows, and how many others there are."""
        if limit is None or len(entries) <= limit:
            return entries
        self.cut = True
        others = Entry((None,) * len(entries[0].terms), name=f"… and {len(entries) - limit} more")
        return [*sorted(entries, key=_lost, reverse=True)[:limit], others]

    def _about(self, entry: Entry) -> str:
        if entry.entity and self._names:
            return self._names.entity(entry.entity).id
        return entry.name

    def _mentions(self, entry: Entry, level: int, width: int) -> list[str]:
        """The pieces of an entry in lines; the details of an entry stand indented."""
        indent = "  " * level
        if _is_rest(entry):
            return [indent + entry.name]
        mark, between = " | ", ""
        if entry.links:  # as papers write them, if mentions are letters; else so that their words stay together
            words = any(" " in self._piece(piece, "–") for piece in entry.pieces)
            mark, between = ("; ", " – ") if words else ("  ", "–")
        text = mark.join([self._piece(piece, between) for piece in entry.pieces])
        if entry.entries:  # which have the mentions once more
            return [cut(text, width)]
        return [indent + line for line in self._some(wrapped(text, width - len(indent), ""), MOST_LINES)]

    def _some(self, lines: list[str], most: int, indent: str = "") -> list[str]:
        """The first lines of a text, unless everything is shown."""
        if self._limit is None or len(lines) <= most:
            return lines
        self.cut = True
        return [*lines[:most], indent + CUT]

    def _piece(self, piece: Piece, between: str = "") -> str:
        if not self._names:
            return ""
        entity = f" → {self._names.entity(piece.entity).id}" if piece.entity else ""
        return _joined([self._names.mention(ref) for ref in piece.mentions], between) + entity

    def _altered(self, side: AlteredSide) -> list[str]:
        sets = [f"{{{self._piece(piece._replace(entity=None))}}}" for piece in side.entities]
        lines = wrapped(f"  {side.title}: {' '.join(sets) or 'nothing'}", self._width)
        return self._some(lines, MOST_SETS, "    ")


def _joined(mentions: Sequence[MentionName], between: str = "") -> str:
    """Mentions side by side; names without spaces as papers write them."""
    texts = [f"{cut(name.text, LONGEST_MENTION)} {name.place}".rstrip() for name in mentions]
    return (between or (", " if any(" " in text for text in texts) else " ")).join(texts)


def _is_rest(entry: Entry) -> bool:
    """Whether it only says how many others there are."""
    return not any(entry.terms) and not entry.pieces


def _head(section: Section) -> str:
    """Whose entities the entries are."""
    sides = {entry.entity[0] for entry in section.entries if entry.entity}
    return ("key", "response")[sides.pop()] if len(sides) == 1 else ""


def _lost(entry: Entry) -> float:
    """How far numerators are below denominators: terms are (part, whole), or (common, one whole, the other)."""
    values = [float(term.value) if term else 0.0 for term in entry.terms]
    if len(values) == 3:
        return values[1] + values[2] - 2 * values[0]
    return sum(values[1::2]) - sum(values[0::2])


def _last(calculation: Calculation) -> list[int]:
    """The row of the figure to speak of."""
    return [sum(1 for _ in figures(calculation)) - 1]
