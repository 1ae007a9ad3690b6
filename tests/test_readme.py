"""What the README shows is what happens, and what the documents link to exists.

``make docs`` writes the present output of its commands and examples into the README.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from corefscope.cli.parser import COMMANDS, command_parser
from corefscope.count.metrics import GROUPS, METRICS
from corefscope.evaluate.rules import RULES
from places import REPOSITORY

README = REPOSITORY / "README.md"
DOCUMENTS = [README, REPOSITORY / "CONTRIBUTING.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]
CONSOLE = re.compile(r"^```console\n(\$ corefscope [^\n]*\n)(.*?)^```$", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PRINTED = re.compile(r"^# -> .*\n", re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def _readme() -> str:
    return README.read_text(encoding="utf-8")


def _output(command: str) -> str:
    """What ``$ corefscope …`` shows on a terminal without colours, whichever stream it goes to."""
    arguments = shlex.split(command.removeprefix("$ corefscope "))
    done = subprocess.run(
        [sys.executable, "-m", "corefscope", *arguments],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    assert "Traceback" not in done.stdout
    return done.stdout


def _with_output(code: str, namespace: dict[str, object]) -> str:
    """A block of Python with a comment after it for every line that it prints."""
    code = PRINTED.sub("", code)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, str(README), "exec"), namespace)
    return code + "".join(f"# -> {line}\n" for line in printed.getvalue().splitlines())


def _brought_up_to_date(text: str) -> str:
    """The README as it should be."""
    namespace: dict[str, object] = {}
    text = CONSOLE.sub(lambda block: f"```console\n{block[1]}{_output(block[1])}```", text)
    return PYTHON.sub(lambda block: f"```python\n{_with_output(block[1], namespace)}```", text)


def test_commands_print_what_the_readme_shows() -> None:
    for command, shown in CONSOLE.findall(_readme()):
        assert _output(command) == shown


def test_examples_print_what_the_readme_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them in order, in one namespace, from the root of the repository."""
    monkeypatch.chdir(REPOSITORY)
    namespace: dict[str, object] = {}
    blocks = PYTHON.findall(_readme())
    assert blocks
    for block in blocks:
        assert _with_output(block, namespace) == block


def test_no_block_is_overlooked() -> None:
    """Every block of the README is one of the kinds that are checked, or shell commands."""
    opened = re.findall(r"^```(\w+)$", _readme(), re.MULTILINE)
    assert opened.count("console") == len(CONSOLE.findall(_readme())) >= 3
    assert opened.count("python") == len(PYTHON.findall(_readme()))
    assert set(opened) == {"console", "python", "sh"}


def test_the_readme_names_all_metrics_groups_and_rules() -> None:
    text = _readme()
    for name, metric in METRICS.items():
        assert f"`{name}`" in text
        assert f"| {metric.cite} |" in text
    for name in [*GROUPS, *RULES]:
        assert f"`{name}`" in text


def test_the_readme_names_all_options_and_their_values() -> None:
    text = _readme()
    assert set(COMMANDS) == {command.split()[1] for command in re.findall(r"`(corefscope [^`]*)`", text)}
    for action in command_parser("score")._actions:
        for option in action.option_strings:
            assert f"`{option}`" in text or option in ("-h", "--help")
        for value in str(action.metavar or "").split("|") if action.option_strings else ():
            assert f"`{value}`" in text or value in ("", "NAMES", "STRING", "REGEX", "LIST", "FILE")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_links_lead_somewhere(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    for target in LINK.findall(text):
        path, _, anchor = target.partition("#")
        if "://" in target:
            continue
        found = document.parent / path if path else document
        assert found.exists(), target
        if anchor:
            assert anchor in _anchors(found), target


def _anchors(document: Path) -> set[str]:
    """The names by which the headings of a document can be linked to."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


if __name__ == "__main__":
    os.chdir(REPOSITORY)
    README.write_text(_brought_up_to_date(_readme()), encoding="utf-8")
