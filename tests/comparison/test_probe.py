"""Accuracy over annotated pronouns: against sets of words, and all ways to swap conditions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope import InputError, OptionError, ProbeReport, probe
from corefscope.cli import main
from corefscope.comparison.probe import ENGLISH, split_rows
from examples import examples
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

Clusters = Sequence[Sequence[int]]
Case = tuple[Clusters, Clusters]
"""The clusters of words of key and response."""
WORDS = ["Ann", "Bea", "She", "dog", "her", "it"]
FEW: dict[str, Any] = {"resamples": 100}


def written(path: Path, sides: Sequence[Clusters], names: Sequence[str] = (), words: Sequence[str] = WORDS) -> Path:
    """One document for each set of clusters; mentions are single words."""
    lines = [
        {
            "doc_key": names[number] if names else f"d{number}",
            "tokens": words,
            "clusters": [[[word, word] for word in cluster] for cluster in clusters],
        }
        for number, clusters in enumerate(sides)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def files(folder: Path, name: str, cases: Sequence[Case], names: Sequence[str] = ()) -> tuple[Path, Path]:
    key, response = zip(*cases, strict=True)
    return (
        written(folder / f"{name}.jsonl", key, names),
        written(folder / f"{name}-out.jsonl", response, names),
    )


def probed(*paths: Path, **options: Any) -> ProbeReport:
    report = probe(*paths, **{**FEW, **options})
    assert isinstance(report, ProbeReport)
    return report


def right_and_all(case: Case, pronouns: frozenset[str] = ENGLISH) -> tuple[int, int]:
    """How many pronouns share an entity with an antecedent of the key, and how many have one."""
    right = total = 0
    key, response = ([set(cluster) for cluster in side] for side in case)
    for cluster in key:
        antecedents = {word for word in cluster if WORDS[word].lower() not in pronouns}
        for pronoun in cluster - antecedents if antecedents else ():
            total += 1
            right += any(pronoun in other and antecedents & other for other in response)
    return right, total


def mean(pairs: Sequence[tuple[int, int]]) -> float:
    return sum(right for right, _ in pairs) / sum(total for _, total in pairs)


@st.composite
def clusterings(draw: st.DrawFn) -> Clusters:
    labels = draw(st.lists(st.integers(0, 3), min_size=len(WORDS), max_size=len(WORDS)))
    groups = [[word for word, label in enumerate(labels) if label == number] for number in range(1, 4)]
    return [group for group in groups if group]


PRO: Case = [[0, 2], [1]], [[0, 2]]
cases = st.lists(st.tuples(clusterings(), clusterings()), min_size=1, max_size=4)


@examples(40)
@given(cases=cases)
def test_accuracy_is_that_of_sets_of_words(cases: list[Case], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("probe")
    cases = [PRO, *cases]
    report = probed(*files(folder, "a", cases))
    expected = [right_and_all(case) for case in cases]
    assert [of["a"] for of in report.pairs.values()] == expected
    assert report.accuracy("a") == pytest.approx(mean(expected))
    assert report.all_right == sum(right == total > 0 for right, total in expected)


ANTI: Case = [[1, 2], [0]], [[0, 2]]
BOTH: Case = [[0, 2, 4], [3, 5]], [[0, 2], [3, 5], [1, 4]]
FIRST = [PRO, BOTH, PRO, PRO, BOTH, PRO, PRO]
SECOND = [ANTI, PRO, ANTI, ANTI, PRO, PRO, ANTI]


def test_conditions_are_compared_pair_by_pair(tmp_path: Path) -> None:
    """The p-value counts all 2⁷ ways to swap the conditions of pairs."""
    paths = *files(tmp_path, "pro", FIRST), *files(tmp_path, "anti", SECOND)
    report = probed(*paths, resamples=200)
    sides = [[right_and_all(case) for case in cases] for cases in (FIRST, SECOND)]
    observed = mean(sides[1]) - mean(sides[0])
    reached = 0
    for swaps in product((False, True), repeat=len(FIRST)):
        swapped = [
            [pair[swap ^ side] for pair, swap in zip(zip(*sides, strict=True), swaps, strict=True)] for side in (0, 1)
        ]
        reached += abs(mean(swapped[1]) - mean(swapped[0])) >= abs(observed) - 1e-12
    assert report.comparison.study is not None
    difference = report.comparison.study.differences["anti"]["anaphora_classes"]
    assert difference.difference == pytest.approx(observed)
    assert difference.exact
    assert difference.p == pytest.approx(reached / 2**7)
    assert difference.interval.low <= observed <= difference.interval.high
    assert report.all_right == 1
    same = probed(paths[0], paths[1], paths[0], paths[1], names="a,b", resamples=200)
    assert same.to_dict()["differences"]["b"]["difference"] == 0
    assert same.to_dict()["differences"]["b"]["p"] == 1


def test_conditions_in_one_file_are_those_of_two(tmp_path: Path) -> None:
    apart = probed(*files(tmp_path, "pro", FIRST), *files(tmp_path, "anti", SECOND))
    names = [f"t1/{kind}_stereotyped/{n}" for kind in ("pro", "anti") for n in range(len(FIRST))]
    together = probed(*files(tmp_path, "all", [*FIRST, *SECOND], names), condition="/(pro|anti)_")
    assert together.to_dict()["differences"] == apart.to_dict()["differences"]
    assert list(together.pairs)[:2] == ["t1/_stereotyped/0", "t1/_stereotyped/1"]
    named = probed(*files(tmp_path, "all", [*FIRST, *SECOND], names), condition="pro|anti", names="p,a")
    assert named.conditions == ("p", "a")


def test_each_condition_has_one_document_of_a_pair() -> None:
    row = ((1, 1, 1, 1),)
    with pytest.raises(InputError, match=r"pair '2' has no document of condition 'anti'"):
        split_rows({"pro1": row, "pro2": row, "anti1": row}, "[a-z]+")
    with pytest.raises(InputError, match=r"pair '2' has no document of condition 'pro'"):
        split_rows({"pro1": row, "anti1": row, "anti2": row}, "[a-z]+")
    with pytest.raises(InputError, match=r"pair '1' has two documents of condition 'pro'"):
        split_rows({"pro1": row, "1pro": ((0, 1, 0, 1),)}, "[a-z]+")


def test_documents_are_paired_by_name_or_else_by_place(tmp_path: Path) -> None:
    first = files(tmp_path, "pro", [PRO, BOTH])
    renamed = files(tmp_path, "anti", [ANTI, BOTH], ["d1", "d0"])
    by_name = probed(*first, *renamed)
    assert by_name.pairs == {"d0": {"pro": (1, 1), "anti": (2, 3)}, "d1": {"pro": (2, 3), "anti": (0, 1)}}
    other = files(tmp_path, "other", [ANTI, BOTH], ["x", "y"])
    assert probed(*first, *other).pairs["d0"] == {"pro": (1, 1), "other": (0, 1)}
    with pytest.raises(InputError, match=r"different numbers of documents \(pro: 2, lone: 1\)"):
        probed(*first, *files(tmp_path, "lone", [ANTI], ["z"]))


def test_pronouns_are_words_of_english_or_those_that_are_named(tmp_path: Path) -> None:
    paths = files(tmp_path, "a", [([[0, 3], [1, 2]], [[0, 3]])])
    assert probed(*paths).counts("a") == (0, 1)
    named = probed(*paths, pronouns="Dog")
    assert named.counts("a") == (1, 1)
    assert "|anaphors:pronouns-dog|" in named.signature
    assert named.comparison.notes == ["there is only one document: confidence intervals need several documents"]
    with pytest.raises(InputError, match=r"a: no pronoun corefers with another mention of the key\n  hint: name"):
        probed(*paths, pronouns="xyr")
    upos = probed(EXAMPLE_KEY, EXAMPLE_RESPONSE)
    assert upos.counts(upos.conditions[0])[1] > 0
    assert upos.signature.startswith("corefud|match:head|")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gap": "overlap"}, "gap is for a key of GAP"),
        ({"condition": "("}, "is no regular expression"),
        ({"condition": "x"}, "the id of document 'd0' has no 'x'"),
        ({"condition": "d"}, ""),
        ({"condition": "([01])|d2()"}, "the id of document 'd2' has no"),
        ({"pronouns": "she,,he"}, "pronouns are words"),
        ({"test": "z"}, "unknown test"),
        ({"resamples": 5}, "too few"),
        ({"documents": "merge"}, "a probe pairs documents"),
        ({"weights": "size^2"}, "counted from 0"),
    ],
)
def test_options_that_do_not_fit_are_refused(options: Any, message: str, tmp_path: Path) -> None:
    paths = files(tmp_path, "a", [PRO, PRO, PRO])
    if not message:
        assert probed(*paths, **options).conditions == ("d",)
        return
    with pytest.raises((OptionError, InputError), match=message):
        probed(*paths, **options)


def test_files_come_in_pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = files(tmp_path, "a", [PRO, BOTH])
    with pytest.raises(OptionError, match="two files for each condition"):
        probed(*paths, paths[0])
    with pytest.raises(OptionError, match="give one key and one response"):
        probed(*paths, *paths, condition="d")
    named = list(map(str, (*paths, *paths)))
    assert main(["probe", *named, "--names", "a,b", "--resamples", "100", "--per-document"]) == 0
    out = capsys.readouterr().out
    assert "− a" in out
    assert "2 pairs, 1 right in every condition" in out
    assert main(["probe", *named, "--resamples", "100", "--format", "csv", "--per-document"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + 2 + 4
