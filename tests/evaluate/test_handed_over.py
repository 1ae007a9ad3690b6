"""Clusters that programs hand over: what is nested otherwise is refused with a hint, and spans may be lists."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from corefscope import InputError, OptionError, Scorer, clusters_from_links, score_clusters
from corefscope.cli import main
from corefscope.count.metrics import GROUPS, METRICS, aliases, select
from corefscope.evaluate.selected import b_cubed_over

SPANS = [(0, 1), (2, 3)]
HINT = r"(?s:.*)clusters of one document: \[\[\(0, 1\)"


@pytest.mark.parametrize("spans", [SPANS, tuple(SPANS), iter(SPANS), [tuple(map(np.int64, span)) for span in SPANS]])
def test_spans_without_clusters_around_them_are_refused(spans: Iterable[Any]) -> None:
    with pytest.raises(InputError, match=r"the key is a list of spans such as .*, not of clusters" + HINT):
        score_clusters(spans, [SPANS])


def test_the_response_is_looked_at_too() -> None:
    with pytest.raises(InputError, match="the response is a list of spans" + HINT):
        score_clusters([SPANS], SPANS)
    scorer = Scorer()
    with pytest.raises(InputError, match="the key is a list of spans"):
        scorer.add(SPANS, SPANS)
    assert len(scorer) == 0


def test_numbers_on_one_side_and_spans_on_the_other_are_refused() -> None:
    with pytest.raises(InputError, match="mentions of the response are numbers, those of the other" + HINT):
        score_clusters([SPANS], [[0, 1], [2, 3]])
    with pytest.raises(InputError, match="mentions of the key are numbers"):
        score_clusters([[0, 1], [2, 3]], [SPANS])


@pytest.mark.parametrize("deep", [[[SPANS]], [[["a", "b"]]], [[[0, 1, 2]]]])
def test_documents_around_clusters_are_refused(deep: Any) -> None:
    with pytest.raises(InputError, match=r"is a list, but not \[start, end\]" + HINT):
        score_clusters(deep, deep)


@pytest.mark.parametrize(
    "clusters", [[[0, 1], [2, 3]], [(0, 1, 2), (3, 4)], [("a", "b"), ("c", "d")], [{0, 1}, {2, 3}], [SPANS], []]
)
def test_what_can_be_meant_is_scored(clusters: Any) -> None:
    report = score_clusters(clusters, clusters, metrics="bcub")
    assert report["bcub"].f1 == (1.0 if clusters else 0.0)


def test_spans_may_be_lists_wherever_they_may_be_tuples() -> None:
    lists: list[list[Any]] = [[[0, 1], [4, 4]], [[7, 9], (8, 8)]]
    tuples: list[list[Any]] = [[(0, 1), (4, 4)], [(7, 9), (8, 8)]]
    response = [[(0, 1), (4, 4), (7, 9)]]
    for options in ({}, {"singletons": "drop"}, {"rules": "corrected"}, {"rules": "conll-8.01"}):
        expected = score_clusters(tuples, response, **options)
        assert dict(score_clusters(lists, response, **options)) == dict(expected)
    assert b_cubed_over(lists, response, lambda _: True) == b_cubed_over(tuples, response, lambda _: True)
    assert clusters_from_links([([0, 1], (4, 4)), ((4, 4), [7, 9])]) == [[(0, 1), (4, 4), (7, 9)]]


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        *(("b3", "bcub"), ("b_cubed", "bcub"), ("B-cubed", "bcub"), ("ceaf_e", "ceafe"), ("phi4", "ceafe")),
        *(("ceaf-m", "ceafm"), ("conll_f1", "conll"), ("mention_detection", "mentions"), ("zeros", "zero")),
    ],
)
def test_a_metric_by_another_name_is_suggested_by_ours(name: str, ours: str) -> None:
    with pytest.raises(OptionError, match=rf"unknown metric '{name.lower()}' \(did you mean '{ours}'\?\)"):
        score_clusters([["a"]], [["a"]], metrics=name)


def test_other_names_are_no_names_of_ours() -> None:
    assert not set(aliases()) & {*METRICS, *GROUPS}
    assert all(alias == alias.lower() for alias in aliases())
    assert sum(len(metric.aliases) for metric in METRICS.values()) == len(aliases())
    assert select(list(METRICS)) == tuple(METRICS)


def test_the_metric_to_rank_by_is_suggested_too(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["task", "nowhere", "--rank-by", "b3"])
    assert "did you mean 'bcub'?" in capsys.readouterr().err
