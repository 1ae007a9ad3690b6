"""What a release is made of: metadata, the conda recipe, workflows, and the script that prepares it."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from itertools import accumulate, chain
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from places import REPOSITORY

PROJECT: dict[str, Any] = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RECIPE: dict[str, Any] = yaml.safe_load((REPOSITORY / "packaging/conda/recipe.yaml").read_text(encoding="utf-8"))
WORKFLOWS = sorted((REPOSITORY / ".github/workflows").glob("*.yml"))
FORMS = [path for path in (REPOSITORY / ".github/ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config"]
MODULES = {"duckdb": "duckdb", "pyarrow": "pyarrow", "yaml": "pyyaml"}
"""Distributions by the module that they install, where the two names differ or an extra has them."""
BROUGHT = {
    "pandas",
    "polars",
    "pyspark",
    "py4j",
    "torch",
    "torchmetrics",
    "evaluate",
    "datasets",
    "spacy",
    "inspect_ai",
}
BROUGHT |= {"IPython", "pyodide", "js", "stanza", "fastcoref", "_typeshed"}
"""Modules that are there if the caller uses them: corefscope is handed their objects, or runs inside them; and one
that only type checkers know."""


@pytest.fixture
def release() -> ModuleType:
    """The script, as a module."""
    return _load(REPOSITORY / "packaging/release.py")


def _load(path: Path) -> ModuleType:
    spec = spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield (node.module or "").partition(".")[0]


def _name(requirement: str) -> str:
    return re.split(r"[^A-Za-z0-9_-]", requirement)[0].lower()


def test_every_distribution_that_is_imported_is_declared() -> None:
    sources = (REPOSITORY / "src").rglob("*.py")
    imported = {name for path in sources for name in _imported(ast.parse(path.read_text(encoding="utf-8")))}
    others = imported - set(sys.stdlib_module_names) - {"corefscope"} - BROUGHT
    requirements = chain(PROJECT["dependencies"], *PROJECT["optional-dependencies"].values())
    assert {MODULES.get(name, name).lower() for name in others} <= {_name(text) for text in requirements}


def test_the_conda_recipe_says_what_the_project_says() -> None:
    wanted = sorted(text.replace(" ", "") for text in RECIPE["requirements"]["run"] if not text.startswith("python "))
    assert wanted == sorted(PROJECT["dependencies"])
    entries = dict(text.split(" = ") for text in RECIPE["build"]["python"]["entry_points"])
    assert entries == PROJECT["scripts"]
    assert RECIPE["about"]["summary"] == PROJECT["description"]
    assert PROJECT["requires-python"] == f">={RECIPE['context']['python_min']}"


def test_the_version_is_written_once_and_copied_rightly() -> None:
    version = re.search(r'__version__ = "(.+)"', (REPOSITORY / "src/corefscope/core/version.py").read_text("utf-8"))
    assert version
    assert RECIPE["context"]["version"] == version[1]
    assert yaml.safe_load((REPOSITORY / "CITATION.cff").read_text(encoding="utf-8"))["version"] == version[1]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_follow_their_schema(path: Path) -> None:
    _check("vendor.github-workflows", path)


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.name)
def test_issue_forms_follow_their_schema(path: Path) -> None:
    _check("vendor.github-issue-forms", path)


def _check(schema: str, path: Path) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "invalid choice" in done.stderr.lower() or "is not one of" in done.stderr:
        pytest.skip(f"this check-jsonschema has no {schema}")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_steps_of_workflows_run(path: Path, tmp_path: Path) -> None:
    """Each step in bash, as on a runner, with a ``make`` that only writes down what it is asked for."""
    targets = set(re.findall(r"^([\w-]+)(?= *[\w-]*:)", (REPOSITORY / "Makefile").read_text(encoding="utf-8"), re.M))
    shim = tmp_path / "make"
    shim.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\n', encoding="utf-8")
    shim.chmod(0o755)
    version = re.search(
        r'"(.+)"', (REPOSITORY / "src/corefscope/core/version.py").read_text("utf-8").split("\n\n")[1]
    )
    assert version
    for job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values():
        for step in job["steps"]:
            script = step.get("run", "")
            assert "${{" not in script  # what others have written comes in by the environment
            if not script or ".ci/run" in script:  # which runs this test
                continue
            env = {"PATH": f"{tmp_path}:/usr/bin:/bin", "TAG": f"v{version[1]}"}
            subprocess.run(["bash", "-eo", "pipefail", "-c", script], cwd=REPOSITORY, env=env, check=True)
    asked = (tmp_path / "asked").read_text(encoding="utf-8").splitlines()
    assert asked
    assert {line.split()[0] for line in asked} <= targets


def test_a_wheel_without_a_data_file_is_refused(
    release: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = ["src/corefscope/core/version.py", "src/corefscope/measures/references.bib"]
    monkeypatch.setattr(release, "run", lambda *command: "\n".join(files) if command[0] == "git" else "")
    wheel = tmp_path / "corefscope-1.0.0-py3-none-any.whl"
    for packed, complete in ((files, True), (files[:1], False)):
        with zipfile.ZipFile(wheel, "w") as archive:
            for name in packed:
                archive.writestr(name.removeprefix("src/"), "")
        if complete:
            assert release.inspect([wheel]) == wheel
        else:
            with pytest.raises(release.ReleaseError, match="lacks 1 files, such as corefscope/measures/references"):
                release.inspect([wheel])


def test_the_smoke_test_has_the_oldest_python_for_the_oldest_dependencies(
    release: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Old versions have no wheels for newer ones."""
    own = "{}.{}".format(*sys.version_info)
    monkeypatch.setattr(release, "PYTHONS", ("3.7", own))
    monkeypatch.setattr(release.shutil, "which", lambda _: None)
    monkeypatch.setattr(release.Path, "home", lambda: Path("nowhere"))
    assert dict(release.interpreters()) == {own: sys.executable}
    for check in ("check_version", "check_tree", "check_links", "build"):
        monkeypatch.setattr(release, check, lambda *_: {})
    monkeypatch.setattr(sys, "argv", ["release.py"])
    with pytest.raises(SystemExit, match=r"need Python 3\.7, which is not on this machine"):
        release.main()


