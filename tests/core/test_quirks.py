"""The quirks of CorefUD scorer 1.2: reproduced by ``rules=corefud-1.2``, gone under ``rules=corrected``."""

from __future__ import annotations

from pathlib import Path

import pytest

import corefscope
from corefscope.core.choices import Rules
from corefscope.core.document import Document
from corefscope.core.steps import read_differently
from oracles.quirks import QUIRKS, Quirk, conllu

# The CoNLL score (and where it is the point, another metric) of the same pairs without the bugs.
CORRECTED: dict[str, dict[str, float]] = {
    "1 empty DEPS, linear": {"conll": 100},
    "2 the dictionary loses a match": {"conll": 100, "zero": 100},
    "2 the same, swapped": {"conll": 100, "zero": 100},
    "2 without common ordinals": {"conll": 100, "zero": 100},
    "3 the dictionary invents a match": {"conll": 62.5, "zero": 100},
    "3 with the wrong zero elsewhere": {"conll": 62.5},
    "4 zero prefers identity to the alignment": {"conll": 100, "zero": 100},
    "5 tie": {"muc": 66.67, "conll": 66.67},
    "5 tie, e7 before": {"muc": 50, "conll": 50},
    "5 tie, e7 after": {"muc": 50, "conll": 50},
    "6a phase 1 ignores spans": {"muc": 66.67, "conll": 66.67},
    "6a linear": {"muc": 66.67, "conll": 66.67},
    "6b the first of equal zeros": {"muc": 66.67, "conll": 66.67},
    "6c exact pairs zeros": {"conll": 100},
    "6c linear": {"conll": 25},
    "9 a mention in two entities": {"muc": 100, "conll": 100, "blanc": 100},
    "9 the earlier only": {"conll": 100},
    "9 the later only": {"conll": 25},
    "10 above 100": {"blanc": 100, "ceafe": 100},
    "11a": {"blanc": 100, "conll": 100},
    "11b": {"blanc": 25},
    "11c": {"blanc": 40},
    "12 float ordinals": {"muc": 100, "conll": 100},
    "13 exact": {"conll": 25},
    "13 partial": {"conll": 100},
    "13 partial, swapped": {"conll": 25},
    "13 head": {"conll": 100},
    "14 another head": {"conll": 25},
    "14 partial": {"conll": 100},
    "14 two heads in one entity": {"conll": 100},
    "14 two heads, exact": {"conll": 100},
    "15 twice the same is a singleton": {"conll": 100},
    "22 zeros by position": {"conll": 100, "zero": 100},
    "23 empty parents": {"conll": 25},
    "24 overt": {"conll": 100, "zero": 0},
    "24 swapped": {"conll": 100, "zero": 100},
    "26 LEA": {"lea": 0, "bcub": 40},
}


def _scored(quirk: Quirk, folder: Path, rules: Rules) -> corefscope.Report:
    paths = []
    for name, notation in (("key", quirk.key), ("response", quirk.response)):
        paths.append(folder / f"{name}.conllu")
        paths[-1].write_text(conllu(notation), encoding="utf-8")
    return corefscope.score(*paths, rules=rules, **quirk.options)


@pytest.mark.parametrize("quirk", QUIRKS, ids=[quirk.name for quirk in QUIRKS])
def test_the_official_rules_reproduce_the_quirk(quirk: Quirk, tmp_path: Path) -> None:
    report = _scored(quirk, tmp_path, "corefud-1.2")
    for name, value in quirk.expected.items():
        wanted = value if isinstance(value, tuple) else (value,)
        assert [100 * figure for figure in report[name][-len(wanted) :]] == pytest.approx(wanted, abs=0.006), name


@pytest.mark.parametrize("quirk", QUIRKS, ids=[quirk.name for quirk in QUIRKS])
def test_the_corrected_rules_do_without(quirk: Quirk, tmp_path: Path) -> None:
    report = _scored(quirk, tmp_path, "corrected")
    for name, f1 in CORRECTED[quirk.name].items():
        assert 100 * report[name].f1 == pytest.approx(f1, abs=0.006), name


