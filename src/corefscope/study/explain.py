"""How a score comes about: a metric worked out by hand on one document, or its counts document by document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from ..base.errors import OptionError, no_such_document
from ..base.naming import check_values
from ..base.numbers import AnyScore
from ..base.result import Result, main_figure
from ..base.version import __version__
from ..count.metrics import METRICS, counted
from ..count.metrics.base import RECALL_PRECISION, Metric
from ..count.working.sections import Column, Entry, Number, Section, Term, sums
from ..evaluate.files import open_files, reports
from ..evaluate.options import Options
from ..evaluate.request import Path, Progress, Request, RequestArguments
from ..evaluate.results import Report, Scores
from ..evaluate.rules import RULES
from ..evaluate.scoring import Scoring
from ..evaluate.steps import align, relations_of
from ..evaluate.working import work_out
from ..match.alignment import Alignment
from ..read.pairs import Pair
from .errors.attribution import is_of_relations
from .named import Names

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..count.relations.judged import Judged

SCHEMA = "corefscope-metric-explanation-1"
SHORT_TITLES = ("recall", "of", "precision", "of")
ADDED_UP = "The counts of each document are added up, then divided"
SHOWN = 50
"""Entries of a table that people are shown."""


class Calculation(NamedTuple):
    """One metric worked out."""

    metric: str
    sections: tuple[Section, ...]
    """Tables whose entries add up to the counts; none of a metric that is made from scores."""
    counts: tuple[Number, ...]
    """The sums, exact where the terms are."""
    score: AnyScore
    """From these counts: its figures are fractions where the counts are."""
    parts: tuple[Calculation, ...] = ()
    """Those of the metrics that it is made from."""

    @property
    def components(self) -> dict[str, Any]:
        """What the score is made of, exactly."""
        made_of = METRICS[self.metric].components
        return made_of(self.counts) if made_of else {}  # type: ignore[arg-type]  # fractions are numbers


class _Worked(NamedTuple):
    """What is worked out, and how people are shown it."""

    calculation: Calculation
    document: str
    """The document that is explained; empty if it is all of them, document by document."""
    documents: tuple[str, ...]
    """The ids of all documents."""
    names: Names | None
    """What mentions and entities are called; None of all documents."""
    report: Report
    """The scores of what is explained, as ``score`` has them."""
    limit: int | None = SHOWN
    """How many entries of a table people are shown; None for all."""


class MetricExplanation(Result, _Worked):
    """How the score of a metric comes about."""

    __slots__ = ()

    @property
    def summary(self) -> str:
        """What it comes to."""
        return f"of {self.document or 'all documents'}: {main_figure(self.report)}"

    def _flat_records(self) -> list[dict[str, Any]]:
        """The score; terms are for people."""
        return self.report.to_records()

    @property
    def metric(self) -> str:
        """Its name."""
        return self.calculation.metric

    @property
    def signature(self) -> str:
        """What to quote beside it."""
        return self.report.signature

    @property
    def warnings(self) -> Sequence[str]:
        """What was odd about the files."""
        return self.report.warnings

    def to_dict(self, per_document: bool = False) -> dict[str, Any]:  # noqa: ARG002
        """As plain values; all entries, whatever the limit."""
        from .explained import plain_calculation

        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "version": __version__,
            "document": self.document or None,
            "documents": list(self.documents),
            **plain_calculation(self.calculation, self.names),
        }

    def to_records(self, per_document: bool = False) -> list[dict[str, Any]]:  # noqa: ARG002
        """One record for each term."""
        from .explained import records

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
    """Work a metric out by hand on one document: every term of its sums, and what it is about.

    ``document`` is the id of one document. Without it, a file of one document is explained; of several, the counts of
    each document are shown. Other arguments are as for ``score``.
    """
    OptionError.check("metric", metric, METRICS)
    check_values({"document": document})
    request = Request({**arguments, "metrics": (metric,)})
    if arguments.get("metrics") is not None:
        raise OptionError("metrics cannot be used here: one metric is explained at a time")
    request.refuse(baseline="terms are counted from 0")
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
    if is_of_relations(row):
        calculation, names = _of_relations(row, pair, alignment, options)
        _check(calculation, report)
    else:
        calculation, names = worked_out(row, alignment, options.rules), Names(*pair, alignment)
    return MetricExplanation(calculation, pair.key.id, tuple(ids), names, report)


def _of_relations(metric: Metric, pair: Pair, alignment: Alignment, options: Options) -> tuple[Calculation, Names]:
    """A metric of relations on one document, or one of identity over the layer of discourse deixis."""
    if all(part.over_layer for part in counted([metric.name])):
        layers = pair.key.deixis_layer, pair.response.deixis_layer
        alignment = align(*layers, options._replace(singletons="keep"))
        return worked_out(metric, alignment, options.rules), Names(*layers, alignment)
    relations = relations_of(*pair, options)
    judged = relations.judged() if relations else None
    return worked_out(metric, alignment, options.rules, judged), Names(*pair, alignment)


def _check(calculation: Calculation, report: Report) -> None:
    """Refuse to show a calculation that does not come to the score: plurals in the layer of deixis, or odd rules."""
    for part in calculation.parts:
        _check(part, report)
    if calculation.counts:
        counts = report.counts(calculation.metric).values()
        if any(abs(float(one) - other) > 1e-9 for one, other in zip(calculation.counts, counts, strict=True)):
            rules, match = report.options.rules, report.options.match
            raise OptionError(
                f"{calculation.metric} is not worked out by hand where deixis has split antecedents, nor under"
                f" rules {rules} with match {match}: choose the rules corrected"
            )


def worked_out(metric: Metric, alignment: Alignment, rules: str, judged: Judged | None = None) -> Calculation:
    """A metric on one document; one that is made from scores, by its parts."""
    if metric.parts:
        parts = [worked_out(METRICS[part], alignment, rules, judged) for part in metric.parts]
        return _from_parts(metric, parts, rules)
    of_identity = METRICS[metric.over_layer] if metric.over_layer else metric
    return _calculation(metric, tuple(work_out(alignment, of_identity, rules, judged)), rules)


def _calculation(metric: Metric, sections: tuple[Section, ...], rules: str) -> Calculation:
    counts = sums(sections, len(metric.fields))
    return Calculation(metric.name, sections, counts, metric.score(counts, RULES[rules].conventions))


def _from_parts(metric: Metric, parts: Sequence[Calculation], rules: str) -> Calculation:
    score = metric.score([part.score for part in parts], RULES[rules].conventions)
    return Calculation(metric.name, (), (), score, tuple(parts))


def by_document(metric: Metric, report: Report) -> Calculation:
    """The counts of each document, which are added up before anything is divided."""
    rules = report.options.rules
    if metric.parts:
        return _from_parts(metric, [by_document(METRICS[part], report) for part in metric.parts], rules)
    terms = {name: tuple(_terms(metric, scores)) for name, scores in report.documents.items()}
    sections = []
    by_component = _columns(metric)
    for component, columns in by_component.items():
        entries = [
            Entry(tuple([row[field] for column in columns for field in column.fields]), name=name)
            for name, row in terms.items()
        ]
        title = f"{ADDED_UP}: {component or 'other counts'}" if len(by_component) > 1 else ADDED_UP
        sections.append(Section(title, tuple(columns), tuple(entries)))
    return _calculation(metric, tuple(sections), rules)


def _columns(metric: Metric) -> dict[str, list[Column]]:
    """The counts of a metric, those of each of its components apart."""
    names = metric.components((0,) * len(metric.fields)) if metric.components else ()
    columns: dict[str, list[Column]] = {}
    for field, title in enumerate(SHORT_TITLES if metric.fields == RECALL_PRECISION else metric.fields):
        component = next((name for name in names if title.startswith(f"{name}_")), "")
        column = Column(in_words(title.removeprefix(f"{component}_")), (field,))
        columns.setdefault(in_words(component), []).append(column)
    return columns


def in_words(name: str) -> str:
    """A name as people write it.

    >>> in_words("non_coreference_links")
    'non-coreference links'
    """
    return name.replace("non_", "non-").replace("_", " ")


def _terms(metric: Metric, scores: Scores) -> Iterator[Term]:
    return (Term(exact(count)) for count in scores.counts(metric.name).values())


def exact(count: float) -> Number:
    """A whole number as a fraction; others as they are, since they are rounded."""
    return Fraction(count) if count == int(count) else count
