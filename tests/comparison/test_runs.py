"""Several runs of one system: against an oracle, an example by hand, and what a test promises."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from benchmarks.runs import Setting, rejections
from corefscope.comparison.mean_report import MeanReport, average_runs
from corefscope.comparison.resampling import Study, study
from corefscope.core.errors import InputError, OptionError
from corefscope.core.options import Options
from corefscope.core.report import Report
from oracles import runs as slow

OPTIONS = Options("clusters", "exact", "linear", "keep")
Counts = Sequence[Sequence[tuple[int, int, int]]]
"""Of each run and document the mentions that are right, of the key, and of the response."""


def _reports(counts: Counts) -> list[Report]:
    return [
        Report(
            OPTIONS,
            ("mentions",),
            {f"d{n}": ((right, key, right, response),) for n, (right, key, response) in enumerate(run)},
        )
        for run in counts
    ]


def _f1(documents: Sequence[Any]) -> float:
    right, key, response = (sum(column) for column in zip(*documents, strict=True))
    return float(2 * right / (key + response))


def _counts(seed: int, runs: int, documents: int) -> Counts:
    keys = random.Random(f"key {documents}")
    sizes = [keys.randrange(5, 30) for _ in range(documents)]
    rng = random.Random(seed)
    return [
        [(right := rng.randrange(1, size), size, right + rng.randrange(5)) for size in sizes] for _ in range(runs)
    ]


def _study(ours: Counts, theirs: Counts, **plan: Any) -> Study:
    return study({"theirs": _reports(theirs), "ours": _reports(ours)}, **{"resamples": 100, **plan})


@pytest.mark.parametrize(("runs", "others", "documents"), [(3, 3, 8), (2, 5, 7), (4, 1, 9), (2, 2, 2)])
def test_tests_and_intervals_are_those_of_the_oracle(runs: int, others: int, documents: int) -> None:
    ours, theirs = _counts(1, runs, documents), _counts(2, others, documents)
    found = _study(ours, theirs, level=0.9)
    variance, freedom = slow.of_difference([[ours], [theirs]], _f1)
    difference = slow.mean([_f1(run) for run in ours]) - slow.mean([_f1(run) for run in theirs])
    t = stats.t(freedom, scale=variance**0.5)
    of_ours = found.differences["ours"]["mentions"]
    assert of_ours.difference == pytest.approx(difference)
    assert of_ours.p == pytest.approx(2 * t.sf(abs(difference)), rel=1e-6)
    assert tuple(of_ours.interval) == pytest.approx([difference + t.ppf(share) for share in (0.05, 0.95)])
    assert of_ours.detectable == pytest.approx(t.ppf(0.95) + t.ppf(0.8))
    variance, freedom = slow.of_difference([[ours]], _f1)
    score, far = slow.mean([_f1(run) for run in ours]), stats.t(freedom, scale=variance**0.5).ppf(0.95)
    expected = max(score - far, 0), min(score + far, 1)
    assert tuple(found.intervals["ours"]["mentions"]["f1"]) == pytest.approx(expected)


def test_an_example_by_hand() -> None:
    """The example of docs/significance.md: two documents of ten mentions, two runs of both systems."""
    ours, theirs = ([[(n, 10, 10) for n in run] for run in runs] for runs in ([[8, 6], [9, 7]], [[5, 7], [5, 5]]))
    found = _study(ours, theirs).differences["ours"]["mentions"]
    assert found.difference == pytest.approx(0.75 - 0.55)
    variance, freedom = slow.of_difference([[ours], [theirs]], _f1)
    assert variance == pytest.approx(0.005 + 0.0225 - 0.0025)
    assert freedom == pytest.approx(0.025**2 / (0.005**2 / 2 + 0.02 * 0.0225 / 1))
    assert found.p == pytest.approx(2 * stats.t(freedom).sf(0.2 / variance**0.5))
    assert round(found.p, 2) == 0.38


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(2, 4), st.randoms(use_true_random=False))
def test_order_and_names_do_not_matter(seed: int, runs: int, others: int, order: random.Random) -> None:
    ours, theirs = _counts(seed, runs, 6), _counts(seed + 1, others, 6)
    found = _study(ours, theirs).differences["ours"]["mentions"]
    documents = order.sample(range(6), 6)
    mixed = [
        [[run[n] for n in documents] for run in order.sample(each, len(each))] for each in (list(ours), list(theirs))
    ]
    again = _study(*mixed).differences["ours"]["mentions"]
    assert (again.difference, again.p, *again.interval) == pytest.approx((found.difference, found.p, *found.interval))
    back = _study(theirs, ours).differences["ours"]["mentions"]
    assert (back.difference, back.p) == pytest.approx((-found.difference, found.p))


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6))
def test_one_run_each_is_compared_as_ever(seed: int) -> None:
    (ours,), (theirs,) = (_reports(_counts(seed + n, 1, 8)) for n in (0, 1))
    plain = study({"theirs": theirs, "ours": ours}, resamples=100)
    assert study({"theirs": [theirs], "ours": [ours]}, resamples=100) == plain
    beside = study({"theirs": theirs, "ours": ours, "runs": _reports(_counts(seed, 2, 8))}, resamples=100)
    for name in ("theirs", "ours"):
        assert beside.intervals[name] == plain.intervals[name]
    assert beside.differences["ours"]["mentions"].p == plain.differences["ours"]["mentions"].p


def test_equal_runs_leave_a_test_over_documents() -> None:
    ours, theirs = _counts(1, 1, 8), _counts(2, 1, 8)
    found = _study([*ours] * 3, [*theirs] * 3).differences["ours"]["mentions"]
    differences = [
        one - other
        for one, other in zip(slow.pseudo_values(ours[0], _f1), slow.pseudo_values(theirs[0], _f1), strict=True)
    ]
    t = found.difference / (stats.tstd(differences) / 8**0.5)
    assert found.p == pytest.approx(2 * stats.t(7).sf(abs(t)))
    same = _study([*ours] * 2, [*ours] * 2).differences["ours"]["mentions"]
    assert (same.difference, same.p, *same.interval) == (0, 1, 0, 0)


def test_a_true_null_is_rejected_as_often_as_promised() -> None:
    """A small version of the simulation: swapping documents takes luck for a difference."""
    found = rejections(Setting((3, 3), 30, 0.3, 0.2, 0.2), pairs=60)
    assert found["compare"] <= 0.1
    assert found["swap documents"] > 0.15
    assert found["interval"] >= 0.85


def test_a_mean_report_has_means_spreads_and_sums() -> None:
    counts = _counts(3, 3, 4)
    reports = _reports(counts)
    mean = MeanReport(reports)
    scores = [_f1(run) for run in counts]
    assert mean["mentions"].f1 == pytest.approx(sum(scores) / 3)
    assert mean.spread("mentions")["f1"] == pytest.approx(stats.tstd(scores))
    assert mean.counts("mentions")["recall_numerator"] == sum(right for run in counts for right, *_ in run)
    of_document = [_f1([run[1]]) for run in counts]
    assert mean.documents["d1"]["mentions"].f1 == pytest.approx(sum(of_document) / 3)
    assert mean.figure("mentions") == mean["mentions"].f1
    assert average_runs(reports[:1]) is reports[0]
    other = Report(OPTIONS._replace(match="head"), ("mentions",), reports[0].rows)
    with pytest.raises(InputError, match="scored in different ways"):
        MeanReport([reports[0], other])


def test_tests_of_one_run_and_of_several_are_not_mixed_up() -> None:
    ours, theirs = _counts(1, 2, 6), _counts(2, 1, 6)
    with pytest.raises(OptionError, match="the test t is for systems of one run"):
        _study(ours, theirs, test="t")
    with pytest.raises(OptionError, match="the test runs is for systems of several runs"):
        _study(theirs, theirs, test="runs")
