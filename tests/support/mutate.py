"""Mutation testing with mutmut, in a copy of the repository: ``python tests/support/mutate.py [MODULE …]``.

A module is changed in one small place at a time, and the tests of its package are run. A mutant that no test notices
is a survivor: kill it with a test, or say in docs/mutation.md why it makes no difference. Without modules,
everything that decides a figure is mutated, which takes hours.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from places import REPOSITORY

COPY = REPOSITORY / ".mutate"
RULES = [
    str(path.relative_to(REPOSITORY))
    for name in ("quirks", "oracles", "conll_reference")
    for path in REPOSITORY.glob(f"tests/**/test_{name}.py")
]
TESTS = {package: [f"tests/{package}", *RULES] for package in ("core", "measures", "anaphora")}
"""The tests that are run for the modules of each package."""
EVERYTHING = ["core/*.py", "core/matching/**/*.py", "core/metrics/*.py", "measures/*.py", "anaphora/*.py"]

CONFIGURATION = """
[tool.mutmut]
source_paths = ["src"]
only_mutate = {modules}
pytest_add_cli_args = ["-o", "addopts=", "-p", "no:cacheprovider"]
pytest_add_cli_args_test_selection = {tests}
track_dependencies = false
"""


def main(modules: list[str]) -> None:
    for package, tests in TESTS.items():
        selected = [module for module in modules if module.startswith(f"src/corefscope/{package}/")]
        if selected:
            _mutate(COPY / package, selected, tests)


def _mutate(copy: Path, modules: list[str], tests: list[str]) -> None:
    shutil.rmtree(copy, ignore_errors=True)
    for folder in ("src", "tests"):
        shutil.copytree(REPOSITORY / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    configuration = CONFIGURATION.format(modules=modules, tests=tests)
    text = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    (copy / "pyproject.toml").write_text(text + configuration, encoding="utf-8")

    program = str(Path(sys.executable).with_name("mutmut"))

    def mutmut(*arguments: str) -> str:
        return subprocess.run([program, *arguments], cwd=copy, stdout=subprocess.PIPE, text=True, check=True).stdout

    subprocess.run([program, "run"], cwd=copy, check=True)
    results = [line.strip().split(": ") for line in mutmut("results", "--all", "true").splitlines() if ": " in line]
    escaped = [name for name, result in results if result in ("survived", "no tests", "suspicious")]
    for name in escaped:
        print(mutmut("show", name))
    print(f"{', '.join(modules)}: {len(escaped)} of {len(results)} mutants were not noticed")


if __name__ == "__main__":
    main(sys.argv[1:] or [f"src/corefscope/{pattern}" for pattern in EVERYTHING])
