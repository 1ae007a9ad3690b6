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

from corefscope import __version__
from corefscope.cli import main
from corefscope.cli.parser import COMMANDS, EVERYDAY
from corefscope.output.text import width_of
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, REPOSITORY

PRINTED = REPOSITORY / "tests" / "golden" / "terminal"
PAIR = "key.conllu response.conllu"
PRINTS = {
    "score": f"score {PAIR}",
    "settings": f"score {PAIR} --settings crac",
    "errors": f"errors {PAIR}",
    "report": f"report {PAIR}",
    "compare": "compare key.conllu noisy/*.conllu",
    "validate": f"validate {PAIR}",
    "convert": "convert key.conllu made.jsonl --lossy",
    "demo": "demo",
    "explain": f"explain muc {PAIR} --document en_letter",
    "diff": f"diff {PAIR}",
    "serve": "serve --help",
    "task": "task task",
    "verify": "verify score.json",
    "merge": "merge score.json",
    "explain-difference": f"explain-difference 72.88 63.51 {PAIR}",
    "agree": f"agree {PAIR}",
    "probe": f"probe {PAIR}",
    "correlate": "correlate systems.json",
    "perturb": "perturb key.conllu -o made --step 50",
    "curves": "curves key.conllu --kinds merge,split --step 10",
    "stats": f"stats {PAIR}",
    "metrics": "metrics",
    "presets": "presets",
    "cite": "cite lea conll",
    "cite-line": f"cite-line {PAIR}",
    "help": "help",
    "completion": "completion --help",
}
"""What is printed, by the name of the golden file; of every command by default, of some with an option too."""
SCREEN = 40  # lines


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
    files = [str(folder / name) for name in ("key.conllu", "response.conllu")]
    systems = sorted(map(str, (folder / "noisy").iterdir()))
    assert main(["score", *files, "--per-document", "-o", str(folder / "score.json"), "--quiet"]) == 0
    comparing = ["--resample", "nothing", "-o", str(folder / "systems.json"), "--quiet"]
    assert main(["compare", files[0], *systems, *comparing]) == 0


def words_of(command: str, folder: Path) -> list[str]:
    """The words of a command, files of that folder in the place of patterns."""
    return [word for part in command.split() for word in (_matching(part, folder) if "*" in part else [part])]


def printed(command: str, folder: Path) -> str:
    """What a command prints in that folder, messages too."""
    environment = {**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8", "PYTHONPATH": str(REPOSITORY / "src")}
    call = [sys.executable, "-m", "corefscope", *words_of(command, folder)]
    done = subprocess.run(
        call,
        cwd=folder,
        env=environment,
        encoding="utf-8",
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return done.stdout


def without_version(text: str) -> str:
    """The same with version 0, which stays when the next version comes."""
    return text.replace(__version__, "0")


def _matching(pattern: str, folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.glob(pattern))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("terminal")
    prepare(folder)
    return folder


@pytest.mark.parametrize("name", PRINTS)
def test_what_is_printed_fits_and_is_what_it_was(name: str, folder: Path) -> None:
    text = printed(PRINTS[name], folder)
    assert [line for line in text.splitlines() if width_of(line) > 80] == []
    assert without_version(text) == (PRINTED / f"{name}.txt").read_text(encoding="utf-8")


def test_every_command_is_here() -> None:
    assert {command.split()[0] for command in PRINTS.values()} == set(COMMANDS)
    assert {path.stem for path in PRINTED.iterdir()} == set(PRINTS)


EVERYDAY_COMMANDS = [name for name, row in COMMANDS.items() if row.group == EVERYDAY]


@pytest.mark.parametrize("name", [*EVERYDAY_COMMANDS, "demo", "agree"])
def test_what_people_need_every_day_fits_one_screen(name: str) -> None:
    assert len((PRINTED / f"{name}.txt").read_text(encoding="utf-8").splitlines()) <= SCREEN


def test_ten_systems_fit_one_screen() -> None:
    lines = (PRINTED / "compare.txt").read_text(encoding="utf-8").splitlines()
    assert sum(re.match(r" ?\d+ \S", line) is not None for line in lines[:12]) == 10
    assert len(lines) <= 36


if __name__ == "__main__":
    with TemporaryDirectory() as temporary:
        prepare(Path(temporary))
        for name, command in PRINTS.items():
            (PRINTED / f"{name}.txt").write_text(without_version(printed(command, Path(temporary))), encoding="utf-8")
