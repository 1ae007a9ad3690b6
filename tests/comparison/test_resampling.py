"""Intervals and paired tests: against a slow twin, and against what they promise."""

from __future__ import annotations

import gc
import json
import os
import random
import subprocess
import sys
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import corefscope
from corefscope.comparison import count_matrix
from corefscope.comparison.paired_tests import RUNS, TESTS, holm, student
from corefscope.comparison.resampling import Plan, compare, intervals, study
from corefscope.core.choices import Test
from corefscope.core.errors import InputError, OptionError
from corefscope.core.metrics import select
from corefscope.core.numbers import headline
from corefscope.core.options import Options
from corefscope.core.report import Report
from corefscope.core.rules import RULES
from on_disk import STRICT
from oracles import resampling as slow
from oracles.generate import random_pair

FOUND_OPTIONS = Options("clusters", "exact", "linear", "keep")
NAMES = select("all")
OF_ONE_RUN = [test for test in TESTS if test != RUNS]


def _scored(folder: Path, seeds: range, *, same_empty: bool = False, **options: Any) -> Report:
    """All metrics of random files; each file is one document."""
    rows: dict[str, Any] = {}
    for seed in seeds:
        paths = folder / "key.conllu", folder / "response.conllu"
        for path, text in zip(paths, random_pair(random.Random(seed), same_empty=same_empty), strict=True):
            path.write_text(text, encoding="utf-8")
        report = corefscope.score(*paths, metrics="all", **options)
        rows[f"#{len(rows)}"] = next(iter(report.rows.values()))
    return Report(report.options, NAMES, rows)


@pytest.fixture(scope="module")
def systems(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Report]:
    """Three systems on 15 documents."""
    folder = tmp_path_factory.mktemp("systems")
    return {name: _scored(folder, range(15 * at, 15 * at + 15)) for at, name in enumerate("abc")}


def _detection(right: Any, key: Any, response: Any) -> Report:
    """A report on mention detection: one count per document each."""
    rows: dict[str, Any] = {
        f"#{at}": ((n, k, n, r),) for at, (n, k, r) in enumerate(zip(right, key, response, strict=True))
    }
    return Report(FOUND_OPTIONS, ("mentions",), rows)


def test_resampling_leaves_no_reference_cycles(systems: dict[str, Report]) -> None:
    study(systems, resamples=100)
    gc.collect()
    gc.disable()
    try:
        study(systems, resamples=100)
        assert gc.collect() < 20
    finally:
        gc.enable()


def _documents(report: Report) -> list[Any]:
    """The documents of a report for the twin: rows of counts, and those of the baseline, if it has one."""
    return [[layer[name] for layer in (report.rows, *report.baseline_rows)] for name in report.rows]


def _rescored(report: Report) -> slow.ScoreAll:
    """What other documents score in the way of a report."""

    def score(documents: slow.Documents) -> dict[str, dict[str, float]]:
        rows, *samples = ({str(at): row for at, row in enumerate(layer)} for layer in zip(*documents, strict=True))
        scores = Report(report.options, tuple(report), rows, baseline_rows=samples)
        return {
            name: {figure: value for figure, value in score._asdict().items() if not isinstance(value, str)}
            for name, score in scores.items()
        }

    return score


@pytest.mark.parametrize("rules", sorted(RULES))
def test_intervals_are_those_of_the_twin(rules: str, tmp_path: Path) -> None:
    report = _scored(tmp_path, range(8), same_empty=rules in STRICT, rules=rules)
    expected = slow.intervals(_documents(report), _rescored(report), resamples=150, seed=3, level=0.9)
    found = intervals(report, resamples=150, seed=3, level=0.9)
    assert list(found) == list(NAMES)
    for name, of_metric in expected.items():
        for figure, bounds in of_metric.items():
            assert tuple(found[name][figure]) == pytest.approx(bounds, abs=1e-10), (name, figure)


