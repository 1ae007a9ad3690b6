"""Hypothesis runs the same examples everywhere, and does not mind a busy machine. One Spark serves all tests."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

for profile, number in (("repeatable", 50), ("thorough", 100)):
    settings.register_profile(
        profile,
        max_examples=number,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("repeatable")

os.environ.pop("COLUMNS", None)  # pytest-xdist sets it: text would have another width, and messages would be broken


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a shell: tests interrupt themselves
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What needs Spark comes first: one worker of pytest-xdist then starts it, once, and none ends with it."""
    items.sort(key=lambda item: "spark" not in getattr(item, "fixturenames", ()))


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A session on a small cluster of processes; tests that take it are skipped where Spark or Java is missing."""
    from small_cluster import small_cluster

    with small_cluster(tmp_path_factory.mktemp("spark")) as session:
        yield session
