"""F1 over major entities: against every one-to-one map, by name, its properties, its edges and its explanation."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope
from corefscope import InputError, OptionError
from corefscope.cli import main
from corefscope.core.metrics import METRICS, select
from examples import examples
from oracles.major import ORACLES, averaged, f1_of_sets
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE
from strategies import Clusters, pairs

Pair = tuple[Clusters, Clusters]
LEAST = (1, 2, 3, 4)
METRICS_OF = [f"{name}({least})" for name in ORACLES for least in LEAST]


def _figures(documents: list[Pair]) -> dict[str, float]:
    scorer = corefscope.Scorer(metrics=METRICS_OF)
    for pair in documents:
        scorer.add(*pair)
    report = scorer.report()
    return {name: report[name].f1 for name in report}


@examples(150)
@given(st.lists(pairs, max_size=3))
def test_each_is_that_of_the_best_of_all_maps(documents: list[Pair]) -> None:
    """Documents pool their major entities; 4 is the default, whose name has no number."""
    figures = _figures(documents)
    for name, oracle in ORACLES.items():
        for least in LEAST:
            own = name if least == 4 else f"{name}({least})"
            assert figures[own] == pytest.approx(float(oracle(documents, least)), abs=1e-12), own


@examples(100)
@given(pairs, st.randoms(use_true_random=False))
def test_names_and_order_do_not_matter(pair: Pair, rng: random.Random) -> None:
    """Not even where several maps have the same Σ F."""
    letters = "abcdefghijklmnop"
    renamed = dict(zip(letters, rng.sample(letters, len(letters)), strict=True))
    other = tuple(
        [[renamed[m] for m in rng.sample(entity, len(entity))] for entity in rng.sample(side, len(side))]
        for side in pair
    )
    assert _figures([other]) == pytest.approx(_figures([pair]))  # type: ignore[list-item]


@examples(60)
@given(pairs)
def test_a_perfect_response_scores_1_and_minor_entities_do_not_count(pair: Pair) -> None:
    key, _ = pair
    found = _figures([(key, key)])
    assert {found[name] for name in found} <= {0.0, 1.0}
    largest = max(map(len, key), default=0)
    assert all(found[f"major_macro({least})"] == (largest >= least) for least in (1, 2, 3))
    major = [entity for entity in key if len(entity) >= 3]
    assert _figures([(key, key)])["major_micro(3)"] == _figures([(major, major)])["major_micro(3)"]


@pytest.mark.parametrize("order", [1, -1])
def test_of_equal_maps_the_one_counts_that_is_better_for_mentions(order: int) -> None:
    """Key entities of 4 and 9 mentions have F = 2/5 with the only response entity: micro takes that of 9."""
    key = [list("abcd"), list("efghijklm")][::order]
    response = [list("abefgz")]
    assert {f1_of_sets(frozenset(entity), frozenset(response[0])) for entity in key} == {Fraction(2, 5)}
    report = corefscope.score_clusters(key, response, metrics="major")
    assert report["major_macro"].f1 == pytest.approx(2 / 10)
    assert report["major_micro"].f1 == pytest.approx(9 * 2 / 5 / 13)


def test_the_worked_example_of_the_page() -> None:
    key = [["a", "b", "c", "d"], ["e", "f", "g", "h", "i", "j"], ["k"]]
    response = [["a", "b", "c", "e"], ["f", "g"]]
    report = corefscope.score_clusters(key, response, metrics="major")
    assert (report["major_macro"].f1, report["major_micro"].f1) == (5 / 8, 6 / 10)
    assert report.counts("major_micro") == {"f1_of_mentions": 6.0, "mentions": 10}


def test_nothing_is_counted_without_major_entities() -> None:
    report = corefscope.score_clusters([["a", "b"]], [["a", "b"]], metrics="major")
    assert report.nothing("major_macro")
    assert report["major_macro"].f1 == 0
    assert corefscope.score_clusters([["a"]], [["a"]], metrics="major", rules="corrected")["major_micro"].f1 == 1


def test_a_dense_component_is_counted_with_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(1)
    mentions = range(400)
    sides = [[[m for m in mentions if of[m] == e] for e in range(20)] for of in [rng.choices(range(20), k=400)]]
    response = [[m for m in mentions if (m * 7 + m // 20) % 20 == e] for e in range(20)]
    exact = corefscope.score_clusters(sides[0], response, metrics="major")
    monkeypatch.setattr("corefscope.measures.major.EXACT", 10)
    rounded = corefscope.score_clusters(sides[0], response, metrics="major")
    assert rounded["major_macro"].f1 == pytest.approx(exact["major_macro"].f1, abs=1e-12)


def test_entities_of_the_same_name_are_compared(tmp_path: Path) -> None:
    """The response calls its entities as the key does, but has swapped two: no map is better than none."""
    key, response = {"ann": ["a", "b", "c"], "bob": ["d", "e"], "cat": ["f"]}, {"ann": ["a", "b"], "cat": ["d", "e"]}
    paths = []
    for name, entities in (("key", key), ("response", response)):
        paths.append(tmp_path / f"{name}.csv")
        rows = [f"{mention},{entity}" for entity, mentions in entities.items() for mention in mentions]
        paths[-1].write_text("\n".join(["mention,entity", *rows, ""]), encoding="utf-8")
    names = ["major_macro(2,names)", "major_micro(2,names)", "major_micro(2)"]
    report = corefscope.score(*paths, metrics=names)
    judged = [(3, f1_of_sets(frozenset("abc"), frozenset("ab"))), (2, Fraction(0))]
    expected = [averaged(judged, micro=False), averaged(judged, micro=True), Fraction(12, 5) + 2]
    assert [report[name].f1 for name in names] == pytest.approx([*map(float, expected[:2]), float(expected[2]) / 5])


@pytest.mark.parametrize("name", ["major_macro(0)", "major_macro(x)", "major_micro(3,2)", "major_macro()"])
def test_wrong_settings_are_refused(name: str) -> None:
    with pytest.raises(OptionError, match="metric"):
        select(name)


def test_settings_are_written_in_one_way() -> None:
    assert select("Major_Macro( 10, names ),major_micro(4)") == ("major_macro(10,names)", "major_micro")
    assert METRICS["major_micro(names)"].name == "major_micro(4,names)"


def test_names_need_files(tmp_path: Path) -> None:
    paths = [tmp_path / "key.jsonl", tmp_path / "response.jsonl"]
    for path in paths:  # without names, ids are numbers in order
        path.write_text('{"doc_key": "d", "tokens": ["a", "b"], "clusters": [[[0, 0], [1, 1]]]}', encoding="utf-8")
    with pytest.raises(InputError, match="no names that both sides share"):
        corefscope.score(*paths, metrics="major_macro(2,names)")
    with pytest.raises(OptionError, match="leave 'names' out"):  # repaired responses have no names
        corefscope.examine(EXAMPLE_KEY, EXAMPLE_RESPONSE, metric="major_macro(2,names)")
    with pytest.raises(OptionError, match="score files instead"):
        corefscope.score_clusters([["a"]], [["a"]], metrics="major_macro(1,names)")


@pytest.mark.parametrize("metric", ["major_macro(3)", "major_micro(2)", "major_micro(3,names)"])
def test_an_explanation_adds_up(metric: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    files = str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)
    result = corefscope.explain_metric(*files, metric, document="en_letter")
    counts = result.report.documents["en_letter"].counts(metric).values()
    assert list(map(float, result.calculation.counts)) == pytest.approx(list(counts))
    saved = str(tmp_path / "score.json")
    assert main(["score", *files, "--metrics", metric, "-o", saved]) == 0
    assert metric in json.loads(Path(saved).read_text(encoding="utf-8"))["metrics"]
    assert main(["verify", saved]) == 0
    assert "verified" in capsys.readouterr().out
