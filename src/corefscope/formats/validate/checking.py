"""Validation of files: all problems of a file, document by document, and their reports."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final, NamedTuple, Unpack

from ...core.choices import Profile, SideName
from ...core.document import Document, Mention, same_words
from ...core.errors import InputError, OptionError, Warnings, amount
from ...core.format import FORMATS
from ...core.positions import MINOR_MASK, SENTENCE_SHIFT, WORD_SHIFT, node_name, shown_id
from ...core.registry import load
from ...core.request import ReadingArguments
from ...core.result import Plain, Result
from ...core.version import SIGNATURE, __version__
from ..detection import USUAL, ReadingOptions, open_format, sniff
from ..heads import FirstWordHeads
from ..paths import files_named
from ..source import Source, path_name
from . import ud
from .problems import BY_NAME, Code, Problem, Problems, TolerantReading, check_bytes, quoted

NEAR = 20  # how many mentions of the same entity that overlap a mention are compared with it


class MentionLabels(NamedTuple):
    """Lines and descriptions of mentions in messages."""

    line_of: Callable[[int], int]
    """The line of a word."""
    shown: Callable[[Mention], str]
    """A mention in words."""


def check_document(document: Document, labels: MentionLabels, problems: Problems, headless: bool) -> None:
    """Note repeated, shared and overlapping mentions of a document.

    ``headless``: brackets delimit them, and no heads tell whether those that are read as nested were meant to cross.
    """
    owners: dict[object, int] = {}
    for number, entity in enumerate(document.entities):
        for mention in entity:
            owner = owners.setdefault(same_words(mention), number)
            if owner != number:
                name = _entity_name(document, number)
                message = f"{name} holds {labels.shown(mention)}, as {_entity_name(document, owner)} does"
                problems.add("span-in-two-entities", labels.line_of(mention.first), message)
        if len(entity) > 1:
            _check_entity(document, number, labels, problems, headless)


def _check_entity(document: Document, number: int, labels: MentionLabels, problems: Problems, headless: bool) -> None:
    distinct: dict[object, Mention] = {}
    for mention in document.entities[number]:
        if same_words(mention) in distinct:
            message = f"{_entity_name(document, number)} holds {labels.shown(mention)} twice"
            problems.add("repeated-mention", labels.line_of(mention.first), message)
        distinct.setdefault(same_words(mention), mention)
    for outer, inner in _overlapping(distinct.values()):
        name = _entity_name(document, number)
        common = outer.common(inner)
        if common in (outer.distinct, inner.distinct):
            # The same four brackets could have been meant as two mentions that cross.
            nested = outer.first < inner.first < inner.last < outer.last
            if headless and nested and _is_unbroken(outer) and _is_unbroken(inner):
                message = f"{name} holds {labels.shown(inner)} inside {labels.shown(outer)}"
                problems.add("ambiguous-nesting", labels.line_of(inner.first), message)
        elif common:
            message = f"{name} holds {labels.shown(inner)}, which crosses {labels.shown(outer)}"
            problems.add("crossing-mentions", labels.line_of(inner.first), message)


def _overlapping(mentions: Iterable[Mention]) -> Iterator[tuple[Mention, Mention]]:
    """Pairs of overlapping mentions (earlier, later); each mention with the nearest ones before it."""
    active: list[Mention] = []
    for mention in sorted(mentions, key=lambda mention: (mention.first, -mention.size)):
        active = [other for other in active[-NEAR:] if other.last >= mention.first]
        yield from ((other, mention) for other in active)
        active.append(mention)


def _is_unbroken(mention: Mention) -> bool:
    """Whether a mention has all words from the first to the last, empty nodes aside."""
    runs = [run for run in mention.runs if not run[0] & MINOR_MASK] if mention.broken else []
    words = sum([(last - first >> WORD_SHIFT) + 1 for first, last in runs])
    return not runs or (runs[-1][1] - runs[0][0] >> WORD_SHIFT) + 1 == words


def _entity_name(document: Document, number: int) -> str:
    return f"entity {quoted(document.entity_ids[number])}" if document.entity_ids else f"entity {number + 1}"


def span_name(mention: Mention) -> str:
    """A mention by the numbers of its words."""
    first, last = mention.first, mention.last
    if first == last:
        return f"word {node_name(first)}"
    further = "" if first >> SENTENCE_SHIFT == last >> SENTENCE_SHIFT else " of a later sentence"
    parts = "" if further or _is_unbroken(mention) else " (in parts)"
    return f"words {node_name(first)} to {node_name(last)}{further}{parts}"


SIDES = {"key": "as a key", "response": "as a response"}
"""The sides of a score that a file may be checked for; it matters where one file may have both."""
OWN: Final = "corefscope"
PROFILES = {
    OWN: "what our readers refuse, lose or find odd, by our codes",
    "ud": "what the official validator says (udvalidate --level 2 --coref), by its ids",
}
"""Profiles and what their tests find."""
ENOUGH = 10  # entities from which on it is suspicious that none, or each, is a singleton
SCHEMA = "corefscope-validation-1"
TALLIED = ("documents", "sentences", "words", "mentions", "entities", "singletons")
SEVERITIES = ("error", "warning")
RESPONSE_ONLY = "it can be scored as a response only; to check it as one: --side response"
PROBLEM_FIELDS = ("code", "name", "severity", "line", "message", "hint")


@dataclass
class FileCounts:
    """Counts of what could be read of a file."""

    format: str = ""
    documents: int = 0
    sentences: int = 0
    words: int = 0
    mentions: int = 0
    entities: int = 0
    singletons: int = 0
    names: set[str] = field(default_factory=set, repr=False)

    def add(self, document: Document) -> None:
        """Add a document."""
        self.names.add(document.id)
        self.documents = len(self.names)
        self.entities += len(document.entities)
        for entity in document.entities:
            self.mentions += len(entity)
            self.singletons += len(entity) == 1


@dataclass
class Inspection:
    """The problems of one file, and counts of its content."""

    path: str
    tally: FileCounts
    counts: Counter[str]
    """Number of problems of each code."""
    problems: list[Problem]
    """By line; the first of each code if only so many are kept."""
    codes: dict[str, Code]
    """The entries of the codes that were found."""

    def count(self, severity: str, strict: bool = False) -> int:
        """Number of errors or warnings; if ``strict``, warnings are errors."""
        if strict:
            return self.counts.total() if severity == "error" else 0
        return sum(count for code, count in self.counts.items() if self.codes[code].severity == severity)

    def with_first(self, number: int) -> Inspection:
        """The inspection with the first so many problems of each code."""
        kept: Counter[str] = Counter()
        problems = []
        for problem in self.problems:
            kept[problem.code] += 1
            if kept[problem.code] <= number:
                problems.append(problem)
        return replace(self, problems=problems)


@dataclass(frozen=True, repr=False)
class Validation(Result):
    """The inspections of files, in the order in which they were named."""

    inspections: Sequence[Inspection]
    strict: bool = False
    """Whether warnings are errors."""
    profile: str = OWN
    NAMES: ClassVar[tuple[str, ...]] = ("path",)

    @property
    def signature(self) -> str:
        """The version to quote, with that of the official validator if it was used."""
        return SIGNATURE if self.profile == OWN else f"{SIGNATURE}|profile:{self.profile}-{ud.installed_version()}"

    @property
    def summary(self) -> str:
        """Numbers of errors and warnings."""
        found = " and ".join(amount(self.count(severity), severity) for severity in SEVERITIES)
        return f"of {amount(len(self.inspections), 'file')}: {found}"

    def _flat_records(self) -> list[Plain]:
        """Numbers of errors and warnings of each file."""
        return [
            {"path": inspection.path, **{f"{name}s": inspection.count(name, self.strict) for name in SEVERITIES}}
            for inspection in self.inspections
        ]

    def count(self, severity: str) -> int:
        """Number of errors or warnings of all files."""
        return sum(inspection.count(severity, self.strict) for inspection in self.inspections)

    def to_dict(self, per_document: bool = False) -> Plain:  # noqa: ARG002
        """Plain values, as the schema ``corefscope-validation-1`` describes them."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "version": __version__,
            "profile": self.profile,
            "strict": self.strict,
            "valid": not self.count("error"),
            "errors": self.count("error"),
            "warnings": self.count("warning"),
            "files": [
                {
                    "path": inspection.path,
                    "format": inspection.tally.format or None,
                    "valid": not inspection.count("error", self.strict),
                    "errors": inspection.count("error", self.strict),
                    "warnings": inspection.count("warning", self.strict),
                    "counts": dict(sorted(inspection.counts.items())),
                    "holds": {name: getattr(inspection.tally, name) for name in TALLIED},
                    "problems": [self._record(problem) for problem in inspection.problems],
                }
                for inspection in self.inspections
            ],
        }

    def to_records(self, per_document: bool = False) -> list[Plain]:  # noqa: ARG002
        """One flat record for each problem; a file without problems has one whose code is None."""
        return [
            {"path": inspection.path, "format": inspection.tally.format or None, **self._record(problem)}
            for inspection in self.inspections
            for problem in inspection.problems or (None,)
        ]

    def _record(self, problem: Problem | None) -> Plain:
        record = {name: getattr(problem, name, None) for name in PROBLEM_FIELDS}
        record["line"] = record["line"] or None
        return record | {"severity": "error"} if problem and self.strict else record


