"""What is read of printed text: made-up cases of every style and mistake, and the rules one by one."""

from __future__ import annotations

import gzip
import io
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import corefscope
from clusters_read import Clusters, clusters_read
from corefscope.cli import main
from corefscope.core.errors import InputError, OptionError, Warnings
from corefscope.formats.convert import convert
from corefscope.formats.corpus import Corpus
from corefscope.formats.detection import ReadingOptions, recognised
from corefscope.llm.copy_report import CopyReport, merge_reports
from corefscope.llm.options import PrintedOptions
from corefscope.llm.printed_json import find_json_documents
from corefscope.llm.styles import STYLES, recognise_style
from corefscope.output.formats.json_text import schema
from llm_cases import cases

CASES = {case["name"]: case for case in cases("cases")}


def _files(folder: Path, key: str, text: str) -> tuple[Path, Path]:
    paths = folder / "key.conllu", folder / "out.txt"
    paths[0].write_text(key, encoding="utf-8")
    paths[1].write_text(text, encoding="utf-8", newline="")
    return paths


def _read(key: Path, text: Path, /, **options: str) -> tuple[list[Clusters], CopyReport, list[str]]:
    warnings = Warnings()
    corpus = Corpus(key, text, warnings, reading=ReadingOptions(PrintedOptions.of(options)))
    read = [clusters_read(pair.response, pair.key) for pair in corpus]
    return read, merge_reports(corpus.inputs[1].copy_reports), list(warnings)


