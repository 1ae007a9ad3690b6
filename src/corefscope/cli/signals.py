"""SIGTERM and SIGHUP end a command as Ctrl-C does, by an exception: what it has begun to write is removed.

So does Ctrl-Break on Windows, which has no SIGHUP.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # of which ``signal`` first makes enumerations
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from ..base.annotations import NoReturn

STOPPING = [number for name in ("SIGTERM", "SIGHUP", "SIGBREAK") if (number := getattr(signal, name, None))]


@contextmanager
def stoppable() -> Iterator[None]:
    """While a command runs: what stops it raises SystemExit with the exit code of shells, 128 + the signal."""
    # Where somebody else has decided (nohup, a program that runs commands by itself), that holds.
    ours = [number for number in STOPPING if signal.getsignal(number) is signal.SIG_DFL]
    with suppress(ValueError):  # only the main thread may decide
        for number in ours:
            signal.signal(number, _stop)
    try:
        yield
    finally:
        with suppress(ValueError):
            for number in ours:
                signal.signal(number, signal.SIG_DFL)


def _stop(number: int, _: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)
