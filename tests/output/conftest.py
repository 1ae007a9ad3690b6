"""A shared task that several modules show."""

from __future__ import annotations

from pathlib import Path

import pytest

from boards import task_of
from corefscope.comparison.tasks import TaskSettings, score_task_settings


@pytest.fixture(scope="session")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return task_of(tmp_path_factory.mktemp("board"))


@pytest.fixture(scope="session")
def result(manifest: Path) -> TaskSettings:
    return score_task_settings(manifest, jobs=1)
