"""The corpora of a request: files are opened, and pairs of documents read in step, joined and selected."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from ..core.baselines import BASELINES, OF_FILE
from ..core.document import Document, Mention, mention_type
from ..core.errors import InputError, OptionError, Warnings
from ..core.input import Input
from ..core.kinds import UPOS, kinds_in
from ..core.matching.transform import restricted
from ..core.options import Options, split_words
from ..core.request import ANAPHORS, Path, Progress, Request
from .corpus import WHOLE, Chunk, Corpus, iter_aligned
from .detection import ReadingOptions
from .heads import has_trees, with_tree_heads
from .joining import joined
from .pairs import Pair, Pairs, WordComparison
from .paths import exists


class ScoringRun(NamedTuple):
    """Responses to one key, opened for scoring: the documents stream through memory."""

    request: Request
    """The complete request: the format of the key has decided what was left open."""
    original: Request
    """The request as it was made, for other processes."""
    corpora: Sequence[Corpus]
    rows: Iterator[Pairs]
    """One pair of documents for each corpus at a time; the pair of the baseline comes last."""
    other_chunks: Sequence[Chunk] = ()
    """The parts of the corpus that other processes read."""
    baseline: Corpus | None = None
    """The baseline file, if there is one."""
    progress: Progress | None = None
    keep_going: bool = False
    """Whether files that have faults are left out."""


def open_corpus(
    request: Request, key: Path, response: Path, warnings: Warnings, *, keep_going: bool = False
) -> Corpus:
    """The files of a key and a response; they are opened when reading begins."""
    corpus = Corpus(
        *(key, response, warnings, *request.formats),
        digests=request.digests,
        keep_going=keep_going,
        comparison=_comparison(request),
        reading=ReadingOptions.of(request.arguments),
    )
    corpus.inputs[0].weights = request.weights.path if request.weights else ""
    return corpus


def open_baseline(request: Request, key: Path) -> list[Corpus]:
    """The key and the baseline, if that is a file; its format is recognised."""
    if not request.baseline:
        return []
    check_baseline(request.baseline)
    return [
        Corpus(
            *(key, request.baseline, Warnings(), request.formats[0]),
            digests=True,
            comparison=_comparison(request),
            reading=ReadingOptions.of(request.arguments),
        )
    ]


def _comparison(request: Request) -> WordComparison:
    return WordComparison(split_words(request.options.words)[0] or "compare", request.align)


def start_run(
    request: Request,
    corpora: Sequence[Corpus],
    progress: Progress | None = None,
    chunks: Sequence[Chunk] = (WHOLE,),
    *,
    keep_going: bool = False,
) -> ScoringRun:
    """Begin to read responses to one key, whose format then completes the request.

    Only the first of the chunks is read here; the others are for other processes.
    """
    corpora[0].chunk, *others = chunks
    baseline = [*open_baseline(request, corpora[0].inputs[0].name), None][0]
    rows = iter_rows(request, [*corpora, *([baseline] if baseline else ())], progress)
    if others or keep_going:
        completed = complete(request, corpora[0].peek_format(all_files=keep_going))
    else:
        first = list(islice(rows, 1))  # the format is known when the first document is read
        completed, rows = complete(request, corpora[0].inputs[0]), _resume(first, rows)
    return ScoringRun(completed, request, corpora, rows, others, baseline, progress, keep_going)


def _resume(first: list[Pairs], rows: Iterator[Pairs]) -> Iterator[Pairs]:
    while first:
        yield first.pop()  # not kept while the next ones are read
    yield from rows


def complete(request: Request, key: Input) -> Request:
    """The request with the defaults of the key's format; InputError if its files would have different ones."""
    try:
        return request.complete(key.formats)
    except OptionError as error:
        raise InputError(str(error), path=key.name) from None


def iter_pairs(request: Request, corpus: Corpus) -> Iterator[Pair]:
    """The pairs of documents of one corpus, joined and reduced to the mentions that count."""
    for (pair,) in iter_rows(request, [corpus]):
        assert pair is not None
        yield pair
        del pair  # release the documents before reading the next ones


