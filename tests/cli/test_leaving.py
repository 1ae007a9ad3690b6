"""A command ends as any other Python program: exit handlers run, threads are joined, objects are destroyed."""

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


def _python(*words: str, path: Path) -> subprocess.CompletedProcess[str]:
    """Python with a ``sitecustomize`` at a path."""
    paths = os.pathsep.join([str(path), str(SOURCE)])
    known = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [sys.executable, *words],
        env={**known, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("module", ["corefscope", "corefscope.compat.commands.corefud"])
def test_codes_output_and_exit_handlers_are_those_of_any_program(module: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(LATE)
    command = ("score",) if module == "corefscope" else ()
    failed = _python("-m", module, *command, "absent.conllu", "absent.conllu", path=tmp_path)
    assert failed.returncode == 1
    assert "absent.conllu: no such file" in failed.stderr
    assert failed.stderr.endswith("handler ran")


def test_objects_are_destroyed_at_the_end(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(KEPT)
    for words in (
        ("-m", "corefscope", "presets"),
        ("-X", "dev", "-m", "corefscope", "presets"),
        ("-c", "import runpy; runpy.run_module('corefscope')", "presets"),
        ("-m", "trace", "--count", "-C", str(tmp_path), "--module", "corefscope", "presets"),
    ):
        assert _python(*words, path=tmp_path).stderr.endswith("gone"), words


def test_the_garbage_collector_keeps_its_settings(tmp_path: Path) -> None:
    watched = """
import gc, sys
before = gc.get_threshold()
from corefscope.cli import main, terminal
start = terminal.ProgressBar.__enter__

def enter(self):
    print(gc.isenabled(), gc.get_threshold() == before, file=sys.stderr)
    return start(self)

terminal.ProgressBar.__enter__ = enter
main(["score", sys.argv[1], sys.argv[1]])
print(gc.isenabled(), gc.get_threshold() == before, gc.get_freeze_count(), file=sys.stderr)
"""
    example = SOURCE / "corefscope" / "read" / "examples" / "key.conllu"
    run = _python("-c", watched, str(example), path=tmp_path)
    assert run.stderr == "True True\nTrue True 0\n"


def test_a_profiler_says_what_it_has_seen(tmp_path: Path) -> None:
    profiled = _python("-m", "cProfile", "-m", "corefscope", "presets", path=tmp_path)
    assert "function calls" in profiled.stdout


def test_threads_are_waited_for(tmp_path: Path) -> None:
    late = "import threading, time, os\n"
    late += "threading.Timer(0.5, os.write, (2, b'thread ran')).start()\n"
    (tmp_path / "sitecustomize.py").write_text(late)
    assert _python("-m", "corefscope", "presets", path=tmp_path).stderr.endswith("thread ran")
