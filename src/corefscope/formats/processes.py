"""Pool of worker processes that end with its block, whatever happens.

Each worker has a pipe to this process, and the main thread reads all pipes. There are no further threads, queues or
locks, because signals upset them: ``ProcessPoolExecutor`` waits forever for the rest of a result whose sender was
stopped while sending it, and for a lock that was acquired when a signal handler raised an exception.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import connection, get_context
from multiprocessing.process import current_process, parent_process
from pickle import loads
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from ..core.errors import OptionError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

    from ..core.request import Progress

Row = TypeVar("Row")

MOST = 60
"""Maximum number of workers: Windows waits for about 60 processes."""
PAUSE = 0.1  # seconds between looks at other processes
STOPPING: set[int] = {getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)}


def how_many(jobs: int | None) -> int:
    """The number of workers: as requested, or one for each processor."""
    if jobs is not None and jobs < 1:
        raise OptionError(f"the number of jobs must be at least 1 and is {jobs}")
    affinity = getattr(os, "sched_getaffinity", None)
    processors = len(affinity(0)) if affinity else os.cpu_count() or 1
    return min(jobs or processors, MOST)


@contextmanager
def side_by_side(workers: int) -> Iterator[WorkerPool | None]:
    """Start worker processes, and end them with the block; None where no process can be started.

    Any exception, including those of Ctrl-C and other signals, kills them in the middle of their work.
    """
    pool = WorkerPool()
    try:
        yield pool if pool.start(workers) else None
    except BaseException:
        pool.kill()
        raise
    finally:
        pool.close()


class DeadWorkerError(Exception):
    """The process that ran a task ended before it had sent the result."""


class WorkerTask:
    """A function call that a worker runs; ``is_done`` when its result has been received."""

    def __init__(self, pool: WorkerPool, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self.call: tuple[Callable[..., Any], tuple[Any, ...]] = function, arguments
        self.is_done: bool = False
        self.note: Any = None
        """The last thing that the function has sent by :func:`send_note`."""
        self.error: Exception | None = None
        self._pool = pool
        self._value: Any = None

    def finish(self, value: Any, error: Exception | None) -> None:
        """Store the result or the error."""
        self._value, self.error, self.is_done = value, error, True

    def result(self) -> Any:
        """Wait for the result of the function; its exception, or ``DeadWorkerError``, is raised."""
        while not self.is_done:
            self._pool.wait()
        if self.error is not None:
            raise self.error
        return self._value


class WorkerPool:
    """Worker processes, each running one task at a time, and the tasks that wait for one of them."""

    def __init__(self) -> None:
        self._processes: list[SpawnProcess] = []
        self._idle: list[Connection] = []
        self._running: dict[Connection, WorkerTask] = {}
        self._waiting: deque[WorkerTask] = deque()

    def start(self, workers: int) -> bool:
        """Start so many processes, or as many as the system allows; return whether there is one.

        They are new interpreters: copies of a process that runs threads may hang.
        """
        if current_process().daemon:
            return False
        context = get_context("spawn")
        with suppress(ImportError, NotImplementedError, OSError), _signals_delayed():
            for _ in range(workers):
                ours, theirs = context.Pipe()
                process = context.Process(target=_work, args=(theirs,), daemon=True)
                process.start()
                theirs.close()  # with the last copy of it in the worker, the end of the worker ends the pipe
                self._processes.append(process)
                self._idle.append(ours)
        return bool(self._processes)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> WorkerTask:
        """Have a worker call a function, as soon as one is idle."""
        task = WorkerTask(self, function, arguments)
        self._waiting.append(task)
        self._send()
        return task

    def as_completed(self, tasks: Iterable[WorkerTask]) -> Iterator[WorkerTask]:
        """Tasks in the order in which they are done."""
        unfinished = list(tasks)
        while unfinished:
            done = [task for task in unfinished if task.is_done]
            unfinished = [task for task in unfinished if not task.is_done]
            yield from done
            if not done:
                self.wait()

    def wait(self, seconds: float | None = None) -> None:
        """Wait for results or notes, and send the next tasks to idle workers."""
        for pipe in connection.wait(list(self._running), seconds):
            self._receive(pipe)  # type: ignore[arg-type]
        self._send()

    def kill(self) -> None:
        """End all workers at once."""
        for process in self._processes:
            process.kill()

    def close(self) -> None:
        """Let idle workers end, and wait for all."""
        for pipe in (*self._idle, *self._running):
            pipe.close()
        for process in self._processes:
            process.join()

    def _send(self) -> None:
        while self._waiting and self._idle:
            task, pipe = self._waiting.popleft(), self._idle.pop()
            try:
                pipe.send(task.call)
                self._running[pipe] = task
            except OSError:
                task.finish(None, DeadWorkerError())
                pipe.close()
            except Exception as error:  # it cannot be pickled, and nothing was sent
                task.finish(None, error)
                self._idle.append(pipe)
        while self._waiting and not self._running:  # all workers have died
            self._waiting.popleft().finish(None, DeadWorkerError())

    def _receive(self, pipe: Connection) -> None:
        task = self._running.pop(pipe)
        try:
            answer = pipe.recv_bytes()
        except (EOFError, OSError):
            task.finish(None, DeadWorkerError())
            pipe.close()
            return
        try:
            value, error, *note = loads(answer)
        except Exception as failure:  # what was pickled there cannot be unpickled here
            value, error, note = None, failure, []
        if note:
            (task.note,) = note
            self._running[pipe] = task
            return
        self._idle.append(pipe)
        task.finish(value, error)


class PoolWatch:
    """Looks at what other processes do between the documents that are scored here: a fault of theirs is raised."""

    def __init__(self, pool: WorkerPool, tasks: Sequence[WorkerTask], progress: Progress | None = None) -> None:
        self._pool, self._tasks, self._progress = pool, tasks, progress
        self._last = 0.0
        if isinstance(progress, FileProgress):
            progress.watch = self

    @property
    def files_done(self) -> int:
        """Number of files that the tasks have scored, by their last notes."""
        return sum(task.note or 0 for task in self._tasks)

    def look(self, seconds: float | None = 0) -> None:
        """Receive what there is; None waits for something. Without waiting, at most every tenth of a second."""
        if seconds == 0 and monotonic() - self._last < PAUSE:
            return
        self._pool.wait(seconds)
        self._last = monotonic()
        for task in self._tasks:
            if task.error and not isinstance(task.error, DeadWorkerError):
                raise task.error

    def iterate(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The rows, with a look after each."""
        for row in rows:
            yield row
            del row  # release the documents before reading the next ones
            self.look()

    def result(self, task: WorkerTask) -> Any:
        """The result of a task, once it is done."""
        while not task.is_done:
            self.look(None)
            if isinstance(self._progress, FileProgress):
                self._progress.show()
        return task.result()


