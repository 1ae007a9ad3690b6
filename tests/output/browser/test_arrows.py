"""Arrows over the text: where they begin and end, which are drawn, and that they follow whatever happens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from corefscope.core.choices import PresetName
from corefscope.output.pages.report import write_report

from . import corpora
from .conftest import Open

Reports = Callable[[str], Path]
MOST = 120
ENDS = """() => [...document.querySelectorAll('.arrows .arrow')].map((arrow) => {
    const shaft = arrow.querySelector('.shaft');
    const matrix = shaft.getScreenCTM();
    const ends = [0, shaft.getTotalLength()].map((at) => {
      const { x, y } = shaft.getPointAtLength(at).matrixTransform(matrix);
      const near = (mark) => [...mark.getClientRects()].some((box) =>
        x >= box.left - 1 && x <= box.right + 1 && Math.min(Math.abs(y - box.top), Math.abs(y - box.bottom)) < 2);
      const marks = [...document.querySelectorAll('#text .m')].filter(near);
      return marks.length ? marks.at(-1).textContent : null;
    });
    return [arrow.classList.contains('key') ? 'key' : 'response', ...ends, [...arrow.classList].at(-1)];
  })"""


def _arrows(page: Any, *, centred: bool = True) -> list[list[str | None]]:
    """The side, the words at both ends and the look of all arrows, once they are drawn; with the text in view."""
    if centred:
        page.evaluate("document.querySelector('#text').scrollIntoView({block: 'center', behavior: 'instant'})")
    page.wait_for_timeout(100)
    return list(page.evaluate(ENDS))


def _choose(page: Any, which: str) -> None:
    page.locator(f"#arrows input[value={which}]").check()


HOUSE = f"an {corpora.ATTACK} house"
ALL = [
    ["key", "They", "Ann", "right"],
    ["key", "They", "Bob", "k-missing_element"],
    ["key", "the door", HOUSE, "k-wrong_entity"],
    ["response", "They", "Ann", "right"],
    ["response", "the door", "Bob", "k-wrong_entity"],
]


@pytest.fixture
def house(open_page: Open, reports: Reports) -> Any:
    """A small document, all arrows in view."""
    page = open_page(reports("anaphora"), "#doc=house")
    _choose(page, "all")
    return page


def test_arrows_lead_from_anaphors_to_anchors_and_from_plurals_to_elements(house: Any) -> None:
    assert _arrows(house) == ALL
    assert house.locator(".arrows .arrow.split circle.head").count() == 3
    assert house.locator(".arrows .arrow.bridging path.head").count() == 2
    assert house.evaluate("window.attacked") is None


def test_key_and_response_errors_and_labels_are_told_apart_without_colour(house: Any) -> None:
    assert len(_arrows(house)) == len(ALL)
    dashes = house.locator(".arrows .arrow .shaft").evaluate_all(
        "(shafts) => shafts.map((shaft) => getComputedStyle(shaft).strokeDasharray !== 'none')"
    )
    assert dashes == [False, False, False, True, True]
    assert house.locator(".arrows text").all_text_contents() == [
        "missing",
        "<b>part</b> · wrong entity",
        "<b>part</b> · wrong entity",
    ]


def test_arrows_follow_what_is_pointed_at_selected_and_focused(house: Any) -> None:
    _choose(house, "pointed")
    assert _arrows(house) == []
    house.locator("#text .m.key", has_text="the door").hover()
    assert [arrow[1] for arrow in _arrows(house)] == ["the door", "the door"]
    house.locator("#text .m.key", has_text="Ann").hover()
    assert _arrows(house) == [ALL[0], ALL[1], ALL[3]]  # of the plural that it is an element of
    house.locator("h2", has_text="Text").hover()
    assert _arrows(house) == []
    house.locator("#document-errors a.error", has_text="anchor of a wrong entity").click()
    assert [arrow[0] for arrow in _arrows(house)] == ["key", "response"]
    house.keyboard.press("Escape")
    house.locator("#text").focus()
    for _ in range(4):
        house.keyboard.press("ArrowRight")
    label = house.evaluate("document.activeElement.getAttribute('aria-label')")
    assert label == "They, chain 4, split to Ann and Bob, plural with a missing element"
    assert _arrows(house) == [ALL[0], ALL[1], ALL[3]]
    _choose(house, "none")
    assert _arrows(house) == []


def test_arrows_follow_the_text_when_it_wraps_scrolls_or_is_overlaid(house: Any) -> None:
    assert _arrows(house) == ALL
    house.set_viewport_size({"width": 1180, "height": 900})
    moved = _arrows(house, centred=False)
    assert moved
    assert [arrow for arrow in moved if arrow not in ALL] == []
    for width in (800, 400, 1100):
        house.set_viewport_size({"width": width, "height": 900})
        assert _arrows(house) == ALL, width
    house.evaluate("window.scrollBy(0, -40)")
    assert _arrows(house, centred=False) == ALL
    house.locator("#overlay").check()
    assert _arrows(house) == ALL
    house.locator("#diagrams summary").first.click()  # what is above the text takes less room
    assert _arrows(house) == ALL


def test_filters_of_relations_of_errors_and_of_layers_hold_for_arrows(house: Any) -> None:
    house.locator("#relations fieldset label", has_text="split").click()
    assert _arrows(house) == [ALL[2], ALL[4]]
    house.locator("#relations fieldset label", has_text="split").click()
    house.locator("#filters button", has_text="Only split").click()
    assert _arrows(house) == [ALL[0], ALL[1], ALL[3]]
    house.locator("#filters button", has_text="All").click()
    house.locator("#layers label", has_text="identity").click()
    assert _arrows(house) == []


def test_of_thousands_of_relations_those_in_view_are_drawn(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("bridged"), "#doc=long")
    _choose(page, "all")
    page.locator("#text").evaluate("(text) => text.scrollIntoView({block: 'start'})")
    first = _arrows(page, centred=False)
    assert 20 < len(first) <= MOST
    assert {arrow[2] for arrow in first} == {"house"}
    assert sum(arrow[1] != "door" for arrow in first) <= 8  # those come from the end of the document
    page.evaluate("window.scrollBy(0, 5000)")
    page.wait_for_timeout(200)  # chunks on the way are laid out
    further = _arrows(page, centred=False)
    assert 20 < len(further) <= MOST
    assert all(arrow[1:3] == ["door", "house"] for arrow in further)
    for _ in range(3):  # sizes of chunks on the way were estimates
        page.evaluate("document.querySelector('#text').scrollIntoView({block: 'end', behavior: 'instant'})")
        page.wait_for_timeout(200)
    last = _arrows(page, centred=False)  # some lead to the beginning of the document
    assert any(arrow[1] == "door" for arrow in last)
    page.locator("#document-choice").select_option(label="short")
    assert _arrows(page) == []


def test_mentions_that_only_relations_need_are_marked(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("bridged"), "#doc=long")
    assert page.locator("#text .m.unscored").first.get_attribute("data-label") == "s1"
    assert page.locator("#layers .figure").all_inner_texts() == ["0 : 0", "2995 : 1999"]


@pytest.mark.parametrize("preset", ["codicrac22-br", "codicrac22-dd"])
def test_a_page_of_bridging_or_deixis_alone_opens(open_page: Open, tmp_path: Path, preset: PresetName) -> None:
    key, response = corpora.anaphora(tmp_path)
    write_report(key, [response], tmp_path / "report.html", preset=preset)
    page = open_page(tmp_path / "report.html", "#doc=house")
    _choose(page, "all")
    assert len(_arrows(page)) == 5
    assert page.locator("#list .error").count() >= 3


def test_arrows_and_layers_are_no_obstacle(open_page: Open, reports: Reports, look: dict[str, Any], axe: str) -> None:
    page = open_page(reports("anaphora"), "#doc=house", **look)
    _choose(page, "all")
    assert len(_arrows(page)) == 5
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.evaluate("document.querySelectorAll('details').forEach((details) => (details.open = true))")
    page.evaluate(axe)
    found = page.evaluate("axe.run(document)")["violations"]
    assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found] == []
