"""Weights of entities: against the definitions on sets, their properties, files, entry points and refusals."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope
from corefscope import InputError, OptionError
from corefscope.cli import main
from corefscope.core.clusters import tabulate_clusters
from corefscope.core.metrics import METRICS
from corefscope.measures.weights import WeightedTable, parse_weights, weighable
from examples import examples
from oracles.weighted import TERMS, Side, counts
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE
from strategies import Clusters, pairs

FILES = str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)
WEIGHABLE = list(TERMS)
Pair = tuple[Clusters, Clusters]


def _weighted(pair: Pair, weights: list[list[float]]) -> dict[str, tuple[float, ...]]:
    sides: Any = pair
    table, _ = tabulate_clusters(*sides, single_owner=False)
    return {name: METRICS[name].counts(WeightedTable(table, weights[0], weights[1])) for name in WEIGHABLE}


@examples(150)
@given(pairs, st.randoms(use_true_random=False))
def test_every_metric_is_that_of_its_definition(pair: Pair, rng: random.Random) -> None:
    weights = [[rng.randrange(9) / 4 for _ in side] for side in pair]
    sides: list[Side] = [
        [(frozenset(entity), Fraction(w)) for entity, w in zip(side, own, strict=True)]
        for side, own in zip(pair, weights, strict=True)
    ]
    for name, found in _weighted(pair, weights).items():
        assert found == pytest.approx([float(count) for count in counts(name, *sides)], abs=1e-12), name


def test_these_are_all_that_can_be_weighed() -> None:
    """Others are refused with the reason."""
    assert set(weighable(METRICS.built_in)) == set(WEIGHABLE)
    for name in set(METRICS.built_in) - set(WEIGHABLE):
        with pytest.raises(OptionError, match=r"cannot be weighed: .* Choose from muc, bcub"):
            weighable([name])


@examples(60)
@given(pairs, st.sampled_from([1.0, 0.25, 8.0]))
def test_equal_weights_give_the_plain_score(pair: Pair, weight: float) -> None:
    plain = corefscope.score_clusters(*pair, metrics=WEIGHABLE)
    for name, found in _weighted(pair, [[weight] * len(side) for side in pair]).items():
        expected = plain.counts(name).values()
        assert [count / weight for count in found] == pytest.approx(list(expected), abs=1e-12), name


@pytest.mark.parametrize("rules", ["corefud-1.2", "corrected", "corefud-1.1", "corefud-1.0"])
@pytest.mark.parametrize("weights", ["size^0", "file"])
def test_equal_weights_of_files_give_the_plain_score(rules: Any, weights: str, tmp_path: Path) -> None:
    if weights == "file":
        weights = str(tmp_path / "weights.csv")
        Path(weights).write_text("entity,weight\n*,3\n", encoding="utf-8")
    files = FILES if rules in ("corefud-1.2", "corrected") else FILES[:1] * 2  # the others compare empty nodes, too
    plain, weighted = (corefscope.score(*files, rules=rules, weights=w, singletons="keep") for w in (None, weights))
    assert tuple(weighted) == ("muc", "bcub", "lea", "mentions")
    for name in weighted:
        assert tuple(weighted[name]) == pytest.approx(tuple(plain[name]), abs=1e-12)


def _tables(folder: Path, key: str, response: str, weights: str) -> tuple[str, str, str]:
    """Files of entities such as ``x:ab y:c``, and of weights such as ``x=2 y=1``."""
    paths = []
    for name, text in (("key", key), ("response", response)):
        rows = [f"{m},{e}" for e, _, ms in (one.partition(":") for one in text.split()) for m in ms]
        paths.append(folder / f"{name}.csv")
        paths[-1].write_text("\n".join(["mention,entity", *rows, ""]), encoding="utf-8")
    paths.append(folder / "weights.csv")
    paths[-1].write_text("entity,weight\n" + weights.replace("=", ",").replace(" ", "\n") + "\n", encoding="utf-8")
    return str(paths[0]), str(paths[1]), str(paths[2])


def test_the_worked_example_of_the_page(tmp_path: Path) -> None:
    """The key has x = {a, b, c}, which weighs 3, and y = {d, e}, which weighs 1; z is spurious."""
    key, response, weights = _tables(tmp_path, "x:abc y:de", "1:ab 2:cdez", "x=3 y=1")
    score = corefscope.score(key, response, weights=weights, metrics="bcub")["bcub"]
    assert score.recall == pytest.approx((3 * (2 * 2 / 3 + 1 / 3) + 1 * 2) / (3 * 3 + 1 * 2))
    first, second = 3, (3 + 1 + 1 + 2) / 4  # z weighs the mean of the file
    assert tuple(score[:2]) == pytest.approx((7 / 11, 131 / 208))
    assert score.precision == pytest.approx((first * 2 + second * (1 + 4) / 4) / (first * 2 + second * 4))


def test_others_weigh_what_the_file_says(tmp_path: Path) -> None:
    """With ``*`` of 0, only x counts: y, and the spurious z, weigh nothing."""
    key, response, weights = _tables(tmp_path, "x:abc y:de", "1:ab 2:cdez", "x=3 *=0")
    score = corefscope.score(key, response, weights=weights, metrics="bcub")["bcub"]
    assert score.recall == pytest.approx(5 / 9)
    assert score.precision == pytest.approx((3 * 2 + 3 / 4 * 5 / 4) / (3 * 2 + 3 / 4 * 4))


def test_others_may_be_those_of_a_document(tmp_path: Path) -> None:
    """A row of a document counts first, and a document that has none of its own takes what is said of all."""
    key, weights = tmp_path / "key.csv", tmp_path / "weights.csv"
    key.write_text("document,mention,entity\na,1,x\na,2,x\na,3,y\nb,1,x\nb,2,y\nc,1,x\n", encoding="utf-8")
    rows = "a,*,2\na,y,3\n,y,5\n,*,7\n"
    weights.write_text(f"document,entity,weight\n{rows}", encoding="utf-8")
    report = corefscope.score(key, key, weights=weights, metrics="bcub")
    assert report.counts("bcub")["recall_denominator"] == (2 * 2 + 3) + (7 + 5) + 7
    weights.write_text("document,entity,weight\na,*,2\na,y,3\n", encoding="utf-8")
    with pytest.raises(InputError, match="no weight of entity 'x' in document 'b'"):
        corefscope.score(key, key, weights=weights, metrics="bcub")


def test_joined_documents_have_the_weights_of_their_parts(tmp_path: Path) -> None:
    key, weights = tmp_path / "key.csv", tmp_path / "weights.csv"
    key.write_text("document,mention,entity\na,1,x\na,2,x\nb,1,x\nb,2,y\n", encoding="utf-8")
    weights.write_text("document,entity,weight\na,x,3\nb,x,3\nb,*,1\n", encoding="utf-8")
    joinings: list[dict[str, Any]] = [{}, {"documents": "merge"}, {"documents": "topic", "topic": "a|b"}]
    for joined in joinings:
        report = corefscope.score(key, key, weights=weights, metrics="bcub", **joined)
        assert report.counts("bcub")["recall_denominator"] == 3 * 3 + 1, joined
    weights.write_text("document,entity,weight\na,x,3\nb,x,2\n*,*,1\n", encoding="utf-8")
    with pytest.raises(InputError, match="'x' has two weights, 3 and 2"):
        corefscope.score(key, key, weights=weights, metrics="bcub", documents="merge")


def test_an_entity_without_weight_is_an_error(tmp_path: Path) -> None:
    key, response, weights = _tables(tmp_path, "x:abc y:de", "1:ab", "x=3")
    with pytest.raises(InputError, match=r"weights\.csv: has no weight of entity 'y' in document '#1'") as error:
        corefscope.score(key, response, weights=weights, metrics="bcub")
    assert "*" in error.value.hint


def test_order_and_names_of_the_response_do_not_matter(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    one = _tables(tmp_path / "one", "x:abc y:de", "1:ab 2:cdez", "x=3 y=1")
    two = _tables(tmp_path / "two", "y:ed x:cba", "q:zedc r:ba", "y=1 x=3")
    found = [corefscope.score(*files[:2], weights=files[2], metrics=WEIGHABLE) for files in (one, two)]
    for name in WEIGHABLE:
        assert tuple(found[0][name]) == pytest.approx(tuple(found[1][name]))


def test_the_table_of_the_key_may_have_the_weights(tmp_path: Path) -> None:
    rows = "doc,mention,entity,salience\nd,a,x,3\nd,b,x,3\nd,c,y,1\n"
    key = tmp_path / "key.csv"
    key.write_text(rows, encoding="utf-8")
    report = corefscope.score(key, key, weights=f"{key}:salience", metrics="bcub")
    assert report["bcub"].f1 == 1
    assert report.counts("bcub")["recall_denominator"] == 7
    assert report.options.weights.endswith(":salience")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("entity\nx\n", r":1: has no column 'weight'; found 'entity'"),
        ("entity,weight\n", "has no rows"),
        ("entity,weight\nx,-1\n", ":2: '-1' is no weight"),
        ("entity,weight\nx,nan\n", ":2: 'nan' is no weight"),
        ("entity,weight\nx,1e10\n", ":2: '1e10' is no weight"),
        ("entity,weight\n\nx,1\nx,2\n", ":4: entity 'x' has two weights, 1 and 2"),
        ("entity,weight\nx\n", ":2: the cell of the weight is empty"),
        ("document,entity,weight\n,*,1\n*,*,2\n", ":3: entity '*' has two weights, 1 and 2"),
        ("document,entity,weight\na,,1\n", ":2: the cell of the entity is empty"),
        ('entity,weight\n"x\n', "is not CSV|the cell of the weight is empty"),
    ],
)
def test_faults_of_files_have_a_line(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "weights.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message.replace("*", r"\*")):
        parse_weights(str(path))


@pytest.mark.parametrize("weights", ["size^11", "size", "size^x", "nowhere.csv", "file-0123456789ab"])
def test_what_is_no_weight_is_refused(weights: str) -> None:
    with pytest.raises(OptionError, match="weigh"):
        corefscope.score(*FILES, weights=weights)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"metrics": "muc,ceaf_e"}, "CEAFe maps entities to each other"),
        ({"metrics": "conll"}, "CoNLL has CEAFe, which maps"),
        ({"metrics": "blanc"}, "BLANC counts links for both sides at once"),
        ({"rules": "conll-8.01"}, "knows no weights"),
        ({"baseline": "none"}, "baseline none"),
        ({"compare_rules": True}, "compared only without"),
    ],
)
def test_what_cannot_be_weighed_is_refused(arguments: dict[str, Any], message: str) -> None:
    if arguments.get("metrics") == "conll":
        arguments = {"metrics": "mean(muc,ceafe)"}
        message = "has CEAFe, which maps"
    with pytest.raises(OptionError, match=message):
        corefscope.score(*FILES, weights="size^1", **arguments)


def test_other_entry_points_say_why_not(tmp_path: Path) -> None:
    weights = tmp_path / "weights.csv"
    weights.write_text("entity,weight\n*,1\n", encoding="utf-8")
    with pytest.raises(OptionError, match="weights cannot be used here: errors and slices divide"):
        corefscope.examine(*FILES, weights="size^1")
    with pytest.raises(OptionError, match="weights cannot be used here: terms"):
        corefscope.explain_metric(*FILES, "muc", weights="size^1")
    with pytest.raises(OptionError, match="by how they were sampled"):
        corefscope.score_sampled_key(*FILES, "uniform", weights="size^1")
    with pytest.raises(OptionError, match="the entities of one key"):
        corefscope.score_keys([*FILES], FILES[0], weights=str(weights))
    with pytest.raises(OptionError, match="no annotator is the key"):
        corefscope.agree([*FILES], weights="size^1")


@pytest.mark.parametrize("weights", ["size^0.5", "FILE", "FILE:salience"])
def test_a_saved_score_is_verified_and_replayed(
    weights: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "weights.csv"
    path.write_text("document,entity,weight,salience\nen_letter,e9,5,2\n,*,1,1\n", encoding="utf-8")
    saved, given = tmp_path / "score.json", weights.replace("FILE", str(path))
    assert main(["score", *FILES, "--weights", given, "--quiet", "-o", str(saved)]) == 0
    result = json.loads(saved.read_text(encoding="utf-8"))
    assert main(["verify", str(saved)]) == 0
    assert "are the same" in capsys.readouterr().out
    report = corefscope.score(*FILES, weights=given)
    assert result["signature"] == report.signature
    again = ["score", *FILES, "--signature", report.signature, "--format", "csv", "--quiet"]
    if weights.startswith("size"):
        assert main(again) == 0
        assert f"{report['bcub'].recall:.4f}"[:6] in capsys.readouterr().out
        return
    assert main(again) == 2
    assert "say where it is, --weights FILE" in capsys.readouterr().err
    assert main([*again, "--weights", given]) == 0
    capsys.readouterr()
    moved = path.rename(tmp_path / "moved.csv")
    assert main(["verify", str(saved), "--weights", str(moved)]) == 0
    moved.write_text("entity,weight,salience\n*,1,1\ne9,5,1\n", encoding="utf-8")
    assert main([*again, "--weights", given.replace(str(path), str(moved))]) == 2
    assert "it is another file" in capsys.readouterr().err
    assert main(["verify", str(saved), "--weights", str(moved)]) == 1
    assert "the weights have changed: file-" in capsys.readouterr().out


def test_systems_are_compared_by_weighted_scores(tmp_path: Path) -> None:
    saved = tmp_path / "compare.json"
    assert main(["compare", *FILES, FILES[0], "--weights", "size^1", "-o", str(saved), "--quiet"]) == 0
    systems = json.loads(saved.read_text(encoding="utf-8"))["systems"]
    expected = corefscope.score(*FILES, weights="size^1")["bcub"].f1
    assert expected in [report["metrics"]["bcub"]["f1"] for report in systems.values()]
    assert main(["verify", str(saved)]) == 0
    with pytest.raises(OptionError, match="parts of documents"):
        corefscope.compare(FILES[0], [FILES[1], FILES[0]], weights="size^1", metrics="bcub", resample="sentences")


def test_several_processes_weigh_alike() -> None:
    assert dict(corefscope.score(*FILES, weights="size^1", jobs=2)) == dict(
        corefscope.score(*FILES, weights="size^1")
    )
