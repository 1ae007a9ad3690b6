"""Reading documents in the page: chains, errors, filters, links."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import Open

Reports = Callable[[str], Path]
DOCUMENT = "#doc=es_biblioteca"


def _count(page: Any, selector: str) -> int:
    return int(page.locator(selector).count())


def _hash(page: Any) -> str:
    return str(page.evaluate("location.hash"))


def test_a_page_from_disk_shows_the_first_document(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("example"))
    assert page.locator("#document-choice option:checked").inner_text() == "es_biblioteca"
    key = page.locator("#text .words.key").first
    assert (
        key.inner_text()
        == "La alcaldesa de Villanueva inauguró ayer la biblioteca de‿el barrio, un edificio de ladrillo."
    )
    assert _count(page, "#text .m.key") == _count(page, "#text .m.key[class*='c']") > 5


def test_a_click_lights_a_chain_up_on_both_sides(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("example"), DOCUMENT)
    assert _count(page, ".lit") == 0
    page.locator("#text .m.key", has_text="La alcaldesa").click()
    lit = {side: page.locator(f"#text .m.{side}.lit").all_inner_texts() for side in ("key", "response")}
    assert "La alcaldesa de Villanueva" in lit["key"]
    assert "La alcaldesa de Villanueva" in lit["response"]
    assert len(lit["key"]) == 5
    assert "key entity · e1 · person · 5 mentions" in page.locator("#selection").inner_text()
    maps = page.locator("#selection .maps").inner_text()
    assert "3 of 5" in maps
    assert "not in the response" in maps
    assert _count(page, ".lane.lit") == 1
    assert _count(page, ".band.lit") > 0
    page.keyboard.press("Escape")
    assert _count(page, ".lit") == 0


def test_a_divided_chain_lights_up_its_other_part(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("example"), f"{DOCUMENT}&chain=key:e5")
    assert page.locator("#text .m.response.kin").all_inner_texts() == ["los vecinos", "los vecinos"]


def test_hovering_lights_up_until_the_pointer_leaves(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("example"), DOCUMENT)
    page.locator("#text .m.key", has_text="La alcaldesa").hover()
    assert _count(page, "#text .m.response.lit") > 0
    assert _count(page, ".focused") == 0
    page.locator("h1").hover()
    page.wait_for_function("() => !document.querySelector('.lit')")


def test_partners_share_colour_and_label(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("example"), DOCUMENT)
    looks = "(e) => [getComputedStyle(e).borderInlineStartColor, e.dataset.label]"
    mayor = [
        page.locator(f"#text .m.{side}.opens", has_text="La alcaldesa").evaluate(looks)
        for side in ("key", "response")
    ]
    assert mayor[0] == mayor[1]
    others = page.locator("#text .m.key.opens", has_text="los vecinos").first.evaluate(looks)
    assert others[0] != mayor[0][0]
    assert others[1] != mayor[0][1]


def test_keys_move_and_select(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("example"), DOCUMENT)
    page.locator("#text").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").endswith(", chain 2")
    page.keyboard.press("Enter")
    assert "chain=key%3Ae3" in _hash(page)
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    page.keyboard.press("n")
    assert _hash(page).endswith("error=2")
    page.keyboard.press("p")
    assert _hash(page).endswith("error=1")
    page.keyboard.press("o")
    assert page.locator("#overlay").is_checked()


def test_filters_take_marks_and_items_away(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("example"), DOCUMENT)
    marked, listed = _count(page, "#text .m.wrong"), _count(page, "#document-errors a.error")
    assert listed == 7
    page.locator("#filters label", has_text="missing mention").click()
    assert _count(page, "#text .m.wrong") < marked
    assert _count(page, "#document-errors a.error") == 6
    assert "1 error hidden" in page.locator("#document-errors").inner_text()
    page.locator("#filters [data-all=no]").click()
    assert _count(page, "#text .m.wrong") == 0
    page.locator("#filters [data-all=yes]").click()
    assert _count(page, "#text .m.wrong") == marked


@pytest.mark.parametrize("overlaid", [False, True])
def test_kinds_are_underlined_differently(open_page: Open, reports: Reports, overlaid: bool) -> None:
    page = open_page(reports("example"), DOCUMENT)
    page.locator("#overlay").set_checked(overlaid)
    line = "(e) => { const s = getComputedStyle(e); return s.borderBottomStyle + s.borderBottomColor }"
    kinds = ("span", "missing_mention", "divided")
    lines = [page.locator(f"#text .m.key.wrong.k-{kind}").first.evaluate(line) for kind in kinds]
    assert len(set(lines)) == 3
    assert not any(found.startswith("none") for found in lines)


def test_overlaid_agreement_is_one_mark(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("example"), DOCUMENT)
    page.locator("#overlay").check()
    assert _count(page, "#text .row .words") == 4
    assert page.locator("#text .m.agreed").first.inner_text() == "La alcaldesa de Villanueva"
    span = page.locator("#text .m:not(.agreed)", has_text="la biblioteca")
    assert [found.get_attribute("class").split()[1] for found in span.all()] == ["key", "response"]
    page.locator("#text .m.agreed").first.click()
    assert _count(page, ".m.lit") >= 4


@pytest.mark.parametrize(
    ("link", "shown"),
    [
        ("#doc=es_biblioteca&error=3", "divided entity"),
        ("#doc=es_biblioteca&chain=key:e5", "los vecinos"),
        ("#doc=es_biblioteca&chain=response:e1", "response entity"),
    ],
)
def test_links_land(open_page: Open, reports: Reports, link: str, shown: str) -> None:
    page = open_page(reports("example"), link)
    assert shown in page.locator("#selection").inner_text()
    page.wait_for_timeout(200)
    marks = page.locator("#text .m.target, #text .m.lit")
    assert any(0 < box["y"] < 900 for box in (mark.bounding_box() for mark in marks.all()))


def test_links_open_documents_and_go_back(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("example"))
    chosen = "document.querySelector('#document-choice').value === "
    page.locator("section.current .documents a").nth(1).click()
    page.wait_for_function(f"() => {chosen}'1'")
    page.locator("#previous").click()
    page.wait_for_function(f"() => {chosen}'0'")
    page.go_back()
    page.wait_for_function(f"() => {chosen}'1'")


def test_links_to_sections_keep_what_is_selected(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("example"), f"{DOCUMENT}&error=2")
    page.locator("nav a", has_text="Slices").click()
    page.wait_for_timeout(100)
    assert _hash(page) == "#slices-0"
    assert "missing zero" in page.locator("#selection").inner_text()


@pytest.mark.parametrize(
    "link", ["#doc=nowhere", "#error=9999", "#chain=key:", "#chain=%", "#=&&", "#nothing", "#response=7"]
)
def test_links_that_lead_nowhere_do_no_harm(open_page: Open, reports: Reports, link: str) -> None:
    page = open_page(reports("example"), link)
    assert page.locator("#document-choice option:checked").inner_text() == "es_biblioteca"


def test_errors_of_the_list_are_links(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("example"), DOCUMENT)
    page.locator("#document-errors a.error").nth(4).click()
    page.wait_for_selector("#document-errors a[aria-current]")
    assert _hash(page) == "#doc=es_biblioteca&error=5"
    assert page.locator("#document-errors a[aria-current]").get_attribute("data-error") == "5"
    assert _count(page, ".m.target") == 1


def test_diagrams_select_chains(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("example"), DOCUMENT)
    page.locator(".lane-name").first.click()
    assert "La alcaldesa" in page.locator("#selection h3").inner_text()
    page.locator(".alluvial .entity[role]").nth(1).focus()
    page.keyboard.press("Enter")
    assert "los vecinos" in page.locator("#selection h3").inner_text()
    box = page.locator(".strip").first.bounding_box()
    page.mouse.click(box["x"] + box["width"] - 3, box["y"] + 4)
    page.wait_for_timeout(200)
    assert _count(page, "#text .m.lit") > 0


def test_zeros_and_parts_of_mentions_are_visible(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("crossing"))
    zeros = page.locator("#text .words.key .zero")
    assert zeros.all_inner_texts() == ["∅", "∅ona"]
    assert zeros.first.get_attribute("title") == "zero, empty node 4.1: nsubj of five"
    assert page.locator("#text .words.response .zero").all_inner_texts() == ["∅", "∅"]
    assert page.locator("#text .words.response .zero").nth(1).get_attribute("title").endswith("obj of six")
    parts = (
        page.locator("#text .words.key .m", has_text="one").last,
        page.locator("#text .words.key .m.opens[data-label='⋯2']"),
    )
    assert "more" in parts[0].get_attribute("class")
    assert parts[1].inner_text() == "three"
    crossed = page.locator("#text .words.key .m.c2, #text .words.key .m.c1").all_inner_texts()
    assert "four" in "".join(crossed)


def test_several_responses_are_switched(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("several"))
    assert page.locator("section.response:visible").count() == 1
    assert _count(page, "#document-errors a.error") == 7
    page.locator(".top .response-choice").select_option("1")
    assert page.locator("section.response:visible").get_attribute("id") == "response-1"
    assert page.locator("section.response:visible .hero .big").inner_text() == "100.00"
    assert page.locator("#document-errors").inner_text().startswith("No errors")
    assert page.locator("#response-head").inner_text() == "perfect"
    assert "response=2" in _hash(page)
    assert page.locator("nav a", has_text="Lost points").get_attribute("href") == "#losses-1"
    again = open_page(reports("several"), "#doc=es_biblioteca&response=2")
    assert again.locator("section.response:visible").get_attribute("id") == "response-1"


def test_another_document_begins_without_a_selection(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("example"), f"{DOCUMENT}&chain=key:e5")
    assert _count(page, ".focused") == 2
    page.locator("section.current .documents a").nth(1).click()
    page.wait_for_function("() => document.querySelector('#document-choice').value === '1'")
    page.mouse.move(0, 0)  # whatever the text has brought under the pointer lights up
    assert _count(page, ".focused, .lit, .kin") == 0
    assert not page.locator("#selection h3").count()


def test_keys_walk_through_a_chain(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("example"), f"{DOCUMENT}&chain=key:e1")
    page.wait_for_function("() => !document.querySelector('.m.found')")
    texts = page.locator("#selection ol bdi").all_inner_texts()
    assert len(texts) == 5
    for key, expected in (("]", texts[0]), ("]", texts[1]), ("[", texts[0]), ("[", texts[-1])):
        page.keyboard.press(key)
        assert page.locator("#text .m.found").last.inner_text() == expected
        page.wait_for_function("() => !document.querySelector('.m.found')")


def test_tabs_change_by_pointer_and_by_key(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("example"), DOCUMENT)
    page.locator("#chains-tab").click()
    assert page.locator("#chains").is_visible()
    assert not page.locator("#document-errors").is_visible()
    assert page.locator("#chains button").first.inner_text().split("\n")[-1] == "5 : 4"
    page.keyboard.press("ArrowLeft")
    assert page.locator("#document-errors").is_visible()
    assert page.evaluate("document.activeElement.id") == "document-errors-tab"
    assert page.locator("[role=tab][aria-selected=true]").count() == 1


def test_copying_says_what_it_did(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("example"))
    page.locator("section.current button.copy").click()
    page.wait_for_function("() => ['Copied', 'Selected'].includes(document.querySelector('button.copy').textContent)")
    page.wait_for_function("() => document.querySelector('button.copy').textContent === 'Copy'")


def test_elements_carry_no_properties_of_their_own(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("example"), f"{DOCUMENT}&error=1")
    page.locator("#overlay").check()
    own = (
        "[...document.querySelectorAll('*')].filter((element) => element.localName !== 'select').flatMap(Object.keys)"
    )
    assert page.evaluate(own) == []
