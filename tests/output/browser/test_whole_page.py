"""The page as a whole: tables, colours, narrow screens, scripts of the world, hostile text, large documents."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from . import corpora
from .conftest import Open

Reports = Callable[[str], Path]
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
BACKGROUND = (
    "getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0)"
)


def test_tables_sort(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("example"))
    table = page.locator("section.current table.documents")

    def column(number: int) -> list[Any]:
        return [float(cell) for cell in table.locator(f"tbody tr td:nth-child({number})").all_inner_texts()]

    table.locator("thead button", has_text="Words").click()
    assert column(2) == sorted(column(2), reverse=True)
    table.locator("thead button", has_text="CoNLL").click()
    assert column(5) == sorted(column(5))
    assert table.locator("th[aria-sort]").get_attribute("aria-sort") == "ascending"
    table.locator("thead button", has_text="CoNLL").click()
    assert column(5) == sorted(column(5), reverse=True)
    table.locator("thead button", has_text="Document").click()
    names = table.locator("tbody th").all_inner_texts()
    assert names == sorted(names)


UNDER_HEADER = """(section) => {
  const bottom = document.querySelector(".top").getBoundingClientRect().bottom;
  const heading = section.matches("h1, h2") ? section : section.querySelector("h1, h2");
  return heading.getBoundingClientRect().top < bottom;
}"""


@pytest.mark.parametrize("width", [1400, 800, 400])
def test_links_lead_to_headings_that_are_seen(open_page: Open, reports: Reports, width: int) -> None:
    """The header grows with its navigation, of which nothing is cut off."""
    page = open_page(reports("several"), viewport={"width": width, "height": 900})
    nav = page.locator(".top nav")
    assert nav.evaluate("(nav) => nav.scrollWidth <= nav.clientWidth")
    for link in nav.locator("a:visible").all():
        link.click()
        section = page.locator(link.get_attribute("href"))
        assert not section.evaluate(UNDER_HEADER), link.inner_text()


def test_scores_say_how(open_page: Open, reports: Reports) -> None:
    """On a card the sums, on a document every term; a mention of a term is a link to the text."""
    page = open_page(reports("example"), "#doc=es_biblioteca")
    card = page.locator("section.current .score:not(.hero)", has_text="MUC").first
    card.locator("summary").click()
    assert card.locator("details.how td").all_inner_texts() == ["15 / 20", "15 / 19"]
    page.locator("#how-card > summary").click()
    assert page.locator("#how h3").all_inner_texts() == ["MUC", "B³", "CEAFe", "CoNLL"]
    first = page.locator("#how table.terms").first
    assert first.locator("tr.sum td").all_inner_texts() == ["", "7", "10"]
    link = first.locator("button.mention-link").first
    assert link.inner_text() == "La alcaldesa de Villanueva"
    link.click()
    page.wait_for_selector("#text .found")
    assert page.evaluate(OVERFLOW) == 0


def test_dark_follows_the_system_and_the_button(open_page: Open, reports: Reports) -> None:
    light, dark = (open_page(reports("example"), color_scheme=scheme) for scheme in ("light", "dark"))
    assert light.evaluate(BACKGROUND) > 700
    assert dark.evaluate(BACKGROUND) < 120
    dark.locator("#theme").click()
    assert dark.evaluate(BACKGROUND) > 700
    light.locator("#theme").click()
    assert light.evaluate(BACKGROUND) < 120


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast(open_page: Open, reports: Reports, scheme: str) -> None:
    page = open_page(reports("example"), color_scheme=scheme)
    ratio = """(selector) => {
      const parse = (c) => c.match(/[0-9.]+/g).slice(0, 3).map((v) => v / 255)
        .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
      const level = (c) => { const [r, g, b] = parse(c); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
      const element = document.querySelector(selector);
      let back = element;
      while (getComputedStyle(back).backgroundColor.includes(", 0)")) back = back.parentElement;
      const [a, b] = [level(getComputedStyle(element).color), level(getComputedStyle(back).backgroundColor)];
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    }"""
    for selector in ("h1", ".lead", ".signature code", ".documents a", ".top nav a", "#text .words", ".row .number"):
        assert page.evaluate(ratio, selector) >= 4.5, selector


@pytest.mark.parametrize(
    "name", ["example", "several", "hostile", "right_to_left", "chinese", "crossing", "anaphora"]
)
def test_a_phone_needs_no_sideways_scrolling(open_page: Open, reports: Reports, name: str) -> None:
    page = open_page(reports(name), viewport={"width": 400, "height": 800}, has_touch=True)
    assert page.evaluate(OVERFLOW) <= 0
    page.locator("#text .m").first.click()
    page.wait_for_timeout(100)
    assert page.evaluate(OVERFLOW) <= 0
    assert page.locator("#selection").is_visible()
    page.locator("#close").click()
    page.locator("#overlay").check()
    assert page.evaluate(OVERFLOW) <= 0


def test_a_table_with_more_columns_than_fit_has_a_shadow_there(open_page: Open, reports: Reports) -> None:
    """And names of rows stay beside figures."""
    page = open_page(reports("example"), viewport={"width": 400, "height": 800})
    table = page.locator(".scroll:has(.documents)")
    name = table.locator("tbody th").first
    assert table.evaluate("(element) => element.scrollWidth > element.clientWidth + 40")
    at = name.bounding_box()["x"]
    table.evaluate("(element) => { for (const part of element.children) part.style.visibility = 'hidden'; }")
    assert _shadows(table.screenshot()) == (False, True)
    table.evaluate("(element) => (element.scrollLeft = 1000)")
    assert _shadows(table.screenshot()) == (True, False)
    assert name.bounding_box()["x"] == pytest.approx(at, abs=1)


def _shadows(picture: bytes) -> tuple[bool, bool]:
    """Whether a picture of an empty table is darker at the left edge, and at the right one, than in the middle."""
    image_module = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    with image_module.open(io.BytesIO(picture)) as image:
        grey = image.convert("L")
        height = grey.height // 2
        left, middle, right = (grey.getpixel((x, height)) for x in (2, grey.width // 2, grey.width - 3))
    return left < middle - 9, right < middle - 9


def test_without_scripts_all_tables_are_there(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("several"), java_script_enabled=False)
    assert page.locator("section.response:visible").count() == 2
    assert page.locator("table.documents:visible").count() == 2
    assert page.locator("table.waterfall:visible").count() == 2
    assert not page.locator("#reading").is_visible()
    assert "switched off" in page.locator("noscript").inner_text()


def test_print_has_the_text_and_no_controls(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("example"), color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(BACKGROUND) == 3 * 255
    for selector in (".top", "#filters", "#panel"):
        assert not page.locator(selector).is_visible()
    assert page.locator("#text .words").first.is_visible()
    assert len(page.pdf()) > 10_000


def test_names_and_ids_are_there_for_assistive_tools(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("several"))
    twice = "[...document.querySelectorAll('[id]')].map((e) => e.id).filter((id, at, all) => all.indexOf(id) !== at)"
    assert page.evaluate(twice) == []
    nameless = """[...document.querySelectorAll('button, a[href], select, input')].filter((e) =>
      !(e.textContent.trim() || e.getAttribute('aria-label') || e.closest('label')?.textContent.trim()))
      .map((e) => e.outerHTML)"""
    assert page.evaluate(nameless) == []


def test_hostile_text_is_text(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("hostile"))
    for _ in range(2):
        page.locator("#text .m").first.click()
        page.locator("#overlay").click()
        page.locator("#chains-tab").click()
    page.locator("#next").click()
    page.locator("#previous").click()
    page.wait_for_timeout(300)
    assert page.evaluate("window.attacked") is None
    assert page.locator("img, iframe, object, embed, base, form, svg script").count() == 0
    assert page.locator("script:not([type])").count() == 1
    assert page.locator("style").count() == 1
    words = page.locator("#text .words").first.inner_text()
    for text in (
        corpora.ATTACK,
        corpora.BREAKOUT,
        corpora.IMAGE,
        corpora.STYLED,
        corpora.COMMENT,
        corpora.LONG,
        "{{ 7 * 7 }}",
    ):
        assert text in words
    assert "nul␀esc␛[31mnel␦line" in words
    assert page.title().startswith(corpora.BREAKOUT)
    assert page.locator("h1").inner_text() == corpora.BREAKOUT
    page.locator("#text .m.key").first.click()
    assert "key entity · </script><svg/onload:attack> · <b>type</b>" in page.locator("#selection").inner_text()


def test_right_to_left_scripts_run_right_to_left(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("right_to_left"))
    paragraph = page.locator("#text .words.key").first
    assert paragraph.evaluate("(e) => getComputedStyle(e).direction") == "rtl"
    first, later = (
        page.locator(f"#text .words.key .m:has-text('{word}')").first.bounding_box() for word in ("الوزيرة", "NASA")
    )
    assert first["x"] > later["x"]
    edges = page.locator("#text .words.key .m").first.evaluate(
        "(e) => [getComputedStyle(e).borderRightStyle, getComputedStyle(e).borderLeftStyle]"
    )
    assert edges == ["solid", "solid"]
    assert "NASA،" in paragraph.inner_text()
    page.locator("#text").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert "NASA" in page.evaluate("document.activeElement.textContent")


def test_words_without_blanks_stand_together(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("chinese"))
    assert page.locator("#text .words.key").all_inner_texts() == ["市长昨天宣布，新图书馆开放。", "她说它很大"]
    assert "新图书馆" in page.locator(".lane-name").nth(1).inner_text()


def test_a_document_of_200_000_words_still_scrolls(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("large"))
    opened = page.evaluate("performance.now()")
    assert opened < 8000
    assert page.locator("#text .words").first.is_visible()
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    page.wait_for_timeout(300)
    page.evaluate("location.hash = 'doc=large&error=9000'")
    page.wait_for_timeout(300)
    assert page.locator("#text .m.target").first.is_visible()
    page.locator("#chains-tab").click()
    page.locator("#chains button.item").first.click()
    page.locator("#selection .plain").last.click()
    page.locator("#selection ol li button").last.click()
    page.wait_for_timeout(400)
    seen = """[...document.querySelectorAll('.m.found')].some((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top > 0 && bottom < innerHeight;
    })"""
    assert page.evaluate(seen)
    began = page.evaluate("performance.now()")
    for _ in range(20):
        page.mouse.wheel(0, 2500)
        page.wait_for_timeout(16)
    assert page.evaluate("performance.now()") - began < 6000
    assert page.locator("#text .row").count() > 100
