"""CoNLL-2012 files: the sums of the CoNLL reference scorer, variants met in the wild, faults with their lines."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

import corefscope
from corefscope.cli import main
from corefscope.compat import scorer_pl
from corefscope.core.choices import Rules
from corefscope.core.document import Mention
from corefscope.core.errors import Warnings
from corefscope.core.positions import position, word_positions
from corefscope.formats.conll import reader as conll
from corefscope.formats.convert import convert
from corefscope.formats.detection import open_reader
from corefscope.formats.source import Source
from oracles.quirks import conllu
from places import GOLDEN, SHARED

PLAIN = """#begin document (d/1); part 000
d/1\t0\t0\tAnn\tNNP\t(0
d/1\t0\t1\tSmith\tNNP\t0)
d/1\t0\t2\tsaw\tVBD\t-

d/1\t0\t0\ther\tPRP\t(0)|(1
d/1\t0\t1\tdog\tNN\t1)

#end document
#begin document (d/1); part 001
d/1\t1\t0\tit\tPRP\t(0)
d/1\t1\t1\tran\tVBD\t(0)

#end document
"""


def _directories() -> list[Path]:
    return [path for path in (GOLDEN / "conll", SHARED / "conformance" / "conll") if path.exists()]


@pytest.mark.parametrize("rules", list(corefscope.RULES))
@pytest.mark.parametrize("directory", _directories(), ids=str)
def test_the_sums_are_those_of_the_reference_scorer(directory: Path, rules: Rules) -> None:
    """Numerators and denominators of mentions, MUC, B³, both CEAFs and both kinds of BLANC's links."""
    for case, expected in json.loads((directory / "expected.json").read_text(encoding="utf-8")).items():
        paths = (directory / f"{case}.{side}.conll" for side in ("key", "response"))
        report = corefscope.score(*paths, match="exact", singletons="keep", rules=rules)
        for name, figures in expected.items():
            if name == "blanc":  # its boundary cases are those of the rule set
                continue
            wanted = [*figures["recall"], *figures["precision"]]
            assert _sums(report, name) == pytest.approx(wanted, abs=1e-9), (case, name)


def _sums(report: corefscope.Report, name: str) -> list[float]:
    metric, _, kind = name.partition(".")
    counts = report.counts(metric)
    if not kind:
        return list(counts.values())
    common, key, response = (counts[f"{kind}_{side}"] for side in ("common", "key", "response"))
    return [common, key, common, response]


def _written(folder: Path, text: str, name: str = "key.conll") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def _documents(path: Path) -> list[corefscope.Document]:
    _, reader = open_reader(path, None, Warnings())
    try:
        return list(reader)
    finally:
        reader.source.close()


def _entities(path: Path) -> list[list[Any]]:
    return [list(document.entities) for document in _documents(path)]


def test_parts_are_documents_and_ids_are_theirs(tmp_path: Path) -> None:
    path = _written(tmp_path, PLAIN)
    report = corefscope.score(path, path, singletons="keep")
    assert list(report.documents) == ["d/1; part 000", "d/1; part 001"]
    assert report.signature.startswith("conll|")
    assert [[len(entity) for entity in document] for document in _entities(path)] == [[2, 1], [2]]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\t-", "\t_"),
        ("\t-", "\t*"),
        ("\t-", "\t"),
        ("part 000", "part 0"),
        ("(0)|(1", "(0)(1"),
        ("#begin", "# begin"),
        ("\t", "   "),
        ("\n", "\r\n"),
        ("d/1\t0\t", ""),
        ("(0", "(abstract-1"),
        ("(0)|(1", "(0)|(1|"),
        ("(0)|(1", "(1|(0)"),
        ("\n\nd/1", "\n \t\nd/1"),
        ("\n\nd/1", "\n\n\n# a comment\n\nd/1"),
        ("\n\n#end", "\n#end"),
        ("#end document\n", ""),
        ("#begin", "\n# a comment\n#begin"),
    ],
)
def test_variants_met_in_the_wild(old: str, new: str, tmp_path: Path) -> None:
    """They all hold the same entities."""
    text = PLAIN.replace(old, new)
    if "abstract" in new:
        text = text.replace("\t0)", "\tabstract-1)")
    if not new.strip("d/1\t0"):
        text = text.replace("d/1\t1\t", "")
    assert _entities(_written(tmp_path, text)) == _entities(_written(tmp_path, PLAIN, "plain"))


