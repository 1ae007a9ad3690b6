"""How a score comes about: the papers' own examples as pages, and every metric on files of one and several documents.

A page of ``golden/explain`` is what ``corefscope explain METRIC KEY RESPONSE`` prints in 80 columns, without the
signature, for clusters of the paper: ``--match exact --singletons keep --rules corrected``.
"""

from __future__ import annotations

import json
import random
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import corefscope
from corefscope.analysis.explain import MetricExplanation, explain_metric
from corefscope.cli import main
from corefscope.core.choices import Rules
from corefscope.core.errors import InputError, OptionError
from examples import seeds
from on_disk import STRICT, written
from oracles.generate import random_pair
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, GOLDEN
from rendering import as_text

RULES = sorted({*corefscope.RULES} - {"ua-1.0", "ua-2.0"})  # which cannot be explained
SAMPLE = (
    [[1, 2], [3, 4, 5], [6, 7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17]],
    [[1, 2, 6, 7, 8, 9, 10], [3, 4, 5, 11, 12, 13, 14, 15, 16], [17]],
)
EXAMPLES: dict[str, tuple[list[Any], list[Any]]] = {
    "luo-2014-example-1": ([["a", "b", "c"], ["d"]], [["b", "c"], ["d", "e"]]),
    "luo-2014-section-4": ([["a", "b", "c"], ["d", "e"]], [["b", "c"], ["e", "f", "g"]]),
    "cai-strube-2010-table-1": ([["a", "b", "c"]], [["a", "b", "d"]]),
    "cai-strube-2010-table-3": ([["a", "b"]], [["a", "b", "d"], ["i"], ["j"], ["k"]]),
    "cai-strube-2010-table-4": ([["a", "b", "c"]], [["a", "b"], ["i", "j"], ["c"]]),
    "popescu-belis-2000-sample": SAMPLE,
}
PAGES = {
    "luo-2014-example-1": ("blanc", "conll"),
    "luo-2014-section-4": ("blanc", "lea"),
    "cai-strube-2010-table-1": ("b3_0", "b3_all", "b3_sys", "ceaf_orig", "ceaf_sys"),
    "cai-strube-2010-table-3": ("b3_rn", "ceaf_rn"),
    "cai-strube-2010-table-4": ("b3_sys", "ceaf_sys"),
    "popescu-belis-2000-sample": (
        *("muc_pb", "kappa", "b3_pb", "b3_pb_class", "core", "xcore", "entropy", "dmt", "d_err", "rand"),
    ),
}
"""The examples of the papers, and the metrics that they work out on them."""


def _explained(folder: Path, example: str, metric: str) -> MetricExplanation:
    paths = folder / "key.json", folder / "response.json"
    for path, clusters in zip(paths, EXAMPLES[example], strict=True):
        path.write_text(json.dumps(clusters), encoding="utf-8")
    return explain_metric(*paths, metric, match="exact", singletons="keep", rules="corrected")


@pytest.mark.parametrize(
    ("example", "metric"), [(example, metric) for example, metrics in PAGES.items() for metric in metrics]
)
def test_the_papers_own_examples_read_like_a_page_of_the_paper(example: str, metric: str, tmp_path: Path) -> None:
    text, _, signature = as_text(_explained(tmp_path, example, metric), 80).rstrip().rpartition("\n\n")
    assert signature.startswith("clusters|match:exact|")
    assert max(map(len, text.split("\n"))) <= 80
    assert text == (GOLDEN / "explain" / f"{example}-{metric}.txt").read_text(encoding="utf-8").rstrip()


def test_no_page_is_forgotten() -> None:
    pages = {f"{example}-{metric}" for example, metrics in PAGES.items() for metric in metrics}
    assert {path.stem for path in (GOLDEN / "explain").iterdir()} == pages


