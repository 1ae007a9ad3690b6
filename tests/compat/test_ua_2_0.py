"""Rules ua-2.0 and ``ua-scorer --version 2``: what UA scorer 2.0 prints and counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import corefscope
from corefscope.compat.commands import ua
from corefscope.compat.ua_2_0 import WordMention, _fits_first_chunk
from places import GOLDEN
from tests.formats.ua.test_reader import one, text

FOLDER = GOLDEN / "ua"
PRINTED: dict[str, dict[str, dict[str, str]]] = json.loads((FOLDER / "ua-2.0.json").read_text(encoding="utf-8"))
ODD = ("quirks", "u00016", "u00017", "u00042", "u00043")
"""Pairs that the program reads in ways of its own: crossing brackets, and one fault each."""
METRICS = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea")


def _files(case: str) -> list[str]:
    return [str(FOLDER / f"{case}.{side}.conllua") for side in ("key", "response")]


@pytest.mark.parametrize("case", PRINTED)
def test_the_output_is_that_of_2_0(case: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the program ends with an error, so does this one, after what was printed before."""
    for options, expected in PRINTED[case].items():
        code = ua.main(["--version", "2", *options.split(), *_files(case)])
        found = capsys.readouterr()
        assert found.out == expected["printed"], options
        assert code == ("error" in expected), (options, found.err)
        assert ("UA scorer 2.0" in found.err or "in the key" in found.err or " is not in " in found.err) or not code


def _scores(printed: str) -> dict[str, list[float]]:
    lines = printed.split("\n")
    places = [number for number, line in enumerate(lines) if line in METRICS]
    return {lines[n]: [float(part.split(":")[1]) for part in lines[n + 1].split("  ")] for n in places}


@pytest.mark.parametrize("case", [case for case in PRINTED if not case.startswith(ODD)][::3])
@pytest.mark.parametrize("match", ["exact", "partial"])
@pytest.mark.parametrize("singletons", ["drop", "keep"])
def test_score_gives_the_same_figures(
    case: str, match: str, singletons: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Zeros are kept, and split antecedents if singletons are."""
    flags = ["-s", "-l"] if singletons == "keep" else []
    flags += ["-a", "partial-corefud"] if match == "partial" else []
    code = ua.main(["--version", "2", *flags, "-z", "-m", *METRICS, "--", *_files(case)])
    expected = _scores(capsys.readouterr().out)
    if code:
        return
    options: Any = {"match": match, "singletons": singletons}
    report = corefscope.score(*_files(case), rules="ua-2.0", metrics=list(METRICS), **options)
    for name, figures in expected.items():
        assert [100 * figure for figure in report[name]] == pytest.approx(figures, abs=0.00501), name


def test_defaults_are_those_of_the_program() -> None:
    report = corefscope.score(*_files("u00001"), rules="ua-2.0")
    assert report.signature.startswith("ua|match:exact|zeros:linear|singletons:drop|rules:ua-2.0|v")


def _written(folder: Path, *sides: str) -> list[str]:
    paths = [folder / "key.conllua", folder / "response.conllua"]
    for path, content in zip(paths, sides, strict=True):
        path.write_text(content, encoding="utf-8")
    return list(map(str, paths))


def _f1(printed: str) -> dict[str, float]:
    return {name: figures[2] for name, figures in _scores(printed).items()}


def test_a_response_mention_between_minimum_and_key_mention_matches(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key = text("(EntityID=1|MarkableID=a|Min=2", "_", ")", one("c", 1))
    response = text("_", "(EntityID=1|MarkableID=a)", "_", one("c", 1))
    paths = _written(tmp_path, key, response)
    assert ua.main(["--version", "2", "-a", "partial-corefud", *paths]) == 0
    assert _f1(capsys.readouterr().out) == {"muc": 100, "bcub": 100, "ceafe": 100}
    assert ua.main(["--version", "2", *paths]) == 0
    assert _f1(capsys.readouterr().out) == {"muc": 0, "bcub": 25, "ceafe": 50}


def test_what_the_library_cannot_do_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    case = next(case for case in PRINTED if "q47" in case)
    assert ua.main(["--version", "2", "-l", *_files(case)]) == 1
    assert "cannot drop singletons where entities have split antecedents" in capsys.readouterr().err
    assert ua.main(["--version", "2", "-m", "all", "--", *_files("u00001")]) == 1
    output = capsys.readouterr()
    assert "stops at the metric mention" in output.err
    assert output.out.count("Recall") == 6  # those before it
    with pytest.raises(SystemExit):
        ua.main(["--version", "2", "-f", "corefud", *_files("u00001")])


@pytest.mark.parametrize("match", ["exact", "partial", "head"])
def test_relations_are_judged_under_these_rules(match: str) -> None:
    """Error analysis and metrics of relations agree on what is right."""
    options: dict[str, Any] = {"rules": "ua-2.0", "singletons": "keep", "match": match}
    for case in ("u00002", "u00006", "u00008", "u00012"):
        report = corefscope.score(
            *_files(case), metrics="plural_muc,split_ceafe,bridging_entity,non_referring", **options
        )
        errors = corefscope.examine(*_files(case), metrics="bridging_entity", **options)
        assert errors.report["bridging_entity"] == report["bridging_entity"]


@pytest.mark.parametrize(("chunk", "fits"), [((3, 5), True), ((5, 3), False)])
def test_a_chunk_that_ends_before_it_starts_fits_nothing(chunk: tuple[int, int], fits: bool) -> None:
    mention = WordMention([3, 4, 5], chunks=[chunk])
    assert _fits_first_chunk(mention, mention) == fits
