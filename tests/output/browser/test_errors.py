"""What to fix first: the verdict, the list of all errors, A against B, legend and shortcuts, on all screens."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import Open, violations

Reports = Callable[[str], Path]
Look = dict[str, Any]
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
COLOURS = """(names) => names.map((name) => {
  const element = document.createElement("i");
  element.className = name;
  document.body.append(element);
  element.style.color = `var(--${name[0]})`;
  const [r, g, b] = getComputedStyle(element).color.match(/[0-9.]+/g).map(Number);
  element.remove();
  return [r, g, b];
})"""


def _open(open_page: Open, path: Path, look: Look, link: str = "") -> Any:
    """A page whose documents have all been read."""
    page = open_page(path, link, **look)
    page.wait_for_function("() => /error/.test(document.querySelector('#found').textContent)")
    return page


def _listed(page: Any) -> int:
    return int(page.locator("#list a.error").count())


@pytest.mark.parametrize("name", ["example", "rivals", "anaphora"])
def test_axe_finds_nothing(open_page: Open, reports: Reports, look: Look, axe: str, name: str) -> None:
    page = _open(open_page, reports(name), look)
    page.evaluate("document.querySelectorAll('details').forEach((details) => (details.open = true))")
    page.evaluate(axe)
    assert violations(page) == []
    page.keyboard.press("?")
    assert violations(page, "#shortcuts") == []
    assert page.evaluate(OVERFLOW) <= 0


def test_the_verdict_stands_on_the_first_screen(open_page: Open, reports: Reports, screen: Look) -> None:
    page = _open(open_page, reports("rivals"), screen)
    verdicts = page.locator(".verdict")
    assert [text.partition(" ")[0] for text in verdicts.all_inner_texts()] == ["first", "second"]
    assert all("cost most" in text and "weakest" in text for text in verdicts.all_inner_texts())
    box = verdicts.last.bounding_box()
    assert box["y"] + box["height"] < 450
    verdicts.last.locator("a").first.click()
    page.wait_for_function("() => document.querySelector('#errors-title').textContent.startsWith('second')")
    assert page.locator("section.response:visible").get_attribute("id") == "response-1"


def test_links_of_lost_points_and_slices_lead_to_their_errors(
    open_page: Open, reports: Reports, screen: Look
) -> None:
    page = _open(open_page, reports("example"), screen)
    assert _listed(page) == 12
    page.locator("section.current .waterfall a", has_text="Missing mention").click()
    page.wait_for_function("() => document.querySelectorAll('#list .error').length === 3")
    kinds = page.locator("#list .kind").all_inner_texts()
    assert sorted(text.split("\n")[0] for text in kinds) == ["missing mention", "missing mention", "missing zero"]
    assert 0 <= page.locator("#errors").bounding_box()["y"] < 200
    assert page.locator("#found").inner_text() == "3 errors of 12"
    page.locator("section.current .slice a", has_text="zero").first.click()
    page.wait_for_function("() => document.querySelector('#in-slice').value === 'mention-type:zero'")
    page.wait_for_function("() => document.querySelectorAll('#list .error').length === 3")
    assert all("∅" in text for text in page.locator("#list q").all_inner_texts())
    assert page.locator("#in-slice").input_value() == "mention-type:zero"
    page.locator("#all-errors").click()
    assert _listed(page) == 12
    assert page.evaluate(OVERFLOW) <= 0


def test_errors_are_searched_and_filtered(open_page: Open, reports: Reports, screen: Look) -> None:
    page = _open(open_page, reports("example"), screen)
    page.keyboard.press("/")
    page.keyboard.type("MORENO")
    assert page.locator("#list q").all_inner_texts() == ["Moreno and Paul"]
    assert page.evaluate("location.hash") == "#kind=all&q=MORENO"
    page.locator("#search").fill("")
    page.locator("#in-document").select_option(label="en_letter")
    assert _listed(page) == 5
    page.locator("#list-kinds label", has_text="span error").click()
    assert _listed(page) == 4
    assert not page.locator("#filters label", has_text="span error").locator("input").is_checked()
    again = _open(open_page, reports("example"), screen, "#kind=all&in=en_letter&q=writ")
    assert again.locator("#list q").all_inner_texts() == ["the handwriting"]
    again.locator("#search").fill("nowhere")
    assert again.locator("#found").inner_text() == "No errors of 12"
    again.keyboard.press("Escape")


def test_keys_walk_through_the_errors_of_all_documents(open_page: Open, reports: Reports, screen: Look) -> None:
    page = _open(open_page, reports("example"), screen)
    seen = []
    for _ in range(13):
        page.keyboard.press("n")
        seen.append(page.evaluate("location.hash"))
        assert page.locator("#text .m.target").first.is_visible()
    assert seen[6:8] == ["#doc=es_biblioteca&error=7", "#doc=en_letter&error=1"]
    assert seen[12] == seen[0] == "#doc=es_biblioteca&error=1"
    page.keyboard.press("p")
    assert page.evaluate("location.hash") == "#doc=en_letter&error=5"
    assert page.locator("#list a[aria-current]").get_attribute("href") == "#doc=en_letter&error=5"
    page.evaluate("location.hash = 'kind=divided'")
    page.wait_for_function("() => document.querySelectorAll('#list .error').length === 2")
    for expected in ("#doc=es_biblioteca&error=3", "#doc=en_letter&error=3"):
        page.keyboard.press("n")
        assert page.evaluate("location.hash") == expected


def test_twenty_thousand_errors_are_smooth(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("crowd"))
    page.wait_for_function("() => document.querySelector('#found').textContent === '20,000 errors'")
    assert page.evaluate("performance.now()") < 8000
    assert _listed(page) == 50
    page.locator("#pager button").last.click()
    assert page.locator("#page-number").inner_text() == "51–100 of 20,000"
    typed = """(text) => {
      const search = document.querySelector("#search");
      const began = performance.now();
      search.value = text;
      search.dispatchEvent(new Event("input"));
      return performance.now() - began;
    }"""
    assert min(page.evaluate(typed, "lost19") for _ in range(3)) < 200
    assert page.locator("#found").inner_text() == "1,100 errors of 20,000"  # of documents 19 and 190 to 199
    page.locator("#search").blur()
    page.keyboard.press("p")
    assert page.evaluate("location.hash") == "#doc=d199&error=100"
    assert page.locator("#page-number").inner_text() == "1051–1100 of 1,100"


def test_one_against_the_other(open_page: Open, reports: Reports, screen: Look) -> None:
    page = _open(open_page, reports("rivals"), screen)
    section = page.locator("#against")
    section.locator("table").first.wait_for()
    assert section.locator("h2").inner_text() == "first against second"
    assert section.locator("h3").all_inner_texts() == [
        "first is right where second is not",
        "second is right where first is not",
    ]
    shown = section.locator(".halves > div")
    assert [half.locator("a.error").count() for half in shown.all()] == [3, 2]
    by_document = section.locator("table").last.locator("tbody tr")
    rows = {row.locator("th").inner_text(): row.locator("td").all_inner_texts() for row in by_document.all()}
    assert rows["news_0"][0] == "100.00"
    assert rows["news_0"][3:] == ["0", "1"]
    assert rows["news_1"][2:] == ["0.00", "0", "0"]  # both make these
    assert float(rows["novel_2"][2].replace("−", "-")) < 0
    by_document.filter(has_text="novel_2").locator("td a").click()
    page.wait_for_function("() => document.querySelectorAll('#list .error').length === 2")
    assert page.locator("#in-others").input_value() == "-1"
    assert page.locator("#errors-title").inner_text() == "first: errors"
    page.locator("#list a.error").first.click()
    page.wait_for_function("() => document.querySelector('#text .m.target')")
    assert page.locator("#document-choice option:checked").inner_text() == "novel_2"
    page.locator("#system-a").select_option("1")
    assert section.locator("h2").inner_text() == "second against first"
    assert page.evaluate(OVERFLOW) <= 0


def test_errors_that_both_make_can_be_chosen(open_page: Open, reports: Reports) -> None:
    page = _open(open_page, reports("rivals"), {})
    page.locator("#in-others").select_option(label="also made by second")
    assert page.locator("#list .place").all_inner_texts() == ["news_1 : 1 · also second"]


def test_dark_is_a_matter_of_colours(reports: Reports) -> None:
    """Hence what is no colour is tried on each screen once: ``light-dark()`` can be nothing but a colour."""
    style = reports("example").read_text(encoding="utf-8").partition("<style>")[2].partition("</style>")[0]
    assert "light-dark(" in style
    assert "prefers-color-scheme" not in style
    assert set(re.findall(r"data-theme[^{}]*{ *([^{}]*?) *}", style)) == {
        "color-scheme: light;",
        "color-scheme: dark;",
        "color-scheme: light; --paper: #fff;",  # in print
    }


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_chain_looks_like_an_error(open_page: Open, reports: Reports, scheme: str) -> None:
    page = open_page(reports("example"), color_scheme=scheme)
    chains, errors = (page.evaluate(COLOURS, [f"{side}{n}" for n in range(10)]) for side in "ck")
    assert len({tuple(colour) for colour in chains}) == 10
    assert min(_distance(chain, error) for chain in chains for error in errors) > 0.08
    card = page.evaluate("getComputedStyle(document.querySelector('.card')).backgroundColor")
    card = [float(value) for value in re.findall("[0-9.]+", card)]
    assert min(_contrast(colour, card) for colour in [*chains, *errors]) > 4.5


def _linear(colour: list[float]) -> list[float]:
    return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (c / 255 for c in colour[:3])]


def _contrast(one: list[float], other: list[float]) -> float:
    def level(colour: list[float]) -> float:
        return sum(w * v for w, v in zip((0.2126, 0.7152, 0.0722), _linear(colour), strict=True)) + 0.05

    return max(level(one), level(other)) / min(level(one), level(other))


def _distance(one: list[float], other: list[float]) -> float:
    """How different two colours look: their distance in Oklab, in which black and white are 1 apart."""

    def oklab(colour: list[float]) -> list[float]:
        rgb = _linear(colour)
        to_cones = ((0.4122, 0.5363, 0.0514), (0.2119, 0.6807, 0.1074), (0.0883, 0.2817, 0.6300))
        cones = [sum(w * v for w, v in zip(row, rgb, strict=True)) ** (1 / 3) for row in to_cones]
        to_lab = ((0.2105, 0.7936, -0.0041), (1.9780, -2.4286, 0.4506), (0.0259, 0.7828, -0.8087))
        return [sum(w * v for w, v in zip(row, cones, strict=True)) for row in to_lab]

    return float(sum((a - b) ** 2 for a, b in zip(oklab(one), oklab(other), strict=True)) ** 0.5)


def test_the_legend_explains_colours_boxes_and_numbers(open_page: Open, reports: Reports, screen: Look) -> None:
    page = _open(open_page, reports("example"), screen)
    page.locator("#legend summary").click()
    shown = page.locator("#legend").inner_text()
    for word in ("colour", "number", "box", "zero", "Overlaid", "Lanes", "missing mention", "divided entity"):
        assert word in shown
    assert page.locator("#legend .wrong").count() == 10
    assert page.evaluate(OVERFLOW) <= 0


def test_a_question_mark_shows_the_shortcuts(open_page: Open, reports: Reports, screen: Look) -> None:
    page = _open(open_page, reports("example"), screen)
    assert "Keys" not in page.locator("body").inner_text()
    page.keyboard.press("?")
    assert page.locator("#shortcuts").is_visible()
    page.keyboard.press("n")  # the page behind does not move
    assert page.evaluate("location.hash") == ""
    page.keyboard.press("Escape")
    assert not page.locator("#shortcuts").is_visible()
    page.locator("#help").click()
    page.locator("#to-legend").click()
    assert page.locator("#legend dl").is_visible()


def test_another_head_is_not_called_other_words(open_page: Open, reports: Reports, screen: Look) -> None:
    page = _open(open_page, reports("heads"), screen, "#doc=d&error=1")
    shown = page.locator("#selection").inner_text()
    assert "the same words but another head" in shown
    assert "head “mayor” in the key, “old” in the response" in shown
    assert "other words" not in shown


def test_misattached_zeros_say_where(open_page: Open, reports: Reports, screen: Look) -> None:
    page = _open(open_page, reports("crossing"), screen, "#kind=misattached_zero")
    page.locator("#list a.error").first.click()
    page.wait_for_selector("#selection h3")
    shown = page.locator("#selection").inner_text()
    assert "(sentence 1, node 4.2, obj of five) → ∅ (sentence 1, node 4.2, obj of six)" in shown


def test_headings_follow_their_script(open_page: Open, reports: Reports, tmp_path: Path) -> None:
    from corefscope.output.pages.report import write_report

    from . import corpora

    key, response = corpora.right_to_left(tmp_path)
    write_report(key, [response, key], tmp_path / "x.html", names=["نظام", "other"], title="تقرير")
    page = open_page(tmp_path / "x.html")
    direction = "(element) => getComputedStyle(element).direction"
    assert page.locator("h1").evaluate(direction) == "rtl"
    assert page.locator("section.current h2.response-name").evaluate(direction) == "rtl"
    assert page.locator("#slices-title-0").evaluate(direction) == "ltr"  # an English sentence, with a name in it
    assert page.locator("#slices-title-0 bdi").evaluate(direction) == "rtl"
    assert open_page(reports("example")).locator("h1").evaluate(direction) == "ltr"


def test_print_has_the_list_without_its_controls(open_page: Open, reports: Reports, screen: Look) -> None:
    page = _open(open_page, reports("rivals"), screen)
    page.emulate_media(media="print")
    assert page.locator("#list a.error").first.is_visible()
    assert page.locator(".verdict").first.is_visible()
    for selector in ("#search", "#list-kinds", "#pager", "#help", "#all-errors"):
        assert not page.locator(selector).is_visible()
    assert len(page.pdf()) > 10_000