@pytest.mark.parametrize("name", CASES)
def test_a_case_is_read_as_it_was_meant(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    key, text = _files(tmp_path, case["key"], case["text"])
    read, account, _ = _read(key, text)
    wanted = [{frozenset(map(tuple, cluster)) for cluster in document} for document in case["clusters"]]
    assert read == wanted
    assert account.styles == [case["style"]]
    assert recognised(str(text), None) == "tagged"
    report = corefscope.score(key, text, match="exact", singletons="keep", rules="corrected")
    figures = [value if isinstance(value, float) else value["f1"] for value in report.to_dict()["metrics"].values()]
    assert all(figure == 1 for figure in figures) == case["perfect"]


KEY = """\
# newdoc id = d1
# global.Entity = eid-etype-head-other
# sent_id = s1
# text = Ann met her old dog .
1	Ann	_	PROPN	_	_	2	nsubj	_	Entity=(e1-person-1-)
2	met	_	VERB	_	_	0	root	_	_
3	her	_	PRON	_	_	5	det	_	Entity=(e2-animal-3-(e1-person-1-)
4	old	_	ADJ	_	_	5	amod	_	_
5	dog	_	NOUN	_	_	2	obj	_	Entity=e2)
6	.	_	PUNCT	_	_	2	punct	_	_

# sent_id = s2
# text = It barked .
1	It	_	PRON	_	_	2	nsubj	_	Entity=(e2-animal-1-)
2	barked	_	VERB	_	_	0	root	_	_
3	.	_	PUNCT	_	_	2	punct	_	_

"""
WHOLE: Clusters = {frozenset({(1, 1), (3, 3)}), frozenset({(3, 5), (7, 7)})}
ZEROS = """\
# newdoc id = d1
# global.Entity = eid-etype-head-other
# sent_id = s1
0.1	ona	_	PRON	_	_	_	_	2:nsubj	_
1	Llueve	_	VERB	_	_	0	root	_	_
2	sopla	_	VERB	_	_	1	conj	_	_
2.1	oni	_	PRON	_	_	_	_	2:obj	_
3	ya	_	ADV	_	_	2	advmod	_	_
3.1	_	_	PRON	_	_	_	_	0:root	_
4	.	_	PUNCT	_	_	1	punct	_	_

"""


def _of(tmp_path: Path, text: str, key: str = KEY, **options: str) -> set[tuple[int | str, int | str]]:
    """All mentions that are read, whatever their entities are."""
    paths = _files(tmp_path, key, text)
    (read,), _, _ = _read(*paths, **{"style": "crac", **options})
    return {mention for cluster in read for mention in cluster}


@pytest.mark.parametrize(
    "text",
    [
        "Ann|[e1] met her|[e1],[e2 old dog|e2] . It|[e2] barked .",
        "Ann|[e1] met Her|[e1],[e2 old dog|e2]. It|[e2] barked.",
        "Ann |[e1] met her |[e1],[e2 old dog |e2] . It\t|[e2] barked .",
        "Ann|[e1] met\nher|[e1],[e2 old dog|e2] .\nIt|[e2] barked .",
        "Sure:\n\n```\nAnn|[e1] met her|[e2,[e1] old dog|e2] . It|[e2] barked .\n```\nIs that fine?",
        "so her|[e1]</think>Ann|[e1] met her|[e1],[e2 old dog|e2] . It|[e2] barked .",
        "[Ann](#cluster_0) met [[her](#cluster_0) old dog](#cluster_1). [It](#cluster_1) barked.",
        "<m>Ann</m>#0 met <m><m>her</m>#0 old dog</m>#1 . <m>It</m>#1 barked .",
    ],
)
def test_the_same_is_read_of_all_that_mean_the_same(text: str, tmp_path: Path) -> None:
    (read,), account, _ = _read(*_files(tmp_path, KEY, text))
    assert read == WHOLE
    assert account.to_dict()["tags"] == {"placed": 8, "moved": 0, "repaired": 0, "dropped": 0}


@pytest.mark.parametrize(
    ("unclosed", "mentions"),
    [("word", {(1, 1), (3, 3)}), ("sentence", {(1, 1), (3, 3), (3, 4)}), ("drop", {(1, 1), (3, 3)})],
)
def test_a_mention_that_is_never_closed_is_read_by_policy(
    unclosed: str, mentions: set[tuple[int, int]], tmp_path: Path
) -> None:
    text = "Ann|[e1] met her|[e1],[e2 old"
    assert _of(tmp_path, text, unclosed=unclosed) == mentions
    _, account, warnings = _read(*_files(tmp_path, KEY, text), unclosed=unclosed)
    assert (
        account.tags
        == {
            "word": {("placed", ""): 4, ("repaired", ""): 1},
            "sentence": {("placed", ""): 4, ("repaired", ""): 1},
            "drop": {("placed", ""): 4, ("dropped", "never closed"): 1},
        }[unclosed]
    )
    (copied,) = account.documents
    assert (copied.cut_off, copied.of) == (4, 9)
    assert any("cut off at word 4 of 9" in warning for warning in warnings)


def test_an_odd_mention_is_not_repaired(tmp_path: Path) -> None:
    assert _of(tmp_path, "Ann|[e1 met her|e1] old dog . It|[e1] barked .") == {(1, 3), (7, 7)}


def test_tags_move_into_the_mention_or_are_dropped_with_it(tmp_path: Path) -> None:
    assert _of(tmp_path, "Ann met really|[e1 her old dog quite|e1] . It barked .") == {(3, 5)}
    assert _of(tmp_path, "Ann met really|[e1 quite|e1] her old dog . It barked .") == set()
    _, account, _ = _read(*_files(tmp_path, KEY, "Ann met really|[e1 quite|e1] her old dog . It|[e1 barked|e1] ."))
    assert account.tags == {("dropped", "nothing left"): 2, ("placed", ""): 2}
    (mention,) = account.documents[0].doubtful
    assert (mention.id, mention.fate, mention.reason, mention.line) == ("e1", "dropped", "nothing left", 1)


def test_a_stop_that_is_glued_to_a_tagged_word_is_outside(tmp_path: Path) -> None:
    assert _of(tmp_path, "Ann met her|[e1 old dog.|e1] It barked .") == {(3, 5)}


def test_so_is_one_before_it(tmp_path: Path) -> None:
    key = KEY.replace("\tmet\t", "\t(\t")
    assert _of(tmp_path, "Ann (her|[e1 old dog|e1] . It barked .", key) == {(3, 5)}


def test_of_several_governors_the_highest_counts_and_others_after_it(tmp_path: Path) -> None:
    key = ZEROS.replace("2:nsubj", "1:nsubj|3:obl").replace("2:obj", "1:obj")
    assert _of(tmp_path, "Llueve ##|[e1] sopla ya .", key) == {("z1", "z1")}
    assert _of(tmp_path, "Llueve sopla ya ##|[e1] .", key.replace("0:root", "2:obj")) == {("z1", "z1")}


def test_a_mention_over_the_end_of_a_sentence_is_cut_there(tmp_path: Path) -> None:
    assert _of(tmp_path, "Ann met her old dog|[e1 . It|e1] barked .") == {(5, 6)}


def test_a_closing_tag_alone_is_a_mention_of_its_word(tmp_path: Path) -> None:
    assert _of(tmp_path, "Ann met her old dog|e1] . It barked .") == {(5, 5)}
    assert _of(tmp_path, "Ann met her old dog|e1] . It barked .", unclosed="drop") == set()


def test_marks_without_id_are_dropped_and_plain_brackets_are_words(tmp_path: Path) -> None:
    text = "[Ann](#) met [her old dog . [It](#1) barked ."
    (read,), account, _ = _read(*_files(tmp_path, KEY, text))
    assert read == {frozenset({(7, 7)})}
    assert account.tags == {("dropped", "without id"): 3, ("placed", ""): 2}
    words = KEY.replace("\tAnn\t", "\t[\t").replace("\tmet\t", "\tx\t").replace("\ther\t", "\t]\t")
    for text in ("[ x ] old [dog](#1) . It barked .", "[x] old [dog](#1) . It barked ."):
        (read,), account, _ = _read(*_files(tmp_path, words, text), style="markdown")
        assert read == {frozenset({(5, 5)})}
        assert account.tags == {("placed", ""): 2}
        assert account.words["left out"] == 0


def test_a_mention_is_in_an_entity_once_and_may_be_in_two(tmp_path: Path) -> None:
    (read,), account, _ = _read(*_files(tmp_path, KEY, "Ann|[e1],[e1],[e2] met her|[e1] old dog . It|[e2] barked ."))
    assert read == {frozenset({(1, 1), (3, 3)}), frozenset({(1, 1), (7, 7)})}
    assert account.tags == {("placed", ""): 8, ("dropped", "repeated"): 2}


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("Llueve sopla ##ona|[e1] ##oni|[e2] ya .", {("z1", "z1"), ("z2", "z2")}),
        ("Llueve sopla ##oni|[e1] ##ona|[e2] ya .", {("z1", "z1"), ("z2", "z2")}),
        ("Llueve sopla ##|[e1] ya .", {("z1", "z1")}),
        ("Llueve sopla ##oni|[e1] ya .", {("z2", "z2")}),
        ("##|[e1] Llueve sopla ya .", {("z3", "z3")}),
        ("Llueve sopla ya ##|[e1] .", {("z3", "z3")}),
        ("Llueve ##|[e1] sopla ya .", {("x1", "x1")}),
        ("Llueve sopla ##|[e1] ##|[e2] ##|[e3] ya .", {("z1", "z1"), ("z2", "z2"), ("x2", "x2")}),
        ("Llueve|[e1 sopla|e1] ##ona ya .", {(1, 2)}),
        ("Llueve|[e1 sopla ##oni|e1] ya .", {(1, "z2")}),
        ("Llueve sopla|[e1 ##ona|e1] ya .", {(2, 2)}),
        ("Llueve sopla ##oni|[e1 ya|e1] .", {("z2", 3)}),
        ("Llueve ##ona|[e1] ya .", {("z1", "z1")}),
    ],
)
def test_zeros_are_matched_by_governor_then_by_place_and_never_moved(
    text: str, mentions: set[tuple[int | str, int | str]], tmp_path: Path
) -> None:
    assert _of(tmp_path, text, ZEROS) == mentions


