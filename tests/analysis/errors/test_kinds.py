"""Each kind of error by hand, zeros and discontinuous mentions included; what holds for all of them."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope.analysis.errors.kinds import (
    ERROR_KINDS,
    IDENTITY,
    ZEROS,
    DocumentComparison,
    Error,
    identity_errors,
    kinds_of,
)
from corefscope.analysis.errors.pairing import Pairing
from corefscope.core.choices import Rules
from corefscope.core.document import Document, Mention
from corefscope.core.matching.alignment import Alignment
from corefscope.core.options import Options
from corefscope.core.positions import position
from corefscope.core.rules import RULES
from corefscope.core.steps import align
from corefscope.formats.tables.rows import ids_document
from examples import examples
from on_disk import FEATURES, OPTIONS, STRICT, aligned
from oracles.generate import random_pair
from oracles.quirks import conllu

KINDS = [row.name for row in kinds_of(IDENTITY)]


def errors(key: Document, response: Document, alignment: Alignment) -> list[Error]:
    """The errors whose repairs make the response the key; kinds without a repair say more about the same mentions."""
    listed = identity_errors(DocumentComparison(key, response, alignment))
    return [error for error in listed if ERROR_KINDS[error.kind].repair]


def found(folder: Path, key: str, response: str, **options: Any) -> list[Error]:
    """The errors of one sentence in the notation of the quirks."""
    (documents,) = aligned(folder, conllu(key), conllu(response), **options)
    return errors(*documents)


def words(*names: str) -> Mention:
    """A mention of the only sentence; its first word is its head."""
    places = tuple(position(1, *(int(part) for part in name.split("."))) for name in names)
    return Mention(places, places[0])


def brief(error: Error) -> tuple[str, str, str, str]:
    return error.kind, error.key_entity, error.response_entity, error.text


def test_the_kinds_are_the_seven_in_their_order() -> None:
    expected = ["span", "missing_mention", "extra_mention", "missing_entity", "extra_entity", "conflated", "divided"]
    assert KINDS[: len(expected)] == expected
    assert {row.part_of for row in kinds_of(ZEROS)} <= set(expected)


def test_a_perfect_response_has_no_faults(tmp_path: Path) -> None:
    assert found(tmp_path, "e1 1 2.1[3:nsubj] 4..6@5; e2 7 9", "x 1 2.1[3:nsubj] 4..6@5; y 7 9") == []


# ---- span


@pytest.mark.parametrize("match", ["head", "partial"])
def test_span_of_counterparts_that_differ(match: str, tmp_path: Path) -> None:
    (error,) = found(tmp_path, "e1 1 3..5@4", "x1 1 3..4@4", match=match)
    assert brief(error) == ("span", "e1", "x1", "w3 w4 w5")
    assert error.key == (Mention(words("3", "4", "5").positions, position(1, 4)),)
    assert error.response == (Mention(words("3", "4").positions, position(1, 4)),)
    assert (error.document, error.sentence, error.line) == ("d", "s", 7)
    assert error.path == str(tmp_path / "key.conllu")


def test_span_under_exact_match_is_found_by_the_head(tmp_path: Path) -> None:
    (error,) = found(tmp_path, "e1 1 3..8@4", "x1 1 4..5@4", match="exact")
    assert brief(error) == ("span", "e1", "x1", "w3 w4 w5 w6 w7 w8")


@pytest.mark.parametrize("match", ["head", "exact"])
def test_span_with_another_head_needs_more_words_in_common_than_not(match: str, tmp_path: Path) -> None:
    near = found(tmp_path, "e1 1 3..5@4", "x1 1 3..4@3", match=match)
    assert [error.kind for error in near] == ["span"]
    far = found(tmp_path, "e1 1 3..6@4; e2 8..9@9 10", "x1 1 3..4@3; e2 8..9@9 10", match=match)
    assert [error.kind for error in far] == ["missing_mention", "extra_mention"]


def test_span_with_the_same_words_but_another_head(tmp_path: Path) -> None:
    (error,) = found(tmp_path, "e1 1 3..4@3", "x1 1 3..4@4", match="head")
    assert brief(error) == ("span", "e1", "x1", "w3 w4")
    assert found(tmp_path, "e1 1 3..4@3", "x1 1 3..4@4", match="exact") == []


def test_first_words_are_no_heads_where_nobody_says_which_words_are(tmp_path: Path) -> None:
    kinds = [error.kind for error in found(tmp_path, "e1 1 3", "x1 1 3..4", match="exact")]
    assert kinds == ["missing_mention", "extra_mention"]
    with_heads = found(tmp_path, "e1 1 3; e2 8..9@9 10", "x1 1 3..4; e2 8..9@9 10", match="exact")
    assert [error.kind for error in with_heads] == ["span"]


def test_span_prefers_the_same_head_to_more_common_words(tmp_path: Path) -> None:
    key, response = "e1 1 3..6@4; e2 9 10", "x1 1 4; x2 3..5@5 9 10"
    spans = [error for error in found(tmp_path, key, response, match="exact") if error.kind == "span"]
    assert [error.response for error in spans] == [(words("4"),)]


# ---- mentions and entities


def test_missing_mention(tmp_path: Path) -> None:
    (error,) = found(tmp_path, "e1 1 4..5@4 7", "x1 1 7")
    assert brief(error) == ("missing_mention", "e1", "x1", "w4 w5")
    assert (error.key, error.response, error.line, error.zero) == ((words("4", "5"),), (), 7, False)
    assert error.path.endswith("key.conllu")


def test_extra_mention_stands_in_the_response(tmp_path: Path) -> None:
    (error,) = found(tmp_path, "e1 1 7; - 2.1[3:x]", "x1 1 5 7")
    assert brief(error) == ("extra_mention", "e1", "x1", "w5")
    assert (error.key, error.response) == ((), (words("5"),))
    assert error.line == 8
    assert error.path.endswith("response.conllu")


def test_missing_entity_is_one_fault(tmp_path: Path) -> None:
    (error,) = found(tmp_path, "e1 1 7; e2 3 5 6", "x1 1 7")
    assert brief(error) == ("missing_entity", "e2", "", "w3")
    assert error.key == (words("3"), words("5"), words("6"))


def test_extra_entity_is_one_fault(tmp_path: Path) -> None:
    (error,) = found(tmp_path, "e1 1 7", "x1 1 7; x2 3 5")
    assert brief(error) == ("extra_entity", "", "x2", "w3")
    assert error.response == (words("3"), words("5"))


def test_a_mention_found_as_a_singleton_only_is_missing_where_singletons_are_dropped(tmp_path: Path) -> None:
    key, response = "e1 1 3 5", "x1 1 3; x2 5"
    assert [error.kind for error in found(tmp_path, key, response)] == ["missing_mention"]
    assert [error.kind for error in found(tmp_path, key, response, singletons="keep")] == ["divided"]


# ---- entities cut and joined


def test_conflated(tmp_path: Path) -> None:
    (error,) = found(tmp_path, "e1 1 3 5; e2 2 4", "x1 1 2 3 4 5")
    assert brief(error) == ("conflated", "e2", "x1", "w2")
    assert (error.key, error.response) == ((words("2"), words("4")), (words("2"), words("4")))
    assert error.other_entity == "e1"


def test_conflated_counts_cuts(tmp_path: Path) -> None:
    pieces = found(tmp_path, "e1 1 2; e2 3 4; e3 5 6", "x1 1 2 3 4 5 6")
    assert [(error.kind, error.key_entity) for error in pieces] == [("conflated", "e2"), ("conflated", "e3")]


def test_divided(tmp_path: Path) -> None:
    (error,) = found(tmp_path, "e1 1 3 5 7 9", "x1 1 3; x2 5 7 9")
    assert brief(error) == ("divided", "e1", "x1", "w1")
    assert error.key == (words("1"), words("3"))
    assert error.other_entity == "x2"


def test_a_mention_in_the_wrong_entity_is_conflated_and_divided(tmp_path: Path) -> None:
    both = found(tmp_path, "e1 1 2; e2 3 4 5", "x1 1 2 3; x2 4 5")
    assert [(brief(error), error.other_entity) for error in both] == [
        (("conflated", "e2", "x1", "w3"), "e1"),
        (("divided", "e2", "x1", "w3"), "x2"),
    ]


def test_of_equal_pieces_the_entity_that_begins_first_keeps_its_own(tmp_path: Path) -> None:
    (conflated,) = found(tmp_path, "e2 1 4; e1 2 3", "x1 1 2 3 4")
    assert (conflated.key_entity, conflated.other_entity) == ("e1", "e2")
    (divided,) = found(tmp_path, "e1 1 2 3 4", "x2 1 3; x1 2 4")
    assert (divided.response_entity, divided.other_entity) == ("x1", "x2")


# ---- zeros


def zero_kinds(folder: Path, key: str, response: str, **options: Any) -> list[tuple[str, str, str]]:
    return [(error.kind, error.zero_kind, error.text) for error in found(folder, key, response, **options)]


def test_missing_zero(tmp_path: Path) -> None:
    missing = zero_kinds(tmp_path, "e1 1 2.1[3:nsubj] 7", "x1 1 7")
    assert missing == [("missing_mention", "missing_zero", "∅w2.1")]


def test_extra_zero(tmp_path: Path) -> None:
    extra = zero_kinds(tmp_path, "e1 1 7", "x1 1 2.1[3:nsubj] 7")
    assert extra == [("extra_mention", "extra_zero", "∅w2.1")]


def test_misattached_zeros(tmp_path: Path) -> None:
    misattached = [("span", "misattached_zero", "∅w2.1")]
    same_parent = "e1 1 2.1[3:nsubj] 7", "x1 1 2.1[3:obj] 7"
    other_parent = "e1 1 2.1[3:nsubj] 7", "x1 1 2.1[4:nsubj] 7"
    other_place = "e1 1 2.1[3:nsubj] 7", "x1 1 5.1[3:nsubj] 7"
    for key, response in (same_parent, other_parent, other_place):
        for zeros in ("dependent", "linear"):
            assert zero_kinds(tmp_path, key, response, zeros=zeros) == misattached
            assert zero_kinds(tmp_path, key, response, zeros=zeros, match="exact") == misattached


def test_a_zero_elsewhere_with_other_dependencies_is_another_one(tmp_path: Path) -> None:
    two = zero_kinds(tmp_path, "e1 1 2.1[3:nsubj] 7", "x1 1 5.1[6:obj] 7")
    assert two == [("missing_mention", "missing_zero", "∅w2.1"), ("extra_mention", "extra_zero", "∅w5.1")]


def test_an_entity_of_zeros_that_is_missing_is_an_entity(tmp_path: Path) -> None:
    missing = zero_kinds(tmp_path, "e1 1 7; e2 2.1[3:nsubj] 3.1[4:nsubj]", "x1 1 7")
    assert missing == [("missing_entity", "", "∅w2.1")]


# ---- discontinuous mentions


HEADER = ["# newdoc id = d", "# global.Entity = eid-head", "# sent_id = s"]


def sentence(**entity: str) -> str:
    """Eight words, some of them annotated: ``w1="(e1-1)"``."""
    lines = []
    for n in range(1, 9):
        misc = f"Entity={entity[f'w{n}']}" if f"w{n}" in entity else "_"
        lines.append(f"{n}\tw{n}\t_\t_\t_\t_\t0\t_\t_\t{misc}")
    return "\n".join([*HEADER, *lines]) + "\n\n"


def test_discontinuous_mentions(tmp_path: Path) -> None:
    key = sentence(w1="(e1-1)", w3="(e1[1/2]-1)", w5="(e1[2/2]-1", w6="e1[2/2])")
    (missing,) = errors(*aligned(tmp_path, key, sentence(w1="(x1-1)", w8="(x1-1)"))[0])[:1]
    assert brief(missing) == ("missing_mention", "e1", "x1", "w3 … w5 w6")
    assert missing.key[0].positions == words("3", "5", "6").positions
    (part,) = errors(*aligned(tmp_path, key, sentence(w1="(x1-1)", w3="(x1-1)"))[0])
    assert brief(part) == ("span", "e1", "x1", "w3 … w5 w6")
    assert errors(*aligned(tmp_path, key, key)[0]) == []


# ---- whatever the documents


@examples(80)
@given(st.integers(0, 10**6), OPTIONS, FEATURES)
def test_every_mention_is_found_or_missing_or_extra(
    tmp_path_factory: pytest.TempPathFactory, seed: int, options: dict[str, Any], features: dict[str, Any]
) -> None:
    texts = random_pair(random.Random(seed), **features, same_empty=options["rules"] in STRICT)
    for key, response, alignment in aligned(tmp_path_factory.mktemp("pair"), *texts, **options):
        listed = errors(key, response, alignment)
        pairing = Pairing(alignment)
        ours = [k for members in pairing.key_members.values() for k in members]
        theirs = [r for members in pairing.response_members.values() for r in members]
        assert sorted([*pairing.matched, *pairing.missing()]) == sorted(ours)
        assert sorted([*pairing.matched.values(), *pairing.extra()]) == sorted(theirs)
        counts = Counter(error.kind for error in listed)
        rows, columns = (Counter(piece[at] for piece in pairing.pieces) for at in (0, 1))
        assert counts["divided"] == sum(rows.values()) - len(rows)
        assert counts["conflated"] == sum(columns.values()) - len(columns)
        missing = sum(len(error.key) for error in listed if error.kind.startswith("missing"))
        extra = sum(len(error.response) for error in listed if error.kind.startswith("extra"))
        assert (missing, extra) == (len(pairing.missing()), len(pairing.extra()))
        names = [{"", *document.entity_ids} for document in (key, response)]
        assert {error.key_entity for error in listed} <= names[0]
        assert {error.response_entity for error in listed} <= names[1]
        assert all(error.text and error.line and error.kind in KINDS for error in listed)
        assert errors(key, response, alignment) == listed


@examples(60)
@given(st.integers(0, 10**6), OPTIONS)
def test_a_file_has_no_faults_against_itself(
    tmp_path_factory: pytest.TempPathFactory, seed: int, options: dict[str, Any]
) -> None:
    text = random_pair(random.Random(seed))[0]
    for documents in aligned(tmp_path_factory.mktemp("pair"), text, text, **options):
        assert not errors(*documents) or not documents[2].mutual


@pytest.mark.parametrize("rules", RULES)
def test_documents_without_words(rules: Rules) -> None:
    key = ids_document("d", [("e1", ["a", "b", 7]), ("e2", ["c", "f"])], "key.json")
    response = ids_document("d", [("x1", ["a", "b", "z"])], "response.json")
    listed = errors(key, response, align(key, response, Options(match="exact", rules=rules)))
    assert sorted(map(brief, listed)) == [
        ("extra_mention", "e1", "x1", "z"),
        ("missing_entity", "e2", "", "c"),
        ("missing_mention", "e1", "x1", "7"),
    ]
