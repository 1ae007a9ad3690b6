"""Metrics of relations under rules that are not UA's: symmetric, complete, whatever things are called."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import corefscope
from anaphora import random_key, random_response, renamed
from corefscope.anaphora.relations import disjoint_elements
from corefscope.capabilities import RELATION_METRICS
from corefscope.core.choices import Match, Rules, Singletons
from corefscope.core.document import Document, Mention, Relation
from corefscope.core.options import Options
from corefscope.core.positions import position
from corefscope.core.report import Tally
from corefscope.core.steps import DocumentPair, align, count

NAMES = RELATION_METRICS
EXACT = Options(format="ua", match="exact", zeros="linear", singletons="keep", rules="corrected")
IDENTITY = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea")
GOLDEN = Path(__file__).parent.parent / "golden" / "ua"


def report_on(key: Document, response: Document, options: Options = EXACT, names: Iterable[str] = NAMES) -> Any:
    tally = Tally(options, [*names])
    tally.add("d", count(align(key, response, options), tally.metrics, options, DocumentPair(key, response)))
    return tally.report()


def _pairs(count: int) -> Iterable[tuple[random.Random, Document, Document]]:
    for seed in range(count):
        rng = random.Random(seed)
        key = random_key(rng)
        yield rng, key, random_response(rng, key)


@pytest.mark.parametrize("match", ["exact", "partial", "head"])
@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_a_document_against_itself_scores_100_in_all_that_there_is_to_count(
    match: Match, singletons: Singletons
) -> None:
    counted: Counter[str] = Counter()
    for _, key, _ in _pairs(60):
        report = report_on(key, key, EXACT._replace(match=match, singletons=singletons))
        for name in report:
            counted[name] += not report.nothing(name)
            assert all(figure == pytest.approx(1) for figure in report[name]), name
    assert all(counted[name] for name in NAMES)


@pytest.mark.parametrize("match", ["exact", "head"])
@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_swapping_sides_swaps_recall_and_precision_and_nothing_exceeds_100(
    match: Match, singletons: Singletons
) -> None:
    for _, key, response in _pairs(120):
        options = EXACT._replace(match=match, singletons=singletons)
        one, other = report_on(key, response, options), report_on(response, key, options)
        for name in NAMES:
            assert one[name][::-1][1:] == pytest.approx(other[name][:-1]), name
            assert one[name][-1] == pytest.approx(other[name][-1]), name
            assert all(0 <= figure <= 1 + 1e-12 for figure in one[name]), name


@pytest.mark.parametrize("match", ["exact", "partial", "head"])
def test_names_and_order_of_entities_and_relations_change_nothing(match: Match) -> None:
    for rng, key, response in _pairs(120):
        options = EXACT._replace(match=match)
        one = report_on(key, response, options)
        other = report_on(renamed(key, rng), renamed(response, rng), options)
        for name in NAMES:
            assert one[name] == pytest.approx(other[name]), name


def test_without_plurals_the_metrics_with_plurals_are_those_of_identity() -> None:
    for _, key, response in _pairs(40):
        without = [
            document._replace(relations=tuple(r for r in document.relations if r.kind != "split"))
            for document in (key, response)
        ]
        for options in (EXACT, EXACT._replace(match="head", singletons="drop", rules="corefud-1.2")):
            report = report_on(without[0], without[1], options, [*IDENTITY, *NAMES])
            for name in IDENTITY:
                assert report[f"plural_{name}"] == report[name]
                assert report.nothing(f"split_{name}")


def test_mentions_that_differ_count_once_they_are_aligned() -> None:
    """q24 and q26 of the specification: MIN matches one to one, and for every metric."""
    files = [str(GOLDEN / "quirks" / f"q24-min-only-in-ceaf.{side}.conllua") for side in ("key", "response")]
    report = corefscope.score(*files, rules="corrected", match="partial", metrics=["muc", "bcub", "ceafe"])
    assert [report[name].f1 for name in report][:3] == [1, 1, 1]
    files = [str(GOLDEN / "quirks" / f"q26-min-many-to-one.{side}.conllua") for side in ("key", "response")]
    assert corefscope.score(*files, rules="corrected", match="partial", metrics="ceafe")["ceafe"].recall <= 1


def _entities(document: Document) -> list[Any]:
    """Those that do not refer, too."""
    return [*document.entities, *(r.anaphor for r in document.relations if r.kind == "non-referring")]


def _bridging(document: Document) -> dict[Mention, set[Any]]:
    """By anaphor, the entities of its anchors."""
    links: dict[Mention, set[Any]] = {}
    for relation in document.relations:
        if relation.kind == "bridging":
            anchor = relation.targets[0][0]
            entity = next(entity for entity in _entities(document) if anchor in entity)
            links.setdefault(relation.anaphor[0], set()).add(entity)
    return links


def _same(one: Mention, other: Mention) -> bool:
    return one.positions == other.positions


def _best(entity: Any, document: Document) -> Any:
    """The entity that has most of the mentions of another; of several the one of the earliest."""
    shared = [[m for m in entity if any(_same(m, n) for n in other)] for other in _entities(document)]
    ranked = [(-len(mentions), mentions[0].positions, i) for i, mentions in enumerate(shared) if mentions]
    return _entities(document)[min(ranked)[2]] if ranked else None


def _right(links: dict[Mention, set[Any]], others: dict[Mention, set[Any]], document: Document) -> int:
    """How many links have their anchor's entity among those to which the other document links the same anaphor."""
    right = 0
    for anaphor, entities in links.items():
        linked = [entity for other in others if _same(anaphor, other) for entity in others[other]]
        right += sum(_best(entity, document) in linked for entity in entities)
    return right