def test_every_style_is_recognised_by_its_example() -> None:
    for name, style in STYLES.items():
        assert bool(find_json_documents(style.example, {})[0]) == style.is_json
        for forms in ([], ["Ann", "met", "her", "dog"]):
            found = recognise_style(style.example, None, forms)
            assert style.is_json or (found and found.name == name)


def test_without_a_skeleton_the_remedy_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key, text = _files(tmp_path, KEY, "Ann|[e1] met her|[e1]")
    with pytest.raises(InputError, match="--skeleton FILE"):
        corefscope.stats(text)
    with pytest.raises(InputError, match="--skeleton FILE"):
        corefscope.score(text, text)
    assert main(["convert", str(text), str(tmp_path / "x.conllu")]) == 1
    assert "--skeleton FILE" in capsys.readouterr().err
    assert main(["validate", str(text)]) == 1
    assert "--skeleton FILE" in " ".join(capsys.readouterr().out.split())
    assert corefscope.stats(text, skeleton=key).mentions == 2
    assert not [problem for problem in corefscope.validate(text, skeleton=key) if problem.severity == "error"]


def test_a_skeleton_without_words_is_refused(tmp_path: Path) -> None:
    _, text = _files(tmp_path, KEY, "Ann|[e1] met her|[e1]")
    skeleton = tmp_path / "skeleton.json"
    skeleton.write_text('{"d1": [["a", "b"]]}', encoding="utf-8")
    with pytest.raises(InputError, match="is clusters, which has no words to read printed text over"):
        corefscope.stats(text, skeleton=skeleton)


