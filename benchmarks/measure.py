"""Running a command and asking the kernel what it took."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryFile
from threading import Timer
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
DATA = "DATA"
"""The environment variable that names a directory with GUM dev, if the data are to be real."""
PATIENCE = 300.0  # seconds of waiting, after which a run is given up

Command = tuple[str, ...]


class Run(NamedTuple):
    """What one run took: CPU seconds, peak memory in bytes, what it printed, and what went wrong, if anything.

    Processes that the command itself has started and awaited count as well; the peak is that of the largest.
    """

    cpu: float
    elapsed: float
    """Seconds on the clock."""
    peak: int
    printed: str
    fault: str
    written: int = 0
    """Bytes of the file that was to be written."""
    note: str = ""
    """What it says besides."""


class Job(NamedTuple):
    """A command to run several times.

    If ``inner``, the command prints the CPU seconds that count, because something else in it should not. If it
    ``writes`` a file, the size of that is of interest.
    """

    command: Command
    runs: int
    inner: bool = False
    writes: str = ""
    medians: bool = False
    patience: float = PATIENCE


class Best(NamedTuple):
    """The best of several runs, or their medians; figures need not be of the same run."""

    cpu: float
    elapsed: float
    peak: int
    written: int
    fault: str
    note: str = ""


def environment(scratch: Path) -> dict[str, str]:
    """The environment of all processes: byte code is kept, out of the repository, and hashes are the same."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(scratch / "bytecode"), "PYTHONHASHSEED": "0"}


def run(command: Command, variables: Mapping[str, str], patience: float = PATIENCE) -> Run:
    """Run a command to its end, or for as long as patience lasts."""
    with TemporaryFile() as output, TemporaryFile() as errors:
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=output, stderr=errors, cwd=ROOT, env=variables)
        timer = Timer(patience, process.kill)
        timer.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        finally:
            timer.cancel()
        elapsed = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        printed = output.read().decode(errors="replace")
        fault = _fault(process.returncode, errors.read().decode(errors="replace"), patience)
    unit = 1 if sys.platform == "darwin" else 1024
    return Run(usage.ru_utime + usage.ru_stime, elapsed, usage.ru_maxrss * unit, printed, fault)


def _fault(code: int, complaint: str, patience: float) -> str:
    """Why a process failed: the last line it wrote that is not indented."""
    if code == 0:
        return ""
    if code < 0:
        return f"killed by signal {-code} (runs are given up after {patience:.0f} s)"
    return [f"exit code {code}", *(line for line in complaint.splitlines() if line[:1].strip())][-1]


def take_turns(
    jobs: Mapping[str, Job], variables: Mapping[str, str], announce: Callable[[str], None]
) -> dict[str, Best]:
    """Run all jobs, each as often as it wants, in turns; one that fails is not tried again."""
    found: dict[str, list[Run]] = {name: [] for name in jobs}
    for turn in range(max(job.runs for job in jobs.values())):
        for name, job in jobs.items():
            if turn < job.runs and not any(earlier.fault for earlier in found[name]):
                announce(f"turn {turn + 1}: {name}")
                outcome = _with_size(run(job.command, variables, job.patience), job.writes)
                found[name].append(_inner(outcome) if job.inner else outcome)
    return {name: _best(runs, median if jobs[name].medians else min) for name, runs in found.items()}


def _inner(outcome: Run) -> Run:
    """The run with the seconds that it printed itself, and the note after them."""
    if outcome.fault:
        return outcome
    seconds, _, note = outcome.printed.strip().partition(" ")
    try:
        return outcome._replace(cpu=float(seconds), note=note)
    except ValueError:
        return outcome._replace(fault=f"{outcome.printed[:40]!r} instead of seconds")


def _with_size(outcome: Run, path: str) -> Run:
    """The run with the size of the file that it has written."""
    if not path or outcome.fault:
        return outcome
    try:
        return outcome._replace(written=Path(path).stat().st_size)
    except OSError as error:
        return outcome._replace(fault=f"{path}: {error.strerror}")


def _best(runs: Sequence[Run], of: Callable[[list[float]], float]) -> Best:
    """The least that the runs took, or the median."""
    fault = next((each.fault for each in runs if each.fault), "")
    return Best(
        of([each.cpu for each in runs]),
        of([each.elapsed for each in runs]),
        min(each.peak for each in runs),
        max(each.written for each in runs),
        fault,
        runs[-1].note,
    )
