"""Relations in the page: links that a keyboard reaches, filters, and nothing where there are none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from .conftest import Open
from .corpora import ATTACK

Reports = Callable[[str], Path]
ITEMS = "#relations li"


def _texts(page: Any) -> list[str]:
    return [" ".join(text.split()) for text in page.locator(ITEMS).all_inner_texts()]


def test_anaphors_lead_to_anchors_and_plurals_to_elements(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("anaphora"), "#doc=house")
    house = f"an {ATTACK} house"
    assert _texts(page) == [
        "They → Ann + Bob split · plural with a missing element",
        f"the door → {house} bridging, <b>part</b> · anchor of a wrong entity",
        "It non-referring · missing non-referring mention",
        "They → Ann split · plural with a missing element",
        "the door → Bob bridging, <b>part</b> · anchor of a wrong entity",
    ]
    assert page.evaluate("window.attacked") is None


def test_relations_are_filtered_by_kind(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("anaphora"), "#doc=house")
    labels = page.locator("#relations fieldset label")
    assert [" ".join(text.split()) for text in labels.all_inner_texts()] == [
        "split 2",
        "bridging 2",
        "non-referring 1",
    ]
    labels.nth(1).click()
    assert len(_texts(page)) == 3
    assert page.locator("#relations h3").all_inner_texts() == ["Key: 2 relations", "Response: 1 relation"]


def test_a_mention_is_reached_by_the_keyboard_and_shown_in_the_text(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("anaphora"), "#doc=house")
    page.locator(f"{ITEMS} button", has_text="They").first.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Bob"
    page.keyboard.press("Enter")
    assert page.locator("#text .m.key.lit").all_inner_texts() == ["Bob", "Bob"]
    page.keyboard.press("Escape")
    page.locator(f"{ITEMS} button", has_text="It").click()
    assert page.locator("#text .lit").all_inner_texts() == ["It"]
    assert "mention that does not refer" in page.locator("#selection .facts").inner_text()


def test_a_document_without_relations_has_no_such_card(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("example"))
    assert page.locator("#relations").count() == 0


def test_the_card_of_a_plural_links_to_its_elements_and_theirs_back(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("anaphora"), "#doc=house&chain=key:they")
    relations = page.locator("#selection .relation")
    assert [" ".join(text.split()) for text in relations.all_inner_texts()] == [
        "They → Ann + Bob split · plural with a missing element"
    ]
    relations.locator("button", has_text="Ann").click()
    assert page.locator("#selection h3 bdi").inner_text() == "Ann"
    page.locator("#selection .relation button", has_text="They").click()
    assert page.locator("#selection h3 bdi").inner_text() == "They"


def test_errors_in_relations_are_listed_filtered_and_linked_like_all_others(
    open_page: Open, reports: Reports
) -> None:
    page = open_page(reports("anaphora"), "#kind=wrong_entity,extra_mention")
    kinds = page.locator("#list .kind")
    kinds.first.wait_for()
    assert [" ".join(text.split()).split(" house")[0] for text in kinds.all_inner_texts()] == [
        "anchor of a wrong entity",
        "extra mention",
    ]
    page.locator("#list-kinds button", has_text="Only bridging").click()
    assert page.locator("#found").inner_text().startswith("1 error of ")
    assert page.locator("#document-errors a.error").count() == 1
    page.locator("#list a.error").click()
    said = " ".join(page.locator("#selection p").first.inner_text().split())
    assert said == f"the door → an {ATTACK} house in the key → Bob in the response"
    assert page.locator("#text .target").all_inner_texts() == ["the door", "the door"]
    page.locator("#list-kinds button", has_text="Only identity").click()
    assert page.locator("#text .wrong").all_inner_texts() == ["It"]
    assert len(_texts(page)) == 0  # all of them are wrong, by kinds that are switched off


def test_layers_are_marked_or_not(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("anaphora"), "#doc=house")
    labels = page.locator("#layers label")
    assert [" ".join(text.split()) for text in labels.all_inner_texts()] == [
        "identity 6 : 7",
        "deixis 2 : 2",
        "non-referring 1 : 0",
    ]
    deixis = page.locator("#text .m.key.deixis.opens")
    assert deixis.all_inner_texts() == ["It rained", "that"]
    assert deixis.first.get_attribute("data-label") == "d1"
    assert page.locator("#text .m.non-referring").get_attribute("title") == (
        "mention that does not refer, missing non-referring mention"
    )
    labels.nth(1).click()
    assert deixis.count() == 0
    assert page.locator("#text .m.non-referring").count() == 1
    page.get_by_role("tab", name="Chains").click()
    page.locator("#chains .item", has_text="It rained").click()
    assert "entity of discourse deixis" in page.locator("#selection .facts").inner_text()