def test_figures_are_exact(tmp_path: Path) -> None:
    """Figures that papers print as fractions, and that floats do not have."""

    def score(example: str, metric: str) -> tuple[Any, ...]:
        return tuple(_explained(tmp_path, example, metric).calculation.score)

    assert score("luo-2014-example-1", "blanc") == (Fraction(1, 2), Fraction(1, 2), Fraction(17, 35))
    links = _explained(tmp_path, "luo-2014-example-1", "blanc").calculation.components
    assert links["non_coreference_links"].f1 == Fraction(4, 7)
    assert score("cai-strube-2010-table-1", "b3_sys") == (Fraction(5, 9), Fraction(2, 3), Fraction(20, 33))
    assert score("cai-strube-2010-table-4", "ceaf_sys")[1] == Fraction(3, 5)
    parts = Fraction(1, 2), Fraction(35, 58), Fraction(11, 15)
    assert score("luo-2014-example-1", "conll") == (Fraction(sum(parts), 3),)


def test_the_altered_sets_of_cai_and_strube_are_shown(tmp_path: Path) -> None:
    """Table 4, system 2: with {a b}{i j}{c} the precision is 3/5, not with what the table shows."""
    (recall, precision, _) = _explained(tmp_path, "cai-strube-2010-table-4", "ceaf_sys").to_dict()["sections"]
    sets = {
        side["title"]: [[mention["text"] for mention in entity["mentions"]] for entity in side["entities"]]
        for section in (recall, precision)
        for side in section["altered"]
    }
    assert sets == {
        "key for recall": [["a", "b", "c"]],
        "response for recall": [["a", "b"], ["c"]],
        "key for precision": [["a", "b", "c"], ["i"], ["j"]],
        "response for precision": [["a", "b"], ["c"], ["i", "j"]],
    }


def _page(folder: Path, key: Any, response: Any, metric: str, **options: Any) -> str:
    """What ``explain`` prints for two lists of clusters."""
    paths = folder / "key.json", folder / "response.json"
    for path, clusters in zip(paths, (key, response), strict=True):
        path.write_text(json.dumps(clusters), encoding="utf-8")
    return as_text(explain_metric(*paths, metric, **options), 80)


def test_the_response_for_the_recall_of_b3_sys_is_that_of_algorithm_1(tmp_path: Path) -> None:
    """{a b} {c}, as printed in section 2.2.2; added singletons are named by their mentions."""
    text = _page(tmp_path, [["a", "b", "c"]], [["a", "b", "d"], ["i", "j"]], "b3_sys")
    assert "response for recall: {a b} {c}\n" in text
    assert "response for precision: {a b d} {i j} {c}\n" in text
    assert "c → {c}" in text
    assert "i → {i} | j → {j}" in text
    assert "+" not in text.replace(" + ", "")


def test_a_key_class_whose_exclusive_core_is_taken_says_so(tmp_path: Path) -> None:
    """R3 is left on the sample text, and R2 is taken: it is not that none is left."""
    for metric in ("xcore", "xcore_strict"):
        text = _page(tmp_path, *SAMPLE, metric)
        assert "none is left" not in text
        assert re.search(r"\nK2   3 4 5 → R2 \(taken\) +0 ", text)
        assert re.search(r"\nK1   1 2 → R1 \(taken\) +0 ", text)


def test_core_classes_are_named(tmp_path: Path) -> None:
    """c*(K1) = R1, c*(K2) = R2, c*(K3) = R1, c*(K4) = R2, c*(R1) = K3, c*(R2) = K4, c*(R3) = K4."""
    rows = [line for line in _page(tmp_path, *SAMPLE, "core").split("\n") if "(c*)" in line]
    found = {line.split()[0]: re.findall(r"→ (\S+) \(c\*\)", line) for line in rows}
    assert found == {
        **dict(zip(["K1", "K2", "K3", "K4"], [["R1"], ["R2"]] * 2, strict=True)),
        **dict(zip(["R1", "R2", "R3"], [["K3"], ["K4"], ["K4"]], strict=True)),
    }
    assert "→ R1 (c*, or another as large) | b → R2 (c*, or" in _page(tmp_path, [["a", "b"]], [["a"], ["b"]], "core")