def test_scores_above_a_baseline_are_resampled_with_it(tmp_path: Path) -> None:
    """The baseline of a score is that of the same documents."""
    paths = tmp_path / "key.conllu", tmp_path / "response.conllu"
    for path, text in zip(paths, random_pair(random.Random(5), size="medium"), strict=True):
        path.write_text(text, encoding="utf-8")
    report = corefscope.score(*paths, metrics="all", baseline="random")
    assert len(report.documents) > 1
    expected = slow.intervals(_documents(report), _rescored(report), resamples=100, seed=1, level=0.95)
    for name, of_metric in intervals(report, resamples=100, seed=1).items():
        for figure, bounds in of_metric.items():
            assert tuple(bounds) == pytest.approx(expected[name][figure], abs=1e-10), (name, figure)


def test_differences_are_those_of_the_twin(systems: dict[str, Report]) -> None:
    ours, baseline = systems["a"], systems["b"]
    found = compare(ours, baseline, resamples=120, seed=5)
    pair = _documents(ours), _documents(baseline)
    observed = slow.differences(*pair, _rescored(ours))
    for name, values in slow.bootstrap_differences(*pair, _rescored(ours), resamples=120, seed=5).items():
        assert found[name].difference == pytest.approx(observed[name], abs=1e-12)
        assert tuple(found[name].interval) == pytest.approx(
            (slow.quantile(values, 0.025), slow.quantile(values, 0.975)), abs=1e-10
        )
        mean = sum(values) / len(values)
        error = sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))
        assert found[name].detectable == pytest.approx((1.959964 + 0.841621) * error, rel=1e-6, abs=1e-10)


def test_p_values_are_those_of_the_twin(systems: dict[str, Report]) -> None:
    ours, baseline = systems["a"], systems["b"]
    for test, twin in (("randomisation", slow.randomisation), ("bootstrap", slow.centred_bootstrap)):
        found = compare(ours, baseline, test=test, resamples=150, seed=11)  # type: ignore[arg-type]
        assert {name: difference.p for name, difference in found.items()} == pytest.approx(
            twin(_documents(ours), _documents(baseline), _rescored(ours), 150, 11)
        )
        assert not any(difference.exact for difference in found.values())


def test_few_documents_are_swapped_in_all_ways(tmp_path: Path) -> None:
    ours, baseline = _scored(tmp_path, range(6)), _scored(tmp_path, range(6, 12))
    found = compare(ours, baseline, resamples=100)
    assert all(difference.exact for difference in found.values())
    expected = slow.randomisation(_documents(ours), _documents(baseline), _rescored(ours), 100, 0)
    assert {name: difference.p for name, difference in found.items()} == expected


def test_signed_ranks_are_those_of_documents(systems: dict[str, Report]) -> None:
    ours, baseline = (
        Report(report.options, NAMES, dict(list(report.rows.items())[:9])) for report in list(systems.values())[:2]
    )
    found = compare(ours, baseline, test="wilcoxon", resamples=100)
    for name, difference in found.items():
        pairs = zip(ours.documents.values(), baseline.documents.values(), strict=True)
        by_document = [headline(one[name]) - headline(other[name]) for one, other in pairs]
        assert difference.p == pytest.approx(slow.signed_rank(by_document)), name


