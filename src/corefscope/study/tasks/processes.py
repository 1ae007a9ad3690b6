"""Submissions scored side by side in processes. Whatever happens to one of them, the others are scored."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from ...base.document import Document
from ...base.errors import AlignmentError, CorefscopeError, InputError, Warnings
from ...base.processes import DeadWorkerError, how_many, side_by_side
from ...evaluate.files import open_files, run
from ...evaluate.request import Progress
from ...evaluate.results import Report
from ...evaluate.scoring import Scoring
from ...match.transform import restricted
from ...read.source import read_once
from ...read.unpacking import unreadable
from .checks import Check, check
from .task import Scheme

SMALL = 4_000_000
"""Bytes of input that one process has read before others have started."""
DIED = "the process that scored it has died (was there enough memory?)"


class Job(NamedTuple):
    """One submission to be scored."""

    system: str
    dataset: str
    key: str
    response: str
    """Empty for a response without entities, which is what a missing one counts as in tests."""
    baseline: str = ""
    """The file that scores are measured from, if they are from a file."""

    def __str__(self) -> str:
        return f"{self.system} on {self.dataset}"


class Outcome(NamedTuple):
    """What became of a job: a report for each scheme, or what is wrong."""

    reports: tuple[Report, ...]
    message: str = ""
    step: str = "score"
    """At which it went wrong: one of ``STEPS``."""
    of_key: bool = False
    """Whether the key is to blame, or the baseline: no submission to this data set can be scored."""
    check: Check | None = None
    """What validation found, if it was asked for."""


def run_jobs(
    jobs: Sequence[Job],
    schemes: Sequence[Scheme],
    *,
    validation: bool = False,
    workers: int | None = None,
    progress: Progress | None = None,
) -> dict[Job, Outcome]:
    """Score all jobs, in that many processes; the outcomes are in the order of the jobs, however they came in."""
    small = workers is None and sum(map(_size, jobs)) < SMALL
    count = 1 if small else min(how_many(workers), len(jobs))
    batch = _Batch(jobs, schemes, validation, progress)
    if count > 1 and not any(scheme.request.has_predicate for scheme in schemes):
        batch.side_by_side(count)
        batch.one_by_one()
    batch.here()
    return {job: batch.outcomes[job] for job in jobs}


def score_job(job: Job, schemes: Sequence[Scheme], validation: bool = False) -> Outcome:
    """Validate and score one submission, under all schemes from one reading; what goes wrong is in the outcome.

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
    """Whether a path is that of a side, or in the directory that it is; Windows has two separators and no case."""
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
    scoring = Scoring if job.response else _Empty
    scorings = [
        scoring(request.completed(key).options, scheme.metrics)
        for request, scheme in zip(requests, schemes, strict=True)
    ]
    return run(opened, [scorings], expect_mentions=bool(job.response))[0]


class _Empty(Scoring):
    """Scores a response without entities, over the words of the key."""

    def look_at(self, key: Document, response: Document, warnings: Warnings | None) -> None:
        super().look_at(key, restricted(response, lambda *_: False), warnings)


class _Batch:
    """Jobs on their way; ``outcomes`` has those so far."""

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

    def side_by_side(self, workers: int) -> None:
        """All jobs in several processes; if a process dies, its job is left, and all others if none is alive."""
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

    def one_by_one(self) -> None:
        """What is left, each job with a process to itself, so that it is clear which job kills it.

        If processes cannot even start (a script that does not protect what it does by ``if __name__ == "__main__"``),
        everything stays for :meth:`here`.
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

    def here(self) -> None:
        """What is left, in this process."""
        for job in self._left:
            self._add(job, score_job(job, *self._how))

    def _add(self, job: Job, outcome: Outcome) -> None:
        self.outcomes[job] = outcome
        if self._progress:
            self._progress(len(self.outcomes), len(self._jobs), str(job))


def _size(job: Job) -> int:
    """The bytes of its files; what is not there has none."""
    size = 0
    for path in filter(None, (job.key, job.response)):
        inside = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]
        with suppress(OSError):
            size += sum(map(os.path.getsize, inside or [path]))
    return size
