"""Validation of one file: all its problems, document by document."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

from ...base.document import Document
from ...base.errors import InputError, OptionError, Warnings, amount
from ...base.mention import Mention
from ...base.positions import shown_id
from ...base.registry import load
from ...base.result import Result
from ...base.version import SIGNATURE, __version__
from ...read.formats import FORMATS, Format, PrintedArguments, printed_as, sniff
from ...read.source import Source
from . import ud
from .blocks import check_bytes
from .codes import BY_NAME, Code
from .documents import Guide, check_document, span_name
from .problems import Problem, Problems, TolerantReading, quoted
from .profiles import OWN, PROFILES, SIDES

if TYPE_CHECKING:
    from ...llm.options import PrintedOptions

ENOUGH = 10  # entities from which on it is odd that none, or each, is a singleton
SCHEMA = "corefscope-validation-1"
TALLIED = ("documents", "sentences", "words", "mentions", "entities", "singletons")
SEVERITIES = ("error", "warning")
RESPONSE_ONLY = "it can be scored as a response only; to check it as one: --side response"
PROBLEM_FIELDS = ("code", "name", "severity", "line", "message", "hint")


@dataclass
class FileCounts:
    """What a file holds, as far as it could be read."""

    format: str = ""
    documents: int = 0
    sentences: int = 0
    words: int = 0
    mentions: int = 0
    entities: int = 0
    singletons: int = 0
    names: set[str] = field(default_factory=set, repr=False)
    printed: PrintedOptions | None = field(default=None, repr=False)
    """How text is read that a language model printed."""

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
    """The problems of one file, and what else it holds."""

    path: str
    tally: FileCounts
    counts: Counter[str]
    """How many problems there are of each code."""
    problems: list[Problem]
    """By line; not all of them if only so many of each code were to be kept."""
    codes: dict[str, Code]
    """What is known of each code that was found."""

    def count(self, severity: str, strict: bool = False) -> int:
        """How many errors or warnings there are; if ``strict``, warnings are errors."""
        if strict:
            return self.counts.total() if severity == "error" else 0
        return sum(count for code, count in self.counts.items() if self.codes[code].severity == severity)


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
        """What to quote beside it: the version, and that of the official validator if it was asked."""
        return SIGNATURE if self.profile == OWN else f"{SIGNATURE}|profile:{self.profile}-{ud.installed_version()}"

    @property
    def summary(self) -> str:
        """How many problems there are."""
        found = " and ".join(amount(self.count(severity), severity) for severity in SEVERITIES)
        return f"of {amount(len(self.inspections), 'file')}: {found}"

    def _flat_records(self) -> list[dict[str, Any]]:
        """How many problems each file has."""
        return [
            {"path": inspection.path, **{f"{name}s": inspection.count(name, self.strict) for name in SEVERITIES}}
            for inspection in self.inspections
        ]

    def count(self, severity: str) -> int:
        """How many errors or warnings all files have."""
        return sum(inspection.count(severity, self.strict) for inspection in self.inspections)

    def to_dict(self, per_document: bool = False) -> dict[str, Any]:  # noqa: ARG002
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

    def to_records(self, per_document: bool = False) -> list[dict[str, Any]]:  # noqa: ARG002
        """One flat record for each problem; a file without problems has one whose code is None."""
        return [
            {"path": inspection.path, "format": inspection.tally.format or None, **self._record(problem)}
            for inspection in self.inspections
            for problem in inspection.problems or (None,)
        ]

    def _record(self, problem: Problem | None) -> dict[str, Any]:
        record = {name: getattr(problem, name, None) for name in PROBLEM_FIELDS}
        record["line"] = record["line"] or None
        return record | {"severity": "error"} if problem and self.strict else record


def validate(
    path: str | os.PathLike[str],
    file_format: str | None = None,
    profile: str = OWN,
    side: str | None = None,
    **printed: Unpack[PrintedArguments],
) -> list[Problem]:
    """All problems of a file, by line; those that concern the whole file come first.

    ``side`` is ``key`` or ``response``: what :func:`~corefscope.score` refuses of a file on that side is an error.
    Without it, a file that can be both is checked as both, and one that can only be a response, such as
    jsonlines with nothing but ``predicted_clusters``, gets a warning that says so.

    Text that a language model printed needs a ``skeleton``; it is read as for :func:`~corefscope.score`.
    """
    return inspect(path, file_format, profile=profile, side=side, **printed).problems


def inspect(
    path: str | os.PathLike[str],
    file_format: str | None = None,
    *,
    keep: int | None = None,
    profile: str = OWN,
    side: str | None = None,
    **printed: Unpack[PrintedArguments],
) -> Inspection:
    """The problems of a file with their counts, and what else it holds; of each code only ``keep`` are kept."""
    tally = FileCounts()
    tally.printed = printed_as(printed)
    counts: Counter[str] = Counter()
    problems = []
    codes = {}
    for problem in find_problems(path, file_format, tally, profile, side):
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
    profile: str = OWN,
    side: str | None = None,
) -> Iterator[Problem]:
    """The problems of a file as they are found, one document after the other; ``tally`` counts on the way."""
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
        tally.format = file_format or sniff(source)
        if profile == OWN:
            yield from _own_problems(source, tally, problems, side)
        else:
            for _ in _own_problems(source, tally, Problems(str(path)), side):  # what the file holds, as we read it
                pass
            ud.check_file(source, problems)
            yield from problems.take()
    finally:
        source.close()


def _own_problems(source: Source, tally: FileCounts, problems: Problems, side: str | None) -> Iterator[Problem]:
    row = FORMATS[tally.format]
    if row.tolerant:
        yield from _tolerantly(source, row, tally, problems)
    else:
        sides = [side] if side else [*SIDES] if row.two_sided else ["key"]
        yield from _as_read(source, row, tally, problems, sides)
    if not tally.mentions and not problems.errors:
        problems.add("no-mention", 0, "the file holds no mention")
    if tally.entities >= ENOUGH and not tally.singletons and row.layers.has_singletons:
        problems.add("no-singletons", 0, f"none of the {tally.entities:,} entities has just one mention")
    if tally.entities >= ENOUGH and tally.singletons == tally.entities:
        problems.add("only-singletons", 0, f"each of the {tally.entities:,} entities has just one mention")
    yield from problems.take()


def _tolerantly(source: Source, row: Format, tally: FileCounts, problems: Problems) -> Iterator[Problem]:
    """Read on past all faults; if there is none, ask the reader itself, which has the last word."""
    check_bytes(source, problems)
    reading: TolerantReading = load(row.tolerant)(source, problems)
    for document, lines in reading:
        tally.add(document)
        check_document(document, Guide(lines.__getitem__, span_name), problems, row.layers.bare_brackets)
        yield from problems.take()
    tally.sentences, tally.words = reading.sentences, reading.words
    if not problems.errors:
        for _ in _documents(source, row, tally, Warnings(), problems, ["key"], "key"):
            pass


def _guide(document: Document) -> Guide:
    """Mentions are shown by their words; by their ids where there are no words."""

    def shown(mention: Mention) -> str:
        if document.sentences:
            return f"{span_name(mention)} {quoted(' '.join(document.words_of(mention)))}"
        return f"mention {quoted(shown_id(mention.head))}"

    return Guide(document.line_of, shown)


def _as_read(
    source: Source, row: Format, tally: FileCounts, problems: Problems, sides: Sequence[str]
) -> Iterator[Problem]:
    """The documents as the reader gives them, until it stops, on each of these sides."""
    seen: set[Problem] = set()
    for side in sides:
        warnings = Warnings()
        counted = not tally.documents
        for document in _documents(source, row, tally, warnings, problems, sides, side):
            if counted:
                tally.add(document)
                tally.sentences += len(document.sentences)
                tally.words += sum(len(sentence.words) for sentence in document.sentences)
            check_document(document, _guide(document), problems, row.layers.bare_brackets)
            yield from _new(problems, seen)
        warnings.forget("predicted")  # as it should be in a response
        for warning in warnings.records() if counted else ():
            problems.add("noted", warning.line, warning.text)
        yield from _new(problems, seen)


def _new(problems: Problems, seen: set[Problem]) -> Iterator[Problem]:
    """What was not seen on the other side already."""
    taken = problems.take()
    yield from (problem for problem in taken if problem not in seen)
    seen.update(taken)


def _documents(
    source: Source,
    row: Format,
    tally: FileCounts,
    warnings: Warnings,
    problems: Problems,
    sides: Sequence[str],
    side: str,
) -> Iterator[Document]:
    """What the reader makes of a file; that it refuses the file is noted.

    A file that cannot be a key may still be a response, if it is checked as one as well.
    """
    try:
        yield from row.open(source, warnings, side, tally.printed)
    except InputError as error:
        if error.code == "no-key" and "response" in sides:
            problems.add("noted", error.line, error.message, RESPONSE_ONLY)
        else:
            problems.add(error.code if error.code in BY_NAME else "refused", error.line, error.message, error.hint)
