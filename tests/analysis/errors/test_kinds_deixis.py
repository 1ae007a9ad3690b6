"""Errors in discourse deixis: those of identity, over a layer of its own."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

import corefscope
from anaphora import random_key, random_response
from corefscope.analysis.errors.examine import Examiner, Findings
from corefscope.analysis.errors.kinds import DEIXIS, IDENTITY, compare_deixis, kinds_of
from corefscope.core.choices import Rules
from corefscope.core.document import Document
from corefscope.core.options import Options
from corefscope.core.report import Tally
from corefscope.core.request import Request
from corefscope.core.steps import DocumentPair, align, count
from places import GOLDEN

HOUSE = GOLDEN / "anaphora"
FILES = str(HOUSE / "key.conllua"), str(HOUSE / "response.conllua")
EXACT = Options(format="ua", match="exact", singletons="keep", rules="corrected")


def _pairs(number: int) -> Iterator[tuple[Document, Document]]:
    for seed in range(number):
        rng = random.Random(seed)
        key = random_key(rng)
        yield key, random_response(rng, key)


def _examined(key: Document, response: Document, rules: Rules) -> Findings:
    request = Request({"rules": rules, "singletons": "keep", "match": "exact", "zeros": "dependent"})
    return Examiner(request, ["conll"], "conll", by=["relation"], slice_metrics=["conll"]).examine(
        key, response, None
    )


def _kinds(findings: Findings) -> Counter[str]:
    return Counter(error.kind for error in (findings.deixis.errors if findings.deixis else ()))


@pytest.mark.parametrize("rules", ["corrected", "corefud-1.2", "ua-1.0"])
def test_errors_of_deixis_are_those_of_the_same_entities_if_they_were_identity(rules: str) -> None:
    seen: Counter[str] = Counter()
    kinds = {row.name for row in kinds_of(IDENTITY)}
    for key, response in _pairs(80):
        found = _kinds(_examined(key, response, rules))  # type: ignore[arg-type]
        apart = _examined(key.deixis_layer, response.deixis_layer, rules)  # type: ignore[arg-type]
        of_plurals = [f.kind for f in apart.relation_errors if f.relation == "split"]
        assert found == Counter(f"deixis_{kind}" for kind in [*(f.kind for f in apart.errors), *of_plurals])
        seen += found
    of_identity = {row.name for row in kinds_of(DEIXIS) if row.name.partition("_")[2] in kinds}
    assert seen.keys() >= {*of_identity, "deixis_missing_plural"}


def test_nothing_is_wrong_exactly_where_deixis_scores_100() -> None:
    for key, response in [*_pairs(60), *((key, key) for key, _ in _pairs(20))]:
        tally = Tally(EXACT, ["deixis_bcub"])
        tally.add("d", count(align(key, response, EXACT), tally.metrics, EXACT, DocumentPair(key, response)))
        counts = tally.report().counts("deixis_bcub")
        right = (
            counts["recall_numerator"] == counts["recall_denominator"]
            and counts["precision_numerator"] == counts["precision_denominator"]
        )
        assert right == (not _kinds(_examined(key, response, "corrected")))


def test_singletons_count_in_deixis_also_where_identity_drops_them() -> None:
    for key, response in _pairs(30):
        kept = compare_deixis(key, response, EXACT)
        dropped = compare_deixis(key, response, EXACT._replace(singletons="drop"))
        assert (kept and kept.errors) == (dropped and dropped.errors)


def test_documents_without_the_layer_have_no_such_errors() -> None:
    key, response = next(_pairs(1))
    assert _examined(key._replace(deixis=None), response._replace(deixis=None), "corrected").deixis is None


@pytest.mark.parametrize("side", ["key", "response"])
def test_a_layer_that_one_file_lacks_is_missing_or_extra(side: str) -> None:
    key, response = next((k, r) for k, r in _pairs(20) if k.deixis and r.deixis)
    pair = (key, response._replace(deixis=None)) if side == "key" else (key._replace(deixis=None), response)
    kinds = {"key": "deixis_missing_entity", "response": "deixis_extra_entity"}
    assert {kind for kind in _kinds(_examined(*pair, "corrected")) if "plural" not in kind} == {kinds[side]}


def test_errors_counts_shows_and_slices_deixis() -> None:
    found = corefscope.examine(*FILES, by=["relation"], examples=1, kinds=["deixis_missing_mention"])
    repaired = [f"deixis_{row.name}" for row in kinds_of(IDENTITY) if row.repair]
    assert {kind: found.counts[kind] for kind in repaired if found.counts.get(kind)} == {
        "deixis_missing_mention": 1,
        "deixis_extra_mention": 1,
    }
    (example,) = found.examples["deixis_missing_mention"]
    assert example.error.text == "It rained"
    assert [(chain.side, chain.name) for chain in example.chains] == [("key", "rain"), ("response", "close")]
    by_value = {part.value: part for part in found.slices["relation"]}
    deixis, scored = by_value["deixis"], corefscope.score(*FILES, metrics="deixis")
    assert deixis.report["conll"] == scored["deixis"]
    assert (deixis.key_mentions, deixis.response_mentions, deixis.share) == (2, 2, 0)
    assert sum(part.share for part in by_value.values()) == pytest.approx(1)
    assert all(weakness.slice.value != "deixis" for weakness in found.worst)


def test_differences_in_deixis_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    from corefscope.cli import main

    assert main(["diff", *FILES]) == 0
    assert "deixis missing mention (line 21): It rained" in capsys.readouterr().out
