"""Help on one screen, topics in full, and what shells ask."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from corefscope.cli import main
from corefscope.cli.arguments import GROUPED, SHARED
from corefscope.cli.help import TOPICS
from corefscope.cli.parser import COMMANDS, command_parser

SCREEN = 56  # lines


def helped(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as stopped:
        main([*arguments, "--help"])
    assert stopped.value.code == 0
    return capsys.readouterr().out


@pytest.fixture(autouse=True)
def eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def test_the_help_of_score_fits_one_screen(capsys: pytest.CaptureFixture[str]) -> None:
    lines = helped(capsys, "score").splitlines()
    assert len(lines) <= SCREEN
    assert lines[0] == "usage: corefscope score KEY RESPONSE [options]"
    titles = [line.rstrip(":") for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert titles == [
        "positional arguments",
        "options",
        *(title for title, briefs in GROUPED.items() if title and briefs),
        "examples",
    ]


@pytest.mark.parametrize("command", COMMANDS)
def test_no_line_of_help_is_wider_than_the_terminal(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    own = {line for line in command_parser(command).format_help().splitlines() if line.startswith("  corefscope ")}
    for line in helped(capsys, command).splitlines():
        assert len(line) <= 80 or line in own, line
        assert "None" not in line


def test_the_list_of_commands_says_nothing_odd(capsys: pytest.CaptureFixture[str]) -> None:
    text = helped(capsys)
    assert "None" not in text
    assert all(f"    {command}" in text for command in COMMANDS)


def test_every_shared_argument_has_a_place_in_short_help() -> None:
    placed = [name for briefs in GROUPED.values() for name in briefs]
    assert sorted(placed) == sorted(SHARED)


@pytest.mark.parametrize("topic", [*COMMANDS, "match", "rules", "formats", "jobs", *TOPICS])
def test_topics_are_explained_in_full(topic: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", topic]) == 0
    text = capsys.readouterr().out
    assert text.strip()
    if topic == "match":
        assert text.splitlines() == [
            "head: same head word; the best overlap if several mentions share it",
            "partial: part of the key mention that holds its head",
            "exact: the same words",
            "default: head for corefud keys, exact for others; exact under rules ua-1.0",
        ]
    if topic == "score":
        assert "  --match head|partial|exact\n" in text
        assert "cross-document coreference within topics" in text


def test_help_lists_its_topics_and_suggests_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help"]) == 0
    assert f"other topics: {', '.join(sorted(TOPICS))}\n" in capsys.readouterr().out
    assert main(["help", "macth"]) == 2
    assert "did you mean 'match'" in capsys.readouterr().err


# ---- completion


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
