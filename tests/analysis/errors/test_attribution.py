"""Points lost by class of errors: they add up, whatever the documents, metrics and rules."""

from __future__ import annotations

import json
import random
import re
from itertools import permutations
from math import isclose
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corefscope import score
from corefscope.analysis.errors.attribution import Attribution, RepairedCounts, attributable, step_of
from corefscope.analysis.errors.examine import examine
from corefscope.analysis.errors.pairing import (
    Pairing,
    Repair,
    RepairableGroup,
    groups,
    needed_repair,
    repaired_alignment,
    whole,
)
from corefscope.analysis.errors.report import ErrorReport
from corefscope.core.errors import OptionError
from corefscope.core.metrics import METRICS, counted, select
from corefscope.core.numbers import headline
from corefscope.core.options import Options
from corefscope.core.rules import RULES
from corefscope.core.steps import count
from corefscope.core.table import Contingency, tabulate
from corefscope.output.formats import REPORTS
from corefscope.output.layout import Sheet
from corefscope.output.results.errors import lay_out
from examples import examples
from on_disk import FEATURES, OPTIONS, STRICT, aligned, written
from oracles.generate import random_pair
from oracles.quirks import QUIRKS, Quirk, conllu

OFFERED = [name for name in select("all") if METRICS[name].scale.perfect == 1]
DETAILED = examples(40)
COUNTS = RepairedCounts(Options())
REPAIRS, KINDS = COUNTS.repairs, COUNTS.kinds


def attributions(folder: Path, key: str, response: str, names: list[str], **options: Any) -> dict[str, Attribution]:
    """Where the points went, for each metric."""
    chosen = Options(**options)
    counts_of = RepairedCounts(chosen, names)
    needed = counted(counts_of.names)
    for ours, _, alignment in aligned(folder, key, response, **options):
        row = count(alignment, needed, chosen)
        counts = {metric.name: counts for metric, counts in zip(needed, row, strict=True)}
        counts_of.add(ours.id, Pairing(alignment, counts_of.min_entity_size), counts)
    pooled = counts_of._pooled()  # the same for all metrics
    with patch.object(counts_of, "_pooled", lambda: pooled):
        return {name: counts_of.attribution(name) for name in counts_of.names}


def gains(attribution: Attribution) -> dict[str, float]:
    return {step.kind: round(step.gain, 9) for step in attribution.steps if step.gain}


# ---- the sum


@DETAILED
@given(st.integers(0, 10**6), OPTIONS, FEATURES)
def test_points_add_up_to_what_is_lost(
    tmp_path_factory: pytest.TempPathFactory, seed: int, options: dict[str, Any], features: dict[str, Any]
) -> None:
    folder = tmp_path_factory.mktemp("pair")
    texts = random_pair(random.Random(seed), **features, same_empty=options["rules"] in STRICT)
    found = attributions(folder, *texts, OFFERED, **options)
    report = score(*written(folder, *texts), metrics=OFFERED, **options)
    assert set(found) == set(report)
    for name, attribution in found.items():
        assert isclose(attribution.score, headline(report[name]), abs_tol=1e-9)
        assert isclose(attribution.lost, 1 - attribution.score, abs_tol=1e-9)
        total = sum(step.gain for step in attribution.steps) + attribution.rules
        assert isclose(total, attribution.lost, abs_tol=1e-9), name
        for step in attribution.steps:
            assert step.least - 1e-9 <= step.gain <= step.most + 1e-9
            assert step.least - 1e-9 <= min(step.first, step.last)
            assert max(step.first, step.last) <= step.most + 1e-9
        if options["rules"] == "corrected":
            assert isclose(attribution.rules, 0, abs_tol=1e-9), name


def _empty_nodes(text: str) -> set[str]:
    return {line.partition("\t")[0] for line in text.split("\n") if re.match(r"\d+\.", line)}


QUIRKS_BY_RULES = [
    pytest.param(quirk, rules, id=f"{rules}-{quirk.name}")
    for quirk in QUIRKS
    for rules in RULES
    if rules not in STRICT or not _empty_nodes(conllu(quirk.key)) ^ _empty_nodes(conllu(quirk.response))
]


@pytest.mark.parametrize(("quirk", "rules"), QUIRKS_BY_RULES)
def test_points_add_up_where_the_official_scorer_is_odd(quirk: Quirk, rules: str, tmp_path: Path) -> None:
    options = {**quirk.options, "rules": rules}
    for name, found in attributions(tmp_path, conllu(quirk.key), conllu(quirk.response), OFFERED, **options).items():
        assert isclose(sum(step.gain for step in found.steps) + found.rules, found.lost, abs_tol=1e-9), name
        assert rules != "corrected" or isclose(found.rules, 0, abs_tol=1e-9), name


