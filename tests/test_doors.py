"""Each door of the landing page leads to a result in three steps: read it, follow its link, run the command there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from corefscope.output.pages.serve import serve_app
from npm import installed
from pages import output, prepare, with_output
from places import REPOSITORY
from serving import running

DOCS = REPOSITORY / "docs"
LANDING = (DOCS / "index.md").read_text(encoding="utf-8")
DOOR = re.compile(r"^- \*\*\[(I [^\]]+)\]\(([\w/-]+\.md)\)\*\*: ((?:.+\n)(?:  .+\n)*)", re.MULTILINE)
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RESULTS = {
    "I have a CorefUD system": "72.88",
    "I train a model": "0.70",
    "I organise a shared task": "89.19",
    "I have the output of a language model": "66.67",
    "I link records": "Adjusted Rand",
    "I annotate": "87.67",
    "I have no Python": "72.88",
}
"""The doors, and what people see in the end."""
LONG = 60_000  # milliseconds


class Door(NamedTuple):
    """One line of the landing page."""

    who: str
    page: Path
    command: str


def _doors() -> list[Door]:
    found = []
    for who, page, text in DOOR.findall(LANDING):
        command = re.search(r"`([^`]+)`", text)
        found.append(Door(who, DOCS / page, command[1] if command else ""))
    return found


DOORS = _doors()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files that people bring with them."""
    prepare(tmp_path)
    rows = {"key.csv": "d,1,a d,2,a d,3,b d,4,b", "response.csv": "d,1,a d,2,a d,3,a d,4,b"}
    for name, lines in rows.items():
        (tmp_path / name).write_text("\n".join(["document,mention,entity", *lines.split(), ""]), encoding="utf-8")
    return tmp_path


def test_the_landing_page_is_short_and_has_every_door() -> None:
    assert len(LANDING.split()) <= 300
    assert [door.who for door in DOORS] == list(RESULTS)


def test_the_first_command_needs_no_files(tmp_path: Path) -> None:
    _, commands = BLOCK.search(LANDING).groups()  # type: ignore[union-attr]
    install, *others = commands.splitlines()
    assert install == "pip install corefscope"
    assert others
    for command in others:
        assert "72.88" in output(f"$ {command}", tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("door", [door for door in DOORS if door.command], ids=lambda door: door.page.stem)
def test_a_door_leads_to_a_result_in_three_steps(door: Door, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first block of the page with the command of the door; a command may have more options there."""
    monkeypatch.chdir(folder)
    language, block = next(
        (language, block)
        for language, block in BLOCK.findall(door.page.read_text(encoding="utf-8"))
        if door.command in block
    )
    if language == "python":
        result = with_output(block, {"__name__": "page"})
    else:
        lines = [line.removeprefix("$ ") for line in block.splitlines()]
        result = output("$ " + next(line for line in lines if line.startswith(door.command)), folder)
        assert "corefscope: error" not in result
    assert RESULTS[door.who] in result


def test_without_python_the_door_is_the_app(browser: Any) -> None:
    """On the landing page, the link; in the app, the example and the score."""
    (door,) = [door for door in DOORS if not door.command]
    assert door.who == "I have no Python"
    for page in (LANDING, door.page.read_text(encoding="utf-8")):
        assert "[Open the app](app/index.md)" in page  # which make site replaces by the app
    assert "make --no-print-directory app OUT=site/app" in re.sub(
        r"\$\(MAKE\)", "make", (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    )
    context = browser.new_context()
    with running(serve_app(installed("pyodide"), port=0)) as address:
        page = context.new_page()
        page.goto(address)
        page.locator("button", has_text="Use the example").click()
        page.locator("#score:enabled").click()
        assert RESULTS[door.who] in page.locator("#panel-scores .part").inner_text(timeout=LONG)
        context.close()
