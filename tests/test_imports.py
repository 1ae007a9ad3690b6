"""Import rules: ``core`` stands alone, and packages import only what docs/design.md lists."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from places import REPOSITORY, SOURCE

DESIGN = REPOSITORY / "docs" / "design.md"
ROW = re.compile(r"^\| `(\w+)` \| ([^|]*) \|", re.MULTILINE)


def allowed_imports() -> dict[str, set[str]]:
    """The packages that each package may import, from the table "Who imports whom" of the design."""
    _, _, section = DESIGN.read_text(encoding="utf-8").partition("## Who imports whom")
    rows = ROW.findall(section.partition("\n## ")[0])
    return {package: {package, *re.findall(r"`(\w+)`", imported)} for package, imported in rows}


def imported_packages(module: Path, text: str) -> Iterator[str]:
    """The first-level packages that a module imports, at the top or inside a function."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level:
            parents = ["corefscope", *module.parent.parts]
            base = parents[: len(parents) - node.level + 1]
            names = [".".join([*base, *filter(None, [node.module]), alias.name]) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (name.split(".")[1] for name in names if name.startswith("corefscope."))


def forbidden_imports(module: Path, text: str) -> set[str]:
    """What a module imports against the rules; names of the package itself (``__version__``) are free."""
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    return (packages & set(imported_packages(module, text))) - allowed_imports()[module.parts[0]]


MODULES = sorted(path.relative_to(SOURCE) for path in SOURCE.glob("*/**/*.py"))


@pytest.mark.parametrize("package", sorted({module.parts[0] for module in MODULES}))
def test_packages_import_only_what_the_design_lists(package: str) -> None:
    found = {
        str(module): forbidden
        for module in MODULES
        if module.parts[0] == package
        and (forbidden := forbidden_imports(module, (SOURCE / module).read_text(encoding="utf-8")))
    }
    assert not found


def test_forbidden_imports_are_found() -> None:
    """A check that cannot fail is worse than none."""
    assert allowed_imports()["core"] == {"core"}
    assert forbidden_imports(Path("core/x.py"), "from ..formats.source import Source") == {"formats"}
    assert forbidden_imports(Path("core/metrics/x.py"), "def f():\n    from ...output import text") == {"output"}
    assert forbidden_imports(Path("formats/x.py"), "from corefscope.cli import main") == {"cli"}
    assert not forbidden_imports(Path("formats/x.py"), "from ..core.errors import InputError\nfrom . import source")


@pytest.mark.parametrize("code", ["import corefscope", "import corefscope; corefscope.Scorer(metrics='conll')"])
def test_nothing_heavy_is_imported(code: str) -> None:
    """Importing NumPy takes longer than scoring a corpus."""
    loaded = subprocess.run(
        [sys.executable, "-c", f"{code}; import sys; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    assert not {"numpy", "scipy", "rich", "jinja2", "matplotlib"} & set(loaded.stdout.split())
