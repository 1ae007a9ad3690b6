"""Scoring shared tasks: submissions are validated and scored in parallel processes, then averaged and ranked.

Whatever goes wrong with one submission, the others are scored.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack, cast

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
from .manifest import find_baselines, read_directory, read_manifest
from .result import TaskResult, TaskSettings
from .task import PRINTED, Scheme, Task, Unscored, schemes

if TYPE_CHECKING:
    from ...core.request import PrintedArguments, Request


class Check(NamedTuple):
    """The result of validating a submission."""

    errors: int
    warnings: int
    codes: Mapping[str, int]
    """The number of problems by code."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {**self._asdict(), "codes": dict(sorted(self.codes.items()))}

    @property
    def by_code(self) -> str:
        """The problems as text."""
        return ", ".join(f"{code} ×{count:,}" for code, count in sorted(self.codes.items()))


def check(key: str, response: str, request: Request) -> Check:
    """Validate a submission; a directory file by file, each with its key."""
    from ...formats.validate import inspect

    counts: Counter[str] = Counter()
    said = {name: request.arguments.get(name) for name in PRINTED}
    inspections = []
    for files in _files(key, response):
        printed = cast("PrintedArguments", {**said, "skeleton": files.key})
        inspections.append(inspect(files.response, request.formats[1], keep=0, **printed))
    for inspection in inspections:
        counts.update(inspection.counts)
    errors, warnings = (sum(one.count(severity) for one in inspections) for severity in ("error", "warning"))
    return Check(errors, warnings, dict(counts))


def _files(key: str, response: str) -> list[Files]:
    """Pairs of key and response files; response files that cannot be paired are validated as well."""
    try:
        return pair_files(key, response)
    except InputError:
        inside = (os.path.join(folder, name) for folder, _, names in os.walk(response) for name in names)
        files = (
            sorted(filter(os.path.isfile, inside)) if os.path.isdir(response) else [response]
        )  # no pipes: they hang
        return [Files(key, file) for file in files]


SMALL = 4_000_000
"""Bytes of input that one process reads before others have started."""
DIED = "the process that scored it has died (was there enough memory?)"


class Job(NamedTuple):
    """One submission to be scored."""

    system: str
    dataset: str
    key: str
    response: str
    """Empty for a response without entities, which stands for a missing one in tests."""
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


def run_jobs(
    jobs: Sequence[Job],
    schemes: Sequence[Scheme],
    *,
    validation: bool = False,
    workers: int | None = None,
    progress: Progress | None = None,
) -> dict[Job, Outcome]:
    """Score all jobs in ``workers`` processes; the outcomes are in the order of the jobs."""
    small = workers is None and sum(map(_size, jobs)) < SMALL
    count = 1 if small else min(how_many(workers), len(jobs))
    batch = _Batch(jobs, schemes, validation, progress)
    if count > 1 and not any(scheme.request.has_predicate for scheme in schemes):
        batch.run_in_parallel(count)
        batch.run_one_by_one()
    batch.run_here()
    return {job: batch.outcomes[job] for job in jobs}


def score_job(job: Job, schemes: Sequence[Scheme], validation: bool = False) -> Outcome:
    """Validate and score one submission under all schemes, reading it once; errors are in the outcome.

    Pipes and devices are refused: files of a task are read more than once, and a pipe without a writer never ends.
    """
    for path in filter(read_once, filter(None, (job.key, job.baseline, job.response))):
        error = unreadable("is a pipe or a device, not a file", path=path, hint="save it to a file first")
        return Outcome((), str(error), "read", of_key=path != job.response)
    try:
        found = check(job.key, job.response, schemes[0].request) if validation and job.response else None
        return _outcome(job, schemes)._replace(check=found)
    except MemoryError:
        return Outcome((), "there is not enough memory to score it")
    except Exception as error:  # the fault is ours, and no reason to lose the other submissions
        return Outcome((), f"corefscope has failed, please report it: {error!r}")


def _outcome(job: Job, schemes: Sequence[Scheme]) -> Outcome:
    try:
        return Outcome(tuple(_score(job, schemes)))
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


def _score(job: Job, schemes: Sequence[Scheme]) -> list[Report]:
    requests = [scheme.request for scheme in schemes]
    if job.baseline:
        requests = [request.replaced(baseline=job.baseline) for request in requests]
    if not job.response:
        requests = [request.replaced(response_format=request.formats[0]) for request in requests]
    opened = open_files(requests[0], job.key, [job.response or job.key])
    key = opened.corpora[0].inputs[0]
    scoring = Scoring if job.response else _EmptyResponseScoring
    scorings = [
        scoring(complete(request, key).options, scheme.metrics)
        for request, scheme in zip(requests, schemes, strict=True)
    ]
    return run(opened, [scorings], expect_mentions=bool(job.response))[0]


class _EmptyResponseScoring(Scoring):
    """Scores a response without entities, over the words of the key."""

    def process(self, key: Document, response: Document, warnings: Warnings | None) -> None:
        super().process(key, restricted(response, lambda *_: False), warnings)


