"""What validation of several files found, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ...base.version import SIGNATURE, __version__
from .checking import Inspection
from .problems import Problem

SCHEMA = "corefscope-validation-1"
HELD = ("documents", "sentences", "words", "mentions", "entities", "singletons")
FOUND = ("code", "name", "severity", "line", "message", "hint")


@dataclass(frozen=True)
class Validation:
    """The inspections of files, in the order in which they were named."""

    inspections: Sequence[Inspection]
    strict: bool = False
    """Whether warnings are errors."""
    signature: ClassVar[str] = SIGNATURE

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
            "files": [
                {
                    "path": inspection.path,
                    "format": inspection.tally.format or None,
                    "valid": not inspection.count("error", self.strict),
                    "errors": inspection.count("error", self.strict),
                    "warnings": inspection.count("warning", self.strict),
                    "counts": dict(sorted(inspection.counts.items())),
                    "holds": {name: getattr(inspection.tally, name) for name in HELD},
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
            for problem in (*inspection.problems, *([] if inspection.problems else [None]))
        ]

    def _record(self, problem: Problem | None) -> dict[str, Any]:
        record = {name: getattr(problem, name, None) for name in FOUND}
        record["line"] = record["line"] or None
        return record | {"severity": "error"} if problem and self.strict else record
