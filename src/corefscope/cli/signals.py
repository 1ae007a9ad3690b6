"""SIGTERM and SIGHUP end a command as Ctrl-C does, by an exception: what it has begun to write is removed.

So does Ctrl-Break on Windows, which has no SIGHUP.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

STOPPING = [number for name in ("SIGTERM", "SIGHUP", "SIGBREAK") if (number := getattr(signal, name, None))]
PAUSE = 0.01  # seconds before an exception is raised again


@contextmanager
def stoppable() -> Iterator[None]:
    """While a command runs: what stops it raises SystemExit with the exit code of shells, 128 + the signal."""
    # Where somebody else has decided (nohup, a program that runs commands by itself), that holds.
    ours = [number for number in STOPPING if signal.getsignal(number) is signal.SIG_DFL]
    hook = sys.unraisablehook
    with suppress(ValueError):  # only the main thread may decide
        for number in ours:
            signal.signal(number, _stop)
    sys.unraisablehook = _raise_ignored_again(hook)
    try:
        yield
    finally:
        sys.unraisablehook = hook
        with suppress(ValueError):
            for number in ours:
                signal.signal(number, signal.SIG_DFL)


def _stop(number: int, _: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)


def _raise_ignored_again(hook: Callable[[UnraisableHookArgs], object]) -> Callable[[UnraisableHookArgs], object]:
    """A hook for exceptions that Python ignores, which raises those of signals again, a moment later.

    Python ignores what is raised in ``__del__`` and in callbacks of weak references. Every import runs such a
    callback: a signal at that moment would be lost, and the command would go on.
    """

    def raise_again(ignored: UnraisableHookArgs) -> None:
        number = _signal_of(ignored.exc_value)
        if number is None:
            hook(ignored)
        else:
            threading.Thread(target=_send_again, args=(number,), daemon=True).start()

    return raise_again


def _signal_of(error: BaseException | None) -> int | None:
    """The signal whose handler raised an exception."""
    if isinstance(error, KeyboardInterrupt):
        return int(signal.SIGINT)
    codes = {128 + number: number for number in STOPPING}
    return codes.get(error.code) if isinstance(error, SystemExit) else None


def _send_again(number: int) -> None:
    time.sleep(PAUSE)
    if hasattr(signal, "pthread_kill"):  # which also ends what waits: a read, say
        signal.pthread_kill(threading.main_thread().ident or 0, number)
    else:
        signal.raise_signal(number)
