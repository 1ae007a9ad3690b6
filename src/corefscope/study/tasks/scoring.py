"""A shared task from beginning to end: read, score, average, rank."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Unpack

from ...base.errors import InputError, OptionError
from ...base.naming import check_names, check_values
from ...evaluate.request import Path, Progress, RequestArguments
from ...evaluate.results import Report
from ...read.source import path_name
from .directory import read_directory
from .manifest import find_baselines, read_manifest
from .processes import Job, Outcome, run_jobs
from .result import TaskResult
from .settings import TaskSettings
from .task import Scheme, Task, Unscored, schemes


class TaskArguments(RequestArguments, total=False):
    """Those of a request, and how systems are ranked; what is given replaces the field of the manifest."""

    rank_by: str | None
    missing: str | None
    resamples: int | None
    seed: int | None


def score_task(
    path: Path,
    *,
    jobs: int | None = None,
    significance: bool = True,
    validation: bool = True,
    progress: Progress | None = None,
    **arguments: Unpack[TaskArguments],
) -> TaskResult:
    """Score every system of a shared task on every data set, average over data sets, and rank.

    A submission that cannot be scored is among ``result.errors``; the others are scored nevertheless. Where processes
    are started, a script must protect what it does by ``if __name__ == "__main__":``, or say ``jobs=1``.

    Parameters
    ----------
    path
        A manifest (TOML, YAML or JSON), or a directory with a subdirectory for each data set.
    jobs
        How many processes score; without it as many as there are processors, and one for a small task.
    rank_by
        The metric by whose macro average systems are ranked: ``conll`` if it is scored, else the first.
    missing
        ``zero`` (the default), ``skip`` or ``error``: what becomes of systems that lack a submission.
    significance
        Whether systems that do not differ significantly share a rank.
    validation
        Whether submissions are validated, too: their problems are counted (``result.checks``).
    progress
        Called after each submission with how many are done, how many there are, and what it was.
    resamples, seed
        Of the test: 10,000 from seed 0 unless given.
    preset, match, zeros, singletons, rules, metrics, …
        As for :func:`corefscope.score`; a ``baseline`` that is a path has ``{dataset}`` in it.

    InputError is raised if the manifest or the directory makes no sense, or nothing at all can be scored.
    """
    check_values({"jobs": jobs, "significance": significance, "validation": validation, "progress": progress})
    task = _asked(path, arguments)
    return run_task(task, jobs=jobs, significance=significance, validation=validation, progress=progress)


def score_task_settings(
    path: Path,
    settings: str | Sequence[str] | None = None,
    *,
    jobs: int | None = None,
    significance: bool = True,
    validation: bool = True,
    progress: Progress | None = None,
    **arguments: Unpack[TaskArguments],
) -> TaskSettings:
    """Score a shared task in several ways, reading every submission once.

    ``settings`` is ``crac`` for what the organisers of the CRAC tasks publish, or a list such as
    ``"head,exact+keep,conll12"``, as for :func:`corefscope.score_settings`; without it what the manifest says, or
    ``crac``. All else is as for :func:`score_task`: ``result["exact match"].ranks``.
    """
    check_values({"jobs": jobs, "significance": significance, "validation": validation, "progress": progress})
    task = _asked(path, arguments, settings=settings)
    task = task._replace(settings={"settings": "crac", **task.settings})
    return run_task_settings(task, jobs=jobs, significance=significance, validation=validation, progress=progress)


def _asked(path: Path, arguments: TaskArguments, **further: Any) -> Task:
    """The task of a path; what is given replaces the fields of the manifest."""
    check_names(arguments, TaskArguments.__annotations__)
    task = read_task(path).replaced({**arguments, **further})
    if (baseline := arguments.get("baseline")) is not None:
        task = task._replace(baselines=find_baselines(path_name(baseline), task.datasets))
    return task


def read_task(path: Path, *, keys_only: bool = False) -> Task:
    """The task that a manifest or a directory describes, not scored. With ``keys_only`` it may lack systems."""
    name = os.fspath(path)
    if os.path.isdir(name):
        return read_directory(name, keys_only=keys_only)
    if not os.path.exists(name):
        raise InputError("there is no such file or directory", path=name)
    return read_manifest(name, keys_only=keys_only)


def run_task(
    task: Task,
    *,
    jobs: int | None = None,
    significance: bool = True,
    validation: bool = True,
    progress: Progress | None = None,
) -> TaskResult:
    """Score a task that was read, or made by hand."""
    if task.settings.get("settings"):
        raise OptionError("the task has several settings: score_task_settings scores them all")
    return run_task_settings(task, jobs=jobs, significance=significance, validation=validation, progress=progress)[""]


def run_task_settings(
    task: Task,
    *,
    jobs: int | None = None,
    significance: bool = True,
    validation: bool = True,
    progress: Progress | None = None,
) -> TaskSettings:
    """Score a task under all its settings, from one reading of each submission."""
    by_title = schemes(task.settings)
    ways = list(by_title.values())
    todo = {
        (system, dataset): Job(
            system, dataset, task.datasets[dataset], submission.path, task.baselines.get(dataset, "")
        )
        for system, submissions in task.systems.items()
        for dataset, submission in submissions.items()
        if submission.status == "scored"
    }
    outcomes = run_jobs(list(todo.values()), ways, validation=validation, workers=jobs, progress=progress)
    bad_keys = {job.dataset: outcome.message for job, outcome in outcomes.items() if outcome.of_key}
    if len(bad_keys) == len(task.datasets):
        raise InputError(f"no key can be read:\n  {next(iter(bad_keys.values()))}", path=task.path)
    problems = [Unscored("", dataset, "key", message, "read") for dataset, message in bad_keys.items()]
    scored: dict[str, dict[str, Outcome]] = {system: {} for system in task.systems}
    for system, submissions in task.systems.items():
        for dataset, submission in submissions.items():
            if dataset in bad_keys:
                continue
            if (system, dataset) not in todo:
                problems.append(Unscored(system, dataset, submission.status, submission.message))
                continue
            outcome = outcomes[todo[system, dataset]]
            if outcome.reports:
                scored[system][dataset] = outcome
            else:
                problems.append(Unscored(system, dataset, "faulty", outcome.message, outcome.step))
    tested = significance and len(task.systems) > 1
    scored_on = {dataset for outcomes_of_one in scored.values() for dataset in outcomes_of_one}
    lacking = [name for name in _lacked(problems) if tested or name not in scored_on]
    empty = _empty(task, ways, lacking) if ways[0].missing == "zero" else {}
    checks = {(job.system, job.dataset): outcome.check for job, outcome in outcomes.items() if outcome.check}
    return TaskSettings(
        (
            title,
            TaskResult(
                task,
                scheme,
                {
                    system: {name: outcome.reports[number] for name, outcome in by_dataset.items()}
                    for system, by_dataset in scored.items()
                },
                problems,
                {name: reports[number] for name, reports in empty.items()},
                checks,
                tested=tested,
            ),
        )
        for number, (title, scheme) in enumerate(by_title.items())
    )


def _lacked(problems: Sequence[Unscored]) -> dict[str, None]:
    """The data sets that some system lacks."""
    return dict.fromkeys(problem.dataset for problem in problems if problem.system)


def _empty(task: Task, ways: Sequence[Scheme], datasets: Sequence[str]) -> dict[str, tuple[Report, ...]]:
    """For each of these data sets, the reports of a response without entities."""
    jobs = [Job("", dataset, task.datasets[dataset], "") for dataset in datasets]
    outcomes = run_jobs(jobs, ways, workers=1)
    return {job.dataset: outcome.reports for job, outcome in outcomes.items() if outcome.reports}
