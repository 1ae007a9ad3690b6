"""The Python API: what it exports, what it costs to import, and what its objects do."""

from __future__ import annotations

import ast
import pickle
import pydoc
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from rlcompleter import Completer
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope
from corefscope.capabilities import METRIC_MODULES
from corefscope.core.baselines import BASELINES
from corefscope.core.metrics import METRICS
from corefscope.core.options import CHOICES, DERIVED, Options
from examples import examples
from oracles.quirks import conllu
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, SHARED

KEY = [["a", "b", "c"], ["d", "e"], ["f"]]
RESPONSE = [["a", "b"], ["c", "d", "e"], ["g"]]


def _modules_after(code: str) -> set[str]:
    command = [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_type_checkers_see_the_names_of_the_table() -> None:
    tree = ast.parse(Path(corefscope.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen: dict[str, list[str | None]] = {}
    for node in block.body:
        assert isinstance(node, ast.ImportFrom)
        seen.setdefault(str(node.module), []).extend(alias.asname for alias in node.names)
    assert seen == {module: list(names) for module, names in corefscope._PUBLIC.items()}
    assert list(seen) == sorted(seen)


def test_the_public_names_exist() -> None:
    names = vars(corefscope)["__all__"]
    assert len(names) == len(set(names)) > 50
    assert all(getattr(corefscope, name) is not None for name in names)
    assert sorted(names) == dir(corefscope)
    offered = Completer({"corefscope": corefscope}).attr_matches("corefscope.")
    assert {name.removeprefix("corefscope.").rstrip("()") for name in offered} == {*names} - {"__version__"}
    with pytest.raises(AttributeError, match="no attribute 'scroe'"):
        corefscope.scroe  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize(
    "code",
    [
        "import corefscope",
        "from corefscope.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass",
        f"import corefscope; corefscope.score({str(EXAMPLE_KEY)!r}, {str(EXAMPLE_RESPONSE)!r})",
        "import corefscope; corefscope.score_clusters([[1, 2]], [[1, 2]])",
    ],
)
def test_nothing_heavy_is_imported(code: str) -> None:
    """Importing NumPy takes longer than scoring a corpus."""
    assert not {"numpy", "scipy", "rich"} & _modules_after(code)


def test_the_catalogue_of_metrics_names_the_rows_of_its_modules() -> None:
    modules = {name: import_module(name) for name in METRIC_MODULES}
    assert {name: tuple(module.ROWS) for name, module in modules.items()} == METRIC_MODULES
    assert [name for name, metric in METRICS.items() if metric.parts and not metric.scope.witness] == ["conll"]


@pytest.mark.skipif(not SHARED.exists(), reason="the real-size pair is not distributed with the repository")
def test_nothing_heavy_is_imported_for_a_real_corpus() -> None:
    pair = [str(SHARED / "data" / f"gum-dev.{side}.conllu") for side in ("key", "sys")]
    code = f"from corefscope.cli import main; main(['score', *{pair!r}, '--singletons', 'keep', '--quiet'])"
    assert not {"numpy", "scipy", "rich"} & _modules_after(code)


def test_reports_are_mappings_of_unrounded_scores() -> None:
    report = corefscope.score(EXAMPLE_KEY, str(EXAMPLE_RESPONSE))
    assert list(report) == list(corefscope.GROUPS["corefud"])
    score = report["muc"]
    assert isinstance(score, corefscope.Score)
    assert score == (score.recall, score.precision, score.f1)
    assert report["conll"].f1 == pytest.approx(sum(report[name].f1 for name in ("muc", "bcub", "ceafe")) / 3)
    assert report.signature == (
        f"corefud|match:head|zeros:dependent|singletons:drop|rules:corefud-1.2|v{corefscope.__version__}"
    )
    assert report.documents.keys() == dict.fromkeys(report.documents).keys()
    counts = [scores.counts("bcub")["recall_numerator"] for scores in report.documents.values()]
    assert report.counts("bcub")["recall_numerator"] == pytest.approx(sum(counts))
    assert repr(report).startswith("<Report conll=0.")


def test_a_score_is_formatted_by_its_main_figure() -> None:
    report = corefscope.score_clusters(KEY, RESPONSE, metrics="muc,conll,rand,d_err")
    assert f"{report['muc']:.2f} {report['conll']:.1%}" == f"{report['muc'].f1:.2f} {report['conll'].f1:.1%}"
    assert f"{report['rand']:6.3f}|{report['d_err']:.2f}" == (
        f"{report['rand'].value:6.3f}|{report['d_err'].value:.2f}"
    )
    assert f"{report['muc']}" == str(report["muc"]) == repr(report["muc"])


def test_help_begins_with_a_map_of_the_package() -> None:
    """Every public function and class is on it, and nothing that does not exist."""
    text = pydoc.plain(pydoc.render_doc(corefscope))
    lines = corefscope.__doc__.splitlines()
    assert all(line.strip() in text[:6000] for line in lines)
    named = set(
        re.findall(r"\b[A-Za-z_][A-Za-z_0-9]*\b", " ".join(line for line in lines if line.startswith("    ")))
    )
    assert {name for name in dir(corefscope) if not name.startswith("__")} <= named
    assert all(len(line) <= 80 for line in lines)


def test_a_score_that_was_not_asked_for_is_a_helpful_key_error() -> None:
    report = corefscope.score_clusters(KEY, RESPONSE, metrics="muc")
    with pytest.raises(KeyError, match="'lea' was not scored"):
        report["lea"]


@examples(30)
@given(
    st.builds(
        Options,
        st.just("corefud"),
        *(st.sampled_from(choices) for choices in CHOICES.values()),
        heads=st.sampled_from(["", *DERIVED]),
        only=st.sampled_from(["pronoun", "zero,name", "upos=NOUN"]),
        classes=st.sampled_from(["", "whole"]),
        baseline=st.sampled_from(["", *BASELINES]),
        subset=st.sampled_from(["", "pronouns"]),
        words=st.sampled_from(["", "ignore"]),
        llm=st.sampled_from(["", "tags-move,unclosed-sentence", "text2text"]),
        repair=st.sampled_from(["", "offsets"]),
        windows=st.sampled_from(["", "1500"]),
    )
)
def test_signatures_parse_back(options: Options) -> None:
    assert Options.parse(str(options)) == Options.parse(options.signature) == options


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"match": "heads"}, "unknown match 'heads' .did you mean 'head'"),
        ({"rules": "correct"}, "did you mean 'corrected'"),
        ({"metrics": ["muc", "bcube", "leaa"]}, "'bcube' .did you mean 'bcub'.*, 'leaa' .did you mean 'lea'"),
        ({"metrics": []}, "unknown metric"),
    ],
)
def test_unknown_options_suggest_the_nearest(call: dict[str, object], message: str) -> None:
    with pytest.raises(corefscope.OptionError, match=message):
        corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, **call)  # type: ignore[arg-type]


