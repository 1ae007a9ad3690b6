"""What the repository offers to continuous integration: the action, run as by a runner, and hooks of pre-commit."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, REPOSITORY

ACTION: dict[str, Any] = yaml.safe_load((REPOSITORY / "action.yml").read_text(encoding="utf-8"))
HOOKS: list[dict[str, Any]] = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
INPUT = re.compile(r"\$\{\{ inputs\.([\w-]+) \}\}")
BASH = shutil.which("bash")
SHIM = """\
#!/bin/sh
if [ "$2" = pip ]; then shift 2; printf '%s\\n' "$*" >> "$RUNNER_TEMP/pip"; exit; fi
exec {python} "$@"
"""
needs_bash = pytest.mark.skipif(BASH is None, reason="there is no bash")


class Ran:
    """What came of the action."""

    def __init__(self, folder: Path, code: int, said: str) -> None:
        self.code, self.said = code, said
        self.summary = (folder / "summary").read_text(encoding="utf-8")
        lines = (folder / "output").read_text(encoding="utf-8").splitlines()
        self.outputs = dict(line.partition("=")[::2] for line in lines)
        self.pip = (folder / "pip").read_text(encoding="utf-8")


Action = Callable[..., Ran]


@pytest.fixture
def action(tmp_path: Path) -> Action:
    """Runs the shell steps one after the other, with the environment and the options of a runner."""

    def run(**inputs: str) -> Ran:
        temp, work, programs = (tmp_path / name for name in ("temp", "work", "bin"))
        for folder in (temp, work, programs):
            folder.mkdir(exist_ok=True)
        for name in ("summary", "output", "pip"):
            (temp / name).write_text("", encoding="utf-8")
        shim = programs / "python"
        shim.write_text(SHIM.format(python=shlex.quote(sys.executable)), encoding="utf-8")
        shim.chmod(0o755)
        given = {name.replace("_", "-"): value for name, value in inputs.items()}
        values = {name: given.get(name, str(row.get("default", ""))) for name, row in ACTION["inputs"].items()}
        assert set(given) <= set(values)
        runner = {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(REPOSITORY / "src"),
            "GITHUB_ACTION_PATH": str(REPOSITORY),
            "GITHUB_OUTPUT": str(temp / "output"),
            "GITHUB_STEP_SUMMARY": str(temp / "summary"),
            "RUNNER_TEMP": str(temp),
        }
        code, said = 0, ""
        for number, step in enumerate(ACTION["runs"]["steps"]):
            if "run" not in step or code:
                continue
            script = temp / f"{number}.sh"
            script.write_text(step["run"], encoding="utf-8")
            env = {name: INPUT.sub(lambda found: values[found[1]], text) for name, text in step["env"].items()}
            command = [str(BASH), "--noprofile", "--norc", "-eo", "pipefail", str(script)]
            done = subprocess.run(
                command, env={**runner, **env}, cwd=work, capture_output=True, encoding="utf-8", timeout=60
            )
            code, said = done.returncode, said + done.stdout + done.stderr
        assert list(work.iterdir()) == []
        return Ran(temp, code, said)

    return run


PAIR = {"key": str(EXAMPLE_KEY), "response": str(EXAMPLE_RESPONSE)}


@needs_bash
def test_the_action_scores_and_shows_the_table(action: Action) -> None:
    ran = action(**PAIR, preset="crac25")
    assert (ran.code, ran.said) == (0, "")
    assert ran.outputs["conll"] == "72.88"
    assert "| **CoNLL** |" in ran.summary
    scores = json.loads(Path(ran.outputs["json"]).read_text(encoding="utf-8"))
    assert round(100 * scores["metrics"]["conll"]["f1"], 2) == 72.88
    assert ran.pip.split()[-1] == str(REPOSITORY)


@needs_bash
@pytest.mark.parametrize(
    ("bound", "code"), [("70", 0), ("72.9", 3), ("conll=70", 0), ("lea=99%", 3), ("conll=70,lea=50", 0), ("x=1", 2)]
)
def test_the_action_fails_if_a_score_is_too_low(action: Action, bound: str, code: int) -> None:
    ran = action(**PAIR, fail_under=bound)
    assert ran.code == code
    if code == 3:
        assert "below" in ran.said
        assert ran.outputs["conll"] == "72.88"  # what is too low is shown all the same
        assert "CoNLL" in ran.summary


@needs_bash
def test_the_action_says_what_is_wrong(action: Action) -> None:
    ran = action(key="nowhere.conllu", response=str(EXAMPLE_RESPONSE))
    assert ran.code == 1
    assert "nowhere.conllu" in ran.said
    assert (ran.outputs, ran.summary) == ({}, "")


@needs_bash
@pytest.mark.parametrize("hostile", ["\"; touch a; '; touch b; $(touch c) `touch d`\ntouch e", "--output=x.json"])
@pytest.mark.parametrize("name", [name for name in ACTION["inputs"] if name != "python-version"])
def test_inputs_are_never_run(action: Action, name: str, hostile: str) -> None:
    ran = action(**{**PAIR, name.replace("-", "_"): hostile})
    assert ran.code in (0, 1, 2) if name == "version" else ran.code in (1, 2)
    if name == "version":
        assert ran.pip == f"install --quiet --disable-pip-version-check -- corefscope=={hostile}\n"


@needs_bash
def test_the_action_takes_options_in_other_ways(action: Action) -> None:
    signature = "corefud|match:exact|zeros:dependent|singletons:keep|rules:corrected"
    ran = action(**PAIR, signature=signature, metrics="lea,conll")
    assert "match:exact" in ran.summary
    assert "singletons:keep" in ran.summary
    assert "BLANC" not in ran.summary
    ran = action(**PAIR, settings="crac")
    assert ran.code == 0
    assert ran.outputs["conll"] == ""
    assert "with singletons" in ran.summary


def test_scripts_of_the_action_hold_nothing_from_outside() -> None:
    steps = ACTION["runs"]["steps"]
    assert ACTION["runs"]["using"] == "composite"
    for step in steps:
        assert "${{" not in step.get("run", "")
        assert "run" not in step or step["shell"] == "bash"
    used = {
        name for step in steps for text in (step.get("env") or step["with"]).values() for name in INPUT.findall(text)
    }
    assert used == set(ACTION["inputs"])
    for row in (*ACTION["inputs"].values(), *ACTION["outputs"].values()):
        assert row["description"]
    assert set(ACTION["outputs"]) == {"conll", "json"}


BROKEN = "1\tbroken\n\n"
CONLL = "#begin document (d); part 000\nd 0 0 a (1)\nd 0 1 b (1)\n\n#end document\n"
FILES = {
    "good.conllu": EXAMPLE_KEY.read_text(encoding="utf-8"),
    "bad.conllu": BROKEN,
    "notes.txt": "x",
    "a.conll": CONLL,
}
FILES |= {"b.v4_gold_conll": CONLL.replace("b (1)", "b (1")}


def _repository(folder: Path) -> Path:
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("hook", "names", "code"),
    [
        ("corefscope-validate", ["good.conllu", "notes.txt"], 0),
        ("corefscope-validate", ["good.conllu", "bad.conllu"], 1),
        ("corefscope-validate-conll", ["a.conll", "bad.conllu"], 0),
        ("corefscope-validate-conll", ["a.conll", "b.v4_gold_conll"], 1),
    ],
)
def test_hooks_validate_the_files_that_they_are_for(tmp_path: Path, hook: str, names: list[str], code: int) -> None:
    """As pre-commit runs them: the entry, then those files that the expression matches."""
    (row,) = [row for row in HOOKS if row["id"] == hook]
    chosen = [name for name in names if re.search(row["files"], name)]
    program, *arguments = shlex.split(row["entry"])
    assert program == "corefscope"
    done = subprocess.run(
        [sys.executable, "-m", program, *arguments, *chosen],
        cwd=_repository(tmp_path),
        env={**os.environ, "PYTHONPATH": str(REPOSITORY / "src")},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == code
    assert all(name in done.stdout for name in chosen)
    assert not done.stderr


def test_hooks_are_installed_with_the_package() -> None:
    for row in HOOKS:
        assert {"id", "name", "description", "entry", "language", "files", "types_or"} <= set(row)
        assert row["language"] == "python"
        assert row["types_or"] == ["text"]


@pytest.mark.skipif(shutil.which("pre-commit") is None, reason="pre-commit is not installed: pip install pre-commit")
def test_pre_commit_accepts_the_hooks() -> None:
    subprocess.run(["pre-commit", "validate-manifest", str(REPOSITORY / ".pre-commit-hooks.yaml")], check=True)


def test_the_page_uses_what_there_is() -> None:
    text = (REPOSITORY / "docs" / "integrations.md").read_text(encoding="utf-8")
    workflow, config, _ = (yaml.safe_load(block) for block in re.findall(r"^```yaml\n(.*?)^```$", text, re.M | re.S))
    steps = workflow["jobs"]["score"]["steps"]
    (step,) = [step for step in steps if "/corefscope@" in step.get("uses", "")]
    assert set(step["with"]) <= set(ACTION["inputs"])
    outputs = re.findall(r"steps\.corefscope\.outputs\.(\w+)", text)
    assert set(outputs) == set(ACTION["outputs"])
    assert {hook["id"] for repo in config["repos"] for hook in repo["hooks"]} <= {row["id"] for row in HOOKS}
    for name in (*ACTION["inputs"], *ACTION["outputs"], *(row["id"] for row in HOOKS)):
        assert f"`{name}`" in text, name