def test_every_term_of_an_entropy_is_shown(tmp_path: Path) -> None:
    text = _page(tmp_path, *SAMPLE, "entropy")
    assert "…" not in text
    assert "5 ln(7/5)" in text
    assert "+ 2 ln(7/2) = 4.1879" in text
    broken = [f"{i}{side}" for i in range(9) for side in "ab"]
    many = [broken], [broken[i : i + 2] for i in range(0, 18, 2)]
    assert "… = " in _page(tmp_path, *many, "entropy")
    whole = explain_metric(tmp_path / "key.json", tmp_path / "response.json", "entropy")._replace(limit=None)
    assert "…" not in as_text(whole, 80)
    assert as_text(whole, 80).count("2 ln(18/2)") == 18


def test_a_kind_of_links_that_no_side_has_is_0_by_0_and_the_rest_stays_a_fraction(tmp_path: Path) -> None:
    """Example 3 of Luo et al. (2014): no coreference links, BLANC = 1/3."""
    text = _page(tmp_path, [["a"], ["b"], ["c"]], [["a"], ["b"], ["d"]], "blanc")
    lines = {line[:32].strip(): line[32:].split() for line in text.split("\n")}
    assert lines["coreference links, recall"] == ["0", "/", "0", "0/0", "–"]
    assert lines["coreference links, F1"][-2:] == ["0/0", "–"]
    assert lines["F1"][-2:] == ["1/3", "33.33"]


def test_entities_of_one_name_are_told_apart() -> None:
    text = as_text(explain_metric(EXAMPLE_KEY, EXAMPLE_RESPONSE, "muc", document="en_letter"), 80)
    assert re.search(r"\nK:\w+ .*→ R:\w+", text)
    assert re.search(r"\nR:\w+ .*→ K:\w+", text)


def test_antecedents_are_named() -> None:
    key, response = (EXAMPLE_KEY.parent / "popescu-belis" / f"{side}.conllu" for side in ("key", "response"))
    text = as_text(explain_metric(key, response, "anaphora_links", singletons="keep", anaphors="pronouns"), 80)
    assert "right  it 5:12 – this small turret 5:5-7 " in text


def test_antecedents_that_are_wrong_or_not_there_are_told_apart(tmp_path: Path) -> None:
    """The third word refers to the first: the response links it to another entity, to none, or lacks it."""
    words = "# newdoc id = d\n# sent_id = s\n" + "".join(
        f"{n}\tw{n}\t_\tPRON\t_\t_\t0\troot\t_\t{{{n}}}\n" for n in range(1, 5)
    )
    head = "# global.Entity = eid-etype-head\n"

    def text(*tags: str) -> str:
        return head + words.format("", *(f"Entity=({tag})" if tag else "_" for tag in tags)) + "\n"

    (tmp_path / "key.conllu").write_text(text("e1-x-1", "e2-x-1", "e1-x-1", "e2-x-1"))
    for response, verdict in (
        (text("e1-x-1", "e2-x-1", "e2-x-1", "e2-x-1"), "wrong +w3 1:3 – w2 1:2 "),
        (text("e1-x-1", "e2-x-1", "e3-x-1", "e2-x-1"), "no antecedent +w3 1:3 +0 "),
        (text("e1-x-1", "e2-x-1", "", "e2-x-1"), "missing +w3 1:3 +0 "),
    ):
        (tmp_path / "response.conllu").write_text(response)
        paths = tmp_path / "key.conllu", tmp_path / "response.conllu"
        shown = as_text(explain_metric(*paths, "anaphora_links", singletons="keep"), 80)
        assert re.search(verdict, shown)


def test_centroids_count_places_as_the_classes_do(tmp_path: Path) -> None:
    """The response has more in classes 1 and 2, the key in 3 and 4: on average in 1.5 and 3.5."""
    rows = dict(re.findall(r"\n(of the \w+) +(\S+) ", _page(tmp_path, *SAMPLE, "d_err")))
    assert rows == {"of the key": "7/2", "of the response": "3/2"}
    perfect = _page(tmp_path, [["a", "b"]], [["a", "b"]], "d_err")
    assert "of the key" not in perfect, "without a surplus there is no place"


