"""Scoring shared tasks: submissions are validated and scored in parallel processes, then averaged and ranked.

Whatever goes wrong with one submission, the others are scored.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, TypedDict, Unpack, cast

from ...core.choices import Missing
from ...core.document import Document
from ...core.errors import AlignmentError, CorefscopeError, InputError, OptionError, Warnings
from ...core.matching.transform import restricted
from ...core.naming import check_names, check_values
from ...core.pipeline import Scoring
from ...core.report import Report
from ...core.request import Path, Progress, RequestArguments
from ...formats.files import open_files, run
from ...formats.paths import Files, pair_files
from ...formats.processes import DeadWorkerError, how_many, side_by_side
from ...formats.reading import complete
from ...formats.source import path_name, read_once, unreadable
from ..mean_report import average_runs
from .result import TaskResult, TaskSettings
from .task import PRINTED, Manifest, Scheme, Task, Unscored, find_baselines, read_directory, schemes

if TYPE_CHECKING:
    from ...core.request import PrintedArguments, Request


class Check(NamedTuple):
    """The result of validating a submission."""

    errors: int
    warnings: int
    codes: Mapping[str, int]
    """The number of problems by code."""

    def to_dict(self) -> dict[str, object]:
        """Plain values."""
        return {**self._asdict(), "codes": dict(sorted(self.codes.items()))}


def check(key: str, response: str, request: Request, read_before: Collection[str] = ()) -> Check:
    """Validate a submission; a directory file by file, each with its key.

    ``read_before`` are the formats of its files if they were read without an error.
    """
    from ...formats.validate import inspect

    try:
        pairs = pair_files(key, response)
    except InputError:  # files that cannot be paired are validated as well, but no pipes, which would hang
        inside = (os.path.join(folder, name) for folder, _, names in os.walk(response) for name in names)
        files = sorted(filter(os.path.isfile, inside)) if os.path.isdir(response) else [response]
        pairs = [Files(key, file) for file in files]
    reading = {name: request.arguments.get(name) for name in PRINTED}
    counts: Counter[str] = Counter()
    errors = warnings = 0
    for pair in pairs:
        printed = cast("PrintedArguments", {**reading, "skeleton": pair.key})
        inspection = inspect(pair.response, request.formats[1], keep=0, read_before=read_before, **printed)
        counts.update(inspection.counts)
        errors += inspection.count("error")
        warnings += inspection.count("warning")
    return Check(errors, warnings, dict(counts))


SMALL = 4_000_000
"""Bytes of input that one process reads before others have started."""
TOGETHER = 5
"""Maximum number of systems that are scored in one reading of a key: half the CPU time of scoring is to read it."""
DIED = "the process that scored it has died (was there enough memory?)"


class Job(NamedTuple):
    """One submission to be scored."""

    system: str
    dataset: str
    key: str
    response: str
    """Empty for a response without entities, which replaces a missing one in significance tests."""
    baseline: str = ""
    """The baseline file, if any."""

    def __str__(self) -> str:
        return f"{self.system} on {self.dataset}"


class Outcome(NamedTuple):
    """The outcome of a job: a report for each scheme, or an error message."""

    reports: tuple[Report, ...]
    message: str = ""
    step: str = "score"
    """The step that failed: one of ``STEPS``."""
    of_key: bool = False
    """Whether the error is in the key or the baseline: no submission to this data set can be scored."""
    check: Check | None = None
    """The result of validation, if requested."""


def _average_outcomes(outcomes: Sequence[Outcome]) -> Outcome:
    """The outcome of a submission of several runs: their means, or the message of the first that was not scored."""
    if len(outcomes) == 1:
        return outcomes[0]
    checks = [outcome.check for outcome in outcomes if outcome.check]
    codes = sum((Counter(check.codes) for check in checks), Counter[str]())
    check = Check(sum(one.errors for one in checks), sum(one.warnings for one in checks), codes) if checks else None
    for number, outcome in enumerate(outcomes, 1):
        if not outcome.reports:
            return outcome._replace(message=f"run {number}: {outcome.message}", check=check)
    return Outcome(
        tuple([average_runs(runs) for runs in zip(*[one.reports for one in outcomes], strict=True)]), check=check
    )


def run_jobs(
    jobs: Sequence[Job],
    schemes: Sequence[Scheme],
    *,
    validation: bool = False,
    workers: int | None = None,
    progress: Progress | None = None,
) -> dict[Job, Outcome]:
    """Score all jobs in ``workers`` processes; the outcomes are in the order of the jobs."""
    outcomes: dict[Job, Outcome] = {}

    def add(scored: Sequence[Job], its_outcomes: Sequence[Outcome]) -> None:
        for job, outcome in zip(scored, its_outcomes, strict=True):
            outcomes[job] = outcome
            if progress:
                progress(len(outcomes), len(jobs), str(job))

    how = schemes, validation
    small = workers is None and sum(map(_size, jobs)) < SMALL
    count = 1 if small else min(how_many(workers), len(jobs) or 1)
    groups = _grouped(jobs, count)
    if count > 1 and not any(scheme.request.has_predicate for scheme in schemes):
        _run_in_parallel(groups, how, count, add)
        _run_one_by_one([job for job in jobs if job not in outcomes], how, add)
    for group in groups:
        if left := [job for job in group if job not in outcomes]:
            add(left, score_jobs(left, *how))
    return {job: outcomes[job] for job in jobs}


def _grouped(jobs: Sequence[Job], workers: int) -> list[list[Job]]:
    """Jobs with one key in groups, but so many groups that all processes have work to the end."""
    most = min(TOGETHER, max(1, len(jobs) // (4 * workers)))
    by_key: dict[tuple[str, str, bool], list[Job]] = {}
    for job in jobs:
        by_key.setdefault((job.key, job.baseline, bool(job.response)), []).append(job)
    return [of_key[start : start + most] for of_key in by_key.values() for start in range(0, len(of_key), most)]


def _run_in_parallel(
    groups: Sequence[Sequence[Job]],
    how: tuple[Sequence[Scheme], bool],
    workers: int,
    add: Callable[[Sequence[Job], Sequence[Outcome]], None],
) -> None:
    """Run groups of jobs in several processes; if a process dies, its group remains, and all if none is left."""
    with side_by_side(workers) as pool:
        if pool is None:
            return
        # The largest first: then the processes finish at about the same time.
        largest_first = sorted(groups, key=lambda group: sum(map(_size, group)), reverse=True)
        tasks = {pool.submit(score_jobs, group, *how): group for group in largest_first}
        for task in pool.as_completed(tasks):
            try:
                outcomes = task.result()
            except DeadWorkerError:
                continue
            except Exception as error:
                outcomes = [Outcome((), f"its result was lost: {error!r}")] * len(tasks[task])
            add(tasks[task], outcomes)


def _run_one_by_one(
    jobs: Sequence[Job],
    how: tuple[Sequence[Scheme], bool],
    add: Callable[[Sequence[Job], Sequence[Outcome]], None],
) -> None:
    """Run jobs one at a time in a process, to learn which job kills it.

    If processes cannot even start (a script without ``if __name__ == "__main__"``), all jobs remain.
    """
    left = deque(jobs)
    while left:
        has_started = False
        try:
            with side_by_side(1) as pool:
                if pool is None:
                    return
                has_started = not pool.submit(bool).result()
                while left:
                    add([left[0]], pool.submit(score_jobs, [left[0]], *how).result())
                    left.popleft()
        except DeadWorkerError:
            if not has_started:
                return
            add([left.popleft()], [Outcome((), DIED)])


def score_jobs(jobs: Sequence[Job], schemes: Sequence[Scheme], validation: bool = False) -> list[Outcome]:
    """Score submissions with one key under all schemes, and validate them; errors are in the outcomes.

    The key is read once for all of them. If one has a fault, each is scored by itself.
    """
    if len(jobs) > 1 and not any(map(_unreadable, jobs)):
        with suppress(Exception):
            scored = _score(jobs, schemes)
            return [
                _validated(job, Outcome(tuple(reports)), schemes[0].request, validation)
                for job, reports in zip(jobs, scored, strict=True)
            ]
    return [score_job(job, schemes, validation) for job in jobs]


def score_job(job: Job, schemes: Sequence[Scheme], validation: bool = False) -> Outcome:
    """Score one submission under all schemes, reading it once, and validate it; errors are in the outcome."""
    if error := _unreadable(job):
        return Outcome((), str(error), "read", of_key=error.path != job.response)
    try:
        return _validated(job, _outcome(job, schemes), schemes[0].request, validation)
    except MemoryError:
        return Outcome((), "there is not enough memory to score it")
    except Exception as error:  # the fault is ours, and no reason to lose the other submissions
        return Outcome((), f"corefscope has failed, please report it: {error!r}")


def _unreadable(job: Job) -> InputError | None:
    """The error of a pipe or a device: files are read more than once, and a pipe without a writer never ends."""
    for path in filter(read_once, filter(None, (job.key, job.baseline, job.response))):
        return unreadable("is a pipe or a device, not a file", path=path, hint="save it to a file first")
    return None


def _validated(job: Job, outcome: Outcome, request: Request, validation: bool) -> Outcome:
    """The outcome with the result of validation, if it is requested."""
    if not validation or not job.response:
        return outcome
    formats = outcome.reports[0].inputs[1].formats if outcome.reports else ()
    return outcome._replace(check=check(job.key, job.response, request, formats))


def _outcome(job: Job, schemes: Sequence[Scheme]) -> Outcome:
    try:
        return Outcome(tuple(_score([job], schemes)[0]))
    except CorefscopeError as error:
        misfit = isinstance(error, AlignmentError)
        of_key = isinstance(error, InputError) and (
            (not misfit and _is_in(error.path, job.key)) or (bool(job.baseline) and _is_in(error.path, job.baseline))
        )
        step = "align" if misfit else "read" if isinstance(error, InputError) else "score"
        return Outcome((), str(error), step, of_key)
    except OSError as error:
        return Outcome((), f"cannot be read: {error}", "read")


def _is_in(path: str, side: str) -> bool:
    """Whether a path is that of a side, or inside it; Windows has two separators and ignores case."""
    if not path:
        return False
    inner, outer = (os.path.normcase(os.path.normpath(name)) for name in (path, side))
    return inner == outer or inner.startswith(os.path.join(outer, ""))


def _score(jobs: Sequence[Job], schemes: Sequence[Scheme]) -> list[list[Report]]:
    """The reports of each job under the schemes, from one reading of the key, which all jobs share."""
    first = jobs[0]
    requests = [scheme.request for scheme in schemes]
    if first.baseline:
        requests = [request.replaced(baseline=first.baseline) for request in requests]
    if not first.response:
        requests = [request.replaced(response_format=request.formats[0]) for request in requests]
    opened = open_files(requests[0], first.key, [job.response or job.key for job in jobs])
    key = opened.corpora[0].inputs[0]
    scoring = Scoring if first.response else _EmptyResponseScoring
    chosen = [
        (complete(request, key).options, scheme.metrics) for request, scheme in zip(requests, schemes, strict=True)
    ]
    scorings = [[scoring(options, metrics) for options, metrics in chosen] for _ in jobs]
    return run(opened, scorings, expect_mentions=bool(first.response))


class _EmptyResponseScoring(Scoring):
    """A scoring of a response without entities, over the words of the key."""

    def process(self, key: Document, response: Document, warnings: Warnings | None) -> None:
        super().process(key, restricted(response, lambda *_: False), warnings)


def _size(job: Job) -> int:
    """The size of its files in bytes; 0 for missing files."""
    size = 0
    for path in filter(None, (job.key, job.response)):
        inside = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]
        with suppress(OSError):
            size += sum(map(os.path.getsize, inside or [path]))
    return size


class RunArguments(TypedDict, total=False):
    """Arguments for running a task, as :func:`score_task` explains them."""

    jobs: int | None
    significance: bool
    validation: bool
    progress: Progress | None


class TaskArguments(RequestArguments, total=False):
    """Arguments for scoring and ranking; each replaces the field of the manifest."""

    rank_by: str | None
    missing: Missing | None
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

    A submission that cannot be scored is among ``result.errors``; the others are scored nevertheless. A script that
    starts processes needs ``if __name__ == "__main__":``, or ``jobs=1``.

    Parameters
    ----------
    path
        A manifest (TOML, YAML or JSON), or a directory with a subdirectory for each data set.
    jobs
        The number of processes; by default one for each processor, and one for a small task.
    rank_by
        The metric by whose macro average systems are ranked: ``conll`` if it is scored, else the first.
    missing
        How systems that lack a submission are treated: ``zero`` (the default), ``skip`` or ``error``.
    significance
        Whether systems that do not differ significantly share a rank.
    validation
        Whether submissions are also validated, which counts their problems (``result.checks``).
    progress
        Called after each submission with the number done, the total, and the name of the submission.
    resamples, seed
        The number of resamples of the test (10,000 by default) and its seed (0).
    preset, match, zeros, singletons, rules, metrics, …
        As for :func:`corefscope.score`; a ``baseline`` that is a path has ``{dataset}`` in it.

    InputError is raised if the manifest or directory is malformed, or if nothing can be scored.
    """
    how = RunArguments(jobs=jobs, significance=significance, validation=validation, progress=progress)
    check_values(how)
    return run_task(_requested_task(path, arguments), **how)


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
    """Score a shared task under several settings, reading every submission once.

    ``settings`` is ``crac`` for those that the organisers of the CRAC tasks publish, or a list such as
    ``"head,exact+keep,conll12"``, as for :func:`corefscope.score_settings`; by default those of the manifest, or
    ``crac``. Everything else is as for :func:`score_task`: ``result["exact match"].ranks``.
    """
    how = RunArguments(jobs=jobs, significance=significance, validation=validation, progress=progress)
    check_values(how)
    task = _requested_task(path, arguments).replaced({"settings": settings})
    return run_task_settings(task._replace(settings={"settings": "crac", **task.settings}), **how)


