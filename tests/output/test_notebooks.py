"""In notebooks and programs: short texts of long things, tables of all results, flat figures, fractions, and help."""

from __future__ import annotations

import inspect
import math
import pickle
import pydoc
import re
import subprocess
import sys
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import corefscope
from corefscope import EntityReport, Scorer, compare, examine, score, score_entities, stats
from corefscope.core.choices import FrameLibrary
from corefscope.core.document import Document, Mention, Relation, Sentence
from corefscope.core.naming import brief
from corefscope.core.positions import word_positions
from corefscope.core.registry import Registry
from corefscope.formats.validate import Validation
from corefscope.formats.validate import inspect as inspect_file
from corefscope.output.formats import REPORTS
from corefscope.output.records import FRAMES
from corefscope.output.text import shown
from frameworks import framework
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE
from tests.output.test_results import EVERY, HOSTILE, WITHOUT_TEXT, files, results

__all__ = ["files", "results"]  # fixtures
PAIR = EXAMPLE_KEY, EXAMPLE_RESPONSE
SHORT = 700
"""Characters of the ``repr`` of any object: what a few lines of a terminal hold."""


# ---- repr


@EVERY
def test_the_repr_of_a_result_is_one_short_harmless_line(name: str, results: dict[str, Any]) -> None:
    text = repr(results[name])
    assert text.startswith(f"<{name} ")
    assert len(text) <= SHORT
    assert text.isprintable()
    assert shown(results[name].signature) in text


def _large() -> dict[str, Any]:
    """An instance of every public class, as large as they come."""
    words = 5_000
    mentions = [Mention(word_positions(number, words), head=1 << 40) for number in range(1, 60)]
    sentences = tuple(Sentence(str(n), n, n, [f"{w}\tword" for w in range(1, words + 1)], []) for n in range(1, 4))
    document = Document("d" * 5_000, tuple((mention,) * 100 for mention in mentions), sentences=sentences)
    many = {f"a long name of a system, number {number}": score(*PAIR) for number in range(200)}
    scorer = Scorer(metrics="conll")
    for _ in range(1000):
        scorer.add([[1, 2]], [[1, 2]])
    errors = examine(*PAIR)
    return {
        "Document": document,
        "Mention": mentions[0],
        "Comparison": corefscope.Comparison(many, None, "nothing"),
        "SettingsReport": corefscope.SettingsReport(many),
        "ErrorReport": errors._replace(faults=errors.faults * 10_000),
        "Scorer": scorer,
        "Report": score(*PAIR, metrics="all", documents="topic", topic=f"en|{'x' * 400}|"),
        "Options": corefscope.Options(subset="x" * 5_000),
        "Request": corefscope.Request({"metrics": "all"}),
        "Scores": next(iter(score(*PAIR, metrics="all").documents.values())),
        "documents": many[next(iter(many))].documents,
        "Study": compare(*PAIR[:1], [PAIR[1]] * 40, resamples=100).study,
        "Attribution": errors.attribution,
        "Input": many[next(iter(many))].inputs[0],
        "Metric": corefscope.METRICS["muc"],
        "Statistics": stats(EXAMPLE_KEY),
        "Problem": corefscope.Problem("p" * 5_000, 3, "E101", "m" * 5_000, "h" * 5_000),
        "Score": corefscope.Score(1 / 3, 1 / 3, 1 / 3),
        "F1": corefscope.F1(1 / 3),
        "Value": corefscope.Value(1 / 3),
    }


def _many_entities() -> EntityReport:
    scored = score_entities(*PAIR)
    return scored._replace(key=[*scored.key] * 1000)


def test_no_public_object_has_a_repr_longer_than_a_few_lines(results: dict[str, Any]) -> None:
    for name in dir(corefscope):
        limit = 3_000 if isinstance(getattr(corefscope, name), dict | Registry) else SHORT  # lists of all rows
        assert len(repr(getattr(corefscope, name))) <= limit, name
    instances = {**results, **_large(), "EntityReport": _many_entities()}
    errors = {"AlignmentError", "CorefscopeError", "InputError", "OptionError"}
    of_engines = {"Dialect", "Engine"}  # which other packages extend
    classes = {name for name in dir(corefscope) if inspect.isclass(getattr(corefscope, name))}
    assert classes - errors - of_engines <= set(instances)
    for name, instance in instances.items():
        assert len(repr(instance)) <= SHORT, name
    for each in (Relation("bridging", instances["Document"].entities[0] * 100), instances["Document"].sentences[0]):
        assert len(repr(each)) <= SHORT


def test_what_is_not_shown_is_counted() -> None:
    """And nothing that is not shown is looked at: a list of a million is no slower than one of ten."""

    class Watched(int):
        looked = 0

        def __repr__(self) -> str:
            Watched.looked += 1
            return str(int(self))

    text = brief([Watched(number) for number in range(100_000)], 50)
    shown_items = text.count(",") - text.partition("…")[2].count(",")
    assert text.endswith(f"… {100_000 - shown_items:,} more]")
    assert Watched.looked < 60
    assert (
        repr(Document("a", ((Mention([1 << 40], 1 << 40),),)))
        == "<Document 'a': 1 entities, 1 mentions, 0 sentences>"
    )


