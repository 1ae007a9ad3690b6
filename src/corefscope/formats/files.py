"""Adjustments of finished reports: absent annotation layers, a baseline from a file, official last digits.

The pipeline: read, prepare, align, tabulate, count, pool. Start reading the package here.

A large corpus read and scored in several processes, to the same bits as in one.

Every process reads a chunk of the documents, this one the first. What others find (rows of counts, warnings, how
much was read) is added in the order of the documents, as if it had been found here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Unpack

from ..core.baselines import BASELINES, of_file
from ..core.errors import InputError, Warnings, amount
from ..core.matching.matchers import MATCHERS
from ..core.mention_overlap import warn_of_inputs
from ..core.metrics import METRICS, OPTIONAL, counted
from ..core.naming import check_values, split_names
from ..core.pipeline import Scoring, align, is_large
from ..core.presets import PRESETS, parse_settings
from ..core.report import Report, Row, Rows
from ..core.request import Opened, Path, Progress, Request, RequestArguments
from ..core.rules import RULES
from ..core.table import tabulate
from .corpus import WHOLE, Chunk, Corpus, CorpusState, chunks
from .detection import FORMATS
from .pairs import Pairs
from .processes import DeadWorkerError, how_many, side_by_side
from .source import read_once

if TYPE_CHECKING:
    from ..core.settings import SettingsReport


NEAR = 1e-6  # hundredths of a per cent; rounding errors are far smaller


def without_absent(request: Request, reports: Sequence[Report]) -> list[Report]:
    """Reports on responses to one key, without metrics of which none has anything.

    A metric that was named stays, and so does everything if nothing else were left.
    """
    optional = [name for name in reports[0] if METRICS[name].scope.witness] if reports else []
    if not optional:
        return [*reports]
    named = _named(request)
    absent = [
        name
        for name in optional
        if name not in named and all(_has_nothing(report, METRICS[name].scope.witness) for report in reports)
    ]
    kept = [name for name in reports[0] if name not in absent]
    return [_only(report, kept) for report in reports] if absent and kept else [*reports]


def as_printed(request: Request, report: Report) -> Report:
    """The report as tables show it: of a group, nothing that a convention makes in this format."""
    formats, named = report.options.format.split("+"), _named(request)
    kept = [name for name in report if name in named or {*formats}.isdisjoint(METRICS[name].scope.by_convention_in)]
    return _only(report, kept) if 0 < len(kept) < len(report) else report


def _named(request: Request) -> set[str]:
    """The metrics that are asked for by their own names, or by a preset."""
    preset = request.arguments.get("preset")
    return request.named or (set(split_names(PRESETS[preset].metrics)) if preset else set())


def _has_nothing(report: Report, teller: str) -> bool:
    return teller in report and report.nothing(teller)


def _only(report: Report, names: Sequence[str]) -> Report:
    """The same report with some of its metrics."""
    columns = [metric.name for metric in counted(report)]
    kept = [columns.index(metric.name) for metric in counted(names)]

    def rows(of_all: Rows) -> Rows:
        return {document: tuple([row[i] for i in kept]) for document, row in of_all.items()}

    return Report(
        report.options,
        names,
        rows(report.rows),
        warnings=report.warnings,
        alternative=report.alternative,
        baseline_rows=[*map(rows, report.baseline_rows)],
        high_rows=rows(report.high_rows) if report.high_rows else None,
        inputs=report.inputs,
    )


def by_scoring(request: Request, reports: Iterable[Sequence[Report]]) -> list[list[Report]]:
    """The same of every way of scoring, by response and way."""
    ways = [without_absent(request, of_one_way) for of_one_way in zip(*reports, strict=True)]
    return [list(of_one_response) for of_one_response in zip(*ways, strict=True)]


def unmeasured(scorings: Sequence[Scoring]) -> list[Scoring]:
    """Scorings in the same ways for the response that others are measured from."""
    return [Scoring(scoring.options._replace(baseline=""), scoring.names) for scoring in scorings]


def measured_from(report: Report, baseline: Report) -> Report:
    """The scores of a report measured from those of another response, (s − b)/(1 − b), pooled and in each document.

    A document that only one of them has (in formats without words) counts as one without mentions in the other.
    """
    names = dict.fromkeys((*report.rows, *baseline.rows))
    nothing = tuple((0,) * len(metric.fields) for metric in counted(report))

    def completed(rows: Rows) -> Rows:
        return {name: rows.get(name, nothing) for name in names}

    (file,) = baseline.inputs[1:]
    return Report(
        report.options._replace(baseline=of_file(file.digest)),
        tuple(report),
        completed(report.rows),
        warnings=list(dict.fromkeys((*report.warnings, *baseline.warnings))),
        baseline_rows=[completed(baseline.rows)],
        inputs=(*report.inputs, file) if len(report.inputs) > 1 else report.inputs,
    )


def with_official_digits(request: Request, corpus: Corpus, report: Report) -> Report:
    """The report, with sums in the official arithmetic if the second decimal of a percentage depends on them.

    A figure of 15.625 per cent is printed as 15.62 or 15.63, whichever the rounding errors of its sums say. If that
    happens under the rules of a reference program (once in thousands of figures), documents are counted again, in the
    arithmetic of that program. Where the files cannot be read again, as pipes cannot, it stays as it is.
    """
    sums = RULES[report.options.rules].last_digits
    if sums is None or report.baseline_rows or report.high_rows:
        return report
    if not any(_between(report, name) for name in report):
        return report
    if not all(os.path.isfile(path) for pair in corpus.files for path in (pair.key, pair.response)):
        return report
    metrics = counted(report)
    rows: dict[str, Row] = {}
    try:
        key, response = (side.name for side in corpus.inputs)
        for pair in request.pairs(request.corpus(key, response, Warnings())):
            row = report.rows[pair.key.id]
            if not is_large(*pair):  # no reference program has ever seen documents of so many ids
                counts = sums(tabulate(align(*pair, report.options)))
                row = tuple([counts.get(metric.name, old) for metric, old in zip(metrics, row, strict=True)])
            rows[pair.key.id] = row
    except (InputError, OSError, KeyError):  # the files are others now, or rows are not of documents
        return report
    return report.with_rows(rows)


def _between(report: Report, name: str) -> bool:
    """Whether a figure of a metric lies between two hundredths of a per cent; sums of integers have no errors."""
    counts = [count for metric in counted([name]) for count in report.counts(metric.name).values()]
    if not any(isinstance(count, float) for count in counts):
        return False
    return any(abs(figure * 10_000 % 1 - 0.5) < NEAR for figure in report[name] if isinstance(figure, float))


NO_HEADS = "the file has no heads: the first word of a mention counts as its head (--match exact needs none"
NO_MINIMA = (
    "the file names no minimal words (Min): --match partial finds whole mentions only, --match head first words"
)
TREE_HEADS = ", and --heads tree finds them in the dependencies"

SMALL = 30_000_000
"""Bytes of input that one process has scored before others are ahead."""


def score(
    key: Path,
    response: Path,
    *,
    compare_rules: bool = False,
    progress: Progress | None = None,
    jobs: int | None = 1,
    **arguments: Unpack[RequestArguments],
) -> Report:
    """Score a response against a key.

    ``report.warnings`` say if the response has no mention, or none that the key has. Where mentions are ids, they
    also say how many are unknown to the other side, if these are more than a fifth.

    Parameters
    ----------
    key, response
        Paths of files in any of the formats, plain or compressed; ``-`` is standard input. Two directories, or two
        patterns with wildcards, stand for many files that are paired by name.
    compare_rules
        Also find out which scores differ under the ``corrected`` rules, as ``report.alternative``.
    progress
        Called before each document with its number, the number of documents and its id.
    jobs
        How many processes read and score documents, side by side; None for as many as suit the size of the files.
        The result is the same. A script that asks for several must protect what it does by
        ``if __name__ == "__main__":``.
    preset
        ``crac22`` … ``crac26``, ``conll12``, ``codicrac21`` or ``codicrac22`` (one track: ``codicrac22-br``): what a
        shared task used; options that are given too replace its own.
    match
        ``head`` (the default if the key is CorefUD), ``exact`` (the default for all other keys) or ``partial``:
        which mentions are taken for the same.
    zeros
        ``dependent`` (the default) matches zeros by their dependencies, ``linear`` by their position.
    singletons
        ``drop`` (the default if the key is CorefUD) or ``keep`` (for all other keys) entities of one mention.
    rules
        ``corefud-1.2`` (the default) for the official numbers, ``corrected`` for the same without the official bugs,
        ``conll-8.01`` for those of the CoNLL reference scorer, ``ua-1.0`` for those of UA scorer 1.0.
    heads
        ``file`` (the default) for the heads that the files name, ``tree`` for those that the dependencies tell.
    metrics
        A metric, a group of metrics, or a list of these; without it those of the preset, or all official ones.
    key_format, response_format
        The name of a format; without it the format is recognised.
    documents
        ``apart``; ``merge`` joins all documents into one before scoring, ``topic`` those of each topic.
    topic
        A regular expression that ids of documents begin with; its first group, or its match, is the topic.
    baseline
        Measure scores from what another response to the same key scores: (s − b)/(1 − b). ``none``, ``all`` or
        ``random``: one in which no mentions corefer, all do, or which is random with the key's sizes (metrics that
        need words are left out); or a path as for ``response``, of which the signature has the SHA-256.
    anaphors
        What ``anaphora_classes``, ``anaphora_links`` and ``anaphora_full`` take for anaphors: ``zeros``, ``pronouns``
        or ``all`` mentions (the default); or a function that is called with a document and a mention.
    words
        ``compare`` (the default), or ``ignore`` for CoNLL, SemEval and jsonlines files whose words or sentences
        differ: mentions are then compared by the numbers of their words in the document.
    where
        Called with a document and a mention: only mentions for which it is true are scored, on both sides.
    skeleton
        For text that a language model printed: the file whose words it has; without it, the key.
    style
        How its tags look: ``crac``, ``xml``, ``markdown``, ``colon``, ``seq2seq``, ``corefinst`` or ``json``; without
        it, this is recognised.
    unclosed
        What a mention is that is never closed: its first ``word`` (the default), all to the end of its ``sentence``,
        or nothing (``drop``).
    reading
        ``faithful`` (the default): tags move with their words; ``text2text`` or ``text2text-z``: what the organisers'
        tools make of it.
    repair
        ``offsets``: mentions of JSON stand where their strings (``clusters_text_mentions``) do, if offsets say
        otherwise; without it, that is an error.
    digests
        Also compute SHA-256 of both inputs, for ``report.inputs``.

    Raises
    ------
    InputError
        If a file is not what it should be, or the two do not stand over the same words; also if a response that a
        language model printed has no tags of any known style, unless it is a plain copy of a key without mentions.
    OptionError
        If an option has a value that does not exist.
    """
    check_values({"compare_rules": compare_rules})
    opened = open_files(Request(arguments, optional=True), key, [response], progress, jobs)
    options, metrics = opened.request.options, opened.request.metrics
    scoring = Scoring(options, metrics, compare_rules=compare_rules, format_loss=True)
    return run(opened, [[scoring]])[0][0]


def score_settings(
    key: Path,
    response: Path,
    settings: str | Sequence[str] = "crac",
    *,
    progress: Progress | None = None,
    jobs: int | None = 1,
    **arguments: Unpack[RequestArguments],
) -> SettingsReport:
    """Score a response against a key in several ways, reading both once.

    ``settings`` is ``crac`` for what the organisers of the CRAC tasks publish, or a list such as
    ``"head,exact+keep,conll12"``: each is what differs from the other arguments, which are as for :func:`score`.
    """
    from ..core.settings import SettingsReport

    changes = parse_settings(settings)
    opened = open_files(Request(arguments, optional=True), key, [response], progress, jobs)
    requests = [opened.request.replaced(**further) for further in changes.values()]
    for request in requests:
        request.check_corpora(opened.corpora)
    (scored,) = run(opened, [[Scoring(request.options, request.metrics) for request in requests]])
    return SettingsReport(zip(changes, scored, strict=True))


def open_files(
    request: Request,
    key: Path,
    responses: Sequence[Path],
    progress: Progress | None = None,
    jobs: int | None = 1,
) -> Opened:
    """Begin to read a key, which is read once, and responses to it; :func:`score` explains ``jobs``."""
    check_values({"progress": progress, "jobs": jobs})
    corpora = [request.corpus(key, response, Warnings()) for response in responses]
    if jobs == 1 or (jobs is None and sum(corpus.size for corpus in corpora) < SMALL):
        return request.read(corpora, progress)
    return request.read(corpora, progress, divided(request, corpora, jobs))


def run(opened: Opened, scorings: Sequence[Sequence[Scoring]], *, expect_mentions: bool = True) -> list[list[Report]]:
    """Score each pair of documents in every way that is asked for: for each response, scorings of its own.

    The ways are the same for all responses: a file that they are measured from is scored in each of them, too. For
    ``expect_mentions`` see :func:`reports`.
    """
    corpora = [*opened.corpora]
    if opened.baseline:
        corpora, scorings = [*corpora, opened.baseline], [*scorings, unmeasured(scorings[0])]
    if opened.others:
        score_side_by_side(opened, corpora, scorings)
    else:
        look_at(opened.rows, corpora, scorings)
    made = [
        reports(opened.request, corpus, several, expect_mentions=expect_mentions)
        for corpus, several in zip(corpora, scorings, strict=True)
    ]
    if opened.baseline:
        zeros = made.pop()
        made = [list(map(measured_from, several, zeros)) for several in made]
    if opened.request.optional and any(not OPTIONAL.isdisjoint(report) for several in made for report in several):
        made = by_scoring(opened.request, made)
    if opened.baseline:
        return made
    return [
        [with_official_digits(opened.request, corpus, report) for report in several]
        for corpus, several in zip(corpora, made, strict=True)
    ]


def look_at(rows: Iterable[Pairs], corpora: Sequence[Corpus], scorings: Sequence[Sequence[Scoring]]) -> None:
    """Hand each pair of documents to the scorings of its corpus."""
    for row in rows:
        for pair, corpus, several in zip(row, corpora, scorings, strict=True):
            for i, scoring in enumerate(several):
                if pair:
                    scoring.look_at(*pair, None if i else corpus.warnings)  # the first warns for all
        del row, pair  # or they would be kept while the next documents are read


def reports(
    request: Request, corpus: Corpus, scorings: Sequence[Scoring], *, expect_mentions: bool = True
) -> list[Report]:
    """The report of each scoring, once everything was read; with what is seen only then among the warnings.

    Unless ``expect_mentions`` is false, that is also whether a side has no mention, or none that the other has.
    """
    warnings = corpus.warnings
    if request.group:
        warnings.forget("entity-in-two-documents")
    if not any(RULES[scoring.options.rules].preparation.official for scoring in scorings):
        warnings.forget("opened-after-closed")  # such rules read what was meant
    matchers = [matcher for scoring in scorings if (matcher := MATCHERS[scoring.options.match]).needs_heads]
    if matchers and not request.options.heads:
        _warn_of_heads(corpus, both_sides=any(matcher.symmetric for matcher in matchers))
    if expect_mentions and not all(METRICS[name].scope.needs_empty_nodes for name in scorings[0].names):
        drops_singletons = all(scoring.options.singletons == "drop" for scoring in scorings)
        warn_of_inputs(warnings, corpus.inputs, [scoring.sizes for scoring in scorings], drops_singletons)
    return [scoring.report(list(warnings), corpus.inputs) for scoring in scorings]


def _warn_of_heads(corpus: Corpus, *, both_sides: bool) -> None:
    """Name the first file that does not say which words are heads, and what to do."""
    by_message: dict[str, list[str]] = {}
    for name, (format_, is_response) in corpus.headless.items():
        row = FORMATS[format_]
        if row.layers.names_minima and is_response and not both_sides:
            continue  # only those of the key count
        message = (
            NO_MINIMA
            if row.layers.names_minima
            else f"{NO_HEADS}{TREE_HEADS if row.layers.has_dependencies else ''})"
        )
        by_message.setdefault(message, []).append(name)
    for message, (first, *others) in by_message.items():
        more = f" (and {amount(len(others), 'file')} more)" if others else ""
        corpus.warnings.add("heads", first, 0, f"{message}{more}")


Ways = Sequence[Sequence[Callable[[], Scoring]]]
"""For each corpus what makes its scorings."""
Findings = list[tuple[CorpusState, list[Scoring]]]
"""For each corpus what was read, and its scorings."""


def divided(request: Request, corpora: Sequence[Corpus], jobs: int | None) -> list[Chunk]:
    """What each process reads; everything, if it must be one."""
    count = how_many(jobs)
    together = (
        request.group  # joined documents are in memory together
        or request.has_predicate  # which other processes may not know
        or request.options.baseline in BASELINES  # which is drawn, one document after the other
        or read_once(request.baseline)
        or not all(os.path.isfile(path) for corpus in corpora for path in corpus.paths)
    )
    return [WHOLE] if together else chunks([files.key for files in corpora[0].files], count)


def score_side_by_side(opened: Opened, corpora: Sequence[Corpus], scorings: Sequence[Sequence[Scoring]]) -> None:
    """Score the first chunk here, and the others in processes; if one of them dies, its chunk here, too."""
    sides = [corpora[0].inputs[0].name, *(corpus.inputs[1].name for corpus in opened.corpora)]
    ways = [[scoring.another for scoring in several if scoring.another] for several in scorings]
    orders = [(opened.asked, sides, chunk, ways) for chunk in opened.others]
    with side_by_side(len(orders)) as pool:
        tasks = [pool.submit(score_chunk, *order) if pool else None for order in orders]
        look_at(opened.rows, corpora, scorings)
        for order, task in zip(orders, tasks, strict=True):
            try:
                findings = task.result() if task else score_chunk(*order)
            except DeadWorkerError:
                findings = score_chunk(*order)
            for corpus, several, (read, found) in zip(corpora, scorings, findings, strict=True):
                corpus.merge(read)
                for scoring, of_share in zip(several, found, strict=True):
                    scoring.merge(of_share)
            opened.asked.check_corpora(opened.corpora)


def score_chunk(request: Request, sides: Sequence[str], chunk: Chunk, ways: Ways) -> Findings:
    """Score the documents of one chunk: in another process, or here."""
    key, *responses = sides
    corpora = [request.corpus(key, response, Warnings()) for response in responses] + request.baseline_corpus(key)
    corpora[0].chunk = chunk
    scorings = [[make() for make in several] for several in ways]
    look_at(request.rows(corpora), corpora, scorings)
    return [(corpus.state, several) for corpus, several in zip(corpora, scorings, strict=True)]
