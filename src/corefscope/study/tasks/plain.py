"""The result of a task as plain values: nested for JSON, flat for tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...evaluate.results import FIGURES
from ..saved_scores import TASK

if TYPE_CHECKING:
    from .result import TaskResult

SCHEMA = TASK


def to_dict(result: TaskResult) -> dict[str, Any]:
    """Everything, with the report of every submission."""
    scheme = result.scheme
    return {
        "schema": SCHEMA,
        "signature": result.signature,
        "task": result.task.path,
        "options": {name: value for name, value in scheme.options._asdict().items() if name != "format"},
        "formats": dict(zip(("key", "response"), scheme.request.formats, strict=True)),
        "metrics": list(scheme.metrics),
        "rank_by": scheme.rank_by,
        "missing": scheme.missing,
        "plan": scheme.plan._asdict() if result.tested else None,
        "datasets": {
            name: {"key": key, "averaged": name in result.datasets} for name, key in result.task.datasets.items()
        },
        "systems": {
            system: {
                "rank": rank,
                "complete": result.is_complete(system),
                "macro": {metric: score._asdict() for metric, score in (result.macro(system) or {}).items()},
                "submissions": {name: _submission(result, system, name) for name in result.task.datasets},
            }
            for system, rank in result.ranks.items()
        },
        "clusters": [list(cluster) for cluster in result.ranking.clusters],
        "comparisons": [comparison._asdict() for comparison in result.ranking.comparisons],
        "errors": [problem._asdict() for problem in result.errors],
        "notes": result.notes,
        "warnings": result.warnings,
    }


def _submission(result: TaskResult, system: str, dataset: str) -> dict[str, Any]:
    report = result[system].get(dataset)
    blamed = [problem for problem in result.problems if problem[:2] in (("", dataset), (system, dataset))]
    return {
        "file": result.task.systems[system][dataset].path or None,
        "status": blamed[0].status if blamed else "scored",
        "message": blamed[0].message if blamed else None,
        "report": None if report is None else report.to_dict(),
    }


def to_records(result: TaskResult, per_document: bool) -> list[dict[str, Any]]:
    """One flat record for each system, data set and metric, averages included.

    With ``per_document`` also one for each document, before those of its data set, whose document is empty.
    """
    records, signature = [], result.signature
    for system, rank in result.ranks.items():
        for about, pooled in _scored(result, system):
            report = result[system].get(about["dataset"]) if per_document else None
            documents = report.documents if report else {}
            for document, scores in [*documents.items(), ("", pooled)]:
                average = about["average"] if not document else ""
                shared = {"system": system, "rank": rank, **about, "average": average}
                if per_document:
                    shared["document"] = document
                for metric in result.metrics:
                    score = (scores or {}).get(metric)
                    figures = {figure: getattr(score, figure, None) for figure in FIGURES}
                    records.append({**shared, "metric": metric, **figures, "signature": signature})
    return records


def _scored(result: TaskResult, system: str) -> Iterator[tuple[dict[str, str], Mapping[str, Any] | None]]:
    """Every data set, then the average over them."""
    for name in result.datasets:
        status = _status(result, system, name)
        yield {"average": "micro", "dataset": name, "submission": status}, result.scores(system, name)
    yield {"average": "macro", "dataset": "", "submission": ""}, result.macro(system)


def _status(result: TaskResult, system: str, dataset: str) -> str:
    found = (problem.status for problem in result.problems if problem[:2] == (system, dataset))
    return next(found, "scored")
