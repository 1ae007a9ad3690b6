"""SIGTERM and SIGHUP end a command as Ctrl-C does, by an exception: what it has begun to write is removed.

So does Ctrl-Break on Windows, which has no SIGHUP.

What is said to people: notes and complaints on standard error, progress on a terminal.
"""

from __future__ import annotations

import codecs
import io
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn

from ..core.errors import CorefscopeError, OptionError, is_closed_pipe
from ..output.text import shown

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


LONGEST_LINE = 2000  # characters of a message
PATIENCE = 1.0  # seconds before a progress bar appears
PLAIN: dict[int, int | str] = {
    **str.maketrans("–−─·×³²→…÷∅█▏▎▍▌▋▊▉▁▂▃▄▅▆▇", "---.x32>~/0########_.:-=+*"),
    **{ord(sign): plain for sign, plain in {"≤": "<=", "≥": ">=", "≠": "!="}.items()},
}
"""Signs of tables, and what is written where they cannot be shown: as wide as they are where columns depend on it."""


def guarded(command: Callable[[], int]) -> int:
    """Run a command; whatever goes wrong is said in a message, with the exit code that fits."""
    if sys.stderr is None:  # or argparse would complain on standard output
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (until the process ends)
    if sys.stdout is None:
        complain("error", "standard output is closed")
        return 1
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # cp1252 on Windows, say, has few of our signs
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
        seen_enough = is_closed_pipe(error)  # the reader of our output has
        if not seen_enough:
            complain("error", f"cannot write to standard output: {error.strerror or error}")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0 if seen_enough else 1
    except MemoryError:
        complain("error", "there is not enough memory for this input")
        return 1
    except KeyboardInterrupt:
        return 130


def _plainly(error: UnicodeError) -> tuple[str, int]:
    """A plain sign for one of ours that an encoding lacks; other characters are escaped."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end].translate(PLAIN)
    return missing.encode("ascii", "backslashreplace").decode("ascii"), error.end


codecs.register_error(_plainly.__name__, _plainly)


def complain(kind: str, message: str) -> None:
    """One message on standard error, its text from files made harmless."""
    lines = [shown(_shortened(line)) for line in message.split("\n")]
    if sys.stderr is not None:
        with suppress(OSError):  # a full disk: nobody is left to be told
            print(f"corefscope: {kind}: " + "\n".join(lines), file=sys.stderr)


def _shortened(line: str) -> str:
    """A line without its middle if it is far too long: messages quote fields of files."""
    half = LONGEST_LINE // 2
    return line if len(line) <= LONGEST_LINE else f"{line[:half]} … {line[-half:]}"


def colourful(stream: Any, wish: str = "auto") -> bool:
    """Whether colours are welcome: on a terminal, unless NO_COLOR is set or the terminal is dumb; or as is wished."""
    if wish != "auto":
        return wish == "always"
    return bool(stream.isatty()) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def warn(warnings: Iterable[object], quiet: bool = False) -> None:
    """Say what was odd, unless people want quiet."""
    for warning in () if quiet else warnings:
        complain("warning", str(warning))


class ProgressBar:
    """A bar on standard error for work that takes longer than a second; nothing in a pipe."""

    def __init__(self, quiet: bool = False) -> None:
        self._visible = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._begun = time.monotonic()
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, number: int, total: int, name: str) -> None:
        """Say that document number ``number`` of ``total`` comes next; if nobody knows the total, say what comes."""
        if not self._visible or (total and time.monotonic() - self._begun < PATIENCE):
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import Progress as Bar

            self._bar = Bar(console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("scoring", total=total or None)
            self._bar.start()
        if total:
            self._bar.update(self._task, completed=number)
        else:
            self._bar.update(self._task, description=name, refresh=True)
