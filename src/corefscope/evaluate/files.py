"""The pipeline: read, prepare, align, tabulate, count, pool. Start reading the package here."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence

from ..base.document import Document, Mention
from ..base.errors import Warnings
from ..match.transform import restricted
from ..read.corpus import Corpus
from ..read.joining import grouping, how_joined, joined, joined_how
from .presets import chosen, wanted_metrics
from .results import Report, SettingsReport
from .scoring import Scoring
from .settings import parse_settings

NO_HEADS = "the file has no heads: the first word of each mention is taken for its head (--match exact needs none)"

NOTHING_IN_COMMON = "no mention of the response is one of the key: are words, ends of spans and ids counted alike?"

Progress = Callable[[int, int, str], None]
"""Called before each document with its number, the number of documents and its id."""
Where = Callable[[Document, Mention], bool]
"""Whether a mention of a document is to be scored."""


def score(
    key: str | os.PathLike[str],
    response: str | os.PathLike[str],
    *,
    preset: str | None = None,
    match: str | None = None,
    zeros: str | None = None,
    singletons: str | None = None,
    rules: str | None = None,
    metrics: str | Sequence[str] | None = None,
    key_format: str | None = None,
    response_format: str | None = None,
    documents: str = "apart",
    topic: str | None = None,
    baseline: str | None = None,
    where: Where | None = None,
    compare_rules: bool = False,
    digests: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Score a response against a key.

    Parameters
    ----------
    key, response
        Paths of files in any of the formats, plain or compressed; ``-`` is standard input. Two directories, or two
        patterns with wildcards, stand for many files that are paired by name.
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
    compare_rules
        Also find out the CoNLL score under ``corrected`` rules, as ``report.alternative``.
    digests
        Also compute SHA-256 of both inputs, for ``report.inputs``.
    progress
        Called before each document with its number, the number of documents and its id.

    Raises
    ------
    InputError
        If a file is not what it should be, or the two do not stand over the same words.
    OptionError
        If an option has a value that does not exist.
    """
    options = chosen(preset, match=match, zeros=zeros, singletons=singletons, rules=rules)
    options = options._replace(baseline=baseline or "", subset=_name(where), documents=joined_how(documents, topic))
    scoring = Scoring(options, wanted_metrics(preset, metrics), compare_rules=compare_rules)
    corpus = Corpus(key, response, warnings := Warnings(), key_format, response_format, digests=digests)
    return run(corpus, [scoring], warnings, where=where, progress=progress)[0]


def score_settings(
    key: str | os.PathLike[str],
    response: str | os.PathLike[str],
    settings: str | Sequence[str] = "crac",
    *,
    preset: str | None = None,
    match: str | None = None,
    zeros: str | None = None,
    singletons: str | None = None,
    rules: str | None = None,
    metrics: str | Sequence[str] | None = None,
    key_format: str | None = None,
    response_format: str | None = None,
    documents: str = "apart",
    topic: str | None = None,
    digests: bool = False,
    progress: Progress | None = None,
) -> SettingsReport:
    """Score a response against a key in several ways, reading both once.

    ``settings`` is ``crac`` for what the organisers of the CRAC tasks publish, or a list such as
    ``"head,exact+keep,conll12"``: each is what differs from the options after it, which are as for :func:`score`.
    """
    base = chosen(preset, match=match, zeros=zeros, singletons=singletons, rules=rules)
    base = base._replace(documents=joined_how(documents, topic))
    parsed = parse_settings(settings, base, wanted_metrics(preset, metrics))
    scorings = [Scoring(setting.options, setting.metrics) for setting in parsed]
    corpus = Corpus(key, response, warnings := Warnings(), key_format, response_format, digests=digests)
    reports = run(corpus, scorings, warnings, progress=progress)
    return SettingsReport({setting.title: report for setting, report in zip(parsed, reports, strict=True)})


def run(
    corpus: Corpus,
    scorings: Sequence[Scoring],
    warnings: Warnings,
    *,
    where: Where | None = None,
    progress: Progress | None = None,
) -> list[Report]:
    """Read a corpus once and score each pair of documents in every way that is asked for."""
    options = scorings[0].options
    group = grouping(*how_joined(options.documents))
    try:
        for ours, theirs in joined(corpus, group) if group else corpus:
            if progress:
                progress(*corpus.progress, ours.id)
            if where:
                ours, theirs = restricted(ours, where), restricted(theirs, where)
            for at, scoring in enumerate(scorings):
                scoring.add(ours, theirs, warnings if at == 0 else None)
            del ours, theirs  # or they would be kept while the next document is read
    finally:
        corpus.close()
    if group:
        warnings.forget("documents")
    look_back(corpus, scorings, warnings)
    return [scoring.report(list(warnings), corpus.inputs) for scoring in scorings]


def look_back(corpus: Corpus, scorings: Sequence[Scoring], warnings: Warnings) -> None:
    """Warn of what is seen only when everything was read: no heads where they matter, nothing in common."""
    if any(scoring.options.match != "exact" for scoring in scorings):
        for name in corpus.headless:
            warnings.add("heads", name, 0, NO_HEADS)
    if not any(scoring.seen[2] for scoring in scorings) and any(all(scoring.seen[:2]) for scoring in scorings):
        warnings.add("nothing in common", corpus.inputs[1].name, 0, NOTHING_IN_COMMON)


def _name(where: Where | None) -> str:
    return "" if where is None else re.sub(r"[^\w.-]", "", getattr(where, "__name__", "")) or "custom"
