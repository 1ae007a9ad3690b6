"""A browser for the tests: Debian's chromium, driven by Playwright. Without them, the tests are skipped."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from corefscope.show.page import write_report
from npm import installed
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

from . import corpora

LOOKS = [
    {"viewport": {"width": w, "height": 900}, "color_scheme": c} for w in (1400, 800, 400) for c in ("light", "dark")
]
"""Screens on which pages must look right."""
FLAGS = [
    "--no-sandbox",  # a container's root has no other way
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WATCH = """window.violations = [];
addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));"""

Open = Callable[..., Any]


@pytest.fixture(params=LOOKS, ids=lambda look: f"{look['viewport']['width']}-{look['color_scheme']}")
def look(request: pytest.FixtureRequest) -> dict[str, Any]:
    """A screen, and light or dark colours."""
    return dict(request.param)


@pytest.fixture(scope="session")
def axe() -> str:
    """A script that looks for what people who use assistive tools stumble over."""
    return (installed("axe-core") / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The browser, or a reason why there is none."""
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="Playwright is not installed: pip install playwright"
    )
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("no browser: apt-get install chromium, or name one in CHROMIUM")
    with sync_api.sync_playwright() as playwright:
        try:
            running = playwright.chromium.launch(executable_path=path, args=FLAGS)
        except sync_api.Error as error:
            pytest.skip(f"{path} does not start: {str(error).splitlines()[0]}")
        yield running
        running.close()


@pytest.fixture
def open_page(browser: Any) -> Iterator[Open]:
    """Opens files; in the end nothing must have been requested, refused or complained about."""
    contexts: list[Any] = []
    said: list[str] = []

    def opened(path: Path, link: str = "", **options: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        contexts.append(context)
        context.add_init_script(WATCH)
        page = context.new_page()
        page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: said.append(f"error: {error}"))
        page.on("requestfailed", lambda request: said.append(f"failed: {request.url}"))
        address = path.as_uri()
        page.on(
            "request",
            lambda request: (
                said.append(f"request: {request.url}")
                if request.url.partition("#")[0] not in (address, "data:,")
                else None
            ),
        )
        page.goto(address + link)
        return page

    yield opened
    for context in contexts:
        for page in context.pages:
            if page.evaluate("document.documentElement.classList.contains('js')"):
                said += [f"refused: {found}" for found in page.evaluate("violations")]
        context.close()
    assert not said


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Pages by name, each written once."""
    folder = tmp_path_factory.mktemp("reports")
    written: dict[str, Path] = {}

    def report(name: str) -> Path:
        if name not in written:
            place = folder / name
            place.mkdir()
            written[name] = place / "report.html"
            if name == "example":
                write_report(EXAMPLE_KEY, [EXAMPLE_RESPONSE], written[name])
            elif name == "several":
                write_report(EXAMPLE_KEY, [EXAMPLE_RESPONSE, EXAMPLE_KEY], written[name], names=["ours", "perfect"])
            else:
                key, *responses = getattr(corpora, name)(place)
                title = corpora.BREAKOUT if name == "hostile" else None
                write_report(key, responses, written[name], title=title)
        return written[name]

    return report
