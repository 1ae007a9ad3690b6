"""Baselines are scored like any response: what is dropped from files is dropped from them."""

from __future__ import annotations

from pathlib import Path

import pytest

import corefscope
from corefscope.core.metrics import METRICS
from corefscope.measures.baselines import Baseline
from oracles.quirks import conllu


def test_singletons_are_dropped_from_a_baseline_as_from_files(tmp_path: Path) -> None:
    """In ``none`` all mentions are singletons. Where these are dropped nothing is left, which scores 0."""
    key, response = tmp_path / "key.conllu", tmp_path / "response.conllu"
    key.write_text(conllu("e1 1 2; e2 3 4 5"), encoding="utf-8")
    response.write_text(conllu("e1 1 2 3; e2 4 5"), encoding="utf-8")
    raw, dropped, kept = (
        corefscope.score(key, response, metrics="bcub,ceafe", singletons=singletons, baseline=baseline)  # type: ignore[arg-type]
        for singletons, baseline in (("drop", None), ("drop", "none"), ("keep", "none"))
    )
    assert {**dropped} == {**raw}  # type: ignore[misc]
    recall = 2 / 5  # of B³ where all are kept: each mention has 1/2 or 1/3 of its entity, 2 entities of 5 mentions
    assert kept["bcub"].recall == pytest.approx((raw["bcub"].recall - recall) / (1 - recall))


@pytest.mark.parametrize(("smallest", "mentions"), [(2, (0, 4, 0, 0)), (1, (4, 4, 4, 4))])
def test_the_rows_of_a_baseline(smallest: int, mentions: tuple[int, ...]) -> None:
    """Two entities of two mentions, each of which stands alone in the response, or nowhere."""
    baseline = Baseline("none", smallest, [METRICS["mentions"], METRICS["muc"]])
    baseline.add("d", [2, 2])
    assert baseline.samples == [{"d": (mentions, (0, 2, 0, 0))}]


def test_random_responses_differ_from_each_other_and_are_the_same_in_every_run() -> None:
    first, again = (Baseline("random", 1, [METRICS["bcub"]]) for _ in range(2))
    for baseline in (first, again):
        baseline.add("d", [4, 3, 2, 1])
    assert first.samples == again.samples
    assert len({sample["d"] for sample in first.samples}) > 1
