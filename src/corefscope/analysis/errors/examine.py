"""One pass over key and response that finds errors, what they cost, and which parts of the data are weak."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple, Unpack

from ...core.document import Document
from ...core.errors import OptionError, Warnings
from ...core.format import FORMATS
from ...core.metrics import counted, headline_metric, select
from ...core.naming import check_values, listed_names
from ...core.pipeline import Scoring
from ...core.report import Report, Tally
from ...core.request import Path, Progress, Request, RequestArguments
from ...formats.files import open_files, run
from ...formats.naming import no_such_document
from ...formats.source import path_name
from .attribution import LostPoints, attributable
from .groups import GroupCounts, GroupedDocument, checked_groupings
from .kinds import (
    ERROR_KINDS,
    IDENTITY,
    DeixisLayer,
    DocumentComparison,
    Error,
    compare_deixis,
    identity_errors,
    judge_relations,
    ordered_kinds,
    pluralise,
    relation_errors,
)
from .labels import Labels, Values
from .report import Contexts, ErrorReport, Example
from .slices import DIMENSIONS, LABEL, Slicer, worst

SLICE_METRICS = ("mentions", "muc", "bcub", "ceafe", "lea", "conll")


class Findings(NamedTuple):
    """A pair of documents, and the errors of the response."""

    pair: DocumentComparison
    errors: list[Error]
    """Errors of identity."""
    values: list[tuple[Values, Values]]
    """For each dimension the values of the mentions of both sides."""
    relation_errors: list[Error]
    deixis: DeixisLayer | None

    def grouped(self, dimensions: Sequence[str]) -> tuple[GroupedDocument, GroupedDocument | None]:
        """The groups of errors, and those of deixis; ``dimensions`` are those of the values."""
        own = GroupedDocument(self.pair, dict(zip(dimensions, self.values, strict=True)))
        return own, GroupedDocument(self.deixis.pair, {}) if self.deixis else None


def checked(request: Request) -> Request:
    """The request; an OptionError if it asks for scores relative to a baseline, or weighted ones."""
    request.refuse(
        baseline="errors are counted from a perfect response, and every slice would need its own",
        weights="errors and slices divide entities, whose parts would need weights of their own",
    )
    return request


class Examiner(Scoring):
    """A scoring that also finds errors, counts what they cost, and divides documents into slices."""

    def __init__(
        self,
        request: Request,
        names: Sequence[str],
        metric: str,
        *,
        by: Sequence[str],
        slice_metrics: Sequence[str],
        labels: Labels | None = None,
    ) -> None:
        """``metric`` is the one whose lost points are attributed, if it is not empty. ``labels`` add a dimension.

        It and ``slice_metrics`` are among ``names``.
        """
        super().__init__(request.options, names, format_loss=True)
        if labels and request.options.windows:
            raise OptionError("labels are of whole documents, and windows cut them")
        self.metric = metric
        self.lost_points: LostPoints | None = LostPoints(self.options, metric) if metric else None
        dimensions = dict.fromkeys([*by, *([LABEL.name] if labels else [])])
        self.slicers: list[Slicer] = [Slicer(name, self.options, slice_metrics, labels) for name in dimensions]
        self.dimensions: list[str] = [slicer.by for slicer in self.slicers]
        self._slice_metrics = counted(slice_metrics)

    def examine(self, key: Document, response: Document, warnings: Warnings | None) -> Findings:
        """Score one document and find its errors."""
        alignment, row = self.score(key, response, warnings)
        judged = judge_relations(key, response, self.options)
        pair = DocumentComparison(key, response, alignment, self.options.min_entity_size, judged)
        counts = {metric.name: sums for metric, sums in zip(self.metrics, row, strict=True)}
        in_slices = tuple([counts[metric.name] for metric in self._slice_metrics])
        values = [slicer.add(pair.key, pair.response, pair.pairing, in_slices) for slicer in self.slicers]
        layer = compare_deixis(key, response, self.options)
        if layer:
            for slicer in self.slicers:
                slicer.add_layer("deixis", key.id, layer.pair.alignment)
        if self.lost_points:
            self.lost_points.add(key.id, pair, layer, counts)
        return Findings(pair, identity_errors(pair), values, relation_errors(pair), layer)


Listing = tuple[str | None, Sequence[str], int, int | None]
"""The arguments of ``examine`` that select errors: document, kinds, examples and limit. All errors are counted."""
TITLES = {row.title: row.name for row in ERROR_KINDS.values()}


def kind_named(name: str) -> str:
    """The kind of error with a name or a title, as it is printed.

    >>> kind_named("missing_mention"), kind_named("Missing mention"), kind_named("missing mentions")
    ('missing_mention', 'missing_mention', 'missing_mention')
    """
    plain = name.strip().lower()
    titles = TITLES | {pluralise(title): kind for title, kind in TITLES.items()}
    kind = titles.get(plain, plain.replace(" ", "_"))
    if kind not in ERROR_KINDS:
        raise OptionError.unknown("kind of error", [name], [row.name for row in ordered_kinds()])
    return kind


class Examination(Examiner):
    """An examiner that counts and lists errors, and keeps examples in context."""

    def __init__(
        self,
        request: Request,
        metric: str,
        by: Sequence[str],
        group_by: Sequence[str],
        listing: Listing,
        labels: Labels | None = None,
    ) -> None:
        self._document, kinds, self._most_examples, self._limit = listing
        (metric,) = attributable([metric])[-1:]
        names = tuple(dict.fromkeys([*request.metrics, metric]))
        searched = by or (() if labels else tuple(DIMENSIONS))
        super().__init__(request, names, metric, by=searched, slice_metrics=names, labels=labels)
        self._kinds, self._sliced = frozenset(map(kind_named, kinds)), bool(by or labels)
        self._group_by, self._groups = checked_groupings(group_by), GroupCounts()
        self._ids: list[str] = []
        self._counts: dict[str, Counter[str]] = {}
        self._listed: dict[str, int] = dict.fromkeys(ERROR_KINDS, 0)
        self._errors: list[Error] = []
        self._examples: dict[str, list[tuple[int, int, Example]]] = {kind: [] for kind in ERROR_KINDS}
        self.another: Callable[[], Scoring] | None = partial(
            Examination, request, metric, by, group_by, listing, labels
        )

    def process(self, key: Document, response: Document, warnings: Warnings | None) -> None:
        """Examine one document, unless another one is requested."""
        self._ids.append(key.id)
        if self._document not in (None, key.id):
            return
        findings = self.examine(key, response, warnings)
        self._counts[key.id] = Counter()
        errors = [*findings.errors, *findings.relation_errors]
        grouped, of_deixis = findings.grouped(self.dimensions)
        self._note(key.id, Contexts(findings.pair), grouped, errors)
        if findings.deixis and of_deixis:
            self._note(key.id, Contexts(findings.deixis.pair), of_deixis, findings.deixis.errors)

    def _note(self, document: str, contexts: Contexts, grouped: GroupedDocument, errors: Sequence[Error]) -> None:
        """Count the errors of a layer of a document, and list those of the requested kinds."""
        self._counts[document].update([kind for error in errors for kind in (error.kind, error.zero_kind) if kind])
        rank = dict.fromkeys(ERROR_KINDS, 0)
        for error in errors:
            if not self._kinds or self._kinds & {error.kind, error.zero_kind}:
                self._groups.add(grouped, error)
                if self._limit is None or self._listed[error.kind] < self._limit:
                    self._list(grouped.described(error))
                # An example of each document first, then a second of each, and so on, until there are enough.
                held = self._examples[error.kind]
                if len(held) < self._most_examples or (held and rank[error.kind] < held[-1][0]):
                    held.append((rank[error.kind], len(self._ids), contexts.example(error)))
                    self._keep_first(held)
                rank[error.kind] += 1

    def merge(self, other: Tally) -> None:
        """Add the later documents of another examination."""
        super().merge(other)
        assert isinstance(other, Examination)
        if self.lost_points and other.lost_points:
            self.lost_points.merge(other.lost_points)
        for slicer, sliced in zip(self.slicers, other.slicers, strict=True):
            slicer.merge(sliced)
        for kind, held in self._examples.items():
            held += [(rank, len(self._ids) + number, example) for rank, number, example in other._examples[kind]]
            self._keep_first(held)
        self._ids += other._ids
        self._counts.update(other._counts)
        self._groups.merge(other._groups)
        for error in other._errors:
            self._list(error)

    def _list(self, error: Error) -> None:
        """List an error, unless there are enough of its kind."""
        if self._limit is None or self._listed[error.kind] < self._limit:
            self._listed[error.kind] += 1
            self._errors.append(error)

    def _keep_first(self, held: list[tuple[int, int, Example]]) -> None:
        held.sort(key=lambda example: example[:2])
        del held[self._most_examples :]

    def error_report(self, report: Report, *, intervals: bool = False) -> ErrorReport:
        """The result for ``report``, which has the scores of all documents."""
        if self._document is not None and not self._counts:
            raise no_such_document(self._document, self._ids, report.inputs[0].name)
        slices = {slicer.by: slicer.slices(report.options) for slicer in self.slicers}
        report.warnings += tuple([warning for slicer in self.slicers for warning in slicer.warnings()])
        if intervals and self._sliced:
            slices = {by: [part.with_intervals() for part in parts] for by, parts in slices.items()}
        assert self.lost_points is not None  # its metric is attributable
        attribution = self.lost_points.attribution()
        return ErrorReport(
            report,
            attribution,
            _in_order(sum(self._counts.values(), Counter())),
            {document: _in_order(counts) for document, counts in self._counts.items()},
            self._errors,
            {kind: [example for _, _, example in held] for kind, held in self._examples.items() if held},
            slices if self._sliced else {},
            worst(report, chain.from_iterable(slices.values()), self.metric),
            self._groups.groups(attribution),
            self._group_by,
            {slicer.by: slicer.typed for slicer in self.slicers if slicer.labels},
        )


def _in_order(counts: Counter[str]) -> dict[str, int]:
    """The kinds of identity, and those of zeros and of relations that have errors."""
    return {row.name: counts[row.name] for row in ordered_kinds() if row.concerns == IDENTITY or counts[row.name]}


def examine(
    key: Path,
    response: Path,
    *,
    metric: str | None = None,
    by: Sequence[str] = (),
    labels: Path | None = None,
    group_by: Sequence[str] = (),
    intervals: bool = False,
    document: str | None = None,
    kinds: Sequence[str] | None = None,
    examples: int | None = None,
    limit: int | None = None,
    progress: Progress | None = None,
    jobs: int | None = 1,
    **arguments: Unpack[RequestArguments],
) -> ErrorReport:
    """Find the errors of a response and what they cost.

    Parameters
    ----------
    key, response
        Files, directories or patterns, as for ``score``.
    metric
        The metric whose lost points are attributed to classes of errors: by default CoNLL, for tables of ids pairs.
    by
        Dimensions to slice by: those of ``DIMENSIONS``, ``document``, or ``genre=`` and a regular expression. By
        default all of ``DIMENSIONS`` are searched for the worst slices.
    labels
        A CSV or TSV file with the columns document, mention and class, a dimension ``label``: it also gives scores of
        mentions and links by class, and shows which classes are confused (``typed`` of the result).
    group_by
        Groupings of errors to show as tables and as records: ``text``, ``head``, ``mention-type``, ``distance``,
        ``document``. ``groups`` of the result has the groups of all of them.
    intervals
        Whether the slices of ``by`` get bootstrap intervals.
    document
        The id of the only document to examine.
    kinds
        Kinds of errors to list and to group, as ``missing_mention`` or ``missing mention``; by default all.
    examples
        Number of errors of each kind to show in context, from as many documents as possible; by default none.
    limit
        Maximum number of errors of each kind to list; by default all are listed.
    progress
        Called before each document with its number, the number of documents and its id.
    jobs
        Number of processes, as for ``score``.
    metrics
        The metrics of slices.
    preset, match, zeros, singletons, rules, …
        As for ``score``.
    """
    own = {"intervals": intervals, "document": document, "examples": examples, "limit": limit, "labels": labels}
    check_values(own)
    by = [by] if isinstance(by, str) else listed_names("by", by)
    group_by = [group_by] if isinstance(group_by, str) else listed_names("group_by", group_by)
    kinds = [kinds] if isinstance(kinds, str) else listed_names("kinds", () if kinds is None else kinds)
    opened = open_files(checked(Request(arguments, metrics=SLICE_METRICS)), key, [response], progress, jobs)
    if metric is None:
        corpus = opened.corpora[0]
        formats = corpus.inputs[0].formats or corpus.peek_format().formats  # none is read before processes start
        metric = headline_metric(select(FORMATS[next(iter(formats))].defaults.metrics))
    listing = document, kinds, examples or 0, limit
    classes = Labels(path_name(labels)) if labels else None
    examination = Examination(opened.request, metric, by, group_by, listing, classes)
    ((report,),) = run(opened, [[examination]])
    return examination.error_report(report, intervals=intervals)
