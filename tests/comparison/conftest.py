"""Files to score, and directories of several formats."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

CONLL = "#begin document (d{0}); part 000\nd 0 0 a (1)\nd 0 1 b (1)\nd 0 2 c (2)\nd 0 3 d (2)\n\n#end document\n"
JSONL = '{"doc_key": "d{0}_0", "sentences": [["a", "b", "c", "d"]], "clusters": [[[0, 0], [1, 1], [2, 2]]]}\n'


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Copies that may be changed."""
    return [str(shutil.copy(path, tmp_path / path.name)) for path in (EXAMPLE_KEY, EXAMPLE_RESPONSE)]


@pytest.fixture
def mixed(tmp_path: Path) -> list[str]:
    """Two directories with files of two formats each."""
    for side in ("keys", "responses"):
        (tmp_path / side).mkdir()
    for at, side in ((1, "keys"), (2, "keys"), (1, "responses"), (2, "responses")):
        text, suffix = (CONLL, "conll") if (at == 1) == (side == "keys") else (JSONL, "jsonl")
        (tmp_path / side / f"{at}.{suffix}").write_text(text.replace("{0}", str(at)), encoding="utf-8")
    return [str(tmp_path / side) for side in ("keys", "responses")]
