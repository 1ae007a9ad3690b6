"""What must hold for a call of a program, however hostile its files and options are.

It ends soon, in little memory, with a documented exit code, and without a traceback or a warning of Python; what goes
wrong is said. What is printed for people has no control characters, and JSON is JSON. A call that fails leaves no
file behind, and no call leaves a temporary one.
"""

from __future__ import annotations

import io
import json
import os
import re
import resource
import shlex
import shutil
import sys
import unicodedata
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from time import process_time
from unittest import mock

from .calls import OUT, PROGRAMS, Call, write_files
from .checks import LONGEST, Hang, Outcome, alarm, foreign
from .minimise import minimised

CODES = {0, 1, 2, 3}
MOST_GROWTH = 300 << 20
"""Bytes of memory that one call may add: its files are a few kilobytes."""
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
WRITES_PROBLEMS = ("validate", "task", "score.py")
"""Commands whose output says what is wrong: it is written although the exit code is 1."""
WRITES_FILES = ("convert",)
"""Commands whose standard output is a file, with the characters that its words have."""
PAGES = ("report.html", "-")
"""Outside the output directory: the default of ``report``, and what it and ``perturb`` write to a path called -."""
ENDS_BADLY = ("Traceback (most recent call last)", "Exception ignored", "cannot write to standard output")
NOT_ENOUGH = "there is not enough memory"


class _Terminal(io.TextIOWrapper):
    """Standard output of a call."""

    def __init__(self, terminal: bool) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal

    def text(self) -> str:
        """All that was written."""
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode("utf-8", "replace")


def run_call(call: Call, folder: Path) -> Outcome:
    """Call a program in a new directory, which is removed afterwards."""
    place = folder / "call"
    place.mkdir()
    try:
        _prepare(call, place)
        with _within(place, call.columns):
            return _called(call, place)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _prepare(call: Call, place: Path) -> None:
    write_files(place, call.files)
    (place / OUT).mkdir()
    for name, target in call.links.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        if target:
            (place / name).symlink_to(target)
        else:
            os.mkfifo(place / name)


@contextmanager
def _within(place: Path, columns: int) -> Iterator[None]:
    """In a directory, with an environment that is as before afterwards."""
    before = os.getcwd()
    with mock.patch.dict(os.environ, {"COLUMNS": str(columns)}):
        os.chdir(place)
        try:
            yield
        finally:
            os.chdir(before)


def _called(call: Call, place: Path) -> Outcome:
    inputs = _listed(place)
    out, said = _Terminal(call.terminal), io.StringIO()
    failures: dict[str, str] = {}
    code: object = None
    begun, memory = process_time(), _peak()
    try:
        with alarm(LONGEST), redirect_stdout(out), redirect_stderr(said), _stdin(call.stdin), _strict():
            code = PROGRAMS[call.program](call.words)
    except SystemExit as error:  # argparse
        code = error.code
    except Hang:
        failures[f"{call.command} takes more than {LONGEST:.0f} s"] = ""
    except Exception as error:
        kind, _, case = foreign(error).partition(": ")
        failures[kind] = case
    seconds = process_time() - begun
    if _peak() - memory > MOST_GROWTH:
        failures[f"{call.command} takes more than {MOST_GROWTH >> 20} MB"] = f"{_peak() - memory >> 20} MB"
    if not failures:
        failures.update(_wrong(call, code, out.text(), said.getvalue(), sorted(_listed(place) - inputs)))
    line = f" ({shlex.join([call.program, *call.words])})"
    return Outcome(
        {f"on {call.formats}": code in (0, 3)}, {kind: case + line for kind, case in failures.items()}, seconds
    )


def _wrong(call: Call, code: object, out: str, said: str, written: list[str]) -> Iterator[tuple[str, str]]:
    """What must not be, of a call that has ended: its kind, and one case in words."""
    command, words = call.command, call.words
    if code not in CODES or (code == 3 and "--fail-under" not in words):
        yield f"{command} ends with exit code {code}", said
    for bad in ENDS_BADLY:
        if bad in said:
            yield f"{command} says {bad!r}", said
    if NOT_ENOUGH in said:
        yield f"{command} has not enough memory", said
    if code in (1, 2) and not said and not out and not written:
        yield f"{command} fails without a message", ""
    format_ = words[words.index("--format") + 1] if "--format" in words[:-1] else "text"
    for name, text in (("messages", said), ("standard output", out)):
        if name == "standard output" and (command in WRITES_FILES or not (call.terminal or format_ == "text")):
            continue
        if controls := _controls(call, text):
            yield f"control characters in {name} of {command} --format {format_}", f"{controls!r} in {text[:300]!r}"
    if format_ == "json" and code in (0, 3) and "--output" not in words and (problem := _json_problem(out)):
        yield f"{command} --format json prints what is no JSON", problem
    left = [name for name in written if ".part" in name or not name.startswith(OUT)]
    if code in (1, 2) and not (code == 1 and command in WRITES_PROBLEMS):
        left = written
    if left and not (code == 0 and command in ("report", "perturb") and left[0] in PAGES):
        yield f"{command} leaves files with exit code {code}", str(left)


def _controls(call: Call, text: str) -> set[str]:
    """Characters that a terminal obeys; but for our own colours, where there may be some."""
    if call.terminal or "--color" in call.words:
        text = COLOURS.sub("", text)
    return {c for c in set(text) if c not in "\n\t" and unicodedata.category(c) == "Cc"}


def _json_problem(text: str) -> str:
    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is no JSON")

    try:
        json.loads(text, parse_constant=refuse)
    except ValueError as error:
        return str(error)
    return ""


def _listed(place: Path) -> set[str]:
    return {
        os.path.relpath(os.path.join(parent, name), place)
        for parent, folders, files in os.walk(place)
        for name in (*files, *folders)
    }


@contextmanager
def _stdin(data: bytes) -> Iterator[None]:
    with mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")):
        yield


@contextmanager
def _strict() -> Iterator[None]:
    """Warnings of Python are errors: users would see them."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        yield


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def shortened(call: Call, fails: Callable[[Call], bool]) -> Call:
    """The call without the options and the content of files that it can do without."""
    for group in [group for group in call.arguments if group[0].startswith("-")]:
        shorter = call._replace(arguments=tuple(each for each in call.arguments if each is not group))
        call = shorter if fails(shorter) else call
    for name in list(call.files):
        without = call._replace(files={other: data for other, data in call.files.items() if other != name})
        if fails(without):
            call = without
            continue

        def fails_with(data: bytes, call: Call = call, name: str = name) -> bool:
            return fails(call._replace(files={**call.files, name: data}))

        call = call._replace(files={**call.files, name: minimised(call.files[name], fails_with)})
    return call


def save_call(call: Call, folder: Path, case: str) -> None:
    """Write the files of a call, and its command line, to a directory."""
    write_files(folder, {**call.files, **({"stdin": call.stdin} if call.stdin else {})})
    (folder / "call.txt").write_text(
        f"{shlex.join([call.program, *call.words])}\n{case}\n", errors="backslashreplace"
    )