def test_signatures_of_nonsense_are_refused() -> None:
    for text in ("corefud|matching:head", "conllx|match:head", "corefud|match:foo"):
        with pytest.raises(corefscope.OptionError):
            Options.parse(text)


def test_scorers_add_merge_and_pickle() -> None:
    """Documents of two workers give the report of one."""
    whole, first, second = (corefscope.Scorer() for _ in range(3))
    for scorer in (whole, first):
        scorer.add(KEY, RESPONSE)
        scorer.add(iter(map(iter, KEY)), [tuple(cluster) for cluster in RESPONSE], name="named")
    for scorer in (whole, second):
        scorer.add(RESPONSE, KEY)
    first.merge(pickle.loads(pickle.dumps(second)))
    assert len(first) == len(whole) == 3
    assert first.report().to_dict() == whole.report().to_dict()
    assert list(first.report().documents) == ["#1", "named", "#2"]


def test_scorers_with_other_options_do_not_merge() -> None:
    with pytest.raises(corefscope.CorefscopeError, match="scorers differ"):
        corefscope.Scorer().merge(corefscope.Scorer(rules="corrected"))
    scorer = corefscope.Scorer()
    scorer.add(KEY, KEY, name="one")
    with pytest.raises(corefscope.CorefscopeError, match="'one' was added twice"):
        scorer.add(KEY, KEY, name="one")


def test_clusters_can_do_without_singletons() -> None:
    kept = corefscope.score_clusters(KEY, RESPONSE)
    dropped = corefscope.score_clusters(KEY, RESPONSE, singletons="drop")
    without = corefscope.score_clusters(KEY[:2], RESPONSE[:2])
    assert dict(dropped) == dict(without) != dict(kept)


def test_singletons_are_dropped_once_repeats_are_gone() -> None:
    """As for files: two times the same mention is one mention."""
    for rules in corefscope.RULES:
        report = corefscope.score_clusters([["a", "b"], ["e", "e"]], [["a", "b"]], singletons="drop", rules=rules)
        assert report["bcub"].f1 == 1


def test_a_document_may_be_called_like_an_unnamed_one() -> None:
    scorer, other = corefscope.Scorer(), corefscope.Scorer()
    scorer.add(KEY, KEY, name="#1")
    scorer.add(KEY, KEY)
    other.add(KEY, KEY)
    scorer.merge(other)
    assert list(scorer.report().documents) == ["#1", "#2", "#3"]


