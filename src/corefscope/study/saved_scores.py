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

COMPARISON = "corefscope-comparison-1"
TASK = "corefscope-task-1"
HINT = "write results with: corefscope score KEY RESPONSE --format json > result.json"


class System(NamedTuple):
    """What a system scored."""

    name: str
    signature: str
    scores: Mapping[str, float]
    """F1, or the value, by metric."""
    key: str = ""
    """SHA-256 of what it was scored against, if the result says so."""
    path: str = ""


def read_systems(
    paths: Sequence[str | os.PathLike[str]], names: str | Sequence[str] | None = None
) -> tuple[System, ...]:
    """The systems in files that ``score``, ``compare`` or ``task`` has written with ``--format json``.

    A result of ``score`` is called by its file; those in a comparison are called as in there, after the name of the
    file if names would clash.
    """
    found: list[System] = []
    for path, name in zip(paths, names_of(paths), strict=True):
        content = _content(os.fspath(path))
        if content["schema"] == REPORT:
            found.append(_system(name, content, os.fspath(path)))
            continue
        if content["schema"] == TASK:  # macro averages stand for scores
            shared = str(content.get("signature", ""))
            reports = [
                (inside, {"metrics": row.get("macro"), "signature": shared})
                for inside, row in _reports(content, os.fspath(path))
                if row.get("macro")
            ]
        else:
            reports = _reports(content, os.fspath(path))
        inner = [_system(inside, report, os.fspath(path)) for inside, report in reports]
        taken = {system.name for system in found}
        clash = any(system.name in taken for system in inner)
        found += [system._replace(name=f"{name}:{system.name}") for system in inner] if clash else inner
    if names is None:
        names = [system.name for system in found]
    called = checked_names(names, len(found), "systems")
    return tuple(system._replace(name=name) for system, name in zip(found, called, strict=True))


def _content(path: str) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from None
    except (ValueError, RecursionError):  # also if it is no text at all
        raise InputError("is no JSON", path=path, hint=HINT) from None
    if not isinstance(content, dict) or content.get("schema") not in (REPORT, COMPARISON, TASK):
        raise InputError(f"is no result of the schema {REPORT}, {COMPARISON} or {TASK}", path=path, hint=HINT)
    return content


def _reports(comparison: dict[str, Any], path: str) -> list[tuple[str, dict[str, Any]]]:
    systems = comparison.get("systems")
    if not isinstance(systems, dict) or not all(isinstance(report, dict) for report in systems.values()):
        raise InputError("has no reports of systems", path=path, hint=HINT)
    return list(systems.items())


def _system(name: str, report: dict[str, Any], path: str) -> System:
    try:
        scores = {
            metric: float(score["f1"] if "f1" in score else score["value"])
            for metric, score in report["metrics"].items()
            if metric in METRICS
        }
        if not all(map(isfinite, scores.values())):
            raise ValueError
        key = report.get("inputs", {}).get("key", {}).get("sha256", "")
        return System(name, str(report["signature"]), scores, str(key), path)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise InputError("has scores that are no numbers", path=path, hint=HINT) from None
