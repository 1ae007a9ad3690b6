"""Sets of keys: what a response scores with each, and the keys with each other."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from statistics import mean
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource

import corefscope
from corefscope import OptionError, score_keys
from corefscope.cli import main
from corefscope.output.formats.json_text import schema
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

METRICS = "conll,lea,variation_of_information"


@pytest.fixture
def keys(tmp_path: Path) -> list[Path]:
    """Three annotators of the example: the key, the response, and the key without one entity."""
    third = tmp_path / "third.conllu"
    lines = EXAMPLE_KEY.read_text(encoding="utf-8").replace("(e4-place-2", "(e3-place-2").replace("=e4)", "=e3)")
    third.write_text(lines, encoding="utf-8")
    return [EXAMPLE_KEY, EXAMPLE_RESPONSE, third]


def test_every_figure_is_that_of_score_with_two_files(keys: list[Path]) -> None:
    response = keys[2]
    scored = score_keys(keys, response, metrics=METRICS, names=["anna", "bela", "carl"])
    alone = [corefscope.score(key, response, metrics=METRICS) for key in keys]
    assert list(scored) == ["anna", "bela", "carl"]
    assert [dict(report) for report in scored.values()] == [dict(report) for report in alone]
    pairs = [corefscope.score(one, other, metrics=METRICS) for one, other in permutations(keys, 2)]
    for name in ("conll", "lea"):
        figures = [report[name].f1 for report in alone]
        summary = scored.over_keys(name)
        assert summary[:3] == pytest.approx((max(figures), mean(figures), min(figures)))
        assert summary.ceiling == pytest.approx(mean(report[name].f1 for report in pairs))
        assert summary.relative == pytest.approx(mean(figures) / summary.ceiling)
    distance = scored.over_keys("variation_of_information")
    assert distance.best == 0 < distance.worst  # a distance: the least is the best


def test_equal_keys_are_one_key(keys: list[Path]) -> None:
    summary = score_keys(keys[:1] * 3, keys[1]).over_keys("conll")
    plain = corefscope.score(keys[0], keys[1])["conll"].f1
    assert summary[:3] == pytest.approx((plain, plain, plain))
    assert (summary.ceiling, summary.relative) == pytest.approx((1, plain))


def test_the_command_prints_it_in_every_format(keys: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    command = ["score", str(keys[0]), str(keys[2]), "--more-keys", str(keys[1]), "--quiet", "--metrics", "conll"]
    shown = f"{100 * score_keys(keys[:2], keys[2]).over_keys('conll').relative:.2f}"
    for format_ in ("text", "markdown", "latex", "html"):
        assert main([*command, "--format", format_]) == 0
        assert shown in capsys.readouterr().out
    assert main([*command, "--format", "json"]) == 0
    result = json.loads(capsys.readouterr().out)
    registry: Any = Registry().with_resource("corefscope-report-1", Resource.from_contents(schema()))
    jsonschema.Draft202012Validator(schema(result["schema"]), registry=registry).validate(result)
    assert f"{100 * result['metrics']['conll']['relative']:.2f}" == shown
    assert main([*command, "--format", "csv"]) == 0
    assert capsys.readouterr().out.startswith("key,metric,recall")


@pytest.mark.parametrize("more", [["--settings", "crac"], ["--average", "documents"], ["--fail-under", "conll=50%"]])
def test_options_of_one_report_are_refused(
    keys: list[Path], more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", str(keys[0]), str(keys[1]), "--more-keys", str(keys[2]), *more]) == 2
    assert f"{more[0]} and --more-keys cannot be combined" in capsys.readouterr().err


def test_one_key_is_no_set_and_pipes_are_read_once() -> None:
    with pytest.raises(OptionError, match="needs two files"):
        score_keys([EXAMPLE_KEY], EXAMPLE_RESPONSE)
    with pytest.raises(OptionError, match="can be read only once"):
        score_keys([EXAMPLE_KEY, "-"], EXAMPLE_RESPONSE)
