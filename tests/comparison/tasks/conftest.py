"""A small task."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks_on_disk import KEY, WORSE, write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two data sets; b has no submission for the second."""
    return write(
        tmp_path / "task",
        {
            "one/key.conllu": KEY,
            "one/a.conllu": WORSE,
            "one/b.conllu": KEY,
            "two/gold.conllu": KEY[:1],
            "two/a.conllu": KEY[:1],
        },
    )