def _assert_is_the_report(explanation: MetricExplanation, report: Any) -> None:
    """What the terms add up to are the counts of the report, and make its score."""
    calculation = explanation.calculation
    for part in calculation.parts or (calculation,):
        counts = report.counts(part.metric).values()
        assert list(map(float, part.counts)) == pytest.approx(list(counts), abs=1e-9), part.metric
    figures = [figure for figure in report[explanation.metric] if not isinstance(figure, str)]
    ours = [float(figure) for figure in calculation.score if not isinstance(figure, str)]
    assert ours == pytest.approx(figures, abs=1e-9), explanation.metric


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seed", seeds(12))
def test_what_is_shown_is_the_score_of_every_metric(seed: int, rules: Rules, tmp_path: Path) -> None:
    """Of each document, and of all of them together; six seeds are every way to match, with and without oddities."""
    flags: dict[str, Any] = dict.fromkeys(("duplicates", "two_heads", "empty_deps"), seed % 2 == 1)
    key, response = written(tmp_path, *random_pair(random.Random(seed), same_empty=rules in STRICT, **flags))
    match = "exact" if rules == "conll-8.01" else ("head", "partial", "exact")[seed % 3]
    report = corefscope.score(key, response, metrics="all", rules=rules, match=match)  # type: ignore[arg-type]
    for metric in report:
        pooled = explain_metric(key, response, metric, rules=rules, match=match)  # type: ignore[arg-type]
        _assert_is_the_report(pooled, report)
        assert pooled.signature == report.signature
        for name in report.documents:
            one = explain_metric(key, response, metric, document=name, rules=rules, match=match)  # type: ignore[arg-type]
            _assert_is_the_report(one, report.documents[name])
            assert as_text(one, 80)


def test_of_several_documents_the_sums_are_shown_and_one_is_asked_for() -> None:
    explanation = explain_metric(EXAMPLE_KEY, EXAMPLE_RESPONSE, "bcub")
    assert explanation.document == ""
    assert explanation.documents == ("es_biblioteca", "en_letter")
    text = as_text(explanation, 80)
    assert "--document ID works one document out: es_biblioteca, en_letter" in text
    rows = {line.split()[0]: line.split()[1:] for line in text.split("\n") if line.startswith(("es_", "en_", "Σ"))}
    report = corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE)
    assert rows["Σ"][1::2] == ["29", "29"]
    assert float(rows["en_letter"][2]) == pytest.approx(
        report.documents["en_letter"].counts("bcub")["precision_numerator"], abs=1e-4
    )


def test_mentions_are_shown_by_words_and_places() -> None:
    text = as_text(explain_metric(EXAMPLE_KEY, EXAMPLE_RESPONSE, "muc", document="es_biblioteca"), 80)
    assert "La alcaldesa de Villanueva 1:1-4, ∅ 2:2.1" in text
    assert max(map(len, text.split("\n")[:-2])) <= 80


def test_the_links_of_blanc_are_those_that_are_counted() -> None:
    explanation = explain_metric(EXAMPLE_KEY, EXAMPLE_RESPONSE, "blanc", document="es_biblioteca")
    for section in explanation.calculation.sections[:2]:
        for entry in section.entries:
            (number,) = {term.value for term in entry.terms if term}
            assert len(entry.pieces) == number
            assert all(len(link.mentions) == 2 for link in entry.pieces)


def test_long_documents_are_cut_where_least_is_lost(tmp_path: Path) -> None:
    """60 entities of which the last 10 are broken: these are shown first, and --all shows all."""
    key = [[f"{i}a", f"{i}b"] for i in range(60)]
    response = [*key[:50], *([mention] for entity in key[50:] for mention in entity)]
    paths = tmp_path / "key.json", tmp_path / "response.json"
    for path, clusters in zip(paths, (key, response), strict=True):
        path.write_text(json.dumps(clusters), encoding="utf-8")
    explanation = explain_metric(*paths, "muc", singletons="keep")
    section = as_text(explanation, 80).split("\n\n")[2].split("\n")
    assert len(section) == 1 + 50 + 2
    assert [line.split()[0] for line in section[1:11]] == [f"K{i}" for i in range(51, 61)]
    assert section[-2].split() == ["…", "and", "10", "more"]
    large = explain_metric(paths[0], paths[0], "bcub", singletons="keep")
    assert len(as_text(large, 80).split("\n")) < 350
    everything = as_text(explanation._replace(limit=None), 80)
    assert "--all shows it" not in everything
    assert sum(line.startswith("K") for line in everything.split("\n")) == 60
    assert len(explanation.to_dict()["sections"][0]["entries"]) == 60


