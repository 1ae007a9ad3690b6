"""Work side by side in processes: how many, how they begin, and that they end whatever happens."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children

from .errors import OptionError

MOST = 60
"""Windows waits for no more processes than about that."""


def how_many(jobs: int | None) -> int:
    """As many processes as are asked for, or one for each processor."""
    if jobs is not None and jobs < 1:
        raise OptionError(f"the number of jobs must be at least 1 and is {jobs}")
    affinity = getattr(os, "sched_getaffinity", None)
    processors = len(affinity(0)) if affinity else os.cpu_count() or 1
    return min(jobs or processors, MOST)


@contextmanager
def side_by_side(workers: int) -> Iterator[ProcessPoolExecutor | None]:
    """So many processes, or None where there can be none.

    Whatever is raised meanwhile, Ctrl-C and other signals among it, ends them in the middle of their work.
    """
    others = set(active_children())
    pool = _started(workers)
    try:
        yield pool
    except BaseException:
        for process in set(active_children()) - others:
            process.terminate()
        raise
    finally:
        if pool is not None:
            pool.shutdown(cancel_futures=True)


def _started(workers: int) -> ProcessPoolExecutor | None:
    """Processes that start afresh: copies of one that runs threads may hang."""
    from multiprocessing import current_process, get_context

    if current_process().daemon:
        return None
    try:
        return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_begin)
    except (ImportError, NotImplementedError, OSError):
        return None


def _begin() -> None:
    """In a new process: die silently when interrupted, and when nobody is left to report to."""
    import signal
    from multiprocessing import parent_process
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    parent = parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()
