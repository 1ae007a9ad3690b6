"""The detailed results of a submission, in a browser: figures, what is wrong, and reports that open and work."""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from corefscope.comparison.tasks import Submission, Task, run_task
from corefscope.compat.codabench.scoring import page
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE
from serving import running

from . import corpora
from .conftest import WATCH


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


def _written(folder: Path, details: str) -> Path:
    """The page of a submission to three data sets; one is hostile, and one is missing."""
    key, response, *_ = corpora.hostile(folder)
    keys = {"example": EXAMPLE_KEY, corpora.BREAKOUT: key, "lost": EXAMPLE_KEY}
    submissions = {
        "example": Submission(str(EXAMPLE_RESPONSE)),
        corpora.BREAKOUT: Submission(str(response)),
        "lost": Submission("", "missing", corpora.BREAKOUT),
    }
    task = Task("task", {name: str(path) for name, path in keys.items()}, {"submission": submissions})
    result = run_task(task, jobs=1, significance=False)
    (folder / "detailed_results.html").write_text(page(result, details), encoding="utf-8")
    return folder


@pytest.mark.parametrize("details", ["figures", "report"])
def test_details_are_shown_and_nothing_in_files_is_run(browser: Any, tmp_path: Path, details: str) -> None:
    folder = _written(tmp_path, details)
    said: list[str] = []
    with running(ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))) as address:
        context = browser.new_context()
        context.add_init_script(WATCH)
        shown = context.new_page()
        shown.on("console", lambda message: said.append(message.text))
        shown.on("pageerror", lambda error: said.append(str(error)))
        shown.goto(f"{address}detailed_results.html")
        assert "missing, counts as 0" in shown.inner_text("p.wrong")
        assert "72.88" in shown.inner_text("table >> nth=0")
        for summary in shown.locator("summary").all():
            summary.click()
        frames = shown.locator("iframe")
        if details == "report":
            frames.nth(1).wait_for()
        assert frames.count() == (2 if details == "report" else 0)
        for number in range(frames.count()):
            frame = shown.frame_locator(f"iframe >> nth={number}")
            frame.locator("h1").first.wait_for()
            frame.locator("a[href='#reading']").first.click()
            frame.locator("#reading").wait_for()
        assert all(not frame.evaluate("violations") for frame in shown.frames)
        assert all(frame.evaluate("window.attacked") is None for frame in shown.frames)
        context.close()
    assert not said
