"""Why two scores differ: every documented disagreement is found."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import corefscope
from corefscope.cli import main
from corefscope.comparison.difference import SCHEMA, Figure, explain_difference
from corefscope.core.errors import InputError, OptionError
from corefscope.core.rules import RULES
from corefscope.output.formats.json_text import schema
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, GOLDEN

DUPLICATES = GOLDEN / "corefud-duplicates"


def _shown(report: corefscope.Report, metric: str = "conll") -> str:
    return f"{100 * report[metric].f1:.2f}"


def _differs(figures: list[str], *files: Path, metrics: str = "conll") -> dict[str, tuple[str, str]]:
    found = explain_difference(figures, *files, metrics=metrics)
    assert found.path is not None
    return found.path[0].differs(found.path[1])


def test_singletons_kept_or_dropped() -> None:
    figures = [_shown(corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, singletons=s)) for s in ("drop", "keep")]
    assert _differs(figures, EXAMPLE_KEY, EXAMPLE_RESPONSE) == {"singletons": ("drop", "keep")}


def test_head_or_exact_match() -> None:
    figures = [_shown(corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, match=m)) for m in ("head", "exact")]
    assert _differs(figures, EXAMPLE_KEY, EXAMPLE_RESPONSE) == {"match": ("head", "exact")}


def test_micro_or_macro_average() -> None:
    report = corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE)
    macro = sum(scores["conll"].f1 for scores in report.documents.values()) / len(report.documents)
    found = _differs([_shown(report), f"{100 * macro:.2f}"], EXAMPLE_KEY, EXAMPLE_RESPONSE)
    assert found == {"aggregation": ("micro", "macro")}


def _pairs() -> list[tuple[Path, Path]]:
    keys = sorted(DUPLICATES.glob("*.key.conllu"))
    return [(key, key.with_name(key.name.replace(".key.", ".sys."))) for key in keys]


@pytest.mark.parametrize(("one", "other"), [("corefud-1.2", "corrected"), ("corrected", "conll-8.01")])
def test_rules(one: str, other: str) -> None:
    """Some pair with spans that stand twice is scored differently under the two rule sets."""
    options: dict[str, Any] = {"match": "exact", "singletons": "keep"}
    for pair in _pairs():
        first, second = (_shown(corefscope.score(*pair, rules=rules, **options), "bcub") for rules in (one, other))  # type: ignore[arg-type]
        if first != second:
            found = _differs([first, second], *pair, metrics="bcub")
            assert len(found) == 1
            assert set(found) <= {"rules", "duplicates"}
            return
    pytest.fail("no pair tells the rules apart")


def test_zeros_by_position_or_dependencies() -> None:
    for key in sorted((GOLDEN / "corefud").glob("*.key.conllu")):
        pair = key, key.with_name(key.name.replace(".key.", ".sys."))
        try:
            figures = [_shown(corefscope.score(*pair, zeros=zeros)) for zeros in ("dependent", "linear")]
        except corefscope.InputError:
            continue
        if figures[0] != figures[1]:
            ways, others = explain_difference(figures, *pair, metrics="conll").found
            changes = [set(one.differs(other)) for one, _ in ways for other, _ in others]
            assert {"zeros"} in changes
            return
    pytest.fail("no pair tells them apart")


def test_one_figure_is_compared_with_ours() -> None:
    exact = _shown(corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, match="exact"))
    found = explain_difference([exact], EXAMPLE_KEY, EXAMPLE_RESPONSE)
    assert found.wanted == (exact, "ours")
    assert found.path is not None
    assert found.path[0].differs(found.path[1]) == {"match": ("exact", "head")}


def test_what_nothing_produces_is_said_to_be_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain-difference", "12.34", str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)]) == 0
    out = capsys.readouterr().out
    assert "12.34 comes from none of the" in out
    assert "Makes no difference here: duplicates: no span occurs twice" in out


@pytest.mark.parametrize(
    ("text", "ratio", "fits"),
    [
        ("66.67", 2 / 3, True),
        ("66.66", 2 / 3, True),
        ("66.65", 2 / 3, False),
        ("66.7", 2 / 3, True),
        ("67", 2 / 3, True),
        ("0.6667", 2 / 3, True),
        ("0.5", 0.005, True),
        ("50%", 0.5, True),
        ("39.99", 0.4, False),
        ("40.00", 0.4, True),
        ("0.67", 2 / 3, True),
        ("0.67", 0.0067, True),
        ("0.67%", 2 / 3, False),
        ("0.68", 2 / 3, False),
        ("0.7", 0.7, False),
        ("-0.67", -2 / 3, True),
        ("-0.66", -2 / 3, True),
        ("-0.65", -2 / 3, False),
        ("0.7205508445458417", 0.7205508445458417, True),
        ("72.87576139489289", 0.7287576139489289, True),
        ("72.8757613", 0.7287576139489289, True),
        ("72.8757615", 0.7287576139489289, False),
        ("7.205508445458417e-1", 0.7205508445458417, True),
    ],
)
def test_figures_are_rounded_or_cut_off(text: str, ratio: float, fits: bool) -> None:
    assert bool(Figure(text).fits(ratio)) == fits


@pytest.mark.parametrize("arguments", [["1", "2", "3", "k", "r"], ["x", "k", "r"], ["k", "r"], ["nan", "k", "r"]])
def test_wrong_figures_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain-difference", *arguments]) == 2
    assert "Traceback" not in capsys.readouterr().err
    with pytest.raises(OptionError):
        Figure("1e9")


def test_every_unrounded_score_is_recognised() -> None:
    report = corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE)
    for metric in report:
        for figure, reading in ((report[metric].f1, ("ratio",)), (100 * report[metric].f1, ())):
            found = explain_difference([repr(figure)], EXAMPLE_KEY, EXAMPLE_RESPONSE, metrics=metric)
            assert found.found[0][0][0].match == "head"
            assert found.read_as == (reading, ())


def test_a_number_that_may_be_a_ratio_or_a_percentage_is_read_both_ways(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)]
    assert main(["explain-difference", "0.73", *files, "--metrics", "conll"]) == 0
    assert "0.73, read as a ratio, comes from" in capsys.readouterr().out
    found = explain_difference(["0.00"], EXAMPLE_KEY, EXAMPLE_RESPONSE, metrics="conll")
    assert found.read_as[0] == ()
    assert not found.found[0]


@pytest.mark.parametrize("figures", [["72.88"], ["0.73", "63.51"], ["12.34", "72.88"]])
def test_json_keeps_to_its_schema(figures: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [*figures, str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE), "--format", "json"]
    assert main(["explain-difference", *arguments]) == 0
    content = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator.check_schema(schema(SCHEMA))
    jsonschema.Draft202012Validator(schema(SCHEMA)).validate(content)
    assert content["schema"] == SCHEMA
    assert set(content["meanings"]) == {"aggregation", "duplicates"}


def test_what_differs_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain-difference", "72.88", "72.66", str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)]) == 0
    told = "aggregation: micro (counts pooled over documents) instead of macro (mean over documents)"
    assert f"What differs: {told}" in " ".join(capsys.readouterr().out.split())


def test_rules_are_tried_with_the_matches_they_know() -> None:
    found = explain_difference(["0"], EXAMPLE_KEY, EXAMPLE_RESPONSE, metrics="muc")
    tried = [rules for name, rules in RULES.items() if name not in ("corefud-1.1", "corefud-1.0")]
    assert found.tried == sum(len(rules.matches) * len(rules.zeros) for rules in tried) * 2 * 2
    assert [warning.partition("rules ")[2][:21] for warning in found.warnings] == [
        "corefud-1.1 not tried",  # empty nodes differ
        "corefud-1.0 not tried",
    ]
    found = explain_difference(["0"], EXAMPLE_KEY, EXAMPLE_KEY, metrics="muc")
    assert found.tried == sum(len(rules.matches) * len(rules.zeros) for rules in RULES.values()) * 2 * 2
    assert RULES["conll-8.01"].matches == ("exact",)


@pytest.mark.parametrize("limit", ["-1", "0", "x", "1.5", "", "9" * 5000])
def test_a_limit_is_a_number_from_1(limit: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["explain-difference", "1", "k", "r", f"--limit={limit}"])
    assert caught.value.code == 2
    assert "give 1 or more" in capsys.readouterr().err


def test_what_can_be_read_only_once_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for once in ("-", str(pipe)):
        for files in ((EXAMPLE_KEY, once), (once, EXAMPLE_RESPONSE)):
            with pytest.raises(InputError, match="is read several times"):
                explain_difference(["72.88"], *files)


def test_progress_is_told_for_every_setting() -> None:
    told: list[tuple[int, int]] = []
    explain_difference(
        ["72.88"],
        EXAMPLE_KEY,
        EXAMPLE_RESPONSE,
        metrics="muc",
        progress=lambda number, total, _: told.append((number, total)),
    )
    assert [number for number, _ in told] == list(range(len(told)))
    assert {total for _, total in told} == {len(told)}


def test_how_many_of_the_settings_tried_give_a_figure_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """A single hit among hundreds may be chance: it is not stated as what happened."""
    found = explain_difference(["72.88", "69.02"], EXAMPLE_KEY, EXAMPLE_RESPONSE)
    numbers = [len(ways) for ways in found.found]
    assert [(row["settings"], row["tried"]) for row in found.to_records()] == [
        (number, found.tried) for number in numbers for _ in range(number)
    ]
    assert main(["explain-difference", "72.88", str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert f"72.88 comes from {numbers[0]} of the {found.tried} settings tried:" in out
    assert "one may fit by chance" in out
    assert "ours is what these settings give:" in out
    assert main(["explain-difference", "12.34", str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)]) == 0
    assert "by chance" not in capsys.readouterr().out