def test_bridging_and_what_does_not_refer_are_counted_as_defined() -> None:
    right = 0
    for _, key, response in _pairs(150):
        report = report_on(key, response)
        ours, theirs = _bridging(key), _bridging(response)
        found = sum(any(_same(one, other) for other in theirs) for one in ours)
        assert [*report.counts("bridging_recognition").values()] == [found, len(ours), found, len(theirs)]
        assert [*report.counts("bridging_entity").values()] == [
            _right(ours, theirs, response),
            sum(map(len, ours.values())),
            _right(theirs, ours, key),
            sum(map(len, theirs.values())),
        ]
        right += _right(ours, theirs, response)
        silent, also_silent = (
            {m.positions for r in document.relations if r.kind == "non-referring" for m in r.anaphor}
            for document in (key, response)
        )
        common = len(silent & also_silent)
        assert [*report.counts("non_referring").values()] == [common, len(silent), common, len(also_silent)]
    assert right > 10


def test_relations_are_alike_under_two_rules_only_if_mentions_have_one_counterpart_at_most() -> None:
    """With a choice among heads, the rules may align otherwise; with none, they cannot."""
    words = [position(1, word) for word in range(1, 5)]
    key = Document("d", ((Mention(words[:3], words[1]),),), ("e",))
    response = Document("d", ((Mention(words[:2], words[1]), Mention(words[1:3], words[1])),), ("e",))
    relation = Relation("non-referring", (Mention(words[3:], words[3]),))
    pair = [document._replace(relations=(relation,)) for document in (key, response)]
    for match, alike in (("exact", True), ("head", False)):
        options = Options(match=match, zeros="linear", singletons="keep", rules="corefud-1.2")  # type: ignore[arg-type]
        assert DocumentPair(*pair).related_alike(options, options._replace(rules="corrected")) is alike
        assert not DocumentPair(*pair).related_alike(options, options._replace(rules="ua-1.0"))


def test_a_plural_counts_beside_a_mention_of_the_same_words_that_does_not_refer(tmp_path: Path) -> None:
    rows = (
        ("Ann", "(EntityID=e1|MarkableID=m1|ElementOf=e3)"),
        ("Bob", "(EntityID=e2|MarkableID=m2|ElementOf=e3)"),
        ("it", "(EntityID=e3|MarkableID=m3)(EntityID=e4-Pseudo|MarkableID=m4)"),
    )
    names = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM"
    lines = [f"# global.columns = {names}", "# newdoc id = d"]
    lines += ["\t".join((str(n), form, *"________", cell, *"____")) for n, (form, cell) in enumerate(rows, 1)]
    path = tmp_path / "same.conllua"
    path.write_text("\n".join([*lines, "", ""]), encoding="utf-8")
    report = corefscope.score(path, path, rules="corrected", metrics="split_ceafe")
    assert list(report.counts("split_ceafe").values()) == [2, 2, 2, 2]