class FileProgress:
    """Progress by files: how many of all are done by this process and by others."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._here = 0, 0, ""
        self.watch: PoolWatch | None = None

    def __call__(self, number: int, total: int, name: str) -> None:
        """Show how far this process is."""
        self._here = number, total, name
        if self.watch:
            self.watch.look()
        self.show()

    def show(self) -> None:
        """Show how far all are."""
        if self._progress:
            number, total, name = self._here
            self._progress(number + (self.watch.files_done if self.watch else 0), total, name)


def note_files() -> Progress:
    """Progress of another process, which notes how many files it has begun."""
    first: int | None = None
    noted = 0.0

    def progress(number: int, total: int, name: str) -> None:  # noqa: ARG001
        nonlocal first, noted
        first = number if first is None else first
        if monotonic() - noted > PAUSE:
            noted = monotonic()
            send_note(number - first)

    return progress


@contextmanager
def _signals_delayed() -> Iterator[None]:
    """Deliver signals at the end of the block; processes that start in it unblock them later.

    An exception in the middle of a start would leave a process that finds its pipe closed and prints a traceback.
    Ctrl-C goes to all processes of a terminal: those that are still importing modules would print tracebacks, too.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing.resource_tracker import ensure_running  # not on Windows

    ensure_running()  # which would unblock signals if it came later
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_pipe: Connection | None = None
"""To the process that started this one, if this is a worker."""


def send_note(note: object) -> None:
    """Send something to the process that waits for the task that runs here; in that process, do nothing."""
    if _pipe:
        _pipe.send((None, None, note))


def _work(pipe: Connection) -> None:
    """The main function of a worker: run tasks until the pipe is closed."""
    global _pipe
    _pipe = pipe
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started it ends it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)
    Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            _run_task(pipe)


def _run_task(pipe: Connection) -> None:
    order = pipe.recv_bytes()
    answer: tuple[Any, Exception | None]
    try:
        function, arguments = loads(order)
        answer = function(*arguments), None
    except Exception as error:
        answer = None, error
    try:
        pipe.send(answer)
    except OSError:
        raise
    except Exception as error:  # it cannot be pickled, and nothing was sent
        pipe.send((None, RuntimeError(f"{error!r}, when sending {answer!r:.200}")))


def _end_with_parent() -> None:
    """End this process when the one that started it has ended."""
    if parent := parent_process():
        parent.join()
        signal.raise_signal(signal.SIGTERM)
