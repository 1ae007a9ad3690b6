"""Figures do not depend on how a version of Python adds floats: from 3.12 on, ``sum`` compensates rounding errors."""

from __future__ import annotations

import builtins
import random
from collections.abc import Callable, Iterable
from functools import reduce
from math import fsum
from operator import add
from pathlib import Path
from typing import Any

import pytest

import corefscope
from corefscope.analysis.errors.examine import examine
from oracles.generate import random_pair


def _one_by_one(values: Iterable[Any], start: Any = 0) -> Any:
    return reduce(add, values, start)


def _compensated(values: Iterable[Any], start: Any = 0) -> Any:
    values = [start, *values]
    return fsum(values) if any(isinstance(value, float) for value in values) else reduce(add, values)


def test_figures_are_the_same_to_the_last_bit_however_sums_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = tmp_path / "key.conllu", tmp_path / "response.conllu"
    differing = 0
    for seed in range(12):
        for path, text in zip(paths, random_pair(random.Random(seed)), strict=True):
            path.write_text(text, encoding="utf-8")
        found: list[Any] = []
        way: Callable[..., Any]
        for way in (_one_by_one, _compensated):
            monkeypatch.setattr(builtins, "sum", way)
            scores = corefscope.score(*paths, metrics="all", singletons="keep").to_dict()
            found.append((scores, examine(*paths, singletons="keep").to_dict()))
            monkeypatch.undo()
        assert found[0] == found[1]
        shares = [value["f1"] for value in found[0][0]["metrics"].values() if "f1" in value]
        differing += _one_by_one(shares) != _compensated(shares)
    assert differing  # or the two ways to add would be the same