class _Batch:
    """A batch of jobs; ``outcomes`` has those that are done."""

    def __init__(
        self, jobs: Sequence[Job], schemes: Sequence[Scheme], validation: bool, progress: Progress | None
    ) -> None:
        self.outcomes: dict[Job, Outcome] = {}
        self._jobs = jobs
        self._how = schemes, validation
        self._progress = progress

    @property
    def _left(self) -> list[Job]:
        return [job for job in self._jobs if job not in self.outcomes]

    def run_in_parallel(self, workers: int) -> None:
        """Run jobs in several processes; if a process dies, its job remains, and all others if no process is left."""
        with side_by_side(workers) as pool:
            if pool is None:
                return
            # The largest first: then the processes finish at about the same time.
            largest_first = sorted(self._jobs, key=_size, reverse=True)
            tasks = {pool.submit(score_job, job, *self._how): job for job in largest_first}
            for task in pool.as_completed(tasks):
                try:
                    outcome = task.result()
                except DeadWorkerError:
                    continue
                except Exception as error:
                    outcome = Outcome((), f"its result was lost: {error!r}")
                self._add(tasks[task], outcome)

    def run_one_by_one(self) -> None:
        """Run the remaining jobs one at a time in a process, to learn which job kills it.

        If processes cannot even start (a script that does not protect what it does by ``if __name__ == "__main__"``),
        all jobs remain for :meth:`run_here`.
        """
        while self._left:
            job = None
            try:
                with side_by_side(1) as pool:
                    if pool is None:
                        return
                    pool.submit(bool).result()  # it starts
                    for job in self._left:
                        self._add(job, pool.submit(score_job, job, *self._how).result())
            except DeadWorkerError:
                if job is None:
                    return
                self._add(job, Outcome((), DIED))

    def run_here(self) -> None:
        """Run the remaining jobs in this process."""
        for job in self._left:
            self._add(job, score_job(job, *self._how))

    def _add(self, job: Job, outcome: Outcome) -> None:
        self.outcomes[job] = outcome
        if self._progress:
            self._progress(len(self.outcomes), len(self._jobs), str(job))


def _size(job: Job) -> int:
    """The size of its files in bytes; 0 for missing files."""
    size = 0
    for path in filter(None, (job.key, job.response)):
        inside = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]
        with suppress(OSError):
            size += sum(map(os.path.getsize, inside or [path]))
    return size


class TaskArguments(RequestArguments, total=False):
    """Arguments for scoring and ranking; each replaces the field of the manifest."""

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
        ``zero`` (the default), ``skip`` or ``error``: how systems that lack a submission are treated.
    significance
        Whether systems that do not differ significantly share a rank.
    validation
        Whether submissions are validated, too: their problems are counted (``result.checks``).
    progress
        Called after each submission with the number done, the total, and the name of the submission.
    resamples, seed
        Of the test: 10,000 from seed 0 unless given.
    preset, match, zeros, singletons, rules, metrics, …
        As for :func:`corefscope.score`; a ``baseline`` that is a path has ``{dataset}`` in it.

    InputError is raised if the manifest or directory is malformed, or if nothing can be scored.
    """
    check_values({"jobs": jobs, "significance": significance, "validation": validation, "progress": progress})
    task = _requested_task(path, arguments)
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
    """Score a shared task in several task_schemes, reading every submission once.

    ``settings`` is ``crac`` for what the organisers of the CRAC tasks publish, or a list such as
    ``"head,exact+keep,conll12"``, as for :func:`corefscope.score_settings`; without it what the manifest says, or
    ``crac``. All else is as for :func:`score_task`: ``result["exact match"].ranks``.
    """
    check_values({"jobs": jobs, "significance": significance, "validation": validation, "progress": progress})
    task = _requested_task(path, arguments, settings=settings)
    task = task._replace(settings={"settings": "crac", **task.settings})
    return run_task_settings(task, jobs=jobs, significance=significance, validation=validation, progress=progress)


def _requested_task(path: Path, arguments: TaskArguments, **further: Any) -> Task:
    """The task of a path; arguments replace the fields of the manifest."""
    check_names(arguments, TaskArguments.__annotations__)
    task = read_task(path).replaced({**arguments, **further})
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
    return read_manifest(name, keys_only=keys_only)


def run_task(
    task: Task,
    *,
    jobs: int | None = None,
    significance: bool = True,
    validation: bool = True,
    progress: Progress | None = None,
) -> TaskResult:
    """Score a task from ``read_task``, or one made in Python."""
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
    task_schemes = list(by_title.values())
    todo = {
        (system, dataset): Job(
            system, dataset, task.datasets[dataset], submission.path, task.baselines.get(dataset, "")
        )
        for system, submissions in task.systems.items()
        for dataset, submission in submissions.items()
        if submission.status == "scored"
    }
    outcomes = run_jobs(list(todo.values()), task_schemes, validation=validation, workers=jobs, progress=progress)
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
    lacking = [name for name in _incomplete_datasets(problems) if tested or name not in scored_on]
    empty = _score_empty_responses(task, task_schemes, lacking) if task_schemes[0].missing == "zero" else {}
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


def _incomplete_datasets(problems: Sequence[Unscored]) -> dict[str, None]:
    """The data sets without a submission of some system."""
    return dict.fromkeys(problem.dataset for problem in problems if problem.system)


def _score_empty_responses(
    task: Task, task_schemes: Sequence[Scheme], datasets: Sequence[str]
) -> dict[str, tuple[Report, ...]]:
    """For each of these data sets, the reports of a response without entities."""
    jobs = [Job("", dataset, task.datasets[dataset], "") for dataset in datasets]
    outcomes = run_jobs(jobs, task_schemes, workers=1)
    return {job.dataset: outcome.reports for job, outcome in outcomes.items() if outcome.reports}
