"""``corefscope completion``: scripts, and answers to shells."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from corefscope.cli import main


@pytest.mark.parametrize(
    ("line", "answers"),
    [
        ("corefscope sc", {"score"}),
        ("corefscope score a b --ma", {"--match", "--max-unpacked"}),
        ("corefscope score a b --match ", {"head", "partial", "exact"}),
        ("corefscope score a b --baseline ", {"none", "all", "random"}),
        ("corefscope compare a b --metrics muc,le", {"muc,lea"}),
        ("corefscope completion f", {"fish"}),
    ],
)
def test_a_shell_is_told_how_a_line_may_go_on(line: str, answers: set[str], tmp_path: Path) -> None:
    pytest.importorskip("argcomplete")
    answered = tmp_path / "answered"
    asked = {"_ARGCOMPLETE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line)), "COMP_TYPE": "9"}
    more = {"_ARGCOMPLETE_STDOUT_FILENAME": str(answered), "_ARGCOMPLETE_IFS": "\n"}
    command = [sys.executable, "-m", "corefscope"]
    assert subprocess.run(command, env={**os.environ, **asked, **more}, check=False).returncode == 0
    assert set(map(str.strip, answered.read_text().splitlines())) == answers


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_is_one(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("argcomplete")
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "corefscope" in script
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} to read its script")
    assert subprocess.run([shell, "-n"], input=script, text=True, check=False).returncode == 0


def test_an_unknown_shell_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["completion", "tcsh"])
    assert "unknown shell 'tcsh'" in capsys.readouterr().err
