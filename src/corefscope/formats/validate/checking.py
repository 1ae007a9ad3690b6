"""Checks on documents of any format: spans that stand twice, mentions of one entity that overlap.

Profiles: whose tests a file must pass, and the sides it can be checked for.

Validation of one file: all its problems, document by document.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Unpack

from ...core.document import Document, Entity, Mention, same_words
from ...core.errors import InputError, OptionError, Warnings, amount
from ...core.format import FORMATS, Format
from ...core.positions import MINOR_MASK, SENTENCE_SHIFT, WORD_SHIFT, node_name, shown_id
from ...core.registry import load
from ...core.request import PrintedArguments
from ...core.result import Result
from ...core.version import SIGNATURE, __version__
from ..detection import open_format, printed_as, sniff
from ..source import Source
from . import ud
from .codes import BY_NAME, Code
from .problems import Problem, Problems, TolerantReading, check_bytes, quoted

if TYPE_CHECKING:
    from ...llm.options import PrintedOptions


NEAR = 20  # how many mentions of the same entity that overlap a mention are compared with it


class Guide(NamedTuple):
    """How to tell people where mentions are."""

    line_of: Callable[[int], int]
    """The line on which a word stands."""
    shown: Callable[[Mention], str]
    """A mention in words."""


def check_document(document: Document, guide: Guide, problems: Problems, headless: bool) -> None:
    """Note what is odd about the mentions of a document.

    ``headless``: brackets delimit them, and no heads tell whether those that are read as nested were meant to cross.
    """
    owners: dict[object, int] = {}
    for number, entity in enumerate(document.entities):
        name = _name(document, number)
        for mention in entity:
            owner = owners.setdefault(same_words(mention), number)
            if owner != number:
                message = f"{name} holds {guide.shown(mention)}, as {_name(document, owner)} does"
                problems.add("span-in-two-entities", guide.line_of(mention.first), message)
        if len(entity) > 1:
            _check_entity(entity, name, guide, problems, headless)


def _check_entity(entity: Entity, name: str, guide: Guide, problems: Problems, headless: bool) -> None:
    distinct: dict[object, Mention] = {}
    for mention in entity:
        if same_words(mention) in distinct:
            message = f"{name} holds {guide.shown(mention)} twice"
            problems.add("repeated-mention", guide.line_of(mention.first), message)
        distinct.setdefault(same_words(mention), mention)
    for outer, inner in _overlapping(distinct.values()):
        common = outer.common(inner)
        if common in (outer.distinct, inner.distinct):
            if headless and _could_cross(outer, inner):
                message = f"{name} holds {guide.shown(inner)} inside {guide.shown(outer)}"
                problems.add("ambiguous-nesting", guide.line_of(inner.first), message)
        elif common:
            message = f"{name} holds {guide.shown(inner)}, which crosses {guide.shown(outer)}"
            problems.add("crossing-mentions", guide.line_of(inner.first), message)


def _overlapping(mentions: Iterable[Mention]) -> Iterator[tuple[Mention, Mention]]:
    """Each mention with the nearest ones before it that reach into it, as (earlier, later)."""
    active: list[Mention] = []
    for mention in sorted(mentions, key=lambda mention: (mention.first, -mention.size)):
        active = [other for other in active[-NEAR:] if other.last >= mention.first]
        yield from ((other, mention) for other in active)
        active.append(mention)


def _could_cross(outer: Mention, inner: Mention) -> bool:
    """Whether the same four brackets could have been meant as two mentions that cross."""
    nested = outer.first < inner.first < inner.last < outer.last
    return nested and _unbroken(outer) and _unbroken(inner)


def _unbroken(mention: Mention) -> bool:
    """Whether no word is left out between the first and the last, empty nodes aside."""
    runs = [run for run in mention.runs if not run[0] & MINOR_MASK] if mention.broken else []
    words = sum([(last - first >> WORD_SHIFT) + 1 for first, last in runs])
    return not runs or (runs[-1][1] - runs[0][0] >> WORD_SHIFT) + 1 == words


def _name(document: Document, number: int) -> str:
    return f"entity {quoted(document.entity_ids[number])}" if document.entity_ids else f"entity {number + 1}"


def span_name(mention: Mention) -> str:
    """The words of a mention by their numbers."""
    first, last = mention.first, mention.last
    if first == last:
        return f"word {node_name(first)}"
    further = "" if first >> SENTENCE_SHIFT == last >> SENTENCE_SHIFT else " of a later sentence"
    parts = "" if further or _unbroken(mention) else " (in parts)"
    return f"words {node_name(first)} to {node_name(last)}{further}{parts}"


SIDES = {"key": "as a key", "response": "as a response"}
"""The sides of a score that a file may be checked for; it matters where one file may hold both."""
OWN = "corefscope"
PROFILES = {
    OWN: "what our readers refuse, lose or find odd, by our codes",
    "ud": "what the official validator says (udvalidate --level 2 --coref), by its ids",
}
"""What the tests of each profile find."""


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
        yield from open_format(row, source, warnings, side, tally.printed)
    except InputError as error:
        if error.code == "no-key" and "response" in sides:
            problems.add("noted", error.line, error.message, RESPONSE_ONLY)
        else:
            problems.add(error.code if error.code in BY_NAME else "refused", error.line, error.message, error.hint)
