"""A browser for the tests: Debian's chromium, driven by Playwright. Without them, the tests are skipped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from corefscope.output.pages.report import write_report
from npm import installed
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

from . import corpora

LOOKS = [
    {"viewport": {"width": w, "height": 900}, "color_scheme": c} for w in (1400, 800, 400) for c in ("light", "dark")
]
"""Screens on which pages must look right."""
SCREEN = {"width": 1280, "height": 900}
WATCH = """window.violations = [];
addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));"""

AXE = """(selector) => axe.run(selector, { iframes: false, resultTypes: ["violations"] })
  .then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))"""

Open = Callable[..., Any]


@pytest.fixture(params=LOOKS, ids=lambda look: f"{look['viewport']['width']}-{look['color_scheme']}")
def look(request: pytest.FixtureRequest) -> dict[str, Any]:
    """A screen, and light or dark colours."""
    return dict(request.param)


@pytest.fixture(params=[LOOKS[0], LOOKS[3], LOOKS[4]], ids=["wide", "medium", "narrow"])
def screen(request: pytest.FixtureRequest) -> dict[str, Any]:
    """A screen, for what no colour can change: each width once, and one of them dark."""
    return dict(request.param)


@pytest.fixture(scope="session")
def axe() -> str:
    """A script that looks for what people who use assistive tools stumble over."""
    return (installed("axe-core") / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Any, selector: str = "html") -> list[Any]:
    """What axe, which the page has run, says against it: rules, each with the first element that breaks it."""
    return list(page.evaluate(AXE, selector))


class Tabs:
    """Pages that tests hand back. To open a window costs more than what most tests do in it."""

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self._idle: dict[str, list[Any]] = {}

    def take(self, **options: Any) -> Any:
        """An empty page of a context with these options that no other test has."""
        idle = self._idle.setdefault(repr(options), [])
        if not idle:
            context = self._browser.new_context(**options)
            context.add_init_script(WATCH)
            idle.append(context.new_page())
        return idle.pop()

    def hand_back(self, page: Any, **options: Any) -> None:
        """Nothing is left of what it showed, stored or pointed at."""
        for other in page.context.pages:
            if other != page:
                other.close()
        if page.url.startswith("file:"):
            page.evaluate("localStorage.clear(); sessionStorage.clear()")
        page.goto("about:blank")
        page.mouse.move(0, 0)
        self._idle[repr(options)].append(page)


@pytest.fixture(scope="session")
def tabs(browser: Any) -> Tabs:
    return Tabs(browser)


@pytest.fixture
def open_page(tabs: Tabs) -> Iterator[Open]:
    """Opens files; in the end nothing must have been requested, refused or complained about."""
    opened: list[tuple[Any, dict[str, Any], dict[str, Callable[[Any], None]]]] = []
    said: list[str] = []

    def open_(path: Path, link: str = "", viewport: Any = SCREEN, color_scheme: str = "light", **options: Any) -> Any:
        page = tabs.take(**options)
        page.set_viewport_size(viewport)
        page.emulate_media(media="null", color_scheme=color_scheme)
        address = path.as_uri()

        def requested(request: Any) -> None:
            if request.url.partition("#")[0] not in (address, "data:,"):
                said.append(f"request: {request.url}")

        listeners: dict[str, Callable[[Any], None]] = {
            "console": lambda message: said.append(f"{message.type}: {message.text}"),
            "pageerror": lambda error: said.append(f"error: {error}"),
            "requestfailed": lambda request: said.append(f"failed: {request.url}"),
            "request": requested,
        }
        for event, listener in listeners.items():
            page.on(event, listener)
        opened.append((page, options, listeners))
        page.goto(address + link)
        return page

    yield open_
    for page, options, listeners in opened:
        for each in page.context.pages:
            if each.evaluate("document.documentElement.classList.contains('js')"):
                said += [f"refused: {found}" for found in each.evaluate("violations")]
        for event, listener in listeners.items():
            page.remove_listener(event, listener)
        tabs.hand_back(page, **options)
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
