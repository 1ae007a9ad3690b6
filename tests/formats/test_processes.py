"""Worker processes: results, exceptions, death, and that none is left."""

from __future__ import annotations

import os
import signal
import time
from multiprocessing import active_children
from typing import Any

import pytest

from corefscope.formats.processes import DeadWorkerError, side_by_side


def _die() -> None:
    os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))


def _not_picklable() -> Any:
    return lambda: None


def test_results_come_back_to_their_tasks() -> None:
    with side_by_side(2) as pool:
        assert pool is not None
        tasks = [pool.submit(pow, base, 2) for base in range(10)]
        assert {task.result() for task in pool.as_completed(tasks)} == {base**2 for base in range(10)}
        assert [task.result() for task in tasks] == [base**2 for base in range(10)]
    assert not active_children()


def test_what_a_task_raises_is_raised_here_and_the_worker_goes_on() -> None:
    with side_by_side(1) as pool:
        assert pool is not None
        for call in ((divmod, 1, 0), (_not_picklable,), (lambda: None,)):
            with pytest.raises(Exception, match=r"division|pickle") as raised:
                pool.submit(*call).result()
            assert not isinstance(raised.value, DeadWorkerError)
        assert pool.submit(pow, 2, 3).result() == 8


def test_a_worker_that_dies_takes_only_its_task_with_it() -> None:
    with side_by_side(2) as pool:
        assert pool is not None
        tasks = [pool.submit(_die), *(pool.submit(pow, base, 2) for base in range(5))]
        assert len(list(pool.as_completed(tasks))) == 6
        with pytest.raises(DeadWorkerError):
            tasks[0].result()
        assert [task.result() for task in tasks[1:]] == [0, 1, 4, 9, 16]


def test_tasks_fail_when_no_worker_is_left() -> None:
    with side_by_side(1) as pool:
        assert pool is not None
        tasks = [pool.submit(_die), pool.submit(pow, 2, 2)]
        for task in (*tasks, pool.submit(pow, 2, 2)):
            with pytest.raises(DeadWorkerError):
                task.result()
    assert not active_children()


def _interrupt(*call: Any) -> None:
    with side_by_side(2) as pool:
        assert pool is not None
        pool.submit(bool).result()
        pool.submit(*call)
        time.sleep(0.1)
        raise KeyboardInterrupt


@pytest.mark.parametrize("call", [(time.sleep, 60), (bytes, 10_000_000)])
def test_an_exception_ends_workers_that_run_a_task_or_send_its_result(call: tuple[Any, Any]) -> None:
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        _interrupt(*call)
    assert time.monotonic() - begun < 30
    assert not active_children()