def iter_rows(request: Request, corpora: Sequence[Corpus], progress: Progress | None = None) -> Iterator[Pairs]:
    """The pairs of several responses to one key, which is read once: a pair of each, or None, at a time."""
    rows = iter_aligned(corpora)
    if request.sentences:
        rows = _restricted_rows(rows, request.sentences, corpora)
    checked: list[tuple[str, ...]] = []
    for row in joined(rows, request.group) if request.group else rows:
        formats = [tuple(side.formats) for corpus in corpora for side in corpus.inputs]
        if formats != checked:  # a file may bring another format, its other documents do not
            check_corpora(request, corpora)
            checked = formats
        if progress:
            progress(*corpora[0].progress, next(pair.key.id for pair in row if pair))
        selected = tuple([select_mentions(request, pair) if pair else None for pair in row])
        if request.options.windows:
            from .windows import windowed  # most scores are of whole texts

            yield from windowed(request, selected)
        else:
            yield selected
        del row, selected  # release the documents before reading the next ones


def _restricted_rows(rows: Iterable[Pairs], path: str, corpora: Sequence[Corpus]) -> Iterator[Pairs]:
    """Keep the mentions of the sentences that a file lists."""
    from .validated import ValidatedSentences  # few scores are restricted to sentences

    listed = ValidatedSentences(path)
    for row in rows:
        for corpus, pair in zip(corpora, row, strict=True):
            if pair and not listed.has_document(pair.key.id):
                message = f"document {pair.key.id!r} is not listed: none of its mentions is scored"
                corpus.warnings.add("sentences", path, 0, message)
        yield tuple([pair and Pair(*(side.both(listed.restrict) for side in pair)) for pair in row])
        del row, pair  # release the documents before reading the next ones


def check_corpora(request: Request, corpora: Sequence[Corpus]) -> None:
    """Refuse options that the formats of the opened files do not allow."""
    key = corpora[0].inputs[0]
    if request.options.windows:
        from .windows import check_windows

        check_windows(request)
    if len(key.formats) > 1:
        complete(request, key)
    for side in (key, *(corpus.inputs[1] for corpus in corpora)):
        request.check_formats(side.name, side.formats, key.formats if side is not key else ())


def select_mentions(request: Request, pair: Pair) -> Pair:
    """Both documents with the heads, mentions and anaphors that the request asks for."""
    if request.options.heads:
        pair = _with_tree_heads(pair, request.options)

    if request.weights:
        pair = pair._replace(key=pair.key.both(lambda document: document._replace(weights=request.weights)))
    only = _predicate_of(request.options.only) if request.options.only else None
    anaphors = request.anaphors
    if isinstance(anaphors, str):
        anaphors = ANAPHORS[anaphors].chosen
    if only and request.options.classes:
        only, anaphors = None, only  # entities stay whole

    def select(document: Document) -> Document:
        for chosen in filter(None, (request.where, only)):
            document = restricted(document, chosen)
        return document._replace(anaphors=anaphors) if anaphors else document

    return Pair(*(side.both(select) for side in pair))


def _predicate_of(only: str) -> Callable[[Document, Mention], bool]:
    """Whether a mention is of the kinds that ``only`` lists."""
    kinds = frozenset(kinds_in(only))
    if only.startswith(UPOS):
        return lambda document, mention: document.columns(mention.head)[3] in kinds
    return lambda document, mention: mention_type(document, mention) in kinds


def _with_tree_heads(pair: Pair, options: Options) -> Pair:
    """The documents with heads from dependencies; a response that has none takes those of the key."""
    key, response = pair
    key_with_heads = key.both(with_tree_heads) if options.has_tree_heads("key") else key
    if not options.has_tree_heads("response"):
        return Pair(key_with_heads, response)
    trees = None if has_trees(response) else key
    if trees and not has_trees(key):
        message = "has other sentences than the key, whose dependencies cannot be used for heads"
        raise InputError(message, path=response.path, hint="--words align uses the sentences of the key")
    return Pair(key_with_heads, response.both(lambda document: with_tree_heads(document, trees)))


def check_baseline(baseline: str, choices: Iterable[str] = BASELINES) -> None:
    """Refuse a baseline that is neither one of the choices nor a file; names are suggested."""
    if baseline in choices or exists(baseline):
        return
    if re.fullmatch(OF_FILE, baseline):
        digest = baseline.partition("-")[2]
        raise OptionError(f"scores were measured from a file (SHA-256 {digest}…): say where it is, --baseline FILE")
    raise OptionError(f"{OptionError.unknown('baseline', [baseline], choices)}, or name a file: there is no such one")
