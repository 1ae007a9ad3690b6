"""The quirks of CorefUD scorer 1.2: reproduced by ``rules=corefud-1.2``, gone under ``rules=corrected``."""

from __future__ import annotations

from pathlib import Path

import pytest

import corefscope
from corefscope.base.document import Document
from corefscope.evaluate.steps import read_differently
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


def _scored(quirk: Quirk, folder: Path, rules: str) -> corefscope.Report:
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


def test_the_errors_are_ordinary_exceptions() -> None:
    """Quirk 25: the official errors derive from BaseException."""
    assert issubclass(corefscope.AlignmentError, ValueError)


@pytest.mark.parametrize(("largest_minor", "differently"), [(9, False), (10, True)])
def test_ten_empty_nodes_after_a_word_are_read_differently(largest_minor: int, differently: bool) -> None:
    """CorefUD scorer 1.2 takes 2.10 for 2.1."""
    documents = Document("d", (), largest_minor=largest_minor), Document("d", ())
    assert read_differently(*documents) is read_differently(*documents[::-1]) is differently
