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
    assert page.locator("#relations h4").all_inner_texts() == ["Key: 2 relations", "Response: 1 relation"]


def test_a_mention_is_reached_by_the_keyboard_and_shown_in_the_text(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("anaphora"), "#doc=house")
    page.locator(f"{ITEMS} button", has_text="They").first.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Bob"
    page.keyboard.press("Enter")
    assert page.locator("#text .m.key.lit").all_inner_texts() == ["Bob", "Bob"]
    page.keyboard.press("Escape")
    page.locator(f"{ITEMS} button", has_text="It").click()  # which no chain has
    assert page.locator("#text .lit").count() == 0


def test_a_document_without_relations_has_no_such_card(open_page: Open, reports: Reports) -> None:
    page = open_page(reports("example"))
    assert page.locator("#relations").count() == 0