def test_results_with_a_short_repr_are_still_tuples_that_pickle(results: dict[str, Any]) -> None:
    for name in ("ErrorReport", "Explanation"):
        again = pickle.loads(pickle.dumps(results[name]))
        assert type(again) is type(results[name])
        assert vars(again).keys() == vars(results[name]).keys() if name == "Explanation" else again._fields
    assert results["Curves"]._replace(seed=3).signature.count("noise-seed:3") == 1


# ---- HTML


class _Reading(HTMLParser):
    """Tags that are open, and the text between them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        assert {name for name, _ in attributes} <= {"style", "class"}
        self.seen.add(tag)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@EVERY
def test_a_notebook_shows_the_tables_of_a_result_and_obeys_no_text(name: str, results: dict[str, Any]) -> None:
    html = results[name]._repr_html_()
    assert html.isascii()
    read = _Reading(html)
    assert not read.open
    assert read.seen <= {
        "div",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "b",
        "span",
        "p",
        "code",
        "br",
    }
    assert "\x1b" not in read.text
    if name not in WITHOUT_TEXT | {
        "Report",
        "WindowCurve",
        "GapReport",
        "AveragedReport",
        "SettingsReport",
        "Curves",
        "MetricExplanation",
        "StatisticsReport",
    }:
        assert shown(HOSTILE) in read.text
    assert all(part in read.text for part in results[name].signature.split("|v")[:1])


def test_a_notebook_shows_how_long_results_begin(tmp_path: Path) -> None:
    """10,000 problems, and 300 systems: a notebook that holds all of it would hardly open again."""
    faulty = tmp_path / "faulty.conllu"
    sentences = "".join(f"# sent_id = s{n}\n1\tw\t_\t_\t_\t_\t0\t_\t_\tEntity=e{n})\n\n" for n in range(10_000))
    faulty.write_text(f"# newdoc id = a\n# global.Entity = eid-etype-head\n{sentences}", encoding="utf-8")
    problems = Validation([inspect_file(faulty)])
    report = score(*PAIR, metrics="muc")
    systems = corefscope.Comparison({f"system {n}": report for n in range(300)}, None, "nothing")
    for result in (problems, systems):
        html = result._repr_html_()
        assert len(html) < 100_000
        assert re.search(r"[\d,]+ more (row|line|part)s", html)
        assert len(REPORTS["html"].render(result)) > len(html)


def test_statistics_of_one_file_are_a_table_too() -> None:
    assert "<td" in stats(EXAMPLE_KEY)._repr_html_()
    assert repr(stats(EXAMPLE_KEY)).startswith("<Statistics of 2 documents: 17 entities, 37 mentions (")


def test_the_command_line_writes_html(tmp_path: Path) -> None:
    out = tmp_path / "scores.html"
    command = [sys.executable, "-m", "corefscope", "score", *map(str, PAIR), "--quiet", "-o", str(out)]
    subprocess.run(command, check=True)
    read = _Reading(out.read_text(encoding="utf-8"))
    assert "CoNLL" in read.text
    assert not read.open


# ---- data frames and flat figures


@EVERY
@pytest.mark.parametrize("library", FRAMES)
@pytest.mark.parametrize("per_document", [False, True])
def test_every_result_becomes_a_data_frame(
    name: str, library: str, per_document: bool, results: dict[str, Any]
) -> None:
    framework(library)
    records = results[name].to_records(per_document)
    frame = results[name].to_frame(per_document, library=library)
    rows = frame.to_dict("records") if library == "pandas" else frame.to_dicts()
    assert len(rows) == len(records)
    for row, record in zip(rows, records, strict=True):
        for field, value in record.items():
            if value is None:
                assert row[field] is None or row[field] != row[field]  # NaN
            else:
                assert row[field] == value


@pytest.mark.parametrize("library", FRAMES)
def test_a_result_without_records_has_columns_all_the_same(library: FrameLibrary) -> None:
    framework(library)
    frame = examine(EXAMPLE_KEY, EXAMPLE_KEY).to_frame(library=library)
    assert len(frame) == 0
    assert list(frame.columns)[:2] == ["kind", "zero_kind"]


def test_without_a_library_of_data_frames_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(corefscope.OptionError, match="unknown library of data frames 'dask'"):
        score(*PAIR).to_frame(library="dask")  # type: ignore[arg-type]
    monkeypatch.setattr("corefscope.output.records.find_spec", lambda _: None)
    with pytest.raises(corefscope.CorefscopeError, match="needs pandas or polars\n  hint: pip install pandas"):
        score(*PAIR).to_frame()


@EVERY
def test_flat_figures_are_numbers_by_names_that_loggers_take(name: str, results: dict[str, Any]) -> None:
    flat = results[name].to_flat_dict("dev")
    assert flat or name == "CatalogueListing"  # which has no figures
    for key, value in flat.items():
        assert re.fullmatch(r"dev(/[\w. -]+)+", key), key
        assert len(key) <= 250
        assert "/." not in key
        assert isinstance(value, int | float)


def test_flat_figures_are_those_of_the_result() -> None:
    report = score(*PAIR)
    flat = report.to_flat_dict()
    assert flat["muc/f1"] == report["muc"].f1
    assert flat["conll/f1"] == report["conll"].f1
    assert set(flat) == {f"{name}/{figure}" for name, each in report.items() for figure in each._asdict()}
    both = compare(EXAMPLE_KEY, [EXAMPLE_RESPONSE, EXAMPLE_KEY], names=["a|b", "a/b"], resamples=100)
    figures = both.to_flat_dict()
    assert figures["a_b/conll/f1"] == report["conll"].f1
    assert figures["a_b/conll/f1_"] == 1  # the other one, whose name differs only in what loggers refuse
    assert examine(*PAIR).to_flat_dict()["missing_mention/errors"] == 3


# ---- fractions


def _numbers(values: Any, path: str = "") -> list[tuple[str, float]]:
    if isinstance(values, Mapping):
        return [found for name, value in values.items() for found in _numbers(value, f"{path}/{name}")]
    if isinstance(values, list | tuple):
        return [found for value in values for found in _numbers(value, path)]
    return [(path, values)] if isinstance(values, float) else []


def test_programs_get_fractions_everywhere() -> None:
    """What a report has as 0.7288 is 0.7288 in the analysis of errors, and in the JSON of both."""
    report, errors = score(*PAIR), examine(*PAIR)
    attribution = errors.attribution
    assert attribution.score == pytest.approx(report["conll"].f1)
    assert attribution.lost == pytest.approx(1 - report["conll"].f1)
    assert sum(step.gain for step in attribution.steps) + attribution.rules == pytest.approx(attribution.lost)
    for result in (errors, compare(EXAMPLE_KEY, [EXAMPLE_RESPONSE, EXAMPLE_KEY], resamples=100)):
        content = result.to_dict()
        content.pop("plan", None)
        scores = [(path, value) for path, value in _numbers(content) if "/counts/" not in path]
        assert len(scores) > 20
        assert not [(path, value) for path, value in scores if not (abs(value) <= 1 or math.isnan(value))]


# ---- help


def test_help_names_every_argument_and_explains_it() -> None:
    text = pydoc.plain(pydoc.render_doc(corefscope.score))
    signature = inspect.signature(corefscope.score)
    assert "arguments" not in signature.parameters
    assert {"key", "response", "preset", "match", "singletons", "metrics", "where"} <= set(signature.parameters)
    explained = {name for line in re.findall(r"(?m)^    ([a-z_, ]+)$", text) for name in line.split(", ")}
    assert set(signature.parameters) <= explained


def test_no_public_function_hides_its_arguments() -> None:
    for name in dir(corefscope):
        value = getattr(corefscope, name)
        if inspect.isfunction(value):
            parameters = inspect.signature(value).parameters.values()
            assert not [each for each in parameters if each.kind is each.VAR_KEYWORD], name
            assert value.__doc__
            inspect.getsource(value)


# ---- scorers


def test_scorers_take_the_options_of_a_shared_task() -> None:
    key, response = [["a", "b", "c"], ["d"]], [["a", "b"], ["d"], ["c", "e"]]
    conll = Scorer(preset="conll12")
    conll.add(key, response)
    assert tuple(conll.report()) == corefscope.GROUPS["conll12"]
    assert "rules:conll-8.01" in conll.report().signature
    crac = corefscope.score_clusters(key, response, preset="crac25")
    assert crac == corefscope.score_clusters(key, response, singletons="drop")
    assert "singletons:keep" in corefscope.score_clusters(key, response, preset="crac25", singletons="keep").signature
    with pytest.raises(corefscope.OptionError, match="unknown preset 'crac99'"):
        Scorer(preset="crac99")  # type: ignore[arg-type]


def test_scorers_add_up_and_forget() -> None:
    key, response = [["a", "b", "c"]], [["a", "b"], ["c", "e"]]
    whole, parts = Scorer(metrics="muc"), [Scorer(metrics="muc") for _ in range(3)]
    for number, part in enumerate(parts):
        for scorer in (whole, part):
            scorer.update(key=key, response=response, name=f"document {number}")
            scorer.update(key=key, response=key)
    total = sum(parts)
    assert isinstance(total, Scorer)
    assert total.compute().rows == whole.report().rows
    assert [len(part) for part in parts] == [2, 2, 2]  # as they were
    assert len(parts[0] + parts[1]) == 4
    with pytest.raises(TypeError):
        parts[0] + 3
    with pytest.raises(corefscope.CorefscopeError, match="scorers differ"):
        parts[0] + Scorer(metrics="lea")
    whole.reset()
    assert len(whole) == 0
    whole.add(key, key)
    assert list(whole.report().documents) == ["#1"]
    assert (
        repr(whole)
        == "<Scorer of 1 document: muc (clusters|match:exact|zeros:linear|singletons:keep|rules:corefud-1.2)>"
    )
