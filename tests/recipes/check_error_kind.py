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
from corefscope.analysis.errors.pairing import Repair
from corefscope.cli import main
from corefscope.core.request import Request
from corefscope.output.pages.report.data import collect
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, REPOSITORY

Files = tuple[str, str]
ENTITIES = ["e4", "e14"]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The example, and a response in which two entities have another type."""
    text = EXAMPLE_RESPONSE.read_text(encoding="utf-8")
    response = tmp_path_factory.mktemp("types") / "response.conllu"
    response.write_text(text.replace("(e4-place-", "(e4-event-").replace("(e14-person-", "(e14-event-"), "utf-8")
    return str(EXAMPLE_KEY), str(response)


@pytest.fixture(autouse=True, params=[None, Repair(corrects_spans=True)], ids=["without-cost", "with-cost"])
def row(request: pytest.FixtureRequest) -> Iterator[ErrorKind]:
    """The row, once as it is and once with a repair."""
    added = ERROR_KINDS["wrong_type"]._replace(repair=request.param)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(ERROR_KINDS, added.name, added)
        yield added


def _generated_schema() -> Any:
    spec = importlib.util.spec_from_file_location("generate", REPOSITORY / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert f"| `wrong_type` | {ERROR_KINDS['wrong_type'].description} |" in module.errors_page()
    return json.loads(module.errors_schema())


def test_it_is_found_and_points_add_up(row: ErrorKind, files: Files) -> None:
    found, metrics = examine(*files), ("conll", "mor")
    assert found.counts["wrong_type"] == 2
    assert [error.key_entity for error in found.faults if error.kind == "wrong_type"] == ENTITIES
    for metric in metrics:
        attribution = examine(*files, metric=metric).attribution
        assert isclose(sum(step.gain for step in attribution.classes), attribution.lost, abs_tol=1e-9)
        assert ("wrong_type" in {step.kind for step in attribution.steps}) == bool(row.repair)
    gains = {step.kind: step.gain for step in examine(*files, metric="mor").attribution.steps}
    assert not row.repair or 0 < gains["wrong_type"] <= gains["span"]  # the same step repairs both


def test_the_other_kinds_are_what_they_were(files: Files) -> None:
    found = examine(*files)
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(ERROR_KINDS, "wrong_type")
        before = examine(*files)
    assert {kind: count for kind, count in found.counts.items() if kind != "wrong_type"} == before.counts
    assert [error for error in found.faults if error.kind != "wrong_type"] == before.faults
    assert found.attribution.score == before.attribution.score


def test_the_command_shows_it_as_text_and_json(
    row: ErrorKind, files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["errors", *files, "--kind", "wrong_type"]) == 0
    text = capsys.readouterr().out
    assert re.search(r"^wrong type .* 2\b", text, flags=re.MULTILINE)
    assert "wrong type: 2 of 2" in text
    assert main(["errors", *files, "--kind", "wrong_type", "--format", "json"]) == 0
    content = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(_generated_schema()).validate(content)
    assert [error["key_entity"] for error in content["faults"]] == ENTITIES
    assert content["errors"]["wrong_type"] == sum(d["errors"]["wrong_type"] for d in content["documents"]) == 2
    assert ("wrong_type" in content["attribution"]["classes"]) == bool(row.repair)
    with pytest.raises(SystemExit):
        main(["errors", "--help"])
    assert "wrong_type" in capsys.readouterr().out


def test_the_report_page_shows_it(row: ErrorKind, files: Files, tmp_path: Path) -> None:
    data = collect(files[0], [files[1]], Request({}, optional=True))
    names = [kind["name"] for kind in data["overview"]["kinds"]]
    number = names.index("wrong_type")
    listed = [error for document in data["documents"] for error in document["responses"][0]["f"]]
    assert sum(kind == number for kind, *_ in listed) == 2
    assert sum(document["kinds"][0][number] for document in data["overview"]["documents"]) == 2
    assert sum(document["faults"][0] for document in data["overview"]["documents"]) == len(listed)
    (response,) = data["overview"]["responses"]
    assert ("wrong_type" in {step["kind"] for step in response["losses"]["steps"]}) == bool(row.repair)
    write_report(files[0], [files[1]], tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert ".k-wrong_type { --k: var(--orange); --line: solid; }" in page
    assert '<span class="m key k-wrong_type wrong">wrong type</span>' in page  # legend
    assert f'data-kind="{number}" title="{row.description}"' in page  # filter
