"""Scoring files: a key and responses are opened, each pair of documents goes through the pipeline, reports come out.

A large corpus may be read and scored by several processes, to the same bits as by one: every process reads a chunk of
the documents, this one the first, and the rows of counts, warnings and sizes are merged in the order of documents.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Unpack

from ..core.baselines import BASELINES
from ..core.errors import OptionError, Warnings, amount
from ..core.format import FORMATS
from ..core.matching.matchers import MATCHERS
from ..core.metrics import GROUPS, METRICS, OPTIONAL
from ..core.naming import check_values
from ..core.options import Options
from ..core.pipeline import Scoring, process
from ..core.report import Report
from ..core.request import Path, Progress, Request, RequestArguments
from ..core.rules import RULES
from .adjustments import by_scoring, measured_from, unmeasured, with_official_digits
from .corpus import WHOLE, Chunk, Corpus, CorpusState, chunks
from .mention_warnings import warn_of_inputs
from .reading import ScoringRun, check_corpora, iter_rows, open_baseline, open_corpus, start_run
from .source import read_once

NO_HEADS = "the file has no heads: the first word of a mention counts as its head (--match exact needs none"
NO_MINIMA = (
    "the file names no minimal words (Min): --match partial finds whole mentions only, --match head first words"
)
TREE_HEADS = ", and --heads tree finds them in the dependencies"
TREES_OF_KEY = f"{TREE_HEADS} of the key"

SIDES = ("key", "response")
COUNT_SINGLETONS = ("cai-strube", "popescu-belis")
"""Groups of metrics whose authors score entities of one mention, too."""

SMALL = 30_000_000
"""Bytes of input that one process has scored before others are ahead."""


def score(
    key: Path,
    response: Path,
    *,
    compare_rules: bool = False,
    keep_going: bool = False,
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
    keep_going
        Of many files, leave those out that have faults: ``report.missing`` has the errors.
    progress
        Called before each document with its number, the number of documents and its id; of many files, with the
        number of files that are done and the number of files.
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
        ``file`` (the default) for the heads that the files name, ``tree`` for those that the dependencies tell, in
        both files or in one (``key=tree``, ``response=tree``).
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
    weights
        ``size^ALPHA`` or a file, ``FILE`` or ``FILE:COLUMN``: weights of entities in the metrics that are sums over
        them (``corefscope.measures.weights``); others are left out, or refused if they are named.
    windows
        Cut texts into windows of so many words, which are scored as documents: a mention is in the window of its
        first word (:func:`~corefscope.score_windows` has a curve over several sizes).
    anaphors
        What ``anaphora_classes``, ``anaphora_links`` and ``anaphora_full`` take for anaphors: ``zeros``, ``pronouns``
        or ``all`` mentions (the default); or a function that is called with a document and a mention.
    only
        Score the mentions of these kinds only: ``pronoun``, ``name``, ``nominal``, ``zero`` or ``other``, told by the
        head, or ``upos=NOUN``; several are separated by commas.
    classes
        ``restricted`` (the default) leaves only these mentions in entities; with ``whole``, entities keep all, and
        ``b3_only`` averages B³ over these mentions.
    words
        ``compare`` (the default); ``align`` for files over the same text with other words or sentences: mentions of
        the response are laid over the words of the key; or ``ignore`` for CoNLL, SemEval and jsonlines files whose
        words differ: mentions are then compared by the numbers of their words in the document. A side that counts the
        characters of a text is always laid over the words of the other side, if that has words.
    align
        What a mention becomes that begins or ends inside a word of the other side, where it is laid over its words:
        ``expand`` (the default) takes every word that it touches, ``contract`` those wholly inside, ``strict``
        raises InputError.
    where
        Called with a document and a mention: only mentions for which it is true are scored, on both sides.
    sentences
        A CSV file with the columns Topic, File and Sentence Number, as ECB+ has it for validated sentences: only
        mentions that begin in these are scored, on both sides.
    mention_column, entity_column, document_column
        The columns of tables: a name, or two names, those of the key and of the response (``("id", "record_id")`` or
        ``"id,record_id"``); by default they are found by their names. One file may be key and response if
        ``entity_column`` names two columns. Scores of tables are those of the group ``linkage``, unless ``metrics``
        are named.
    relations
        Names of the relations that are identity in files of annotation tools, separated by commas or in a list;
        without it, those that begin with ``coref``, ``ident``, ``same_as`` or ``equiv``.
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
    check_values({"compare_rules": compare_rules, "keep_going": keep_going})
    opened = open_files(Request(arguments, optional=True), key, [response], progress, jobs, keep_going)
    options, metrics = opened.request.options, opened.request.metrics
    scoring = Scoring(options, metrics, compare_rules=compare_rules, format_loss=True)
    return run(opened, [[scoring]])[0][0]


def open_files(
    request: Request,
    key: Path,
    responses: Sequence[Path],
    progress: Progress | None = None,
    jobs: int | None = 1,
    keep_going: bool = False,
) -> ScoringRun:
    """Begin to read a key, which is read once, and responses to it; :func:`score` explains ``jobs``."""
    check_values({"progress": progress, "jobs": jobs})
    corpora = [open_corpus(request, key, response, Warnings(), keep_going=keep_going) for response in responses]
    if keep_going or len(corpora[0].files) > 1:
        from .many_files import check_many_files

        check_many_files(request, corpora, keep_going=keep_going)
    if jobs == 1 or (jobs is None and sum(corpus.size for corpus in corpora) < SMALL):
        return start_run(request, corpora, progress, keep_going=keep_going)
    if len(corpora[0].files) > 1:
        from .processes import FileProgress  # 30 ms, for large corpora only

        progress = FileProgress(progress)
    return start_run(request, corpora, progress, divide(request, corpora, jobs), keep_going=keep_going)


def run(
    opened: ScoringRun, scorings: Sequence[Sequence[Scoring]], *, expect_mentions: bool = True
) -> list[list[Report]]:
    """Score each pair of documents in every way that is asked for: for each response, scorings of its own.

    The ways are the same for all responses: a file that they are measured from is scored in each of them, too. For
    ``expect_mentions`` see :func:`reports`.
    """
    corpora = [*opened.corpora]
    if opened.request.options.windows:
        rules = {RULES[scoring.options.rules].windows for row in scorings for scoring in row}
        if rules != {RULES[opened.request.options.rules].windows}:
            raise OptionError("rules that cut other windows cannot be scored at once: score each by itself")
    if opened.baseline:
        corpora, scorings = [*corpora, opened.baseline], [*scorings, unmeasured(scorings[0])]
    if opened.other_chunks:
        score_side_by_side(opened, corpora, scorings)
    else:
        _score_here(opened, corpora, scorings)
    if corpora[0].missing and not corpora[0].inputs[0].documents:
        raise next(iter(corpora[0].missing.values()))  # nothing is left to score
    finished = [
        reports(opened.request, corpus, of_corpus, expect_mentions=expect_mentions)
        for corpus, of_corpus in zip(corpora, scorings, strict=True)
    ]
    if opened.baseline:
        baselines = finished.pop()
        finished = [list(map(measured_from, row, baselines)) for row in finished]
    if opened.request.optional and any(not OPTIONAL.isdisjoint(report) for row in finished for report in row):
        finished = by_scoring(opened.request, finished)
    if opened.baseline:
        return finished
    return [
        [with_official_digits(opened.request, corpus, report) for report in row]
        for corpus, row in zip(corpora, finished, strict=True)
    ]


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
    if matchers:
        _warn_of_heads(corpus, request.options, both_sides=any(matcher.symmetric for matcher in matchers))
    _warn_of_dropped_singletons(corpus, scorings)
    if expect_mentions and not all(METRICS[name].scope.needs_empty_nodes for name in scorings[0].names):
        drops_singletons = all(scoring.options.singletons == "drop" for scoring in scorings)
        warn_of_inputs(warnings, corpus.inputs, [scoring.sizes for scoring in scorings], drops_singletons)
    missing = tuple(corpus.missing.values())
    return [scoring.report(list(warnings), corpus.inputs, missing=missing) for scoring in scorings]


def _warn_of_heads(corpus: Corpus, options: Options, *, both_sides: bool) -> None:
    """Name the first file that does not say which words are heads, and what to do.

    The same of a side that has heads, all of which are first words.
    """
    by_message: dict[str, list[str]] = {}
    key_has_trees = all(FORMATS[name].layers.has_dependencies for name in corpus.inputs[0].formats)
    for name, (format_, is_response) in corpus.headless.items():
        row = FORMATS[format_]
        if options.has_tree_heads(SIDES[is_response]):
            continue
        if row.layers.names_minima and is_response and not both_sides:
            continue  # only those of the key count
        remedy = TREE_HEADS if row.layers.has_dependencies else ""
        if not remedy and is_response and key_has_trees and row.has_words:
            remedy = TREES_OF_KEY
        message = NO_MINIMA if row.layers.names_minima else f"{NO_HEADS}{remedy})"
        by_message.setdefault(message, []).append(name)
    for message, (first, *others) in by_message.items():
        more = f" (and {amount(len(others), 'file')} more)" if others else ""
        corpus.warnings.add("heads", first, 0, f"{message}{more}")
    sides = SIDES if both_sides else SIDES[:1]
    for side, input_, heads in zip(sides, corpus.inputs, corpus.first_word_heads, strict=False):
        if heads.suspicious and not options.has_tree_heads(side) and not corpus.headless:
            has_trees = key_has_trees or all(FORMATS[name].layers.has_dependencies for name in input_.formats)
            remedy = f"; --heads {side}=tree finds heads in the dependencies" if has_trees else ""
            corpus.warnings.add("heads", input_.name, 0, f"{heads}{remedy} (--match exact needs none)")


def _warn_of_dropped_singletons(corpus: Corpus, scorings: Sequence[Scoring]) -> None:
    """Say that singletons are dropped from measures whose authors score them."""
    if not any(side.singletons for side in corpus.inputs):
        return
    names = {name for scoring in scorings if scoring.options.singletons == "drop" for name in scoring.names}
    for group in COUNT_SINGLETONS:
        concerned = [METRICS[name].title for name in GROUPS[group] if name in names]
        if concerned:
            more = f" and {len(concerned) - 2} more" if len(concerned) > 2 else ""
            message = f"singletons are dropped, but the authors of {', '.join(concerned[:2])}{more} score them"
            corpus.warnings.add(group, corpus.inputs[0].name, 0, f"{message}: --singletons keep")


Ways = Sequence[Sequence[Callable[[], Scoring]]]
"""For each corpus what makes its scorings."""
Findings = list[tuple[CorpusState, list[Scoring]]]
"""For each corpus what was read, and its scorings."""


def divide(request: Request, corpora: Sequence[Corpus], jobs: int | None) -> list[Chunk]:
    """The chunk that each process reads; one chunk if it must be one process."""
    from .processes import how_many  # 30 ms, for large corpora only

    count = how_many(jobs)
    together = (
        request.group  # joined documents are in memory together
        or request.has_predicate  # which other processes may not know
        or request.options.baseline in BASELINES  # which is drawn, one document after the other
        or read_once(request.baseline)
        or not all(os.path.isfile(path) for corpus in corpora for path in corpus.paths)
    )
    return [WHOLE] if together else chunks([files.key for files in corpora[0].files], count)


def score_side_by_side(opened: ScoringRun, corpora: Sequence[Corpus], scorings: Sequence[Sequence[Scoring]]) -> None:
    """Score the first chunk here, and the others in processes; if one of them dies, its chunk here, too.

    A fault that one of them finds ends all.
    """
    from .processes import DeadWorkerError, PoolWatch, side_by_side  # 30 ms, for large corpora only

    sides = [corpora[0].inputs[0].name, *(corpus.inputs[1].name for corpus in opened.corpora)]
    ways = [[scoring.another for scoring in of_corpus if scoring.another] for of_corpus in scorings]
    orders = [(opened.original, sides, chunk, ways, opened.keep_going) for chunk in opened.other_chunks]
    with side_by_side(len(orders)) as pool:
        tasks = [pool.submit(score_chunk, *order) for order in orders] if pool else []
        if pool:
            watch = PoolWatch(pool, tasks, opened.progress)
            opened = opened._replace(rows=watch.iterate(opened.rows))
        _score_here(opened, corpora, scorings)
        for number, order in enumerate(orders):
            try:
                findings = watch.result(tasks[number]) if pool else score_chunk(*order)
            except DeadWorkerError:
                findings = score_chunk(*order)
            for corpus, of_corpus, (read, scored) in zip(corpora, scorings, findings, strict=True):
                corpus.merge(read)
                for scoring, of_chunk in zip(of_corpus, scored, strict=True):
                    scoring.merge(of_chunk)
            check_corpora(opened.original, opened.corpora)


def _score_here(opened: ScoringRun, corpora: Sequence[Corpus], scorings: Sequence[Sequence[Scoring]]) -> None:
    """Score what this process reads."""
    if opened.keep_going:
        from .many_files import score_each_file

        score_each_file(opened.original, corpora, scorings, opened.progress)
    else:
        process(opened.rows, [corpus.warnings for corpus in corpora], scorings)


def score_chunk(
    request: Request, sides: Sequence[str], chunk: Chunk, ways: Ways, keep_going: bool = False
) -> Findings:
    """Score the documents of one chunk: in another process, or here."""
    from .processes import note_files  # 30 ms, for large corpora only

    key, *responses = sides
    corpora = [
        open_corpus(request, key, response, Warnings(), keep_going=keep_going) for response in responses
    ] + open_baseline(request, key)
    corpora[0].chunk = chunk
    for corpus in corpora:
        corpus.missing.clear()  # files without a counterpart are known
    scorings = [[make() for make in of_corpus] for of_corpus in ways]
    progress = note_files() if len(corpora[0].files) > 1 else None
    rows = iter_rows(request, corpora, progress)
    _score_here(
        ScoringRun(request, request, corpora, rows, progress=progress, keep_going=keep_going), corpora, scorings
    )
    return [(corpus.state, of_corpus) for corpus, of_corpus in zip(corpora, scorings, strict=True)]
