"""How the problems of files are laid out: grouped by file and code, errors first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...base.errors import amount
from ...write.validate.checking import Inspection, Validation
from ...write.validate.codes import Code
from ...write.validate.problems import Problem
from ..layout import Layout, Span, Text


def lay_out(validation: Validation, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """Each file with its problems, then a line on all, if there are several."""
    inspections = validation.inspections
    blocks = [block for inspection in inspections for block in _file(inspection, validation.strict)]
    if len(inspections) > 1:
        verdict = _verdict(validation.count("error"), validation.count("warning"))
        blocks.append(Text([f"{len(inspections):,} files: {verdict}"], wrap=False))
    return Layout(blocks, [validation.signature])


def _file(inspection: Inspection, strict: bool) -> Iterator[Text]:
    """A line that sums up, then each code with the lines where it was found."""
    verdict = _verdict(inspection.count("error", strict), inspection.count("warning", strict))
    yield Text([[Span(inspection.path, "strong"), Span(f": {verdict}"), Span(_contents(inspection), "dim")]])
    for code in sorted(inspection.codes.values(), key=lambda code: (code.severity, code.code)):
        found = [problem for problem in inspection.problems if problem.code == code.code]
        yield _group(code, inspection.counts[code.code], found, strict)


def _group(code: Code, count: int, problems: Sequence[Problem], strict: bool) -> Text:
    """A code with its problems; problems in a row that share a hint have it once, after the last."""
    severity = "error" if strict else code.severity
    times = "" if count == 1 else f" ({count:,} times)"
    lines: list[str | list[Span]] = [[Span("  "), Span(code.title, "strong"), Span(f": {severity}{times}")]]
    hint = problems[0].hint if problems else code.hint
    for problem in problems:
        if problem.hint != hint:
            lines += _hint(hint)
            hint = problem.hint
        where = f"line {problem.line}" if problem.line else "whole file"
        lines.append(f"    {where}: {problem.message}")
    if count > len(problems):
        lines.append(f"    and {count - len(problems):,} more" if problems else "    (not shown)")
    return Text([*lines, *_hint(hint)])


def _hint(hint: str) -> list[list[Span]]:
    """The line of a hint; the official validator mostly gives none."""
    return [[Span(f"    hint: {hint}", "dim")]] if hint else []


def _verdict(errors: int, warnings: int) -> str:
    counts = {"error": errors, "warning": warnings}
    return ", ".join(amount(count, severity) for severity, count in counts.items() if count) or "no problems"


def _contents(inspection: Inspection) -> str:
    tally = inspection.tally
    if not tally.format:
        return ""
    return (
        f"; {tally.format}, {amount(tally.documents, 'document')}, {amount(tally.sentences, 'sentence')},"
        f" {amount(tally.words, 'word')}, {amount(tally.mentions, 'mention')}"
        f" in {amount(tally.entities, 'entity', 'entities')} ({amount(tally.singletons, 'singleton')})"
    )
