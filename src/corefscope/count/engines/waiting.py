"""Statements run in a thread of their own, so that an interrupt reaches us, and we can end them."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from typing import TypeVar

Result = TypeVar("Result")


def run_until_done(work: Callable[[], Result], cancel: Callable[[], None]) -> Result:
    """What the work returns or raises. An interrupt cancels it, waits until it has ended, and goes on its way."""
    results: list[Result] = []
    errors: list[BaseException] = []
    done = Event()  # an interrupt makes Python take a thread for ended that is still running

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)
        finally:
            done.set()

    Thread(target=run, name="corefscope statement", daemon=True).start()
    try:
        done.wait()
    except BaseException:
        while not done.is_set():
            cancel()  # again: the statement may have been about to begin
            done.wait(0.1)
        raise
    if errors:
        raise errors[0]
    return results[0]