def assert_totals_include_rules(found: ErrorReport) -> None:
    """In every form of the result, what is shown adds up to what is lost."""
    lost = found.attribution.lost
    assert isclose(sum(step.gain for step in found.attribution.classes), lost, abs_tol=1e-9)
    plain = json.loads(REPORTS["json"].render(found))["attribution"]
    assert isclose(plain["lost"], lost, abs_tol=1e-9)
    assert isclose(sum(step["gain"] for step in plain["classes"].values()), lost, abs_tol=1e-9)
    flat = found.to_flat_dict()
    assert flat[f"{found.attribution.metric}/lost"] == lost
    assert isclose(sum(value for name, value in flat.items() if name.endswith("/gain")), lost, abs_tol=1e-9)
    summed = [
        float(gain) for gain in re.findall(r" (-?[0-9]\.[0-9]{4})(?: \(|$|,)", found.summary.partition("lost by")[2])
    ]
    assert isclose(sum(summed), lost, abs_tol=0.0001 * len(summed))
    _, costs, *_ = lay_out(found, False, None).blocks
    assert isinstance(costs, Sheet)
    at = costs.head.index("points lost")
    points = {row[0].text: float(row[at].text) for row in costs.rows}
    every = points.pop("all")
    assert isclose(every, 100 * lost, abs_tol=0.0051)
    assert isclose(sum(points.values()), every, abs_tol=0.0051 * (len(points) + 1))


@DETAILED
@given(st.integers(0, 10**6), OPTIONS, st.sampled_from(["conll", "muc", "lea", "ceafe", "blanc"]))
@example(53, {"match": "head", "zeros": "dependent", "singletons": "drop", "rules": "corefud-1.2"}, "conll")
def test_rules_are_part_of_every_total(
    tmp_path_factory: pytest.TempPathFactory, seed: int, options: dict[str, Any], metric: str
) -> None:
    texts = random_pair(
        random.Random(seed), "small", duplicates=True, two_heads=True, same_empty=options["rules"] in STRICT
    )
    paths = written(tmp_path_factory.mktemp("pair"), *texts)
    assert_totals_include_rules(examine(*paths, metric=metric, **options))


@pytest.mark.parametrize(("quirk", "rules"), QUIRKS_BY_RULES)
def test_rules_are_part_of_every_total_where_the_official_scorer_is_odd(
    quirk: Quirk, rules: str, tmp_path: Path
) -> None:
    paths = written(tmp_path, conllu(quirk.key), conllu(quirk.response))
    assert_totals_include_rules(examine(*paths, **{**quirk.options, "rules": rules}))


def test_what_no_repair_gains_is_left_to_the_rules(tmp_path: Path) -> None:
    singletons = conllu("e1 1; e2 3")
    official = attributions(tmp_path, singletons, singletons, ["conll"], singletons="keep")
    assert (round(official["conll"].rules, 9), gains(official["conll"])) == (round(1 / 3, 9), {})
    corrected = attributions(tmp_path, singletons, singletons, ["conll"], singletons="keep", rules="corrected")
    assert (corrected["conll"].rules, gains(corrected["conll"])) == (0, {})
    twice = conllu("e1 1 3; e2 1 5")
    assert attributions(tmp_path, twice, twice, ["muc"])["muc"].rules == 0.5


def test_errors_of_which_0_is_perfect_have_no_points() -> None:
    with pytest.raises(OptionError, match="0 is perfect"):
        attributable("d_err")
    with pytest.raises(OptionError, match="did you mean"):
        attributable("conl")


# ---- repairs


def as_lists(table: Contingency) -> tuple[Any, ...]:
    cells = sorted(zip(table.cells.rows, table.cells.columns, table.cells.n, strict=True))
    return list(table.key_sizes), list(table.response_sizes), cells


