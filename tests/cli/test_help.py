"""``corefscope help``: commands, options and other topics."""

from __future__ import annotations

import pytest

from corefscope.cli import main
from corefscope.cli.help import TOPICS
from corefscope.cli.parser import COMMANDS
from corefscope.core.metrics import METRICS
from corefscope.output.text import width_of


@pytest.fixture(autouse=True)
def eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def explained(topic: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["help", topic]) == 0
    return capsys.readouterr().out


def test_an_option_is_explained_with_all_its_values(capsys: pytest.CaptureFixture[str]) -> None:
    assert explained("match", capsys).splitlines() == [
        "how mentions are matched (default: head for corefud keys, exact for others;",
        "partial under rules corefud-1.0; exact under rules ua-1.0, ua-2.0, bookcoref)",
        "  head: same head word; the best overlap if several mentions share it",
        "  partial: part of the key mention that holds its head",
        "  exact: the same words",
    ]


@pytest.mark.parametrize("topic", ["rules", "formats", "engine", "jobs", "prompt", *METRICS, *TOPICS])
def test_topics_fit_the_terminal(topic: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = explained(topic, capsys).splitlines()
    assert lines
    assert max(map(width_of, lines)) <= 80


@pytest.mark.parametrize("command", ["score", "cite"])
def test_the_help_of_a_command_is_that_of_its_option(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = explained(command, capsys)
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert capsys.readouterr().out == text


def test_a_metric_is_a_topic_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert explained("b3", capsys) == explained("bcub", capsys)
    assert "bcub: B³" in explained("b3", capsys)


def test_help_lists_its_topics_and_suggests_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help"]) == 0
    out = capsys.readouterr().out
    assert f"other topics: {', '.join(sorted([*TOPICS, 'prompt']))}\n" in out
    assert all(f"\n  {command}" in out for command in COMMANDS)
    assert main(["help", "macth"]) == 2
    assert "did you mean 'match'" in capsys.readouterr().err
