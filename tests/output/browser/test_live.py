"""The page that is served: it loads again when a file changes, and says when one is broken."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path
from typing import Any

from corefscope.output.pages.serve import serve_report
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE
from serving import running


def _replace(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(time.time_ns(), time.time_ns() + 5_000_000_000))


def test_the_page_follows_the_files(browser: Any, tmp_path: Path) -> None:
    key, response = (Path(shutil.copy(path, tmp_path)) for path in (EXAMPLE_KEY, EXAMPLE_RESPONSE))
    with running(serve_report(key, [response], port=0)) as address:
        context = browser.new_context()
        page = context.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(f"{address}#doc=en_letter")
        hero = page.locator(".hero .big")
        assert hero.inner_text() == "72.88"
        good = response.read_text(encoding="utf-8")
        _replace(response, key.read_text(encoding="utf-8"))
        page.locator(".hero .big", has_text="100.00").wait_for(timeout=20_000)
        assert page.url.endswith("#doc=en_letter")
        _replace(response, "# <img src=x onerror=alert(1)>\n1\tbroken\n\n")
        banner = page.locator("#live")
        banner.wait_for(timeout=20_000)
        assert "column" in banner.inner_text() or "document" in banner.inner_text()
        _replace(response, good)
        page.locator(".hero .big", has_text="72.88").wait_for(timeout=20_000)
        assert page.locator("#live").count() == 0
        assert said == []
        context.close()