def test_a_zero_over_a_key_without_sentences_is_an_error(tmp_path: Path) -> None:
    key, text = _files(tmp_path, "#", "##|[e1]")
    with pytest.raises(InputError, match="holds no sentence"):
        _read(key, text)


def test_the_signature_says_how_it_was_read_and_can_be_given_back(tmp_path: Path) -> None:
    key, text = _files(tmp_path, KEY, "Ann|[e1] met her|[e1],[e2 old dog . It|[e2] barked .")
    for unclosed in ("word", "sentence", "drop"):
        report = corefscope.score(key, text, unclosed=unclosed)
        assert f"|llm:tags-move,unclosed-{unclosed}|" in report.signature
        from corefscope.comparison.signature import read_signature

        assert read_signature(report.signature).arguments["unclosed"] == unclosed
    assert "llm" not in corefscope.score(key, key, unclosed="drop").signature
    with pytest.raises(OptionError, match="did you mean 'word'"):
        corefscope.score(key, text, unclosed="words")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="unknown style 'html'"):
        corefscope.score(key, text, style="html")  # type: ignore[arg-type]


def test_printed_text_may_be_compressed_standard_input_or_read_by_several_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, text = _files(tmp_path, KEY, "Ann|[e1] met her|[e1],[e2 old dog|e2] . It|[e2] barked .")
    packed = tmp_path / "out.txt.gz"
    packed.write_bytes(gzip.compress(text.read_bytes()))
    plain = corefscope.score(key, text).to_dict()["metrics"]
    assert corefscope.score(key, packed).to_dict()["metrics"] == plain
    assert corefscope.score(key, text, skeleton=key).to_dict()["metrics"] == plain
    assert corefscope.score(key, text, jobs=2).to_dict()["metrics"] == plain
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.read_bytes())))
    assert corefscope.score(key, "-").to_dict()["metrics"] == plain


def test_documents_are_told_by_their_words_where_lines_do_not_fit(tmp_path: Path) -> None:
    second = KEY.replace("d1", "d2")
    for word, other in (("Ann", "Bob"), ("met", "fed"), ("her", "his"), ("old", "big"), ("dog", "cat")):
        second = second.replace(f"\t{word}\t", f"\t{other}\t")
    texts = (
        "Here it is:\nBob|[e1] fed his|[e1] big cat .\nBye!",
        "Bob|[e1] fed his big cat .\nAnn met her|[e1] old dog .",
    )
    wanted: list[list[Clusters]] = [
        [set(), {frozenset({(1, 1), (3, 3)})}],
        [{frozenset({(3, 3)})}, {frozenset({(1, 1)})}],
    ]
    for text, clusters in zip(texts, wanted, strict=True):
        read, _, warnings = _read(*_files(tmp_path, KEY + second, text))
        assert read == clusters
        assert any("assigned by their words" in warning for warning in warnings)


def test_heads_are_found_in_the_trees(tmp_path: Path) -> None:
    key, text = _files(tmp_path, KEY, "Ann|[e1] met her|[e1],[e2 old dog|e2] . It|[e2] barked .")
    assert corefscope.score(key, text, match="head")["conll"].f1 == 1
    (pair,) = Corpus(key, text, Warnings())
    assert [pair.response.form(mention.head) for mention in pair.response.entities[1]] == ["dog", "It"]


def test_json_of_printed_text_keeps_to_its_schema(tmp_path: Path) -> None:
    key, text = _files(tmp_path, KEY, "Ann|[e1] met her|[e1],[e2 old")
    content = corefscope.score(key, text, metrics="conll").to_dict()
    jsonschema.Draft202012Validator(schema()).validate(content)
    printed = content["inputs"]["response"]["printed"]
    assert printed["tags"] == {"placed": 4, "moved": 0, "repaired": 1, "dropped": 0}
    assert printed["cut_off"] == [{"document": "d1", "word": 4, "of": 9}]


