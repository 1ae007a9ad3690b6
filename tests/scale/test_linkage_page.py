"""The commands and options of docs/linkage.md are ones that exist; its Python is run with that of all pages."""

from __future__ import annotations

import re
import shlex

import pytest

from corefscope.cli import main
from corefscope.cli.parser import command_parser
from corefscope.core.metrics import GROUPS, METRICS
from corefscope.formats.tables.reader import COLUMNS
from places import REPOSITORY

PAGE = (REPOSITORY / "docs" / "linkage.md").read_text(encoding="utf-8")


def test_commands_are_understood() -> None:
    commands = re.findall(r"^corefscope (score .*)$", PAGE, re.MULTILINE)
    parsed = [command_parser("score").parse_args(shlex.split(command)[1:]) for command in commands]
    assert len([arguments for arguments in parsed if arguments.engine == "duckdb"]) >= 4


def test_options_that_the_page_names_exist(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "score"]) == 0
    shown = capsys.readouterr().out
    named = set(re.findall(r"--[a-z]+(?:-[a-z]+)*", PAGE)) - {"--deploy-mode", "--archives"}
    assert len(named) > 10
    assert not [option for option in named if option not in shown]


def test_the_page_names_columns_and_what_is_refused() -> None:
    for aliases in COLUMNS.values():
        assert all(f"`{alias}`" in PAGE for alias in aliases)
    for name, metric in METRICS.items():
        if metric.not_from_histogram:
            groups = [group for group in ("anaphora", "empty-nodes") if name in GROUPS[group]]
            assert any(f"`{named}`" in PAGE for named in (name, *groups)), name
