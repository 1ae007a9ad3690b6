"""Generated pages are current, every metric has its paper, and nothing is missing from the site and the design."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from types import ModuleType
from typing import Any

import pytest

from corefscope.core.metrics import METRICS
from corefscope.measures.bibliography import entries, reference
from places import REPOSITORY, SOURCE

DOCS = REPOSITORY / "docs"
PACKAGES = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
DECISIONS = sorted((DOCS / "decisions").glob("*.md"))


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", REPOSITORY / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", _generator().PAGES)
def test_generated_pages_are_current(page: str) -> None:
    written = (REPOSITORY / "docs" / page).read_text(encoding="utf-8")
    assert written == _generator().PAGES[page](), f"docs/{page} is out of date: run make docs"


def test_every_metric_has_a_definition_and_a_paper() -> None:
    papers = entries()
    for metric in METRICS.values():
        assert metric.definition, f"{metric.name} has no definition: give it definition=__doc__"
        assert metric.cite in papers, f"the cite of {metric.name} is no key of measures/references.bib"
        assert reference(metric.cite).endswith(")")


def test_every_paper_is_cited() -> None:
    """BLANC and the measures of Popescu-Belis have two; all others are there because a metric names them."""
    second = {"recasens-2011", "popescu-belis-2000-tal"}
    uncited = set(entries()) - {metric.cite for metric in METRICS.values()}
    assert uncited == second, "references.bib has papers that no metric names in its cite"


def test_the_measures_of_popescu_belis_cite_his_chapter_first() -> None:
    names = list(entries())
    assert names.index("popescu-belis-2000") < names.index("popescu-belis-2000-tal")
    assert "A Guide to Numeric Measures" in entries()["popescu-belis-2000"]
    assert {metric.cite for metric in METRICS.values() if "opescu-Belis" in metric.definition} >= {
        "popescu-belis-2000"
    }


def _pages(nav: Any) -> list[str]:
    """The files that a navigation names, however deep."""
    if isinstance(nav, str):
        return [nav]
    return [page for item in (nav.values() if isinstance(nav, dict) else nav) for page in _pages(item)]


def test_the_navigation_has_every_page_for_users_once() -> None:
    """Errata are a part of papers.md; design, decisions and mutation tables are for people who change the code."""
    pages = _pages(tomllib.loads((REPOSITORY / "zensical.toml").read_text(encoding="utf-8"))["project"]["nav"])
    written = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    hidden = {page for page in written if page.startswith(("errata/", "decisions/"))} | {"design.md", "mutation.md"}
    assert sorted(pages) == sorted(written - hidden)


MODULE_NAME = re.compile(r"`((?:src/corefscope/)?[a-z_]+(?:/[\w.]+)+/?)`")


def test_pages_name_modules_that_exist() -> None:
    """``core/table.py``, ``core/table`` or ``core/metrics/``; decision records tell how it was."""
    for page in DOCS.glob("*.md"):
        for name in MODULE_NAME.findall(page.read_text(encoding="utf-8")):
            path = name.removeprefix("src/corefscope/")
            if path.split("/")[0] in PACKAGES:
                assert (SOURCE / path).exists() or (SOURCE / f"{path}.py").exists(), (page.name, name)


def test_the_design_can_be_read_at_one_sitting() -> None:
    words = len((DOCS / "design.md").read_text(encoding="utf-8").split())
    assert words <= 2500, f"docs/design.md has {words} words, and 2,500 are the limit"


def test_decisions_are_numbered_through_and_short() -> None:
    for number, path in enumerate(DECISIONS, 1):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert path.name.startswith(f"{number:03d}-")
        assert lines[0].startswith(f"# {number:03d} ")
        assert [line for line in lines if line.startswith("## ")] == ["## Context", "## Decision", "## Consequences"]
        assert len(lines) <= 31, path.name