def test_empty_dependencies_score_instead_of_crashing(tmp_path: Path) -> None:
    """Quirk 1: the official program divides by zero here; zeros without DEPS are matched by position."""
    path = tmp_path / "both.conllu"
    path.write_text(conllu("e1 1 2.1[_]"), encoding="utf-8")
    for rules in corefscope.RULES:
        assert corefscope.score(path, path, rules=rules)["conll"].f1 == 1


def test_parts_that_overlap_count_their_words_once_under_corrected_rules(tmp_path: Path) -> None:
    """The official program keeps a word twice if two parts of a discontinuous mention hold it, and MOR suffers."""
    chunks = ["(e1[1/2]-1", "e1[1/2])(e1[2/2]-1", "e1[2/2])", "(e1-1)"]
    text = conllu("e1 1", words=4).replace("Entity=(e1-1)", "_")
    for number, chunk in enumerate(chunks, 1):
        line = next(line for line in text.split("\n") if line.startswith(f"{number}\t"))
        text = text.replace(line, line[:-1] + f"Entity={chunk}")
    path = tmp_path / "both.conllu"
    path.write_text(text, encoding="utf-8")
    assert corefscope.score(path, path)["mor"].f1 == pytest.approx(0.8)
    assert corefscope.score(path, path, rules="corrected")["mor"].f1 == 1


def test_a_file_without_newdoc_is_one_document(tmp_path: Path) -> None:
    """Quirk 7: the official program stops with a TypeError."""
    path = tmp_path / "both.conllu"
    path.write_text(conllu("e1 1 3").replace("# newdoc id = d\n", ""), encoding="utf-8")
    report = corefscope.score(path, path)
    assert report["conll"].f1 == 1
    assert list(report.documents) == ["#1"]


@pytest.mark.parametrize("longer", ["key", "response"])
def test_unequal_files_are_refused(longer: str, tmp_path: Path) -> None:
    """Quirk 8: the official program lets missing and extra trailing sentences and words pass."""
    short, long = tmp_path / "short.conllu", tmp_path / "long.conllu"
    short.write_text(conllu("e1 1 3", words=4), encoding="utf-8")
    for more in (conllu("e1 1 3", words=5), conllu("e1 1 3", words=4) + "# sent_id = t\n1\tw" + "\t_" * 8 + "\n\n"):
        long.write_text(more, encoding="utf-8")
        with pytest.raises(corefscope.AlignmentError):
            corefscope.score(*((long, short) if longer == "key" else (short, long)))


def test_malformed_bridging_never_aborts(tmp_path: Path) -> None:
    """Quirk 27: Bridge and SplitAnte are not scored, so their faults do not matter."""
    path = tmp_path / "both.conllu"
    text = conllu("e1 1 3").replace("Entity=(e1-1)", "Bridge=e9<e8:x,broken|Entity=(e1-1)|SplitAnte=e1<e1")
    path.write_text(text, encoding="utf-8")
    assert corefscope.score(path, path)["conll"].f1 == 1


def test_malformed_dependencies_of_overt_heads_do_not_matter(tmp_path: Path) -> None:
    """Quirk 28: the official program reads the DEPS of every head and stops at a fault."""
    path = tmp_path / "both.conllu"
    path.write_text(conllu("e1 1 3").replace("\t_\tEntity", "\tnonsense\tEntity"), encoding="utf-8")
    assert corefscope.score(path, path)["conll"].f1 == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# newdoc id = d\n", "# newdoc id =\n"),
        ("# newdoc id = d\n", "# a comment\n\n# newdoc id = d\n"),
        ("# sent_id = s\n", "# sent_id = a/b/c\n"),
        ("# sent_id = s\n", "# sent_id = a/all\n"),
        ("\n2\t", "\n3-2\tx" + "\t_" * 8 + "\n2\t"),
    ],
    ids=["newdoc without id", "comments alone", "slashes", "zone all", "multiword token that ends before it begins"],
)
def test_what_only_we_score_has_no_influence(old: str, new: str, tmp_path: Path) -> None:
    """The official program stops with a traceback; docs/rules.md lists these constructs."""
    text = conllu("e1 1 3")
    text = text.replace("# newdoc id = d\n", "# newdoc id = d\n# sent_id = s\n") if "sent_id" not in text else text
    old = next(line for line in text.split("\n") if "sent_id" in line) + "\n" if "sent_id" in old else old
    assert old in text
    path = tmp_path / "both.conllu"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert corefscope.score(path, path)["conll"].f1 == 1