def test_files_of_directories_are_read_over_their_own_keys(tmp_path: Path) -> None:
    for name in ("keys", "responses"):
        (tmp_path / name).mkdir()
    for stem in ("a", "b"):
        (tmp_path / "keys" / f"{stem}.conllu").write_text(KEY.replace("d1", stem), encoding="utf-8")
        (tmp_path / "responses" / f"{stem}.txt").write_text("Ann|[e1] met her|[e1]", encoding="utf-8")
    report = corefscope.score(tmp_path / "keys", tmp_path / "responses", skeleton=tmp_path / "keys")
    assert report.inputs[1].mentions == 4
    assert [document.name for document in merge_reports(report.inputs[1].copy_reports).documents] == ["a", "b"]


@pytest.mark.parametrize("style", ["xml", "json", "markdown"])
def test_a_style_that_a_text_is_not_in_is_refused_and_the_right_one_named(style: str, tmp_path: Path) -> None:
    text = "Ann|[e1] met her|[e1],[e2 old dog|e2] . It|[e2] barked ."
    with pytest.raises(InputError, match=f"no tags of style {style} recognised; the text looks like style crac"):
        _read(*_files(tmp_path, KEY, text), style=style)
    for options in ({"style": "crac"}, {"reading": "text2text"}):
        assert not _read(*_files(tmp_path, KEY, text), **options)[2]


def test_text2text_that_is_given_another_style_is_told_of(tmp_path: Path) -> None:
    text = "<e1>Ann</e1> met <e2><e1>her</e1> old dog</e2> . <e2>It</e2> barked ."
    _, _, (warning,) = _read(*_files(tmp_path, KEY, text), reading="text2text")
    assert warning.endswith("looks like style xml, but text2text_coref reads no other than crac")


def test_long_ids_are_cut_in_warnings(tmp_path: Path) -> None:
    _, _, warnings = _read(*_files(tmp_path, KEY, f"Ann|[e{'1' * 9999} met her old dog|[e2] . It|[e2] barked ."))
    (warning,) = [warning for warning in warnings if "is never closed" in warning]
    assert len(warning) < len(str(tmp_path)) + 200


def test_tags_of_lines_that_are_no_document_are_told_of(tmp_path: Path) -> None:
    key = KEY + KEY.replace("d1", "d2").replace("Ann", "Eve").replace("dog", "cat").replace("barked", "purred")
    text = "Ann|[e1] met her|[e1] old dog . It barked .\nEve|[e1] met her|[e1] old cat . It purred .\n"
    text += "The moon|[e9] rose|[e9]\n"
    _, account, warnings = _read(*_files(tmp_path, key, text))
    assert account.tags["dropped", "outside"] == 4
    assert any(":3: 4 tags dropped: this line is part of no document of the key" in warning for warning in warnings)


ANN_LEFT = """\
# newdoc id = d
# global.Entity = eid-etype-head-other
# sent_id = s1
1	Ann	_	_	_	_	2	nsubj	_	Entity=(e1--1)
2	left	_	_	_	_	0	root	_	_

# sent_id = s2
1	and	_	_	_	_	2	cc	_	_
2	cried	_	_	_	_	0	root	_	Entity=(e1--1)

"""
SEMEVAL = "#begin document d\n1\tAnn\t_\t_\t(1)\n2\tleft\t_\t_\t_\n\n"
SEMEVAL += "1\tand\t_\t_\t_\n2\tcried\t_\t_\t(1)\n\n#end document d\n"
WITH_ZEROS = {
    "one": "Ann|[e1] left and ##|[e1] cried",
    "xml": "<e1>Ann</e1> left and <e1>##</e1> cried",
    "before the first word": "##x|[e1] Ann|[e1] left and cried|[e2] ##|[e2]",
    "more than nine": "Ann|[e1] left and " + "##|[e1] " * 12 + "cried|[e1]",
    "in a mention": "Ann|[e1] left and|[e1 ##y cried|e1] ##z|[e2]",
    "a heading before the text": "## Answer\n\nAnn|[e1] left and cried|[e1]",
}


