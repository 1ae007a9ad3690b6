"""Lost points of relations: what the repair of each kind of error gains, and responses that are repaired by hand."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import corefscope
from anaphora import random_key, random_response
from corefscope.analysis.errors.attribution import Attribution, LostPoints
from corefscope.analysis.errors.kinds import DocumentComparison, compare_deixis
from corefscope.core.choices import Rules
from corefscope.core.document import Document, Mention, Relation
from corefscope.core.errors import OptionError
from corefscope.core.metrics import METRICS
from corefscope.core.numbers import headline
from corefscope.core.options import Options
from corefscope.core.report import Tally
from corefscope.core.steps import DocumentPair, align, count
from places import GOLDEN

HOUSE = GOLDEN / "anaphora"
FILES = str(HOUSE / "key.conllua"), str(HOUSE / "response.conllua")
EXACT = Options(format="ua", match="exact", zeros="linear", singletons="keep", rules="corrected")
ALONE = [name for name in METRICS if METRICS[name].relation.repaired_counts]


def _score(key: Document, response: Document, metric: str, options: Options = EXACT) -> float:
    tally = Tally(options, [metric])
    tally.add("d", count(align(key, response, options), tally.metrics, options, DocumentPair(key, response)))
    return headline(tally.report()[metric])


def _attribution(pairs: list[tuple[Document, Document]], metric: str, options: Options = EXACT) -> Attribution:
    from corefscope.core.steps import relations_of

    lost = LostPoints(options, metric)
    tally = Tally(options, [metric])
    for number, (key, response) in enumerate(pairs):
        alignment = align(key, response, options)
        row = count(alignment, tally.metrics, options, DocumentPair(key, response))
        relations = relations_of(key, response, options)
        pair = DocumentComparison(
            key, response, alignment, options.min_entity_size, relations.judged() if relations else None
        )
        counts = dict(zip([m.name for m in tally.metrics], row, strict=True))
        lost.add(str(number), pair, compare_deixis(key, response, options), counts)
        tally.add(str(number), row)
    found = lost.attribution()
    assert found.score == pytest.approx(headline(tally.report()[metric]))
    return found


def _pairs(number: int, start: int = 0) -> Iterator[tuple[Document, Document]]:
    for seed in range(start, start + number):
        rng = random.Random(seed)
        key = random_key(rng)
        yield key, random_response(rng, key)


@pytest.mark.parametrize("rules", ["corrected", "corefud-1.2", "ua-1.0"])
@pytest.mark.parametrize("metric", [*ALONE, "split", "deixis", "deixis_lea"])
def test_gains_add_up_to_the_points_that_are_lost(metric: str, rules: Rules) -> None:
    for start in range(0, 24, 8):
        found = _attribution(list(_pairs(8, start)), metric, EXACT._replace(rules=rules))
        assert sum(step.gain for step in found.steps) + found.rules == pytest.approx(found.lost, abs=1e-9)


@pytest.mark.parametrize("rules", ["corrected", "corefud-1.2", "ua-1.0"])
@pytest.mark.parametrize("metric", ["bridging_recognition", "bridging_entity", "non_referring"])
def test_once_everything_is_mended_nothing_is_lost(metric: str, rules: Rules) -> None:
    found = _attribution(list(_pairs(30)), metric, EXACT._replace(rules=rules))
    assert found.rules == pytest.approx(0, abs=1e-12)
    assert found.lost > 0


MENTIONS = [Mention((n,), n) for n in range(1, 11)]
A, A2, B, B2, C, DOOR, ROOF, WALL, IT, THEY = MENTIONS
ENTITIES = ((A, A2), (B, B2), (C,), (DOOR,), (ROOF,), (WALL,), (IT,), (THEY,))
NAMES = ("a", "b", "c", "door", "roof", "wall", "it", "they")


def _document(*relations: Relation) -> Document:
    return Document("d", ENTITIES, NAMES, relations=relations)


def _link(anaphor: Mention, anchor: Mention) -> Relation:
    return Relation("bridging", (anaphor,), ((anchor,),))


def _plural(*names: str) -> Relation:
    elements = tuple([ENTITIES[NAMES.index(name)] for name in names])
    return Relation("split", (THEY,), elements, ids=("they", *names))


KEY = _document(_link(DOOR, A), _link(ROOF, B), _link(WALL, C), _plural("a", "b", "c"))
RESPONSE = _document(_link(DOOR, B), _link(WALL, C), _link(IT, A), _plural("a", "door"))
"""The door has a wrong entity, the roof is missing, it is extra; b and c are missing elements, the door is extra."""
BY_HAND = {
    "missing_bridging": _document(_link(DOOR, B), _link(ROOF, B), _link(WALL, C), _link(IT, A)),
    "extra_bridging": _document(_link(DOOR, B), _link(WALL, C)),
    "wrong_entity": _document(_link(DOOR, A), _link(WALL, C), _link(IT, A)),
    "missing_element": _document(_plural("a", "b", "c", "door")),
    "extra_element": _document(_plural("a")),
}


@pytest.mark.parametrize("rules", ["corrected", "ua-1.0"])
@pytest.mark.parametrize("metric", ALONE)
def test_the_first_gain_is_that_of_a_response_that_is_mended_by_hand(metric: str, rules: Rules) -> None:
    options = EXACT._replace(rules=rules)
    found = _attribution([(KEY, RESPONSE)], metric, options)
    by_kind = {step.kind: step for step in found.steps}
    for kind in METRICS[metric].relation.errors:
        expected = _score(KEY, BY_HAND[kind], metric, options) - found.score if kind in BY_HAND else 0
        assert by_kind[kind].first == pytest.approx(expected), kind
    assert found.rules == pytest.approx(1 - _score(KEY, KEY, metric, options))


def test_plurals_that_are_missing_or_extra_are_put_in_or_taken_out() -> None:
    missing = _attribution([(KEY, _document())], "split")
    assert {step.kind: step.gain for step in missing.steps if step.gain} == {"missing_plural": 1}
    extra = _attribution([(KEY, KEY), (_document(_link(DOOR, A)), _document(_plural("a", "b")))], "split")
    assert [step.kind for step in extra.steps if step.gain] == ["extra_plural"]
    assert extra.rules == pytest.approx(0)


def test_another_mention_of_the_right_entity_costs_points_of_mentions_alone() -> None:
    near = _document(_link(DOOR, A2), _link(ROOF, B), _link(WALL, C))
    of_mentions = _attribution([(KEY, near)], "bridging_mention")
    assert {step.kind: step.gain for step in of_mentions.steps if step.gain} == {"wrong_anchor": pytest.approx(1 / 3)}
    assert _attribution([(KEY, near)], "bridging_entity").lost == 0


def test_deixis_is_repaired_as_identity_is() -> None:
    layers = next((k.deixis, r.deixis) for k, r in _pairs(40) if k.deixis and r.deixis)
    key, response = (layer._replace(relations=()) for layer in layers)
    of_layer = _attribution([(KEY._replace(deixis=key), KEY._replace(deixis=response))], "deixis")
    of_identity = _attribution([(key, response)], "conll")
    assert of_layer.lost > 0
    assert [step.gain for step in of_layer.steps] == [step.gain for step in of_identity.steps]
    assert [step.kind for step in of_layer.steps] == [f"deixis_{step.kind}" for step in of_identity.steps]


@pytest.mark.parametrize("jobs", [1, 2])
def test_errors_attributes_the_points_of_a_metric_of_relations(jobs: int) -> None:
    found = corefscope.examine(*FILES, metric="bridging_entity", jobs=jobs)
    assert (found.attribution.metric, found.attribution.score) == ("bridging_entity", 0)
    assert found.verdict == "anchors of a wrong entity cost most: 100.00 points"
    assert corefscope.examine(*FILES, metric="bridging_recognition").verdict == "no errors of its kinds"


def test_metrics_of_identity_and_relations_at_once_are_refused_with_those_that_are_not() -> None:
    for metric in ("plural", "plural_muc", "mean(muc,split_muc)"):
        with pytest.raises(OptionError, match="choose a metric of identity, such as conll, or of relations alone"):
            corefscope.examine(*FILES, metric=metric)
