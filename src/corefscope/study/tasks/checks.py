"""Validation of submissions: how many problems each has, before it is scored."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ...base.errors import InputError
from ...read.paths import Files, pair_files
from .task import PRINTED

if TYPE_CHECKING:
    from ...evaluate.request import Request
    from ...read.formats import PrintedArguments


class Check(NamedTuple):
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


def check(key: str, response: str, request: Request) -> Check:
    """Validate a submission, which may be a directory: then file by file, each with the key that it belongs to."""
    from ...write.validate import inspect

    counts: Counter[str] = Counter()
    said = {name: request.arguments.get(name) for name in PRINTED}
    inspections = []
    for files in _files(key, response):
        printed = cast("PrintedArguments", {**said, "skeleton": files.key})
        inspections.append(inspect(files.response, request.formats[1], keep=0, **printed))
    for inspection in inspections:
        counts.update(inspection.counts)
    errors, warnings = (sum(one.count(severity) for one in inspections) for severity in ("error", "warning"))
    return Check(errors, warnings, dict(counts))


def _files(key: str, response: str) -> list[Files]:
    """The files that belong together; those of a response that cannot be paired are validated all the same."""
    try:
        return pair_files(key, response)
    except InputError:
        inside = (os.path.join(folder, name) for folder, _, names in os.walk(response) for name in names)
        files = (
            sorted(filter(os.path.isfile, inside)) if os.path.isdir(response) else [response]
        )  # no pipes: they hang
        return [Files(key, file) for file in files]
