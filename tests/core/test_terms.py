"""Terms: worked out once for cells that look alike, all in one pass; sums are those of each term by itself."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from corefscope.core import table as terms
from corefscope.core.table import Contingency

PAIRS = {(0, 0): 2, (0, 1): 1, (1, 2): 1, (2, 1): 2, (3, 3): 1, (4, 4): 1}
TABLE = ([4, 1, 3, 1, 1], [2, 3, 2, 1, 1])


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """No terms are marked yet; what those of a test are called with is put here."""
    monkeypatch.setattr(terms, "_VECTORISED", {})
    return []


def _noting(name: str, calls: list[tuple[str, Any]]) -> terms.Term:
    def term(n: int, k: int, r: int) -> float:
        calls.append((name, (n, k, r)))
        return n / (k + r + len(name))

    return term


def test_all_terms_are_worked_out_in_one_pass_and_alike_cells_once(asked: list[tuple[str, Any]]) -> None:
    one, other = (terms.vectorised_term(_noting(name, asked)) for name in ("one", "other"))
    table = Contingency.of_pairs(*TABLE, PAIRS)
    cells = list(zip(*table.cells[2:], strict=True))
    assert table.over_cells(one) == sum(n / (k + r + 3) for n, k, r in cells)
    assert [name for name, _ in asked] == ["one", "other"] * 2 * len(set(cells))  # for both sides
    assert table.over_cells(other) == sum(n / (k + r + 5) for n, k, r in cells)
    Contingency.of_pairs(*TABLE, PAIRS).over_cells(other)
    assert len(asked) == 4 * len(set(cells)) < 4 * len(cells)


def test_one_pass_is_for_both_sides(asked: list[tuple[str, Any]]) -> None:
    term = terms.vectorised_term(lambda n, k, r: asked.append(("", r)) or n / (2 * k + r))  # type: ignore[func-returns-value]
    table = Contingency.of_pairs(*TABLE, PAIRS)
    table.over_cells(term)
    before = len(asked)
    assert table.T.over_cells(term) == sum([n / (2 * r + k) for n, k, r in zip(*table.cells[2:], strict=True)])
    assert len(asked) == before


def test_a_term_that_is_not_marked_is_worked_out_by_itself(asked: list[tuple[str, Any]]) -> None:
    marked, alone = terms.vectorised_term(_noting("marked", asked)), _noting("alone", asked)
    table = Contingency.of_pairs(*TABLE, PAIRS)
    assert table.over_cells(alone) == sum(n / (k + r + 5) for n, k, r in zip(*table.cells[2:], strict=True))
    assert {name for name, _ in asked} == {"alone"}
    table.over_cells(marked)
    assert {name for name, _ in asked} == {"alone", "marked"}


def test_a_term_marked_later_joins_those_before(asked: list[tuple[str, Any]]) -> None:
    table = Contingency.of_pairs(*TABLE, PAIRS)
    first = table.over_cells(terms.vectorised_term(_noting("first", asked)))
    second = terms.vectorised_term(_noting("second", asked))
    again = Contingency.of_pairs(*TABLE, PAIRS)
    assert (again.over_cells(second), again.T.over_cells(second)) == (
        table.over_cells(second),
        table.T.over_cells(second),
    )
    assert again.over_cells(next(iter(terms._VECTORISED))) == first


def test_a_table_without_cells_sums_up_to_nothing(asked: list[tuple[str, Any]]) -> None:
    table = Contingency.of_pairs([1, 2], [3], {})
    assert table.over_cells(terms.vectorised_term(_noting("one", asked))) == table.best(_noting("other", asked)) == 0
    assert not asked


def test_sums_of_fractions_leave_no_fractions_to_later_sums(asked: list[tuple[str, Any]]) -> None:
    term = terms.vectorised_term(_noting("term", asked))
    exact = terms.Cells([0], [0], [Fraction(1)], [Fraction(2)], [Fraction(3)])  # type: ignore[list-item]
    assert isinstance(Contingency([2], [3], exact).over_cells(term), Fraction)
    assert isinstance(Contingency.of_pairs([2], [3], {(0, 0): 1}).over_cells(term), float)
