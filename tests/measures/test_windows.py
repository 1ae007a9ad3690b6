"""The curve over windows: its figures are those of score, in every form of output."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from referencing import Registry, Resource

from corefscope import OptionError, score, score_windows, verify
from corefscope.cli import main
from corefscope.measures.windows import WindowCurve, sizes_in
from corefscope.output.formats import REPORTS
from corefscope.output.formats.json_text import schema
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

FILES = [str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)]


@pytest.fixture(scope="module")
def curve() -> WindowCurve:
    return score_windows(EXAMPLE_KEY, EXAMPLE_RESPONSE, [40, 20, 1000])


def test_a_curve_has_the_scores_of_each_size_and_of_whole_texts(curve: WindowCurve) -> None:
    assert list(curve) == ["20", "40", "1000", "whole"]
    for name, report in curve.items():
        alone = score(*FILES, windows=None if name == "whole" else name)
        assert (report.rows, report.signature) == (alone.rows, alone.signature)
    assert curve.cost("20", "conll") == curve["whole"]["conll"].f1 - curve["20"]["conll"].f1
    assert all(curve.cost("1000", metric) == 0 for metric in curve.metrics), "distance costs nothing in one window"
    assert curve.cost("20", "conll") == pytest.approx(0.0169, abs=1e-4)


def test_what_has_nothing_to_count_costs_nothing_known(tmp_path: Path) -> None:
    lone = tmp_path / "lone.jsonl"
    lone.write_text('{"doc_key": "d", "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]]}\n', encoding="utf-8")
    one = score_windows(lone, lone, 1, metrics="muc")
    assert one.cost("1", "muc") is None
    assert "–" in REPORTS["text"].render(one)
    assert one.to_dict()["cost"] == {"1": {"muc": None}}


def test_json_and_records_have_all_figures(curve: WindowCurve, tmp_path: Path) -> None:
    saved = tmp_path / "curve.json"
    assert main(["score", *FILES, "--windows", "20,40,1000,whole", "-o", str(saved)]) == 0
    values = json.loads(saved.read_text(encoding="utf-8"))
    resources = [Resource.from_contents(schema(name)) for name in ("corefscope-report-1", "corefscope-windows-1")]
    registry = Registry().with_resources([(resource.id() or "", resource) for resource in resources])
    jsonschema.Draft202012Validator(schema("corefscope-windows-1"), registry=registry).validate(values)
    assert values["cost"]["20"]["muc"] == curve.cost("20", "muc")
    assert verify(saved).same
    records = {(record["windows"], record["metric"]): record for record in curve.to_records()}
    assert records["40", "lea"]["f1"] == curve["40"]["lea"].f1
    assert records["40", "lea"]["cost"] == curve.cost("40", "lea")
    assert records["whole", "lea"]["cost"] == 0


def test_the_terminal_shows_scores_and_costs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *FILES, "--windows", "20,whole", "--metrics", "lea", "--fail-under", "lea=65"]) == 3
    out, err = capsys.readouterr()
    assert [line.split() for line in out.splitlines()[:6]] == [
        ["F1,", "windows", "LEA"],
        ["20", "64.52"],
        ["whole", "65.96"],
        [],
        ["whole", "−", "windows", "LEA"],
        ["20", "1.44"],
    ]
    assert "20: lea.f1 is 64.52 %, below 65.00 %" in err


@pytest.mark.parametrize("options", [["--settings", "crac"], ["--average", "documents"], ["--engine", "duckdb"]])
def test_several_sizes_are_for_one_report(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *FILES, "--windows", "20,40", *options]) == 2
    assert f"{options[0]} and several --windows cannot be combined" in capsys.readouterr().err


@pytest.mark.parametrize("sizes", ["", "20,x", "whole", [0], ["-1"], "²"])
def test_sizes_are_numbers_of_words(sizes: str) -> None:
    with pytest.raises(OptionError, match="numbers of words from 1"):
        sizes_in(sizes)
    with pytest.raises(OptionError, match="third argument"):
        score_windows(EXAMPLE_KEY, EXAMPLE_RESPONSE, 20, windows=20)


def test_the_example_of_the_page(tmp_path: Path) -> None:
    """docs/long-texts.md works it by hand."""
    words = [[f"w{n}" for n in range(10)]]
    paths = []
    for side, entities in (("key", [[0, 2, 4, 6, 8]]), ("response", [[0, 2, 4], [6, 8]])):
        clusters = [[[n, n] for n in entity] for entity in entities]
        paths.append(tmp_path / f"{side}.jsonl")
        text = json.dumps({"doc_key": "d", "sentences": words, "clusters": clusters})
        paths[-1].write_text(text + "\n", encoding="utf-8")
    curve = score_windows(paths[0], paths[1], 4, metrics="muc")
    assert curve["4"]["muc"][:2] == (1 / 2, 1)
    assert curve["whole"]["muc"][:2] == (3 / 4, 1)
    assert curve.cost("4", "muc") == pytest.approx(6 / 7 - 2 / 3)
    assert f"{100 * curve['whole']['muc'].f1:.2f}" == "85.71"


def test_scores_of_whole_texts_load_no_windows() -> None:
    code = "import sys; from corefscope import score; score(*sys.argv[1:]); assert not [m for m in sys.modules if m"
    subprocess.run([sys.executable, "-c", f"{code}.endswith('.windows')]", *FILES], check=True)
