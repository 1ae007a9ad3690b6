"""What the commands print on a terminal of 80 columns, word for word; ``make docs`` writes it anew."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from corefscope.cli import main
from corefscope.output.text import width_of
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, REPOSITORY

PRINTED = REPOSITORY / "tests" / "golden" / "terminal"
COMMANDS = {
    "score": "score key.conllu response.conllu",
    "settings": "score key.conllu response.conllu --settings crac",
    "compare": "compare key.conllu noisy/*.conllu",
    "errors": "errors key.conllu response.conllu",
    "task": "task task",
    "diff": "diff key.conllu response.conllu",
}
SIGNATURE = re.compile(r"\|v[\d.]+$", re.MULTILINE)


def prepare(folder: Path) -> None:
    """The example, ten responses made from its key, and a task of two data sets with them."""
    for path in (EXAMPLE_KEY, EXAMPLE_RESPONSE):
        shutil.copy(path, folder)
    noise = ["--kinds", "drop,split,merge,spurious,boundary", "--step", "40", "--seed", "1", "--quiet"]
    assert main(["perturb", str(folder / "key.conllu"), "-o", str(folder / "noisy"), *noise]) == 0
    for path in (folder / "noisy").iterdir():
        if not path.stem.endswith(("-040", "-080")):
            path.unlink()
    for dataset in ("en_one", "en_two"):
        shutil.copytree(folder / "noisy", folder / "task" / dataset)
        shutil.copy(folder / "key.conllu", folder / "task" / dataset)


def printed(command: str, folder: Path) -> str:
    """What a command prints in that folder, without the version."""
    words = [word for part in command.split() for word in (_matching(part, folder) if "*" in part else [part])]
    environment = {**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8", "PYTHONPATH": str(REPOSITORY / "src")}
    call = [sys.executable, "-m", "corefscope", *words, "--quiet"]
    done = subprocess.run(call, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=True)
    return SIGNATURE.sub("|v0", done.stdout)


def _matching(pattern: str, folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.glob(pattern))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("terminal")
    prepare(folder)
    return folder


@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_printed_fits_and_is_what_it_was(name: str, folder: Path) -> None:
    text = printed(COMMANDS[name], folder)
    assert [line for line in text.splitlines() if width_of(line) > 80 and "|v0" not in line] == []
    assert text == (PRINTED / f"{name}.txt").read_text(encoding="utf-8")


def test_ten_systems_fit_one_screen() -> None:
    lines = (PRINTED / "compare.txt").read_text(encoding="utf-8").splitlines()
    assert sum(re.match(r" ?\d+ \S", line) is not None for line in lines[:12]) == 10
    assert len(lines) <= 36


if __name__ == "__main__":
    with TemporaryDirectory() as temporary:
        prepare(Path(temporary))
        for name, command in COMMANDS.items():
            (PRINTED / f"{name}.txt").write_text(printed(command, Path(temporary)), encoding="utf-8")
