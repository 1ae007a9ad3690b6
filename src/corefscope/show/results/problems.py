"""Problems for people, grouped by file and code, and for programs, as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from ...base.errors import amount
from ...base.version import __version__
from ...write.validate.checking import Inspection
from ...write.validate.codes import CODES
from ...write.validate.problems import Problem
from ..text import BOLD, DIM, shown, styled

SCHEMA = "corefscope-validation-1"


def render_text(inspection: Inspection, *, strict: bool = False, colour: bool = False) -> str:
    """The problems of one file: a line that sums up, then each code with its places; errors come first."""
    verdict = _verdict(inspection.count("error", strict), inspection.count("warning", strict))
    path = styled(shown(inspection.path), BOLD, colour)
    lines = [f"{path}: {verdict}{styled(_holdings(inspection), DIM, colour)}"]
    by_code = {code: list(found) for code, found in groupby(_by_code(inspection.problems), lambda found: found.code)}
    for code in sorted(inspection.counts):
        lines += _group(code, inspection.counts[code], by_code.get(code, []), strict, colour)
    return "\n".join(lines) + "\n"


def _by_code(problems: Iterable[Problem]) -> list[Problem]:
    return sorted(problems, key=lambda problem: problem.code)


def _group(code: str, count: int, problems: Sequence[Problem], strict: bool, colour: bool) -> list[str]:
    row = CODES[code]
    severity = "error" if strict else row.severity
    times = "" if count == 1 else f" ({count:,} times)"
    lines = ["", f"  {styled(f'{code} {row.name}', BOLD, colour)}: {severity}{times}"]
    for problem in problems:
        place = f"line {problem.line}" if problem.line else "whole file"
        lines.append(f"    {place}: {shown(problem.message)}")
    if count > len(problems):
        lines.append(f"    and {count - len(problems):,} more" if problems else "    (not shown)")
    hint = problems[0].hint if problems else row.hint
    lines.append(styled(f"    hint: {shown(hint)}", DIM, colour))
    return lines


def _verdict(errors: int, warnings: int) -> str:
    found = [amount(errors, "error") if errors else "", amount(warnings, "warning") if warnings else ""]
    return ", ".join(part for part in found if part) or "no problems"


def _holdings(inspection: Inspection) -> str:
    tally = inspection.tally
    if not tally.format:
        return ""
    entities = amount(tally.entities, "entity", "entities")
    counts = [
        amount(tally.documents, "document"),
        amount(tally.sentences, "sentence"),
        amount(tally.words, "word"),
        f"{amount(tally.mentions, 'mention')} in {entities} ({amount(tally.singletons, 'singleton')})",
    ]
    return f"; {tally.format}, {', '.join(counts)}"


def render_total(inspections: Sequence[Inspection], *, strict: bool = False) -> str:
    """One line on several files; nothing on a single one."""
    if len(inspections) < 2:
        return ""
    errors = sum(inspection.count("error", strict) for inspection in inspections)
    warnings = sum(inspection.count("warning", strict) for inspection in inspections)
    return f"\n{len(inspections):,} files: {_verdict(errors, warnings)}\n"


def to_dict(inspections: Sequence[Inspection], *, strict: bool = False) -> dict[str, Any]:
    """Plain values, as the schema ``corefscope-validation-1`` describes them."""
    files = [_file(inspection, strict) for inspection in inspections]
    return {
        "schema": SCHEMA,
        "version": __version__,
        "strict": strict,
        "valid": all(file["valid"] for file in files),
        "errors": sum(file["errors"] for file in files),
        "warnings": sum(file["warnings"] for file in files),
        "files": files,
    }


def _file(inspection: Inspection, strict: bool) -> dict[str, Any]:
    tally = inspection.tally
    errors = inspection.count("error", strict)
    return {
        "path": inspection.path,
        "format": tally.format or None,
        "valid": not errors,
        "errors": errors,
        "warnings": inspection.count("warning", strict),
        "counts": dict(sorted(inspection.counts.items())),
        "holds": {
            "documents": tally.documents,
            "sentences": tally.sentences,
            "words": tally.words,
            "mentions": tally.mentions,
            "entities": tally.entities,
            "singletons": tally.singletons,
        },
        "problems": [_problem(problem, strict) for problem in inspection.problems],
    }


def _problem(problem: Problem, strict: bool) -> dict[str, Any]:
    return {
        "code": problem.code,
        "name": problem.name,
        "severity": "error" if strict else problem.severity,
        "line": problem.line or None,
        "message": problem.message,
        "hint": problem.hint,
    }


def render_json(inspections: Sequence[Inspection], *, strict: bool = False) -> str:
    """The same as text."""
    import json

    return json.dumps(to_dict(inspections, strict=strict), indent=1) + "\n"
