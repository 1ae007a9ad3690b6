"""Small files that would fill memory: each is refused by name, and the process stays small."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from peak import run_limited

pytestmark = pytest.mark.skipif(os.name != "posix", reason="limits on memory are those of POSIX")

SMALL = 300 << 20
"""Bytes that a process may take which refuses its input at once."""


@pytest.mark.parametrize("before", ["metrics:\n", "datasets:\n  x:\n"])
def test_aliases_of_yaml_are_refused(before: str, tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    names = "abcdefghij"
    lists = ["  - &a [" + "x," * 9 + "]"]
    lists += [f"  - &{name} [" + f"*{inner}," * 9 + "]" for inner, name in zip(names, names[1:], strict=False)]
    (tmp_path / "t.yaml").write_text(before + "\n".join(lists) + "\nsystems: {b: k}\n", encoding="utf-8")
    ended = run_limited("task", "t.yaml", cwd=tmp_path)
    assert ended.code == 1
    assert "the alias *a is not read" in ended.said
    assert ended.peak < SMALL
