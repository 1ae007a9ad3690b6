"""Errors in relations: they are those that the metrics of relations count."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from anaphora import random_key, random_response
from corefscope.analysis.errors.examine import Examiner, Findings
from corefscope.analysis.errors.kinds import RELATIONS, DocumentComparison, Error, kinds_of, relation_errors
from corefscope.core.choices import Rules
from corefscope.core.document import Document, Mention, Relation
from corefscope.core.options import Options
from corefscope.core.report import Tally
from corefscope.core.request import Request
from corefscope.core.steps import DocumentPair, align, count, relations_of

EXACT = Options(format="ua", match="exact", zeros="linear", singletons="keep", rules="corrected")
WAYS = [
    EXACT._replace(rules=rules, match=match)
    for rules in ("corrected", "corefud-1.2", "ua-1.0")
    for match in ("exact", "partial", "head")
    if rules != "ua-1.0" or match != "head"
]


def _pairs(number: int) -> Iterator[tuple[Document, Document]]:
    for seed in range(number):
        rng = random.Random(seed)
        key = random_key(rng)
        yield key, random_response(rng, key)


def errors_of(key: Document, response: Document, options: Options) -> list[Error]:
    relations = relations_of(key, response, options)
    judged = relations.judged() if relations else None
    return relation_errors(DocumentComparison(key, response, align(key, response, options), judged=judged))


def counts_of(key: Document, response: Document, options: Options, name: str) -> tuple[float, ...]:
    """Right and all in the key, right and all in the response."""
    tally = Tally(options, [name])
    tally.add("d", count(align(key, response, options), tally.metrics, options, DocumentPair(key, response)))
    return tuple(tally.report().counts(name).values())


def _lost(counts: tuple[float, ...]) -> tuple[float, float]:
    return counts[1] - counts[0], counts[3] - counts[2]


@pytest.mark.parametrize("options", WAYS, ids=str)
def test_missing_and_extra_anaphors_are_what_recognition_counts(options: Options) -> None:
    seen: Counter[str] = Counter()
    for key, response in _pairs(80):
        kinds = Counter(error.kind for error in errors_of(key, response, options))
        expected = _lost(counts_of(key, response, options, "bridging_recognition"))
        assert (kinds["missing_bridging"], kinds["extra_bridging"]) == expected
        expected = _lost(counts_of(key, response, options, "non_referring"))
        assert (kinds["missing_non_referring"], kinds["extra_non_referring"]) == expected
        seen += kinds
    assert seen.keys() >= {row.name for row in kinds_of(*RELATIONS)} - {"wrong_anchor"}


@pytest.mark.parametrize("options", WAYS, ids=str)
def test_links_to_wrong_entities_and_those_of_missing_anaphors_are_what_the_entity_level_counts(
    options: Options,
) -> None:
    for key, response in _pairs(80):
        errors = errors_of(key, response, options)
        wrong = [error for error in errors if error.kind == "wrong_entity"]
        relations = relations_of(key, response, options)
        missing = [0, 0]
        if relations:
            judged = relations.judged()
            for number, side in enumerate((judged.key, judged.response)):
                missing[number] = len({(link.of, link.to) for link in side.links if not link.recognised})
        expected = _lost(counts_of(key, response, options, "bridging_entity"))
        assert sum(bool(error.key_targets) for error in wrong) + missing[0] == expected[0]
        assert sum(bool(error.response_targets) for error in wrong) + missing[1] == expected[1]


@pytest.mark.parametrize("rules", ["corrected", "ua-1.0"])
def test_plurals_without_any_error_are_what_split_antecedents_score_100_for(rules: Rules) -> None:
    options, of_plurals = (
        EXACT._replace(rules=rules),
        {row.name for row in kinds_of("split")},
    )
    for key, response in _pairs(150):
        counts = counts_of(key, response, options, "split_ceafe")
        kinds = Counter(error.kind for error in errors_of(key, response, options))
        if _lost(counts) == (0, 0):
            assert of_plurals.isdisjoint(kinds)
        if kinds["missing_element"] or kinds["missing_plural"]:
            assert counts[0] < counts[1]
        if kinds["extra_element"] or kinds["extra_plural"]:
            assert counts[2] < counts[3]


def test_swapping_sides_turns_what_is_missing_into_what_is_extra() -> None:
    for key, response in _pairs(150):
        one = Counter(error.kind for error in errors_of(key, response, EXACT))
        other = Counter(error.kind for error in errors_of(response, key, EXACT))
        swapped = {kind.replace("missing_", "-").replace("extra_", "missing_").replace("-", "extra_") for kind in one}
        assert swapped == set(other)
        for what in ("bridging", "plural", "element", "non_referring"):
            assert one[f"missing_{what}"] == other[f"extra_{what}"]


def test_a_document_against_itself_has_no_error() -> None:
    for key, _ in _pairs(60):
        assert errors_of(key, key, EXACT) == []


def examined(key: Document, response: Document) -> Findings:
    arguments = Request({"rules": "corrected", "singletons": "keep", "match": "exact", "zeros": "dependent"})
    return Examiner(arguments, ["conll"], "conll", by=["relation"], slice_metrics=["conll"]).examine(
        key, response, None
    )


def test_documents_without_relations_have_no_such_errors_and_are_not_divided_by_them() -> None:
    key, response = next(_pairs(1))
    findings = examined(*(document._replace(relations=(), deixis=None) for document in (key, response)))
    assert (findings.relation_errors, findings.values) == ([], [({}, {})])


def test_mentions_are_divided_by_the_relations_of_which_they_are_anaphors() -> None:
    seen: Counter[str] = Counter()
    for key, response in _pairs(20):
        if not key.relations:
            continue
        findings = examined(key, response)
        ((values, _),) = findings.values
        assert len(values) == len(findings.pair.key.side.mentions)
        for number, value in values.items():
            words = findings.pair.key.mention(number).positions
            kinds = {r.kind for r in key.relations if any(m.positions == words for m in r.anaphor)}
            assert value in (kinds or {"none"})
            seen[value] += 1
    assert seen.keys() == {"bridging", "split", "none"}


def test_a_link_to_another_mention_of_the_right_entity_has_a_wrong_anchor_where_files_name_mentions() -> None:
    house, it, bob, door = (Mention((n,), n) for n in range(1, 5))
    entities = ((house, it), (bob,), (door,))
    key, near, far, whole = (
        Document("d", entities, ("h", "b", "d"), relations=(Relation("bridging", (door,), (anchor,)),))
        for anchor in ((house,), (it,), (bob,), (house, it))
    )
    assert [error.kind for error in errors_of(key, near, EXACT)] == ["wrong_anchor"]
    assert [error.kind for error in errors_of(key, far, EXACT)] == ["wrong_entity"]
    assert errors_of(key, whole, EXACT) == []
