"""The parser of the command line: help of commands, groups of arguments."""

from __future__ import annotations

import pytest

from corefscope.cli import main
from corefscope.cli.parser import COMMANDS, GROUPS, INPUTS, command_parser, options_of


def helped(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as stopped:
        main([*arguments, "--help"])
    assert stopped.value.code == 0
    return capsys.readouterr().out


@pytest.fixture(autouse=True)
def eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def test_the_help_of_score_has_its_groups_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    lines = helped(capsys, "score").splitlines()
    assert lines[0] == "usage: corefscope score KEY RESPONSE [options]"
    titles = [line.removesuffix(":") for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert titles == ["positional arguments", "options", *GROUPS[1:-1], "examples"]
    assert lines[-1] == "'corefscope help OPTION' explains the values of an option."


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_the_terminal_and_has_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = helped(capsys, command)
    head, _, examples = text.partition("examples:\n")
    assert "  corefscope " in examples or "completion" in examples
    assert max(map(len, head.splitlines())) <= 80
    assert "None" not in head


@pytest.mark.parametrize("command", COMMANDS)
def test_every_argument_has_help(command: str) -> None:
    assert all(action.help for action in command_parser(command).actions)


def test_the_list_of_commands_says_what_each_does(capsys: pytest.CaptureFixture[str]) -> None:
    text = helped(capsys)
    assert all(f"    {name}" in text and row.title in " ".join(text.split()) for name, row in COMMANDS.items())


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_that_read_files_limit_their_size(command: str) -> None:
    parser = command_parser(command)
    reads = any(action.dest in INPUTS for action in parser.actions)
    assert ("--max-unpacked" in options_of(parser)) == reads
