"""Generated pages are current, and every metric has its paper."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest

from corefscope.bibliography import entries, reference
from corefscope.metrics import METRICS
from places import REPOSITORY


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", REPOSITORY / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", ["metrics.md", "papers.md"])
def test_generated_pages_are_current(page: str) -> None:
    """Run ``python docs/generate.py`` after a change of the catalogue."""
    written = (REPOSITORY / "docs" / page).read_text(encoding="utf-8")
    assert written == _generator().PAGES[page]()


def test_every_metric_has_a_definition_and_a_paper() -> None:
    papers = entries()
    for metric in METRICS.values():
        assert metric.definition, metric.name
        assert metric.cite in papers, metric.name
        assert reference(metric.cite).endswith(")")


def test_every_paper_is_cited() -> None:
    """BLANC has two papers; all others are there because a metric names them."""
    assert set(entries()) - {metric.cite for metric in METRICS.values()} == {"recasens-2011"}
