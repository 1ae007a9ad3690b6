"""JSON that a model printed: words and zeros, offsets and strings, and what becomes of those that contradict."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

import corefscope
from clusters_read import clusters_read
from corefscope.cli import main
from corefscope.comparison.signature import read_signature
from corefscope.core.errors import InputError, Warnings
from corefscope.formats.corpus import Corpus
from corefscope.formats.detection import ReadingOptions
from corefscope.formats.jsonl.strings import SearchableWords, nearest_places
from corefscope.llm.options import PrintedOptions
from corefscope.llm.printed_json import find_json_documents, lex_json
from llm_cases import cases
from tests.llm.test_reader import _files

CASES = {case["name"]: case for case in cases("json")}
CONTRADICTING = [name for name, case in CASES.items() if case["corruption"] == "buggy-offsets"]
KEY = (
    "# newdoc id = d\n# global.Entity = eid-etype-head-other\n# sent_id = 1\n"
    "0.1\t_\t_\tPRON\t_\t_\t_\t_\t1:nsubj\tEntity=(e1--1)\n"
    "1\tLlueve\t_\tVERB\t_\t_\t0\troot\t_\t_\n"
    "2\ty\t_\tX\t_\t_\t3\tcc\t_\t_\n"
    "3\tel\t_\tX\t_\t_\t1\tconj\t_\tEntity=(e1--1)\n"
    "4\t.\t_\tX\t_\t_\t1\tpunct\t_\t_\n\n"
)
PERFECT = {
    "doc_id": "d",
    "tokens": ["Llueve", "##", "y", "el", "."],
    "clusters_token_offsets": [[[1, 1], [3, 3]]],
    "clusters_text_mentions": [["##", "el"]],
}
SHIFTED = {**PERFECT, "tokens": ["Llueve", "y", "el", "."]}
"""What conllu2json writes without -z."""


def case_files(folder: Path, name: str) -> tuple[Path, Path]:
    case = CASES[name]
    return _files(folder, case["key"], case["text"])


@pytest.mark.parametrize("name", CASES)
def test_a_case_is_read_as_it_was_meant(name: str, tmp_path: Path) -> None:
    key, text = case_files(tmp_path, name)
    corpus = Corpus(key, text, Warnings(), reading=ReadingOptions(PrintedOptions(repair="offsets")))
    read = [clusters_read(pair.response, pair.key) for pair in corpus]
    assert read == [{frozenset(map(tuple, each)) for each in document} for document in CASES[name]["clusters"]]
    assert corpus.inputs[1].format == "tagged"
    whole: dict[str, Any] = {"match": "exact", "singletons": "keep", "rules": "corrected", "repair": "offsets"}
    report = corefscope.score(key, text, **whole)
    assert all(lost.score == 1 for lost in (report.format_loss or {}).values()) == CASES[name]["perfect"]


@pytest.mark.parametrize("name", CONTRADICTING)
def test_strings_that_contradict_offsets_are_an_error_that_names_the_fault(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        corefscope.score(*case_files(tmp_path, name))
    assert f"document '{name}-d1': clusters_token_offsets[0][1] is [" in raised.value.message
    assert raised.value.message.endswith("offsets count zeros (##) that tokens lack")
    assert "--repair offsets" in str(raised.value)
    assert raised.value.code == "offsets-and-strings"


def test_repairs_are_counted_and_are_in_the_signature(tmp_path: Path) -> None:
    key, text = _files(tmp_path, KEY, json.dumps([SHIFTED]))
    with pytest.raises(
        InputError, match=r"\[0\]\[0\] is \[1, 1\], \"y\", but clusters_text_mentions\[0\]\[0\] is \"##\""
    ):
        corefscope.score(key, text)
    report = corefscope.score(key, text, repair="offsets", singletons="keep")
    assert report.inputs[1].mentions == 1
    assert "|repair:offsets|" in report.signature
    assert "offsets of 1 mention repaired by their strings; 1 mention" in report.warnings[0]
    assert corefscope.score(key, text, **corefscope_arguments(report.signature)).rows == report.rows


def corefscope_arguments(signature: str) -> dict[str, Any]:
    arguments = read_signature(signature).arguments
    return {name: value for name, value in arguments.items() if value is not None}


def test_zeros_are_those_of_the_key(tmp_path: Path) -> None:
    key, text = _files(tmp_path, KEY, json.dumps([PERFECT]))
    (pair,) = Corpus(key, text, Warnings())
    assert clusters_read(pair.response, pair.key) == {frozenset({("z1", "z1"), (3, 3)})}
    report = corefscope.score(key, text, match="exact", rules="corrected")
    assert report["conll"].f1 == report["mor"].f1 == 1
    assert str(report.options).startswith("corefud+tagged|")


def test_over_other_keys_it_stays_jsonlines_with_the_same_check(tmp_path: Path) -> None:
    for number, fields in enumerate((PERFECT, SHIFTED)):
        (tmp_path / f"{number}.json").write_text(json.dumps([fields]), encoding="utf-8")
    good, bad = tmp_path / "0.json", tmp_path / "1.json"
    assert corefscope.score(good, good).options.format == "jsonl"
    with pytest.raises(InputError, match="count zeros"):
        corefscope.score(bad, bad)
    report = corefscope.score(bad, bad, repair="offsets")
    assert report.inputs[0].mentions == 1
    assert any("repaired" in warning for warning in report.warnings)


def test_convert_writes_it_over_a_skeleton(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key, text = _files(tmp_path, KEY, json.dumps([PERFECT]))
    target = tmp_path / "new.conllu"
    assert main(["convert", str(text), str(target), "--skeleton", str(key)]) == 0
    assert corefscope.score(key, target)["conll"].f1 == 1
    text.write_text(json.dumps([SHIFTED]), encoding="utf-8")
    assert main(["convert", str(text), str(target), "--skeleton", str(key)]) == 1
    assert "count zeros" in capsys.readouterr().err
    assert main(["convert", str(text), str(target), "--skeleton", str(key), "--repair", "offsets"]) == 0


def test_case_blanks_and_underscores_do_not_contradict(tmp_path: Path) -> None:
    fields = {**PERFECT, "clusters_text_mentions": [["##", "EL"]]}
    corefscope.score(*_files(tmp_path, KEY, json.dumps([fields])))
    assert SearchableWords(["New_York", "is"]).says((0, 1), "New York  is")


def test_offsets_without_words_are_dropped_and_counted(tmp_path: Path) -> None:
    fields = {**PERFECT, "clusters_token_offsets": [[[1, 1], [3, 3], [3, 9], [4, 3]]]}
    del fields["clusters_text_mentions"]
    key, text = _files(tmp_path, KEY, "```json\n" + json.dumps([fields]) + "\n```")
    report = corefscope.score(key, text)
    assert report.inputs[1].mentions == 2
    assert report.inputs[1].to_dict()["printed"]["tags"]["dropped"] == 4


def test_of_json_that_is_cut_off_whole_mentions_are_read_and_the_cut_is_counted(tmp_path: Path) -> None:
    whole = json.dumps([PERFECT])
    read = {}
    for size in range(whole.index("##"), len(whole) + 1):
        key, text = _files(tmp_path, KEY, "```json\n" + whole[:size])
        corpus = Corpus(key, text, warnings := Warnings(), None, "tagged")
        (pair,) = corpus
        (account,) = corpus.inputs[1].copy_reports
        read[size] = clusters_read(pair.response, pair.key)
        complete = size >= len(whole) - 1
        assert account.tags["dropped", "unreadable"] == (not complete)
        assert any("what is whole" in warning for warning in warnings) == (not complete)
        if (words := account.words["left out"]) > 1:
            assert account.documents[0].cut_off == 4 - words or words == 4
    first, second = whole.index("[1, 1]") + len("[1, 1]"), whole.index("[3, 3]") + len("[3, 3]")
    both = {frozenset({("z1", "z1"), (3, 3)})}
    assert all(
        clusters == (set() if size < first else {frozenset({("z1", "z1")})} if size < second else both)
        for size, clusters in read.items()
    )


def test_strings_that_are_cut_off_still_tell_offsets_that_are_wrong(tmp_path: Path) -> None:
    wrong = {"clusters_token_offsets": [[[0, 0], [3, 3]]], "clusters_text_mentions": [["Llueve", "el"]]}
    whole = json.dumps([{**SHIFTED, **wrong}])
    key, text = _files(tmp_path, KEY, whole[: whole.rindex('"el"')])
    assert corefscope.score(key, text, singletons="keep").inputs[1].mentions == 2
    text.write_text(whole[: whole.rindex('"el"') + 4], encoding="utf-8")
    with pytest.raises(InputError, match=r"is \[3, 3\]"):
        corefscope.score(key, text)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(PERFECT)[:-1] + ",}",
        json.dumps(PERFECT).replace("]]]", "]],]"),
        json.dumps(PERFECT).replace("]]]", "]]"),
        json.dumps(PERFECT).replace("]]]", "]]]]"),
        str(PERFECT),
        json.dumps({"documents": [PERFECT]})[:-2] + ",]}",
    ],
)
def test_a_comma_or_bracket_too_many_and_single_quotes_do_not_matter(text: str, tmp_path: Path) -> None:
    key, printed = _files(tmp_path, KEY, text)
    corpus = Corpus(key, printed, Warnings(), None, "tagged")
    (pair,) = corpus
    assert clusters_read(pair.response, pair.key) == {frozenset({("z1", "z1"), (3, 3)})}


def test_documents_stand_anywhere_in_a_text() -> None:
    one = json.dumps(PERFECT)
    text = f'Here {{it}} is:\n{{"a": {{}}}}\n[{one},\n{one}]\nand {{"doc_id": "cut", "tokens": ["a'
    found, rest = find_json_documents(text, {})
    assert [line for line, _ in found] == [3, 4]
    assert [document for _, document in found] == [one, one]
    assert rest == 'Here {it} is:\n{"a": {}}\n[,\n]\nand {"doc_id": "cut", "tokens": ["a'
    two = lex_json(text)
    assert [span.id for span in two.spans] == ["0", "0", "1_0", "1_0"]
    assert [span.opens for span in two.spans] == [1, 3, 6, 8]


def test_shifted_offsets_are_found_again() -> None:
    """Words that come often, offsets that count zeros which are not there: nearly every mention is at its place."""
    rng = random.Random(5)
    right = total = 0
    for _ in range(40):
        words = [rng.choice("abcdefghijklmnop") for _ in range(60)]
        zeros = rng.sample(range(60), 6)
        firsts = [rng.randrange(60) for _ in range(25)]
        spans = [(first, min(59, first + rng.randint(0, 4))) for first in firsts]
        shifted = [[place + sum(zero <= place for zero in zeros) for place in span] for span in spans]
        strings = [" ".join(words[first : last + 1]) for first, last in spans]
        found = nearest_places(shifted, strings, SearchableWords(words))
        assert all(
            place and SearchableWords(words).says(place, string) for place, string in zip(found, strings, strict=True)
        )
        right += sum(place == span for place, span in zip(found, spans, strict=True))
        total += len(spans)
    assert right > 0.97 * total


@pytest.mark.parametrize(
    ("text", "line", "fault"),
    [
        (json.dumps(PERFECT)[:-1] + ",}", 2, "Expecting|trailing comma"),
        (json.dumps(PERFECT).replace("[3, 3]", "[3, " + "9" * 5000 + "]"), 2, "too many digits"),
        (json.dumps(PERFECT)[:-20], 2, "Unterminated|ends too early"),
        ('{"documents": [\n' + json.dumps(PERFECT)[:-1] + ",}]}", 3, "Expecting|trailing comma"),
    ],
)
def test_a_document_that_is_no_json_is_told_of(text: str, line: int, fault: str, tmp_path: Path) -> None:
    key, printed = _files(tmp_path, KEY, f"```json\n{text}\n```\n")
    warnings = Warnings()
    list(Corpus(key, printed, warnings))
    (told,) = [warning for warning in warnings if "left out" in warning or "what is whole" in warning]
    assert told.startswith(f"{printed}:{line}: ")
    assert re.search(fault, told)


def test_braces_of_other_things_are_no_faults() -> None:
    faults: dict[int, str] = {}
    found, _ = find_json_documents('{"a": x} {x} { "b" } ' + json.dumps(PERFECT), faults)
    assert [document for _, document in found] == [json.dumps(PERFECT)]
    assert not faults


@pytest.mark.parametrize("span", [[-1, 0], [0, 99]])
def test_offsets_that_are_only_wrong_are_not_said_to_count_zeros(span: list[int], tmp_path: Path) -> None:
    offsets = {**SHIFTED, "clusters_token_offsets": [[span]], "clusters_text_mentions": [["Llueve"]]}
    key, text = _files(tmp_path, KEY, json.dumps(offsets))
    with pytest.raises(InputError, match="not in the document") as raised:
        list(Corpus(key, text, Warnings()))
    assert "zeros" not in raised.value.message