def test_a_tagged_release_knows_its_repository(
    release: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    owner = "OWNER"
    (tmp_path / "README.md").write_text(f"https://github.com/{owner}/corefscope\n", encoding="utf-8")
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(release, "run", lambda *_: "README.md\n")
    release.check_links(False)
    assert "in the place of OWNER: README.md" in capsys.readouterr().out
    with pytest.raises(release.ReleaseError, match="README"):
        release.check_links(True)
    (tmp_path / "README.md").write_text("https://github.com/somebody/corefscope\n", encoding="utf-8")
    release.check_links(True)
    assert not capsys.readouterr().out


def test_links_of_the_readme_are_whole_on_pypi(monkeypatch: pytest.MonkeyPatch) -> None:
    class Hook:
        def __init__(self, root: str, config: dict[str, str]) -> None:
            self.root, self.config = root, config

    interface = "hatchling.metadata.plugin.interface"  # only there while the package is built
    for name in accumulate(interface.split("."), "{}.{}".format):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setattr(sys.modules[interface], "MetadataHookInterface", Hook, raising=False)
    hook = _load(REPOSITORY / "hatch_build.py").LinksHook(str(REPOSITORY), {"repository": "https://host/us/it"})
    metadata: dict[str, Any] = {}
    hook.update(metadata)
    text = metadata["readme"]["text"]
    assert "](https://host/us/it/blob/main/docs/formats.md)" in text
    assert 'srcset="https://host/us/it/raw/main/docs/images/' in text
    links = re.findall(r"""(?:\]\(|src="|srcset=")([^)"]*)""", text)
    assert len(links) > 20
    assert [link for link in links if not link.startswith("https://")] == []


@pytest.mark.skipif(not (REPOSITORY / ".git").exists(), reason="this is no clone")
def test_git_leaves_line_ends_alone() -> None:
    """On Windows it would write CRLF, and tests compare bytes."""
    command = ["git", "-C", str(REPOSITORY), "check-attr", "text", "README.md", "tests/golden/public.json"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert printed.count(": text: unset") == 2


def test_nothing_is_released_from_a_changed_tree(release: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {"status": " M README.md\n", "tag": ""}
    monkeypatch.setattr(release, "run", lambda *command: answers[command[1]])
    with pytest.raises(release.ReleaseError, match="not committed"):
        release.check_tree("1.0.0", False)
    answers |= {"status": "", "tag": "v1.0.0\n"}
    with pytest.raises(release.ReleaseError, match=r"the tag v1\.0\.0 exists"):
        release.check_tree("1.0.0", False)
    release.check_tree("1.0.0", True)