def _keys(folder: Path) -> dict[str, Path]:
    """The same key in every format; words of CoNLL-UA are numbered through the document."""
    key = folder / "key.conllu"
    key.write_text(ANN_LEFT, encoding="utf-8")
    keys = {"corefud": key, "semeval": folder / "semeval.conll"}
    keys["semeval"].write_text(SEMEVAL, encoding="utf-8")
    for name in ("conll", "jsonl", "ua"):
        keys[name] = folder / f"key.{name}"
        convert(key, keys[name], to=name)
    through = keys["ua"].read_text(encoding="utf-8")
    keys["ua"].write_text(through.replace("1\tand", "3\tand").replace("2\tcried", "4\tcried"), encoding="utf-8")
    return keys


@pytest.mark.parametrize("name", WITH_ZEROS)
def test_a_zero_is_one_more_mention_in_whatever_format_the_key_is(name: str, tmp_path: Path) -> None:
    printed = tmp_path / "out.txt"
    printed.write_text(WITH_ZEROS[name], encoding="utf-8")
    options: dict[str, Any] = {"match": "exact", "singletons": "keep", "metrics": "conll,mentions,lea,blanc"}
    reports = {
        format_: corefscope.score(key, printed, **options, key_format=format_)
        for format_, key in _keys(tmp_path).items()
    }
    expected = reports.pop("corefud")
    for report in reports.values():
        assert [*report.rows.values()] == [*expected.rows.values()]
        assert str(report.inputs[1]) == str(expected.inputs[1])


COMMANDS: list[list[str]] = [
    *(["score", "KEY", "OUT", "--rules", rules] for rules in ("corefud-1.2", "corrected", "conll-8.01", "ua-1.0")),
    *(["score", "KEY", "OUT", "--match", match] for match in ("head", "partial")),
    ["errors", "KEY", "OUT"],
    ["diff", "KEY", "OUT"],
    ["compare", "KEY", "OUT"],
    ["report", "KEY", "OUT", "-o", "page.html"],
    ["explain", "mor", "KEY", "OUT"],
    ["curves", "KEY", "--response", "OUT", "--step", "50"],
    ["agree", "KEY", "OUT"],
    ["stats", "OUT", "--skeleton", "KEY"],
    *(
        ["convert", "OUT", f"back.{to}", "--to", to, "--skeleton", "KEY", "--lossy"]
        for to in ("corefud", "ua", "conll", "jsonl", "clusters", "tagged")
    ),
]


