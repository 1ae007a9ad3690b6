"""An error kind that was added by the recipe of CONTRIBUTING is found everywhere."""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Iterator
from math import isclose
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from corefscope import examine, write_report
from corefscope.analysis.errors.kinds import ERROR_KINDS, ErrorKind
from corefscope.analysis.errors.repair import Repair
from corefscope.cli import main
from corefscope.core.request import Request
from corefscope.output.pages.report.data import collect
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, REPOSITORY

FILES = str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)
TEXTS = ["la biblioteca de el barrio , un edificio de ladrillo", "her assistant Paul"]


@pytest.fixture(autouse=True, params=[None, Repair(corrects_spans=True)], ids=["without-cost", "with-cost"])
def row(request: pytest.FixtureRequest) -> Iterator[ErrorKind]:
    """The row, once as it is and once with a repair."""
    added = ERROR_KINDS["truncated"]._replace(repair=request.param)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(ERROR_KINDS, added.name, added)
        yield added


def _generated_schema() -> Any:
    spec = importlib.util.spec_from_file_location("generate", REPOSITORY / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert f"| `truncated` | {ERROR_KINDS['truncated'].description} |" in module.errors_page()
    return json.loads(module.errors_schema())


def test_it_is_found_and_points_add_up(row: ErrorKind) -> None:
    found, metrics = examine(*FILES), ("conll", "mor")
    assert found.counts["truncated"] == 2
    assert [error.text for error in found.faults if error.kind == "truncated"] == TEXTS
    for metric in metrics:
        attribution = examine(*FILES, metric=metric).attribution
        assert isclose(sum(step.gain for step in attribution.classes), attribution.lost, abs_tol=1e-9)
        assert ("truncated" in {step.kind for step in attribution.steps}) == bool(row.repair)
    gains = {step.kind: step.gain for step in examine(*FILES, metric="mor").attribution.steps}
    assert not row.repair or 0 < gains["truncated"] <= gains["span"]  # the same step repairs both


def test_the_other_kinds_are_what_they_were() -> None:
    found = examine(*FILES)
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(ERROR_KINDS, "truncated")
        before = examine(*FILES)
    assert {kind: count for kind, count in found.counts.items() if kind != "truncated"} == before.counts
    assert [error for error in found.faults if error.kind != "truncated"] == before.faults
    assert found.attribution.score == before.attribution.score


def test_the_command_shows_it_as_text_and_json(row: ErrorKind, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["errors", *FILES, "--kind", "truncated"]) == 0
    text = capsys.readouterr().out
    assert re.search(r"^truncated mention +2\b", text, flags=re.MULTILINE)
    assert "truncated mention: 2 of 2" in text
    assert main(["errors", *FILES, "--kind", "truncated", "--format", "json"]) == 0
    content = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(_generated_schema()).validate(content)
    assert [error["text"] for error in content["faults"]] == TEXTS
    assert content["errors"]["truncated"] == sum(d["errors"]["truncated"] for d in content["documents"]) == 2
    assert ("truncated" in content["attribution"]["classes"]) == bool(row.repair)
    with pytest.raises(SystemExit):
        main(["errors", "--help"])
    assert "truncated" in capsys.readouterr().out


def test_the_report_page_shows_it(row: ErrorKind, tmp_path: Path) -> None:
    data = collect(FILES[0], [FILES[1]], Request({}, optional=True))
    names = [kind["name"] for kind in data["overview"]["kinds"]]
    number = names.index("truncated")
    listed = [error for document in data["documents"] for error in document["responses"][0]["f"]]
    assert sum(kind == number for kind, *_ in listed) == 2
    assert sum(document["kinds"][0][number] for document in data["overview"]["documents"]) == 2
    assert sum(document["faults"][0] for document in data["overview"]["documents"]) == len(listed)
    (response,) = data["overview"]["responses"]
    assert ("truncated" in {step["kind"] for step in response["losses"]["steps"]}) == bool(row.repair)
    write_report(FILES[0], [FILES[1]], tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert ".k-truncated { --k: var(--orange); --line: solid; }" in page
    assert '<span class="m key k-truncated wrong">truncated mention</span>' in page  # legend
    assert f'data-kind="{number}" title="{row.description}"' in page  # filter
