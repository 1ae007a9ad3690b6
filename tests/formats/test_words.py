"""``words="ignore"``: mentions are compared by the numbers of their words, whatever the words and sentences are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import corefscope
from corefscope.cli import main
from corefscope.compat.commands.conll import main as drop_in
from corefscope.core.request import Request

CELLS = ("(1", "1)", "(1)", "(2)", "(2)|(3")


def conll(*documents: str, cells: tuple[str, ...] = CELLS, last: str = "3)") -> str:
    """Documents by their sentences, ``|`` between them and a letter for each word; all with the same cells."""
    lines = []
    for number, sentences in enumerate(documents):
        lines.append(f"#begin document (d); part {number:03d}")
        rest = iter((*cells, last, *["-"] * 9))
        for sentence in sentences.split("|"):
            lines += [*(f"d\t{number}\t{at}\t{word}\t{next(rest)}" for at, word in enumerate(sentence)), ""]
        lines.append("#end document")
    return "\n".join([*lines, ""])


def _scored(folder: Path, key: str, response: str, **options: str) -> corefscope.Report:
    paths = folder / "key.conll", folder / "response.conll"
    for path, text in zip(paths, (key, response), strict=True):
        path.write_text(text, encoding="utf-8")
    return corefscope.score(*paths, **{"preset": "conll12", "words": "ignore", **options})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("response", "warning"),
    [
        ("abcdeX", "word 6 of sentence 1 is 'X', but in the key"),
        ("ab|cd|ef", "word 3 of sentence 1 is missing, but in the key"),
        ("abcdefgh", "word 7 of sentence 1 is 'g', but in the key"),
        ("uvw|xyz", "word 1 of sentence 1 is 'u', but in the key"),
    ],
)
@pytest.mark.parametrize("rules", list(corefscope.RULES))
def test_other_words_and_sentences_give_the_figures_of_the_same(
    response: str, warning: str, rules: str, tmp_path: Path
) -> None:
    """In the second document too, whose sentences then have other numbers than in the key."""
    key = conll("abcdef", "abc|def")
    report = _scored(tmp_path, key, conll(response, "abc|def"), rules=rules)
    assert report["conll"].f1 == 1
    assert list(report.counts("mentions").values()) == [10, 10, 10, 10]
    assert len(report.warnings) == 1
    assert warning in report.warnings[0]
    assert "words are not compared" in report.warnings[0]


def test_the_same_words_need_no_warning(tmp_path: Path) -> None:
    key = conll("abc|def", "abcdef")
    report = _scored(tmp_path, key, key)
    assert not report.warnings


def test_a_response_may_lack_words(tmp_path: Path) -> None:
    report = _scored(tmp_path, conll("abc|def"), conll("abcd", cells=CELLS[:4], last="-"))
    assert list(report.counts("mentions").values()) == [3, 5, 3, 3]


def test_words_beyond_the_end_of_the_key_do_not_move_later_documents(tmp_path: Path) -> None:
    """Also where documents are joined: what follows a longer document is still where it was."""
    key, response = conll("ab|cdef", "abc|def"), conll("abcdef|gh|i", "abcdef")
    for documents in ("apart", "merge"):
        assert _scored(tmp_path, key, response, documents=documents)["conll"].f1 == 1


def test_both_readings_of_a_cell_are_kept(tmp_path: Path) -> None:
    """To the reference ``5)|(5`` is a mention inside of another, in whatever sentences it stands."""
    cells = "(5", "5)|(5", "5)", "(5)", "-"
    report = _scored(tmp_path, conll("abcdef", cells=cells, last="-"), conll("ab|cdef", cells=cells, last="-"))
    assert list(report.counts("mentions").values()) == [3, 3, 3, 3]


def test_what_compares_words_anyway_refuses_to_ignore_them() -> None:
    Request({"words": "compare"}).refuse(words="there is one file")
    with pytest.raises(corefscope.OptionError, match="words cannot be used here: there is one file"):
        Request({"words": "ignore"}).refuse(words="there is one file")


def test_the_drop_in_and_the_option_agree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = _scored(tmp_path, conll("abc|def", "abcdef"), conll("abdef|g", "a|bcd|ef"))
    assert drop_in(["bcub", str(tmp_path / "key.conll"), str(tmp_path / "response.conll")]) == 0
    wanted = "Coreference: Recall: ({:.15g} / {:.15g})"
    assert wanted.format(*list(report.counts("bcub").values())[:2]) in capsys.readouterr().out


def test_a_signature_says_so_only_if_words_were_ignored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key, response = conll("abc|def"), conll("abcdeX")
    signature = _scored(tmp_path, key, response).signature
    assert signature.rpartition("|v")[0].endswith("|rules:conll-8.01|words:ignore")
    assert "words" not in _scored(tmp_path, key, key, words="compare").signature
    files = str(tmp_path / "key.conll"), str(tmp_path / "response.conll")
    (tmp_path / "response.conll").write_text(response, encoding="utf-8")
    assert main(["score", *files, "--preset", "conll12"]) == 1
    assert main(["score", *files, "--preset", "conll12", "--words", "compare"]) == 1
    assert main(["score", *files, "--signature", signature]) == 0
    assert signature in capsys.readouterr().out.replace("\n|", "|")


def test_a_saved_result_is_verified_with_its_words_ignored(tmp_path: Path) -> None:
    _scored(tmp_path, conll("abc|def"), conll("abcdeX"))
    files = str(tmp_path / "key.conll"), str(tmp_path / "response.conll")
    saved = tmp_path / "report.json"
    assert main(["score", *files, "--words", "ignore", "-o", str(saved)]) == 0
    assert json.loads(saved.read_text(encoding="utf-8"))["options"]["words"] == "ignore"
    assert main(["verify", str(saved)]) == 0
    data = tmp_path / "task" / "data"
    data.mkdir(parents=True)
    (data / "key.conll").write_text(conll("abc|def"), encoding="utf-8")
    (data / "one.conll").write_text(conll("abcdeX"), encoding="utf-8")
    assert main(["task", str(data.parent), "--words", "ignore", "--jobs", "1", "-o", str(saved)]) == 0
    assert main(["verify", str(saved)]) == 0


def test_jsonlines_may_be_compared_by_number_too(tmp_path: Path) -> None:
    key, response = tmp_path / "key.jsonl", tmp_path / "response.jsonl"
    clusters = [[[0, 1], [3, 3]], [[2, 2], [4, 5]]]
    key.write_text(json.dumps({"doc_key": "d", "sentences": [list("abc"), list("def")], "clusters": clusters}))
    response.write_text(json.dumps({"doc_key": "d", "sentences": [list("abcdXYZ")], "clusters": clusters}))
    report = corefscope.score(key, response, words="ignore", match="exact")
    assert report["conll"].f1 == 1
    with pytest.raises(corefscope.AlignmentError):
        corefscope.score(key, response, match="exact")


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("key.conllu", "# newdoc id = d\n1\ta" + "\t_" * 8 + "\n\n", "corefud: its official scorer compares them"),
        ("key.csv", "document,mention,entity\nd,a,1\nd,b,1\n", "table: it has none, mentions are ids"),
        ("key.json", '{"d": [["a", "b"]]}', "clusters: it has none, mentions are ids"),
    ],
)
def test_where_words_cannot_be_ignored_the_reason_is_said(name: str, text: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(corefscope.OptionError, match=f"words cannot be ignored in .*{name}, which is {reason}"):
        corefscope.score(path, path, words="ignore")


def test_unknown_values_are_refused(tmp_path: Path) -> None:
    with pytest.raises(corefscope.OptionError, match=r"unknown words 'ignor' .did you mean 'ignore'"):
        _scored(tmp_path, conll("abcdef"), conll("abcdef"), words="ignor")


def test_a_document_without_words_in_the_key_is_still_an_error(tmp_path: Path) -> None:
    key = conll("abcdef") + "#begin document (d); part 001\n#end document\n"
    with pytest.raises(corefscope.AlignmentError, match="is not in the key"):
        _scored(tmp_path, key, conll("abcdef", "abcdef"))


UA_COLUMNS = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY"


def _ua(sentences: Sequence[str], spans: Sequence[tuple[int, int]]) -> str:
    lines = [UA_COLUMNS, "# newdoc id = d"]
    number = 0
    for word in "\n".join(sentences):
        if word == "\n":
            lines.append("")
            continue
        number += 1
        opened = [f"(EntityID=1|MarkableID=m{first}|SemType=dn" for first, _ in spans if first == number]
        closed = [")" for _, last in spans if last == number]
        lines.append("\t".join([str(number), word, *"_" * 8, "".join(opened + closed) or "_"]))
    return "\n".join([*lines, "", ""])


def _conll(sentences: Sequence[str], spans: Sequence[tuple[int, int]]) -> str:
    cells = ["-"] * 9
    for first, last in spans:
        cells[first - 1] = "(1" if first < last else "(1)"
        if first < last:
            cells[last - 1] = "1)"
    return conll("|".join(sentences), cells=tuple(cells), last="-")


def _jsonl(sentences: Sequence[str], spans: Sequence[tuple[int, int]]) -> str:
    clusters = [[[first - 1, last - 1] for first, last in spans]]
    return json.dumps({"doc_key": "d", "sentences": [list(words) for words in sentences], "clusters": clusters})


WRITTEN = {"conll": _conll, "jsonl": _jsonl, "conllua": _ua}
TEXTS: list[tuple[list[str], list[tuple[int, int]]]] = [
    (["ab"], [(1, 1), (2, 2)]),
    (["ab", "c"], [(1, 1), (3, 3)]),
    (["abc"], [(1, 1), (3, 3)]),
    (["abcd", "ef"], [(1, 1), (4, 6)]),
    (["a", "b", "c"], [(1, 1), (3, 3)]),
    (["abcdefg"], [(2, 2), (6, 7)]),
]
"""Sentences and the mentions of an entity in them: of one sentence or several, with words that others lack."""


@pytest.mark.parametrize("key", range(len(TEXTS)))
@pytest.mark.parametrize("name", list(WRITTEN))
def test_every_command_takes_a_response_that_is_longer_or_shorter_than_the_key(
    name: str, key: int, tmp_path: Path
) -> None:
    files = [tmp_path / f"{number}.{name}" for number in range(len(TEXTS))]
    for path, (sentences, spans) in zip(files, TEXTS, strict=True):
        path.write_text(WRITTEN[name](sentences, spans), encoding="utf-8")
    ignore, page = ["--words", "ignore", "--quiet"], tmp_path / "page.html"
    for response in files:
        pair = [str(files[key]), str(response)]
        for command in (
            *(["score"], ["errors"], ["diff"], ["explain", "muc"], ["agree"]),
            *(["report", "-o", str(page)], ["report", "-o", str(page), str(files[0])]),
        ):
            assert main([*command, *pair, *ignore]) == 0, (command, pair)


def test_words_beyond_the_key_are_shown_after_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The mention of a word that the key lacks has its word in the text, as the response has it."""
    paths = [tmp_path / f"{number}.conll" for number in range(2)]
    for path, (sentences, spans) in zip(paths, TEXTS[:3:2], strict=True):
        path.write_text(_conll(sentences, spans), encoding="utf-8")
    assert main(["diff", *map(str, paths), "--words", "ignore", "--quiet", "--color", "never"]) == 0
    assert "\n  [a]1 [-b-]1 {+c+}1\n" in capsys.readouterr().out
