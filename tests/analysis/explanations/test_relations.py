"""Explanations of metrics of relations: what is listed adds up to what is counted."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import corefscope
from anaphora import random_key, random_response
from corefscope.analysis.explain import calculate, explain_metric
from corefscope.cli import main
from corefscope.core.choices import Rules
from corefscope.core.errors import OptionError
from corefscope.core.metrics import METRICS
from corefscope.core.options import Options
from corefscope.core.report import Tally
from corefscope.core.steps import DocumentPair, align, count, relations_of
from places import GOLDEN

HOUSE = GOLDEN / "anaphora"
FILES = str(HOUSE / "key.conllua"), str(HOUSE / "response.conllua")
EXACT = Options(format="ua", match="exact", zeros="linear", singletons="keep", rules="corrected")
EXPLAINED = [name for name in METRICS if METRICS[name].reads == "relations" and METRICS[name].explanation.function]


@pytest.mark.parametrize("rules", ["corrected", "corefud-1.2", "ua-1.0"])
@pytest.mark.parametrize("metric", EXPLAINED)
def test_what_is_listed_adds_up_to_the_counts(metric: str, rules: Rules) -> None:
    options = EXACT._replace(rules=rules)
    for seed in range(25):
        rng = random.Random(seed)
        key = random_key(rng)
        response = random_response(rng, key)
        alignment, relations = align(key, response, options), relations_of(key, response, options)
        tally = Tally(options, [metric])
        row = count(alignment, tally.metrics, options, DocumentPair(key, response))
        found = calculate(METRICS[metric], alignment, rules, relations.judged() if relations else None)
        assert [float(number) for number in found.counts] == pytest.approx(list(row[0])), seed


@pytest.mark.parametrize("metric", [*EXPLAINED, "split", "deixis_muc", "deixis_blanc", "deixis"])
def test_an_explanation_comes_to_the_score(metric: str) -> None:
    explanation = explain_metric(*FILES, metric)
    scored = corefscope.score(*FILES, metrics=[metric])[metric]
    assert [float(figure) for figure in explanation.calculation.score] == pytest.approx([*scored])


def test_links_are_shown_with_anaphor_and_anchor(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "bridging_entity", *FILES]) == 0
    text = capsys.readouterr().out
    assert "the door 2:3-4; an old house 1:5-7      0   1\n" in text
    assert "the door 2:3-4; Bob 1:3      0   1\n" in text


def test_plurals_are_shown_with_their_elements(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "split_bcub", *FILES]) == 0
    assert "They 2:1 | Ann 1:1 | Bob 1:3, Bob 4:1      1   3\n" in capsys.readouterr().out


def test_what_cannot_be_explained_says_what_can() -> None:
    with pytest.raises(OptionError, match=r"has no explanation; choose from: split_muc, .*bridging"):
        explain_metric(*FILES, "plural_muc")


def test_deixis_with_plurals_is_refused_and_not_shown_wrong(tmp_path: Path) -> None:
    columns = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS"
    cells = ["(EntityID=x|MarkableID=d1|ElementOf=z)", "(EntityID=y|MarkableID=d2|ElementOf=z)"]
    cells += ["(EntityID=z|MarkableID=d3)", "(EntityID=z|MarkableID=d4)"]
    lines = ["\t".join([str(i), f"w{i}", *"_" * 10, cell]) for i, cell in enumerate(cells, 1)]
    file = tmp_path / "key.conllua"
    file.write_text("\n".join([f"# global.columns = {columns}", "# newdoc id = d", *lines, ""]))
    with pytest.raises(OptionError, match="where deixis has split antecedents"):
        explain_metric(str(file), str(file), "deixis_muc", rules="corrected")
    assert explain_metric(str(file), str(file), "non_referring").report.nothing("non_referring")
