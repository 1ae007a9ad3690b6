"""What docs/scale.md shows is what happens: its Python prints what it says, its commands are ones that exist.

``make docs`` writes what its Python prints now.
"""

from __future__ import annotations

import re
import shlex

import pytest

from corefscope.cli import main
from corefscope.cli.parser import command_parser
from corefscope.count.metrics import METRICS
from corefscope.read.ids.table import COLUMNS
from places import REPOSITORY
from tests.test_readme import PYTHON, _with_output

PATH = REPOSITORY / "docs" / "scale.md"
PAGE = PATH.read_text(encoding="utf-8")


def test_examples_print_what_the_page_shows() -> None:
    """In order, in one namespace; those of a cluster are not of this kind."""
    pytest.importorskip("duckdb")
    namespace: dict[str, object] = {}
    blocks = PYTHON.findall(PAGE)
    assert len(blocks) >= 3
    for block in blocks:
        assert _with_output(block, namespace) == block


def test_commands_are_understood() -> None:
    commands = re.findall(r"^corefscope (score .*)$", PAGE, re.MULTILINE)
    assert len(commands) >= 4
    for command in commands:
        parsed = command_parser("score").parse_args(shlex.split(command)[1:])
        assert parsed.engine == "duckdb"


def test_options_that_the_page_names_exist(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["score", "--help"])
    shown = capsys.readouterr().out
    named = set(re.findall(r"--[a-z]+(?:-[a-z]+)*", PAGE)) - {"--conf"}
    assert len(named) > 10
    assert not [option for option in named if option not in shown]


def test_the_page_names_columns_and_what_is_refused() -> None:
    for aliases in COLUMNS.values():
        assert all(f"`{alias}`" in PAGE for alias in aliases)
    for name, metric in METRICS.items():
        if metric.not_from_looks:
            assert f"`{name}`" in PAGE or ("`anaphora`" in PAGE and name.startswith("anaphora"))


if __name__ == "__main__":
    names: dict[str, object] = {}
    page = PYTHON.sub(lambda block: f"```python\n{_with_output(block[1], names)}```", PAGE)
    PATH.write_text(page, encoding="utf-8")
