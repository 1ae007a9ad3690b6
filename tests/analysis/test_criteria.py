"""The coherence criteria: what brute force must find, that nothing is left out, and that rounding decides nothing."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise, permutations, product

import pytest

from corefscope.analysis.criteria import TABLE, Criteria, applicable, criteria
from corefscope.cli import main
from corefscope.core.errors import OptionError
from corefscope.core.metrics import GROUPS, METRICS
from docs.criteria import EQUAL, Classes, Search, Trial, larger_pairs, partitions, small_pairs
from docs.criteria import main as search
from oracles import papers
from oracles import partitions as official

OF_PAPERS = {name for group in ("corefud", "cai-strube", "popescu-belis", "linkage") for name in GROUPS[group]} | {
    *("ceaf_sys_phi4", "xcore_strict")
}
"""The metrics of which papers say which criteria they keep to; a new metric need not be among them."""
LINKAGE = {"pairs", "clusters_exact", "adjusted_rand", "fowlkes_mallows", "variation_of_information"}
REACH_ZERO = {"muc", "muc_pb", "core", "lea", "blanc", "entropy", "kappa", "rand", "dmt"} | LINKAGE
HIS = {"muc", "bcub", "core", "xcore", "entropy", "kappa"}
"""His measures of one text, each by the first metric that is the same on one set of mentions."""


@pytest.fixture(scope="module")
def found() -> Criteria:
    return criteria()


@pytest.fixture(scope="module")
def trials() -> list[Trial]:
    return Search(criteria().names).trials


def _holding(found: Criteria, criterion: str) -> set[str]:
    return {name for name, findings in found.findings.items() if findings[criterion].holds} & OF_PAPERS


def _breaking(found: Criteria, criterion: str) -> set[str]:
    return {name for name, findings in found.findings.items() if not findings[criterion].holds} & OF_PAPERS


def test_every_metric_of_partitions_is_tried(found: Criteria) -> None:
    assert set(found.names) == {name for name, row in METRICS.items() if not row.scope.needs_words} - {"mentions"}


def test_only_profiles_are_perfect_for_other_responses(found: Criteria) -> None:
    """(1) holds for all measures but DMT and D-err, which look at sizes only."""
    assert _breaking(found, "upper-limit") == {"dmt", "d_err"}
    witness = found.findings["dmt"]["upper-limit"].witness
    assert witness is not None
    assert witness[:2] == ("{a b}{c}", "{a c}{b}")


def test_some_measures_never_reach_zero(found: Criteria) -> None:
    """(5): neither B³ nor CEAF, of any kind, nor exclusive cores."""
    assert _holding(found, "reaches-zero") == REACH_ZERO


def test_the_worst_responses_score_0_under_few_measures(found: Criteria) -> None:
    """(4)"""
    assert _holding(found, "all-in-one") == {"entropy", "kappa", "adjusted_rand", "clusters_exact"}
    assert _holding(found, "no-resolution") == {
        "muc",
        "muc_pb",
        "core",
        "kappa",
        "pairs",
        "adjusted_rand",
        "fowlkes_mallows",
    }


def test_0_may_mean_something_better_than_the_worst(found: Criteria) -> None:
    """(3), which holds of itself where 0 is never scored."""
    others = {"muc", "muc_pb", "core", "lea", "entropy", "kappa"}
    assert _breaking(found, "zero-is-worst") == others | LINKAGE
    witness = found.findings["muc"]["zero-is-worst"].witness
    assert witness is not None
    assert witness == ("{a b}{c}", "{a c}{b}", 0)


def test_of_his_measures_only_muc_is_always_more_indulgent(found: Criteria) -> None:
    """(6): than C (PROP.8), and than κ, which is Dice's coefficient of the same links less what chance gives."""
    assert {pair for pair in found.orders if {*pair} <= HIS} == {("muc", "core"), ("muc", "kappa")}
    assert set(found.orders) >= {("bcub", "lea"), ("rand", "blanc")}


def test_larger_pairs_break_what_small_ones_do_not() -> None:
    """With 6 mentions κ is never above B³; two large classes merged among single mentions are enough."""
    search = Search(["bcub", "kappa"])
    assert all(trial.figures["bcub"] > trial.figures["kappa"] - EQUAL for trial in search.trials)
    assert search.table()["orders"] == criteria("bcub,kappa").orders == []


def test_variants_that_differ_by_mentions_only_are_the_same(found: Criteria) -> None:
    groups = [[name for name in group if name in OF_PAPERS] for group in found.same]
    together = {group[0]: set(group) for group in groups if len(group) > 1}
    assert together == {
        "muc": {"muc", "muc_pb"},
        "bcub": {"bcub", "b3_0", "b3_all", "b3_rn", "b3_sys", "b3_pb"},
        "ceafe": {"ceafe", "ceaf_sys_phi4"},
        "ceafm": {"ceafm", "ceaf_orig", "ceaf_rn", "ceaf_sys"},
    }


