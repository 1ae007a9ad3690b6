"""The recipes of CONTRIBUTING, followed literally in a copy of the repository, which is then checked.

``check_*.py`` beside this file are the tests that run in the copy: what was added is found everywhere.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from places import REPOSITORY

TEXT = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
RECIPES = {"metric": "a metric", "format": "a format", "error_kind": "an error kind", "command": "a command"}
"""The checks of each recipe, and what its heading says is added."""
STEP = re.compile(
    r"(?P<how>New file|At the start of|At the end of|Before the line with)"
    r"(?: (?P<mark>`+)(?P<where>[^\n]+?) ?(?P=mark)\s+in)?\s+`(?P<path>[^`\n]+)`[^\n]*:\n\n"
    r"^(?P<fence>```+)\w*\n(?P<block>.*?)^(?P=fence)$",
    re.MULTILINE | re.DOTALL,
)
IGNORED = shutil.ignore_patterns("__pycache__", ".*cache", "node_modules", "golden")


class Step(NamedTuple):
    """One block of a recipe, and its place."""

    how: str
    where: str
    path: str
    block: str

    def apply(self, folder: Path) -> None:
        """Write a new file, or insert the block into a file that exists."""
        path = folder / self.path
        if self.how == "New file":
            assert not path.exists(), f"{self.path} exists"
            path.write_text(self.block, encoding="utf-8")
            return
        assert path.exists(), f"CONTRIBUTING names {self.path}, which does not exist"
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        at = self._line(lines)
        path.write_text("".join([*lines[:at], self.block, *lines[at:]]), encoding="utf-8")

    def _line(self, lines: list[str]) -> int:
        """The line to insert the block before."""
        if self.how == "Before the line with":
            found = [at for at, line in enumerate(lines) if self.where in line]
        else:
            found = [at + 1 for at, line in enumerate(lines) if re.match(rf"{self.where}\b.*[\[({{]$", line)]
        assert found, f"CONTRIBUTING says {self.how.lower()} {self.where!r}, which {self.path} does not have"
        if self.how == "At the end of":
            return next(at for at, line in enumerate(lines) if at >= found[0] and line.rstrip() in (")", "]", "}"))
        return found[0]


def recipe_steps(added: str) -> list[Step]:
    """The steps of a recipe, in order."""
    _, _, text = TEXT.partition(f"### Add {added}\n")
    return [
        Step(step["how"], step["where"] or "", step["path"], step["block"])
        for step in STEP.finditer(text.partition("\n### ")[0])
    ]


STEPS = {recipe: recipe_steps(added) for recipe, added in RECIPES.items()}
NEW = [step.path for steps in STEPS.values() for step in steps if step.how == "New file"]
EDITED = sorted({step.path for steps in STEPS.values() for step in steps if step.how != "New file"})


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository in which all recipes are followed: they must not be in each other's way."""
    folder = tmp_path_factory.mktemp("copy") / "corefscope"
    for name in ("src", "tests", "docs"):
        shutil.copytree(REPOSITORY / name, folder / name, ignore=IGNORED)
    for name in ("README.md", "CONTRIBUTING.md", "pyproject.toml"):
        shutil.copy(REPOSITORY / name, folder)
    (folder / "tests" / "golden").symlink_to(REPOSITORY / "tests" / "golden")
    for steps in STEPS.values():
        for step in steps:
            step.apply(folder)
    return folder


def run(folder: Path, *arguments: str) -> None:
    """Run a module of Python in the copy."""
    places = [str(folder / place) for place in ("src", "tests/support")]
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(places)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_contributing_is_short_and_has_all_recipes() -> None:
    words = len(TEXT.split())
    assert words <= 1500, f"CONTRIBUTING.md has {words} words, and 1,500 are the limit"
    assert [len(steps) for steps in STEPS.values()] == [4, 9, 2, 4]
    assert TEXT.count("\n```") == 2 * (sum(map(len, STEPS.values())) + 3)  # 3 in the examples of a format


@pytest.mark.parametrize("recipe", RECIPES)
def test_recipes_work(recipe: str, copy: Path) -> None:
    run(copy, "pytest", "-q", "-n0", "-p", "no:cacheprovider", f"tests/recipes/check_{recipe}.py")


def test_results_pass_the_linter_as_they_are_written(copy: Path) -> None:
    """New files are formatted; ``make format`` sets blank lines around what is inserted into others."""
    code = [path for path in EDITED if path.endswith(".py")]
    run(copy, "ruff", "format", "--no-cache", "--check", *NEW)
    run(copy, "ruff", "format", "--no-cache", *code)
    run(copy, "ruff", "check", "--no-cache", *NEW, *code)


def test_results_pass_the_type_checker(copy: Path) -> None:
    code = [path for path in EDITED if path.startswith("src/")]
    run(copy, "mypy", "--cache-dir", os.devnull, *NEW, *code)


def test_doctests_pass(copy: Path) -> None:
    run(copy, "pytest", "-q", "-n0", "-p", "no:cacheprovider", "--doctest-modules", *NEW)
