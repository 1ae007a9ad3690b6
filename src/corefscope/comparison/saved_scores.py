"""Reading saved scores: results in JSON, or published scores in CSV."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple, TextIO

from ..core.errors import InputError
from ..core.metrics import METRICS, select
from ..core.numbers import ratio
from ..core.report import FIGURES
from ..core.report import SCHEMA as REPORT
from ..formats.naming import checked_names, names_of
from ..formats.source import read_text

COMPARISON = "corefscope-comparison-1"
TASK = "corefscope-task-1"
TASK_SETTINGS = "corefscope-task-settings-1"
HINT = "write results with: corefscope score KEY RESPONSE --format json > result.json"
CSV_HINT = "name the columns: system,metric,recall,precision,f1 (and task, if the same systems took part in several)"


class SavedScores(NamedTuple):
    """The scores of a system."""

    name: str
    signature: str
    """Empty if the scores were published without one."""
    scores: Mapping[str, Mapping[str, float]]
    """The figures of each metric: recall, precision and f1; f1 alone; or a value."""
    key: str = ""
    """SHA-256 of the key, if known."""
    path: str = ""

    def figure(self, metric: str, name: str) -> float | None:
        """Recall, precision or f1 of a metric, or its value in place of f1; None if it has none."""
        figures = self.scores.get(metric, {})
        return figures.get(name, figures.get("value") if name == "f1" else None)


def read_scores(
    paths: Sequence[str | os.PathLike[str]], names: str | Sequence[str] | None = None
) -> tuple[SavedScores, ...]:
    """The scores of the systems in files that ``score``, ``compare`` or ``task`` has written with ``--format json``.

    A result of ``score`` gets the name of its file; systems of a comparison keep their names, prefixed by that of the
    file if names would clash. A ``.csv`` file has one row for each system and metric, as papers print them; rows of
    one system in several such files are merged.
    """
    systems: list[SavedScores] = []
    published: dict[str, SavedScores] = {}
    for path, file_name in zip([os.fspath(path) for path in paths], names_of(paths), strict=True):
        if path.lower().endswith(".csv"):
            _read_published(path, published)
            continue
        content = _content(path)
        if content["schema"] == REPORT:
            systems.append(_scores(file_name, content, path))
            continue
        inside = [_scores(name, report, path) for name, report in _reports(content, path)]
        if {system.name for system in systems} & {system.name for system in inside}:
            inside = [system._replace(name=f"{file_name}:{system.name}") for system in inside]
        systems += inside
    systems += published.values()
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
    """The report of each system of a comparison; for a task, its macro averages."""
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
            metric: {name: float(score[name]) for name in FIGURES if name in score}
            for metric, score in report["metrics"].items()
            if metric in METRICS
        }
        if not all(figures and all(map(isfinite, figures.values())) for figures in scores.values()):
            raise ValueError
        key = report.get("inputs", {}).get("key", {}).get("sha256", "")
        return SavedScores(name, str(report["signature"]), scores, str(key), path)
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
        raise InputError("has scores that are no numbers", path=path, hint=HINT) from None


def _read_published(path: str, systems: dict[str, SavedScores]) -> None:
    """Add the rows of a CSV file to the systems, by name. Percentages become ratios."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            rows = _published_rows(path, file)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from None
    except (csv.Error, UnicodeDecodeError):
        raise InputError("is no CSV", path=path, hint=CSV_HINT) from None
    largest = max((value for _, _, _, figures in rows for value in figures.values()), default=0.0)
    for line, name, metric, figures in rows:
        system = systems.setdefault(name, SavedScores(name, "", {}, path=path))
        if metric in system.scores:
            raise InputError(f"a second row of {name!r} and {metric!r}", path=path, line=line, hint="keep one")
        shares = {figure: ratio(value, 100.0) if largest > 1 else value for figure, value in figures.items()}
        systems[name] = system._replace(scores={**system.scores, metric: shares})


def _published_rows(path: str, lines: TextIO) -> list[tuple[int, str, str, dict[str, float]]]:
    """Line, system, metric and figures of each row."""
    reader = csv.DictReader(lines)
    columns: Iterable[str] = reader.fieldnames or ()
    lacking = [name for name in ("system", "metric") if name not in columns]
    if lacking or not set(FIGURES) & set(columns):
        message = f"has no column {' and no '.join(lacking)}" if lacking else f"has none of {', '.join(FIGURES)}"
        raise InputError(message, path=path, line=1, hint=CSV_HINT)
    rows = []
    for row in reader:
        metric = select(row["metric"] or "")[0]
        name = ":".join(filter(None, (row.get("task"), row["system"])))
        try:
            figures = {figure: float(row[figure]) for figure in FIGURES if row.get(figure)}
            if not figures or not all(map(isfinite, figures.values())):
                raise ValueError
        except ValueError:
            raise InputError(f"a figure of {name!r} is no number", path=path, line=reader.line_num) from None
        rows.append((reader.line_num, name, metric, figures))
    return rows