def test_records_have_every_term() -> None:
    records = explain_metric(EXAMPLE_KEY, EXAMPLE_RESPONSE, "bcub", document="en_letter").to_records()
    shares = [r["value"] for r in records if r["column"] == "share" and r["section"].startswith("Recall")]
    levels = [r["level"] for r in records if r["column"] == "share" and r["section"].startswith("Recall")]
    by_level = {level: sum(v for v, its in zip(shares, levels, strict=True) if its == level) for level in (0, 1)}
    assert by_level[0] == pytest.approx(by_level[1]) == pytest.approx(12)


def test_what_cannot_be_explained_is_refused() -> None:
    pair = EXAMPLE_KEY, EXAMPLE_RESPONSE
    with pytest.raises(OptionError, match="unknown metric 'muk'"):
        explain_metric(*pair, "muk")
    with pytest.raises(InputError, match="there is no document 'es_bibliotek'"):
        explain_metric(*pair, "muc", document="es_bibliotek")
    with pytest.raises(OptionError, match="baseline cannot be used here"):
        explain_metric(*pair, "muc", baseline="all")
    with pytest.raises(OptionError, match="one metric is explained at a time"):
        explain_metric(*pair, "muc", metrics="lea")


def test_the_command_explains_and_is_not_taken_for_explain_difference(capsys: pytest.CaptureFixture[str]) -> None:
    pair = [str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)]
    assert main(["explain", "MUC", *pair, "--document", "en_letter"]) == 0
    assert capsys.readouterr().out.startswith("MUC of document en_letter\n")
    assert main(["explain-difference", "50", *pair, "--metrics", "muc"]) == 0
    assert "comes from none of" in capsys.readouterr().out
    assert main(["explain", "muc", *pair, "--document", "en_letter", "--format", "json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["counts"]["recall_numerator"] == {"exact": "8", "value": 8.0}
    assert main(["expl", "muc", *pair]) == 2
    assert main(["explain", "muc", *pair, "--document", "none"]) == 1
    assert "there is no document 'none'" in capsys.readouterr().err


@pytest.mark.parametrize(("rules", "shown"), [("corefud-1.2", ["0/0", "–"]), ("corrected", ["1", "100.00"])])
def test_the_first_boundary_case_of_blanc_is_said_where_it_happens(
    rules: Rules, shown: list[str], tmp_path: Path
) -> None:
    """The same mentions and no links: 1 in Luo et al. (2014), undefined under the default rules."""
    path = tmp_path / "one.json"
    path.write_text('[["a"]]', encoding="utf-8")
    text = " ".join(as_text(explain_metric(path, path, "blanc", rules=rules), 80).split())
    assert "the score is 1 (boundary case 1 of Luo et al. 2014), but 0 for the official scorers" in text
    assert text.split("F1")[-1].split()[:2] == shown
    other = " ".join(
        as_text(explain_metric(EXAMPLE_KEY, EXAMPLE_RESPONSE, "blanc", document="en_letter"), 80).split()
    )
    assert "boundary case" not in other


def test_pooled_links_stand_by_kind_and_fit_a_terminal() -> None:
    text = as_text(explain_metric(EXAMPLE_KEY, EXAMPLE_RESPONSE, "blanc"), 80)
    assert "divided: coreference links\n\n                 common  key  response\n" in text
    assert "divided: non-coreference links\n" in text
    assert "F1                                mean of both kinds  15459/23287    66.38" in text
