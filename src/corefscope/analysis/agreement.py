"""Agreement of annotators: every two of them scored against each other by symmetric metrics.

A measure of agreement is a metric that is the same whichever annotator is the key (``Scale.symmetric``), and 1 for
equal annotations. Rules and matching must be symmetric, too: the ``corrected`` rules, and exact or head match.
Krippendorff's α is of all annotators at once (:mod:`.alpha`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import ClassVar, Unpack

from ..core.errors import AlignmentError, OptionError
from ..core.matching.matchers import MATCHERS
from ..core.metrics import METRICS, select
from ..core.naming import check_values, split_names
from ..core.numbers import headline, mean
from ..core.options import Options
from ..core.pipeline import Scoring
from ..core.report import Report, Scores
from ..core.request import Progress, Request, RequestArguments
from ..core.result import Plain, Result, how_many_numbers
from ..core.rules import REFERENCE
from ..formats.files import open_files, run
from ..formats.naming import NamedPaths, names_of, paths_and_names
from ..formats.source import refuse_pipes
from .alpha import UNMARKED, Alpha, Labels, LabelScoring, alphas

SCHEMA = "corefscope-agreement-1"
MATCHES = tuple(sorted(name for name, matcher in MATCHERS.items() if matcher.symmetric))
"""The ways of matching that treat both sides alike."""
SYMMETRIC = Options(match="exact", singletons="keep", rules=REFERENCE)
"""The defaults: nothing in them prefers a side."""


def _is_measure(name: str) -> bool:
    return METRICS[name].scale.symmetric and METRICS[name].scale.perfect == 1.0


MEASURES = tuple(filter(_is_measure, select("all")))
"""The symmetric metrics, those of relations aside, which must be named."""


LEADING = {
    "mentions": "do annotators mark the same spans?",
    "conll": "do they put the same mentions together? Report this one: systems are scored by it, too",
    "kappa": "do they make the same links more often than by chance (0)? Add it where readers expect κ",
}
"""The measures that tables show unless others are named, and what each is good for."""


class Agreement(Result, dict[tuple[str, str], Report]):
    """The scores of every two annotators: ``agreement["anna", "bela"]["conll"].f1``.

    ``agreement.value("conll", "anna", "bela")`` is the same figure in either order, ``agreement.mean("conll")`` its
    mean over all pairs, and ``agreement.matrix("conll")`` all of them.
    """

    NAMES: ClassVar[tuple[str, ...]] = ("annotator", "other")

    def __init__(
        self,
        annotators: Sequence[str],
        metrics: Sequence[str],
        reports: Mapping[tuple[str, str], Report],
        shown: Sequence[str] | None,
        labels: Mapping[str, Sequence[Labels]] | None,
        unmarked: str,
    ) -> None:
        super().__init__(reports)
        self.annotators: tuple[str, ...] = tuple(annotators)
        self.metrics: tuple[str, ...] = tuple(metrics)
        self.shown: tuple[str, ...] = tuple(self.metrics if shown is None else shown)
        """The metrics that tables show; formats for programs have all."""
        self._labels, self._unmarked = labels, unmarked

    def __getitem__(self, pair: tuple[str, str]) -> Report:
        return super().__getitem__(pair if pair in self else pair[::-1])

    def with_all(self) -> Agreement:
        """The same agreement, of which tables show all metrics."""
        return Agreement(self.annotators, self.metrics, self, None, self._labels, self._unmarked)

    def alpha(self, *annotators: str) -> dict[str, Alpha]:
        """Krippendorff's α by distance, of these annotators or all: ``agreement.alpha()["masi"].alpha``.

        Empty where a document has so many mentions that they were counted without being made.
        """
        places = [self.annotators.index(name) for name in annotators or self.annotators]
        documents = (self._labels or {}).values()
        return alphas([[labels[i] for i in places] for labels in documents], self._unmarked) if self._labels else {}

    @cached_property
    def _alpha(self) -> dict[tuple[str, ...], dict[str, Alpha]]:
        """That of all annotators, under no name, and that of each pair."""
        everyone = {(): self.alpha()}
        return everyone | {pair: self.alpha(*pair) if len(self) > 1 else everyone[()] for pair in self}

    def value(self, metric: str, one: str, other: str) -> float:
        """The agreement of two annotators: F1, or the value of a measure that is one number."""
        return headline(self[one, other][metric])

    def mean(self, metric: str) -> float:
        """The mean over all pairs that have something to count; over all if none has."""
        return _mean(list(self.values()), metric)

    def matrix(self, metric: str) -> list[list[float | None]]:
        """The agreement of every annotator (row) with every other (column).

        None with itself, and of two that have nothing to count.
        """
        return [
            [None if one == other else self[one, other].figure(metric) for other in self.annotators]
            for one in self.annotators
        ]

    @property
    def documents(self) -> dict[str, dict[str, float | None]]:
        """For each document and metric the mean over the pairs that have something to count; None if none has."""
        reports = [dict(report.documents) for report in self.values()]
        means: dict[str, dict[str, float | None]] = {}
        for document in dict.fromkeys(name for report in reports for name in report):
            parts = [report[document] for report in reports if document in report]
            means[document] = {
                metric: None if all(part.nothing(metric) for part in parts) else _mean(parts, metric)
                for metric in self.metrics
            }
        return means

    @property
    def options(self) -> Options:
        """The options of all pairs, with every format."""
        all_options = [report.options for report in self.values()]
        return all_options[0].as_of(all_options)

    @property
    def files(self) -> list[str]:
        """The names of the files, in the order of the annotators."""
        first, *others = self.annotators
        read = [self[first, other].inputs for other in others]
        return [read[0][0].name, *(inputs[1].name for inputs in read)]

    @property
    def summary(self) -> str:
        """The means over all pairs of annotators."""
        means = ", ".join(f"{metric}={self.mean(metric):.4f}" for metric in self.metrics)
        return f"of {len(self.annotators)} annotators: {means}"

    @property
    def signature(self) -> str:
        """The signature to quote with the figures."""
        signature = self.options.signature
        if self._unmarked == "class":
            return signature
        return f"{self.options}|unmarked:{self._unmarked}{signature.removeprefix(str(self.options))}"

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about the files, each once."""
        warnings = [warning for report in self.values() for warning in report.warnings]
        if self._labels is None:
            warnings.append("Krippendorff's α is left out: a document has too many mentions")
        return tuple(dict.fromkeys(warnings))

    def to_dict(self, per_document: bool = True) -> Plain:
        """Everything as plain values."""
        pairs: list[dict[str, object]] = []
        for annotators, report in self.items():
            pairs.append({"annotators": list(annotators), **self._plain(report), **self._alpha_of(annotators)})
            if per_document:
                pairs[-1]["documents"] = [
                    {"id": name, **self._plain(scores)} for name, scores in report.documents.items()
                ]
        values = {
            "schema": SCHEMA,
            "signature": self.signature,
            "options": self.options._asdict(),
            "annotators": list(self.annotators),
            "files": self.files,
            "mean": {metric: self.mean(metric) for metric in self.metrics},
            **self._alpha_of(()),
            "pairs": pairs,
            "warnings": list(self.warnings),
        }
        return {**values, "numbers": how_many_numbers(values)}

    def to_records(self, per_document: bool = False) -> list[dict[str, object]]:
        """One row per pair: for data frames and CSV.

        With ``per_document`` also one for each pair and document, before the others, whose document is empty. Of more
        than two annotators, the last row has the means over pairs and α of all, under no names.
        """
        scored = [
            (pair, document, self._figures(scores))
            for pair, report in self.items()
            for document, scores in (report.documents.items() if per_document else ())
        ]
        pooled = [(pair, self._figures(report)) for pair, report in self.items()]
        if len(self) > 1:
            pooled.append((("", ""), {metric: self.mean(metric) for metric in self.metrics}))
        for pair, figures in pooled:
            alpha = self._alpha[pair if any(pair) else ()]
            scored.append((pair, "", {**figures, **{f"alpha_{name}": one.alpha for name, one in alpha.items()}}))
        return [
            {"annotator": one, "other": other, **({"document": document} if per_document else {}), **figures}
            for (one, other), document, figures in scored
        ]

    def _alpha_of(self, annotators: tuple[str, ...]) -> dict[str, object]:
        return {"alpha": {name: one._asdict() for name, one in self._alpha[annotators].items()}}

    def _figures(self, scores: Scores) -> dict[str, float | None]:
        return {metric: scores.figure(metric) for metric in self.metrics}

    def _plain(self, scores: Scores) -> dict[str, object]:
        nothing = [metric for metric in self.metrics if scores.nothing(metric)]
        figures = {metric: headline(scores[metric]) for metric in self.metrics}
        return {"agreement": figures, **({"nothing": nothing} if nothing else {})}


