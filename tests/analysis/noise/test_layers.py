"""Noise in relations: seeded, nested, counted; it costs what it says, and nothing else."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import corefscope
from anaphora import corefud_example, random_key
from corefscope.analysis.noise import perturb, plan
from corefscope.analysis.noise.curves import curves_of_files
from corefscope.analysis.noise.files import perturb_file
from corefscope.anaphora.plurals import plural_entities
from corefscope.core.document import Document
from corefscope.core.options import Options
from corefscope.core.report import Tally
from corefscope.core.steps import DocumentPair, align, count
from corefscope.formats.detection import read_documents
from noise import IN_RELATIONS
from places import GOLDEN

EXACT = Options(format="ua", match="exact", zeros="linear", singletons="keep", rules="corrected")
OF_IDENTITY = ("muc", "bcub", "ceafe", "mentions")
FALLING = {
    "bridging-drop": "bridging_mention",
    "bridging-add": "bridging_recognition",
    "bridging-anchor": "bridging_entity",
    "element-drop": "split_ceafe",
    "element-add": "split_ceafe",
    "non-referring-drop": "non_referring",
    "non-referring-add": "non_referring",
}


def _keys(number: int) -> Iterator[Document]:
    return (random_key(random.Random(seed)) for seed in range(number))


def _counts(key: Document, response: Document, *names: str) -> dict[str, tuple[float, ...]]:
    tally = Tally(EXACT, names)
    tally.add("d", count(align(key, response, EXACT), tally.metrics, EXACT, DocumentPair(key, response)))
    report = tally.report()
    return {name: tuple(report.counts(name).values()) for name in names}


def _relations(document: Document) -> Counter[tuple[object, ...]]:
    """As what they link, whatever their ids."""
    return Counter(
        (relation.kind, frozenset(relation.anaphor), frozenset(map(frozenset, relation.targets)))
        for relation in document.relations
    )


@pytest.mark.parametrize("kind", IN_RELATIONS)
def test_no_noise_changes_nothing_and_the_same_seed_makes_the_same(kind: str) -> None:
    for key in _keys(20):
        assert perturb(key, kind, 0) == key
        assert perturb(key, kind, 60, seed=3) == perturb(key, kind, 60, seed=3)
    assert any(perturb(key, kind, 60, seed=3) != perturb(key, kind, 60, seed=4) for key in _keys(20))


@pytest.mark.parametrize("kind", IN_RELATIONS)
def test_each_change_is_one_more_and_keeps_those_before(kind: str) -> None:
    changed = 0
    for key in _keys(30):
        changes = plan(key, kind).changes
        before = _relations(key)
        for number in range(1, changes.total + 1):
            now = _relations(changes.make(number))
            assert now != before
            before = now
        changed += changes.total
    assert changed > 5


@pytest.mark.parametrize("kind", [kind for kind in IN_RELATIONS if not kind.startswith("non-")])
def test_identity_stays_as_it_is(kind: str) -> None:
    for key in _keys(20):
        response = perturb(key, kind, 100)
        assert response.entities == key.entities
        assert response.deixis == key.deixis
        assert all(row == (row[1],) * 2 + (row[3],) * 2 for row in _counts(key, response, *OF_IDENTITY).values())


@pytest.mark.parametrize("kind", IN_RELATIONS)
def test_scores_of_the_relation_fall(kind: str) -> None:
    metric = FALLING[kind]
    for key in _keys(25):
        changes = plan(key, kind).changes
        found, of, right, all_ = _counts(key, changes.make(changes.total), metric)[metric]
        if of:  # a plural that does not refer has nothing to count
            assert (found < of or right < all_) == (changes.total > 0)


def test_so_many_links_are_lost_or_wrong_as_changes_were_made() -> None:
    for key in _keys(40):
        for number in range(plan(key, "bridging-add").changes.total + 1):
            found, of, right, all_ = _counts(key, plan(key, "bridging-add").changes.make(number), "bridging_entity")[
                "bridging_entity"
            ]
            assert (found, all_ - right) == (of, number)
        dropped = plan(key, "non-referring-drop").changes
        for number in range(dropped.total + 1):
            found, of, right, all_ = _counts(key, dropped.make(number), "non_referring")["non_referring"]
            assert (of - found, right) == (number, all_)


def test_elements_that_are_added_make_no_circle() -> None:
    assert sum(len([*plural_entities(perturb(key, "element-add", 100))]) for key in _keys(60)) > 10


def test_noise_in_relations_is_written_read_back_and_drawn_as_curves(tmp_path: Path) -> None:
    key = corefud_example(tmp_path / "key.conllu", "e1<e3,e2<e3", {10: "e1<e4", 11: "e2<e5"})
    manifest, warnings = perturb_file(key, tmp_path / "noisy", kinds=IN_RELATIONS, levels=[0, 50, 100])
    assert [*manifest.kinds] == [kind for kind in IN_RELATIONS if not kind.startswith("non-")]
    assert "non-referring-drop or non-referring-add could change: left out" in warnings[0]
    (document,) = read_documents(key)
    for kind, files in manifest.kinds.items():
        for file in files:
            (read,) = read_documents(str(tmp_path / "noisy" / file.name))
            assert _relations(read) == _relations(perturb(document, kind, file.level)), (kind, file.level)
            assert file.changes == plan(document, kind).changes_at(file.level)
    curves = corefscope.curves(
        key, kinds=IN_RELATIONS[:3], metrics="bridging_recognition,bridging_entity,muc", levels=[0, 100]
    )
    assert curves.series("bridging-drop", "bridging_recognition") == [1, 0]
    assert curves.series("bridging-anchor", "bridging_recognition") == [1, 1]
    assert curves.series("bridging-anchor", "bridging_entity") == [1, 0]
    assert curves.series("bridging-add", "bridging_entity") == [1, pytest.approx(2 / 3)]
    assert all(curves.series(kind, "muc") == [1, 1] for kind in IN_RELATIONS[:3])


def test_files_without_relations_have_the_kinds_they_had() -> None:
    for key in _keys(5):
        plain = key._replace(relations=())
        assert all(plan(plain, kind).changes.total == 0 for kind in IN_RELATIONS)


def test_noise_in_conll_ua_is_written_and_scores_as_it_does_in_memory(tmp_path: Path) -> None:
    key = str(GOLDEN / "ua" / "u00020.key.conllua")
    manifest, _ = perturb_file(key, tmp_path, kinds=["drop", "merge", *IN_RELATIONS], levels=[0, 50, 100])
    assert {*manifest.kinds} == {"drop", "merge", *IN_RELATIONS}
    metrics = ["bridging_entity", "split", "deixis", "non_referring", "conll"]
    in_files = curves_of_files(tmp_path, metrics=metrics)
    in_memory = corefscope.curves(key, kinds=[*manifest.kinds], levels=[0, 50, 100], metrics=metrics)
    for kind in manifest.kinds:
        assert in_files.changes[kind] == in_memory.changes[kind]
        for metric in metrics:
            assert in_files.series(kind, metric) == in_memory.series(kind, metric), (kind, metric)
