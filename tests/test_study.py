"""The pages of proof are what their scripts write, and prove what they say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchmarks import exactness, study
from places import REPOSITORY

DOCS = REPOSITORY / "docs"


def _found(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DOCS / f"{name}.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize(("name", "page"), [("study", study.page), ("exactness", exactness.page)])
def test_pages_are_written_by_their_scripts(name: str, page: Any) -> None:
    assert (DOCS / f"{name}.md").read_text(encoding="utf-8") == page(_found(name))


def test_every_difference_has_a_cause_and_corefscope_gives_every_figure() -> None:
    first, *others = _found("study")["rows"]
    for row in others:
        cells = [(name, cell) for name, cell in row["outputs"].items() if cell["figure"] is not None]
        assert len(cells) >= len(row["outputs"]) - 1  # a program may stop
        for name, cell in cells:
            assert abs(cell["figure"] - cell["corefscope"]) <= 0.0051, name
            differs = abs(cell["figure"] - first["outputs"][name]["figure"]) > study.SAME
            assert bool(cell["causes"]) == differs, name
            assert set(cell["causes"]) <= set(study.LETTERS)


def test_no_figure_differs() -> None:
    rows = _found("exactness")["programs"]
    assert len(rows) == 8
    for row in rows:
        assert row["equal"] == row["figures"] > 0, row["program"]
        assert row["largest"] <= exactness.EXACT


DOCUMENT = (
    [[(1, 1), (2, 2), (3, 3)], [(4, 4), (5, 5)], [(6, 6)]],
    [[(1, 1), (2, 2)], [(3, 3), (4, 4), (5, 5)], [(7, 7)]],
)


class _OneDocument(study.Documents):
    def clusters(self) -> list[tuple[study.Clusters, study.Clusters]]:
        return [DOCUMENT]


def test_figures_that_no_setting_gives_by_hand() -> None:
    """MUC 2/3. B³ and CEAFe by the definitions of the programs, on five mentions of two entities each."""
    document = _OneDocument(DOCS)
    muc = 2 / 3
    dropped = (4 / 3 + 1 / 3 + 2) / 5  # the same for precision
    recall, precision = (0.8 + 0.8) / 3, (0.8 + 0.8) / 2  # CEAFe: the key has three entities, the response two
    ceafe = 2 * recall * precision / (recall + precision)
    assert study.without_singletons(document) == pytest.approx(100 * (muc + dropped + ceafe) / 3)
    recall, precision = (11 / 3 + 1) / 7, (11 / 3 + 1) / 6  # the extra mention is a right singleton
    b_cubed = 2 * recall * precision / (recall + precision)
    ceafe = 2 * 2.6 / (4 + 3)
    assert study.with_extra_mentions(document) == pytest.approx(100 * (muc + b_cubed + ceafe) / 3)
    assert study.averaged_by_mentions(document) == pytest.approx(study.with_extra_mentions(document))