@DETAILED
@given(st.integers(0, 10**6), OPTIONS, FEATURES)
def test_a_repaired_response_is_the_same_in_numbers_and_in_words(
    tmp_path_factory: pytest.TempPathFactory, seed: int, options: dict[str, Any], features: dict[str, Any]
) -> None:
    min_entity_size = 2 if options["singletons"] == "drop" else 1
    texts = random_pair(random.Random(seed), **features, same_empty=options["rules"] in STRICT)
    for _, _, alignment in aligned(tmp_path_factory.mktemp("pair"), *texts, **options):
        pairing = Pairing(alignment, min_entity_size)
        repairs = RepairableGroup(whole(pairing), min_entity_size)
        kinds = COUNTS.kinds_in(repairs.needed)
        for number, repair in enumerate(REPAIRS):
            table = tabulate(repaired_alignment(pairing, repair, min_entity_size))
            assert as_lists(repairs.table(repair)) == as_lists(table)
            assert as_lists(repairs.table(REPAIRS[number & kinds])) == as_lists(table)
        if alignment.mutual and not (alignment.key.repeats or alignment.response.repeats):
            assert as_lists(repairs.table(Repair())) == as_lists(tabulate(alignment))


@DETAILED
@given(st.integers(0, 10**6), OPTIONS)
def test_what_is_repaired_is_gone(
    tmp_path_factory: pytest.TempPathFactory, seed: int, options: dict[str, Any]
) -> None:
    texts = random_pair(random.Random(seed), same_empty=options["rules"] in STRICT)
    for _, _, alignment in aligned(tmp_path_factory.mktemp("pair"), *texts, **options):
        pairing = Pairing(alignment)
        needed = needed_repair(pairing)
        for repair in REPAIRS:
            left = needed_repair(Pairing(repaired_alignment(pairing, repair, 1)))
            assert not left.overlaps(repair)
            assert all(before or not after for before, after in zip(needed, left, strict=True))


@DETAILED
@given(st.integers(0, 10**6), OPTIONS)
def test_with_everything_repaired_the_response_is_the_key(
    tmp_path_factory: pytest.TempPathFactory, seed: int, options: dict[str, Any]
) -> None:
    min_entity_size = 2 if options["singletons"] == "drop" else 1
    texts = random_pair(random.Random(seed), duplicates=True, same_empty=options["rules"] in STRICT)
    for _, _, alignment in aligned(tmp_path_factory.mktemp("pair"), *texts, **options):
        repaired = repaired_alignment(Pairing(alignment, min_entity_size), REPAIRS[-1], min_entity_size)
        assert sorted(map(sorted, repaired.response.members)) == sorted(map(sorted, repaired.key.members))
        assert all(
            repaired.key.mentions[k] == repaired.response.mentions[r] for k, r in enumerate(repaired.to_response)
        )


@DETAILED
@given(st.integers(0, 10**6), OPTIONS)
def test_counts_of_groups_are_those_of_the_document(
    tmp_path_factory: pytest.TempPathFactory, seed: int, options: dict[str, Any]
) -> None:
    metrics = [metric for metric in METRICS.values() if metric.engines.adds_over_components]
    texts = random_pair(random.Random(seed), same_empty=options["rules"] in STRICT)
    for _, _, alignment in aligned(tmp_path_factory.mktemp("pair"), *texts, **options):
        pairing = Pairing(alignment)
        parts = [RepairableGroup(group, 1) for group in groups(pairing)]
        repairs = RepairableGroup(whole(pairing), 1)
        for repaired in random.Random(seed).sample(REPAIRS, 16):
            for metric in metrics:
                rows = [metric.counts(part.table(repaired)) for part in parts]
                total = [sum(column) for column in zip(*rows, strict=True)] or [0] * len(metric.fields)
                assert metric.counts(repairs.table(repaired)) == pytest.approx(total)


# ---- orders


def test_points_are_means_over_all_orders_of_repair() -> None:
    rng = random.Random(7)
    values = [rng.random() for _ in REPAIRS]
    gains: dict[str, list[float]] = {kind: [] for kind in KINDS}
    bits = {kind: 1 << bit for bit, kind in enumerate(KINDS)}
    for order in permutations(bits.items()):
        repaired = 0
        for kind, bit in order:
            gains[kind].append(values[repaired | bit] - values[repaired])
            repaired |= bit
    for kind, bit in bits.items():
        step = step_of(kind, bit, values)
        mean = sum(gains[kind]) / len(gains[kind])
        variance = sum((gain - mean) ** 2 for gain in gains[kind]) / len(gains[kind])
        assert step.gain == pytest.approx(mean)
        assert step.deviation == pytest.approx(variance**0.5)
        assert (step.least, step.most) == (min(gains[kind]), max(gains[kind]))
        assert step.first == values[bit] - values[0]
        assert step.last == values[-1] - values[(len(values) - 1) & ~bit]


# ---- by hand


