"""Groups of errors, what they count and choose; tables that say what they hide; documents of ids."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from corefscope import examine
from corefscope.analysis.errors.groups import select_grouping
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

from .conftest import Open, violations
from .test_errors import OVERFLOW, Look, Reports

ROWS = "#group-table tbody tr"


@pytest.fixture
def opened(open_page: Open, reports: Reports) -> Callable[..., Any]:
    """Opens a page by name and waits until its errors are listed."""

    def open_(name: str, look: Look, link: str = "") -> Any:
        page = open_page(reports(name), link, **look)
        page.wait_for_function("() => /error/.test(document.querySelector('#found').textContent)")
        return page

    return open_


def _groups(page: Any) -> dict[str, list[str]]:
    """The groups that are shown, and their figures."""
    rows = [row.split("\t") for row in page.locator(ROWS).all_inner_texts()]
    return {row[0].strip(): [cell.strip() for cell in row[1:]] for row in rows}


def _kinds(page: Any) -> dict[str, str]:
    labels = [text.split() for text in page.locator("#list-kinds label").all_inner_texts()]
    return {" ".join(name): count for *name, count in labels}


@pytest.mark.parametrize("name", ["pronouns", "ids"])
def test_axe_finds_nothing(opened: Callable[..., Any], look: Look, axe: str, name: str) -> None:
    page = opened(name, look)
    page.evaluate("document.querySelectorAll('details').forEach((details) => (details.open = true))")
    page.evaluate("document.querySelector('#group-table tbody button')?.click()")
    page.evaluate(axe)
    assert violations(page) == []
    assert page.evaluate(OVERFLOW) <= 0


@pytest.mark.parametrize("by", ["text", "mention-type", "distance", "document"])
def test_groups_are_those_of_the_command(opened: Callable[..., Any], screen: Look, by: str) -> None:
    page = opened("example", screen)
    page.locator("#group-by").select_option(by)
    while page.locator("#more-groups").is_visible():
        page.locator("#more-groups").click()
    groups = select_grouping(examine(EXAMPLE_KEY, EXAMPLE_RESPONSE).groups, by)
    expected = sorted([str(group.errors), f"{100 * (group.gain or 0):.2f}"] for group in groups)
    assert sorted(_groups(page).values()) == expected


def test_groups_stand_beside_the_list_where_there_is_room(opened: Callable[..., Any], screen: Look) -> None:
    page = opened("pronouns", screen)
    assert {name: errors for name, (errors, _) in _groups(page).items()} == {"I": "40", "it": "10", "You": "6"}
    groups, first = page.locator("#groups").bounding_box(), page.locator("#list").bounding_box()
    if screen["viewport"]["width"] > 700:
        assert groups["x"] + groups["width"] <= first["x"]
    else:
        assert groups["y"] + groups["height"] <= first["y"]


def test_a_group_is_a_filter(opened: Callable[..., Any], screen: Look) -> None:
    page = opened("pronouns", screen)
    page.locator(f"{ROWS} button", has_text="you").click()
    assert page.locator("#found").inner_text() == "6 errors of 56"
    assert page.evaluate("location.hash") == "#kind=all&mention=you"
    assert {text.lower() for text in page.locator("#list q").all_inner_texts()} == {"you"}
    assert len(_groups(page)) == 3  # the others can still be chosen
    again = opened("pronouns", screen, "#kind=all&mention=you")
    assert again.locator("#found").inner_text() == "6 errors of 56"
    assert again.locator(f"{ROWS} button[aria-pressed=true]").count() == 1
    again.locator("#chosen-groups button").click()
    assert again.locator("#found").inner_text() == "56 errors"


def test_counts_follow_the_filter(opened: Callable[..., Any], screen: Look) -> None:
    page = opened("example", screen)
    page.locator("#in-document").select_option(label="en_letter")
    counts = _kinds(page)
    page.locator("#list-kinds [data-all=no]").click()
    assert _kinds(page) == counts  # those of kinds that are switched off are what switching them on would add
    assert sum(map(int, counts.values())) == 5
    page.locator("#list-kinds [data-all=yes]").click()
    if page.locator("#more-groups").is_visible():  # on a phone
        page.locator("#more-groups").click()
    assert sum(int(errors) for errors, _ in _groups(page).values()) == 6  # one error has two mentions
    page.locator("#group-by").select_option("document")
    assert sorted(errors for errors, _ in _groups(page).values()) == ["5", "7"]
    page.locator("#search").fill("handwriting")
    assert _groups(page) == {"en_letter": ["1", _groups(page)["en_letter"][1]]}


def test_groups_are_sorted_by_what_they_cost(opened: Callable[..., Any], screen: Look) -> None:
    page = opened("example", screen)
    page.locator("#sort-points").click()
    points = [float(cost) for _, cost in _groups(page).values()]
    assert points == sorted(points, reverse=True)
    assert page.locator("#group-table th[aria-sort=descending]").inner_text().startswith("Points")
    page.locator("#sort-errors").click()
    counts = [int(errors) for errors, _ in _groups(page).values()]
    assert counts == sorted(counts, reverse=True)


def test_the_histogram_has_a_bar_for_each_document(opened: Callable[..., Any], screen: Look) -> None:
    page = opened("pronouns", screen)
    bars = page.locator("#histogram .bar")
    assert bars.count() == 20
    assert bars.nth(0).locator("title").text_content() == "d0: 4 errors"
    assert "most in d1 (5)" in page.locator("#histogram").inner_text()
    picture = page.locator("#histogram svg")
    picture.click(position={"x": picture.bounding_box()["width"] * 1.5 / 20, "y": 10})
    assert page.locator("#in-document").input_value() == "1"
    assert page.locator("#found").inner_text() == "5 errors of 56"
    assert page.locator("#histogram .bar.chosen title").text_content() == "d1: 5 errors"
    assert bars.nth(0).locator("title").text_content() == "d0: 4 errors"  # to compare with
    page.locator("#search").fill("you")
    assert bars.nth(0).locator("title").text_content() == "d0: 2 errors"


def test_slices_have_their_plain_names_everywhere(opened: Callable[..., Any], screen: Look) -> None:
    page = opened("example", screen)
    page.locator("section.current .slice a", has_text="antecedents in the same sentence").first.click()
    page.wait_for_function("() => document.querySelector('#in-slice').value === 'distance:0'")
    chosen = page.locator("#in-slice option:checked").inner_text()
    assert chosen == "antecedents in the same sentence"
    page.locator("#group-by").select_option("distance")
    assert page.locator(f"{ROWS} button[aria-pressed=true]").inner_text() == chosen


def test_no_two_columns_have_one_name(opened: Callable[..., Any]) -> None:
    page = opened("rivals", {"viewport": {"width": 1400, "height": 900}})
    for table in page.locator("table:visible").all():
        heads = [text.strip() for text in table.locator("thead th").all_inner_texts() if text.strip()]
        assert len(heads) == len(set(heads))


def test_long_tables_say_what_they_hide(opened: Callable[..., Any], screen: Look) -> None:
    page = opened("pronouns", screen)
    rows = page.locator(".documents tbody tr:visible")
    button = page.locator("#documents-0 .unfold")
    assert rows.count() == 12
    assert button.inner_text() == "Show 8 more rows"
    page.locator(".documents thead button", has_text="Errors").click()
    assert rows.count() == 12
    assert rows.first.locator("td").nth(2).inner_text() == "5"
    button.click()
    assert rows.count() == 20
    assert button.count() == 0


def test_documents_of_ids_have_a_table_of_entities(opened: Callable[..., Any], screen: Look) -> None:
    page = opened("ids", screen)
    assert page.locator("#text").is_hidden()
    assert page.locator("#lanes").is_hidden()
    assert page.evaluate("document.documentElement.scrollHeight") < 20_000
    rows = page.locator("#entities tbody tr")
    assert rows.count() == 25
    assert "Show 100 of 455 more rows" in page.locator("#entities").inner_text()
    page.locator("#entities > button").click()
    assert rows.count() == 125
    first = rows.first.inner_text()
    assert "record-0-0, record-0-1, record-0-2" in first
    assert "1 missing" in first
    rows.nth(1).locator("button").first.click()
    assert "record-5-0" in page.locator("#selection").inner_text()
    assert page.locator("#facts").inner_text().startswith("1,200 mentions in the key")
    assert page.locator("#group-by option").all_inner_texts() == []
    assert page.locator("#groups").is_hidden()
    page.locator("#list a.error").first.click()
    page.wait_for_function("() => /error=1/.test(location.hash)")
    assert "line" not in page.locator("#selection").inner_text()
    for key in ("n", "ArrowRight", "o", "Escape"):
        page.keyboard.press(key)
