"""The pipeline: read, prepare, align, tabulate, count, pool. Start reading the package here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..base.errors import Warnings
from ..match.matchers import MATCHERS
from ..read.corpus import Corpus
from .last_digits import with_official_digits
from .presets import parse_settings
from .request import Path, Progress, Request, RequestArguments
from .results import Report, SettingsReport
from .scoring import Scoring

if TYPE_CHECKING:
    from typing_extensions import Unpack

NO_HEADS = "the file has no heads: the first word of each mention is taken for its head (--match exact needs none)"

NOTHING_IN_COMMON = "no mention of the response is one of the key: are words, ends of spans and ids counted alike?"


def score(
    key: Path,
    response: Path,
    *,
    compare_rules: bool = False,
    progress: Progress | None = None,
    **arguments: Unpack[RequestArguments],
) -> Report:
    """Score a response against a key.

    Parameters
    ----------
    key, response
        Paths of files in any of the formats, plain or compressed; ``-`` is standard input. Two directories, or two
        patterns with wildcards, stand for many files that are paired by name.
    compare_rules
        Also find out the CoNLL score under ``corrected`` rules, as ``report.alternative``.
    progress
        Called before each document with its number, the number of documents and its id.
    preset
        ``crac22`` … ``crac25`` or ``conll12``: what a shared task used; options that are given too replace its own.
    match
        ``head`` (the default), ``partial`` or ``exact``: which mentions are taken for the same.
    zeros
        ``dependent`` (the default) matches zeros by their dependencies, ``linear`` by their position.
    singletons
        ``drop`` (the default) or ``keep`` entities of one mention.
    rules
        ``corefud-1.2`` (the default) for the official numbers, ``corrected`` for the same without the official bugs,
        ``conll-8.01`` for those of the CoNLL reference scorer.
    metrics
        A metric, a group of metrics, or a list of these; without it those of the preset, or all official ones.
    key_format, response_format
        The name of a format; without it the format is recognised.
    documents
        ``apart``; ``merge`` joins all documents into one before scoring, ``topic`` those of each topic.
    topic
        A regular expression that ids of documents begin with; its first group, or its match, is the topic.
    baseline
        ``none``, ``all`` or ``random``: measure scores from what a response scores in which no mentions corefer, all
        do, or which is random with the key's sizes. Metrics that need words are left out.
    where
        Called with a document and a mention: only mentions for which it is true are scored, on both sides.
    digests
        Also compute SHA-256 of both inputs, for ``report.inputs``.

    Raises
    ------
    InputError
        If a file is not what it should be, or the two do not stand over the same words.
    OptionError
        If an option has a value that does not exist.
    """
    request = Request(arguments)
    scoring = Scoring(request.options, request.metrics, compare_rules=compare_rules)
    return run(request, key, response, [scoring], progress)[0]


def score_settings(
    key: Path,
    response: Path,
    settings: str | Sequence[str] = "crac",
    *,
    progress: Progress | None = None,
    **arguments: Unpack[RequestArguments],
) -> SettingsReport:
    """Score a response against a key in several ways, reading both once.

    ``settings`` is ``crac`` for what the organisers of the CRAC tasks publish, or a list such as
    ``"head,exact+keep,conll12"``: each is what differs from the other arguments, which are as for :func:`score`.
    """
    request = Request(arguments)
    requests = {title: request.replaced(**changes) for title, changes in parse_settings(settings).items()}
    scorings = [Scoring(one.options, one.metrics) for one in requests.values()]
    return SettingsReport(zip(requests, run(request, key, response, scorings, progress), strict=True))


def run(
    request: Request,
    key: Path,
    response: Path,
    scorings: Sequence[Scoring],
    progress: Progress | None = None,
) -> list[Report]:
    """Read both sides once, and score each pair of documents in every way that is asked for."""
    return run_all(request, key, [response], [scorings], progress)[0]


def run_all(
    request: Request,
    key: Path,
    responses: Sequence[Path],
    scorings: Sequence[Sequence[Scoring]],
    progress: Progress | None = None,
) -> list[list[Report]]:
    """The same for several responses, each with scorings of its own; the key is read once."""
    corpora = [request.corpus(key, response, Warnings()) for response in responses]
    for row in request.rows(corpora, progress):
        for pair, corpus, several in zip(row, corpora, scorings, strict=True):
            for i, scoring in enumerate(several):
                if pair:
                    scoring.look_at(*pair, None if i else corpus.warnings)  # the first warns for all
        del row, pair  # or they would be kept while the next documents are read
    return [
        [with_official_digits(request, key, response, report) for report in reports(request, corpus, several)]
        for corpus, response, several in zip(corpora, responses, scorings, strict=True)
    ]


def reports(request: Request, corpus: Corpus, scorings: Sequence[Scoring]) -> list[Report]:
    """The report of each scoring, once everything was read; with what is seen only then among the warnings."""
    warnings = corpus.warnings
    if request.group:
        warnings.forget("documents")
    if any(MATCHERS[scoring.options.match].needs_heads for scoring in scorings):
        for name in corpus.headless:
            warnings.add("heads", name, 0, NO_HEADS)
    if not any(scoring.sizes[2] for scoring in scorings) and any(all(scoring.sizes[:2]) for scoring in scorings):
        warnings.add("nothing in common", corpus.inputs[1].name, 0, NOTHING_IN_COMMON)
    return [scoring.report(list(warnings), corpus.inputs) for scoring in scorings]
