"""The result of a shared task as plain values: what JSON holds, and flat records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...base.result import how_many_numbers
from ...evaluate.results import FIGURES, Scores
from ..saved_scores import TASK
from .averages import ByMetric
from .parts import language_of

if TYPE_CHECKING:
    from .result import TaskResult


def as_dict(result: TaskResult, per_document: bool) -> dict[str, Any]:
    """Everything, with the report of every submission; ``corefscope-task-1`` describes it."""
    scheme = result.scheme
    values = {
        "schema": TASK,
        "signature": result.signature,
        "task": result.task.path,
        "options": {name: value for name, value in result.options._asdict().items() if name != "format"},
        "formats": dict(zip(("key", "response"), scheme.request.formats, strict=True)),
        "metrics": list(result.metrics),
        "rank_by": scheme.rank_by,
        "missing": scheme.missing,
        "plan": scheme.plan._asdict() if result.tested else None,
        "datasets": {name: _dataset(result, name) for name in result.task.datasets},
        "systems": {
            system: {
                "rank": rank,
                "complete": result.is_complete(system),
                "macro": _macro(result, system),
                "interval": list(result.intervals[system]) if system in result.intervals else None,
                "parts": {str(part): _macro(result, system, part.datasets) for part in result.parts},
                "submissions": {
                    name: _submission(result, system, name, per_document) for name in result.task.datasets
                },
            }
            for system, rank in result.ranks.items()
        },
        "clusters": [list(cluster) for cluster in result.ranking.clusters],
        "comparisons": [contrast._asdict() for contrast in result.ranking.comparisons],
        "errors": [problem._asdict() for problem in result.errors],
        "notes": result.notes,
        "warnings": result.warnings,
    }
    return {**values, "numbers": how_many_numbers(values)}


def _dataset(result: TaskResult, name: str) -> dict[str, Any]:
    task = result.task
    facts = {
        "language": language_of(task, name),
        "groups": list(task.groups.get(name, ())),
        "baseline": task.baselines.get(name),
    }
    known = {fact: value for fact, value in facts.items() if value}
    return {"key": task.datasets[name], "averaged": name in result.datasets, **known}


def _macro(result: TaskResult, system: str, datasets: Sequence[str] | None = None) -> dict[str, Any]:
    return {
        metric: score._asdict() | ({"nothing": True} if result.nothing(metric, datasets) else {})
        for metric, score in (result.macro(system, datasets) or {}).items()
    }


def _submission(result: TaskResult, system: str, dataset: str, per_document: bool) -> dict[str, Any]:
    report, problem = result[system].get(dataset), result.problem(system, dataset)
    check = result.checks.get((system, dataset))
    return {
        "file": result.task.systems[system][dataset].path or None,
        "status": problem.status if problem else "scored",
        "step": problem.step if problem else None,
        "message": problem.message if problem else None,
        "validation": check.to_dict() if check else None,
        "report": None if report is None else report.to_dict(per_document),
    }


def as_records(result: TaskResult, per_document: bool) -> list[dict[str, Any]]:
    """A flat record for each system, data set (and document) and metric, and for each average."""
    records, signature = [], result.signature
    for system, rank in result.ranks.items():
        for dataset, over, document, scores in _scored(result, system, per_document):
            problem = result.problem(system, dataset)
            shared = {
                "system": system,
                "rank": rank,
                "average": "" if document else "micro" if dataset else "macro",
                "dataset": dataset,
                "over": over,
                "submission": (problem.status if problem else "scored") if dataset else "",
                **({"document": document} if per_document else {}),
            }
            among = next((part.datasets for part in result.parts if str(part) == over), None)
            for metric in result.metrics:
                nothing = scores.nothing(metric) if isinstance(scores, Scores) else result.nothing(metric, among)
                score = None if scores is None or nothing else scores[metric]
                figures = {figure: getattr(score, figure, None) for figure in FIGURES}
                records.append({**shared, "metric": metric, **figures, "signature": signature})
    return records


def _scored(result: TaskResult, system: str, per_document: bool) -> Iterator[tuple[str, str, str, ByMetric | None]]:
    """Data set, part, document and scores: documents if they are asked for, data sets, the average, its parts."""
    for name in result.datasets:
        if per_document and name in result[system]:
            for document, scores in result[system][name].documents.items():
                yield name, "", document, scores
        yield name, "", "", result.scores(system, name)
    yield "", "", "", result.macro(system)
    for part in result.parts:
        yield "", str(part), "", result.macro(system, part.datasets)