def test_relations_are_alike_under_two_rules_only_if_those_of_deixis_are() -> None:
    """Identity leaves no choice here; of the layer of deixis, two mentions compete for one head."""
    words = [position(1, word) for word in range(1, 5)]
    plain = Document("d", ((Mention(words[3:], words[3]),),), ("e",))
    key = Document("d", ((Mention(words[:3], words[1]),),), ("e",))
    response = Document("d", ((Mention(words[:2], words[1]), Mention(words[1:3], words[1])),), ("e",))
    pair = [plain._replace(deixis=layer) for layer in (key, response)]
    for match, alike in (("exact", True), ("head", False)):
        options = Options(match=match, zeros="linear", singletons="keep", rules="corefud-1.2")  # type: ignore[arg-type]
        assert DocumentPair(*pair).related_alike(options, options._replace(rules="corrected")) is alike


@pytest.mark.parametrize("rules", ["corefud-1.2", "corrected"])
def test_two_zeros_that_swap_places_are_two_mentions(rules: Rules, tmp_path: Path) -> None:
    """Their dependencies pair the first zero of the key with the second of the response, and the other way round."""

    def text(first: tuple[str, str], second: tuple[str, str]) -> str:
        rows = (
            ("1", "a", "_", "(e1--1)"),
            ("1.1", "_", first[1], f"({first[0]}--1)"),
            ("2", "b", "_", "(e4--1)"),
            ("2.1", "_", second[1], f"({second[0]}--1)"),
            ("3", "c", "_", "(e2--1)"),
            ("4", "d", "_", "(e3--1)|SplitAnte=e1<e3,e2<e3"),
        )
        lines = ["# newdoc id = d", "# global.Entity = eid-etype-head-other"]
        return "\n".join([*lines, *("\t".join((*r[:2], *"______", r[2], f"Entity={r[3]}")) for r in rows), "", ""])

    subject, object_ = ("e1", "2:nsubj"), ("e2", "2:obj")
    paths = tmp_path / "key.conllu", tmp_path / "response.conllu"
    paths[0].write_text(text(subject, object_), encoding="utf-8")
    paths[1].write_text(text(object_, subject), encoding="utf-8")
    names = [f"{layer}_{name}" for layer in ("plural", "split") for name in IDENTITY]
    report = corefscope.score(*paths, rules=rules, singletons="keep", metrics=names)
    assert [report[name].f1 for name in names] == [1] * 12


def test_how_often_an_element_is_listed_does_not_matter(tmp_path: Path) -> None:
    """Entity 6 has the elements 1 and 16, 16 has 4 and 13, and 4 has 13 and 1: each of them has 1 and 13."""
    key, response = GOLDEN / "u00022.key.conllua", GOLDEN / "u00022.response.conllua"
    plain = tmp_path / key.name
    changes = {
        "4|SemType=do|ElementOf=6": "4|SemType=do|ElementOf=6,16",
        "ElementOf=16,4": "ElementOf=16,4,6",
        "22|SemType=dn|ElementOf=16": "22|SemType=dn",
        "10|SemType=dn|ElementOf=6": "10|SemType=dn",
    }
    text = key.read_text(encoding="utf-8")
    for before, after in changes.items():
        assert text.count(before) == 1
        text = text.replace(before, after)
    plain.write_text(text, encoding="utf-8")
    one, other = (corefscope.score(path, response, rules="corrected", metrics=list(NAMES)) for path in (key, plain))
    assert [one.counts(name) for name in NAMES] == [other.counts(name) for name in NAMES], "to the last digit"


def test_of_elements_that_share_a_mention_the_larger_keeps_it() -> None:
    one, two, three = (0, 0, 1), (0, 0, 2), (0, 0, 3)
    assert disjoint_elements([[one], [one, two], [two, three]]) == [(one, two), (three,)]