def test_documents_may_share_a_sentence_id(tmp_path: Path) -> None:
    """The official program takes the second for another zone of the first and stops."""
    path = tmp_path / "both.conllu"
    first = conllu("e1 1 3")
    path.write_text(first + first.replace("newdoc id = d", "newdoc id = e"), encoding="utf-8")
    assert corefscope.score(path, path)["conll"].f1 == 1


@pytest.mark.parametrize("parent", ["+1", "-1", " 1", "0_1", "\u0661"])
def test_parents_of_zeros_are_written_in_plain_digits(parent: str, tmp_path: Path) -> None:
    """The official program scores what Python's int() takes for a number; docs/rules.md says so."""
    path = tmp_path / "both.conllu"
    path.write_text(conllu("e1 1 2.1[3:nsubj]").replace("3:nsubj", f"{parent}:nsubj"), encoding="utf-8")
    with pytest.raises(corefscope.InputError, match="names no word of the sentence"):
        corefscope.score(path, path)


COVAL = [
    ("(0) (0)|(1) (1) (1)", "(0) (0) (1) (1)", ["muc", "bcub", "ceafe", "lea"], [4 / 7, 66 / 89, 0.9, 6 / 11]),
    ("(0) (0)|(1) (1) (1)", "(0) (0)|(1) (1) (1)", ["muc", "bcub", "ceafe", "lea"], [2 / 3, 0.8, 1, 0.6]),
    ("(0)|(0) (0) (1) (1)", "(0) (0) (1) (1)", ["muc", "bcub", "lea"], [1, 1, 1]),
]
"""Cells of key and response in which spans repeat, and F1 as coval has it."""


@pytest.mark.parametrize(("key", "response", "metrics", "wanted"), COVAL)
def test_spans_in_two_entities_have_the_figures_of_coval(
    key: str, response: str, metrics: list[str], wanted: list[float], tmp_path: Path
) -> None:
    paths = []
    for name, cells in (("key", key), ("response", response)):
        rows = [f"d\t0\t{number}\tw\t{cell}" for number, cell in enumerate(cells.split())]
        paths.append(tmp_path / f"{name}.conll")
        text = "\n".join(["#begin document (d); part 000", *rows, "", "#end document", ""])
        paths[-1].write_text(text, encoding="utf-8")
    report = corefscope.score(*paths, metrics=[*metrics, "ceafe"])
    assert [report[name].f1 for name in metrics] == pytest.approx(wanted)
    if "ceafe" not in metrics:  # counted twice by coval: 110 %
        assert report["ceafe"].f1 == 1


def test_the_errors_are_ordinary_exceptions() -> None:
    """Quirk 25: the official errors derive from BaseException."""
    assert issubclass(corefscope.AlignmentError, ValueError)


@pytest.mark.parametrize(("largest_minor", "differently"), [(9, False), (10, True)])
def test_ten_empty_nodes_after_a_word_are_read_differently(largest_minor: int, differently: bool) -> None:
    """CorefUD scorer 1.2 takes 2.10 for 2.1."""
    documents = Document("d", (), largest_minor=largest_minor), Document("d", ())
    assert read_differently(*documents) is read_differently(*documents[::-1]) is differently
