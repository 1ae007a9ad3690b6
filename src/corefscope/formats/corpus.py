"""A key and its responses, read in step: pairs of documents, one at a time, of one file, of many, or of a chunk."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from copy import copy
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from ..core.errors import InputError, Warnings
from ..core.format import FORMATS
from ..core.input import Input, one_digest
from .detection import USUAL, ReadingOptions, open_reader, recognised
from .heads import FirstWordHeads
from .pairs import COMPARED, OpenFile, Pair, Pairs, WordComparison, document_pairs, ids_of_documents
from .paths import Files, pair_files, shared_name
from .source import ColumnSelector, LayoutSharer, SkeletonReader, Source, path_name

if TYPE_CHECKING:
    from .source import DocumentReader


class Chunk:
    """A stretch of the key's files, laid end to end and measured in bytes: the documents that begin in it."""

    __slots__ = ("_begin", "_end", "_places")

    def __init__(self, begin: int = 0, end: int | None = None, places: Sequence[int] = ()) -> None:
        """``places`` are where files begin, and where the last one ends. Without an end it goes on to the last."""
        self._begin, self._end, self._places = begin, end, places

    def holds_beginning(self, file: int) -> bool:
        """Whether a file, by its number, begins in this chunk."""
        return (not self._begin or self._begin <= self._places[file]) and not self.ends_before(file)

    def begins_after(self, file: int) -> bool:
        """Whether all of a file comes before this chunk."""
        return self._begin > 0 and self._begin >= self._places[file + 1]

    def ends_before(self, file: int) -> bool:
        """Whether all of a file comes after this chunk."""
        return self._end is not None and self._end <= self._places[file]

    def documents(self, file: int, readers: Sequence[DocumentReader]) -> range | None:
        """The numbers of the documents of a file that are in this chunk: all or none, if one reader must read all."""
        key = readers[0]
        if not (self._places and all(reader.starts for reader in readers)):
            return range(len(key.names)) if self.holds_beginning(file) else None
        from bisect import bisect_left  # most corpora are read by one process

        start, end = self._places[file : file + 2]
        # Offsets are those of the unpacked file.
        places = [start, *(start + offset * (end - start) // key.source.size for offset in key.starts[1:])]
        last = len(places) if self._end is None else bisect_left(places, self._end)
        return range(bisect_left(places, self._begin), last) or None


WHOLE = Chunk()
NAMES_ONLY = Chunk(1, places=[0, 0])
"""The chunk of a file that precedes what is read: only the names of its documents are noted."""
PROJECTED = "projected"
"""Kind of the warning about mentions that were laid over other words."""
SKIPPING = 20
"""Cost of skipping bytes, in per cent of the cost of reading and scoring them."""


def chunks(files: Sequence[str], count: int) -> list[Chunk]:
    """Chunks that take equally long: s(n+1) = s(n)·(1 − SKIPPING), as the later ones have more to skip."""
    places = [0, *accumulate(map(os.path.getsize, files))]
    weights = [(100 - SKIPPING) ** number * 100 ** (count - number) for number in range(count)]
    marks = [places[-1] * before // sum(weights) for before in accumulate(weights[:-1], initial=0)]
    return [Chunk(begin, end, places) for begin, end in zip(marks, [*marks[1:], None], strict=True)]


Path = str | os.PathLike[str]


def response_digest(key: str, response: str) -> str:
    """SHA-256 of the files of a response to a key, as :class:`Input` has it once they were read."""
    hashes = []
    for pair in pair_files(key, response):
        with closing(Source.open(pair.response)) as source:
            hashes.append(source.digest())
    return one_digest(hashes)


class CorpusState(NamedTuple):
    """The notes of a corpus about the files that were read."""

    inputs: tuple[Input, Input]
    warnings: Warnings
    headless: dict[str, tuple[str, bool]]
    first_word_heads: tuple[FirstWordHeads, FirstWordHeads]
    missing: dict[str, InputError]


class Corpus:
    """Key and response: one pair of files, or many that belong together by their names.

    Iterating reads the pairs of documents, one file after the other; files are opened when their turn comes.
    :func:`iter_aligned` reads several responses with one reading of their key.
    """

    def __init__(
        self,
        key: Path,
        response: Path,
        warnings: Warnings,
        key_format: str | None = None,
        response_format: str | None = None,
        *,
        digests: bool = False,
        keep_going: bool = False,
        comparison: WordComparison = COMPARED,
        reading: ReadingOptions = USUAL,
    ) -> None:
        self.inputs: tuple[Input, Input] = Input(path_name(key)), Input(path_name(response))
        self.warnings = warnings
        self.missing: dict[str, InputError] = {}
        """The faults of files that are left out, by the path of the key."""
        self.files: list[Files] = pair_files(
            self.inputs[0].name, self.inputs[1].name, self.missing if keep_going else None
        )
        self.names_seen: set[str] = set()
        """The names of the documents so far, if it is the first of those that are read in step."""
        self.headless: dict[str, tuple[str, bool]] = {}
        """The names of files that do not say which words are heads, their formats, and whether they are responses."""
        self.first_word_heads: tuple[FirstWordHeads, FirstWordHeads] = FirstWordHeads(), FirstWordHeads()
        """Whether the heads of key and response were ever set."""
        self.progress: tuple[int, int] = 0, len(self.files)
        """Progress of reading: in documents of one pair of files, else in files."""
        self.comparison: WordComparison = comparison
        """Comparison of the words of both sides."""
        self.chunk = WHOLE
        """The part that is read, if it is the first of those that are read in step."""
        self._formats = key_format, response_format
        self._digests = digests
        columns = reading.columns._replace(in_one_table=self.inputs[0].name == self.inputs[1].name)
        self._reading = reading._replace(columns=columns)
        printed = reading.printed
        with_skeletons = pair_files(printed.skeleton, self.inputs[1].name) if printed and printed.skeleton else ()
        self._skeletons = {pair.response: pair.key for pair in with_skeletons}
        self._opened: list[OpenFile] = []

    @property
    def paths(self) -> list[str]:
        """All files of both sides."""
        return [path for files in self.files for path in (files.key, files.response)]

    @property
    def size(self) -> int:
        """The bytes of all files, as they are on disk; what is no file has none."""
        return sum(os.path.getsize(path) for path in self.paths if os.path.isfile(path))

    def part(self, files: Sequence[Files], chunk: Chunk = WHOLE) -> Corpus:
        """A corpus of some of the files, of which nothing has been read."""
        part = copy(self)
        part.files, part.chunk, part.names_seen = [*files], chunk, set()
        part.inputs = Input(self.inputs[0].name), Input(self.inputs[1].name)
        part.warnings, part.headless, part.missing, part._opened = Warnings(), {}, {}, []
        part.first_word_heads = FirstWordHeads(), FirstWordHeads()
        return part

    def __iter__(self) -> Iterator[Pair]:
        for (pair,) in iter_aligned([self]):
            assert pair is not None
            yield pair
            del pair  # or it would be kept while the next one is read

    def close(self) -> None:
        """Close what is open."""
        while self._opened:
            self._opened.pop().reader.source.close()

    def open(self, path: str, warnings: Warnings, key: OpenFile | None = None) -> OpenFile:
        """Open a file of the key, or one of the response to a key."""
        side, options = int(key is not None), self._reading
        if options.printed and path in self._skeletons:
            options = options._replace(printed=options.printed._replace(skeleton=self._skeletons[path]))
        format_, name_of_side = self._formats[side], ("key", "response")[side]
        name, reader = open_reader(path, format_, warnings, name_of_side, options, key and key.format)
        self._opened.append(OpenFile(FORMATS[name], reader))
        return self._opened[-1]

    def own_names(self, names: Iterable[str], files: Files) -> list[str]:
        """Documents of several files may be called the same: the later ones are known by their file too."""
        own = []
        for name in names:
            own.append(f"{files.name}: {name}" if name in self.names_seen else name)
            self.names_seen.add(own[-1])
        return own

    def digested(self, file: OpenFile) -> OpenFile:
        """The file with its digest, if requested."""
        return file._replace(digest=file.reader.source.digest()) if self._digests else file

    def peek_format(self, *, all_files: bool = False) -> Input:
        """The key, with the format of its first file, or with those of all files that have no fault."""
        key = Input(self.inputs[0].name)
        is_table = bool(self._reading.columns.of_side("key"))
        for number, files in enumerate(self.files if all_files else self.files[:1], 1):
            try:
                key.formats[recognised(files.key, self._formats[0], is_table=is_table)] = None
            except InputError:
                if not all_files or (number == len(self.files) and not key.formats):
                    raise
        return key

    def register(self, key: OpenFile, response: OpenFile) -> None:
        """Note what files were opened."""
        for side, file in zip(self.inputs, (key, response), strict=True):
            side.formats[file.format.name] = None
            if not file.reader.has_heads:
                self.headless.setdefault(file.name, (file.format.name, file is response))
            if file.digest:
                side.hashes.append(file.digest)
            if isinstance(file.reader, ColumnSelector):
                side.add_columns(file.reader.columns_read())
            if isinstance(file.reader, SkeletonReader):
                side.copy_reports.append(file.reader.copy_report)

    @property
    def state(self) -> CorpusState:
        """The notes about what was read, for another process."""
        return CorpusState(self.inputs, self.warnings, self.headless, self.first_word_heads, self.missing)

    def merge(self, later: CorpusState) -> None:
        """Note what another process has read after this."""
        for side, other in zip(self.inputs, later.inputs, strict=True):
            side.merge(other)
        later.warnings.forget(PROJECTED)
        self.warnings.extend(later.warnings)
        self.warn_of_projection()
        self.headless.update(later.headless)
        self.missing.update(later.missing)
        for heads, later_heads in zip(self.first_word_heads, later.first_word_heads, strict=True):
            heads.merge(later_heads)

    def warn_of_projection(self) -> None:
        """Warn of a side that was laid over the words of the other without being asked, once everything was read."""
        self.warnings.forget(PROJECTED)
        for side, other in (self.inputs, self.inputs[::-1]):
            counts = side.projection
            if counts and counts.is_automatic:
                message = f"counts characters: laid over the words of {other.name}; {counts}"
                self.warnings.add(PROJECTED, side.name, 0, message)

    def count(self, pair: Pair, file: str, number: int, documents: int) -> None:
        """Note what was read, of a file by its name and number, and how far reading has come."""
        by_files = len(self.files) > 1
        self.progress = (number, len(self.files)) if by_files else (self.inputs[0].documents, documents)
        for side, heads, document in zip(self.inputs, self.first_word_heads, pair, strict=True):
            side.add(document, file)
            heads.add(document)


class _PassedOn(Warnings):
    """Warnings about a file that others get: about a key, all responses that share it."""

    def __init__(self, receivers: Sequence[Warnings], silent: bool) -> None:
        super().__init__()
        self._receivers = receivers
        self.silent = silent

    def add(self, *warning: Any, harmless: bool = False) -> None:
        for receiver in self._receivers if not self.silent else ():
            receiver.add(*warning, harmless=harmless)


def iter_aligned(corpora: Sequence[Corpus]) -> Iterator[tuple[Pair | None, ...]]:
    """The pairs of several corpora that have the same key, which is read once: one document of each at a time.

    All pairs share one key document, unless a response makes the key cut its sentences anew. A pair is None where
    neither the key nor this response has a document that another response has (in formats without words).
    """
    _check_inputs(corpora)
    response_files = [{pair.key: pair.response for pair in corpus.files} for corpus in corpora]
    for number in range(len(corpora[0].files)):
        if corpora[0].chunk.ends_before(number):
            break
        try:
            yield from _iter_file(corpora, response_files, number)
        finally:
            for corpus in corpora:
                corpus.close()
                corpus.warn_of_projection()


def _check_inputs(corpora: Sequence[Corpus]) -> None:
    """Refuse corpora with different keys, and several inputs from one stream."""
    names = [side.name for side in (corpora[0].inputs[0], *(corpus.inputs[1] for corpus in corpora))]
    if any(corpus.inputs[0].name != names[0] for corpus in corpora):
        raise ValueError("corpora that are read in step must have the same key")
    if names.count("-") > 1:
        sides = "key and response" if names[0] == "-" else "two responses"
        raise InputError(f"{sides} cannot both be standard input", hint="name a file for one of them")


def _iter_file(corpora: Sequence[Corpus], response_files: Sequence[dict[str, str]], number: int) -> Iterator[Pairs]:
    """The pairs of one file of the key, given by its number, and of the files that belong to it."""
    first, files, chunk = corpora[0], corpora[0].files[number], corpora[0].chunk
    warnings = [corpus.warnings for corpus in corpora]
    # The process that reads the beginning of a file gives the warnings about it.
    silent = not chunk.holds_beginning(number)
    passing = [_PassedOn(receivers, silent) for receivers in (warnings, *([own] for own in warnings))]
    key = first.open(files.key, passing[0])
    names = first.own_names(key.reader.names, files) if key.format.has_words else []
    responses = [
        corpus.open(path_of[files.key], own, key)
        for corpus, path_of, own in zip(corpora, response_files, passing[1:], strict=True)
        if not (chunk.begins_after(number) and key.format.has_words)
    ]
    for response in responses if key.format.has_words else ():
        if isinstance(response.reader, LayoutSharer):
            response.reader.share_layout_with(key.reader)
    wanted = chunk.documents(number, [file.reader for file in (key, *responses)])
    if wanted is None:
        if not key.format.has_words:
            first.own_names(ids_of_documents(key, responses), files)
        return
    for passed_on in passing:
        passed_on.silent = False
    if not wanted.start:
        digested = first.digested(key)
        for corpus, response in zip(corpora, responses, strict=True):
            corpus.register(digested, corpus.digested(response))
    inputs = [corpus.inputs for corpus in corpora]
    shared = [shared_name(key.name, response.name) or files.name for response in responses]
    rest = iter(names[wanted.start :])
    for pairs in document_pairs(key, responses, warnings, inputs, first.comparison, wanted):
        name = next(pair for pair in pairs if pair).key.id
        own = next(rest) if key.format.has_words else first.own_names([name], files)[0]
        if own != name:
            pairs = tuple([pair and Pair(*[side._replace(id=own) for side in pair]) for pair in pairs])
        for corpus, pair, file in zip(corpora, pairs, shared, strict=True):
            if pair:
                corpus.count(pair, file, number, len(wanted))
        yield pairs
        del pairs, pair  # or they would be kept while the next ones are read
