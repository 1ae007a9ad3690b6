"""The tests of pages themselves: a page that another test has had is as good as new, and axe does find something."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Open, violations

STATE = """[
  localStorage.length, sessionStorage.length, window.left, scrollY, innerWidth, screen.height,
  matchMedia("print").matches, matchMedia("(prefers-color-scheme: dark)").matches,
]"""


@pytest.fixture
def page_of_text(tmp_path: Path) -> Path:
    path = tmp_path / "text.html"
    path.write_text("<body style='color: #888; background: #999'>" + "<p>text" * 200, encoding="utf-8")
    return path


@pytest.mark.parametrize("times", [1, 2])
def test_nothing_is_left_of_the_test_before(open_page: Open, page_of_text: Path, times: int) -> None:
    page = open_page(page_of_text)
    assert page.evaluate(STATE) == [0, 0, None, 0, 1280, 900, False, False], f"test {times}"
    page.evaluate("localStorage.a = sessionStorage.a = window.left = 1; scrollTo(0, 999)")
    page.set_viewport_size({"width": 400, "height": 400})
    page.emulate_media(media="print", color_scheme="dark")
    page.context.new_page()
    assert page.evaluate(STATE) == [1, 1, 1, 999, 400, 400, True, True]


def test_axe_finds_what_is_wrong(open_page: Open, page_of_text: Path, axe: str) -> None:
    page = open_page(page_of_text)
    page.evaluate(axe)
    assert {rule for rule, _ in violations(page)} >= {"color-contrast", "document-title", "html-has-lang"}
