"""Commands in a process of their own, with a limit on memory: how they end, and how much they took at most."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

AT_ONCE = "import sys; from corefscope.cli import main; sys.exit(main())"
MEASURED = """
import resource, subprocess, sys
limit, *command = sys.argv[1:]
resource.setrlimit(resource.RLIMIT_AS, (int(limit), int(limit)))
code = subprocess.call([sys.executable, "-c", *command], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code % 256)
"""
"""A small process that starts the command: the peak of a process is at least what its parent takes when it starts."""


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    said: str
    """Standard error."""
    peak: int
    """The largest resident set, in bytes."""


def run_limited(*arguments: object, limit: int = 4 << 30, cwd: Path | None = None) -> Ended:
    """Run the command line; if it asks for more address space than ``limit``, it fails instead of the machine."""
    command = [sys.executable, "-c", MEASURED, str(limit), AT_ONCE, *map(str, arguments)]
    ended = subprocess.run(command, capture_output=True, cwd=cwd, check=False)
    unit = 1 if sys.platform == "darwin" else 1 << 10
    return Ended(ended.returncode, ended.stderr.decode("utf-8", "replace"), int(ended.stdout) * unit)
