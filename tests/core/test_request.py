"""One request: every entry point takes the same arguments, and what it cannot have it refuses with a reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

import corefscope
from corefscope import OptionError
from corefscope.cli import main
from corefscope.comparison.signature import read_signature
from corefscope.core.document import Document, Mention
from corefscope.core.numbers import headline
from corefscope.core.request import Request, RequestArguments
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

PAIR = str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)


def long(_: Document, mention: Mention) -> bool:
    return len(mention.positions) > 1


ARGUMENTS: dict[str, RequestArguments] = {
    "documents": {"documents": "merge"},
    "topic": {"documents": "topic", "topic": "(..)"},
    "where": {"where": long},
    "digests": {"digests": True},
    "heads": {"heads": "tree"},
    "preset": {"preset": "crac24"},
    "options": {"match": "exact", "zeros": "linear", "singletons": "keep", "rules": "corrected"},
    "metrics": {"metrics": "lea,muc,conll"},
    "formats": {"key_format": "corefud", "response_format": "corefud"},
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_every_entry_point_scores_the_same_request(name: str, tmp_path: Path) -> None:
    arguments = ARGUMENTS[name]
    expected = corefscope.score(*PAIR, **arguments)
    compared = corefscope.compare(PAIR[0], [PAIR[1]], resample="nothing", names="ours", **arguments)
    settings = corefscope.score_settings(*PAIR, "crac25" if name == "preset" else "head", **arguments)
    of_slices: Any = {"metrics": "corefud", **arguments}
    examined = corefscope.examine(*PAIR, **of_slices)
    _task(tmp_path)
    task = corefscope.score_task(tmp_path, **arguments)
    for report in (compared["ours"], examined.report, task["ours"]["en"]):
        assert report.signature == expected.signature
        assert [report.inputs[side].digest for side in (0, 1)] == [side.digest for side in expected.inputs]
        assert {metric: report[metric] for metric in expected} == dict(expected)
        assert list(report.documents) == list(expected.documents)
    assert next(iter(settings.values())).options.documents == expected.options.documents


@pytest.mark.parametrize("name", ARGUMENTS)
def test_the_page_shows_the_same_request(name: str, tmp_path: Path) -> None:
    arguments = ARGUMENTS[name]
    expected = corefscope.score(*PAIR, **arguments)
    corefscope.write_report(PAIR[0], [PAIR[1]], tmp_path / "page.html", **arguments)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert expected.signature in page
    assert f"{100 * expected['conll'].f1:.2f}" in page


def _task(folder: Path) -> None:
    (folder / "en").mkdir()
    (folder / "en" / "key.conllu").write_bytes(EXAMPLE_KEY.read_bytes())
    (folder / "en" / "ours.conllu").write_bytes(EXAMPLE_RESPONSE.read_bytes())


@pytest.mark.parametrize("baseline", ["none", "all", "random"])
def test_scores_above_a_baseline_are_the_same_everywhere(baseline: str, tmp_path: Path) -> None:
    expected = corefscope.score(*PAIR, baseline=baseline)
    compared = corefscope.compare(PAIR[0], [PAIR[1], PAIR[0]], names="ours,perfect", baseline=baseline, resamples=100)
    assert dict(compared["ours"]) == dict(expected)
    assert f"|baseline:{baseline}|" in compared.signature
    assert compared.study is not None
    low, high = compared.study.intervals["ours"]["conll"]["f1"]
    assert low <= headline(expected["conll"]) <= high
    settings = corefscope.score_settings(*PAIR, "head,exact", baseline=baseline)
    assert dict(settings["head"]) == dict(expected)
    _task(tmp_path)
    task = corefscope.score_task(tmp_path, baseline=baseline, missing="skip")
    assert dict(task["ours"]["en"]) == dict(expected)
    assert task.average("ours", "conll") == headline(expected["conll"])


def test_a_baseline_that_is_the_name_of_a_system_is_the_system_to_compare_with() -> None:
    files: Any = PAIR[0], [PAIR[1], PAIR[0]]
    by_name = corefscope.compare(*files, names="ours,random", baseline="random", resamples=100)
    assert by_name.study is not None
    assert by_name.study.baseline == "random"
    assert "baseline:" not in by_name.signature
    both = corefscope.compare(*files, names="ours,random", against="ours", baseline="random", resamples=100)
    assert both.study is not None
    assert both.study.baseline == "ours"
    assert "|baseline:random|" in both.signature
    with pytest.raises(OptionError, match=r"unknown baseline 'randon'.*did you mean 'random'"):
        corefscope.compare(*files, baseline="randon")
    with pytest.raises(OptionError, match="unknown system 'theirs'"):
        corefscope.compare(*files, names="ours,others", against="theirs")


REFUSED: dict[str, Callable[[], object]] = {
    "examine": lambda: corefscope.examine(*PAIR, baseline="none"),
    "write_report": lambda: corefscope.write_report(PAIR[0], [PAIR[1]], "never.html", baseline="none"),
    "agree": lambda: corefscope.agree(PAIR, baseline="none"),
    "score_task": lambda: corefscope.score_task(".", baseline="none"),
    "explain_difference": lambda: corefscope.explain_difference(["50"], *PAIR, baseline="none"),
    "curves": lambda: corefscope.curves(PAIR[0], documents="merge"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_had_is_refused_with_the_reason(name: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    if name == "score_task":
        _task(tmp_path)
    with pytest.raises(OptionError, match=r"cannot be used here: .{20}"):
        REFUSED[name]()
    assert not (tmp_path / "never.html").exists()


def test_settings_that_are_searched_for_cannot_be_given() -> None:
    with pytest.raises(OptionError, match="match cannot be used here: every value is tried"):
        corefscope.explain_difference(["50"], *PAIR, match="head")


def test_mistyped_arguments_are_refused_as_python_does() -> None:
    for function in (corefscope.score, corefscope.examine, corefscope.score_settings):
        with pytest.raises(TypeError, match="unexpected keyword argument 'singleton'; did you mean 'singletons'"):
            function(*PAIR, singleton="keep")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'resample_'"):
        corefscope.compare(PAIR[0], [PAIR[1]], resample_=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'xyz'$"):
        corefscope.score_task("nowhere", xyz=1)  # type: ignore[call-arg]


def test_a_request_knows_everything_a_signature_says() -> None:
    request = Request({**ARGUMENTS["options"], "baseline": "all", **ARGUMENTS["topic"]})
    assert Request(read_signature(request.options.signature).arguments).options == request.options


@pytest.mark.parametrize("command", ["compare", "errors", "report", "task", "diff"])
def test_commands_join_documents(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    files = list(PAIR)
    if command == "task":
        _task(tmp_path)
        files = [str(tmp_path)]
    more = {"diff": [], "report": ["-o", "page.html"]}.get(command, ["--format", "json"])
    assert main([command, *files, "--documents", "merge", "--quiet", *more]) == 0
    printed = capsys.readouterr().out
    if command == "report":
        printed = (tmp_path / "page.html").read_text(encoding="utf-8")
        assert "|documents:merge|" in printed
    elif command == "diff":
        assert "all documents" in printed
    else:
        assert "|documents:merge|" in json.loads(printed)["signature"]


def test_metrics_are_named_in_any_spelling() -> None:
    assert Request({"metrics": "MUC, Split_MUC"}).named == {"muc", "split_muc"}
    assert Request({"metrics": ["Split_MUC"]}).named == {"split_muc"}


def test_an_argument_that_has_its_default_is_not_refused() -> None:
    for arguments in ({"words": "compare"}, {"documents": "apart"}, {"digests": False}, {"words": None}):
        request = Request(cast("RequestArguments", arguments))
        request.refuse(words="never", documents="never", digests="never")
    with pytest.raises(OptionError, match="words cannot be used here: never"):
        Request({"words": "ignore"}).refuse(words="never")
