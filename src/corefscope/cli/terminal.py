"""What is said to people: notes and complaints on standard error, progress on a terminal."""

from __future__ import annotations

import codecs
import io
import os
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from ..base.errors import CorefscopeError, OptionError, is_closed_pipe
from ..show.text import shown
from .signals import stoppable

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
