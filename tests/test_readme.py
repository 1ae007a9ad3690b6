"""What README and pages show is what happens, and what they link to exists.

``make docs`` writes the present output of their commands and examples into them.
"""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from corefscope.cli.parser import COMMANDS
from pages import BLOCK, brought_up_to_date, prepare, session
from places import REPOSITORY

README = REPOSITORY / "README.md"
DOCS = REPOSITORY / "docs"
DOCUMENTS = [README, REPOSITORY / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
RUN_ELSEWHERE = {
    "integrations.md": "integrations/test_pages.py",
    "CONTRIBUTING.md": "recipes/test_recipes.py",
    "adapters.md": "formats/test_adapters.py",
    "formats.md": "formats/test_detection.py",
    "my-system.md": "test_my_system.py",
}
"""Pages with files, or objects, of their own."""
SHOWING = [
    path for path in DOCUMENTS if BLOCK.search(path.read_text(encoding="utf-8")) and path.name not in RUN_ELSEWHERE
]
CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
"""What is shown as it is: a link in it is an example of one."""
LINK = re.compile(r"\]\(([^)\s]+)\)")


def _name(path: Path) -> str:
    return str(path.relative_to(REPOSITORY))


@pytest.mark.parametrize("document", SHOWING, ids=_name)
def test_commands_and_examples_print_what_pages_show(document: Path, tmp_path: Path) -> None:
    prepare(tmp_path)
    text = document.read_text(encoding="utf-8")
    assert brought_up_to_date(text, tmp_path) == text, f"{_name(document)} is out of date: run make docs"


def test_what_pages_leave_out_stays_left_out(tmp_path: Path) -> None:
    prepare(tmp_path)
    command = "$ corefscope score key.conllu response.conllu\n"
    _, shown = session(f"{command}…\nMUC        1.00       2.00   3.00\n…\n", tmp_path)
    assert shown == "…\nMUC        75.00      78.95  76.92\n…\n"


def test_all_pages_with_blocks_are_run() -> None:
    assert len(SHOWING) > 8
    assert README in SHOWING
    assert all((REPOSITORY / "tests" / module).exists() for module in RUN_ELSEWHERE.values())


def test_the_readme_is_short_and_names_every_command() -> None:
    text = README.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    assert set(COMMANDS) == {command.split()[1] for command in re.findall(r"`(corefscope [^`]*)`", text)}


@pytest.mark.parametrize("document", DOCUMENTS, ids=_name)
def test_links_lead_somewhere(document: Path) -> None:
    text = CODE.sub("", document.read_text(encoding="utf-8"))
    for target in LINK.findall(text):
        path, _, anchor = target.partition("#")
        if "://" in target:
            continue
        found = document.parent / path if path else document
        assert found.exists(), target
        if anchor and found.suffix == ".md":  # that of a picture says where it is shown
            assert anchor in _anchors(found), target


def _anchors(document: Path) -> set[str]:
    """The names by which the headings of a document can be linked to."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


if __name__ == "__main__":
    for page in SHOWING:
        with TemporaryDirectory() as folder:
            prepare(Path(folder))
            page.write_text(brought_up_to_date(page.read_text(encoding="utf-8"), Path(folder)), encoding="utf-8")
