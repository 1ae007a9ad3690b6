"""What docs/papers.md promises: every command runs as it is printed, every test that it names is there."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from corefscope.cli import main
from places import EXAMPLE_KEY, GOLDEN, REPOSITORY

PAGE = (REPOSITORY / "docs" / "papers.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## What the papers do\n")[2].partition("\n## ")[0]
ROWS = [re.split(r"(?<!\\) \| ", row.strip("| ")) for row in SECTION.splitlines() if row.startswith("| ")][1:]
ITEMS = [row for row in ROWS if len(row) == 3 and not row[0].startswith("**")]
COMMANDS = [
    command
    for row in ITEMS
    for command in re.findall(r"`corefscope ([^`]+ [^`]+)`", row[1])
    if command != "explain blanc"  # of files that are not named
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the commands above the table make."""
    setup = SECTION.partition("```\n")[2].partition("```")[0].splitlines()
    assert [line.split()[0] for line in setup] == ["mkdir", "cp", "cd", "corefscope"]
    sources = [REPOSITORY / name.removesuffix("/*") for name in setup[1].split()[2:-1]]
    assert sources == [GOLDEN / "papers", EXAMPLE_KEY.parent]
    shutil.copytree(sources[0], tmp_path / "papers")
    shutil.copytree(sources[1], tmp_path / "papers" / "examples")
    monkeypatch.chdir(tmp_path / "papers")
    assert main([*setup[3].split()[1:], "--quiet"]) == 0
    published = Path("luo-2014-blanc.csv").read_text(encoding="utf-8").replace(",blanc,", ",muc,")
    Path("published.csv").write_text(published, encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_every_command_runs_as_it_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib", reason="some commands draw")
    monkeypatch.setenv("COLUMNS", "80")
    assert len(COMMANDS) > 20
    for command in COMMANDS:
        assert main(shlex.split(command)) == 0, command
        out = capsys.readouterr().out
        tables = [line for line in out.splitlines() if "|" not in line and not line.startswith("  ")]
        assert all(len(line) <= 80 for line in tables) or "cite" in command or "metrics" in command, command


@pytest.mark.usefixtures("folder")
def test_the_figures_of_the_page_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    expected = {
        "--metrics anaphora": ["Anaphora (classes)  100.00      40.62"],  # 9/9, 13/32
        "explain anaphora_classes": ["Recall     9 / 9", "Precision  13 / 32"],
        "compare table-6": ["53.33", "60.69"],
        "score sample": ["MUC (P-B)               84.62      78.57  81.48"],
        "explain blanc": ["non-coreference links, F1"],
        "--baseline noisy": ["baseline  read 2 documents", "|baseline:file-"],
        "correlate luo": ["over 53 systems: conll-2011:lee, ", "… conll-2012-chinese:zhekova", "MUC "],
        "cite": ["A Guide to Numeric Measures"],
    }
    for part, figures in expected.items():
        command = next(command for command in COMMANDS if part in f"{command} ")
        assert main(shlex.split(command)) == 0
        out = capsys.readouterr().out
        assert [figure for figure in figures if figure not in out] == [], command


def test_every_item_has_a_command_and_a_test_that_exists() -> None:
    assert len(ITEMS) >= 25
    modules = [path.read_text(encoding="utf-8") for path in (REPOSITORY / "tests").rglob("test_*.py")]
    tests = {name for module in modules for name in re.findall(r"^def (test_\w+)\(", module, re.MULTILINE)}
    for item, how, held in ITEMS:
        assert "`" in how, item
        named = re.findall(r"`(test_\w+)`", held)
        assert named, item
        assert tests.issuperset(named), item


def test_every_section_of_the_papers_that_is_lost_is_listed() -> None:
    lost = PAGE.partition("## What cannot be recomputed\n")[2].partition("\n## ")[0]
    for table in ("Tables 7-11, Figures 1-2", "Tables 1-3, Figure 1", "Tables 6-7", "Table 3 of Luo et al.", "D-err"):
        assert table in lost
