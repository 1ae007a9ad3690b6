"""Curves of metrics: scores at every level of every kind of noise.

:func:`curves` makes the noise in memory, from a key or a response; :func:`curves_of_files` scores the files that
``corefscope perturb`` has written. From a key both give the same figures.

From a response, ``twinless`` is the artificial setting of Cai and Strube (2010), Figures 1 and 2: the mentions that
the key lacks are dropped step by step, all others stay.

By length instead of noise, both sides are cut to the beginning of each text, so that quality stays as it is and only
length grows: the bias with length of Popescu-Belis (2000), section 5.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial, reduce
from operator import add
from typing import ClassVar, Literal, NamedTuple, Unpack

from ...core.document import Document, Mention
from ...core.errors import InputError, OptionError, Warnings
from ...core.input import Input
from ...core.matching.alignment import Alignment
from ...core.matching.transform import restricted
from ...core.naming import check_values
from ...core.numbers import headline
from ...core.options import OPEN
from ...core.pipeline import Scoring
from ...core.positions import MINOR_MASK
from ...core.report import Report
from ...core.request import Path, Progress, Request, RequestArguments
from ...core.result import Result
from ...core.rules import REFERENCE
from ...core.steps import align, mention_counts
from ...core.version import __version__
from ...formats.adjustments import measured_from, unmeasured
from ...formats.corpus import iter_aligned
from ...formats.detection import ReadingOptions, open_reader
from ...formats.files import open_files, reports, run
from ...formats.mention_warnings import warn_of_inputs
from ...formats.pairs import Pair
from ...formats.reading import complete, open_baseline, open_corpus, select_mentions
from ...formats.source import path_name
from . import LEVELS, OF_KEYS, PERTURBATIONS, check_levels, effective_kinds, plan, select
from .files import Manifest, path_in

SCHEMA = "corefscope-curves-1"
LENGTH = "length"
BY = {"noise": "levels of noise", LENGTH: "the beginnings of key and response, ever longer"}
NOISE_OPTIONS = OPEN._replace(singletons="keep", rules=REFERENCE)
"""The defaults: everything annotated counts, and a file scores 100 against itself."""
WINDOWS = "curves are of whole texts (score draws one over several windows)"


class _CurvesFields(NamedTuple):
    reports: Mapping[str, Mapping[int, Report]]
    changes: Mapping[str, Mapping[int, int]]
    """The number of changes by kind and level; by length, the mentions of the key."""
    key: str
    response: str
    """The file that noise was added to, if not the key."""
    seed: int
    warnings: Sequence[str]
    by: str = "noise"


class Curves(Result, _CurvesFields):
    """Reports by kind and level: ``curves.reports["drop"][30]["muc"].f1``; ``curves.series("drop", "muc")``."""

    __slots__ = ()

    NAMES: ClassVar[tuple[str, ...]] = ("kind", "level")

    @property
    def summary(self) -> str:
        """The kinds of noise, the number of their levels, and the metrics."""
        levels = ", ".join(f"{kind} at {len(self.levels(kind))} levels" for kind in self.kinds)
        return f"of {levels}: {', '.join(self.metrics)}"

    @property
    def _first(self) -> Report:
        return next(iter(next(iter(self.reports.values())).values()))

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics of all reports."""
        return tuple(self._first)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of noise."""
        return tuple(self.reports)

    def levels(self, kind: str) -> list[int]:
        """The levels of a kind, in percent."""
        return list(self.reports[kind])

    def series(self, kind: str, metric: str) -> list[float]:
        """F1, or the value, of a metric at every level of a kind."""
        return [headline(report[metric]) for report in self.reports[kind].values()]

    @property
    def titles(self) -> dict[str, str]:
        """What each kind does."""
        return {
            kind: PERTURBATIONS[kind].title if self.by == "noise" else "beginnings of texts" for kind in self.kinds
        }

    @property
    def signature(self) -> str:
        """The signature to quote with the figures."""
        varied = f"noise-seed:{self.seed}" if self.by == "noise" else f"by:{self.by}"
        return f"{self._first.options}|{varied}|v{__version__}"

    def to_records(self, per_document: bool = False) -> list[dict[str, object]]:  # noqa: ARG002
        """One row per kind and level: for data frames and CSV."""
        return [
            {**facts, **{metric: report.figure(metric) for metric in self.metrics}}
            for facts, report in self._levels()
        ]

    def _levels(self) -> Iterator[tuple[dict[str, object], Report]]:
        for kind, by_level in self.reports.items():
            for level, report in by_level.items():
                counted = "changes" if self.by == "noise" else "key_mentions"
                yield {"kind": kind, "level": level, counted: self.changes[kind][level]}, report

    def to_dict(self, per_document: bool = False) -> dict[str, object]:  # noqa: ARG002
        """Everything as plain values."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "key": self.key,
            **({"response": self.response} if self.response else {}),
            "seed": self.seed,
            "metrics": list(self.metrics),
            **({} if self.by == "noise" else {"by": self.by}),
            "kinds": self.titles,
            "levels": [
                {
                    **facts,
                    **{metric: headline(report[metric]) for metric in self.metrics},
                    **({"nothing": nothing} if (nothing := [*filter(report.nothing, self.metrics)]) else {}),
                }
                for facts, report in self._levels()
            ],
            "warnings": list(self.warnings),
        }