def validate(
    path: str | os.PathLike[str],
    file_format: str | None = None,
    profile: Profile = OWN,
    side: SideName | None = None,
    **reading: Unpack[ReadingArguments],
) -> list[Problem]:
    """All problems of a file, by line; those that concern the whole file come first. Of a directory, of each file.

    ``side`` is ``key`` or ``response``: a file that :func:`~corefscope.score` refuses on that side has an error.
    Without it, a file that can be both is checked as both, and one that can only be a response, such as
    jsonlines with nothing but ``predicted_clusters``, gets a warning.

    Text that a language model printed needs a ``skeleton``; it is read as for :func:`~corefscope.score`.
    """
    inspections = [
        inspect(file, file_format, profile=profile, side=side, **reading) for file in files_named(path_name(path))
    ]
    return [problem for inspection in inspections for problem in inspection.problems]


def inspect(
    path: str | os.PathLike[str],
    file_format: str | None = None,
    *,
    keep: int | None = None,
    profile: Profile = OWN,
    side: SideName | None = None,
    read_before: Collection[str] = (),
    **reading: Unpack[ReadingArguments],
) -> Inspection:
    """The problems of a file with their counts, at most ``keep`` of each code, and counts of its content.

    ``read_before`` are formats as which it has been read without an error: their readers do not read it again.
    """
    options, tally = ReadingOptions.of(reading), FileCounts()
    counts: Counter[str] = Counter()
    problems = []
    codes = {}
    for problem in find_problems(path, file_format, tally, profile, side, read_before, options):
        counts[problem.code] += 1
        codes[problem.code] = problem.entry
        if keep is None or counts[problem.code] <= keep:
            problems.append(problem)
    problems.sort(key=lambda problem: (problem.line, problem.code))
    return Inspection(str(path), tally, counts, problems, codes)


