"""The scores of systems, read back from results that are kept as JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple

from ..base.errors import InputError
from ..base.naming import checked_names, names_of
from ..count.metrics import METRICS
from ..evaluate.results import SCHEMA as REPORT
from ..read.source import read_text

COMPARISON = "corefscope-comparison-1"
TASK = "corefscope-task-1"
HINT = "write results with: corefscope score KEY RESPONSE --format json > result.json"


class SavedScores(NamedTuple):
    """What a system scored."""

    name: str
    signature: str
    scores: Mapping[str, float]
    """F1, or the value, by metric."""
    key: str = ""
    """SHA-256 of what it was scored against, if the result says so."""
    path: str = ""


def read_scores(
    paths: Sequence[str | os.PathLike[str]], names: str | Sequence[str] | None = None
) -> tuple[SavedScores, ...]:
    """The scores of the systems in files that ``score``, ``compare`` or ``task`` has written with ``--format json``.

    A result of ``score`` is called by its file; those in a comparison are called as in there, after the name of the
    file if names would clash.
    """
    systems: list[SavedScores] = []
    for path, file_name in zip([os.fspath(path) for path in paths], names_of(paths), strict=True):
        content = _content(path)
        if content["schema"] == REPORT:
            systems.append(_scores(file_name, content, path))
            continue
        inside = [_scores(name, report, path) for name, report in _reports(content, path)]
        if {system.name for system in systems} & {system.name for system in inside}:
            inside = [system._replace(name=f"{file_name}:{system.name}") for system in inside]
        systems += inside
    if names is None:
        names = [system.name for system in systems]
    checked = checked_names(names, len(systems), "systems")
    return tuple(system._replace(name=name) for system, name in zip(systems, checked, strict=True))


def _content(path: str) -> dict[str, Any]:
    text = read_text(path)
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError("is no JSON", path=path, hint=HINT) from None
    if not isinstance(content, dict) or content.get("schema") not in (REPORT, COMPARISON, TASK):
        raise InputError(f"is no result of the schema {REPORT}, {COMPARISON} or {TASK}", path=path, hint=HINT)
    return content


def _reports(content: dict[str, Any], path: str) -> list[tuple[str, dict[str, Any]]]:
    """The report of each system of a comparison; of a task, macro averages stand for scores."""
    systems = content.get("systems")
    if not isinstance(systems, dict) or not all(isinstance(report, dict) for report in systems.values()):
        raise InputError("has no reports of systems", path=path, hint=HINT)
    if content["schema"] == COMPARISON:
        return list(systems.items())
    signature = str(content.get("signature", ""))
    averages = [(name, row.get("macro")) for name, row in systems.items()]
    return [(name, {"metrics": macro, "signature": signature}) for name, macro in averages if macro]


def _scores(name: str, report: dict[str, Any], path: str) -> SavedScores:
    try:
        scores = {
            metric: float(score["f1"] if "f1" in score else score["value"])
            for metric, score in report["metrics"].items()
            if metric in METRICS
        }
        if not all(map(isfinite, scores.values())):
            raise ValueError
        key = report.get("inputs", {}).get("key", {}).get("sha256", "")
        return SavedScores(name, str(report["signature"]), scores, str(key), path)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise InputError("has scores that are no numbers", path=path, hint=HINT) from None