def test_names_without_brackets(tmp_path: Path) -> None:
    text = PLAIN.replace("(d/1); part 000", "first").replace("(d/1); part 001", "second")
    path = _written(tmp_path, text)
    assert list(corefscope.score(path, path).documents) == ["first", "second"]


def _spans(tmp_path: Path, *rows: str) -> dict[str, list[tuple[int, int]]]:
    """First and last word of the mentions of a file with these rows, by entity."""
    text = "\n".join(["#begin document (d)", *rows, "#end document", ""])
    (document,) = _documents(_written(tmp_path, text))
    place = {at: number for number, at in enumerate(_places(document))}
    return {
        id_: [(place[mention.positions[0]], place[mention.positions[-1]]) for mention in entity]
        for id_, entity in zip(document.entity_ids, document.entities, strict=True)
    }


def _places(document: corefscope.Document) -> list[int]:
    return [
        position(sentence.number, at) for sentence in document.sentences for at in range(1, len(sentence.words) + 1)
    ]


def test_skeletons_of_two_columns(tmp_path: Path) -> None:
    """A word and its cell are enough; words are the same whatever the number of columns."""
    cells = ("(0", "0)", "-", "", "(0)|(1", "1)")
    words = ("Ann", "Smith", "saw", "", "her", "dog")
    for before in ("", "d\t", "d\t0\t", "d\t0\t0\t"):
        rows = [f"{before}{word}\t{cell}" if word else "" for word, cell in zip(words, cells, strict=True)]
        assert _spans(tmp_path, *rows) == {"0": [(0, 1), (3, 3)], "1": [(3, 4)]}
        (document,) = _documents(tmp_path / "key.conll")
        assert [document.form(place) for place in _places(document)] == [word for word in words if word]


def test_an_id_nested_in_itself_closes_what_was_opened_last(tmp_path: Path) -> None:
    assert _spans(tmp_path, "a (0", "b (0", "c 0)", "d 0)") == {"0": [(0, 3), (1, 2)]}
    assert _spans(tmp_path, "a (0|(0", "b -", "c 0)|0)") == {"0": [(0, 2), (0, 2)]}
    assert _spans(tmp_path, "a (0(0)", "b 0)(0)") == {"0": [(0, 1), (0, 0), (1, 1)]}


def test_brackets_need_nothing_between_them(tmp_path: Path) -> None:
    held = {"1": [(0, 2), (3, 3)], "b-2": [(0, 1), (2, 3)]}
    for bar in ("", "|"):
        rows = f"a (1{bar}(b-2", "b b-2)", f"c 1){bar}(b-2", f"d (1){bar}b-2)"
        assert _spans(tmp_path, *rows) == held


def test_a_bare_id_goes_on_with_its_mention(tmp_path: Path) -> None:
    """As in published keys of cross-document coreference; where nothing is open it is still a fault."""
    assert _spans(tmp_path, "a (0|(1)", "b 0|(1)", "c 0|0)", "d (0)") == {
        "1": [(0, 0), (1, 1)],
        "0": [(0, 2), (3, 3)],
    }
    for cells in (("0", "(0)"), ("(0", "0)|0"), ("(1", "0|1)")):
        with pytest.raises(corefscope.InputError, match=r"'0' in the coreference cell .* is no bracket with an id"):
            _spans(tmp_path, *(f"w {cell}" for cell in cells))


def test_a_bare_id_is_converted_to_brackets_alone(tmp_path: Path) -> None:
    path = _written(
        tmp_path, "#begin document (d); part 000\nd\t0\t0\ta\t(0\nd\t0\t1\tb\t0\nd\t0\t2\tc\t0)\n\n#end document\n"
    )
    assert main(["convert", str(path), str(tmp_path / "new.conll")]) == 0
    assert (tmp_path / "new.conll").read_text(encoding="utf-8") == path.read_text(encoding="utf-8").replace(
        "b\t0", "b\t-"
    )


def test_a_cell_counts_from_left_to_right_and_opens_first_to_the_reference(tmp_path: Path) -> None:
    """``5)|(5`` ends a mention and begins another; the reference closes what the cell has just opened."""
    rows = "a (5|(7", "b 5)|(5|(6)", "c 7)|5)", "d (5)"
    assert _spans(tmp_path, *rows) == {"5": [(0, 1), (1, 2), (3, 3)], "7": [(0, 2)], "6": [(1, 1)]}
    (document,) = _documents(tmp_path / "key.conll")
    assert document.official is not None
    lengths = [[len(mention.positions) for mention in entity] for entity in document.official.entities]
    assert lengths == [[3, 1, 1], [3], [1]]
    assert document.official.entity_ids == document.entity_ids == ("5", "7", "6")
    assert document.official.official is None


