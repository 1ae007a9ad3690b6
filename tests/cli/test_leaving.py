"""A command ends at once if nobody could tell the difference, and as any other program if somebody could."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
LATE = "import atexit, os\natexit.register(os.write, 2, b'handler ran')\n"
KEPT = """
import os, sys

class Late:
    def __del__(self, write=os.write):
        write(2, b"gone")

sys.kept = Late()
"""


def _python(*words: str, path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Python with a ``sitecustomize`` at a path."""
    paths = os.pathsep.join([str(path), str(SOURCE)])
    known = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [sys.executable, *words],
        env={**known, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("module", ["corefscope", "corefscope.cli.compat.corefud"])
def test_codes_output_and_exit_handlers_are_those_of_any_program(module: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(LATE)
    command = ("score",) if module == "corefscope" else ()
    failed = _python("-m", module, *command, "absent.conllu", "absent.conllu", path=tmp_path)
    assert failed.returncode == 1
    assert "absent.conllu: no such file" in failed.stderr
    assert failed.stderr.endswith("handler ran")


def test_output_is_whole(tmp_path: Path) -> None:
    at_once = _python("-m", "corefscope", "metrics", path=tmp_path)
    in_full = _python("-X", "dev", "-m", "corefscope", "metrics", path=tmp_path)
    assert at_once.returncode == 0
    assert at_once.stdout == in_full.stdout != ""


def test_objects_are_taken_apart_only_if_somebody_looks(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(KEPT)
    assert "gone" not in _python("-m", "corefscope", "presets", path=tmp_path).stderr
    for words, environment in (
        (("-X", "dev", "-m", "corefscope", "presets"), {}),
        (("-m", "corefscope", "presets"), {"PYTHONDEVMODE": "1"}),
        (("-c", "import runpy; runpy.run_module('corefscope')", "presets"), {}),
        (("-m", "trace", "--count", "-C", str(tmp_path), "--module", "corefscope", "presets"), {}),
    ):
        assert _python(*words, path=tmp_path, **environment).stderr.endswith("gone"), words


def test_a_profiler_says_what_it_has_seen(tmp_path: Path) -> None:
    profiled = _python("-m", "cProfile", "-m", "corefscope", "presets", path=tmp_path)
    assert "function calls" in profiled.stdout


def test_threads_are_waited_for(tmp_path: Path) -> None:
    late = "import threading, time, os\n"
    late += "threading.Timer(0.5, os.write, (2, b'thread ran')).start()\n"
    (tmp_path / "sitecustomize.py").write_text(late)
    assert _python("-m", "corefscope", "presets", path=tmp_path).stderr.endswith("thread ran")
