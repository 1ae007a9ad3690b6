"""Layouts of explanations: of a metric, by tables of terms and their sums; and of the difference of two figures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import zip_longest

from ...analysis.explain import Calculation, MetricExplanation, Names, spell_out
from ...analysis.explanations.pieces import Entry, Number, Piece, Section, Term
from ...comparison.difference import MEANINGS, OURS, Explanation, Setting
from ...core.metrics import METRICS
from ...core.metrics.base import RECALL_PRECISION
from ...core.numbers import Score, headline
from ..layout import Block, Layout, Sheet, Span, Text
from ..text import CUT, ROOM, cut, percent, width_of, wrapped
from .score import NOTHING


def lay_out_difference(explanation: Explanation, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """For each figure the settings that produce it, then the differences between them."""
    blocks: list[list[str]] = []
    for figure, readings, settings, nearest in zip(
        explanation.wanted, explanation.read_as, explanation.found, explanation.nearest, strict=True
    ):
        lines = [line for row in settings[: explanation.limit] for line in _setting_lines(*row, width)]
        if settings:
            reading = f", read as a {' or a '.join(readings)}," if readings else ""
            head = f"{figure}{reading} comes from {len(settings):,} of the {explanation.tried:,} settings tried:"
            if figure == OURS:
                head = f"{figure} is what these settings give:"
        else:
            head = f"{figure} comes from none of the {explanation.tried:,} settings tried; the nearest is"
            lines += _setting_lines(*nearest, width)
        if len(settings) > explanation.limit:
            lines.append(f"  and {len(settings) - explanation.limit} more")
        blocks.append([head, *lines])
    if explanation.path:
        start, end = explanation.path
        changes = ", ".join(
            f"{name}: {_meaning(name, one)} instead of {_meaning(name, other)}"
            for name, (one, other) in start.differs(end).items()
        )
        blocks.append([f"What differs: {changes or 'nothing: both come from the same settings'}"])
    if any(
        settings for figure, settings in zip(explanation.wanted, explanation.found, strict=True) if figure != OURS
    ):
        blocks.append([CHANCE])
    if explanation.irrelevant:
        blocks.append([f"Makes no difference here: {reason}" for reason in explanation.irrelevant])
    return Layout(list(map(Text, blocks)), [explanation.signature])


CHANCE = "That a setting gives a figure does not show that it was used: among so many, one may fit by chance."


def _setting_lines(setting: Setting, value: float, width: int | None) -> list[str]:
    figure = f"  {100 * value:9.4f}  {METRICS[setting.metric].title:9} "
    line = figure + str(setting).partition(" ")[2]
    return wrapped(line, width, " " * len(figure)) if width else [line]


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
        rows = list(figures(calculation))
        yield Sheet.of(["", "", "value", "percent"], rows, left=2, strong=[len(rows) - 1])

    def _section(self, section: Section) -> Iterator[Block]:
        altered: list[str] = []
        for side in section.altered:
            sets = [f"{{{self._piece(piece._replace(entity=None))}}}" for piece in side.entities]
            lines = wrapped(f"  {side.title}: {' '.join(sets) or 'nothing'}", self._width)
            altered += self._some(lines, MOST_SETS, "    ")
        yield Text([[Span(section.title, "strong")], *altered])
        shown: list[tuple[int, Entry]] = []
        for entry in self._most_lost(section.entries, self._limit):
            details = self._most_lost(entry.entries, self._limit and MOST_DETAILS)
            shown += [(0, entry), *((1, detail) for detail in details)]
        formulas = FORMULA.get(len(section.columns), SHORT_FORMULA)
        terms = [[self._term(term, formulas) for term in entry.terms] for _, entry in shown]
        sums = totals(section)
        sides = {entry.entity[0] for entry in section.entries if entry.entity}
        corner = ("key", "response")[sides.pop()] if len(sides) == 1 else ""
        head = [corner, "", *(column.title for column in section.columns)]
        names = []
        for level, entry in shown:
            name = self._names.label(entry.entity) if entry.entity and self._names else entry.name
            names.append("" if level or _is_rest(entry) else cut(name, LONGEST_NAME))
        columns = zip(*([[text] for text in row] for row in (head[2:], sums)), *terms, strict=True)
        widths = [max(width_of(line) for lines in column for line in lines) for column in columns]
        taken = sum(widths) + 2 * (len(widths) + 1) + max(map(width_of, [head[0], *names]))
        room = max(self._width - taken, NARROWEST)
        rows: list[list[str]] = []
        for (level, entry), name, cells in zip(shown, names, terms, strict=True):
            mentions = self._mentions(entry, level, room)
            rows += [list(line) for line in zip_longest([name], mentions, *cells, fillvalue="")]
        if any(sums) and (len(section.entries) != 1 or section.entries[0].entries):
            rows.append(["Σ", "", *sums])
        yield Sheet.of(head, rows, left=2)

    def _most_lost(self, entries: Sequence[Entry], limit: int | None) -> Sequence[Entry]:
        """As many entries as the limit allows, those with the greatest losses, and the number of the others."""
        if limit is None or len(entries) <= limit:
            return entries
        self.cut = True
        others = Entry((None,) * len(entries[0].terms), name=f"… and {len(entries) - limit} more")
        return [*sorted(entries, key=_loss, reverse=True)[:limit], others]

    def _term(self, term: Term | None, width: int) -> list[str]:
        """The lines of a term; of long formulas only the value, unless everything is shown."""
        lines = term_lines(term, width)
        if self._limit is None or len(lines) <= MOST_LINES:
            return lines
        self.cut = True
        return [term_text(term, width)]

    def _mentions(self, entry: Entry, level: int, width: int) -> list[str]:
        """The pieces of an entry in lines; the details of an entry are indented."""
        indent = "  " * level
        if _is_rest(entry):
            return [indent + entry.name]
        mark, between = " | ", ""
        if entry.links:  # a–b as in papers if mentions are letters; longer mentions need more space
            words = any(" " in self._piece(piece, "–") for piece in entry.pieces)
            mark, between = ("; ", " – ") if words else ("  ", "–")
        text = mark.join([self._piece(piece, between) for piece in entry.pieces])
        if entry.entries:  # they repeat the mentions
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
        entity = f" → {self._names.label(piece.entity)}" if piece.entity else ""
        entity += f" ({piece.note})" if piece.note else ""
        mentions = [self._names.mention(ref) for ref in piece.mentions]
        texts = [f"{cut(mention.text, LONGEST_MENTION)} {mention.place}".rstrip() for mention in mentions]
        return (between or (", " if any(" " in text for text in texts) else " ")).join(texts) + entity


def _is_rest(entry: Entry) -> bool:
    """Whether an entry only gives the number of the others."""
    return not any(entry.terms) and not entry.pieces


def _loss(entry: Entry) -> float:
    """The sum of denominators minus numerators: terms are (part, whole), or (common, one whole, the other)."""
    values = [float(term.value) if term else 0.0 for term in entry.terms]
    if len(values) == 3:
        return values[1] + values[2] - 2 * values[0]
    return sum(values[1::2]) - sum(values[0::2])


def term_lines(term: Term | None, width: int) -> list[str]:
    """A term with its formula, which is cut between summands into lines of about ``width`` columns.

    >>> term_lines(Term(Fraction(9), "2·3/(1 + 1) + 4 + 2"), 11)
    ['2·3/(1 + 1)', '+ 4 + 2 = 9']
    """
    if term is None:
        return [""]
    value = exact(term.value)
    if not term.formula or term.formula == value:
        return [value]
    lines = [""]
    for summand in re.split(r" (?=\+ (?![^()]*\)))", term.formula):
        if lines[-1] and width_of(f"{lines[-1]} {summand}") > width:
            lines.append(summand)
        else:
            lines[-1] = f"{lines[-1]} {summand}".strip()
    return [*lines[:-1], f"{lines[-1]} = {value}"]


def term_text(term: Term | None, width: int) -> str:
    """A term in one line, with its formula if that fits into ``width`` columns."""
    lines = term_lines(term, width)
    return lines[0] if term is None or len(lines) == 1 else f"… = {exact(term.value)}"


LARGEST_DENOMINATOR = 10**6  # larger ones are shown as decimals
NAMES = {"recall": "Recall", "precision": "Precision", "f1": "F1"}


def exact(value: Number) -> str:
    """A fraction; four decimals if the number is none, or has a large denominator."""
    if isinstance(value, Fraction) and value.denominator < LARGEST_DENOMINATOR:
        return str(value)
    return f"{float(value):.4f}"


def totals(section: Section) -> list[str]:
    """The sums of the columns that add to the counts: exact, and as decimals if they are no whole numbers."""
    texts = []
    for number, column in zip(section.totals(), section.columns, strict=True):
        text = exact(number) if number is not None and column.fields else ""
        texts.append(f"{text} = {float(number):.4f}" if number is not None and "/" in text else text)
    return texts


def figures(calculation: Calculation) -> Iterator[list[str]]:
    """The components of a score, then its figures: the last step of each, its exact value, and percent."""
    for name, value in calculation.components.items():
        if isinstance(value, Score):
            yield from _kind_of_links(calculation, name, value)
        else:
            yield [name, "", exact(value), ""]
    for name, number in calculation.score._asdict().items():
        if isinstance(number, str):
            yield [name, number, "", ""]
        else:
            title = NAMES.get(name, METRICS[calculation.metric].title)
            shown = UNDEFINED if calculation.nothing else [exact(number), percent(float(number))]
            yield [title, _last_step(calculation, name), *shown]


UNDEFINED = ["0/0", NOTHING]
"""The value and the percentage where there is nothing to count."""


def _kind_of_links(calculation: Calculation, name: str, score: Score) -> Iterator[list[str]]:
    """The figures of one kind of links with the fractions they come from; 0/0 if neither side has such links."""
    counts = dict(zip(METRICS[calculation.metric].fields, calculation.counts, strict=True))
    common, key, response = (counts[f"{name}_{count}"] for count in ("common", "key", "response"))
    steps = f"{exact(common)} / {exact(key)}", f"{exact(common)} / {exact(response)}", "2PR / (P + R)"
    for (figure, number), step in zip(score._asdict().items(), steps, strict=True):
        shown = [exact(number), percent(float(number))] if key or response else UNDEFINED
        yield [f"{spell_out(name)}, {figure.replace('f1', 'F1')}", step, *shown]


def _last_step(calculation: Calculation, figure: str) -> str:
    """The last step to a figure, for scores that are ratios or means."""
    if calculation.parts:
        figures = " + ".join(exact(headline(part.score)) for part in calculation.parts)
        return f"({figures}) / {len(calculation.parts)}"
    if METRICS[calculation.metric].fields != RECALL_PRECISION:
        kinds = [getattr(value, figure) for value in calculation.components.values() if isinstance(value, Score)]
        if not any(kinds):
            return ""
        is_mean = len(kinds) * getattr(calculation.score, figure) == sum(kinds)
        return "mean of both kinds" if is_mean else "of the kind that counts"
    if figure == "f1":
        return "2PR / (P + R)"
    first = 0 if figure == "recall" else 2
    texts = map(exact, calculation.counts[first : first + 2])
    return " / ".join(f"({text})" if "/" in text else text for text in texts)