def test_only_cells_that_close_and_reopen_have_another_reading(tmp_path: Path) -> None:
    for cells in (("(5", "5)|(6", "6)"), ("(5", "(5|5)", "5)"), ("(5", "5)|(5)"), ("(5)|(6", "6)|(5", "5)")):
        _written(tmp_path, "\n".join(["#begin document (d)", *(f"w {cell}" for cell in cells), "#end document", ""]))
        assert [document.official for document in _documents(tmp_path / "key.conll")] == [None]


def test_rules_choose_how_a_cell_is_read(tmp_path: Path) -> None:
    """The key has (0, 1), (1, 2) and (3, 3) under corrected rules, (0, 2), (1, 1) and (3, 3) under official ones."""
    head = ("#begin document (d)", *(f"w {cell}" for cell in ("(5", "5)|(5", "5)", "(5)")), "#end document", "")
    key = _written(tmp_path, "\n".join(head))
    response = _written(
        tmp_path, "\n".join(head).replace("5)|(5", "5)").replace("w 5)\nw (5)", "w -\nw (5)"), "response"
    )
    matched = {
        rules: corefscope.score(key, response, rules=rules, match="exact", singletons="keep", metrics="mentions")
        for rules in corefscope.RULES
    }
    counts = {rules: list(report.counts("mentions").values()) for rules, report in matched.items()}
    read, meant = [1, 3, 1, 2], [2, 3, 2, 2]
    as_meant = ("corrected", "ua-1.0", "ua-2.0", "bookcoref")
    assert counts == {rules: meant if rules in as_meant else read for rules in corefscope.RULES}


def test_rules_that_read_a_cell_as_the_reference_does_say_so(tmp_path: Path) -> None:
    cells = "(5", "5)|(5|(6", "6)|5)|(5", "5)|(5|5)"
    text = "\n".join(["#begin document (d)", *(f"w {cell}" for cell in cells), "#end document", ""])
    path = _written(tmp_path, text)
    message = (
        f"{path}:3: '5)|(5|(6' closes '5' and opens it again: the reference scorer opens before it closes, "
        "and reads other mentions"
    )
    warned = {
        rules: [text for text in corefscope.score(path, path, rules=rules).warnings if message in text]
        for rules in corefscope.RULES
    }
    as_both, as_meant = [f"{message} (and 3 more of this kind)"], ("corrected", "ua-1.0", "ua-2.0", "bookcoref")
    assert warned == {rules: [] if rules in as_meant else as_both for rules in corefscope.RULES}
    assert convert(path, tmp_path / "new.jsonl").warnings == (f"{message} (and 1 more of this kind)",)


def test_mentions_may_cross_sentences(tmp_path: Path) -> None:
    path = _written(tmp_path, PLAIN.replace("0)\n", "-\n", 1).replace("(0)|(1", "0)(0)|(1"))
    assert [len(mention.positions) for mention in _entities(path)[0][0]] == [4, 1]


def test_mentions_may_not_cross_documents(tmp_path: Path) -> None:
    path = _written(tmp_path, PLAIN.replace("\t1)", "\t-").replace("\t(0)\n", "\t1)\n", 1))
    with pytest.raises(corefscope.InputError, match=r":6: a mention of '1' .* is never closed"):
        corefscope.score(path, path)


def test_one_row_for_each_mention(tmp_path: Path) -> None:
    """As written for cross-document coreference: no words, no sentences, one document for the corpus or topic."""
    head, rows = "#begin document (ECB+/all); part 000\n", [f"ECB+/all\t({at % 3})\n" for at in range(9)]
    key = _written(tmp_path, "".join([head, *rows, "#end document\n"]))
    response = _written(tmp_path, "".join([head, *rows]).replace("(2)", "(1)"), "response.conll")
    report = corefscope.score(key, response, preset="conll12")
    assert [str(side) for side in report.inputs] == [
        "1 document, 9 mentions in 3 entities (0 singletons)",
        "1 document, 9 mentions in 2 entities (0 singletons)",
    ]
    assert list(report.counts("muc").values()) == [6, 6, 6, 7]


