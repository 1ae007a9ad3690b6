"""Groups of errors: which mentions they hold, and what they cost."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from corefscope import examine
from corefscope.analysis.errors.groups import GROUPINGS, ErrorGroup
from corefscope.analysis.errors.report import ErrorReport
from on_disk import written
from oracles.generate import random_pair
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, GOLDEN

FILES = (EXAMPLE_KEY, EXAMPLE_RESPONSE)


def conllu(*words: str) -> str:
    """A document of one sentence: FORM, UPOS and entity, separated by slashes."""
    rows = [word.split("/") for word in words]
    lines = [f"{n}\t{f}\t_\t{p}\t_\t_\t0\t_\t_\t{e}" for n, (f, p, e) in enumerate(rows, 1)]
    return "\n".join(["# newdoc id = d", "# global.Entity = eid-head", "# sent_id = s", *lines]) + "\n\n"


def by_value(found: ErrorReport, by: str) -> dict[str, ErrorGroup]:
    return {group.value: group for group in found.groups if group.by == by}


@pytest.fixture
def missing(tmp_path: Path) -> ErrorReport:
    """Five of six mentions of an entity are missing: It, it, the dog (twice, its head is the second word), Rex."""
    words = ["a/NOUN", "b/NOUN", "It/PRON", "it/PRON", "it/PRON", "the/DET dog/NOUN", "Rex/PROPN"]

    def text(kept: int) -> str:
        parts = []
        for number, word in enumerate(words):
            first, _, second = word.partition(" ")
            has = number < kept
            if second:
                parts += [f"{first}/{'Entity=(e1-2' if has else '_'}", f"{second}/{'Entity=e1)' if has else '_'}"]
            else:
                parts.append(f"{first}/{'Entity=(e1-1)' if has else '_'}")
        return conllu(*parts)

    return examine(*written(tmp_path, text(7), text(2)))


def test_mentions_are_one_group_if_they_differ_in_capitals(missing: ErrorReport) -> None:
    text = by_value(missing, "text")
    assert {value: group.errors for value, group in text.items()} == {"it": 3, "the dog": 1, "Rex": 1}
    assert text["it"].kinds == {"missing_mention": 3}
    assert {value: group.errors for value, group in by_value(missing, "head").items()} == {
        "it": 3,
        "dog": 1,
        "Rex": 1,
    }


def test_types_and_distances_are_those_of_slices(missing: ErrorReport) -> None:
    types = {value: group.errors for value, group in by_value(missing, "mention-type").items()}
    assert types == {"pronoun": 3, "nominal": 1, "name": 1}
    assert {value: group.errors for value, group in by_value(missing, "distance").items()} == {"0": 5}


def test_the_points_of_a_kind_are_divided_among_its_errors(missing: ErrorReport) -> None:
    lost = missing.attribution.lost
    assert by_value(missing, "text")["it"].gain == pytest.approx(3 / 5 * lost)
    assert by_value(missing, "document")["d"].gain == pytest.approx(lost)


def test_an_error_of_several_mentions_is_in_the_groups_of_all(tmp_path: Path) -> None:
    key = conllu("She/PRON/Entity=(e1-1)", "Ann/PROPN/Entity=(e1-1)", "x/X/Entity=(e2-1)", "y/X/Entity=(e2-1)")
    response = conllu("She/PRON/_", "Ann/PROPN/_", "x/X/Entity=(e2-1)", "y/X/Entity=(e2-1)")
    found = examine(*written(tmp_path, key, response))
    assert found.counts["missing_entity"] == 1
    text = by_value(found, "text")
    assert {value: group.errors for value, group in text.items()} == {"Ann": 1, "She": 1}
    assert text["Ann"].gain == text["She"].gain == pytest.approx(found.attribution.lost / 2)


@pytest.mark.parametrize("seed", range(6))
def test_groups_of_every_grouping_add_up_to_the_lost_points(seed: int, tmp_path: Path) -> None:
    paths = written(tmp_path, *random_pair(random.Random(seed), "medium"))
    found = examine(*paths, rules="corrected")
    for by in {group.by for group in found.groups}:
        gains = [group.gain or 0.0 for group in found.groups if group.by == by]
        assert sum(gains) == pytest.approx(found.attribution.lost, abs=1e-9)
        assert gains == sorted(gains, reverse=True)
    errors = Counter(error.document for error in found.faults)
    assert {value: group.errors for value, group in by_value(found, "document").items()} == errors


def test_single_mentions_are_counted_once() -> None:
    found = examine(*FILES)
    expected = Counter(error.text.lower() for error in found.faults if error.kind == "missing_mention")
    text = by_value(found, "text")
    assert expected == {
        value.lower(): group.kinds["missing_mention"]
        for value, group in text.items()
        if "missing_mention" in group.kinds
    }


def test_only_errors_of_the_requested_kinds_are_grouped() -> None:
    found = examine(*FILES, kinds=["missing mention"], limit=0)
    assert {kind for group in found.groups for kind in group.kinds} == {"missing_mention"}
    assert not found.faults


def test_processes_find_the_same_groups() -> None:
    assert examine(*FILES, jobs=2).groups == examine(*FILES).groups


def test_errors_in_relations_are_grouped_without_points() -> None:
    files = [GOLDEN / "anaphora" / f"{side}.conllua" for side in ("key", "response")]
    found = examine(*files)
    door = by_value(found, "text")["the door"]
    assert (door.kinds, door.gain) == ({"wrong_entity": 1}, None)
    assert by_value(examine(*files, metric="bridging_entity"), "text")["the door"].gain is not None


def test_what_is_not_annotated_makes_no_groups(tmp_path: Path) -> None:
    ids = written(tmp_path, '[["1", "2", "3"], ["4", "5"]]', '[["1", "2"], ["4", "5", "3"]]', "json")
    assert {group.by for group in examine(*ids).groups} == {"document"}
    text = "#begin document (d); part 000\nthe\t{}\ndog\t{}\nit\t(1)\nhe\t{}\n\n#end document\n"
    conll = written(tmp_path, text.format("(1", "1)", "(1)"), text.format("-", "-", "(1)"), "conll")
    found = examine(*conll)
    assert {group.by for group in found.groups} == {"text", "distance", "document"}
    assert list(by_value(found, "text")) == ["the dog"]


def test_long_mentions_are_grouped_by_their_beginning(tmp_path: Path) -> None:
    words = [f"w{n}/X/_" for n in range(30)]
    first, last = "w0/X/Entity=(e1-1", "w29/X/Entity=e1)"
    others = ["x/X/Entity=(e1-1)", "y/X/Entity=(e1-1)"]
    key = conllu(first, *words[1:-1], last, *others)
    found = examine(*written(tmp_path, key, conllu(*words, *others)))
    (group,) = by_value(found, "text").values()
    assert group.value == " ".join([*(f"w{n}" for n in range(20)), "…"])


def test_every_grouping_has_a_title() -> None:
    assert list(GROUPINGS) == ["text", "head", "mention-type", "distance", "document"]
