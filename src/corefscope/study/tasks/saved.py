"""A task again, from a result that was saved as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...evaluate.options import CHOICES
from ...read.joining import how_joined
from .result import TaskResult
from .scoring import run_task
from .task import Submission, Task

Find = Callable[[str, str], str]
"""Called with ``key`` or ``response`` and the path that was saved: where the file is now."""


def rescored(saved: Mapping[str, Any], find: Find, *, jobs: int | None = None) -> TaskResult:
    """The result of the same files, scored and ranked in the same way; the manifest is not read again."""
    plan = saved["plan"]
    documents, topic = how_joined(saved["options"]["documents"])
    settings = {
        **{name: saved["options"][name] for name in (*CHOICES, "baseline")},
        "metrics": tuple(saved["metrics"]),
        "rank_by": saved["rank_by"],
        "missing": saved["missing"],
        "resamples": plan and plan["resamples"],
        "seed": plan and plan["seed"],
        "key_format": saved["formats"]["key"],
        "response_format": saved["formats"]["response"],
        "documents": documents,
        "topic": topic,
        "digests": True,
    }
    datasets = {name: find("key", row["key"]) for name, row in saved["datasets"].items()}
    systems = {
        system: {name: _submission(row, find) for name, row in saved["systems"][system]["submissions"].items()}
        for system in saved["systems"]
    }
    task = Task(saved["task"], datasets, systems, settings)
    return run_task(task, jobs=jobs, significance=plan is not None)


def _submission(saved: Mapping[str, Any], find: Find) -> Submission:
    if saved["file"] is None:
        return Submission("", saved["status"], saved["message"])
    return Submission(find("response", saved["file"]))
