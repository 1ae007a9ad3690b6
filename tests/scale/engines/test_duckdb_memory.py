"""Free memory is the least that the machine and the control groups of the process leave."""

from __future__ import annotations

from pathlib import Path

import pytest

from corefscope.scale.engines.duckdb import free_memory

GB = 1 << 30
JOB = "/slurm/uid_1000/job_7"
SCOPE = "/system.slice/slurmstepd.scope/job_7/step_0"


def _files(root: Path, files: dict[str, str]) -> Path:
    """A root with these files, on a machine that has 32 GB free."""
    for name, text in {"proc/meminfo": f"MemTotal: 99999999 kB\nMemAvailable: {32 << 20} kB\n", **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def _v1(group: str, limit: int, usage: int, cache: int = 0) -> dict[str, str]:
    there = f"sys/fs/cgroup/memory{group}"
    return {
        f"{there}/memory.limit_in_bytes": f"{limit}\n",
        f"{there}/memory.usage_in_bytes": f"{usage}\n",
        f"{there}/memory.stat": f"inactive_file 1\ntotal_inactive_file {cache}\n",
    }


def _v2(group: str, limit: int | str, usage: int, cache: int = 0) -> dict[str, str]:
    there = f"sys/fs/cgroup{group}"
    return {
        f"{there}/memory.max": f"{limit}\n",
        f"{there}/memory.current": f"{usage}\n",
        f"{there}/memory.stat": f"anon 5\ninactive_file {cache}\n",
    }


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, 32 * GB),
        ({"proc/self/cgroup": "0::/user.slice\n"}, 32 * GB),
        ({"proc/self/cgroup": f"0::{SCOPE}\n", **_v2(SCOPE, "max", GB)}, 32 * GB),
        ({"proc/self/cgroup": f"0::{SCOPE}\n", **_v2(SCOPE, 8 * GB, GB)}, 7 * GB),
        ({"proc/self/cgroup": f"0::{SCOPE}\n", **_v2(SCOPE, 8 * GB, 5 * GB, 2 * GB)}, 5 * GB),
        # The limit of a job holds for all its steps.
        ({"proc/self/cgroup": f"0::{SCOPE}\n", **_v2(str(Path(SCOPE).parent), 4 * GB, GB)}, 3 * GB),
        ({"proc/self/cgroup": f"0::{SCOPE}\n", **_v2(SCOPE, 9 * GB, 0), **_v2("/system.slice", 6 * GB, 0)}, 6 * GB),
        ({"proc/self/cgroup": "0::/\n", **_v2("", 2 * GB, GB)}, GB),  # a container with a name space of its own
        ({"proc/self/cgroup": "0::/../../pod\n", **_v2("", 2 * GB, GB)}, GB),
        ({"proc/self/cgroup": "0::/a\n", **_v2("/a", "max", GB), "sys/fs/cgroup/a/memory.high": f"{3 * GB}"}, 2 * GB),
        ({"proc/self/cgroup": f"5:cpu:/\n4:memory:{JOB}\n0::/\n", **_v1(JOB, 8 * GB, GB)}, 7 * GB),
        ({"proc/self/cgroup": f"4:cpu,memory:{JOB}\n", **_v1(JOB, 8 * GB, 5 * GB, GB)}, 4 * GB),
        # Docker mounts the group of the container at the root, and names the path of the host.
        ({"proc/self/cgroup": "4:memory:/docker/4f2a\n", **_v1("", 2 * GB, GB)}, GB),
        ({"proc/self/cgroup": f"4:memory:{JOB}\n", **_v1(JOB, (1 << 63) - 4096, GB)}, 32 * GB),  # no limit
        ({"proc/self/cgroup": f"4:cpu:{JOB}\n", **_v1(JOB, GB, 0)}, 32 * GB),
        ({"proc/self/cgroup": f"0::{SCOPE}\n", **_v2(SCOPE, GB, 2 * GB)}, 1),  # 0 would be: not known
    ],
)
def test_the_least_that_is_left_on_the_path(files: dict[str, str], expected: int, tmp_path: Path) -> None:
    assert free_memory(_files(tmp_path, files)) == expected


def test_other_systems_do_not_say(tmp_path: Path) -> None:
    assert free_memory(tmp_path) == 0
    assert free_memory() >= 0
