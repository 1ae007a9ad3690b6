"""Estimates from a sampled key: the definitions, full samples, invariance, coverage, and every way to get them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource

import corefscope
from benchmarks.sampled_key import coverage
from corefscope import InputError, OptionError, score_sampled_key, score_tables
from corefscope.cli import main
from corefscope.measures.sampled_key import ESTIMATORS, SampledKeyReport
from corefscope.output.formats.json_text import schema
from corefscope.output.pages.app.worker_api import WorkerApi
from examples import seeds
from oracles import sampled_key as oracle
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

Labels = dict[str, str]
FIGURES = [(name, figure) for name in ESTIMATORS for figure in ("recall", "precision")]
WORKED_KEY = {"1": "a", "2": "a", "3": "a", "4": "b", "5": "b", "8": "d"}
WORKED_RESPONSE = {str(m): str(e) for m, e in zip(range(1, 9), (1, 1, 2, 3, 2, 4, 4, 4), strict=True)}
"""The example of docs/linkage.md."""


def _written(path: Path, labels: Labels, weights: Mapping[str, object] | None = None) -> str:
    head = "mention,entity" + (",weight" if weights else "")
    rows = [f"{mention},{entity}" + (f",{weights[entity]}" if weights else "") for mention, entity in labels.items()]
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return str(path)


def _made(random: Random, mentions: int = 40) -> tuple[Labels, Labels]:
    """A whole key and a response that resembles it; each lacks a few mentions."""
    key = {f"m{n}": f"e{random.randrange(mentions // 3)}" for n in range(mentions)}
    response = {
        mention: f"r{random.randrange(mentions // 3)}" if random.random() < 0.3 else f"r{entity[1:]}"
        for mention, entity in key.items()
        if random.random() < 0.95
    }
    return key, response


def _sampled(random: Random, key: Labels, share: float) -> Labels:
    kept = {entity for entity in sorted({*key.values()}) if random.random() < share} or {next(iter(key.values()))}
    return {mention: entity for mention, entity in key.items() if entity in kept}


def _check(report: SampledKeyReport, expected: dict[str, tuple[float | None, float | None]]) -> None:
    for name, figure in FIGURES:
        found = getattr(report[name], figure)
        for ours, theirs in zip(found[:2], expected[f"{name} {figure}"], strict=True):
            assert ours == (None if theirs is None else pytest.approx(theirs, abs=1e-12)), (name, figure)


@pytest.mark.parametrize("seed", seeds(15))
def test_estimates_are_those_of_the_definition(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    whole, response = _made(random)
    key = _sampled(random, whole, random.choice((0.1, 0.5, 1)))
    weights = {entity: random.choice((1, 0.5, "2.5", 0.1)) for entity in sorted({*key.values()})}
    paths = _written(tmp_path / "key.csv", key, weights), _written(tmp_path / "response.csv", response)
    ways: dict[str, Any] = {
        "uniform": lambda *_: Fraction(1),
        "size": lambda _, size: Fraction(1, size),
        "weight": lambda entity, _: Fraction(str(weights[str(entity)])),
    }
    for way, weight in ways.items():
        report = score_sampled_key(*paths, way)
        _check(report, oracle.estimates(key, response, weight))
        assert (report.entities, report.mentions) == (len({*key.values()}), len(key))
        for name, figure in FIGURES:
            one = getattr(report[name], figure)
            if one.sd is not None:
                assert one.low == pytest.approx(min(1, max(0, one.estimate - 1.96 * one.sd)))
                assert one.high == pytest.approx(max(0, min(1, one.estimate + 1.96 * one.sd)))


def test_published_values(tmp_path: Path) -> None:
    """Those that the documentation of er-evaluation has for its estimators."""
    response = _written(tmp_path / "response.csv", WORKED_RESPONSE)
    whole = dict(zip("12345678", "aaabbccc", strict=True))
    keys = {
        "pairs": WORKED_KEY,
        "bcub_by_entity": {m: e for m, e in whole.items() if e != "c"},
        "clusters_exact": whole,
    }
    figures = {
        name: [
            round(value or 0, 6)
            for one in score_sampled_key(_written(tmp_path / "key.csv", key), response)[name]
            for value in one[:2]
        ]
        for name, key in keys.items()
    }
    assert figures == {
        "pairs": [0.296875, 0.108253, 0.388889, 0.254588],
        "bcub_by_entity": [0.527778, 0.027778, 0.791667, 0.041667],
        "clusters_exact": [0.333333, 0.333333, 0.261719, 0.235932],
    }


@pytest.mark.parametrize("seed", seeds(10))
def test_a_full_sample_is_the_plain_score(seed: int, tmp_path: Path) -> None:
    key, response = _made(Random(seed))
    paths = _written(tmp_path / "key.csv", key), _written(tmp_path / "response.csv", response)
    plain = corefscope.score(*paths, metrics="pairs,bcub,clusters_exact", rules="corrected")
    report = score_sampled_key(*paths)
    for name, score in plain.items():
        assert report[name].recall.uncorrected == pytest.approx(score.recall)
        assert report[name].precision.uncorrected == pytest.approx(score.precision)


def test_a_perfect_response_scores_1_and_names_and_order_do_not_matter(tmp_path: Path) -> None:
    random = Random(3)
    whole, response = _made(random)
    key = _sampled(random, whole, 0.5)
    perfect = score_sampled_key(_written(tmp_path / "key.csv", key), _written(tmp_path / "whole.csv", whole))
    for name in ("pairs", "bcub", "bcub_by_entity"):
        assert [one[:4] for one in perfect[name]] == [pytest.approx((1, 0, 1, 1))] * 2
    assert perfect["clusters_exact"].recall[:4] == pytest.approx((1, 0, 1, 1))
    first = score_sampled_key(str(tmp_path / "key.csv"), _written(tmp_path / "response.csv", response))
    renamed = {f"x{mention}": f"{entity}!" for mention, entity in reversed(key.items())}
    others = {f"x{mention}": entity[::-1] for mention, entity in reversed(response.items())}
    again = score_sampled_key(_written(tmp_path / "k.csv", renamed), _written(tmp_path / "r.csv", others))
    assert dict(again) == dict(first)


def test_the_precision_of_a_few_clusters_known_to_be_right(tmp_path: Path) -> None:
    """Two of a thousand clusters are known: the plain score has a precision near 0, and a warning says what to do."""
    key = {"a1": "A", "a2": "A", "a3": "A", "b1": "B", "b2": "B"}
    response = {**key, **{f"x{n}": f"c{n // 4}" for n in range(4000)}}
    paths = _written(tmp_path / "key.csv", key), _written(tmp_path / "response.csv", response)
    plain = corefscope.score(*paths)
    assert plain["pairs"].precision < 0.01
    (warning,) = plain.warnings
    assert "--sampled-key" in warning
    assert "common mentions only" in warning
    report = score_sampled_key(*paths)
    assert report["pairs"].precision.estimate == report["bcub"].precision.estimate == 1
    assert report.warnings == ()


def test_what_is_not_known_is_not_said(tmp_path: Path) -> None:
    response = _written(tmp_path / "response.csv", {"a": "1", "b": "1", "c": "2"})
    one = score_sampled_key(_written(tmp_path / "key.csv", {"a": "x", "b": "x"}), response)
    assert one["pairs"].recall[:4] == (1, None, None, None)
    singletons = score_sampled_key(_written(tmp_path / "key.csv", {"a": "x", "c": "y"}), response)
    assert singletons["pairs"].recall == (None,) * 7
    with pytest.raises(InputError, match="has no rows"):
        score_sampled_key(_written(tmp_path / "key.csv", {}), response)


@pytest.mark.parametrize("seed", seeds(6))
def test_engine_processes_and_large_tables_give_the_same(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("duckdb", reason="duckdb is not installed: pip install duckdb")
    random = Random(seed)
    named = {f"d{n}": _made(random, 30) for n in range(3)}
    for side, at in (("key", 0), ("response", 1)):
        rows = [
            f"{name},{mention},{entity},{1 + len(entity) / 8}"
            for name, sides in named.items()
            for mention, entity in (_sampled(random, sides[0], 0.6) if at == 0 else sides[1]).items()
        ]
        (tmp_path / f"{side}.csv").write_text("\n".join(["doc,mention,entity,weight", *rows]), encoding="utf-8")
    paths = str(tmp_path / "key.csv"), str(tmp_path / "response.csv")
    for options in ({}, {"documents": "merge"}):
        for way in ("uniform", "size", "weight"):
            expected = score_sampled_key(*paths, way, **options)  # type: ignore[arg-type]
            found = score_tables(*paths, sampled_key=way, **options)  # type: ignore[call-overload]
            assert dict(found) == dict(expected)
            assert found.signature == expected.signature
            with monkeypatch.context() as patch:
                patch.setattr("corefscope.formats.tables.rows.LARGE", 10)
                assert dict(score_sampled_key(*paths, way, **options)) == dict(expected)  # type: ignore[arg-type]
    assert dict(score_sampled_key(*paths, "weight", jobs=2)) == dict(score_sampled_key(*paths, "weight"))


@pytest.mark.parametrize("sampled_key", ["uniform", "size"])
def test_intervals_cover_the_true_value(sampled_key: str) -> None:
    """1,000 samples of a known clustering, with a fixed seed."""
    shares = coverage(sampled_key)
    assert {name: share for name, share in shares.items() if not 0.93 <= share <= 0.97} == {}


def test_the_bootstrap_agrees_in_large_samples(tmp_path: Path) -> None:
    key, response = _made(Random(1), 3000)
    report = score_sampled_key(_written(tmp_path / "k.csv", key), _written(tmp_path / "r.csv", response))
    for name, figure in FIGURES:
        one = getattr(report[name], figure)
        assert (one.bootstrap_low, one.bootstrap_high) == pytest.approx((one.low, one.high), abs=0.012)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"metrics": "muc,pairs"}, "no estimate of muc: MUC counts the pieces"),
        ({"metrics": "adjusted_rand"}, "no estimate of adjusted_rand"),
        ({"metrics": "blanc"}, "not linked"),
        ({"metrics": ""}, "unknown metric"),
        ({"singletons": "drop"}, "singletons 'drop' cannot be combined"),
        ({"rules": "corefud-1.2"}, "rules 'corefud-1.2' cannot be combined"),
        ({"baseline": "all"}, "measured from 0"),
        ({"preset": "crac25"}, "presets drop"),
    ],
)
def test_what_is_refused(options: dict[str, Any], problem: str, tmp_path: Path) -> None:
    paths = _written(tmp_path / "k.csv", WORKED_KEY), _written(tmp_path / "r.csv", WORKED_RESPONSE)
    with pytest.raises(OptionError, match=problem):
        score_sampled_key(*paths, **options)


def test_groups_are_taken_as_far_as_there_are_estimates(tmp_path: Path) -> None:
    paths = _written(tmp_path / "k.csv", WORKED_KEY), _written(tmp_path / "r.csv", WORKED_RESPONSE)
    assert list(score_sampled_key(*paths, metrics="linkage")) == ["pairs", "bcub", "clusters_exact"]
    assert list(score_sampled_key(*paths, metrics=["b3", "bcub_by_entity"])) == ["bcub", "bcub_by_entity"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("mention,entity,w\n1,a,1\n2,a,2\n", "'a' has the weights 1 and 2"),
        ("mention,entity,w\n1,a,0\n", "has '0': weights are above 0"),
        ("mention,entity,w\n1,a,much\n", "has 'much'"),
        ("mention,entity,w\n1,a,inf\n", "has 'inf'"),
        ("mention,entity,w\n1,a,\n", "weight is empty|weights are above 0|without mention|has ''"),
        ("mention,entity\n1,a\n", "there is no column 'w'"),
    ],
)
@pytest.mark.parametrize("engine", [False, True])
def test_faulty_weights(text: str, problem: str, engine: bool, tmp_path: Path) -> None:
    (tmp_path / "k.csv").write_text(text, encoding="utf-8")
    paths = str(tmp_path / "k.csv"), _written(tmp_path / "r.csv", WORKED_RESPONSE)
    if engine:
        pytest.importorskip("duckdb", reason="duckdb is not installed: pip install duckdb")
    estimated = partial(score_tables, sampled_key="w") if engine else partial(score_sampled_key, sampled_key="w")
    with pytest.raises(InputError, match=problem):
        estimated(*paths)


def test_weights_need_a_table() -> None:
    with pytest.raises(OptionError, match="'w' is not uniform or size"):
        score_sampled_key(EXAMPLE_KEY, EXAMPLE_RESPONSE, "w")
    report = score_sampled_key(EXAMPLE_KEY, EXAMPLE_RESPONSE)  # annotated texts have samples, too
    plain = corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, metrics="bcub", singletons="keep", rules="corrected")
    assert report["bcub"].recall.uncorrected == pytest.approx(plain["bcub"].recall)


def test_weights_in_parquet_are_numbers(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    pyarrow = pytest.importorskip("pyarrow")
    weights = {"a": 0.5, "b": 1.25, "d": 3.0}
    table = {
        "mention": [*WORKED_KEY],
        "entity": [*WORKED_KEY.values()],
        "w": [weights[e] for e in WORKED_KEY.values()],
    }
    parquet.write_table(pyarrow.table(table), tmp_path / "k.parquet")
    response = _written(tmp_path / "r.csv", WORKED_RESPONSE)
    report = score_sampled_key(tmp_path / "k.parquet", response, "w")
    _check(report, oracle.estimates(WORKED_KEY, WORKED_RESPONSE, lambda entity, _: Fraction(weights[str(entity)])))


@pytest.mark.parametrize("engine", [[], ["--engine", "duckdb"]])
def test_the_command_prints_it_in_every_format(
    engine: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if engine:
        pytest.importorskip("duckdb")
    paths = _written(tmp_path / "k.csv", WORKED_KEY), _written(tmp_path / "r.csv", WORKED_RESPONSE)
    command = ["score", *paths, "--sampled-key", "size", "--quiet", *engine]
    for format_ in ("text", "markdown", "latex", "typst", "html"):
        assert main([*command, "--format", format_]) == 0
        printed = capsys.readouterr().out
        assert "Bootstrap" in printed
        assert "mentions sampled at random" in printed
    assert main([*command, "--format", "csv"]) == 0
    assert capsys.readouterr().out.startswith("metric,figure,estimate,sd,low,high,bootstrap_low")
    saved = tmp_path / "saved.json"
    assert main([*command, "--output", str(saved)]) == 0
    result = json.loads(saved.read_text(encoding="utf-8"))
    registry: Any = Registry().with_resource("corefscope-report-1", Resource.from_contents(schema()))
    jsonschema.Draft202012Validator(schema(result["schema"]), registry=registry).validate(result)
    assert main(["verify", str(saved)]) == 0
    saved.write_text(saved.read_text(encoding="utf-8").replace('"entities": 3', '"entities": 4'), encoding="utf-8")
    assert main(["verify", str(saved)]) == 1
    assert "not verified" in capsys.readouterr().out
    replayed = ["score", *paths, "--signature", result["signature"], "--quiet", "--format", "csv", *engine]
    assert main(replayed) == 0
    assert "key:sampled-size" in capsys.readouterr().out


def test_there_is_no_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install matplotlib")
    paths = _written(tmp_path / "k.csv", WORKED_KEY), _written(tmp_path / "r.csv", WORKED_RESPONSE)
    for more in (["--sampled-key", "uniform"], ["--more-keys", paths[0]]):
        assert main(["score", *paths, *more, "-o", str(tmp_path / "x.png")]) == 2
        assert "no picture of this result" in capsys.readouterr().err


def test_options_that_it_does_not_have(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = _written(tmp_path / "k.csv", WORKED_KEY), _written(tmp_path / "r.csv", WORKED_RESPONSE)
    for more in (
        ["--fail-under", "pairs=50%"],
        ["--per-document"],
        ["--more-keys", paths[0]],
        ["--settings", "crac"],
    ):
        assert main(["score", *paths, "--sampled-key", "uniform", *more]) == 2
        assert f"{more[0]} and --sampled-key cannot be combined" in capsys.readouterr().err
    signature = score_sampled_key(*paths).signature
    for command in (["explain", "pairs", *paths], ["compare", *paths]):
        assert main([*command, "--signature", signature]) == 2
        assert "which score --sampled-key makes" in capsys.readouterr().err


def test_the_app_shows_it(tmp_path: Path) -> None:
    paths = _written(tmp_path / "k.csv", WORKED_KEY), _written(tmp_path / "r.csv", WORKED_RESPONSE)
    asked = {"batch": 1, "key": paths[0], "responses": paths[1:], "options": {"sampled_key": "uniform"}}
    (part,) = json.loads(WorkerApi().answer(json.dumps({**asked, "job": "scores"})))["parts"]
    assert part["blocks"][0]["sheets"][0]["rows"][0]["cells"][0][0] == "Pairs R"
    assert "key:sampled-uniform" in part["signatures"][0]
    answer = json.loads(WorkerApi().answer(json.dumps({**asked, "job": "comparison"})))
    assert "estimates only" in answer["error"]


def test_columns_with_signs_of_signatures_are_replayed(tmp_path: Path) -> None:
    """A bar in the name of a column does not end the signature."""
    path = tmp_path / "k.csv"
    path.write_text('mention,entity,"a|b%7C"\n1,x,1\n2,x,1\n3,y,2\n', encoding="utf-8")
    report = score_sampled_key(path, _written(tmp_path / "r.csv", WORKED_RESPONSE), "a|b%7C")
    assert main(["score", str(path), str(tmp_path / "r.csv"), "--signature", report.signature, "--quiet"]) == 0
    assert math.isfinite(report["bcub"].recall.estimate or 0)


def test_a_key_without_entities_is_no_sample(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = []
    for name, clusters in (("key", []), ("response", [[[0, 0], [1, 1]]])):
        files.append(tmp_path / f"{name}.jsonl")
        document = {"doc_key": "d", "tokens": ["a", "b"], "clusters": clusters}
        files[-1].write_text(json.dumps(document), encoding="utf-8")
    assert main(["score", *map(str, files), "--sampled-key", "uniform"]) == 1
    assert "key.jsonl: has no entities, so it is no sample" in capsys.readouterr().err
