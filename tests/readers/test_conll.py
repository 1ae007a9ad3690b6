"""CoNLL-2012 files: the sums of the CoNLL reference scorer, variants met in the wild, faults with their lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import corefscope
from corefscope.cli import main
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
def test_the_sums_are_those_of_the_reference_scorer(directory: Path, rules: str) -> None:
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


def _entities(path: Path) -> list[list[Any]]:
    from corefscope.errors import Warnings
    from corefscope.readers.catalogue import open_reader

    _, reader = open_reader(path, None, Warnings())
    found = [list(document.entities) for document in reader]
    reader.source.close()
    return found


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


def test_mentions_may_cross_sentences(tmp_path: Path) -> None:
    path = _written(tmp_path, PLAIN.replace("0)\n", "-\n", 1).replace("(0)|(1", "0)(0)|(1"))
    assert [len(mention.positions) for mention in _entities(path)[0][0]] == [4, 1]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("\t0)", "\t7)", 3, "entity '7' is closed but was never opened"),
        ("\t1)", "\t-", 6, "a mention of '1' that begins in this sentence is never closed"),
        ("\t1)", "\t(", 7, "is no bracket with an id"),
        ("\t1)", "\tx", 7, "is no bracket with an id"),
        ("part 001", "part 000", 10, "'d/1; part 000' comes twice"),
        ("d/1\t0\t2\tsaw\tVBD\t-", "saw", 4, "a line of one column"),
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


def test_words_must_agree(tmp_path: Path) -> None:
    good, bad = _written(tmp_path, PLAIN), _written(tmp_path, PLAIN.replace("dog", "cat"), "bad.conll")
    with pytest.raises(corefscope.AlignmentError, match=r"bad\.conll:7: word 2 of sentence .* is 'cat'"):
        corefscope.score(good, bad)


def test_formats_may_differ_if_the_words_agree(tmp_path: Path) -> None:
    """A CorefUD key and a CoNLL response over the same words."""
    key = _written(tmp_path, conllu("e1 1 3; e2 2 4", words=4), "key.conllu")
    rows = [f"d 0 {i} w{i + 1} {cell}" for i, cell in enumerate(("(5)", "(6)", "(5)", "-"))]
    response = _written(tmp_path, "\n".join(["#begin document (d)", *rows, "", "#end document", ""]), "response")
    report = corefscope.score(key, response, match="exact")
    assert report.signature.startswith("corefud+conll|")
    assert report["muc"] == (0.5, 1.0, pytest.approx(2 / 3))


def test_the_format_can_be_forced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(_written(tmp_path, PLAIN, "anything"))
    assert main(["score", path, path, "--key-format", "corefud"]) == 1
    assert "not CoNLL-U" in capsys.readouterr().err
    assert main(["score", path, path, "--key-format", "conll", "--response-format", "conll"]) == 0
    assert "the file has no heads" in capsys.readouterr().err
    assert main(["score", path, path, "--match", "exact"]) == 0
    assert not capsys.readouterr().err
    with pytest.raises(corefscope.OptionError, match="did you mean 'conll'"):
        corefscope.score(path, path, key_format="conl")
