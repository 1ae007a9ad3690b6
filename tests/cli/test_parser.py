"""The parser of the command line: help of commands, groups of arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

from corefscope.cli import main
from corefscope.cli.arguments import example_files
from corefscope.cli.parser import COMMANDS, EVERYDAY, GROUPS, INPUTS, command_parser, fitted, options_of


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
    assert max(map(len, text.splitlines())) <= 80
    assert "None" not in head


@pytest.mark.parametrize("command", COMMANDS)
def test_every_argument_has_help(command: str) -> None:
    assert all(action.help for action in command_parser(command).actions)


def test_the_list_of_commands_says_what_each_does(capsys: pytest.CaptureFixture[str]) -> None:
    text = helped(capsys)
    assert all(f"\n  {name}" in text and row.title in text for name, row in COMMANDS.items())
    everyday = text.partition(f"{EVERYDAY}:\n")[2].partition("\n\n")[0]
    assert [line.split()[0] for line in everyday.splitlines()] == [
        *("score", "errors", "report", "compare", "validate", "convert")
    ]
    assert len(text.splitlines()) <= 40


def test_a_long_example_is_broken_as_shells_take_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    assert fitted("  corefscope score key.conllu response.conllu") == (
        "  corefscope score \\\n      key.conllu \\\n      response.conllu"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-m", "muc"], "did you mean '--metrics' or"),
        (["--lea"], "unknown option '--lea' (did you mean '--metrics lea'?)"),
        (["--b3"], "did you mean '--metrics bcub'?"),
        (["--exact"], "did you mean '--match exact'?"),
        (["--metrcs", "muc"], "did you mean '--metrics'"),
    ],
)
def test_an_unknown_option_gets_a_suggestion(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", *words, "--example"]) == 2
    assert message in capsys.readouterr().err


def test_options_may_stand_between_files(capsys: pytest.CaptureFixture[str]) -> None:
    key, response = example_files("key", "response")
    assert main(["score", key, "--metrics", "lea", response]) == 0
    assert "LEA" in capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_that_take_a_key_and_a_response_have_an_example(command: str) -> None:
    parser = command_parser(command)
    operands = " ".join(str(action.metavar) for action in parser.actions if not action.option_strings)
    assert bool(parser.example) == ("KEY" in operands and "RESPONSE" in operands)


@pytest.mark.parametrize("words", ["score", "errors", "explain muc", "explain-difference 72.88", "diff", "compare"])
def test_the_example_needs_no_files(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words.split(), "--example"]) == 0
    assert capsys.readouterr().out


def test_the_example_takes_no_files(capsys: pytest.CaptureFixture[str]) -> None:
    (key,) = example_files("key")
    assert main(["compare", key, "--example"]) == 2
    assert "--example has a key and responses of its own" in capsys.readouterr().err


def test_the_example_can_replace_its_output(tmp_path: Path) -> None:
    for _ in range(2):
        assert main(["score", "--example", "-o", str(tmp_path / "scores.md")]) == 0


def test_missing_files_are_named_with_a_way_to_do_without(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["errors"])
    err = capsys.readouterr().err
    assert "required: KEY, RESPONSE" in err
    assert "hint: no files at hand? corefscope errors --example" in err


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_that_read_files_limit_their_size(command: str) -> None:
    parser = command_parser(command)
    reads = any(action.dest in INPUTS for action in parser.actions)
    assert ("--max-unpacked" in options_of(parser)) == reads
