"""Explanations of scores: a metric on one document, term by term, or its counts document by document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, Unpack

from ..anaphora.relations import JudgedRelations
from ..core.document import Document
from ..core.errors import OptionError
from ..core.matching.alignment import Alignment
from ..core.matching.matchers import MATCHERS
from ..core.metrics import METRICS, checked_metric, counted
from ..core.metrics.base import RECALL_PRECISION, Metric
from ..core.naming import check_values
from ..core.pipeline import Scoring
from ..core.positions import SENTENCE_SHIFT, node_name
from ..core.report import Report
from ..core.request import Path, Progress, Request, RequestArguments
from ..core.result import Plain, Result
from ..core.rules import RULES
from ..core.steps import align
from ..core.version import __version__
from ..formats.files import open_files, reports
from ..formats.naming import no_such_document
from ..formats.pairs import Pair
from ..formats.settings import main_figure
from .errors.attribution import is_of_relations
from .errors.kinds import judge_relations
from .errors.pairing import AnnotatedSide
from .explanations import explanation_of, named_function
from .explanations.pieces import (
    Column,
    EntityPieces,
    EntityRef,
    Entry,
    MentionRef,
    Number,
    Partitions,
    Piece,
    Section,
    Term,
    sums,
    to_exact,
)

SIDES = ("key", "response")
LETTERS = "KR"
ADDED = "+"
"""The id of a singleton that a metric adds; its label is its mention."""


class MentionName(NamedTuple):
    """The name of a mention: its side, words and place."""

    side: str
    text: str
    """Its words; of an id, the id."""
    place: str
    """Sentence (its number in the file) and words, as ``3:4-6``; empty where mentions have no words."""

    def __str__(self) -> str:
        return f"{self.text} {self.place}" if self.place else self.text


class EntityName(NamedTuple):
    """The name of an entity: its side and id."""

    side: str
    id: str


class Names:
    """The names of the mentions and entities of one document."""

    def __init__(self, key: Document, response: Document, alignment: Alignment) -> None:
        self._sides = AnnotatedSide(key, alignment.key), AnnotatedSide(response, alignment.response)
        self._unnamed = [
            not document.sentences and set(document.entity_ids) == set(map(str, range(len(document.entities))))
            for document in (key, response)
        ]
        self._share_ids = not set(key.entity_ids).isdisjoint(response.entity_ids)

    def mention(self, ref: MentionRef) -> MentionName:
        """Words and place of a mention."""
        side, mention = ref
        annotated = self._sides[side]
        shown = annotated.in_file(mention) if not isinstance(mention, int) else annotated.mention(mention)
        place = ""
        if annotated.document.sentences:
            first, last = shown.first, shown.last
            end = node_name(last) if first >> SENTENCE_SHIFT == last >> SENTENCE_SHIFT else _place(last)
            place = _place(first) if first == last else f"{_place(first)}-{end}"
        return MentionName(SIDES[side], annotated.text(shown), place)

    def entity(self, ref: EntityRef) -> EntityName:
        """The id of an entity in its file; before a mere number, K or R. Clusters without names count from 1."""
        side, number = ref
        if not isinstance(number, int):
            return EntityName(SIDES[side], ADDED)
        annotated = self._sides[side]
        name = annotated.name(number)
        if name.isdecimal():
            name = LETTERS[side] + (str(int(name) + 1) if self._unnamed[side] else name)
        return EntityName(SIDES[side], name)

    def label(self, ref: EntityRef) -> str:
        """The id of an entity, after K: or R: if the sides share ids; of an added singleton, {its mention}."""
        side, number = ref
        if not isinstance(number, int):
            return f"{{{self.mention(number)}}}"
        name = self.entity(ref).id
        prefixed = self._share_ids and not self._sides[side].name(number).isdecimal()
        return f"{LETTERS[side]}:{name}" if prefixed else name


def _place(position: int) -> str:
    return f"{position >> SENTENCE_SHIFT}:{node_name(position)}"


SOURCES: dict[str, Callable[[Alignment], EntityPieces | Partitions | Alignment]] = {
    "table": EntityPieces.of_alignment,
    "partition": Partitions.of_alignment,
    "alignment": lambda alignment: alignment,
}
"""The input of an explanation, by what its metric reads."""


def explain_counts(
    alignment: Alignment, metric: Metric, rules: str, judged: JudgedRelations | None = None
) -> Sequence[Section]:
    """The sections of a metric on one document, counted as the rule set counts.

    ``judged`` are the relations of the document, if there are any.
    """
    explain = explanation_of(metric)
    if explain is None:
        alike = [
            row.name
            for row in METRICS.values()
            if row.reads == metric.reads and (row.explanation.function or row.relation.over_layer)
        ]
        others = f"; choose from: {', '.join(alike)}" if alike else ""
        raise OptionError(f"{metric.name} has no explanation{others}")
    if metric.reads == "relations":
        return explain(judged)
    row = RULES[rules]
    if metric.name in row.own_counts(alignment, MATCHERS[row.matches[0]], [metric.name]):
        if not (row.program and row.program.pieces):
            raise OptionError(f"{metric.name} cannot be explained under the rules {rules}: choose other rules")
        return explain(named_function(row.program.pieces)(alignment))
    return explain(SOURCES[metric.reads](alignment))


SCHEMA = "corefscope-metric-explanation-1"
SHORT_TITLES = ("recall", "of", "precision", "of")
ADDED_UP = "The counts of each document are added up, then divided"
SHOWN = 50
"""Maximum number of entries of a printed table."""


class Calculation(NamedTuple):
    """The calculation of one metric."""

    metric: str
    sections: tuple[Section, ...]
    """Tables whose entries add up to the counts; empty for a mean of metrics."""
    counts: tuple[Number, ...]
    """The sums, exact where the terms are."""
    score: Any
    """Computed from these counts, of the type that the metric has; its figures are fractions where the counts are."""
    nothing: bool
    """Whether there is nothing to count, so that the score is 0/0 and means nothing."""
    parts: tuple[Calculation, ...] = ()
    """The calculations of the metrics of a mean."""

    @property
    def components(self) -> Plain:
        """The components of the score, exactly."""
        made_of = METRICS[self.metric].explanation.components
        return dict(made_of(self.counts)) if made_of else {}  # type: ignore[arg-type]  # fractions are numbers


class _ExplanationFields(NamedTuple):
    calculation: Calculation
    document: str
    """The id of the explained document; empty if all are explained, document by document."""
    documents: tuple[str, ...]
    """The ids of all documents."""
    names: Names | None
    """The names of mentions and entities; None if all documents are explained."""
    report: Report
    """The scores that are explained, as ``score`` reports them."""
    limit: int | None = SHOWN
    """Maximum number of entries of a printed table; None for all."""


class MetricExplanation(Result, _ExplanationFields):
    """The explanation of a metric's score."""

    __slots__ = ()

    @property
    def summary(self) -> str:
        """The document and the main figure."""
        return f"of {self.document or 'all documents'}: {main_figure(self.report)}"

    def _flat_records(self) -> list[dict[str, object]]:
        return self.report.to_records()

    @property
    def metric(self) -> str:
        """The name of the metric."""
        return self.calculation.metric

    @property
    def signature(self) -> str:
        """The signature to quote with the score."""
        return self.report.signature

    @property
    def warnings(self) -> Sequence[str]:
        """Warnings about the files."""
        return self.report.warnings

    def to_dict(self, per_document: bool = False) -> Plain:  # noqa: ARG002
        """As plain values; all entries, whatever the limit."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "version": __version__,
            "document": self.document or None,
            "documents": list(self.documents),
            **plain_calculation(self.calculation, self.names),
        }

    def to_records(self, per_document: bool = False) -> list[Plain]:  # noqa: ARG002
        """One record for each term."""
        return [{"document": self.document, **record} for record in records(self.calculation, self.names)]


def explain_metric(
    key: Path,
    response: Path,
    metric: str,
    *,
    document: str | None = None,
    progress: Progress | None = None,
    **arguments: Unpack[RequestArguments],
) -> MetricExplanation:
    """Explain a metric on one document: every term of its sums, with the mentions and entities it counts.

    ``document`` is the id of one document; by default a file of one document is explained, and of several documents
    the counts of each are shown. Other arguments are as for ``score``.
    """
    metric = checked_metric(metric)
    check_values({"document": document})
    request = Request({**arguments, "metrics": (metric,)})
    if arguments.get("metrics") is not None:
        raise OptionError("metrics cannot be used here: one metric is explained at a time")
    request.refuse(
        baseline="terms are counted from 0",
        weights="terms are those of the plain score; the weight of an entity multiplies each of its terms",
    )
    opened = open_files(request, key, [response], progress)
    (corpus,) = opened.corpora
    scoring = Scoring(opened.request.options, (metric,))
    ids: list[str] = []
    chosen: tuple[Pair, Alignment] | None = None
    for (pair,) in opened.rows:
        assert pair is not None
        ids.append(pair.key.id)
        if document in (None, pair.key.id):
            alignment, _ = scoring.score(*pair, corpus.warnings)
            chosen = (pair, alignment) if len(scoring.rows) == 1 else None
        del pair
    if document is not None and document not in ids:
        raise no_such_document(document, ids, str(key))
    (report,) = reports(opened.request, corpus, [scoring], expect_mentions=document is None)
    if chosen is None:
        return MetricExplanation(by_document(METRICS[metric], report), "", tuple(ids), None, report)
    pair, alignment = chosen
    row, options = METRICS[metric], report.options
    name, judged = pair.key.id, None
    if all(part.relation.over_layer for part in counted([metric])):  # discourse deixis: identity over its own layer
        pair = Pair(pair.key.deixis_layer, pair.response.deixis_layer)
        alignment = align(*pair, options._replace(singletons="keep"))
    elif is_of_relations(row):
        judged = judge_relations(*pair, options)
    calculation = calculate(row, alignment, options.rules, judged)
    if is_of_relations(row):
        _check(calculation, report)
    return MetricExplanation(calculation, name, tuple(ids), Names(*pair, alignment), report)


def _check(calculation: Calculation, report: Report) -> None:
    """Refuse a calculation that does not give the score: plurals in the layer of deixis, or unusual rules."""
    for part in calculation.parts:
        _check(part, report)
    if calculation.counts:
        counts = report.counts(calculation.metric).values()
        if any(abs(float(one) - other) > 1e-9 for one, other in zip(calculation.counts, counts, strict=True)):
            rules, match = report.options.rules, report.options.match
            raise OptionError(
                f"{calculation.metric} cannot be explained where deixis has split antecedents, nor under"
                f" rules {rules} with match {match}: choose the rules corrected"
            )


def calculate(metric: Metric, alignment: Alignment, rules: str, judged: JudgedRelations | None = None) -> Calculation:
    """The calculation of a metric on one document; of a mean of metrics, with their calculations."""
    if metric.parts:
        parts = [calculate(METRICS[part], alignment, rules, judged) for part in metric.parts]
        return _calculation(metric, rules, parts=parts)
    of_identity = METRICS[metric.relation.over_layer] if metric.relation.over_layer else metric
    return _calculation(metric, rules, explain_counts(alignment, of_identity, rules, judged))


def _calculation(
    metric: Metric, rules: str, sections: Sequence[Section] = (), parts: Sequence[Calculation] = ()
) -> Calculation:
    """The calculation from tables, or of a mean of metrics from those of its parts."""
    counts = () if parts else sums(sections, len(metric.fields))
    conventions = RULES[rules].conventions
    score = metric.score([part.score for part in parts] if parts else counts, conventions)
    nothing = all(part.nothing for part in parts) if parts else metric.nothing(counts, conventions)  # type: ignore[arg-type]
    return Calculation(metric.name, tuple(sections), counts, score, nothing, tuple(parts))


def by_document(metric: Metric, report: Report) -> Calculation:
    """The counts of each document, which are added up before anything is divided."""
    rules = report.options.rules
    if metric.parts:
        return _calculation(metric, rules, parts=[by_document(METRICS[part], report) for part in metric.parts])
    terms = {
        name: [Term(to_exact(count)) for count in scores.counts(metric.name).values()]
        for name, scores in report.documents.items()
    }
    components = metric.explanation.components((0,) * len(metric.fields)) if metric.explanation.components else ()
    columns_of: dict[str, list[Column]] = {}
    for field, title in enumerate(SHORT_TITLES if metric.fields == RECALL_PRECISION else metric.fields):
        component = next((name for name in components if title.startswith(f"{name}_")), "")
        column = Column(spell_out(title.removeprefix(f"{component}_")), (field,))
        columns_of.setdefault(spell_out(component), []).append(column)
    sections = []
    for component, columns in columns_of.items():
        entries = [
            Entry(tuple([row[field] for column in columns for field in column.fields]), name=name)
            for name, row in terms.items()
        ]
        title = f"{ADDED_UP}: {component or 'other counts'}" if len(columns_of) > 1 else ADDED_UP
        sections.append(Section(title, tuple(columns), tuple(entries)))
    return _calculation(metric, rules, sections)


def spell_out(name: str) -> str:
    """The name of a count in words.

    >>> spell_out("non_coreference_links")
    'non-coreference links'
    """
    return name.replace("non_", "non-").replace("_", " ")


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
        **({"nothing": True} if calculation.nothing else {}),
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
    note = {"note": piece.note} if piece.note else {}
    return {"entity": _entity(piece.entity, names), "mentions": mentions, **note}


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
            about = names.label(entry.entity) if names and entry.entity else entry.name
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
