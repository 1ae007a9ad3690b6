"""What docs/integrations.md shows is what happens, section by section."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import corefscope
from corefscope import __version__
from frameworks import WITH_FRAMEWORKS, framework
from pages import with_output
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, REPOSITORY

pytestmark = WITH_FRAMEWORKS
PAGE = (REPOSITORY / "docs" / "integrations.md").read_text(encoding="utf-8")
SECTIONS = dict(section.split("\n", 1) for section in PAGE.split("\n## ")[1:])
NEEDED = {
    "pandas and polars": ("pandas",),
    "torchmetrics": ("torch", "torchmetrics"),
    "Lightning": ("lightning", "torchmetrics"),
    "Hugging Face evaluate": ("evaluate",),
    "spaCy": ("spacy",),
    "inspect_ai": ("inspect_ai",),
    "Weights and Biases": ("wandb",),
    "MLflow": ("mlflow",),
}
"""What the Python of a section imports."""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a key and a response, where nothing is sent anywhere."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(EXAMPLE_KEY, "key.conllu")
    shutil.copy(EXAMPLE_RESPONSE, "response.conllu")
    places = {"MLFLOW_TRACKING_URI": f"file://{tmp_path}/mlruns", "WANDB_DIR": str(tmp_path)}
    places["MLFLOW_ALLOW_FILE_STORE"] = "true"  # a database would need more packages
    settings = {"WANDB_SILENT": "true", "WANDB_ERROR_REPORTING": "false", "GIT_PYTHON_REFRESH": "quiet"}
    for name, value in {**places, **settings, "HF_HOME": str(tmp_path), "WANDB_CACHE_DIR": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "bin").mkdir()
    for name, command in {"corefscope": f'exec {sys.executable} -m corefscope "$@"', "srun": 'exec "$@"'}.items():
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
        (tmp_path / "bin" / name).chmod(0o755)
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")


def _blocks(section: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", SECTIONS[section], re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("section", NEEDED)
def test_python_prints_what_a_section_shows(section: str) -> None:
    for name in NEEDED[section]:
        framework(name)
    namespace: dict[str, object] = {"__name__": "__main__"}
    blocks = _blocks(section, "python")
    assert blocks
    for block in blocks:
        shown = re.sub(r"\|v[\d.]+\w*", f"|v{__version__}", block)
        assert with_output(block, namespace) == shown


def test_every_section_that_shows_python_is_run() -> None:
    assert {section for section in SECTIONS if _blocks(section, "python")} == set(NEEDED)


def test_scores_reach_mlflow() -> None:
    mlflow: Any = framework("mlflow")
    test_python_prints_what_a_section_shows("MLflow")
    (run,) = mlflow.MlflowClient().search_runs(["0"])
    assert run.data.metrics["dev/conll/f1"] == pytest.approx(0.7288, abs=1e-4)
    assert run.data.tags["corefscope"].startswith("corefud|match:head")


def test_jobs_of_slurm_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """With an ``srun`` that runs what it is given, and the variables that Slurm sets."""
    one, many, sharded = _blocks("Slurm", "bash")
    monkeypatch.setenv("SLURM_CPUS_PER_TASK", "1")
    subprocess.run(["bash", "-c", one], check=True)
    assert '"conll"' in Path("scores.json").read_text(encoding="utf-8")
    Path("responses.txt").write_text("response.conllu\nkey.conllu\n", encoding="utf-8")
    for number in "12":
        monkeypatch.setenv("SLURM_ARRAY_TASK_ID", number)
        subprocess.run(["bash", "-c", many], check=True)
    assert {path.name for path in Path().glob("scores-*.json")} == {"scores-1.json", "scores-2.json"}
    _share_corpus()
    Path("parts.txt").write_text("a\nb\n", encoding="utf-8")
    for number in "12":
        monkeypatch.setenv("SLURM_ARRAY_TASK_ID", number)
        subprocess.run(["bash", "-c", sharded], check=True)
    subprocess.run(["bash", "-c", "corefscope merge part-*.json --quiet -o all.json"], check=True)
    merged = json.loads(Path("all.json").read_text(encoding="utf-8"))
    assert merged["metrics"] == json.loads(json.dumps(corefscope.score("keys", "responses").to_dict()["metrics"]))


def _share_corpus() -> None:
    """The documents of the example in directories."""
    for side, name in (("keys", "key"), ("responses", "response")):
        header, *documents = re.split(r"(?=# newdoc)", Path(f"{name}.conllu").read_text(encoding="utf-8"))
        assert len(documents) == 2
        entity = re.search(r"# global\.Entity.*\n", header + documents[0])
        assert entity
        for part, document in zip("ab", documents, strict=True):
            path = Path(side, part, f"{part}.conllu")
            path.parent.mkdir(parents=True)
            text = document if entity[0] in document else document.replace("\n", f"\n{entity[0]}", 1)
            path.write_text(text, encoding="utf-8")


def test_steps_of_the_workflow_run(monkeypatch: pytest.MonkeyPatch) -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed: pip install pyyaml")
    *_, text = _blocks("Continuous integration", "yaml")
    steps = [step["run"] for step in yaml.safe_load(text)["jobs"]["score"]["steps"] if "name" in step]
    assert len(steps) == 3
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    for step in steps:
        subprocess.run(["bash", "-e", "-c", step], check=True)
    assert "CoNLL" in Path("summary.md").read_text(encoding="utf-8")
    worse = steps[-1].replace("70", "75")
    done = subprocess.run(["bash", "-e", "-c", worse], capture_output=True, text=True)
    assert done.returncode == 3
    assert "conll.f1 is 72.88 %, below 75.00 %" in done.stderr