SLOW = ("compare", "curves", "report")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_command_fails_at_a_zero_that_the_key_does_not_have(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for key in _keys(tmp_path).values():
        for text in list(WITH_ZEROS.values())[: 1 if command[0] in SLOW else None]:
            Path("out.txt").write_text(text, encoding="utf-8")
            arguments = [{"KEY": str(key), "OUT": "out.txt"}.get(word, word) for word in command]
            assert main(arguments) == 0, capsys.readouterr().err


def test_under_the_rules_of_ua_a_printed_zero_is_a_line_as_in_a_file(tmp_path: Path) -> None:
    """UA scorer 1.0 counts lines: a zero and two words are as long as three words."""
    names = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM"

    def text(*rows: tuple[str, str, str]) -> str:
        lines = ["\t".join((id_, form, *"________", cell, *"____")) for id_, form, cell in rows]
        return "\n".join([f"# global.columns = {names}", "# newdoc id = d", *lines, "", ""])

    opening = "(EntityID=1|MarkableID=m1"
    key, printed, ua = tmp_path / "key.conllua", tmp_path / "out.txt", tmp_path / "out.conllua"
    key.write_text(text(("1", "a", opening), ("2", "b", "_"), ("3", "c", ")")), encoding="utf-8")
    ua.write_text(text(("0.1", "_", opening), ("1", "a", "_"), ("2", "b", ")"), ("3", "c", "_")), encoding="utf-8")
    printed.write_text("<m> ## a b | 1 </m> c\n", encoding="utf-8")
    reports = [corefscope.score(key, path, rules="ua-1.0", metrics="ceafm") for path in (ua, printed)]
    assert [[*report.counts("ceafm").values()] for report in reports] == [[1, 1, 1, 1]] * 2


def test_a_zero_over_a_document_without_words_is_dropped(tmp_path: Path) -> None:
    key, text = tmp_path / "key.jsonl", tmp_path / "out.txt"
    key.write_text('{"doc_key": "d", "sentences": [], "clusters": []}\n', encoding="utf-8")
    text.write_text("##|[e1]\n", encoding="utf-8")
    _, account, warnings = _read(key, text)
    assert account.tags == {("dropped", "nothing left"): 2}
    assert warnings == [f"{text}:1: a mention of 'e1' is dropped: no word of the mention is in the key"]


REFUSAL = "I'm sorry, but I can't help with that request."
NO_COPY = "the text is not a copy of the original"
STYLES_NAMED = (
    "hint: print tags in one of the styles crac, xml, markdown, colon, seq2seq, corefinst, json,"
    " bracket, brace, paren, bold, angle, or lists (lists, bullets, table)"
)
PLAIN = "Ann met her old dog . It barked ."
MANY = KEY + KEY.replace("d1", "d2").replace("Ann", "Eve").replace("dog", "cat").replace("barked", "purred").replace(
    "(e", "(f"
).replace("Entity=e2", "Entity=f2")
FIRST = "Ann|[e1] met her|[e1],[e2 old dog|e2] . It|[e2] barked ."


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (PLAIN, f"out.txt:1: no mention tags recognised: it begins '{PLAIN}'"),
        (REFUSAL, f'out.txt:1: no mention tags recognised, and {NO_COPY}: it begins "{REFUSAL}"'),
        (f"\n\x1b[31m{PLAIN} {'la ' * 99}\n", "out.txt:2: no mention tags recognised: it begins '\\x1b[31mAnn met"),
        ("<think>Ann is e1.</think>\n", f"out.txt: no mention tags recognised, and {NO_COPY}: it is empty"),
        (PLAIN.replace("Ann", "<m>Ann</m>#MASK"), "no mention tags recognised: it begins '<m>Ann</m>#MASK met"),
    ],
    ids=["plain", "refusal", "long and escaped", "reasoning only", "masked"],
)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_text_without_any_tag_is_an_error_that_shows_how_it_begins_and_names_the_styles(
    text: str, shown: str, jobs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key, printed = _files(tmp_path, KEY, text)
    for options in ([], ["--response-format", "tagged"]):
        assert main(["score", str(key), str(printed), "--jobs", jobs, *options]) == 1
        captured = capsys.readouterr()
        assert shown in captured.err
        assert STYLES_NAMED in captured.err
        assert "A prompt: Copy the text word by word" in captured.err
        assert len(captured.err) < len(str(printed)) + 650
        assert not captured.out


@pytest.mark.parametrize("command", ["errors", "diff", "compare", "report", "explain", "agree", "stats", "convert"])
def test_so_it_is_in_every_command(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    _files(tmp_path, KEY, REFUSAL)
    arguments = {
        "report": ["report", "key.conllu", "out.txt", "-o", "page.html"],
        "explain": ["explain", "muc", "key.conllu", "out.txt"],
        "stats": ["stats", "out.txt", "--skeleton", "key.conllu"],
        "convert": ["convert", "out.txt", "back.conllu", "--skeleton", "key.conllu"],
    }
    assert main(arguments.get(command, [command, "key.conllu", "out.txt"])) == 1
    captured = capsys.readouterr()
    assert "no mention tags recognised" in captured.err
    assert not Path("page.html").exists()
    assert not Path("back.conllu").exists()


def test_in_a_task_it_is_a_faulty_submission(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _files(tmp_path, KEY, REFUSAL)
    (tmp_path / "good.txt").write_text(FIRST, encoding="utf-8")
    manifest = '[datasets]\nd = "key.conllu"\n[systems.good]\nd = "good.txt"\n[systems.refuses]\nd = "out.txt"\n'
    (tmp_path / "task.toml").write_text(manifest, encoding="utf-8")
    assert main(["task", str(tmp_path / "task.toml"), "--metrics", "conll"]) == 1
    captured = capsys.readouterr()
    assert "refuses on d, reading:" in captured.err
    assert "no mention tags recognised" in captured.err
    assert "refuses: faulty on d, counts as 0" in captured.out
    assert "good            1  100.00  100.00" in captured.out


def test_a_plain_copy_is_right_where_the_key_has_no_mention(tmp_path: Path) -> None:
    without = re.sub(r"Entity=\S+", "_", KEY)
    report = corefscope.score(*_files(tmp_path, without, PLAIN))
    assert len(report.warnings) == 1
    assert "has no mentions (no Entity= in MISC), nor has" in report.warnings[0]
    with pytest.raises(InputError, match="no mention tags recognised, and the text is not a copy"):
        corefscope.score(*_files(tmp_path, without, REFUSAL))
    key, text = _files(tmp_path, KEY, PLAIN)
    blind = tmp_path / "blind.conllu"
    blind.write_text(without, encoding="utf-8")
    with pytest.raises(InputError, match="no mention tags recognised: it begins"):
        corefscope.score(key, text, skeleton=blind)


def test_words_of_the_key_that_look_like_tags_are_no_tags(tmp_path: Path) -> None:
    key = KEY.replace("\tdog\t", "\t</b>\t")
    with pytest.raises(InputError, match="no mention tags recognised"):
        corefscope.score(*_files(tmp_path, key, PLAIN.replace("dog", "</b>")))
    tagged = PLAIN.replace("dog", "</b>").replace("Ann", "<e1>Ann</e1>")
    assert corefscope.score(*_files(tmp_path, key, tagged)).inputs[1].mentions == 1


@pytest.mark.parametrize(
    ("second", "warned"),
    [
        (
            REFUSAL,
            "out.txt:2: the text printed for document 'd2' is not a copy of it (0 of 9 words): did the model refuse?",
        ),
        ("Eve met her old cat . It purred .", "out.txt:2: document 'd2' has no tags, but mentions in the key"),
    ],
    ids=["refusal", "plain"],
)
def test_one_document_of_several_without_tags_is_warned_of(second: str, warned: str, tmp_path: Path) -> None:
    read, account, warnings = _read(*_files(tmp_path, MANY, f"{FIRST}\n{second}\n"))
    assert [len(document) for document in read] == [2, 0]
    assert [warning.rpartition("/")[2] for warning in warnings] == [warned]
    assert account.to_dict()["cut_off"] == []
    assert account.to_dict()["absent"] == ["d2"] * (second == REFUSAL)
    without = KEY + re.sub(r"Entity=\S+", "_", MANY.removeprefix(KEY))
    assert len(_read(*_files(tmp_path, without, f"{FIRST}\n{second}\n"))[2]) == (second == REFUSAL)


def test_a_refusal_that_shares_words_with_a_long_text_is_not_taken_for_its_beginning(tmp_path: Path) -> None:
    words = f"{'la ' * 40}I can help with that , but that is a long story {'lo ' * 200}".split()
    lines = (f"{number}\t{word}\t_\t_\t_\t_\t{number - 1}\t_\t_\t_" for number, word in enumerate(words, 1))
    long = "\n".join(["# newdoc id = long", "# sent_id = long", *lines, "", ""])
    _, account, warnings = _read(*_files(tmp_path, KEY + long, f"{FIRST}\nSorry {REFUSAL} But that is that ."))
    assert not any(document.cut_off for document in account.documents)
    assert any("'long' is not a copy of it" in warning or "not printed" in warning for warning in warnings)


def test_a_zero_of_the_key_is_found_where_the_document_has_no_words(tmp_path: Path) -> None:
    key, printed = tmp_path / "key.conllua", tmp_path / "response.txt"
    key.write_text("0.1" + "\t_" * 9 + "\t(EntityID=8|MarkableID=m)\n", encoding="utf-8")
    printed.write_text("##|[8]\n", encoding="utf-8")
    assert corefscope.score(key, printed, rules="corrected", metrics="mentions")["mentions"].f1 == 1


def test_a_mention_across_sentences_is_compared_within_that_of_its_head(tmp_path: Path) -> None:
    """Printed text cannot have more of it, which is no fault of the model: the format loss is measured without it."""
    key, printed = tmp_path / "key.conllua", tmp_path / "response.txt"
    key.write_text(
        "# newdoc id = d\n0.1" + "\t_" * 10 + "\n1\tAnn" + "\t_" * 8 + "\t(EntityID=1|MarkableID=a\n# sent_id = 2\n"
        "1\tcame" + "\t_" * 8 + "\t)\n",
        encoding="utf-8",
    )
    printed.write_text("Ann|[1] came\n", encoding="utf-8")
    report = corefscope.score(key, printed, style="crac", metrics="mentions")
    assert report["mentions"].f1 == 0
