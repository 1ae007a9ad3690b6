"""Shared tasks: every system on every data set, averaged over data sets and ranked.

``score_task("task.toml")`` reads a manifest or a directory, scores all submissions in parallel processes, and returns
a :class:`TaskResult`. ``docs/shared-tasks.md`` says what is computed.
"""

from __future__ import annotations

from .result import TaskResult, TaskSettings
from .scoring import read_task, run_task, run_task_settings, score_task, score_task_settings
from .task import MISSING, Submission, Task

__all__ = [
    "MISSING",
    "Submission",
    "Task",
    "TaskResult",
    "TaskSettings",
    "read_task",
    "run_task",
    "run_task_settings",
    "score_task",
    "score_task_settings",
]
