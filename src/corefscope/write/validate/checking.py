"""Validation of one file: all its problems, document by document."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ...base.document import Document, Mention
from ...base.errors import InputError, OptionError, Warnings
from ...base.positions import SENTENCE_SHIFT
from ...read.formats import FORMATS, DocumentReader, open_reader, sniff
from ...read.source import Source
from .blocks import check_bytes
from .codes import CODES
from .conll import ConllReading, SemevalReading
from .corefud import CorefUDReading
from .documents import Guide, check_document, check_singletons, span_name
from .problems import Problem, Problems, quoted

TOLERANT: dict[str, Callable[[Source, Problems], CorefUDReading | ConllReading]] = {
    "corefud": CorefUDReading,
    "conll": ConllReading,
    "semeval": SemevalReading,
}
"""The formats that can be read on past a fault; of all others, the first fault is all there is to say."""

HEADLESS = {"conll", "semeval"}  # brackets without heads
WITH_SINGLETONS = {"corefud", "semeval"}  # the best known corpora in other formats annotate none
TWO_SIDED = {"jsonl", "clusters"}  # one file may hold the clusters of key and response
ONLY_PREDICTED = "has only predicted_clusters"  # what readers of these say of a file that is no key


@dataclass
class Tally:
    """What a file holds, as far as it could be read."""

    format: str = ""
    documents: int = 0
    sentences: int = 0
    words: int = 0
    mentions: int = 0
    entities: int = 0
    singletons: int = 0
    names: set[str] = field(default_factory=set, repr=False)

    def add(self, document: Document) -> None:
        """Count the mentions of one more document."""
        self.names.add(document.id)
        self.documents = len(self.names)
        self.entities += len(document.entities)
        for entity in document.entities:
            self.mentions += len(entity)
            self.singletons += len(entity) == 1


@dataclass
class Inspection:
    """What was found in one file."""

    path: str
    tally: Tally
    counts: Counter[str]
    """How often each code was found."""
    problems: list[Problem]
    """By line; not all of them if only so many of each code were to be kept."""

    def count(self, severity: str, strict: bool = False) -> int:
        """How many errors or warnings there are; if ``strict``, warnings are errors."""
        wanted = {"error", "warning"} if strict and severity == "error" else set() if strict else {severity}
        return sum(count for code, count in self.counts.items() if CODES[code].severity in wanted)


def validate(path: str | os.PathLike[str], file_format: str | None = None) -> list[Problem]:
    """All problems of a file, by line; those that concern the whole file come first."""
    return inspect(path, file_format).problems


def inspect(path: str | os.PathLike[str], file_format: str | None = None, *, keep: int | None = None) -> Inspection:
    """The problems of a file with their counts, and what else it holds; of each code only ``keep`` are kept."""
    tally = Tally()
    counts: Counter[str] = Counter()
    problems = []
    for problem in find_problems(path, file_format, tally):
        counts[problem.code] += 1
        if keep is None or counts[problem.code] <= keep:
            problems.append(problem)
    problems.sort(key=lambda problem: (problem.line, problem.code))
    return Inspection(str(path), tally, counts, problems)


def find_problems(
    path: str | os.PathLike[str], file_format: str | None = None, tally: Tally | None = None
) -> Iterator[Problem]:
    """The problems of a file as they are found, one document after the other; ``tally`` counts on the way."""
    if file_format is not None and file_format not in FORMATS:
        raise OptionError.unknown("format", [file_format], FORMATS)
    tally = Tally() if tally is None else tally
    problems = Problems(str(path))
    try:
        source = Source.open(path)
    except InputError as error:
        name = "no-sentence" if error.message == "is empty" else "unreadable-file"
        problems.add(name, error.line, error.message, error.hint)
        yield from problems.take()
        return
    try:
        tally.format = file_format or sniff(source)
        if tally.format in TOLERANT:
            yield from _tolerantly(source, tally, problems)
        else:
            yield from _as_read(source, tally, problems)
        if not tally.mentions and not problems.errors:
            problems.add("no-mention", 0, "the file holds no mention")
        check_singletons(tally.entities, tally.singletons, problems, tally.format in WITH_SINGLETONS)
        yield from problems.take()
    finally:
        source.close()


def _tolerantly(source: Source, tally: Tally, problems: Problems) -> Iterator[Problem]:
    """Read on past all faults; if there is none, ask the reader itself, which has the last word."""
    check_bytes(source, problems)
    reading = TOLERANT[tally.format](source, problems)
    for document, lines in reading:
        tally.add(document)
        check_document(document, Guide(lines.__getitem__, span_name), problems, headless=tally.format in HEADLESS)
        yield from problems.take()
    tally.sentences, tally.words = reading.sentences, reading.words
    if not reading.sentences and (tally.documents or tally.format == "corefud"):
        problems.add("no-sentence", 0, "the file holds no sentence")
    if not problems.errors:
        for _ in _documents(source, tally, Warnings(), problems):
            pass


def _guide(document: Document) -> Guide:
    """Sentences are looked up by their numbers; where there are none, mentions are known by ids."""
    sentences = {sentence.number: sentence for sentence in document.sentences}

    def line_of(place: int) -> int:
        sentence = sentences.get(place >> SENTENCE_SHIFT)
        return sentence.line_of(place) if sentence else 0

    def shown(mention: Mention) -> str:
        if sentences:
            return f"{span_name(mention)} {quoted(' '.join(document.words_of(mention)))}"
        from ...read.ids.ids import id_of

        return f"mention {quoted(id_of(mention))}"

    return Guide(line_of, shown)


def _as_read(source: Source, tally: Tally, problems: Problems) -> Iterator[Problem]:
    """The documents as the reader gives them, until it stops; as a response, too, where that may be another thing."""
    seen: set[Problem] = set()
    for side in ("key", "response") if tally.format in TWO_SIDED else ("key",):
        warnings = Warnings()
        counted = side == "key" or not tally.documents
        for document in _documents(source, tally, warnings, problems, side):
            if counted:
                tally.add(document)
                tally.sentences += len(document.sentences)
                tally.words += sum(len(sentence.words) for sentence in document.sentences)
            check_document(document, _guide(document), problems, headless=False)
            found = problems.take()
            yield from (problem for problem in found if problem not in seen)
            seen.update(found)
        for warning in warnings if side == "key" else ():
            place = re.match(rf"{re.escape(source.name)}:(?:(\d+):)? ", warning)
            line = int(place[1] or 0) if place else 0
            problems.add("noted", line, warning[place.end() :] if place else warning)
        found = problems.take()
        yield from (problem for problem in found if problem not in seen)
        seen.update(found)


def _documents(
    source: Source, tally: Tally, warnings: Warnings, problems: Problems, side: str = "key"
) -> Iterator[Document]:
    """What the reader makes of a file; that it refuses the file is noted."""
    reader: DocumentReader | None = None
    try:
        if os.path.isfile(source.name):
            _, reader = open_reader(source.name, tally.format, warnings, side)
        else:  # it cannot be opened twice
            reader = FORMATS[tally.format].open(source, warnings, side)
        yield from reader
    except InputError as error:
        response_only = side == "key" and ONLY_PREDICTED in error.message
        if not response_only or tally.documents:
            problems.add("noted" if response_only else "refused", error.line, error.message, error.hint)
    finally:
        if reader is not None and reader.source is not source:
            reader.source.close()
