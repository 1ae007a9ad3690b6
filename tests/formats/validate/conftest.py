"""What tests of validation share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that every example writes anew."""
    return tmp_path_factory.mktemp("validate") / "file"
