"""Statements run in a thread of their own, so that an interrupt reaches us, and we can end them."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread

from ...base.annotations import TypeVar

Result = TypeVar("Result")


def run_until_done(work: Callable[[], Result], cancel: Callable[[], None]) -> Result:
    """What the work returns or raises. An interrupt cancels it, waits until it has ended, and goes on its way."""
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    thread = Thread(target=run, name="corefscope statement", daemon=True)
    thread.start()
    try:
        thread.join()
    except BaseException:
        while thread.is_alive():
            cancel()  # again: a statement may have been about to begin
            thread.join(0.1)
        raise
    if errors:
        raise errors[0]
    return results[0]
