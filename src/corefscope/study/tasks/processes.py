"""Submissions scored side by side in processes. Whatever happens to one of them, the others are scored."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import active_children

from ...base.document import Document
from ...base.errors import AlignmentError, CorefscopeError, InputError, OptionError, Warnings
from ...base.record import Record
from ...evaluate.files import open_files, run
from ...evaluate.request import Progress
from ...evaluate.results import Report
from ...evaluate.scoring import Scoring
from ...match.transform import restricted
from .task import Scheme

SMALL = 4_000_000
"""Bytes of input that one process has read before others have started."""
MOST = 60
"""Windows waits for no more processes than about that."""
DIED = "the process that scored it has died (was there enough memory?)"


class Job(Record):
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


class Outcome(Record):
    """What became of a job: a report, or what is wrong."""

    report: Report | None
    message: str = ""
    of_key: bool = False
    """Whether the key is to blame, or the baseline: no submission to this data set can be scored."""


def run_jobs(
    jobs: Sequence[Job], scheme: Scheme, *, workers: int | None = None, progress: Progress | None = None
) -> dict[Job, Outcome]:
    """Score all jobs, in that many processes; the outcomes are in the order of the jobs, however they came in."""
    if workers is not None and workers < 1:
        raise OptionError(f"the number of jobs must be at least 1 and is {workers}")
    batch = _Batch(jobs, scheme, progress)
    count = 1 if scheme.request.has_predicate else min(workers or _suitable(jobs), len(jobs), MOST)
    if count > 1:
        batch.side_by_side(count)
        batch.one_by_one()
    batch.here()
    return {job: batch.outcomes[job] for job in jobs}


def score_job(job: Job, scheme: Scheme) -> Outcome:
    """Score one submission; whatever goes wrong is in the outcome."""
    try:
        return Outcome(_score(job, scheme))
    except CorefscopeError as error:
        of_key = isinstance(error, InputError) and (
            (not isinstance(error, AlignmentError) and _is_in(error.path, job.key))
            or (bool(job.baseline) and _is_in(error.path, job.baseline))
        )
        return Outcome(None, str(error), of_key)
    except MemoryError:
        return Outcome(None, "there is not enough memory to score it")
    except OSError as error:
        return Outcome(None, f"cannot be read: {error}")
    except Exception as error:  # the fault is ours, and no reason to lose the other submissions
        return Outcome(None, f"corefscope has failed, please report it: {error!r}")


def _is_in(path: str, side: str) -> bool:
    """Whether a path is that of a side, or lies in the directory that it is."""
    return path == side or path.startswith(side + os.sep)


def _score(job: Job, scheme: Scheme) -> Report:
    request = scheme.request.replaced(baseline=job.baseline) if job.baseline else scheme.request
    if not job.response:
        request = request.replaced(response_format=request.formats[0])
    opened = open_files(request, job.key, [job.response or job.key])
    scoring = Scoring if job.response else _Empty
    return run(opened, [[scoring(opened.request.options, scheme.metrics)]])[0][0]


class _Empty(Scoring):
    """Scores a response without entities, over the words of the key."""

    def look_at(self, key: Document, response: Document, warnings: Warnings | None) -> None:
        super().look_at(key, restricted(response, lambda *_: False), warnings)


class _Batch:
    """Jobs on their way; ``outcomes`` has those so far."""

    def __init__(self, jobs: Sequence[Job], scheme: Scheme, progress: Progress | None) -> None:
        self.outcomes: dict[Job, Outcome] = {}
        self._jobs = jobs
        self._scheme = scheme
        self._progress = progress
        self._others = set(active_children())

    @property
    def _left(self) -> list[Job]:
        return [job for job in self._jobs if job not in self.outcomes]

    def side_by_side(self, workers: int) -> None:
        """All jobs in several processes; if a process dies, some jobs are left."""
        pool = _pool(workers)
        if pool is None:
            return
        try:
            # The largest first: then the processes finish at about the same time.
            largest_first = sorted(self._jobs, key=_size, reverse=True)
            futures = {pool.submit(score_job, job, self._scheme): job for job in largest_first}
            for future in as_completed(futures):
                error = future.exception()
                if error is None:
                    self._add(futures[future], future.result())
                elif not isinstance(error, BrokenProcessPool):
                    self._add(futures[future], Outcome(None, f"its result was lost: {error!r}"))
        except BrokenProcessPool:
            pass  # a process has died before all jobs were handed over
        except BaseException:  # a signal, Ctrl-C among them: nobody wants to wait for what is under way
            self._end()
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def one_by_one(self) -> None:
        """What is left, each job with a process to itself, so that it is clear which job kills it.

        If processes cannot even start (a script that does not protect what it does by ``if __name__ == "__main__"``),
        everything stays for :meth:`here`.
        """
        pool = None
        try:
            for job in self._left:
                pool = pool or _pool(1)
                try:
                    if pool is None or not pool.submit(bool, True).result():
                        return
                except BrokenProcessPool:
                    return
                try:
                    self._add(job, pool.submit(score_job, job, self._scheme).result())
                except BrokenProcessPool:
                    self._add(job, Outcome(None, DIED))
                    pool.shutdown()
                    pool = None
        except BaseException:
            self._end()
            raise
        finally:
            if pool is not None:
                pool.shutdown(cancel_futures=True)

    def here(self) -> None:
        """What is left, in this process."""
        for job in self._left:
            self._add(job, score_job(job, self._scheme))

    def _end(self) -> None:
        """End our processes in the middle of their work."""
        for process in set(active_children()) - self._others:
            process.terminate()

    def _add(self, job: Job, outcome: Outcome) -> None:
        self.outcomes[job] = outcome
        if self._progress:
            self._progress(len(self.outcomes), len(self._jobs), str(job))


def _pool(workers: int) -> ProcessPoolExecutor | None:
    """Processes that start afresh: copies of one that runs threads may hang. None where there can be no processes."""
    from multiprocessing import current_process, get_context

    if current_process().daemon:
        return None
    try:
        return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_begin)
    except (ImportError, NotImplementedError, OSError):
        return None


def _begin() -> None:
    """In a new process: die silently when interrupted, and when nobody is left to report to."""
    import gc
    import signal
    from multiprocessing import parent_process
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.disable()
    parent = parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()


def _suitable(jobs: Iterable[Job]) -> int:
    """As many processes as processors; one if that is quicker."""
    if sum(map(_size, jobs)) < SMALL:
        return 1
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _size(job: Job) -> int:
    """The bytes of its files; what is not there has none."""
    size = 0
    for path in filter(None, (job.key, job.response)):
        inside = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]
        with suppress(OSError):
            size += sum(map(os.path.getsize, inside or [path]))
    return size
