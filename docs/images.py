"""The pictures of pages and README: screenshots of the report page and the app, light and dark.

``make images`` takes them anew, with Chromium and, for the app, Pyodide. Each says in its metadata of which version
it is and which headings the page has, so that a test notices pictures that are out of date.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, NamedTuple

from corefscope.core.version import __version__
from corefscope.output.pages.app.files import find_pyodide
from corefscope.output.pages.report import write_report
from corefscope.output.pages.serve import serve_app

IMAGES = Path(__file__).parent / "images"
EXAMPLES = Path(__file__).parents[1] / "src" / "corefscope" / "formats" / "examples"
SCHEMES = {"light": "", "dark": "-dark"}
"""Colours, and what they add to the name of a picture."""
COLOURS = 128
"""Colours of a picture; more are not seen, and make it three times as large."""
HEADINGS = """[...document.querySelectorAll("h1, h2, h3, th[scope=col], [role=tab]")]
  .filter((element) => element.checkVisibility()).map((element) => element.textContent.trim().replace(/\\s+/g, " "))
  .filter(Boolean).join("\\n")"""
LONG = 60_000  # milliseconds


class Shot(NamedTuple):
    """A picture."""

    page: str
    """``report`` or ``app``."""
    size: tuple[int, int]
    prepare: Callable[[Any], None]
    """Bring a page into the state to show."""


def _errors(page: Any) -> None:
    page.evaluate("location.hash = 'kind=all'")
    page.locator("#list a.error").first.wait_for()


def _text(page: Any) -> None:
    page.evaluate("location.hash = 'doc=es_biblioteca&chain=key:e1'")
    page.locator("#selection h3").wait_for()
    page.locator("#text .m.lit").first.evaluate(
        "(mark) => scrollTo(0, mark.getBoundingClientRect().top + scrollY - 200)"
    )


def _app(page: Any) -> None:
    page.locator("#example").click()
    page.locator("#status", has_text="Ready.").wait_for(timeout=LONG)
    page.locator("#score").click()
    page.locator("#panel-scores .part").wait_for(timeout=LONG)


SHOTS = {
    "report-scores": Shot("report", (1200, 960), lambda page: page.locator("#losses-0").wait_for()),
    "report-errors": Shot("report", (1200, 760), _errors),
    "report-text": Shot("report", (1200, 800), _text),
    "browser": Shot("app", (1000, 1380), _app),
}


def take(browser: Any, name: str, scheme: str, address: str) -> bytes:
    """A picture as PNG, of the page at an address."""
    shot = SHOTS[name]
    width, height = shot.size
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    page = context.new_page()
    page.goto(address)
    shot.prepare(page)
    page.wait_for_timeout(2000)  # until marks that were found no longer blink
    picture = page.screenshot()
    headings = page.evaluate(HEADINGS)
    context.close()
    return labelled(picture, version=__version__, headings=headings)


def labelled(picture: bytes, **labels: str) -> bytes:
    """A PNG of few colours with labels in its metadata."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    info = PngInfo()
    for name, value in labels.items():
        info.add_itxt(name, value)
    out = io.BytesIO()
    with Image.open(io.BytesIO(picture)) as image:
        image.convert("RGB").quantize(COLOURS).save(out, "PNG", optimize=True, pnginfo=info)
    return out.getvalue()


def labels(picture: Path) -> tuple[tuple[int, int], dict[str, str]]:
    """The size of a PNG, and its labels."""
    from PIL import Image

    with Image.open(picture) as image:
        image.load()
        return image.size, {name: str(value) for name, value in image.info.items() if name in ("version", "headings")}


@contextmanager
def pages(pyodide: str | os.PathLike[str] | None = None) -> Iterator[dict[str, str]]:
    """The addresses of the pages, with the example that the package has."""
    with TemporaryDirectory() as folder, serve_app(find_pyodide(pyodide), port=0) as server:
        for name in ("key.conllu", "response.conllu"):
            shutil.copy(EXAMPLES / name, folder)
        before = os.getcwd()
        os.chdir(folder)  # so that the page names files without a directory
        try:
            write_report("key.conllu", ["response.conllu"], "report.html")
        finally:
            os.chdir(before)
        Thread(target=server.serve_forever, daemon=True).start()
        yield {"report": (Path(folder) / "report.html").as_uri(), "app": server.url}
        server.shutdown()


def main() -> None:
    """Write all pictures."""
    from playwright.sync_api import sync_playwright

    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    with pages() as addresses, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name, shot in SHOTS.items():
            for scheme, suffix in SCHEMES.items():
                path = IMAGES / f"{name}{suffix}.png"
                path.write_bytes(take(browser, name, scheme, addresses[shot.page]))
                sys.stdout.write(f"{path}\n")
        browser.close()


if __name__ == "__main__":
    main()
