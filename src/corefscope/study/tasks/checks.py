"""Validation of submissions: how many problems each has, before it is scored."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping

from ...base.annotations import Any
from ...base.record import Record


class Check(Record):
    """What validation found in a submission."""

    errors: int
    warnings: int
    codes: Mapping[str, int]
    """How many problems there are of each code."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {**self._asdict(), "codes": dict(sorted(self.codes.items()))}

    @property
    def by_code(self) -> str:
        """The problems, as people read them."""
        return ", ".join(f"{code} ×{count:,}" for code, count in sorted(self.codes.items()))


def check(path: str, file_format: str | None) -> Check:
    """Validate a submission, which may be a directory; whatever cannot be validated has no problem of its own."""
    from ...write.validate import inspect

    counts: Counter[str] = Counter()
    inspections = [inspect(file, file_format, keep=0) for file in _files(path)]
    for inspection in inspections:
        counts.update(inspection.counts)
    errors, warnings = (sum(one.count(severity) for one in inspections) for severity in ("error", "warning"))
    return Check(errors, warnings, dict(counts))


def _files(path: str) -> list[str]:
    inside = (os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names)
    return sorted(inside) if os.path.isdir(path) else [path]
