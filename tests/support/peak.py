"""Commands in a process of their own, with a limit on memory: how they end, and how much they took at most."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

AT_ONCE = "import sys; from corefscope.cli import main; sys.exit(main())"


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    said: str
    """Standard error."""
    peak: int
    """The largest resident set, in bytes."""


def run_limited(*arguments: object, limit: int = 4 << 30, cwd: Path | None = None) -> Ended:
    """Run the command line; if it asks for more address space than ``limit``, it fails instead of the machine."""

    def begin() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    command = [sys.executable, "-c", AT_ONCE, *map(str, arguments)]
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said, preexec_fn=begin, cwd=cwd)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read().decode("utf-8", "replace")
    unit = 1 if sys.platform == "darwin" else 1 << 10
    return Ended(process.returncode, text, usage.ru_maxrss * unit)