def curves(
    key: Path,
    *,
    response: Path | None = None,
    kinds: str | Iterable[str] | None = None,
    levels: Iterable[int] = LEVELS,
    seed: int | None = None,
    by: Literal["noise", "length"] = "noise",
    progress: Progress | None = None,
    **arguments: Unpack[RequestArguments],
) -> Curves:
    """Score a key against itself, or against a response, with noise; nothing is written.

    Parameters
    ----------
    key
        A file.
    response
        The response to add noise to; by default noise is added to the key.
    kinds
        Kinds of noise; by default all for which there is something to change.
    levels
        In percent.
    seed
        The same seed makes the same noise (default 0).
    by
        ``"length"`` scores the beginnings of the texts instead of noise, to see which metrics rise or fall with
        length alone; it needs a response.
    progress
        Called before each document.
    match, zeros, singletons, rules, metrics, key_format, …
        As for :func:`corefscope.score`; but singletons are kept, and the rules are those under which a file scores
        100 against itself.
    """
    natural = 0 if seed is None else seed
    check_values({"response": response, "seed": natural, "progress": progress})
    if by not in BY:
        raise OptionError.unknown("by", [by], BY)
    steps = check_levels(levels)
    request = Request(arguments, base=NOISE_OPTIONS)
    request.refuse(digests="only scores of files have them", windows=WINDOWS)
    totals: dict[str, int]
    versions: Versions
    if by == LENGTH:
        if response is None:
            raise OptionError("by length, a key needs a response: perturb writes responses with noise")
        if kinds is not None or seed is not None:
            raise OptionError("kinds and seed are for noise, not for length: leave them out")
        request.refuse(
            documents="texts are cut one by one",
            baseline="the same response would be measured from other ones at each length",
        )
        steps = tuple(filter(None, steps))
        totals = {LENGTH: 0}
        versions = partial(_beginnings, totals, steps, path_name(key))
    else:
        request.refuse(
            documents="noise is made in each document by itself: join them by scoring the files that perturb writes",
            weights="noise changes the entities that have them",
        )
        if response is None:
            request.refuse(words="noise leaves them as they are")
        selected = select(kinds) if kinds is not None else OF_KEYS if response is None else tuple(PERTURBATIONS)
        totals = dict.fromkeys(selected, 0)
        versions = partial(_with_noise, totals, steps, natural)
    made = _score_versions(key, response, request, versions, totals, steps, progress, named=kinds is not None)
    return made._replace(seed=natural, by=by)


Version = tuple[str, int, Pair, int]
"""A kind and a level, a pair of documents with so much of it, and its changes (by length, the key mentions)."""
Versions = Callable[[Pair, Alignment | None], Iterator[Version]]


def _score_versions(
    key: Path,
    response: Path | None,
    request: Request,
    versions: Versions,
    totals: Mapping[str, int],
    steps: Sequence[int],
    progress: Progress | None,
    *,
    named: bool,
) -> Curves:
    """The curves of all versions; ``totals`` has the changes of each kind once all documents are read."""
    warnings = Warnings()
    source = _PairSource(key, response, request, warnings)
    scorings: dict[str, dict[int, Scoring]] = {}
    zero: list[Scoring] = []
    changes = {kind: dict.fromkeys(steps, 0) for kind in totals}
    counts: tuple[int, ...] = (0, 0, 0, 0)
    for pair, of_baseline in source:
        if not scorings:
            request = source.complete(request)
            scorings = {
                kind: {level: Scoring(request.options, request.metrics) for level in steps} for kind in totals
            }
            zero = unmeasured([Scoring(request.options, request.metrics)])
        if of_baseline:
            zero[0].process(*select_mentions(request, of_baseline), source.baseline[0].warnings)
        if not pair:
            continue
        if progress:
            progress(*source.progress, pair.key.id)
        alignment = None if response is None else align(*pair, request.options)
        if alignment:
            counts = tuple(map(add, counts, mention_counts(*pair, alignment, request.options)))
        for kind, level, version, number in versions(pair, alignment):
            scorings[kind][level].process(*select_mentions(request, version), None)
            changes[kind][level] += number
    if response is not None:
        warn_of_inputs(warnings, source.inputs, [counts], request.options.singletons == "drop")
    shown = effective_kinds(totals, named, source.inputs[-1].name, warnings)
    baselines = [report for corpus in source.baseline for report in reports(request, corpus, zero)]
    messages = tuple(dict.fromkeys((*warnings, *(warning for report in baselines for warning in report.warnings))))

    def report(scoring: Scoring) -> Report:
        return reduce(measured_from, baselines, scoring.report(messages, source.inputs))

    return Curves(
        {kind: {level: report(scoring) for level, scoring in scorings[kind].items()} for kind in shown},
        changes,
        key=source.inputs[0].name,
        response="" if response is None else source.inputs[1].name,
        seed=0,
        warnings=messages,
    )


