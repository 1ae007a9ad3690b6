"""The leaderboard in a browser: sorting, settings, languages and groups, links, colours, narrow screens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from boards import LANGUAGES, SYSTEMS, task_of
from corefscope.comparison.tasks import score_task, score_task_settings
from corefscope.output.formats import REPORTS
from corefscope.output.pages.leaderboard import write_reports

from .conftest import Open, violations

Look = dict[str, Any]
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The leaderboard of three settings, with reports beside it."""
    folder = tmp_path_factory.mktemp("board")
    result = score_task_settings(task_of(folder / "task"), jobs=1)
    path = folder / "board.html"
    pages = write_reports(result.first, str(folder / "reports"), jobs=1).seen_from(str(path))
    path.write_text(REPORTS["html"].render(result, pages=pages), encoding="utf-8")
    return path


def _table(page: Any) -> Any:
    return page.locator("section.setting:visible table.ranked")


def _heads(page: Any) -> list[str]:
    cells = _table(page).locator("thead th:visible").all_inner_texts()
    return [" ".join(text.split()) for text in cells]


def _systems(page: Any) -> list[str]:
    return list(_table(page).locator("tbody th").all_inner_texts())


def test_one_setting_is_shown_at_a_time(open_page: Open, board: Path) -> None:
    page = open_page(board)
    assert page.locator("section.setting:visible").count() == 1
    assert page.locator("section.setting:visible h2").first.inner_text() == "CoNLL: head"
    page.locator("#setting").select_option("exact+keep")
    assert page.locator("section.setting:visible h2").first.inner_text() == "CoNLL: exact+keep"
    assert page.url.endswith("#setting=exact%2Bkeep")
    again = open_page(board, "#setting=exact%2Bkeep")
    assert again.locator("#setting").input_value() == "exact+keep"
    again.evaluate("location.hash = ''")
    again.wait_for_function("document.querySelector('#setting').selectedIndex === 0")


def test_tables_sort_by_every_column(open_page: Open, board: Path) -> None:
    page = open_page(board)
    ranked = _systems(page)
    assert ranked[0] == "perfect"
    for name in ("Macro", "en_gum", "cs_pdt", "Rank", "95 %"):
        _table(page).locator("thead button", has_text=name).first.click()
        assert _table(page).locator("th[aria-sort]").count() == 1
        assert sorted(_systems(page)) == sorted(ranked)
    button = _table(page).locator("thead button", has_text="en_gum")
    button.click()
    column = _heads(page).index("en_gum")
    values = [float(text) for text in _table(page).locator(f"tbody tr td:nth-of-type({column})").all_inner_texts()]
    assert values == sorted(values, reverse=True)
    button.click()
    assert _systems(page)[-1] == "perfect"
    _table(page).locator("thead button", has_text="Rank").click()
    assert _systems(page) == ranked
    _table(page).locator("thead button", has_text="System").click()
    assert _systems(page) == sorted(ranked, key=lambda name: (name[0] != "<", name))


def test_languages_and_groups_choose_columns_and_averages(open_page: Open, board: Path) -> None:
    page = open_page(board)
    always = ["System", "Rank", "Macro", "95 %"]
    assert _heads(page) == [*always, *LANGUAGES]
    page.locator("#part").select_option("language:en")
    assert _heads(page) == [*always, "Macro en", "en_gum", "en_litbank"]
    assert page.locator("#shown").inner_text() == "2 data sets shown"
    row = _table(page).locator("tbody tr", has_text="poor").locator("td:visible").all_inner_texts()
    average, *parts = (float(text) for text in row[3:])
    assert average == pytest.approx(sum(parts) / 2, abs=0.011)
    page.locator("#setting").select_option("zero")
    assert _heads(page) == ["System", "Rank", "Macro", "Macro en", "en_gum", "en_litbank"]  # nothing: no interval
    assert page.url.endswith("#setting=zero&part=language%3Aen")
    page.locator("#setting").select_option("head")
    page.locator("#part").select_option("group:novels")
    assert _heads(page) == [*always, "Macro novels", "en_litbank"]
    page.locator("#part").select_option("")
    assert _heads(page) == [*always, *LANGUAGES]
    assert "#" not in page.url


def test_ties_and_what_is_missing_are_said(open_page: Open, board: Path) -> None:
    page = open_page(board, "#setting=zero")
    ranks = _table(page).locator("tbody tr td:nth-of-type(1)").all_inner_texts()
    assert ranks == ["1="] * len(SYSTEMS)
    page.locator("#setting").select_option("head")
    assert _table(page).locator("abbr.unscored").all_inner_texts() == ["faulty", "missing"]
    faulty = _table(page).locator("abbr.unscored", has_text="faulty")
    assert "columns instead of 10" in faulty.get_attribute("title")
    first = page.locator("table.submissions tbody tr").first.inner_text()
    assert "close" in first or "poor" in first


def test_a_figure_leads_to_the_report(open_page: Open, board: Path, browser: Any) -> None:
    page = open_page(board)
    link = _table(page).locator("tbody tr", has_text="poor").locator("td a").first
    target = (board.parent / link.get_attribute("href")).resolve()
    assert target.is_file()
    context = browser.new_context()
    try:
        report = context.new_page()
        report.goto(target.as_uri())
        assert report.locator("h1").inner_text() == "poor on en_gum"
        score = report.locator(".hero .big").inner_text()
    finally:
        context.close()
    assert link.inner_text() == score


def test_names_are_text_and_nothing_else(open_page: Open, board: Path) -> None:
    page = open_page(board)
    assert page.locator("img").count() == 0
    assert [name for name in SYSTEMS if "<" in name] == [name for name in _systems(page) if "<" in name]


def test_nothing_is_too_wide_and_axe_finds_nothing(open_page: Open, board: Path, look: Look, axe: str) -> None:
    page = open_page(board, **look)
    assert page.evaluate(OVERFLOW) <= 0
    page.evaluate("document.querySelectorAll('details').forEach((details) => (details.open = true))")
    page.evaluate(axe)
    for part in ("", "language:en"):
        page.locator("#part").select_option(part)
        assert violations(page) == []
        assert page.evaluate(OVERFLOW) <= 0


def test_without_scripts_all_settings_are_there(open_page: Open, board: Path) -> None:
    page = open_page(board, java_script_enabled=False)
    assert page.locator("section.setting:visible").count() == 3
    assert not page.locator("#setting").is_visible()
    assert "switched off" in page.locator("noscript").inner_text()
    heads = page.locator("table.ranked").first.locator("thead th:visible").all_inner_texts()
    assert [text.strip() for text in heads] == ["System", "Rank", "Macro", "95 %", *LANGUAGES]


def test_one_setting_and_no_languages_need_no_choices(open_page: Open, board: Path, tmp_path: Path) -> None:
    folder = tmp_path / "plain" / "one"
    folder.mkdir(parents=True)
    for name in ("key", "perfect"):
        (folder / f"{name}.conllu").write_bytes((board.parent / "task/en_gum" / f"{name}.conllu").read_bytes())
    path = tmp_path / "board.html"
    path.write_text(REPORTS["html"].render(score_task(folder.parent)), encoding="utf-8")
    page = open_page(path)
    assert page.locator("select").count() == 0
    assert page.locator("h1").inner_text() == "plain"
    assert _systems(page) == ["perfect"]