def find_problems(
    path: str | os.PathLike[str],
    file_format: str | None = None,
    tally: FileCounts | None = None,
    profile: Profile = OWN,
    side: SideName | None = None,
    read_before: Collection[str] = (),
    options: ReadingOptions = USUAL,
) -> Iterator[Problem]:
    """The problems of a file as they are found, document by document; ``tally`` counts its content.

    For ``read_before`` see :func:`inspect`.
    """
    if file_format is not None:
        OptionError.check("format", file_format, FORMATS)
    OptionError.check("profile", profile, PROFILES)
    if side is not None:
        OptionError.check("side", side, SIDES)
    if profile != OWN:
        ud.installed_version()  # before anything is read
    tally = FileCounts() if tally is None else tally
    problems = Problems(str(path))
    try:
        source = Source.open(path)
    except InputError as error:
        problems.add(error.code, error.line, error.message, error.hint)
        yield from problems.take()
        return
    try:
        tally.format = file_format or sniff(source, is_table=bool(options.columns.of_side(side or "key")))
        if profile == OWN:
            yield from _FileCheck(source, tally, problems, side, options, tally.format in read_before).run()
        else:
            for _ in _FileCheck(source, tally, Problems(str(path)), side, options).run():
                pass  # only the counts of our own reading are reported
            ud.check_file(source, problems)
            yield from problems.take()
    finally:
        source.close()


