"""GAP: counts against a literal twin of the official program, decisions of clusterings, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope
from corefscope import GapReport, InputError, OptionError, probe
from corefscope.cli import main
from corefscope.formats.standoff.gap import COLUMNS
from examples import examples

PRONOUNS = {"masculine": ["he", "His", "him"], "feminine": ["She", "her", "hers"], "other": ["they"]}
FEW: dict[str, Any] = {"resamples": 100}


def written_gap(folder: Path, rows: Sequence[tuple[str, bool, bool]]) -> Path:
    """Examples of the text "Ann Lee met Eve , and PRONOUN left .", where A is Ann Lee and B is Eve."""
    lines = ["\t".join((*COLUMNS, "URL"))]
    for number, (pronoun, a, b) in enumerate(rows, 1):
        text = f"Ann Lee met Eve, and {pronoun} left."
        cells = [f"d{number}", text, pronoun, 21, "Ann Lee", 0, str(a).upper(), "Eve", 12, str(b).upper(), "http://x"]
        lines.append("\t".join(map(str, cells)))
    path = folder / "gap.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def written_decisions(folder: Path, decisions: Mapping[str, Sequence[object]]) -> Path:
    path = folder / "decisions.tsv"
    lines = ["\t".join([name, *(str(value).upper() for value in cells)]) for name, cells in decisions.items()]
    path.write_text("\n".join(lines or ["d0\tTRUE\tTRUE"]) + "\n", encoding="utf-8")
    return path


def scored(key: Path, response: Path, **options: Any) -> GapReport:
    report = probe(key, response, **{**FEW, **options})
    assert isinstance(report, GapReport)
    return report


def official(
    rows: Sequence[tuple[str, bool, bool]], decisions: Mapping[str, Sequence[bool]]
) -> dict[str, tuple[int, ...]]:
    """tp, fp, fn, tn by gender, as the paper and its program count them."""
    found = {group: [0, 0, 0, 0] for group in ("overall", "masculine", "feminine")}
    for number, (pronoun, *gold) in enumerate(rows, 1):
        groups = [found["overall"]]
        groups += [found[g] for g in ("masculine", "feminine") if pronoun.lower() in map(str.lower, PRONOUNS[g])]
        for counts in groups:
            for at, wanted in enumerate(gold):
                if f"d{number}" not in decisions:
                    counts[2] += 1
                elif decisions[f"d{number}"][at]:
                    counts[0 if wanted else 1] += 1
                else:
                    counts[2 if wanted else 3] += 1
    return {group: tuple(counts) for group, counts in found.items()}


def exact_f1(tp: int, fp: int, fn: int) -> Fraction:
    return Fraction(2 * tp, 2 * tp + fp + fn) if tp else Fraction(0)


pronouns = st.sampled_from([word for words in PRONOUNS.values() for word in words])
two = st.tuples(st.booleans(), st.booleans())
rows_of_gap = st.tuples(pronouns, st.booleans(), st.booleans())
cases = st.lists(
    st.tuples(st.tuples(pronouns, st.booleans(), st.booleans()), st.none() | two), min_size=1, max_size=6
)


@examples(40)
@given(cases=st.lists(st.tuples(rows_of_gap, st.none() | two), min_size=1, max_size=6))
def test_counts_are_those_of_a_literal_twin(cases: list[Any], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("gap")
    rows = [row for row, _ in cases]
    decisions = {f"d{number}": decided for number, (_, decided) in enumerate(cases, 1) if decided}
    report = scored(written_gap(folder, rows), written_decisions(folder, decisions))
    expected = official(rows, decisions)
    assert {group: tuple(score) for group, score in report.items()} == expected
    f1s = {group: exact_f1(*counts[:3]) for group, counts in expected.items()}
    for group, score in report.items():
        tp, fp, fn, _ = expected[group]
        assert score.precision == (tp / (tp + fp) if tp + fp else 0)
        assert score.recall == (tp / (tp + fn) if tp + fn else 0)
        assert score.f1 == pytest.approx(float(f1s[group]))
    if f1s["masculine"] and f1s["feminine"]:
        assert report.bias == pytest.approx(float(f1s["feminine"] / f1s["masculine"]))
    else:
        assert report.bias is None
    assert report.missing == 2 * sum(decided is None for _, decided in cases)


ROWS = [("she", True, False), ("her", False, True), ("he", True, False), ("his", False, False), ("she", True, False)]
DECISIONS = {"d1": (True, False), "d2": (True, True), "d3": (False, True), "d4": (False, False), "d5": (True, False)}


def test_a_perfect_response_scores_1_and_order_does_not_matter(tmp_path: Path) -> None:
    key = written_gap(tmp_path, ROWS)
    perfect = {f"d{number}": gold for number, (_, *gold) in enumerate(ROWS, 1)}
    report = scored(key, written_decisions(tmp_path, dict(reversed(perfect.items()))))
    assert [score.f1 for score in report.values()] == [1, 1, 1]
    assert report.bias == 1
    assert report.intervals["overall"] == (1, 1)


def test_intervals_are_percentiles_over_samples_of_examples(tmp_path: Path) -> None:
    """The oracle draws examples as docs/significance.md says, and counts each sample anew."""
    report = scored(written_gap(tmp_path, ROWS), written_decisions(tmp_path, DECISIONS), resamples=200, seed=3)
    numbers = np.random.PCG64(3).random_raw(200 * 5).reshape(200, 5)
    drawn = [[int(x) >> 32 for x in row] for row in numbers]
    samples: dict[str, list[float]] = {"overall": [], "masculine": [], "feminine": [], "bias": []}
    for sample in drawn:
        chosen = [place * 5 >> 32 for place in sample]
        counts = official(
            [ROWS[at] for at in chosen], {f"d{n}": DECISIONS[f"d{at + 1}"] for n, at in enumerate(chosen, 1)}
        )
        f1s = {group: exact_f1(*of[:3]) for group, of in counts.items()}
        for group, value in f1s.items():
            if any(counts[group][:3]):
                samples[group].append(float(value))
        if f1s["feminine"] and f1s["masculine"]:
            samples["bias"].append(float(f1s["feminine"] / f1s["masculine"]))
    for group, values in samples.items():
        expected = np.quantile(values, [0.025, 0.975]).tolist() if values else None
        assert report.intervals[group] == (expected and pytest.approx(expected)), group
    assert report.intervals["bias"] is None  # no masculine pronoun is resolved


WORDS = ["Ann", "Lee", "met", "Eve", ",", "and", "she", "left", "."]


@pytest.mark.parametrize(
    ("clusters", "exact", "overlap"),
    [
        ([[[0, 1], [6, 6]]], (True, False), (True, False)),
        ([[[0, 1], [3, 3], [6, 6]]], (True, True), (True, True)),
        ([[[1, 1], [6, 6]]], (False, False), (True, False)),
        ([[[0, 3], [6, 6]]], (False, False), (True, True)),
        ([[[3, 3], [6, 7]]], (False, False), (False, False)),
        ([[[0, 1], [3, 3]], [[6, 6]]], (False, False), (False, False)),
        ([[[0, 1], [6, 6]], [[3, 3], [6, 6]]], (True, True), (True, True)),
        ([], (False, False), (False, False)),
    ],
)
def test_clusterings_decide(clusters: Any, exact: Any, overlap: Any, tmp_path: Path) -> None:
    key = written_gap(tmp_path, [("she", True, False)])
    response = tmp_path / "response.jsonl"
    response.write_text(json.dumps({"doc_key": "d1", "tokens": WORDS, "clusters": clusters}), encoding="utf-8")
    found = scored(key, response)
    assert tuple(decision.response for decision in found.decisions) == exact
    assert "|decisions:exact|" in found.signature
    found = scored(key, response, gap="overlap")
    assert tuple(decision.response for decision in found.decisions) == overlap


def test_clusterings_are_paired_by_name_and_laid_over_their_words(tmp_path: Path) -> None:
    key = written_gap(tmp_path, [("she", True, False), ("he", False, True)])
    response = tmp_path / "response.conll"
    documents = []
    for name, words, cells in (
        ("d2", [*WORDS[:6], "he", *WORDS[7:]], {3: "(1)", 6: "(1)"}),
        ("d1", WORDS, {0: "(0", 1: "0)", 6: "(0)"}),
    ):
        rows = [f"{name} 0 {n} {word} {cells.get(n, '-')}" for n, word in enumerate(words)]
        documents.append("\n".join([f"#begin document ({name}); part 000", *rows, "", "#end document", ""]))
    response.write_text("".join(documents), encoding="utf-8")
    report = scored(key, response)
    assert tuple(report["overall"]) == (2, 0, 0, 2)
    assert report.bias == 1


def test_the_key_itself_is_a_clustering_that_is_right(tmp_path: Path) -> None:
    key = written_gap(tmp_path, ROWS)
    report = scored(key, key)
    assert [score.f1 for score in report.values()] == [1, 1, 1]
    assert report.by == "exact"


def test_odd_decisions_count_as_in_the_official_program(tmp_path: Path) -> None:
    key = written_gap(tmp_path, [("she", True, False), ("they", False, False)])
    response = tmp_path / "decisions.tsv"
    text = "ID\tA-coref\tB-coref\tNeither\r\n\nd1\tTrue\tperhaps\tTRUE\nd1\tFALSE\tFALSE\nd9\tTRUE\tTRUE\n"
    response.write_text(text.replace("-coref", "_coref"), encoding="utf-8")
    assert tuple(scored(key, response)["overall"]) == (1, 0, 3, 0)
    response.write_text(text, encoding="utf-8")
    report = scored(key, response)
    assert tuple(report["overall"]) == (1, 0, 3, 0)
    assert tuple(report["feminine"]) == (1, 0, 1, 0)
    assert [text.split(": ", 1)[1].split(":")[0] for text in report.warnings] == [
        "'perhaps' is neither TRUE nor FALSE",
        "'d1' comes twice",
        "1 example not in the key",
        "3 of 4 decisions missing",
        "1 pronoun neither feminine nor masculine",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [("d1\tTRUE\tTRUE\nd2\tTRUE\n", r":2: a row of 2 cells"), ("d1\tTRUE\tTRUE\nd2\n", r":2: a row of 1 cells")],
)
def test_rows_that_are_no_decisions_are_refused(text: str, message: str, tmp_path: Path) -> None:
    response = tmp_path / "decisions.tsv"
    response.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        scored(written_gap(tmp_path, ROWS), response)


def test_what_gap_does_not_take_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key, response = written_gap(tmp_path, ROWS), written_decisions(tmp_path, DECISIONS)
    for options in ({"names": "a"}, {"condition": "d"}, {"pronouns": "she"}, {"test": "t"}):
        with pytest.raises(OptionError, match="GAP compares feminine with masculine pronouns"):
            scored(key, response, **options)
    with pytest.raises(OptionError, match="unknown gap 'near'"):
        scored(key, response, gap="near")
    with pytest.raises(OptionError, match="metrics cannot be used here: a probe has its own"):
        scored(key, response, metrics="muc")
    with pytest.raises(OptionError, match="match cannot be used here: GAP counts decisions"):
        scored(key, response, match="head")
    with pytest.raises(OptionError, match="read only once"):
        scored(key, Path("-"))
    key.write_text("\t".join(COLUMNS) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="holds no example"):
        scored(key, response)
    assert main(["probe", str(key)]) == 2
    assert main(["probe", str(key), str(response)]) == 1
    assert "holds no example" in capsys.readouterr().err


def test_a_row_is_a_document_of_the_format(tmp_path: Path) -> None:
    key = written_gap(tmp_path, [("she", True, False)])
    (document,) = corefscope.read_documents(key)
    assert [len(entity) for entity in document.entities] == [2, 1]


def test_every_decision_is_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(written_gap(tmp_path, ROWS)), str(written_decisions(tmp_path, DECISIONS))]
    assert main(["probe", *files, "--per-document", "--resamples", "100", "--format", "csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + 4 + 10
    assert main(["probe", *files, "--resamples", "100", "--format", "latex"]) == 0
    assert "Bias (F/M)" in capsys.readouterr().out