def _requested_task(path: Path, arguments: TaskArguments) -> Task:
    """The task of a path; arguments replace the fields of the manifest."""
    arguments = cast("TaskArguments", check_names(arguments, TaskArguments.__annotations__))
    task = read_task(path).replaced(arguments)
    if (baseline := arguments.get("baseline")) is not None:
        task = task._replace(baselines=find_baselines(path_name(baseline), task.datasets))
    return task


def read_task(path: Path, *, keys_only: bool = False) -> Task:
    """Read a task from a manifest or a directory, without scoring. With ``keys_only``, systems may be missing."""
    name = os.fspath(path)
    if os.path.isdir(name):
        return read_directory(name, keys_only=keys_only)
    if not os.path.exists(name):
        raise InputError("there is no such file or directory", path=name)
    return Manifest(name).task(keys_only=keys_only)


def run_task(task: Task, **how: Unpack[RunArguments]) -> TaskResult:
    """Score a task from ``read_task``, or one made in Python."""
    if task.settings.get("settings"):
        raise OptionError("the task has several settings: score_task_settings scores them all")
    return run_task_settings(task, **how)[""]


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
    task_schemes = list(by_title.values())
    todo = {
        (system, dataset): [
            Job(system, dataset, task.datasets[dataset], path, task.baselines.get(dataset, ""))
            for path in submission.paths
        ]
        for system, submissions in task.systems.items()
        for dataset, submission in submissions.items()
        if submission.status == "scored"
    }
    every = [job for of_runs in todo.values() for job in of_runs]
    outcomes = run_jobs(every, task_schemes, validation=validation, workers=jobs, progress=progress)
    finished = {place: _average_outcomes([outcomes[job] for job in of_runs]) for place, of_runs in todo.items()}
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
            outcome = finished[system, dataset]
            if outcome.reports:
                scored[system][dataset] = outcome
            else:
                problems.append(Unscored(system, dataset, "faulty", outcome.message, outcome.step))
    tested = significance and len(task.systems) > 1
    scored_on = {dataset for outcomes_of_one in scored.values() for dataset in outcomes_of_one}
    empty: dict[str, tuple[Report, ...]] = {}
    if task_schemes[0].missing == "zero":  # what is missing counts as a response without entities
        incomplete = dict.fromkeys(problem.dataset for problem in problems if problem.system)
        lacking = [name for name in incomplete if tested or name not in scored_on]
        substitutes = [Job("", dataset, task.datasets[dataset], "") for dataset in lacking]
        for job, outcome in run_jobs(substitutes, task_schemes, workers=1).items():
            if outcome.reports:
                empty[job.dataset] = outcome.reports
    checks = {place: outcome.check for place, outcome in finished.items() if outcome.check}
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