@pytest.mark.parametrize("kind", ["none", "all", "random"])
def test_scores_above_a_baseline(kind: str) -> None:
    """A perfect response still scores 1, and the same is computed again."""
    report = corefscope.score(EXAMPLE_KEY, EXAMPLE_KEY, baseline=kind, singletons="keep", metrics="all")
    assert "mor" not in report
    assert report.signature.split("|")[-2] == f"baseline:{kind}"
    assert all(score.f1 == pytest.approx(1) for score in report.values() if hasattr(score, "f1"))
    raw = corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, metrics=["bcub", "dmt"])
    ours, again = (
        corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, metrics=["bcub", "dmt"], baseline=kind) for _ in range(2)
    )
    assert ours["bcub"].recall <= raw["bcub"].recall
    assert list(ours.documents) == list(raw.documents)
    assert again["bcub"] == ours["bcub"]


def test_the_all_baseline_is_what_it_says(tmp_path: Path) -> None:
    """B³ of a response that puts everything together, by hand: one key entity of 2 and one of 3 mentions."""
    key, response = tmp_path / "key.conllu", tmp_path / "response.conllu"
    key.write_text(conllu("e1 1 2; e2 3 4 5"), encoding="utf-8")
    response.write_text(conllu("e1 1 2; e2 3 4; e3 5 6"), encoding="utf-8")
    raw, scaled = corefscope.score(key, response), corefscope.score(key, response, baseline="all")
    base = (2 * 2 / 5 + 3 * 3 / 5) / 5  # precision; recall is 1
    assert scaled["bcub"].precision == pytest.approx((raw["bcub"].precision - base) / (1 - base))
    assert scaled["bcub"].recall == 0


def test_only_selected_mentions_are_scored() -> None:
    """The predicate sees the document, so that it can look words up."""

    def pronouns(document: corefscope.Document, mention: corefscope.Mention) -> bool:
        return document.columns(mention.head)[3] == "PRON"

    report = corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, where=pronouns, singletons="keep")
    assert "|subset:pronouns|" in report.signature
    everything = corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, singletons="keep")
    selected, every = (found.counts("mentions")["recall_denominator"] for found in (report, everything))
    assert 0 < selected < every


def test_metrics_without_a_baseline_are_refused() -> None:
    with pytest.raises(corefscope.OptionError, match="no baseline can be made for mor"):
        corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, metrics="mor", baseline="all")
    with pytest.raises(corefscope.OptionError, match=r"unknown baseline 'al' .did you mean 'all'"):
        corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, baseline="al")
    with pytest.raises(corefscope.OptionError):
        Options.parse("corefud|baseline:xyz")


def test_components_are_shown() -> None:
    clusters = [["a", "b", "c"], ["d"]], [["b", "c"], ["d", "e"]]
    report = corefscope.score_clusters(*clusters, metrics=["blanc", "entropy"])
    assert report.components("blanc")["coreference_links"] == pytest.approx((1 / 3, 1 / 2, 2 / 5))
    assert set(report.components("entropy")) == {"H(key)", "H(response)", "H(response|key)", "H(key|response)"}
    assert report.to_dict()["metrics"]["blanc"]["components"]["non_coreference_links"]["f1"] == pytest.approx(4 / 7)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ([["a"], []], "cluster 1 of the key is empty or a string"),
        (["ab"], "cluster 0 of the key is empty or a string"),
        ([[{0, 1}]], "a mention cannot be used: unhashable type"),
        ([5], "the key is not a list of clusters"),
        (7, "the key is not a list of clusters"),
    ],
)
def test_faulty_clusters_are_explained(key: list[list[object]], message: str) -> None:
    with pytest.raises(corefscope.InputError, match=message):
        corefscope.score_clusters(key, [["a"]])


def test_spans_may_be_lists_anywhere_and_kinds_are_told_apart_without_anything_in_common() -> None:
    key: Any = [[(0, 1), (2, 3)], [(4, 5), [6, 7]]]
    response: Any = [[[0, 1], (2, 3)], [(4, 5)]]
    triple: Any = [[(0, 1), [1, 2, 3]]]
    assert corefscope.score_clusters(key, response, metrics="mentions")["mentions"].recall == 0.75
    for singletons in ("keep", "drop"):
        with pytest.raises(corefscope.InputError, match="the mentions of the response are numbers"):
            corefscope.score_clusters([[(0, 1), (2, 3)]], [[1], [2]], singletons=singletons)
        with pytest.raises(corefscope.InputError, match="is a list, but not"):
            corefscope.score_clusters(triple, [[(0, 1)]], singletons=singletons)


