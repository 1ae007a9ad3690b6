"""A shared task from beginning to end: read, score, average, rank."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ...base.annotations import TYPE_CHECKING
from ...base.errors import InputError
from ...base.naming import check_names
from ...evaluate.request import Path, Progress, RequestArguments
from ...evaluate.results import Report
from ...read.source import path_name
from .directory import read_directory
from .manifest import find_baselines, read_manifest
from .processes import Job, run_jobs
from .result import TaskResult, Unscored
from .task import Scheme, Task

if TYPE_CHECKING:
    from typing_extensions import Unpack


class TaskArguments(RequestArguments, total=False):
    """Those of a request, and of the test behind the ranks; what is given replaces the field of the manifest."""

    resamples: int | None
    seed: int | None


def score_task(
    path: Path,
    *,
    jobs: int | None = None,
    rank_by: str | None = None,
    missing: str | None = None,
    significance: bool = True,
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
    progress
        Called after each submission with how many are done, how many there are, and what it was.
    resamples, seed
        Of the test: 10,000 from seed 0 unless given.
    preset, match, zeros, singletons, rules, metrics, …
        As for :func:`corefscope.score`; a ``baseline`` that is a path has ``{dataset}`` in it.

    InputError is raised if the manifest or the directory makes no sense, or nothing at all can be scored.
    """
    check_names(arguments, TaskArguments.__annotations__)
    task = read_task(path)
    replacing = {**arguments, "rank_by": rank_by, "missing": missing}
    settings = {**task.settings, **{name: value for name, value in replacing.items() if value is not None}}
    task = task._replace(settings=settings)
    if baseline := arguments.get("baseline"):
        task = task._replace(baselines=find_baselines(path_name(baseline), task.datasets))
    return run_task(task, jobs=jobs, significance=significance, progress=progress)


def read_task(path: Path) -> Task:
    """The task that a manifest or a directory describes; nothing is scored."""
    name = os.fspath(path)
    if os.path.isdir(name):
        return read_directory(name)
    if not os.path.exists(name):
        raise InputError("there is no such file or directory", path=name)
    return read_manifest(name)


def run_task(
    task: Task, *, jobs: int | None = None, significance: bool = True, progress: Progress | None = None
) -> TaskResult:
    """Score a task that was read, or made by hand."""
    scheme = Scheme(task.settings)
    todo = {
        (system, dataset): Job(
            system, dataset, task.datasets[dataset], submission.path, task.baselines.get(dataset, "")
        )
        for system, submissions in task.systems.items()
        for dataset, submission in submissions.items()
        if submission.status == "scored"
    }
    outcomes = run_jobs(list(todo.values()), scheme, workers=jobs, progress=progress)
    bad_keys = {job.dataset: outcome.message for job, outcome in outcomes.items() if outcome.of_key}
    if len(bad_keys) == len(task.datasets):
        raise InputError(f"no key can be read:\n  {next(iter(bad_keys.values()))}", path=task.path)
    problems = [Unscored("", dataset, "key", message) for dataset, message in bad_keys.items()]
    reports: dict[str, dict[str, Report]] = {system: {} for system in task.systems}
    for system, submissions in task.systems.items():
        for dataset, submission in submissions.items():
            if dataset in bad_keys:
                continue
            if (system, dataset) not in todo:
                problems.append(Unscored(system, dataset, submission.status, submission.message))
                continue
            outcome = outcomes[todo[system, dataset]]
            if outcome.report is None:
                problems.append(Unscored(system, dataset, "faulty", outcome.message))
            else:
                reports[system][dataset] = outcome.report
    tested = significance and len(task.systems) > 1
    empty = _empty(task, scheme, problems) if tested and scheme.missing == "zero" else {}
    return TaskResult(task, scheme, reports, problems, empty, tested=tested)


def _empty(task: Task, scheme: Scheme, problems: Sequence[Unscored]) -> dict[str, Report]:
    """For each data set that some system lacks, the report of a response without entities."""
    lacking = dict.fromkeys(problem.dataset for problem in problems if problem.system)
    jobs = [Job("", dataset, task.datasets[dataset], "") for dataset in lacking]
    outcomes = run_jobs(jobs, scheme, workers=1)
    return {job.dataset: outcome.report for job, outcome in outcomes.items() if outcome.report is not None}