SEMEVAL = """#begin document 10024_20000222
1\tAnn\tann\tann\tnp\tnp\t_\t_\t2\t2\t_\t_\t_\t_\t_\t_\t(1)
2\tsaw\tsee\tsee\tv\tv\t_\t_\t0\t0\t_\t_\t_\t_\t_\t_\t_
3\ther\ther\ther\tp\tp\t_\t_\t4\t4\t_\t_\t_\t_\t_\t_\t(2|(1)
4\tdog\tdog\tdog\tn\tn\t_\t_\t2\t2\t_\t_\t_\t_\t_\t_\t2)

1\tIt\tit\tit\tp\tp\t_\t_\t2\t2\t_\t_\t_\t_\t_\t_\t-
2\tran\trun\trun\tv\tv\t_\t_\t0\t0\t_\t_\t_\t_\t_\t_\t

#end document 10024_20000222
"""


def test_semeval_has_its_words_in_the_second_column(tmp_path: Path) -> None:
    path = _written(tmp_path, SEMEVAL)
    report = corefscope.score(path, path, preset="conll12")
    assert report.signature.startswith("semeval|")
    assert list(report.documents) == ["10024_20000222"]
    assert str(report.inputs[0]) == "1 document, 3 mentions in 2 entities (1 singleton)"
    (document,) = _documents(path)
    assert [document.form(place) for place in _places(document)] == ["Ann", "saw", "her", "dog", "It", "ran"]
    conll = _written(tmp_path, "\n".join(["#begin document 10024_20000222", *_skeleton(SEMEVAL)]), "skeleton.conll")
    assert corefscope.score(path, conll, match="exact", singletons="keep")["conll"].f1 == 1


