"""One pass over key and response that finds faults, what they cost, and which parts of the data are weak."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple, Unpack

from ...base.document import Document
from ...base.errors import OptionError, Warnings, no_such_document
from ...base.naming import check_values, listed_names
from ...count.metrics import counted
from ...evaluate.files import open_files, run
from ...evaluate.request import Path, Progress, Request, RequestArguments, split
from ...evaluate.results import Report, Tally
from ...evaluate.scoring import Scoring
from ...evaluate.steps import relations_of
from ...match.alignment import Alignment
from .annotated import Annotated
from .context import Contexts, Example
from .deixis import Layer, examined_deixis
from .features import DIMENSIONS, Values
from .ledgers import Repairable, attributable, ledger_for
from .pairing import Pairing
from .relations import list_relation_faults
from .report import ErrorReport
from .slices import Slicer, worst
from .taxonomy import KINDS, RELATION_KINDS, TITLES, ZERO_KINDS, Fault, list_faults

SLICE_METRICS = ("mentions", "muc", "bcub", "ceafe", "lea", "conll")


class Findings(NamedTuple):
    """A pair of documents and what is wrong with the response."""

    key: Annotated
    response: Annotated
    alignment: Alignment
    pairing: Pairing
    faults: list[Fault]
    values: list[tuple[Values, Values]]
    """For each dimension the values of the mentions of both sides."""
    relation_faults: list[Fault]
    deixis: Layer | None = None


def checked(request: Request) -> Request:
    """The request, unless it asks for something that cannot be had of errors."""
    request.refuse(baseline="errors are counted from a perfect response, and every slice would need its own")
    return request


class Examiner(Scoring):
    """A scoring that also finds faults, counts what they cost, and divides documents into slices."""

    def __init__(
        self, request: Request, names: Sequence[str], metric: str, *, by: Sequence[str], slice_metrics: Sequence[str]
    ) -> None:
        """``metric`` is the one whose lost points are attributed; it and ``slice_metrics`` are among ``names``.

        If it is empty, none are.
        """
        super().__init__(request.options, names, format_loss=True)
        self.metric = metric
        self.ledger = ledger_for(self.options, metric)
        self.slicers = [Slicer(name, self.options, slice_metrics) for name in dict.fromkeys(by)]
        self._slice_metrics = counted(slice_metrics)

    def examine(self, key: Document, response: Document, warnings: Warnings | None) -> Findings:
        """Score one document, and find out everything about it."""
        alignment, row = self.score(key, response, warnings)
        pairing = Pairing(alignment, self.options.smallest)
        counts = {metric.name: sums for metric, sums in zip(self.metrics, row, strict=True)}
        sides = Annotated(key, alignment.key), Annotated(response, alignment.response)
        in_slices = tuple([counts[metric.name] for metric in self._slice_metrics])
        values = [slicer.add(*sides, pairing, in_slices) for slicer in self.slicers]
        faults = list_faults(*sides, pairing)
        layer = examined_deixis(key, response, self.options)
        if layer:
            for slicer in self.slicers:
                slicer.add_layer("deixis", key.id, layer.alignment)
        relations = relations_of(key, response, self.options)
        judged = relations.judged() if relations else None
        self.ledger.add(key.id, Repairable(pairing, layer, judged), counts)
        of_relations = list_relation_faults(*sides, judged) if judged else []
        return Findings(*sides, alignment, pairing, faults, values, of_relations, layer)


class Listing(NamedTuple):
    """Which faults are listed and shown; all of them are counted."""

    document: str | None = None
    """The id of the one document to look at."""
    kinds: Sequence[str] = ()
    """List these kinds only."""
    examples: int = 0
    """How many faults of each kind to show in context, from as many documents as possible."""
    limit: int | None = None
    """How many faults of each kind to list; all, if it is None."""


class Examination(Examiner):
    """A scoring that also looks for what is wrong."""

    def __init__(self, request: Request, metric: str, by: Sequence[str], listing: Listing) -> None:
        for kind in listing.kinds:
            if kind not in TITLES and kind not in ZERO_KINDS:
                raise OptionError.unknown("kind of error", [kind], [*KINDS, *ZERO_KINDS, *RELATION_KINDS])
        (metric,) = attributable([metric])[-1:]
        names = tuple(dict.fromkeys([*request.metrics, metric]))
        super().__init__(request, names, metric, by=by or tuple(DIMENSIONS), slice_metrics=names)
        self._listing, self._kinds = listing, frozenset(listing.kinds)
        self._sliced = bool(by)
        self._ids: list[str] = []
        self._counts: dict[str, Counter[str]] = {}
        self._listed: dict[str, int] = dict.fromkeys(TITLES, 0)
        self._faults: list[Fault] = []
        self._examples: dict[str, list[tuple[int, int, Example]]] = {kind: [] for kind in TITLES}
        self.another = partial(Examination, request, metric, by, listing)

    def look_at(self, key: Document, response: Document, warnings: Warnings | None) -> None:
        """Examine one document, if it is the one that was asked for."""
        self._ids.append(key.id)
        if self._listing.document not in (None, key.id):
            return
        findings = self.examine(key, response, warnings)
        self._counts[key.id] = Counter()
        self._note(key.id, findings, [*findings.faults, *findings.relation_faults])
        if findings.deixis:
            self._note(key.id, findings.deixis, findings.deixis.faults)

    def _note(self, document: str, found: Findings | Layer, faults: Sequence[Fault]) -> None:
        """Count the faults of a layer of a document, and list those that were asked for."""
        contexts = Contexts(found.key, found.response, found.pairing)
        self._counts[document].update([kind for fault in faults for kind in (fault.kind, fault.zero_kind) if kind])
        rank = dict.fromkeys(TITLES, 0)
        for fault in faults:
            if not self._kinds or self._kinds & {fault.kind, fault.zero_kind}:
                self._list(fault)
                self._offer(rank[fault.kind], fault, contexts)
                rank[fault.kind] += 1

    def merge(self, other: Tally) -> None:
        """Add what another examination has found in later documents."""
        super().merge(other)
        assert isinstance(other, Examination)
        self.ledger.merge(other.ledger)
        for slicer, sliced in zip(self.slicers, other.slicers, strict=True):
            slicer.merge(sliced)
        for kind, held in self._examples.items():
            held += [(rank, len(self._ids) + number, example) for rank, number, example in other._examples[kind]]
            self._keep_first(held)
        self._ids += other._ids
        self._counts.update(other._counts)
        for fault in other._faults:
            self._list(fault)

    def _list(self, fault: Fault) -> None:
        """List a fault, unless there are enough of its kind."""
        if self._listing.limit is None or self._listed[fault.kind] < self._listing.limit:
            self._listed[fault.kind] += 1
            self._faults.append(fault)

    def _offer(self, rank: int, fault: Fault, contexts: Contexts) -> None:
        """Take an example of each document first, then a second of each, and so on, until there are enough."""
        held = self._examples[fault.kind]
        if len(held) < self._listing.examples or (held and rank < held[-1][0]):
            held.append((rank, len(self._ids), contexts.example(fault)))
            self._keep_first(held)

    def _keep_first(self, held: list[tuple[int, int, Example]]) -> None:
        held.sort(key=lambda example: example[:2])
        del held[self._listing.examples :]

    def error_report(self, report: Report, *, intervals: bool = False) -> ErrorReport:
        """Everything, once all documents were looked at and the report was made."""
        if self._listing.document is not None and not self._counts:
            raise no_such_document(self._listing.document, self._ids, report.inputs[0].name)
        slices = {slicer.by: slicer.slices(report.options) for slicer in self.slicers}
        if intervals and self._sliced:
            slices = {by: [part.with_intervals() for part in parts] for by, parts in slices.items()}
        attribution = self.ledger.attribution()
        assert attribution is not None  # its metric is attributable
        return ErrorReport(
            report,
            attribution,
            _in_order(sum(self._counts.values(), Counter())),
            {document: _in_order(counts) for document, counts in self._counts.items()},
            self._faults,
            {kind: [example for _, _, example in held] for kind, held in self._examples.items() if held},
            slices if self._sliced else {},
            worst(report, chain.from_iterable(slices.values()), self.metric),
        )


def _in_order(counts: Counter[str]) -> dict[str, int]:
    """All kinds, those of zeros and of relations only if there are any."""
    further = [kind for kind in (*ZERO_KINDS, *RELATION_KINDS) if counts[kind]]
    return {kind: counts[kind] for kind in (*KINDS, *further)}


class ExaminationArguments(RequestArguments, total=False):
    """Those of a request, and of a :class:`Listing`."""

    document: str | None
    kinds: Sequence[str]
    examples: int
    limit: int | None


def examine(
    key: Path,
    response: Path,
    *,
    metric: str = "conll",
    by: Sequence[str] = (),
    intervals: bool = False,
    progress: Progress | None = None,
    jobs: int | None = 1,
    **arguments: Unpack[ExaminationArguments],
) -> ErrorReport:
    """Find out what is wrong with a response, and what it costs.

    Parameters
    ----------
    key, response
        Files, directories or patterns, as for ``score``.
    metric
        The one whose lost points are attributed to classes of errors.
    by
        Dimensions to slice by: those of ``DIMENSIONS``, ``document``, or ``genre=`` and a regular expression. Without
        it all of ``DIMENSIONS`` are searched for the worst slices.
    intervals
        Whether slices that were asked for get bootstrap intervals.
    progress
        Called before each document with its number, the number of documents and its id.
    jobs
        How many processes examine documents, as for ``score``.
    document, kinds, examples, limit
        Which faults are listed, as :class:`Listing` has it.
    metrics
        What slices are scored with.
    preset, match, zeros, singletons, rules, …
        As for ``score``.
    """
    listing, of_request = split(arguments, Listing._fields)
    check_values({"intervals": intervals, **{name: value for name, value in listing.items() if name != "kinds"}})
    by = [by] if isinstance(by, str) else listed_names("by", by)
    kinds = listing.get("kinds", ())
    listing["kinds"] = [kinds] if isinstance(kinds, str) else listed_names("kinds", kinds)
    opened = open_files(checked(Request(of_request, metrics=SLICE_METRICS)), key, [response], progress, jobs)
    examination = Examination(opened.request, metric, by, Listing(**listing))
    ((report,),) = run(opened, [[examination]])
    return examination.error_report(report, intervals=intervals)