def _with_noise(
    totals: dict[str, int], levels: Sequence[int], seed: int, pair: Pair, alignment: Alignment | None
) -> Iterator[Version]:
    """The response with noise; its possible changes are added to the ``totals`` of kinds."""
    for kind in totals:
        noise = plan(pair.response, kind, seed, alignment)
        totals[kind] += noise.changes.total
        for level in levels:
            yield kind, level, Pair(pair.key, noise.at(level)), noise.changes_at(level)


def _beginnings(
    totals: dict[str, int], levels: Sequence[int], path: str, pair: Pair, _: Alignment | None
) -> Iterator[Version]:
    """The beginnings of texts: at 30 %, mentions that end within the first 30 % of the words of a document."""
    words = [place for sentence in pair.key.sentences for place in sentence.nodes if not place & MINOR_MASK]
    if not words:
        message = f"document {pair.key.id!r} has ids instead of words, so its length is not known"
        raise InputError(message, path=path, hint="leave --by length out")
    totals[LENGTH] += len(words)
    for level in levels:
        last = words[-(-len(words) * level // 100) - 1]
        cut = Pair(*(side.both(partial(restricted, where=partial(_ends_by, last))) for side in pair))
        yield LENGTH, level, cut, sum(map(len, cut.key.entities))


def _ends_by(last: int, _: Document, mention: Mention) -> bool:
    return mention.positions[-1] <= last


class _PairSource:
    """Pairs of documents: of a key and a response, or of a key with itself, which is read once.

    With a baseline file, each comes with the pair of the key and the baseline.
    """

    def __init__(self, key: Path, response: Path | None, request: Request, warnings: Warnings) -> None:
        self._corpus = [] if response is None else [open_corpus(request, key, response, warnings)]
        self.baseline = open_baseline(request, key)
        options = ReadingOptions.of(request.arguments)
        self._open = partial(open_reader, key, request.formats[0], warnings, options=options)
        self._corpora = [*self._corpus, *self.baseline]
        self.inputs: tuple[Input, ...] = ()
        """The key, and the response if there is one."""
        if self._corpora:
            self.inputs = self._corpora[0].inputs[: 1 + len(self._corpus)]
        self.progress = 0, 1

    def complete(self, request: Request) -> Request:
        """Complete the request from the formats of the files."""
        for side in (*self.inputs, *(corpus.inputs[1] for corpus in self.baseline)):
            key_formats = () if side is self.inputs[0] else self.inputs[0].formats
            request.check_formats(side.name, side.formats, key_formats)
        return complete(request, self.inputs[0])

    def __iter__(self) -> Iterator[tuple[Pair | None, Pair | None]]:
        for row in iter_aligned(self._corpora) if self._corpora else ():
            self.progress = self._corpora[0].progress
            pair = row[0] if self._corpus or not row[0] else Pair(row[0].key, row[0].key)
            yield pair, row[-1] if self.baseline else None
        if self._corpora:
            return
        format_, reader = self._open()
        self.inputs = (Input(reader.source.name),)
        self.inputs[0].formats[format_] = None
        with closing(reader.source):
            for number, document in enumerate(reader):
                self.progress = number, len(reader.names)
                yield Pair(document, document), None


def curves_of_files(
    directory: Path,
    *,
    key: Path | None = None,
    kinds: str | Iterable[str] | None = None,
    progress: Progress | None = None,
    **arguments: Unpack[RequestArguments],
) -> Curves:
    """Score the files that ``corefscope perturb`` has written.

    ``key`` is the path of the key (default: the one in the manifest); for other arguments see :func:`curves`.
    """
    manifest = Manifest.read(directory)
    selected = select(kinds) if kinds is not None else tuple(manifest.kinds)
    absent = [kind for kind in selected if kind not in manifest.kinds]
    if absent:
        raise InputError(f"has no files of {', '.join(absent)}", path=path_in(directory))
    key_format = arguments.get("key_format") or manifest.key_format
    request = Request(
        {**arguments, "key_format": key_format, "response_format": manifest.key_format}, base=NOISE_OPTIONS
    )
    key_path = manifest.key_path(directory, key)
    files = [(kind, file) for kind in selected for file in manifest.kinds[kind]]
    reports: dict[str, dict[int, Report]] = {kind: {} for kind in selected}
    for number, (kind, file) in enumerate(files):
        if progress:
            progress(number, len(files), file.name)
        opened = open_files(request, key_path, [path_in(directory, file.name)])
        scoring = Scoring(opened.request.options, request.metrics)
        ((reports[kind][file.level],),) = run(opened, [[scoring]], expect_mentions=False)  # noise may leave none
    scored = [report for by_level in reports.values() for report in by_level.values()]
    return Curves(
        reports,
        {kind: {file.level: file.changes for file in manifest.kinds[kind]} for kind in selected},
        key=key_path,
        response="",
        seed=manifest.seed,
        warnings=tuple(dict.fromkeys(warning for report in scored for warning in report.warnings)),
    )