def _skeleton(text: str) -> list[str]:
    """Words and cells of a SemEval file."""
    rows = [line.split("\t") for line in text.split("\n")[1:]]
    return ["\t".join((row[1], row[-1])) if len(row) > 1 else row[0] for row in rows]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("#begin document (nw/wsj_0001); part 000", "nw/wsj_0001; part 000"),
        ("#begin document (nw/wsj_0001); part 0", "nw/wsj_0001; part 000"),
        ("#begin document nw/wsj_0001; part 12", "nw/wsj_0001; part 012"),
        ("# begin document (a b)", "a b"),
        ("#begin document abstract-1", "abstract-1"),
        ("#begin document", ""),
    ],
)
def test_names_of_documents(line: str, name: str, tmp_path: Path) -> None:
    path = _written(tmp_path, f"{line}\na (0)\nb (0)\n")
    assert list(corefscope.score(path, path).documents) == [name]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("\t0)", "\t7)", 3, "entity '7' is closed but was never opened"),
        ("\t1)", "\t-", 6, "a mention of '1' that begins in this sentence is never closed"),
        ("\t1)", "\t(", 7, "is no bracket with an id"),
        ("\t1)", "\tx", 7, "is no bracket with an id"),
        ("part 001", "part 000", 10, "'d/1; part 000' comes twice"),
        ("d/1\t0\t2\tsaw\tVBD\t-", "saw", 4, "a line of one column"),
        ("(0)|(1", "(0)|1)|(1", 6, "entity '1' is closed but was never opened"),
        ("#end document\n", "#end document\nd/1\t0\t0\tHe\tPRP\t-\n", 10, "a word after '#end document'"),
        ("\t(0)\n", "\t(0\n", 11, "a mention of '0' that begins in this sentence is never closed"),
        ("\t(0)\n", "\t0)\n", 11, "entity '0' is closed but was never opened"),
        ("\t(0)\n", "\t(0))\n", 11, "')' in the coreference cell '(0))' is no bracket with an id"),
        ("\t(0)\n", "\t((0)\n", 11, "'(' in the coreference cell '((0)' is no bracket with an id"),
    ],
)
def test_faults_have_their_line(
    old: str, new: str, line: int, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = _written(tmp_path, PLAIN), _written(tmp_path, PLAIN.replace(old, new, 1), "bad.conll")
    assert main(["score", str(good), str(bad)]) == 1
    err = capsys.readouterr().err
    assert f"bad.conll:{line}: " in err
    assert message in err


def test_sentences_are_cut_if_they_are_longer_than_positions_can_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files with one row for each mention may have a million rows and no empty line."""
    monkeypatch.setattr(conll, "LONGEST", 3)
    joined = _written(tmp_path, PLAIN.replace("\n\nd/1", "\nd/1"))
    assert _entities(joined) == _entities(_written(tmp_path, PLAIN, "plain"))
    assert [[len(sentence.words) for sentence in found.sentences] for found in _documents(joined)] == [[3, 2], [2]]
    _, reader = open_reader(joined, "conll", Warnings())
    (second,) = reader.documents(1, 2)  # of the document before, sentences are only counted
    reader.source.close()
    assert [sentence.number for sentence in second.sentences] == [3]


def test_mentions_over_many_sentences_share_the_ends_of_these(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of a hundred mentions goes over a hundred sentences: what is made is made once for each sentence."""
    made = Mock(wraps=word_positions)
    monkeypatch.setattr(conll, "word_positions", made)
    mentions = conll.Mentions()
    for number in range(200):
        mentions.feed(f"({number}" if number < 100 else f"{number - 100})", position(7 + number, 2))
        mentions.sizes[7 + number] = 1 + number % 3 + 1
    assert made.call_count == 2 * 199
    found = [mention for (mention,) in mentions.entities().values()]
    assert len({id(number) for mention in found for number in mention.broken}) <= 2 * 200 + 2 * 100
    for number, mention in enumerate(found):
        words = [position(7 + s, word) for s in range(number, number + 101) for word in range(1, 3 + s % 3)]
        words = [place for place in words if mention.first <= place <= mention.last]
        assert mention == Mention(words, words[0])


def test_a_line_of_many_marks_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []

    class Piece(bytes):
        def rfind(self, sub: Any, start: Any = None, end: Any = None) -> int:
            looked.append((len(self) if end is None else end) - (start or 0))
            return super().rfind(sub, start, end)

    text = Piece(b"#begin document d\nw\t(0)\nx " + b"# begin document " * 500 + b"# end document " * 500 + b"\n")
    assert sum(len(group or b"") for mark in scorer_pl.MARK.finditer(text) for group in mark.groups()) < len(text)
    monkeypatch.setattr(Source, "pieces", lambda *_: [(0, text)])
    reader = scorer_pl.ScorerPlReader(Source("many.conll", BytesIO(text)), Warnings())
    assert list(reader.last) == ["d"]
    assert sum(looked) < len(text)


def test_a_word_may_be_a_hash(tmp_path: Path) -> None:
    """In a skeleton it stands where comments begin."""
    assert _spans(tmp_path, "#\t(0)", "1\t(1)", "#\t(0)", "# a comment", "x\t(1)") == {
        "0": [(0, 0), (2, 2)],
        "1": [(1, 1), (3, 3)],
    }


def test_words_must_agree(tmp_path: Path) -> None:
    good, bad = _written(tmp_path, PLAIN), _written(tmp_path, PLAIN.replace("dog", "cat"), "bad.conll")
    says = r"bad\.conll:7: word 2 of sentence .* is 'cat', but in the key \(.*:7\) 'dog'"
    with pytest.raises(corefscope.AlignmentError, match=says):
        corefscope.score(good, bad)
    good.write_text(PLAIN.replace("\n\n#end", "\n#end"), encoding="utf-8")  # no empty line after the sentence
    with pytest.raises(corefscope.AlignmentError, match=says):
        corefscope.score(good, bad)


def test_formats_may_differ_if_the_words_agree(tmp_path: Path) -> None:
    """A CorefUD key and a CoNLL response over the same words."""
    key = _written(tmp_path, conllu("e1 1 3; e2 2 4", words=4), "key.conllu")
    rows = [f"d 0 {i} w{i + 1} {cell}" for i, cell in enumerate(("(5)", "(6)", "(5)", "-"))]
    response = _written(tmp_path, "\n".join(["#begin document (d)", *rows, "", "#end document", ""]), "response")
    report = corefscope.score(key, response, match="exact")
    assert report.signature.startswith("corefud+conll|")
    assert report["muc"] == (0.5, 1.0, pytest.approx(2 / 3))  # type: ignore[comparison-overlap]


def test_the_format_can_be_forced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(_written(tmp_path, PLAIN, "anything"))
    assert main(["score", path, path, "--key-format", "corefud"]) == 1
    assert "not CoNLL-U" in capsys.readouterr().err
    assert main(["score", path, path, "--match", "head", "--key-format", "conll", "--response-format", "conll"]) == 0
    assert "the file has no heads" in capsys.readouterr().err
    assert main(["score", path, path, "--match", "exact"]) == 0
    assert not capsys.readouterr().err
    with pytest.raises(corefscope.OptionError, match="did you mean 'conll'"):
        corefscope.score(path, path, key_format="conl")
