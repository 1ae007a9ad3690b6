"""Generated pages are current, every metric has its paper, and nothing is missing from the site and the design."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from types import ModuleType
from typing import Any

import pytest

from corefscope.cli import main
from corefscope.comparison.paired_tests import TESTS
from corefscope.core.metrics import GROUPS, METRICS
from corefscope.measures.bibliography import entries, reference, references
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
        assert metric.papers, f"{metric.name} has no paper"
        assert papers.keys() >= {*metric.papers}, f"the cite of {metric.name} is no key of measures/references.bib"
        assert all(reference(paper).endswith(")") for paper in metric.papers)


def test_every_paper_is_cited() -> None:
    """The French article of Popescu-Belis is another text on his measures; metrics and tests name all others."""
    resampling = {"efron-1993", "holm-1979"}
    tests = {row.cite for row in TESTS.values()}
    uncited = set(entries()) - {paper for metric in METRICS.values() for paper in metric.papers} - tests
    assert uncited == {"popescu-belis-2000-tal"} | resampling, "references.bib has papers that nothing names"


@pytest.mark.parametrize(
    ("metric", "papers"),
    [
        ("muc", "Vilain et al. (1995)"),
        ("blanc", "Recasens and Hovy (2011), Luo et al. (2014)"),
        ("conll", "Denis and Baldridge (2009), Pradhan et al. (2011), Pradhan et al. (2014)"),
        ("b3_0", "Stoyanov et al. (2009), Cai and Strube (2010)"),
        ("b3_all", "Stoyanov et al. (2009), Cai and Strube (2010)"),
        ("b3_rn", "Rahman and Ng (2009), Cai and Strube (2010)"),
        ("ceaf_rn", "Rahman and Ng (2009), Cai and Strube (2010)"),
        ("ceaf_orig", "Luo (2005), Cai and Strube (2010)"),
        ("b3_sys", "Cai and Strube (2010)"),
        ("ceaf_sys", "Cai and Strube (2010)"),
        ("muc_pb", "Vilain et al. (1995), Popescu-Belis (2000)"),
        ("b3_pb", "Bagga and Baldwin (1998), Popescu-Belis (2000)"),
        ("core", "Popescu-Belis and Robba (1998), Popescu-Belis (2000)"),
        ("kappa", "Passonneau (1997), Krippendorff (1980), Popescu-Belis (2000)"),
        ("anaphora_classes", "Azzam et al. (1998), Popescu-Belis (2000)"),
        ("anaphora_links", "Mitkov and Belguith (1998), Popescu-Belis (2000)"),
    ],
)
def test_metrics_are_attributed_to_their_authors(
    metric: str, papers: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert references(METRICS[metric]) == papers
    assert main(["cite", metric]) == 0
    cited = re.findall(r"^@\w+\{([\w-]+),", capsys.readouterr().out, re.MULTILINE)
    assert set(cited) >= {*METRICS[metric].papers}, "conll is the name of a group, too"
    assert main(["metrics", metric]) == 0
    assert papers in " ".join(capsys.readouterr().out.split())


def test_the_measures_of_popescu_belis_cite_his_chapter_first() -> None:
    names = list(entries())
    assert names.index("popescu-belis-2000") < names.index("popescu-belis-2000-tal")
    assert "A Guide to Numeric Measures" in entries()["popescu-belis-2000"]
    measures = [name for name in METRICS if name in GROUPS["popescu-belis"] or name.startswith("anaphora_")]
    assert all("popescu-belis-2000" in METRICS[name].papers for name in (*measures, "xcore_strict"))


def _pages(nav: Any) -> list[str]:
    """The files that a navigation names, however deep."""
    if isinstance(nav, str):
        return [nav]
    return [page for item in (nav.values() if isinstance(nav, dict) else nav) for page in _pages(item)]


def test_the_navigation_has_every_page_for_users_once() -> None:
    """Errata are a part of papers.md; design, decisions and mutation tables are for people who change the code."""
    pages = _pages(tomllib.loads((REPOSITORY / "zensical.toml").read_text(encoding="utf-8"))["project"]["nav"])
    written = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    hidden = {page for page in written if page.startswith(("errata/", "decisions/"))}
    hidden |= {"design.md", "mutation.md", "releasing.md"}
    assert sorted(pages) == sorted(written - hidden)


MODULE_NAME = re.compile(r"`((?:src/corefscope/)?[a-z_]+(?:/[\w.]+)+/?)`")


def test_pages_name_modules_that_exist() -> None:
    """``core/table.py``, ``core/table`` or ``core/metrics/``; decision records tell how it was."""
    for page in DOCS.glob("*.md"):
        for name in MODULE_NAME.findall(page.read_text(encoding="utf-8")):
            path = name.removeprefix("src/corefscope/")
            if path.split("/")[0] in PACKAGES:
                assert (SOURCE / path).exists() or (SOURCE / f"{path}.py").exists(), (page.name, name)


def test_the_documentation_for_users_can_be_read() -> None:
    """All of it but the list of the sources' items, which is evidence to look things up in."""
    nav = tomllib.loads((REPOSITORY / "zensical.toml").read_text(encoding="utf-8"))["project"]["nav"]
    pages = [REPOSITORY / "README.md", *(DOCS / page for page in _pages(nav) if page != "papers.md")]
    words = sum(len(page.read_text(encoding="utf-8").split()) for page in pages)
    assert words <= 45_000, f"README and the site have {words:,} words, and 45,000 are the limit: make words"


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
