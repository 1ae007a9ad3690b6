"""Hypothesis runs the same examples everywhere, on busy machines too. One Spark and one browser serve all tests."""

from __future__ import annotations

import os
import shutil
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
os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "0"  # Spark Connect's client makes programs abort that tests fork and start


BROWSER_FLAGS = [
    "--no-sandbox",  # a container's root has no other way
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

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


@pytest.fixture(scope="session")
def connect(spark: Any) -> Iterator[Any]:
    """A session of Spark Connect on the same cluster."""
    from small_cluster import connected

    with connected(spark) as session:
        yield session


@pytest.fixture(params=["spark", "connect"])
def any_spark(request: pytest.FixtureRequest, spark: Any) -> Any:  # noqa: ARG001  (names it for the order of tests)
    """A classic session, and one of Spark Connect."""
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's Chromium, driven by Playwright; tests that take it are skipped where one of them is missing."""
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="Playwright is not installed: pip install playwright"
    )
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("no browser: apt-get install chromium, or name one in CHROMIUM")
    with sync_api.sync_playwright() as playwright:
        try:
            running = playwright.chromium.launch(executable_path=path, args=BROWSER_FLAGS)
        except sync_api.Error as error:
            pytest.skip(f"{path} does not start: {str(error).splitlines()[0]}")
        yield running
        running.close()
