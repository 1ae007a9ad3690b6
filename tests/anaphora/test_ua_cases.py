"""Small CoNLL-UA pairs, worked out by hand: what rules other than ``ua-1.0`` count in the rare cases."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import corefscope
from corefscope.core.choices import Match, Rules

Cells = Mapping[int, str]
NOTHING: Cells = {}
COLUMNS = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS"


def ua(path: Path, identity: Cells, bridging: Cells = NOTHING, deixis: Cells = NOTHING, words: int = 8) -> str:
    """A document of words w1, w2 …; cells by word."""
    lines = [f"# global.columns = {COLUMNS}", "# newdoc id = d"]
    for word in range(1, words + 1):
        cells = [column.get(word, "_") for column in (identity, bridging, deixis)]
        lines.append("\t".join([str(word), f"w{word}", *"_" * 8, *cells]))
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return str(path)


def markable(id_: str, entity: str, *fields: str) -> str:
    return "(" + "|".join([f"MarkableID={id_}", f"EntityID={entity}", *fields])


def f1(key: str, response: str, metric: str, rules: Rules = "corrected", match: Match = "exact") -> float:
    return float(corefscope.score(key, response, metrics=metric, rules=rules, match=match)[metric].f1)


@pytest.mark.parametrize("unrelated", [{}, {8: markable("m9", "e9", "Min=8") + ")"}])
def test_a_mention_without_min_is_found_whole_or_not_whatever_others_have(tmp_path: Path, unrelated: Cells) -> None:
    key = ua(tmp_path / "key.conllua", {1: markable("m1", "e"), 3: ")", 6: markable("m2", "e") + ")", **unrelated})
    response = ua(tmp_path / "response.conllua", {1: markable("m1", "e"), 2: ")", 6: markable("m2", "e") + ")"})
    with_min = {1: markable("m1", "e", "Min=1"), 3: ")", 6: markable("m2", "e") + ")"}
    named = ua(tmp_path / "named.conllua", with_min)
    assert f1(key, response, "muc", match="partial") == f1(key, response, "muc", match="exact") == 0
    assert f1(key, key, "muc", match="partial") == f1(named, response, "muc", match="partial") == 1


def test_only_a_key_without_min_is_warned_of_in_partial_matching(tmp_path: Path) -> None:
    named = ua(tmp_path / "named.conllua", {1: markable("m1", "e", "Min=1") + ")"})
    plain = ua(tmp_path / "plain.conllua", {1: markable("m1", "e") + ")"})

    def warned(key: str, response: str, match: Match) -> list[str]:
        report = corefscope.score(key, response, match=match)
        return [warning.partition(": ")[0] for warning in report.warnings if "no minimal words (Min)" in warning]

    assert warned(named, plain, "partial") == warned(plain, named, "exact") == []
    assert warned(plain, named, "partial") == [plain]
    assert warned(named, plain, "head") == [plain]


def test_elements_of_what_does_not_refer_have_no_effect(tmp_path: Path) -> None:
    of_e = {1: markable("m1", "e", "ElementOf=x-Pseudo") + ")", 3: markable("m2", "e") + ")"}
    key = ua(tmp_path / "key.conllua", {**of_e, 5: markable("m3", "e") + ")" + markable("m4", "x-Pseudo") + ")"})
    response = ua(tmp_path / "response.conllua", {1: markable("m1", "e") + ")", 3: markable("m2", "e") + ")"})
    assert f1(key, key, "plural_muc") == 1
    assert f1(key, response, "plural_muc") == f1(key, response, "muc") == pytest.approx(2 / 3)


def test_of_entities_that_hold_as_much_of_an_anchor_the_one_of_the_earlier_and_longer_mention_counts(
    tmp_path: Path,
) -> None:
    """The response has [w1 w2 w3] and [w1] in one entity; of equal shares, that of the longer mention decides."""
    door = {5: markable("m3", "door") + ")"}
    link = {5: "(MarkableID=m3|Rel=part|MentionAnchor=m1)"}
    both = {1: markable("m1", "a") + markable("m2", "b") + ")", 3: ")", **door}
    key = ua(tmp_path / "key.conllua", both, link)
    together = {1: markable("m1", "a") + markable("m2", "a") + ")", 3: ")", **door}
    response = ua(tmp_path / "response.conllua", together, link)
    assert f1(key, response, "bridging_entity") == 1


@pytest.mark.parametrize("rules", ["corefud-1.2", "corrected", "conll-8.01", "ua-1.0"])
def test_deixis_that_the_original_reads_as_no_words_stops_no_rules(tmp_path: Path, rules: str) -> None:
    last = markable("d1", "f") + ")@"  # which it takes for an opening
    identity = {1: markable("m1", "e"), 2: ")", 4: markable("m1", "e") + ")"}
    path = ua(tmp_path / "key.conllua", identity, deixis={1: markable("d1", "f"), 2: ")", 4: last})
    assert f1(path, path, "deixis_bcub", rules=rules) == 1  # type: ignore[arg-type]


def test_a_document_of_zeros_only_beside_one_of_words_is_an_error_of_alignment(tmp_path: Path) -> None:
    key = ua(tmp_path / "key.conllua", {1: markable("m1", "e") + ")"}, words=2)
    response = tmp_path / "response.conllua"
    lines = Path(key).read_text(encoding="utf-8").replace("\n1\t", "\n0.1\t").replace("\n2\t", "\n0.2\t")
    response.write_text(lines, encoding="utf-8")
    with pytest.raises(corefscope.AlignmentError, match="word 1 of sentence 1 is missing, but in the key"):
        corefscope.score(key, str(response))
    with pytest.raises(corefscope.AlignmentError, match="word 1 of sentence 1 is 'w1'"):
        corefscope.score(str(response), key)


def test_zeros_at_the_ends_of_a_markable_are_no_part_of_it_those_between_its_words_are(tmp_path: Path) -> None:
    """So [w2 2.1] becomes [w2] in CorefUD, not [w2 2.1 w3]."""
    source, written = tmp_path / "some.conllua", tmp_path / "some.conllu"
    ends = {"2": markable("m1", "e"), "2.1": ")", "3.1": markable("m2", "e"), "4": ")"}
    between = {"5": markable("m3", "e"), "6": ")", "6.1": markable("m4", "e") + ")"}
    ids = ["1", "2", "2.1", "3", "3.1", "4", "5", "5.1", "6", "6.1"]
    rows = ["\t".join([id_, f"w{id_}", *"_" * 8, {**ends, **between}.get(id_, "_"), "_", "_"]) for id_ in ids]
    source.write_text("\n".join([f"# global.columns = {COLUMNS}", "# newdoc id = d", *rows, ""]), encoding="utf-8")
    corefscope.convert(source, written)
    cells = [line.split("\t") for line in written.read_text(encoding="utf-8").splitlines() if line[:1].isdigit()]
    assert {cell[0]: cell[9] for cell in cells if cell[9] != "_"} == {
        "2": "Entity=(e--1)",
        "4": "Entity=(e--1)",
        "5": "Entity=(e--1",
        "6": "Entity=e)",
        "6.1": "Entity=(e--1)",
    }


def test_ua_1_0_reads_as_its_program_only_in_matches_that_it_knows(tmp_path: Path) -> None:
    """Of a markable in two parts, the program keeps the last one; under head match it is read as it is written."""
    in_parts = {1: markable("m1", "e") + ")", 3: markable("m1", "e") + ")", 5: markable("m2", "e") + ")"}
    key = ua(tmp_path / "key.conllua", in_parts)
    last = ua(tmp_path / "last.conllua", {3: markable("m1", "e") + ")", 5: markable("m2", "e") + ")"})
    found = {match: f1(key, last, "mentions", rules="ua-1.0", match=match) for match in ("exact", "head")}
    assert found == {"exact": 1.0, "head": 0.5}
    assert f1(key, last, "mentions", rules="corrected", match="head") == 0.5
