"""The machine: what it is, and how fast it runs plain Python."""

from __future__ import annotations

import os
import platform
import re
import time
from pathlib import Path

LAST_CHECKED = 0.41
"""Seconds that the calibration takes on the machine on which the goals were last checked."""


def facts() -> str:
    """CPU model, number of cores, Python version and system."""
    cores = os.cpu_count() or 1
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{_cpu_model()}, {cores} core{'s' if cores > 1 else ''}, {python}, {platform.system()}"


def _cpu_model() -> str:
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        found = None
    return found[1].strip() if found else platform.processor() or platform.machine()


def calibrate() -> float:
    """CPU seconds of a fixed workload like that of a scorer: lines are split and matched, values are counted."""
    lines = [
        f"{i % 31}\tword{i % 997}\tlemma{i % 499}\tNOUN\tNN\tNumber=Sing\t{i % 29}\tobl\t_\tEntity=(e{i % 211}-x-1-)"
        for i in range(20_000)
    ]
    pattern = re.compile(r"Entity=\(([^()\-]+)-([^()\-]*)-([0-9]+)")
    started = time.process_time()
    for _ in range(27):
        counts: dict[tuple[str, str], int] = {}
        for line in lines:
            columns = line.split("\t")
            found = pattern.search(columns[9])
            cell = (columns[1], found[1] if found else "")
            counts[cell] = counts.get(cell, 0) + 1
        _ = sum(n * n / (n + 1) for n in counts.values())
    return time.process_time() - started


def compared(seconds: float) -> str:
    """What the calibration says of this machine."""
    ratio = seconds / LAST_CHECKED
    return f"calibration: {seconds:.3f} s ({ratio:.2f} times the {LAST_CHECKED:.2f} s of the last check)"
