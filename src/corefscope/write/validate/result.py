"""What validation of several files found, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...base.version import SIGNATURE, __version__
from .checking import Inspection
from .problems import Problem

SCHEMA = "corefscope-validation-1"


@dataclass(frozen=True)
class Validation:
    """The inspections of files, in the order in which they were named."""

    inspections: Sequence[Inspection]
    strict: bool = False
    """Whether warnings are errors."""

    @property
    def signature(self) -> str:
        """What to quote beside it."""
        return SIGNATURE

    def count(self, severity: str) -> int:
        """How many errors or warnings all files have."""
        return sum(inspection.count(severity, self.strict) for inspection in self.inspections)

    def to_dict(self, per_document: bool = False) -> dict[str, Any]:  # noqa: ARG002
        """Plain values, as the schema ``corefscope-validation-1`` describes them."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "version": __version__,
            "strict": self.strict,
            "valid": not self.count("error"),
            "errors": self.count("error"),
            "warnings": self.count("warning"),
            "files": [_file(inspection, self.strict) for inspection in self.inspections],
        }

    def to_records(self, per_document: bool = False) -> list[dict[str, Any]]:  # noqa: ARG002
        """One flat record for each problem; a file without problems has one whose code is None."""
        return [
            {"path": inspection.path, "format": inspection.tally.format or None, **problem}
            for inspection in self.inspections
            for problem in [_problem(problem, self.strict) for problem in inspection.problems] or [NOTHING]
        ]


NOTHING: dict[str, Any] = dict.fromkeys(("code", "name", "severity", "line", "message", "hint"))


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
        "holds": {name: getattr(tally, name) for name in HELD},
        "problems": [_problem(problem, strict) for problem in inspection.problems],
    }


HELD = ("documents", "sentences", "words", "mentions", "entities", "singletons")


def _problem(problem: Problem, strict: bool) -> dict[str, Any]:
    severity = "error" if strict else problem.severity
    found = (problem.code, problem.name, severity, problem.line or None, problem.message, problem.hint)
    return dict(zip(NOTHING, found, strict=True))
