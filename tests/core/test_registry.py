"""Registries: rows that are loaded by name, and no look at other packages without need."""

from __future__ import annotations

import subprocess
import sys

import pytest

import corefscope
from corefscope.cli.parser import COMMANDS
from corefscope.core.registry import Registry
from corefscope.output.layout import RESULTS
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE


def test_built_in_rows_need_no_look_at_other_packages() -> None:
    code = (
        "import sys; from corefscope.cli import main; "
        f"main(['score', {str(EXAMPLE_KEY)!r}, {str(EXAMPLE_RESPONSE)!r}]); "
        "sys.exit('importlib.metadata' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0


def test_lazy_rows_are_loaded_once_by_name() -> None:
    rows: Registry[object] = Registry({"one": 1}, lazy={"pi": "math:pi", "tau": "math:__dict__"})
    assert list(rows) == ["one", "pi", "tau"] == list(rows.built_in)
    assert (rows["one"], rows["pi"], rows["tau"]) == (1, 3.141592653589793, 6.283185307179586)
    rows["two"] = 2
    assert len(rows) == 4
    del rows["one"], rows["pi"]
    assert list(rows) == ["tau", "two"]
    for name in ("one", "pi", "three"):
        assert name not in rows
        with pytest.raises(KeyError):
            rows[name]
        with pytest.raises(KeyError):
            del rows[name]


@pytest.mark.parametrize("registry", [corefscope.METRICS, corefscope.FORMATS, COMMANDS, RESULTS])
def test_the_registries_are_of_one_class(registry: Registry[object]) -> None:
    assert isinstance(registry, Registry)
    assert all(registry[name] for name in registry)
