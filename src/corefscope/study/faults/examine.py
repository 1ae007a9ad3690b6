"""One pass over key and response that finds faults, what they cost, and which parts of the data are weak."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...base.document import Document, Mention
from ...base.errors import OptionError, Warnings, no_such_document
from ...base.numbers import headline
from ...base.positions import SENTENCE_SHIFT, node_name
from ...evaluate.files import run
from ...evaluate.request import Path, Progress, Request, RequestArguments, split
from ...evaluate.results import Report
from .annotated import mention_id
from .attribution import Attribution, attributable
from .context import Contexts, Example
from .examiner import Examiner
from .features import DIMENSIONS
from .slices import Slice, Weakness, score_of, worst
from .taxonomy import KINDS, ZERO_KINDS, Fault

if TYPE_CHECKING:
    from typing_extensions import Unpack

SCHEMA = "corefscope-errors-1"
SLICE_METRICS = ("mentions", "muc", "bcub", "ceafe", "lea", "conll")


class ErrorReport(NamedTuple):
    """What :func:`examine` finds."""

    report: Report
    attribution: Attribution
    counts: dict[str, int]
    """Faults by kind, then those of zeros by theirs."""
    by_document: dict[str, dict[str, int]]
    """The same for each document."""
    faults: list[Fault]
    """In the order of the documents; of the kinds that were asked for."""
    examples: dict[str, list[Example]]
    """Some of them in context, by kind."""
    slices: dict[str, list[Slice]]
    """By dimension, for those that were asked for."""
    worst: list[Weakness]
    """Of all dimensions, or of those that were asked for."""

    def to_dict(self) -> dict[str, Any]:
        """As plain values; ``corefscope errors --format json`` prints it, a JSON Schema describes it."""
        metric = self.attribution.metric
        documents = self.report.documents
        return {
            "schema": SCHEMA,
            "signature": self.report.signature,
            "options": self.report.options._asdict(),
            "attribution": self.attribution.to_dict(),
            "errors": self.counts,
            "documents": [
                {"id": name, "score": headline(documents[name][metric]), "errors": counts}
                for name, counts in self.by_document.items()
            ],
            "faults": [_fault_to_dict(fault) for fault in self.faults],
            "slices": [_slice_to_dict(part) for parts in self.slices.values() for part in parts],
            "worst": [
                {
                    "by": weakness.slice.by,
                    "value": weakness.slice.value,
                    "share": weakness.slice.share,
                    **dict(zip(Weakness._fields[1:], weakness[1:], strict=True)),
                }
                for weakness in self.worst
            ],
            "warnings": list(self.report.warnings),
        }


def _fault_to_dict(fault: Fault) -> dict[str, Any]:
    found = fault._asdict()
    for side in ("key", "response"):
        found[side] = [places(mention, fault) for mention in found[side]]
    return found


def places(mention: Mention, fault: Fault) -> str:
    """Where a mention of a fault is: number of the sentence in the file and ids of the words, as in 12:3,4,4.1.

    A mention that leaves its sentence names the next one too. Of mentions that are ids, the id.
    """
    if not fault.sentence:
        return mention_id(mention)
    named: list[str] = []
    before = 0
    for place in mention.positions:
        sentence = place >> SENTENCE_SHIFT
        named.append((f"{sentence}:" if sentence != before else "") + node_name(place))
        before = sentence
    return ",".join(named)


def _slice_to_dict(part: Slice) -> dict[str, Any]:
    return {
        "by": part.by,
        "value": part.value,
        "documents": part.documents,
        "key_mentions": part.key_mentions,
        "response_mentions": part.response_mentions,
        "share": part.share,
        "scores": {name: score_of(part.report, name) for name in part.report},
        "intervals": {name: list(interval) for name, interval in part.intervals.items()},
        "metrics": part.report.to_dict()["metrics"],
    }


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

    def checked(self) -> Listing:
        """The same, once every kind is known to exist."""
        for kind in self.kinds:
            if kind not in KINDS and kind not in ZERO_KINDS:
                raise OptionError.unknown("kind of error", [kind], [*KINDS, *ZERO_KINDS])
        return self


EVERYTHING = Listing()


class Examination(Examiner):
    """A scoring that also looks for what is wrong."""

    def __init__(
        self, request: Request, metric: str = "conll", by: Sequence[str] = (), listing: Listing = EVERYTHING
    ) -> None:
        (metric,) = attributable([metric])[-1:]
        names = tuple(dict.fromkeys([*request.metrics, metric]))
        super().__init__(request, names, metric, by=by or tuple(DIMENSIONS), slice_metrics=names)
        self._listing = listing.checked()
        self._kinds = frozenset(listing.kinds)
        self._sliced = bool(by)
        self._ids: list[str] = []
        self._counts: Counter[str] = Counter()
        self._by_document: dict[str, dict[str, int]] = {}
        self._faults: list[Fault] = []
        self._kept: Counter[str] = Counter()
        self._examples: dict[str, list[tuple[int, int, Example]]] = {kind: [] for kind in KINDS}

    def look_at(self, key: Document, response: Document, warnings: Warnings | None) -> None:
        """Examine one document, if it is the one that was asked for."""
        self._ids.append(key.id)
        if self._listing.document in (None, key.id):
            findings = self.examine(key, response, warnings)
            self._note(key.id, findings.faults, Contexts(findings.key, findings.response, findings.pairing))

    def _note(self, document: str, faults: list[Fault], contexts: Contexts) -> None:
        counts = Counter([fault.kind for fault in faults] + [fault.zero_kind for fault in faults if fault.zero])
        self._by_document[document] = _in_order(counts)
        self._counts.update(counts)
        rank: Counter[str] = Counter()
        for fault in faults:
            if self._kinds and not self._kinds & {fault.kind, fault.zero_kind}:
                continue
            if self._listing.limit is None or self._kept[fault.kind] < self._listing.limit:
                self._kept[fault.kind] += 1
                self._faults.append(fault)
            if rank[fault.kind] < self._listing.examples:
                self._offer(rank[fault.kind], fault, contexts)
                rank[fault.kind] += 1

    def _offer(self, rank: int, fault: Fault, contexts: Contexts) -> None:
        """Take an example of each document first, then a second of each, and so on, until there are enough."""
        held = self._examples[fault.kind]
        if len(held) < self._listing.examples or rank < held[-1][0]:
            held.append((rank, len(self._ids), contexts.example(fault)))
            held.sort(key=lambda example: example[:2])
            del held[self._listing.examples :]

    def error_report(self, report: Report, *, intervals: bool = False) -> ErrorReport:
        """Everything, once all documents were looked at and the report was made."""
        if self._listing.document is not None and not self._by_document:
            raise no_such_document(self._listing.document, self._ids, report.inputs[0].name)
        slices = {slicer.by: slicer.slices(report.options) for slicer in self.slicers}
        if intervals and self._sliced:
            slices = {by: [part.with_intervals() for part in parts] for by, parts in slices.items()}
        return ErrorReport(
            report,
            self.ledger.attribution(self.metric),
            _in_order(self._counts),
            self._by_document,
            self._faults,
            {kind: [example for _, _, example in held] for kind, held in self._examples.items() if held},
            slices if self._sliced else {},
            worst(report, [part for parts in slices.values() for part in parts], self.metric),
        )


def _in_order(counts: Counter[str]) -> dict[str, int]:
    """All kinds, those of zeros only if there are any."""
    return {kind: counts[kind] for kind in (*KINDS, *(kind for kind in ZERO_KINDS if counts[kind]))}


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
    document, kinds, examples, limit
        Which faults are listed, as :class:`Listing` has it.
    metrics
        What slices are scored with.
    preset, match, zeros, singletons, rules, …
        As for ``score``.
    """
    listing, of_request = split(arguments, Listing._fields)
    request = Request(of_request, metrics=SLICE_METRICS)
    examination = Examination(request, metric, by, Listing(**listing))
    (report,) = run(request, key, response, [examination], progress)
    return examination.error_report(report, intervals=intervals)
