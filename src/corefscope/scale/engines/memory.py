"""The memory that this process may still take: what the machine has free, or less in a control group.

Slurm, Docker and Kubernetes limit memory by control groups (cgroups, versions 1 and 2), which ``/proc/meminfo`` does
not show. Every group on the path from that of the process to the root has a limit of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class CgroupVersion(NamedTuple):
    """Where a version of cgroups is mounted, and its files."""

    mount: str
    limits: tuple[str, ...]
    usage: str
    cache: str
    """The line of ``memory.stat`` with the bytes of files that are freed when memory is needed."""


VERSIONS = {
    1: CgroupVersion("memory", ("memory.limit_in_bytes",), "memory.usage_in_bytes", "total_inactive_file"),
    2: CgroupVersion("", ("memory.max", "memory.high"), "memory.current", "inactive_file"),
}


def free_memory(root: Path = Path("/")) -> int:
    """The free memory in bytes; 0 if the system does not say (only Linux does). ``root`` is that of all files."""
    available = _number_after("MemAvailable:", root / "proc/meminfo") * 1024
    return min([available, *_free_in_cgroups(root)]) if available else 0


def _free_in_cgroups(root: Path) -> Iterator[int]:
    """The bytes that each control group with a limit leaves to the process."""
    for line in _lines(root / "proc/self/cgroup"):
        number, controllers, path = line.split(":", 2)
        if number != "0" and "memory" not in controllers.split(","):
            continue
        version = VERSIONS[2 if number == "0" else 1]
        group = root / "sys/fs/cgroup" / version.mount
        for part in ["", *[part for part in path.split("/") if part not in ("", "..")]]:
            group /= part  # a container may see its own group at the root, and the path as the host has it
            limits = [int(text) for name in version.limits for text in _lines(group / name) if text.isdecimal()]
            if limits:
                used = sum(int(text) for text in _lines(group / version.usage) if text.isdecimal())
                yield max(min(limits) - used + _number_after(version.cache, group / "memory.stat"), 1)


def _number_after(name: str, path: Path) -> int:
    """The number after a name at the beginning of a line; 0 if there is none."""
    return next((int(words[1]) for words in map(str.split, _lines(path)) if words[:1] == [name]), 0)


def _lines(path: Path) -> list[str]:
    """The lines of a file; none if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
