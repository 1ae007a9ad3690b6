"""Messages on standard error, the progress bar, and exit codes of errors and signals.

SIGTERM and SIGHUP end a command by an exception, as Ctrl-C does, so that unfinished files are removed. Windows has
Ctrl-Break instead of SIGHUP.
"""

from __future__ import annotations

import codecs
import io
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING, NoReturn, TextIO

from ..core.errors import CorefscopeError, OptionError, WarningText
from ..formats.target import is_closed_pipe
from ..output.text import shown, wrapped_message

if TYPE_CHECKING:
    from sys import UnraisableHookArgs
    from threading import Event

    from rich.progress import Progress

STOPPING: list[int] = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)]
PAUSE = 0.01  # seconds before an exception is raised again


@contextmanager
def stoppable() -> Iterator[None]:
    """While a command runs, signals that stop it raise SystemExit with the exit code of shells, 128 + the signal."""
    # Handlers that are already set (by nohup, or by a program that calls main) stay.
    ours = [number for number in STOPPING if signal.getsignal(number) is signal.SIG_DFL]
    hook = sys.unraisablehook
    with suppress(ValueError):  # only the main thread may set handlers
        for number in ours:
            signal.signal(number, _stop)

    def raise_again(ignored: UnraisableHookArgs) -> None:
        """Send a signal again whose exception Python ignores; print other exceptions.

        Python ignores exceptions in ``__del__`` and in callbacks of weak references. Every import runs such a
        callback: a signal at that moment would be lost, and the command would go on.
        """
        error = ignored.exc_value
        codes: dict[object, int] = {128 + number: number for number in STOPPING}
        number = codes.get(error.code) if isinstance(error, SystemExit) else None
        if isinstance(error, KeyboardInterrupt):
            number = signal.SIGINT
        if number is None:
            hook(ignored)
        else:
            from threading import Event, Thread  # 1 ms of every start

            returns = Event()
            Thread(target=_send_again, args=(number, returns), daemon=True).start()
            returns.set()  # an exception in this function would be ignored, too

    sys.unraisablehook = raise_again
    try:
        yield
    finally:
        sys.unraisablehook = hook
        with suppress(ValueError):
            for number in ours:
                signal.signal(number, signal.SIG_DFL)


def _stop(number: int, _: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)


def _send_again(number: int, returns: Event) -> None:
    from threading import main_thread

    returns.wait()
    time.sleep(PAUSE)
    if hasattr(signal, "pthread_kill"):  # also interrupts a blocking read
        signal.pthread_kill(main_thread().ident or 0, number)
    else:
        signal.raise_signal(number)


LONGEST_LINE = 2000  # characters of a message
PATIENCE = 1.0  # seconds before a progress bar appears
PLAIN: dict[int, int | str] = {
    **str.maketrans("–−─·×³²→…÷∅█▏▎▍▌▋▊▉▁▂▃▄▅▆▇", "---.x32>~/0########_.:-=+*"),
    **{ord(sign): plain for sign, plain in {"≤": "<=", "≥": ">=", "≠": "!=", "↑": "+", "↓": "-"}.items()},
}
"""Plain signs for those of tables that an encoding lacks; of the same width, where columns depend on it."""


def guarded(command: Callable[[], int]) -> int:
    """Run a command; errors become messages and exit codes."""
    if sys.stderr is None:  # argparse would print errors on standard output
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (until the process ends)
    if sys.stdout is None:
        complain("error", "standard output is closed")
        return 1
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # cp1252 on Windows lacks most of our signs
            stream.reconfigure(errors=_plainly.__name__)
    try:
        try:
            with stoppable():
                return command()
        finally:  # also after help, which ends by SystemExit
            sys.stdout.flush()
    except CorefscopeError as error:
        complain("error", str(error))
        return 2 if isinstance(error, OptionError) else 1
    except OSError as error:
        closed = is_closed_pipe(error)  # the reader has seen enough, as head does
        if not closed:
            complain("error", f"cannot write to standard output: {error.strerror or error}")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0 if closed else 1
    except MemoryError:
        complain("error", "not enough memory for this input")
        return 1
    except KeyboardInterrupt:
        return 130


def _plainly(error: UnicodeError) -> tuple[str, int]:
    """An error handler for encodings: plain signs for those of tables, escapes for other characters."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end].translate(PLAIN)
    return missing.encode("ascii", "backslashreplace").decode("ascii"), error.end


codecs.register_error(_plainly.__name__, _plainly)


def complain(kind: str, message: str) -> None:
    """Print one message on standard error; text from files is escaped, and lines that quote long fields are cut."""
    half = LONGEST_LINE // 2
    lines = [line if len(line) <= LONGEST_LINE else f"{line[:half]} … {line[-half:]}" for line in message.split("\n")]
    if sys.stderr is not None:
        with suppress(OSError):  # a full disk
            text = f"corefscope: {kind}: " + "\n".join(map(shown, lines))
            print(wrapped_message(text, sys.stderr), file=sys.stderr)


def colourful(stream: TextIO, wish: str = "auto") -> bool:
    """Whether to print colours: by default on a terminal, unless NO_COLOR is set or the terminal is dumb."""
    if wish != "auto":
        return wish == "always"
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def warn(warnings: Iterable[object], quiet: bool = False) -> None:
    """Print warnings, and whether scores depend on what they are about, unless the command is to be quiet."""
    for warning in () if quiet else warnings:
        effect = f" [{warning.effect}]" if isinstance(warning, WarningText) else ""
        complain("warning", f"{warning}{effect}")


class ProgressBar:
    """A bar on standard error for work that takes longer than a second; nothing in a pipe."""

    def __init__(self, quiet: bool = False, unit: str = "") -> None:
        """``unit`` is what the numbers count."""
        self._unit = unit
        self._visible = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._begun = time.monotonic()
        self._bar: Progress | None = None

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, number: int, total: int, name: str) -> None:
        """Show that document ``number`` of ``total`` comes next; if the total is unknown (0), show its name."""
        if not self._visible or (total and time.monotonic() - self._begun < PATIENCE):
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import Progress

            self._bar = Progress(console=Console(stderr=True), transient=True)
            self._bar.add_task("scoring", total=total or None)
            self._bar.start()
        task = self._bar.task_ids[0]
        if total:
            done = f"{number:,} of {total:,} {self._unit}" if self._unit else "scoring"
            self._bar.update(task, completed=number, total=total, description=done)
        else:
            self._bar.update(task, description=name, refresh=True)