def _mean(scores: Sequence[Scores], metric: str) -> float:
    """The mean of those that have something to count; of all if none has."""
    counting = [one for one in scores if not one.nothing(metric)]
    return mean(headline(one[metric]) for one in counting or scores)


def agree(
    paths: NamedPaths,
    *,
    names: str | Sequence[str] | None = None,
    format: str | None = None,  # noqa: A002  (what the files are in)
    progress: Progress | None = None,
    unmarked: str = "class",
    **arguments: Unpack[RequestArguments],
) -> Agreement:
    """Agreement of annotators.

    Parameters
    ----------
    paths
        Two files or more over the same words, one for each annotator: a list, or a dictionary from their names.
    names
        Names of the annotators; by default those of their files.
    format
        The format of the files; by default detected.
    progress
        Called before each document with its number, the number of documents and its id, for every pair anew.
    unmarked
        What it is for Krippendorff's α that an annotator has not marked a mention: a label of its own (``class``, the
        default), or no label (``skip``).
    match, rules, metrics
        ``exact`` (the default) or ``head``; ``corrected``; symmetric metrics (by default all, of which tables show
        three: see ``agreement.shown``) or groups, whose other metrics are left out. Anything that is not symmetric is
        refused with an OptionError.
    zeros, singletons, documents, …
        As for :func:`corefscope.score`; but singletons are kept, because they were annotated, too.
    """
    check_values({"progress": progress})
    OptionError.check("unmarked", unmarked, UNMARKED)
    paths, names = paths_and_names(paths, names)
    if len(paths) < 2:
        raise OptionError("agreement needs the files of two annotators or more")
    if len(paths) > 2:
        refuse_pipes(paths, "every pair of files is read anew", OptionError)
    if format is not None:
        arguments = {**arguments, "key_format": format, "response_format": format}
    request = Request(arguments, base=SYMMETRIC, metrics=MEASURES)
    request.refuse(
        **dict.fromkeys(
            ("baseline", "weights"), "it is made from the entities of the key, and no annotator is the key"
        )
    )
    match, rules = request.options.match, request.options.rules
    if match not in MATCHES:
        raise OptionError(f"match {match!r} prefers the key; agreement takes {' or '.join(MATCHES)}")
    if rules != REFERENCE:
        raise OptionError(f"rules {rules!r} treat key and response differently; agreement takes {REFERENCE!r}")
    if "=" in request.options.heads:
        raise OptionError(f"heads {request.options.heads!r} treat key and response differently: take heads 'tree'")
    metrics = measures(arguments.get("metrics") or request.metrics)
    annotators = names_of(paths, names)
    reports = {}
    labels: dict[str, dict[str, Labels]] = {}
    is_labelled = True
    for (one, first), (other, second) in combinations(zip(annotators, paths, strict=True), 2):
        beside_first = one == annotators[0]  # whose words are those of all
        scoring = (LabelScoring if beside_first else Scoring)(request.options, metrics)
        try:
            ((reports[one, other],),) = run(open_files(request, first, [second], progress), [[scoring]])
        except AlignmentError as error:  # it names the files instead of key and response
            hint = "annotators are compared over the same documents, sentences and words, in the same order"
            if error.code == "words-and-ids":
                hint = "give all files in formats with words, or all as clusters of ids"
            raise error.by_files(hint) from None
        if isinstance(scoring, LabelScoring):
            is_labelled = is_labelled and not scoring.is_too_large
            for document, both in scoring.labels.items():
                labels.setdefault(document, {}).update(zip((one, other), both, strict=True))
    shown = [*LEADING] if arguments.get("metrics") is None else None
    labelled = {document: [by.get(name, {}) for name in annotators] for document, by in labels.items()}
    return Agreement(annotators, metrics, reports, shown, labelled if is_labelled else None, unmarked)


def measures(metrics: str | Sequence[str]) -> tuple[str, ...]:
    """The measures of agreement among metrics and groups; other metrics must not be named.

    >>> measures("lea,cai-strube")
    ('lea', 'b3_all', 'ceaf_orig')
    """
    named = split_names(metrics) if isinstance(metrics, str) else list(metrics)
    names = [str(name).strip().lower() for name in named]
    wrong = [name for name in names if name in METRICS and not _is_measure(name)]
    if wrong:
        raise OptionError(
            f"no measure of agreement: {', '.join(wrong)} (not symmetric, or 0 is perfect);"
            f" choose from: {', '.join(MEASURES)}"
        )
    return tuple(filter(_is_measure, select(metrics)))