def test_results_do_not_depend_on_chunks_metrics_or_systems(
    systems: dict[str, Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    together = study(systems, resamples=200, seed=2)
    alone = compare(systems["c"], systems["a"], "lea", resamples=200, seed=2)["lea"]
    monkeypatch.setattr(count_matrix, "CELLS", 1000)
    in_chunks = study(systems, resamples=200, seed=2)
    for name in systems:
        for metric, of_metric in together.intervals[name].items():
            assert of_metric == {
                figure: pytest.approx(bounds, abs=1e-12)
                for figure, bounds in in_chunks.intervals[name][metric].items()
            }
        assert intervals(systems[name], "lea", resamples=200, seed=2)["lea"]["f1"] == pytest.approx(
            together.intervals[name]["lea"]["f1"], abs=1e-12
        )
    for found in (alone, in_chunks.differences["c"]["lea"]):
        expected = together.differences["c"]["lea"]
        assert (found.difference, found.p, *found.interval) == pytest.approx(
            (expected.difference, expected.p, *expected.interval), abs=1e-12
        )


PROGRAM = """
import json, sys
from corefscope.core.options import Options
from corefscope.comparison.resampling import study
from corefscope.core.report import Report
rows = json.loads(sys.stdin.read())
options = Options("clusters", "exact", "linear", "keep")
found = study({name: Report(options, ("mentions",), of) for name, of in rows.items()}, resamples=300, seed=8)
print(repr((found.intervals["a"]["mentions"], found.differences["b"]["mentions"])))
"""


def test_processes_agree() -> None:
    rng = random.Random(1)
    rows = {
        name: {
            f"#{at}": [[n := rng.randint(0, 9), n + rng.randint(0, 9), n, n + rng.randint(0, 9)]] for at in range(20)
        }
        for name in "ab"
    }
    said = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            input=json.dumps(rows),
            env={**os.environ, "PYTHONHASHSEED": seed, "OPENBLAS_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed, threads in (("0", "1"), ("1", "2"))
    }
    assert len(said) == 1


def _null_pair(rng: np.random.Generator, documents: int) -> tuple[Report, Report]:
    """Two systems that are equally good, on documents that are not equally hard."""
    size = rng.integers(5, 60, documents)
    chance = rng.beta(6, 3, documents)
    pair = []
    for _ in range(2):
        right = rng.binomial(size, np.clip(chance + rng.normal(0, 0.05, documents), 0, 1))
        pair.append(_detection(right.tolist(), size.tolist(), (right + rng.poisson(size * 0.2)).tolist()))
    return pair[0], pair[1]


@pytest.mark.parametrize("test", OF_ONE_RUN)
def test_p_values_are_calibrated(test: Test) -> None:
    """Of equally good systems 5 % differ significantly, within three standard errors of what is sampled."""
    rng = np.random.default_rng(2024)
    runs = 400
    found = []
    for seed in range(runs):
        ours, baseline = _null_pair(rng, documents=60)
        found.append(compare(ours, baseline, test=test, resamples=200, seed=seed)["mentions"].p)
    for level in (0.05, 0.5):
        share = sum(p < level for p in found) / runs
        assert share == pytest.approx(level, abs=3 * sqrt(level * (1 - level) / runs)), (test, level)


def test_intervals_cover_the_truth() -> None:
    """95 % of the intervals contain the score that infinitely many documents would have."""
    rng = np.random.default_rng(7)

    def documents(number: int) -> tuple[Any, Any, Any]:
        size = rng.integers(5, 60, number)
        right = rng.binomial(size, rng.beta(6, 3, number))
        return right, size, right + rng.poisson(size * 0.3)

    right, size, response = (int(column.sum()) for column in documents(1_000_000))
    truth = {"recall": right / size, "precision": right / response, "f1": 2 * right / (size + response)}
    runs = 400
    covered = dict.fromkeys(truth, 0)
    for seed in range(runs):
        found = intervals(_detection(*(column.tolist() for column in documents(100))), resamples=400, seed=seed)
        for figure, value in truth.items():
            low, high = found["mentions"][figure]
            covered[figure] += low <= value <= high
    for count in covered.values():
        assert count / runs == pytest.approx(0.95, abs=3 * sqrt(0.95 * 0.05 / runs))


def test_a_detectable_difference_is_detected_four_times_in_five() -> None:
    rng = np.random.default_rng(3)
    documents, gain = 60, 0.0425
    size = rng.integers(5, 60, documents)
    runs = 300
    significant, detectable = 0, []
    for seed in range(runs):
        chance = rng.beta(6, 3, documents) * 0.9
        reports = [
            _detection(right.tolist(), size.tolist(), size.tolist())
            for right in (rng.binomial(size, chance), rng.binomial(size, chance + gain))
        ]
        found = compare(reports[1], reports[0], resamples=400, seed=seed)["mentions"]
        significant += found.p < 0.05
        detectable.append(found.detectable)
    assert sum(detectable) / runs == pytest.approx(gain, rel=0.02)
    assert significant / runs == pytest.approx(0.8, abs=3 * sqrt(0.8 * 0.2 / runs))


def test_equal_systems_do_not_differ(systems: dict[str, Report]) -> None:
    for test in OF_ONE_RUN:
        for name, found in compare(systems["a"], systems["a"], test=test, resamples=100).items():  # type: ignore[arg-type]
            assert (found.difference, found.p) == (0, 1), name
            # NumPy may add the counts of each in another order.
            assert (*found.interval, found.detectable) == pytest.approx((0, 0, 0), abs=1e-12), name


def test_the_sign_is_ours_minus_the_baseline(systems: dict[str, Report]) -> None:
    forth, back = (compare(systems[one], systems[other], resamples=200) for one, other in (("a", "b"), ("b", "a")))
    for name, found in forth.items():
        assert found.difference == -back[name].difference
        assert found.p == back[name].p
        assert tuple(found.interval) == pytest.approx(
            (-back[name].interval.high, -back[name].interval.low), abs=1e-12
        )


def test_p_values_are_adjusted_for_the_number_of_systems(systems: dict[str, Report]) -> None:
    found = study(systems, baseline="b", resamples=200)
    assert list(found.differences) == ["a", "c"]
    assert found.baseline == "b"
    for metric in NAMES:
        both = [found.differences[name][metric] for name in "ac"]
        assert [difference.adjusted for difference in both] == holm([difference.p for difference in both])
    for name, alone in compare(systems["a"], systems["b"], resamples=200).items():
        among = found.differences["a"][name]
        # NumPy may add in another order where there are more systems.
        assert alone.detectable == pytest.approx(among.detectable, rel=1e-12)
        assert tuple(alone.interval) == pytest.approx(tuple(among.interval), rel=1e-12)
        near: dict[str, Any] = {"detectable": alone.detectable, "interval": alone.interval}
        assert alone == among._replace(adjusted=among.p, **near)


def test_the_paired_t_test_takes_the_scores_of_documents(systems: dict[str, Report]) -> None:
    from scipy.stats import ttest_rel

    ours, baseline = list(systems.values())[:2]
    found = compare(ours, baseline, test="t", resamples=100)
    for name, difference in found.items():
        columns = [[headline(scores[name]) for scores in report.documents.values()] for report in (ours, baseline)]
        if columns[0] != columns[1]:
            assert difference.p == pytest.approx(ttest_rel(*columns).pvalue), name
    assert student([]).p == student([0.5]).p == 1.0


def test_one_document_is_refused() -> None:
    with pytest.raises(InputError, match=r"only one document.*\n.*with mentions$"):
        intervals(_detection([1], [2], [3]))
    with pytest.raises(InputError, match="no document"):
        intervals(Report(FOUND_OPTIONS, ("mentions",), {}))
    with pytest.raises(InputError, match="nothing to compare"):
        study({})


def test_other_documents_are_refused(systems: dict[str, Report]) -> None:
    rows = list(systems["a"].rows.items())
    options = systems["a"].options
    renamed = Report(options, NAMES, dict([*rows[:4], ("other", rows[4][1]), *rows[5:]]))
    with pytest.raises(InputError, match="of the baseline, document 5 is '#4', but of ours, document 5 is 'other'"):
        compare(renamed, systems["a"])
    shorter = Report(options, NAMES, dict(rows[:-1]))
    with pytest.raises(InputError, match="document 15 is missing"):
        compare(shorter, systems["a"])
    reordered = Report(options, NAMES, dict(rows[::-1]))
    with pytest.raises(InputError, match="document 1 is '#14'"):
        compare(reordered, systems["a"])
    corrected = Report(options._replace(rules="corrected"), NAMES, dict(rows))
    with pytest.raises(InputError, match="in different ways"):
        compare(corrected, systems["a"])
    other_format = Report(options._replace(format="corefud+conll"), NAMES, dict(rows))
    assert compare(other_format, systems["a"], "muc", resamples=100)["muc"].p == 1


def test_what_does_not_exist_is_refused(systems: dict[str, Report]) -> None:
    report = systems["a"]
    with pytest.raises(OptionError, match="did you mean 'wilcoxon'"):
        compare(report, report, test="wilcoxn")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="unknown baseline 'd'"):
        study(systems, baseline="d")
    with pytest.raises(OptionError, match="has no muc"):
        intervals(_detection([1, 2], [2, 3], [3, 4]), "muc")
    for plan, reason in ((Plan(resamples=10), "too few"), (Plan(seed=-1), "negative"), (Plan(level=95), "between 0")):
        with pytest.raises(OptionError, match=reason):
            plan.checked()


def test_few_documents_are_said_to_be_few(systems: dict[str, Report]) -> None:
    few = intervals(_detection([1, 2, 1], [2, 3, 3], [3, 4, 2]), resamples=100)
    assert few.cautions == (
        "only 3 documents: intervals are too narrow, and no p-value of a randomisation test can be below 0.25",
    )
    many = [_detection([0] * 5 + [n] * 2, [0] * 5 + [9] * 2, [0] * 5 + [9] * 2) for n in (2, 3)]
    assert compare(many[0], many[1], resamples=200).cautions == (
        "only 7 documents: intervals are too narrow",
        "mentions: only 2 of 7 documents have anything to count",
    )
    assert study(systems, "muc", resamples=100).cautions == ("only 15 documents: intervals are too narrow",)
    nothing, something = _detection([0] * 20, [0] * 20, [0] * 20), _detection([0] * 20, [0] * 20, [0] * 19 + [1])
    for pair in ((nothing, something), (something, nothing)):  # a document counts if it does for one of them
        assert compare(*pair, resamples=100).cautions == ("mentions: only 1 of 20 documents has anything to count",)
    assert not intervals(_detection([1, 2] * 10, [2] * 20, [3] * 20), resamples=100).cautions


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    program = "import sys, corefscope.comparison.resampling; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize(("resamples", "exact"), [(127, False), (128, True)])
def test_all_ways_of_swapping_are_taken_if_there_are_no_more_than_resamples(resamples: int, exact: bool) -> None:
    """Seven documents can be swapped in 128 ways."""
    ours, baseline = (_detection(found, [9] * 7, [9] * 7) for found in ([1, 5, 2, 6, 3, 7, 4], [2, 3, 4, 5, 6, 7, 8]))
    assert compare(ours, baseline, "mentions", resamples=resamples)["mentions"].exact is exact


def test_systems_that_print_text_in_other_ways_are_compared() -> None:
    """How printed text was read is said of each system; it is no option of the score."""
    ours, baseline = (_detection([n, 2, 3], [4] * 3, [4] * 3) for n in (1, 2))
    printed = Report(ours.options._replace(llm="tags-move,unclosed-word"), tuple(ours), ours.rows)
    assert compare(printed, baseline, resamples=100) == compare(ours, baseline, resamples=100)


@pytest.mark.parametrize(
    ("documents", "counting", "is_told"), [(6, 5, True), (6, 6, False), (20, 5, True), (20, 6, False)]
)
def test_metrics_that_count_in_fewer_than_six_documents_are_told(
    documents: int, counting: int, is_told: bool
) -> None:
    counts = [1] * counting + [0] * (documents - counting)
    cautions = intervals(_detection(counts, counts, counts), resamples=100).cautions
    told = f"mentions: only {counting} of {documents} documents have anything to count"
    assert (told in cautions) is is_told


def test_a_million_resamples_are_the_most() -> None:
    plan = Plan(resamples=1_000_000)
    assert plan.checked() == plan
    with pytest.raises(OptionError, match="1,000,001 resamples are too many: take at most 1,000,000"):
        Plan(resamples=1_000_001).checked()