class _FileCheck:
    """The checks of our own profile on one file."""

    def __init__(
        self,
        source: Source,
        tally: FileCounts,
        problems: Problems,
        side: str | None,
        options: ReadingOptions,
        read_before: bool = False,
    ) -> None:
        self._source, self._tally, self._problems, self._options = source, tally, problems, options
        self._row = row = FORMATS[tally.format]
        self._sides = ["key"] if row.tolerant else [side] if side else [*SIDES] if row.two_sided else ["key"]
        self._read_before = read_before
        self._seen: set[Problem] = set()
        self._heads = FirstWordHeads()

    def run(self) -> Iterator[Problem]:
        """The problems, document by document."""
        tally, problems = self._tally, self._problems
        yield from self._read_tolerantly() if self._row.tolerant else self._read_documents()
        if not tally.mentions and not problems.errors:
            problems.add("no-mention", 0, "the file holds no mention")
        if tally.entities >= ENOUGH and not tally.singletons and self._row.layers.has_singletons:
            problems.add("no-singletons", 0, f"none of the {tally.entities:,} entities has just one mention")
        if tally.entities >= ENOUGH and tally.singletons == tally.entities:
            problems.add("only-singletons", 0, f"each of the {tally.entities:,} entities has just one mention")
        if self._row.defaults.match == "head" and self._heads.suspicious:
            problems.add("first-word-heads", 0, str(self._heads))
        yield from problems.take()

    def _read_tolerantly(self) -> Iterator[Problem]:
        """Read on past all faults; if there is none, the strict reader decides."""
        check_bytes(self._source, self._problems)
        reading: TolerantReading = load(self._row.tolerant)(self._source, self._problems)
        for document, lines in reading:
            self._tally.add(document)
            self._heads.add(document)
            self._check(document, MentionLabels(lines.__getitem__, span_name))
            yield from self._problems.take()
        self._tally.sentences, self._tally.words = reading.sentences, reading.words
        if not self._problems.errors and not self._read_before:
            for _ in self._documents("key", Warnings()):
                pass

    def _read_documents(self) -> Iterator[Problem]:
        """Check the documents that the reader gives, on each side, until it stops."""
        tally = self._tally
        for side in self._sides:
            warnings = Warnings()
            is_first = not tally.documents
            for document in self._documents(side, warnings):
                if is_first:
                    tally.add(document)
                    self._heads.add(document)
                    tally.sentences += len(document.sentences)
                    tally.words += sum(len(sentence.words) for sentence in document.sentences)
                self._check(document, _labels(document))
                yield from self._new_problems()
            warnings.forget("predicted")  # expected in a response
            for warning in warnings.records() if is_first else ():
                self._problems.add("noted", warning.line, warning.text)
            yield from self._new_problems()

    def _check(self, document: Document, labels: MentionLabels) -> None:
        check_document(document, labels, self._problems, self._row.layers.bare_brackets)

    def _new_problems(self) -> Iterator[Problem]:
        """Problems that were not found on the other side already."""
        taken = self._problems.take()
        yield from (problem for problem in taken if problem not in self._seen)
        self._seen.update(taken)

    def _documents(self, side: str, warnings: Warnings) -> Iterator[Document]:
        """The documents as the reader gives them; its refusal is noted.

        A file that cannot be a key may still be a response, if it is checked as one as well.
        """
        try:
            yield from open_format(self._row, self._source, warnings, side, self._options)
        except InputError as error:
            if error.code == "no-key" and "response" in self._sides:
                self._problems.add("noted", error.line, error.message, RESPONSE_ONLY)
            else:
                code = error.code if error.code in BY_NAME else "refused"
                self._problems.add(code, error.line, error.message, error.hint)


def _labels(document: Document) -> MentionLabels:
    """Labels with the words of mentions, or with their ids where there are no words."""

    def shown(mention: Mention) -> str:
        if document.sentences:
            return f"{span_name(mention)} {quoted(' '.join(document.words_of(mention)))}"
        return f"mention {quoted(shown_id(mention.head))}"

    return MentionLabels(document.line_of, shown)