def _looks(key: Classes, response: Classes) -> tuple[tuple[int, ...], ...]:
    """The table of a pair, the least of all orders of rows and columns."""
    table = [[len({*k} & {*r}) for r in response] for k in key]
    return min(
        tuple(sorted(tuple(row[j] for row in rows) for j in range(len(response)))) for rows in permutations(table)
    )


@pytest.mark.parametrize("mentions", [1, 2, 3, 4, 5])
def test_no_kind_of_pair_is_left_out(mentions: int) -> None:
    every = {_looks(*pair) for pair in product(partitions(mentions), repeat=2)}
    tried = {_looks(*pair) for pair in small_pairs(5) if sum(map(len, pair[0])) == mentions}
    assert tried == every


def test_pairs_come_by_size_so_that_witnesses_are_smallest(trials: list[Trial]) -> None:
    sizes = [sum(map(len, trial.key)) for trial in trials]
    assert sizes == sorted(sizes)
    for key, response in larger_pairs():
        assert sorted(m for members in key for m in members) == sorted(m for members in response for m in members)
        assert all(key)
        assert all(response)


def test_rounding_decides_nothing(trials: list[Trial]) -> None:
    """Different figures of small pairs are far from each other, and the same ones as near as floats can be."""
    figures = sorted({figure for trial in trials for figure in trial.figures.values()})
    gaps = [after - before for before, after in pairwise(figures)]
    assert not [gap for gap in gaps if EQUAL / 1000 < gap < 5000 * EQUAL]


def test_0_and_1_are_exact(trials: list[Trial]) -> None:
    """Of all rational measures, by fractions of sets."""
    for trial in trials:
        if sum(map(len, trial.key)) > 4:
            break
        sides = [[frozenset[object](members) for members in side] for side in (trial.key, trial.response)]
        exact: dict[str, object] = {
            name: papers.oracle(name, [(trial.key, trial.response)])[-1] for name in papers.ORACLES
        }
        if len(trial.key) < sum(map(len, trial.key)) or len(trial.response) < sum(map(len, trial.response)):
            exact |= {name: oracle(*sides)[-1] for name, oracle in official.ORACLES.items() if name != "mentions"}
        for name, value in exact.items():
            if isinstance(value, Fraction) and name != "d_err":
                figure = trial.figures[name]
                assert ((figure > 1 - EQUAL), (figure < EQUAL)) == (value == 1, value <= 0), (name, trial)


def test_the_table_is_what_the_search_finds() -> None:
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    assert Search(applicable("all")).table() == table, "analysis/criteria.json is out of date: run make docs"


def test_some_metrics_have_what_the_search_finds_about_them() -> None:
    """Also where the first of several that are the same is not among them, or the order is another."""
    for names in (["core", "muc_pb"], ["lea", "b3_rn", "bcub"]):
        assert criteria(names).to_dict() == Criteria(names, Search(names).table()).to_dict()


def test_a_mean_can_be_tried_by_the_script_only(capsys: pytest.CaptureFixture[str]) -> None:
    search(["mean(muc,bcub)", "zero"])
    assert "mean(MUC, B³)" in capsys.readouterr().out
    with pytest.raises(OptionError, match=r"not tried with mean\(muc,bcub\), only with the metrics of the catalogue"):
        criteria("muc,mean(muc,bcub)")


def test_what_needs_words_cannot_be_tried() -> None:
    assert criteria("muc,zero").names == ("muc",)
    with pytest.raises(OptionError, match="none of these metrics compares partitions"):
        criteria("zero,mentions")


def test_the_command_prints_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics", "--criteria", "muc", "core", "dmt"]) == 0
    out = capsys.readouterr().out
    assert "MUC ≥ C" in out
    assert "{a b}{c}  {a c}{b}" in out
    assert main(["metrics", "muc", "--format", "json"]) == 2
    assert "--format and -o are for the whole catalogue and for --criteria" in capsys.readouterr().err


def test_that_the_worst_responses_are_our_choice_is_said(found: Criteria, capsys: pytest.CaptureFixture[str]) -> None:
    """H breaks (3) and (4) only with our choice: its zeros are the responses of proposition 11."""
    assert main(["metrics", "--criteria", "entropy"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert 'is for the evaluator to say; our choice is "no resolution" and "all in one"' in out
    assert "H fulfils (2) to (5), as its author says" in out
    assert "our choice" in str(found.to_dict()["worst"])


def test_with_the_worst_of_proposition_11_the_measure_of_entropy_fulfils_its_criteria(trials: list[Trial]) -> None:
    """F is 0 for one class against several, several against one, and independent classes, and for nothing else."""
    for key, response, figures in trials:
        mentions = sum(map(len, key))
        alone = (len(key) == 1) != (len(response) == 1)
        independent = min(len(key), len(response)) > 1 and all(
            mentions * len({*one} & {*other}) == len(one) * len(other) for one in key for other in response
        )
        assert (figures["entropy"] < EQUAL) == (alone or independent)
