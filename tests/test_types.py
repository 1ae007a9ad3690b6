"""What type checkers say of programs that use the package, and of the snippets of the pages."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import corefscope
from snippets import Snippet, snippets

ROOT = Path(__file__).parent.parent
SUPPORT = ROOT / "tests" / "support"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SNIPPETS: Mapping[str, tuple[Snippet, str]] = {snippet.name: (snippet, text) for snippet, text in snippets(PAGES)}
WRONG = "wrong_client.py"
WRONG_CLIENT = SUPPORT / "wrong_client.txt"
"""Not a module: it raises on import, and the checks of the repository must not see it."""
CHECKERS = ["mypy", "pyright"]
NOT_OURS = (
    *("--allow-untyped-defs", "--allow-incomplete-defs", "--allow-untyped-calls", "--allow-untyped-decorators"),
    *("--allow-subclassing-any", "--ignore-missing-imports"),
)
"""A snippet may leave types of its own functions out, and a framework need not be installed or have types."""
COMPLETE = 0.98
"""The share of exported symbols whose types are known, at least."""
Complaints = dict[str, dict[int, str]]
"""By file and line, what a type checker says."""


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Complaints | str]:
    """By type checker its complaints; or why it cannot be had."""
    folder = tmp_path_factory.mktemp("types")
    (folder / "client.py").write_text((SUPPORT / "client.py").read_text(encoding="utf-8"), encoding="utf-8")
    (folder / WRONG).write_text(WRONG_CLIENT.read_text(encoding="utf-8"), encoding="utf-8")
    for name, (_, text) in SNIPPETS.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return {"mypy": _mypy(folder), "pyright": _pyright(folder)}


def _mypy(folder: Path) -> Complaints:
    strict = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--no-error-summary"]
    cache = f"--cache-dir={ROOT / '.mypy_cache' / 'clients'}"
    clients = subprocess.run([*strict, cache, "client.py", WRONG], cwd=folder, capture_output=True, text=True)
    names = [f"{name}.py" for name in SNIPPETS]
    pages = subprocess.run([*strict, cache, *NOT_OURS, *names], cwd=folder, capture_output=True, text=True)
    assert clients.stderr == pages.stderr == ""
    found: Complaints = {}
    printed = clients.stdout + pages.stdout
    for path, line, message in re.findall(r"^(.+?\.py):(\d+): error: (.*)$", printed, re.MULTILINE):
        found.setdefault(path, {})[int(line)] = message
    return found


def _run_pyright(folder: Path, *options: str) -> dict[str, Any] | str:
    """Its result, or why it cannot be had."""
    if not find_spec("pyright"):
        return "pyright is not installed"
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, *options]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}  # --verifytypes does not look into .pth files
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
    if not result.stdout.lstrip().startswith("{"):
        return f"pyright cannot be had: {(result.stderr.strip() or result.stdout.strip())[-300:]}"
    return dict(json.loads(result.stdout))


def _pyright(folder: Path) -> Complaints | str:
    missing = {"reportMissingImports": "none", "reportMissingModuleSource": "none"}
    (folder / "pyrightconfig.json").write_text(json.dumps(missing), encoding="utf-8")
    result = _run_pyright(folder)
    if isinstance(result, str):
        return result
    found: Complaints = {}
    for each in result["generalDiagnostics"]:
        if each["severity"] == "error":
            line = each["range"]["start"]["line"] + 1
            found.setdefault(Path(each["file"]).name, {})[line] = each["message"]
    return found


def _of(complaints: dict[str, Complaints | str], checker: str) -> Complaints:
    found = complaints[checker]
    if isinstance(found, str):
        pytest.skip(found)
    return found


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_program_with_every_public_function_is_accepted(
    checker: str, complaints: dict[str, Complaints | str]
) -> None:
    assert "client.py" not in _of(complaints, checker), _of(complaints, checker)["client.py"]


def test_the_program_names_every_public_function() -> None:
    text = (SUPPORT / "client.py").read_text(encoding="utf-8")
    functions = {name for name in dir(corefscope) if hasattr(getattr(corefscope, name), "__code__")}
    assert [name for name in functions if f"corefscope.{name}" not in text] == []


@pytest.mark.parametrize("checker", CHECKERS)
def test_wrong_values_are_refused(checker: str, complaints: dict[str, Complaints | str]) -> None:
    lines = WRONG_CLIENT.read_text(encoding="utf-8").splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}
    assert len(wrong) > 20
    assert set(_of(complaints, checker)[WRONG]) == wrong


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("name", SNIPPETS)
def test_snippets_of_the_pages_are_accepted(name: str, checker: str, complaints: dict[str, Complaints | str]) -> None:
    snippet, text = SNIPPETS[name]
    found = _of(complaints, checker).get(f"{name}.py")
    assert not found, f"{snippet.page}:{snippet.line}: {found}\n{text}"


def test_types_are_complete_and_only_public_names_are_offered(tmp_path: Path) -> None:
    """As pyright, and the editors that use it, see the package once it is installed."""
    result = _run_pyright(tmp_path, "--verifytypes", "corefscope", "--ignoreexternal")
    if isinstance(result, str):
        pytest.skip(result)
    found = result["typeCompleteness"]
    incomplete = [symbol["name"] for symbol in found["symbols"] if not symbol["isTypeKnown"]]
    assert found["completenessScore"] >= COMPLETE, incomplete
    names = {symbol["name"].removeprefix("corefscope.") for symbol in found["symbols"] if symbol["isExported"]}
    offered = {name for name in names if "." not in name and not name.startswith("__")}
    assert offered == {*dir(corefscope)} - {"__version__"}
