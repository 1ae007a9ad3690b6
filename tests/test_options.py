"""Options of every public function: a value that is not valid is refused, and never taken for the default."""

from __future__ import annotations

import inspect
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import corefscope
from corefscope import CorefscopeError, OptionError, Scorer, score_clusters
from corefscope.cli import main
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

KEY, RESPONSE = str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)
CLUSTERS = [[(0, 1), (2, 3)], [(5, 5)]]
TABLES = {"mention": [1, 2, 3], "entity": ["x", "x", "y"]}, {"mention": [1, 2, 3], "entity": [5, 6, 6]}
WRONG = [False, 0, "", [], 3.5, object()]
FLAGS = {
    "annotators",
    "blind",
    "masked",
    "lossy",
    "mixed",
    "shared",
    "intervals",
    "compare_rules",
    "digests",
    "keep_going",
    "per_document",
}
FLAGS |= {"significance", "spreadsheet", "validation"}
NUMBERS = {"seed", "port", "examples", "limit", "kernel_limit", "threads"}
"""Integers that may be 0."""
EMPTY_IS_DEFAULT = {("by", "[]"), ("kinds", "[]"), ("group_by", "[]"), ("key", "''"), ("response", "''")}
EMPTY_IS_DEFAULT |= {("document", "''"), ("document_column", "''")}  # there is no such column
"""Lists of examine that are empty by default, and columns of score_tables whose names are empty by default."""
NO_OPTIONS = {
    *("b_cubed_over", "characters_to_tokens", "check_engine", "clusters_from_links", "from_allennlp"),
    *("from_coref_data", "from_corenlp", "from_fastcoref", "from_maverick", "from_spacy", "from_stanza"),
    "restrict",
}
"""Functions of values in memory, without options of scoring."""


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[tuple[Any, ...], dict[str, Any]]]:
    """By name, arguments that a public function accepts."""
    folder = tmp_path_factory.mktemp("options")
    results = [str(folder / f"{name}.json") for name in "abc"]
    for result in results:
        assert main(["score", KEY, RESPONSE, "--quiet", "--output", result]) == 0
    task = folder / "task"
    (task / "data").mkdir(parents=True)
    shutil.copy(KEY, task / "data" / "key.conllu")
    shutil.copy(RESPONSE, task / "data" / "system.conllu")
    document = next(iter(corefscope.read_documents(KEY)))
    return {
        "Scorer": ((), {}),
        "agree": (([KEY, RESPONSE],), {}),
        "cite_line": ((results[0],), {}),
        "compare": ((KEY, [RESPONSE, KEY]), {"resamples": 100}),
        "convert": ((KEY, str(folder / "out.jsonl")), {"to": "jsonl", "lossy": True}),
        "correlate": ((results,), {}),
        "criteria": (("muc",), {}),
        "curves": ((KEY,), {"levels": (0, 50), "metrics": "muc"}),
        "examine": ((KEY, RESPONSE), {}),
        "explain_difference": (([50.0], KEY, RESPONSE), {}),
        "explain_metric": ((KEY, RESPONSE, "muc"), {}),
        "intervals": ((corefscope.score(KEY, RESPONSE),), {"resamples": 100}),
        "merge": (([corefscope.score(KEY, RESPONSE)],), {}),
        "perturb": ((document, "drop", 50), {}),
        "probe": ((KEY, RESPONSE), {"resamples": 100}),
        "read_documents": ((KEY,), {}),
        "score": ((KEY, RESPONSE), {}),
        "score_clusters": ((CLUSTERS, CLUSTERS), {}),
        "score_entities": ((KEY, RESPONSE), {}),
        "score_keys": (([KEY, RESPONSE], RESPONSE), {}),
        "score_labels": (([1, 1, 2], [1, 2, 2]), {}),
        "score_sampled_key": ((KEY, RESPONSE), {}),
        "score_settings": ((KEY, RESPONSE), {}),
        "score_tables": (TABLES, {}),
        "score_task": ((str(task),), {"jobs": 1}),
        "score_task_settings": ((str(task), "crac"), {"jobs": 1}),
        "score_windows": ((KEY, RESPONSE, 20), {}),
        "serve_report": ((KEY, [RESPONSE]), {"port": 0}),
        "stats": ((KEY,), {}),
        "validate": ((KEY,), {}),
        "verify": ((results[0],), {}),
        "write_report": ((KEY, [RESPONSE], str(folder / "out.html")), {}),
    }


def _public_functions() -> list[str]:
    return [name for name in dir(corefscope) if inspect.isfunction(getattr(corefscope, name))] + ["Scorer"]


def _called(name: str, positional: tuple[Any, ...], named: dict[str, Any]) -> None:
    function: Callable[..., Any] = getattr(corefscope, name)
    if name != "score_tables":  # whose tables have no names
        named = {**inspect.signature(function).bind_partial(*positional).arguments, **named}
        positional = ()
    result = function(*positional, **named)
    if name == "read_documents":
        list(result)
    if name == "serve_report":
        with result:
            pass


def _is_valid(parameter: str, value: Any) -> bool:
    if parameter in FLAGS:
        return isinstance(value, bool)
    return (parameter in NUMBERS and value is WRONG[1]) or (parameter, repr(value)) in EMPTY_IS_DEFAULT


@pytest.mark.parametrize("name", sorted(set(_public_functions()) - NO_OPTIONS))
def test_no_invalid_value_means_the_default(name: str, calls: dict[str, Any]) -> None:
    positional, named = calls[name]
    if name == "score_tables":
        pytest.importorskip("duckdb", reason="duckdb is not installed: pip install duckdb")
    _called(name, positional, named)
    silent = []
    for parameter in inspect.signature(getattr(corefscope, name)).parameters.values():
        if parameter.default is parameter.empty or parameter.kind is parameter.VAR_POSITIONAL:
            continue
        for value in WRONG:
            if _is_valid(parameter.name, value):
                continue
            try:
                _called(name, positional, {**named, parameter.name: value})
            except (CorefscopeError, TypeError):
                continue
            silent.append(f"{parameter.name}={value!r}")
    assert not silent


@pytest.mark.parametrize("value", WRONG)
def test_the_error_names_the_valid_values(value: Any, tmp_path: Path) -> None:
    for option, valid in {"singletons": "drop, keep", "rules": "corefud-1.2, corrected", "preset": "crac22"}.items():
        options: dict[str, Any] = {option: value}
        for call in (
            lambda options=options: Scorer(**options),
            lambda options=options: score_clusters(CLUSTERS, CLUSTERS, **options),
            lambda options=options: corefscope.score(KEY, RESPONSE, **options),
        ):
            with pytest.raises(OptionError, match=rf"unknown {option} .*choose from: .*{valid}"):
                call()
    for option in ("words", "documents", "heads", "anaphors", "reading", "unclosed", "style", "repair", "key_format"):
        with pytest.raises(OptionError, match="choose from: "):
            corefscope.score(KEY, RESPONSE, **{option: value})
    with pytest.raises(OptionError, match=r"unknown profile .*choose from: "):
        corefscope.validate(KEY, profile=value)
    with pytest.raises(OptionError, match=r"unknown side .*choose from: "):
        corefscope.convert(KEY, tmp_path / "out.jsonl", side=value)
