"""Whether ``score`` says a word about what ``validate`` calls an error: for the catalogue, and for ``make fuzz``."""

from __future__ import annotations

from pathlib import Path

import corefscope
from corefscope.core.errors import InputError, Warned, Warnings
from corefscope.formats.detection import open_reader
from corefscope.formats.validate import CODES, inspect

NAMES = {code.name for code in CODES.values()}
OF_BRACKETS = {code.name for code in CODES.values() if code.code.startswith("E3")}


def _told(path: Path, format_: str | None) -> list[Warned]:
    """What a reader warns of, on both sides."""
    warnings = Warnings()
    for side in ("key", "response"):
        _, reader = open_reader(path, format_, warnings, side)
        try:
            for _ in reader:
                pass
        finally:
            reader.source.close()
    return warnings.records()


def unsaid(path: Path, format_: str | None) -> set[str]:
    """The names of the errors of a file of which ``score`` says nothing, with the file on both sides.

    A file that is refused raises its error: ``score`` and the reader must both refuse it, for an error that
    ``validate`` finds, too. A warning that names an error must name a line in which ``validate`` finds it.
    """
    problems = inspect(path, format_).problems
    errors = {problem.name for problem in problems if problem.severity == "error"}
    try:
        told = _told(path, format_)
    except InputError as error:
        if not _found(error.code, errors):
            return {f"{error.code}, which validate does not find"}
        corefscope.score(path, path, metrics="muc", key_format=format_, response_format=format_)
        return {f"{error.code}, which only the reader refuses"}
    try:
        shown = corefscope.score(path, path, metrics="muc", key_format=format_, response_format=format_).warnings
    except InputError as error:
        return {f"{error.code}, which only score refuses"}
    if unshown := {record.kind for record in told if not any(record.message in text for text in shown)}:
        return unshown
    kinds = {record.kind for record in told}
    if "part-closed-otherwise" in kinds:  # validation closes what was meant, and may then find other faults
        return errors - kinds - OF_BRACKETS
    lines = {(problem.name, problem.line) for problem in problems}
    elsewhere = {record.kind for record in told if record.kind in errors and (record.kind, record.line) not in lines}
    return (errors - kinds) | elsewhere


def _found(code: str, errors: set[str]) -> bool:
    """Whether validation finds what a reader stops at; of brackets that go wrong, it may blame others."""
    return code in errors or code not in NAMES or (code in OF_BRACKETS and not errors.isdisjoint(OF_BRACKETS))