def test_metrics_that_need_words_are_refused_for_clusters() -> None:
    with pytest.raises(corefscope.OptionError, match="mor, zero need the words"):
        corefscope.score_clusters(KEY, RESPONSE, metrics="corefud")


def test_a_mention_in_two_clusters_follows_the_rules() -> None:
    """Under the official rules the last owns it; under corrected rules the largest, and it is 100 against itself."""
    double = [["a", "b"], ["a", "c", "d"], ["e", "e"]]
    assert corefscope.score_clusters(double, double)["muc"].f1 < 1
    assert corefscope.score_clusters(double, double, rules="corrected")["conll"].f1 == 1
    triple = [["a", "b"]] * 3
    assert corefscope.score_clusters(triple, [["a", "b"]])["blanc"] == pytest.approx((0.5, 1.5, 0.75))


@pytest.mark.parametrize("size", [0, 1, 30, 3000])
def test_labels_are_scored_like_clusters(size: int) -> None:
    """NumPy's path, peeling in rounds included, gives the figures of the plain one."""
    rng = np.random.default_rng(size)
    key = rng.integers(0, max(size // 3, 1), size)
    response = np.where(rng.random(size) < 0.3, rng.integers(0, max(size // 3, 1), size), key)
    clusters = []
    for labels in (key, response):
        members: dict[int, list[int]] = {}
        for mention, label in enumerate(labels.tolist()):
            members.setdefault(label, []).append(mention)
        clusters.append(list(members.values()))
    names = [name for name, metric in METRICS.items() if not (metric.scope.needs_words or name.startswith("xcore"))]
    expected = corefscope.score_clusters(*clusters, metrics=names)
    for ours, theirs in ((key, response), (key - 5, response * 10**12), (key.astype(str), response.tolist())):
        report = corefscope.score_labels(ours, theirs, metrics=names)
        for name in expected:
            figures, wanted = (
                [value for value in score if value not in ("", "r", "p")] for score in (report[name], expected[name])
            )
            assert figures == pytest.approx(wanted, abs=1e-10), name
            assert all(type(figure) is float for figure in figures)


def test_large_label_arrays_are_peeled_by_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(7)
    key = rng.integers(0, 400, 4000)
    response = np.where(rng.random(4000) < 0.4, rng.integers(0, 400, 4000), key)
    expected = corefscope.score_labels(key, response)
    monkeypatch.setattr("corefscope.scale.batch_assignment.SMALL", 10)
    for name, score in corefscope.score_labels(key, response).items():
        assert tuple(score) == pytest.approx(tuple(expected[name]), abs=1e-12), name


@pytest.mark.parametrize(
    ("key", "response", "message"),
    [
        ([1, 2], [1], "2 key labels but 1 response labels"),
        ([[1]], [[1]], "the key labels have 2 dimensions"),
        ([1.0, float("nan")], [1, 2], "a key label is missing"),
        ([1, None], [1, 2], "the key labels are of several types"),
        ([1, "1"], [1, 2], "the key labels are of several types"),
        ([[1], [1, 2]], [1, 2], "the key labels are no array"),
        (np.ma.masked_equal([1, 2], 2), [1, 2], "a key label is missing"),
        (np.array(["2020", "NaT"], dtype="M8[Y]"), [1, 2], "a key label is missing"),
    ],
)
def test_faulty_labels_are_explained(key: Any, response: Any, message: str) -> None:
    with pytest.raises(corefscope.InputError, match=message):
        corefscope.score_labels(key, response)


def test_labels_may_be_large_and_far_apart() -> None:
    key = np.array([0, 0, 5, 5, 5])
    expected = corefscope.score_labels(key, [0, 0, 1, 1, 1], metrics="xcore")
    assert expected["xcore"].f1 == 1
    assert corefscope.score_labels(key.astype("u8") + np.uint64(2**63), [0, 0, 1, 1, 1], metrics="xcore") == expected


def test_errors_pickle() -> None:
    """Worker processes hand them over."""
    error = corefscope.InputError("is wrong", path="a.conllu", line=7, hint="mend it")
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) == "a.conllu:7: is wrong\n  hint: mend it"


def test_progress_is_told_of_every_document() -> None:
    told: list[tuple[int, int, str]] = []
    report = corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, progress=lambda *news: told.append(news))
    assert told == [(at, len(report.documents), name) for at, name in enumerate(report.documents)]


def test_a_document_with_100000_entities_needs_little_memory() -> None:
    """No entity×entity matrix is made."""
    entities = [[(i, 0), (i, 1)] for i in range(100_000)]
    response = [[(i, 0), (i + 1, 1)] for i in range(100_000)]
    report = corefscope.score_clusters(entities, response)
    assert report["ceafe"].f1 == pytest.approx(0.5, abs=1e-4)