CLASSES = [
    ("span", "e1 1 3..5@4", "x1 1 3..4@4", {"match": "exact"}),
    ("missing_mention", "e1 1 4 7", "x1 1 7", {}),
    ("extra_mention", "e1 1 7", "x1 1 4 7", {}),
    ("missing_entity", "e1 1 7; e2 3 5", "x1 1 7", {}),
    ("extra_entity", "e1 1 7", "x1 1 7; x2 3 5", {}),
    ("conflated", "e1 1 3; e2 2 4", "x1 1 2 3 4", {}),
    ("divided", "e1 1 2 3 4", "x1 1 2; x2 3 4", {}),
]


@pytest.mark.parametrize(("kind", "key", "response", "options"), CLASSES)
def test_one_class_of_errors_has_all_the_points(
    kind: str, key: str, response: str, options: dict[str, Any], tmp_path: Path
) -> None:
    for name, found in attributions(tmp_path, conllu(key), conllu(response), OFFERED, **options).items():
        if name not in ("zero", "major_macro", "major_micro"):  # of which these files have nothing
            others = {step.kind: step.gain for step in found.steps if step.kind != kind}
            assert others == dict.fromkeys(others, 0), name
            (step,) = (step for step in found.steps if step.kind == kind)
            assert step.gain == pytest.approx(found.lost)
            assert step.deviation == pytest.approx(0, abs=1e-9)


def test_points_of_two_classes_by_hand(tmp_path: Path) -> None:
    """MUC of {1 2 3 4} against {1 2 5}: recall 1/3, precision 1/2, F 0.4.

    Without 5 it is recall 1/3, precision 1: 0.5. With 3 and 4 it is recall 1, precision 3/4: 6/7. With both, 1.
    """
    found = attributions(tmp_path, conllu("e1 1 2 3 4"), conllu("x1 1 2 5"), ["muc"])["muc"]
    assert found.score == pytest.approx(0.4)
    extra = ((0.5 - 0.4) + (1 - 6 / 7)) / 2
    missing = ((6 / 7 - 0.4) + (1 - 0.5)) / 2
    assert gains(found) == {"missing_mention": pytest.approx(missing), "extra_mention": pytest.approx(extra)}


def test_spans_that_match_anyway_cost_nothing_but_words(tmp_path: Path) -> None:
    found = attributions(tmp_path, conllu("e1 1 3..5@4"), conllu("x1 1 3..4@4"), ["conll", "mor"])
    assert (gains(found["conll"]), found["conll"].lost) == ({}, 0)
    assert gains(found["mor"]) == {"span": pytest.approx(found["mor"].lost)}


def test_points_of_zeros(tmp_path: Path) -> None:
    key, response = conllu("e1 1 2.1[3:nsubj] 7; e2 5 6"), conllu("x1 1 7; x2 5 6")
    found = attributions(tmp_path, key, response, ["zero"])["zero"]
    assert gains(found) == {"missing_mention": 1}
    linked = conllu("x1 1 7; x2 5 6 2.1[3:nsubj]")
    wrong = attributions(tmp_path, key, linked, ["zero"], rules="corrected")["zero"]
    assert gains(wrong) == {"divided": 1}


def test_singletons_that_repairs_leave_behind_are_dropped_too(tmp_path: Path) -> None:
    """Cut in two, {1 3 2} is {1 3} and {2}: kept where singletons are, gone where they are not."""
    key, response = conllu("e1 1 3; e2 2 4"), conllu("x1 1 2 3")
    pairing = Pairing(aligned(tmp_path, key, response)[0][2])
    cut = Repair(cuts_entities=True)
    assert RepairableGroup(whole(pairing), 1).table(cut).response_sizes == [2, 1]
    assert RepairableGroup(whole(pairing), 2).table(cut).response_sizes == [2]


def test_attribution_of_one_document(tmp_path: Path) -> None:
    texts = random_pair(random.Random(5), "medium")
    paths = written(tmp_path, *texts)
    report = score(*paths)
    for name in report.documents:
        alone = examine(*paths, document=name).attribution
        assert alone.score == pytest.approx(report.documents[name]["conll"].f1)
        assert sum(step.gain for step in alone.steps) + alone.rules == pytest.approx(alone.lost)


def test_classes_that_only_words_show(tmp_path: Path) -> None:
    pairing = Pairing(aligned(tmp_path, conllu("e1 1 3..5@4"), conllu("x1 1 3..4@4"))[0][2])
    assert (needed_repair(pairing), RepairableGroup(whole(pairing), 1).needed) == (
        Repair(corrects_spans=True),
        Repair(),
    )
