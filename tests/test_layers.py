"""Imports follow the data: reading comes before matching, matching before counting, counting before reports."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path

from places import SOURCE

# Each room may import itself and those of the layers before it, not its neighbour in the same layer.
LAYERS = [
    ["base"],
    ["read"],
    ["match", "write"],
    ["count"],
    ["evaluate"],
    ["study"],
    ["show"],
    ["cli", "integrations"],
    ["__main__"],
    ["__init__"],
]
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
MODULES = sorted(path.relative_to(SOURCE) for path in SOURCE.rglob("*.py"))


def _layer(module: Path) -> str:
    return module.parts[0].removesuffix(".py")


def _imported(module: Path, text: str = "") -> set[str]:
    """The top-level modules of the package that a module imports, wherever in the file."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text or (SOURCE / module).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            dotted = [[*alias.name.split("."), "__init__"] for alias in node.names]
            found.update(parts[1] for parts in dotted if parts[0] == "corefscope")
        if isinstance(node, ast.ImportFrom) and node.level:
            package = list(module.parent.parts)[: len(module.parts) - node.level]
            names = [node.module] if node.module else [alias.name for alias in node.names]
            found.update([*package, *name.split(".")][0] for name in names if name)
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("corefscope"):
            found.update([*node.module.split(".")[1:2], *(alias.name for alias in node.names)][:1])
    return found


def test_every_module_has_its_layer() -> None:
    assert {_layer(module) for module in MODULES} == set(RANK)


def _backward(modules: Iterable[Path], text: str = "") -> list[str]:
    """The imports that go against the arrow, or to a neighbour; ``text`` stands for what the modules hold."""
    return [
        f"{module} imports {name}"
        for module in modules
        if _layer(module) != "__init__"
        for name in _imported(module, text)
        if name != _layer(module) and RANK[name] >= RANK[_layer(module)]
    ]


def test_no_module_imports_a_later_layer() -> None:
    assert not _backward(MODULES)


def test_a_planted_import_is_found() -> None:
    """A check that cannot fail is worse than none."""
    for planted, line in (
        ("read/x.py", "from ..count.table import Table"),
        ("match/x.py", "from ..write.target import Target"),
        ("count/metrics/x.py", "def f() -> None:\n    from ...show import text"),
        ("base/x.py", "if TYPE_CHECKING:\n    from corefscope.cli import main"),
    ):
        assert len(_backward([Path(planted)], line)) == 1, line
    assert not _backward([Path("show/x.py")], "from ..study import compare\nfrom . import text")


def test_the_check_sees_imports() -> None:
    """A check that cannot fail is worse than none."""
    for line in (
        "import corefscope.cli",
        "from corefscope.cli import main",
        "from ..cli import main",
        "from .. import cli",
    ):
        assert _imported(Path("read/x.py"), line) == {"cli"}, line
    assert _imported(Path("evaluate/files.py")) >= {"base", "read", "evaluate"}
    assert _imported(Path("match/official.py")) >= {"match"}
