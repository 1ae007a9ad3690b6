"""Windows of long texts: against sets, in every format and under all rules, and what cannot be cut."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope
from corefscope import InputError, OptionError, examine, explain_metric, score, score_settings, verify
from corefscope.cli import main
from corefscope.core.errors import Warnings
from corefscope.core.positions import position
from corefscope.core.rules import RULES
from corefscope.formats.corpus import Corpus
from corefscope.formats.pairs import Pair
from corefscope.formats.windows import WordNumbers, cut_pair
from examples import examples
from on_disk import STRICT, written
from oracles import windows as oracle
from oracles.generate import random_pair
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

Documents = list[tuple[int, list[list[oracle.Span]]]]
"""Numbers of words, and clusters."""
NAMES = ("muc", "bcub", "lea", "mentions", "ceafm", "ceafe")


def _clusters(random: Random, words: int) -> list[list[oracle.Span]]:
    """Different spans in at most five clusters."""
    spans = {(start, start + random.randrange(3)) for start in random.choices(range(words), k=9)}
    clusters: list[list[oracle.Span]] = [[] for _ in range(5)]
    for start, end in sorted(spans):
        random.choice(clusters).append((start, min(end, words - 1)))
    return [[*dict.fromkeys(cluster)] for cluster in clusters if cluster]


def _once(clusters: list[list[oracle.Span]]) -> list[list[oracle.Span]]:
    """Every span in its first cluster only."""
    seen: set[oracle.Span] = set()
    kept = [[span for span in cluster if not (span in seen or seen.add(span))] for cluster in clusters]  # type: ignore[func-returns-value]
    return [cluster for cluster in kept if cluster]


def _lines(documents: Documents) -> str:
    """Jsonlines of documents of so many words, in sentences of four words."""
    lines = []
    for number, (words, clusters) in enumerate(documents):
        names = [f"w{n}" for n in range(words)]
        sentences = [names[start : start + 4] for start in range(0, words, 4)]
        lines.append(json.dumps({"doc_key": f"d{number}", "sentences": sentences, "clusters": clusters}) + "\n")
    return "".join(lines)


def _files(folder: Path, key: Documents, response: Documents) -> tuple[Path, Path]:
    return written(folder, _lines(key), _lines(response), "jsonl")


CUTS: dict[Any, Callable[..., Any]] = {"corrected": oracle.plain, "bookcoref": oracle.bookcoref}


@pytest.mark.parametrize("rules", CUTS)
@examples(60)
@given(st.integers(0, 10**6), st.integers(1, 9), st.lists(st.integers(1, 20), min_size=1, max_size=2))
def test_windows_are_those_of_sets(
    tmp_path_factory: pytest.TempPathFactory, rules: Any, seed: int, size: int, lengths: list[int]
) -> None:
    random = Random(seed)
    sides = [[(words, _once(_clusters(random, words))) for words in lengths] for _ in range(2)]
    key, response = (
        [window for words, clusters in side for window in CUTS[rules](clusters, words, size)] for side in sides
    )
    paths = _files(tmp_path_factory.mktemp("windows"), *sides)
    report = score(*paths, windows=size, rules=rules, metrics=NAMES)
    for name in NAMES:
        if not report.nothing(name):
            assert report[name] == pytest.approx([*map(float, oracle.pooled(name, key, response))]), name


@examples(20)
@given(st.integers(0, 10**6), st.integers(1, 9))
def test_order_and_names_do_not_matter(tmp_path_factory: pytest.TempPathFactory, seed: int, size: int) -> None:
    random = Random(seed)
    documents = [[(15, _once(_clusters(random, 15)))] for _ in range(2)]
    shuffled = [
        [(words, [random.sample(cluster, len(cluster)) for cluster in reversed(clusters)])]
        for ((words, clusters),) in documents
    ]
    folder = tmp_path_factory.mktemp("windows")
    one, other = (score(*_files(folder, *texts), windows=size, metrics=NAMES) for texts in (documents, shuffled))
    assert {name: pytest.approx(figures) for name, figures in one.items()} == dict(other)


@pytest.mark.parametrize("rules", RULES)
@examples(6)
@given(st.integers(0, 10**6))
def test_one_window_is_the_whole_text(tmp_path_factory: pytest.TempPathFactory, rules: Any, seed: int) -> None:
    texts = random_pair(Random(seed), same_empty=rules in STRICT)
    paths = written(tmp_path_factory.mktemp("windows"), *texts)
    whole, windows = (score(*paths, rules=rules, metrics="corefud", windows=size) for size in (None, 1000))
    assert windows.rows == whole.rows
    assert windows.options == whole.options._replace(windows="1000")


def test_relations_keep_what_is_in_one_window(tmp_path: Path) -> None:
    """Bridging from a word of the second sentence to one of the first: gone if a window ends between them."""
    text = (
        "# newdoc id = d\n# global.Entity = eid-etype-head-other\n# sent_id = 1\n# text = House\n"
        "1\tHouse\t_\tNOUN\t_\t_\t0\troot\t0:root\tEntity=(e1--1)\n\n"
        "# sent_id = 2\n# text = Door\n1\tDoor\t_\tNOUN\t_\t_\t0\troot\t0:root\tEntity=(e2--1)|Bridge=e1<e2\n\n"
    )
    (tmp_path / "key.conllu").write_text(text, encoding="utf-8")
    key = str(tmp_path / "key.conllu")
    cut, uncut, whole = (
        score(key, key, metrics="bridging_mention", windows=size).counts("bridging_mention") for size in (1, 2, None)
    )
    assert not any(cut.values())
    assert any(uncut.values())
    assert uncut == whole


def _document(text: str, folder: Path) -> Pair:
    return next(iter(Corpus(*written(folder, text, text), Warnings())))


ZEROS = (
    "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
    "1\ta\t_\t_\t_\t_\t0\troot\t0:root\tEntity=(e1--1)\n2\tb\t_\t_\t_\t_\t1\tdep\t1:dep\tEntity=(e2[1/2]--1)\n"
    "2.1\t_\t_\t_\t_\t_\t_\t_\t1:dep\tEntity=(e1--1)\n\n"
    "0.1\t_\t_\t_\t_\t_\t_\t_\t1:dep\tEntity=(e1--1)\n1\tc\t_\t_\t_\t_\t0\troot\t0:root\tEntity=(e2[2/2]--1)(e1--1)\n\n"
)


def test_zeros_and_discontinuous_mentions_are_where_they_begin(tmp_path: Path) -> None:
    """2.1 follows the second word, 0.1 stands before the third; e2 begins at the second."""
    pair = _document(ZEROS, tmp_path)
    words = WordNumbers(pair.key)
    assert [words[position(*place)] for place in ((1, 1), (1, 2), (1, 2, 1), (2, 0, 1), (2, 1))] == [0, 1, 1, 2, 2]
    first, second = (window.key for window in cut_pair(pair, 2))
    shown = [
        dict(
            zip(part.entity_ids, [[mention.positions for mention in entity] for entity in part.entities], strict=True)
        )
        for part in (first, second)
    ]
    assert shown == [
        {"e1": [(position(1, 1),), (position(1, 2, 1),)], "e2": [(position(1, 2), position(2, 1))]},
        {"e1": [(position(2, 0, 1),), (position(2, 1),)]},
    ]
    assert [len(part.sentences) for part in (first, second)] == [2, 1], "with the sentences that its mentions reach"


def test_entities_are_cut_before_singletons_are_dropped(tmp_path: Path) -> None:
    clusters = [[(0, 0), (5, 5), (6, 6)]]
    paths = _files(tmp_path, *[[(8, clusters)]] * 2)
    counts = {
        kept: score(*paths, windows=4, singletons=kept, metrics="mentions").counts("mentions")["recall_denominator"]
        for kept in ("keep", "drop")
    }
    assert counts == {"keep": 3, "drop": 2}


def test_windows_have_names_and_empty_ones_count_nothing(tmp_path: Path) -> None:
    paths = _files(tmp_path, *[[(9, [[(0, 0), (8, 8)]]), (2, [[(0, 0), (1, 1)]])]] * 2)
    report = score(*paths, windows=4)
    assert list(report.documents) == ["d0 window 1", "d0 window 2", "d0 window 3", "d1"]
    assert report.documents["d0 window 2"].nothing("conll")


def test_faults_of_bookcoref(tmp_path: Path) -> None:
    """The example of docs/errata/bookcoref.md."""
    clusters = [[(n, n) for n in (0, 2, 4, 6, 8)]]
    paths = _files(tmp_path, *[[(10, clusters)]] * 2)
    counted = {
        rules: score(*paths, windows=4, rules=rules, metrics="mentions").counts("mentions")["recall_denominator"]
        for rules in CUTS
    }
    # ends 4, 8, 10: (2), (6), (8); without 0 and 4, and 8 is in (6, 10); 6 is not > 6
    assert counted == {"corrected": 5, "bookcoref": 3}
    assert (
        score(*paths, windows=5, rules="bookcoref", metrics="mentions").counts("mentions")["recall_denominator"] == 6
    )
    with_note = score(*paths, windows=4, rules="bookcoref", compare_rules=True)
    assert with_note.alternative is None, "the corrected rules cut other windows"


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"windows": 0}, "from 1"),
    ({"windows": "500,1000"}, "from 1"),
    ({"windows": True}, "from 1"),
    ({"windows": 9, "weights": "size^1"}, "weights cannot be used here"),
    ({"windows": 9, "documents": "merge"}, "documents cannot be used here"),
    ({"windows": 9, "metrics": "empty_arc"}, "empty_arc counts empty nodes"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_what_cannot_be_cut_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        score(EXAMPLE_KEY, EXAMPLE_RESPONSE, **arguments)


def test_ids_have_no_windows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "key.csv"
    table.write_text("mention,entity\na,1\nb,1\n", encoding="utf-8")
    with pytest.raises(InputError, match="has ids instead of words"):
        score(table, table, windows=5)
    assert main(["score", str(table), str(table), "--windows", "5"]) == 1
    assert "leave --windows out" in capsys.readouterr().err
    with pytest.raises(OptionError, match="windows cannot be used here"):
        corefscope.score_sampled_key(table, table, windows=5)
    with pytest.raises(OptionError, match="windows cannot be used here"):
        corefscope.curves(EXAMPLE_KEY, windows=5)
    with pytest.raises(OptionError, match="windows cannot be used here"):
        corefscope.explain_difference(["50"], EXAMPLE_KEY, EXAMPLE_RESPONSE, windows=5)


def test_settings_whose_rules_cut_other_windows_are_refused() -> None:
    scored = score_settings(EXAMPLE_KEY, EXAMPLE_RESPONSE, "head,exact+corrected", windows=30)
    assert scored["head"].rows == score(EXAMPLE_KEY, EXAMPLE_RESPONSE, windows=30).rows
    with pytest.raises(OptionError, match="cut other windows"):
        score_settings(EXAMPLE_KEY, EXAMPLE_RESPONSE, "corrected,bookcoref", windows=30)


def test_other_commands_know_windows(tmp_path: Path) -> None:
    report = score(EXAMPLE_KEY, EXAMPLE_RESPONSE, windows=30)
    assert corefscope.Options.parse(report.signature).windows == "30"
    saved = tmp_path / "report.json"
    assert (
        main(["score", str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE), "--signature", report.signature, "-o", str(saved)])
        == 0
    )
    assert verify(saved).same
    assert json.loads(saved.read_text(encoding="utf-8"))["signature"] == report.signature
    compared = corefscope.compare(EXAMPLE_KEY, [EXAMPLE_RESPONSE, EXAMPLE_KEY], windows=30, resample="nothing")
    assert next(iter(compared.reports.values())).rows == report.rows
    assert examine(EXAMPLE_KEY, EXAMPLE_RESPONSE, windows=30).report["conll"] == report["conll"]
    explained = explain_metric(EXAMPLE_KEY, EXAMPLE_RESPONSE, "muc", windows=30, document="en_letter window 1")
    assert float(explained.calculation.score.f1) == pytest.approx(report.documents["en_letter window 1"]["muc"].f1)
    labels = tmp_path / "labels.csv"
    labels.write_text("document,mention,class\nen_letter,5:9-11,a\n", encoding="utf-8")
    with pytest.raises(OptionError, match="labels are of whole documents"):
        examine(EXAMPLE_KEY, EXAMPLE_RESPONSE, windows=30, labels=labels)


def test_a_report_page_has_a_document_for_each_window(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    corefscope.write_report(EXAMPLE_KEY, [EXAMPLE_RESPONSE], page, windows=30)
    assert "en_letter window 2" in page.read_text(encoding="utf-8")


def test_windows_of_several_processes_are_the_same() -> None:
    one, two = (score(EXAMPLE_KEY, EXAMPLE_RESPONSE, windows=30, jobs=jobs) for jobs in (1, 2))
    assert one.rows == two.rows
