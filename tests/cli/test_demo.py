"""``corefscope demo``: what it prints explains everything, and what it recommends works without files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from corefscope.cli import main
from corefscope.cli.demo import IN_PLAIN_WORDS
from corefscope.core.metrics import select


def shown(capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["demo"]) == 0
    return capsys.readouterr().out


def test_it_contains_what_score_prints(capsys: pytest.CaptureFixture[str]) -> None:
    explained = shown(capsys)
    assert main(["score", "--example"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(line in explained for line in lines)
    assert all(f"{line}   " in explained for line in lines[1:11])


def test_every_metric_is_explained() -> None:
    assert {*IN_PLAIN_WORDS} == {"", *select("corefud")}


def test_what_it_recommends_works_as_printed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^  corefscope (\S.*?)  ", shown(capsys), re.MULTILINE)
    assert len(commands) > 4
    for command in commands:
        if "KEY" not in command:
            assert main(command.split()) == 0, command
