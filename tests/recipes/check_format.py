"""A format that was added by the recipe of CONTRIBUTING is recognised, scored, converted and validated."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import corefscope
from corefscope.cli import main

KEY = "%document walk\nAnn her\ndog\n\n%document home\nBob he him\n"
RESPONSE = "%document home\nBob he\n%document walk\nAnn her dog\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """A key and a response, the documents in another order."""
    key, response = tmp_path / "key", tmp_path / "response.lists"
    key.write_text(KEY, encoding="utf-8")
    response.write_text(RESPONSE, encoding="utf-8")
    return str(key), str(response)


def test_files_are_scored(files: tuple[str, str]) -> None:
    report = corefscope.score(*files, metrics="muc")
    assert report.signature.startswith("lists|match:exact|")
    assert (report["muc"].recall, report["muc"].precision) == (2 / 3, 2 / 3)
    assert list(report.documents) == ["home", "walk"]


def test_errors_are_found(files: tuple[str, str]) -> None:
    assert corefscope.examine(*files).counts["missing_mention"] == 1


def test_files_are_converted_and_scored_with_other_formats(files: tuple[str, str], tmp_path: Path) -> None:
    written = tmp_path / "response.json"
    assert main(["convert", files[1], str(written), "--to", "clusters"]) == 0
    assert json.loads(written.read_text(encoding="utf-8"))["walk"] == {"e1": ["Ann", "dog", "her"]}
    assert corefscope.score(files[0], written, metrics="all").rows == corefscope.score(*files, metrics="all").rows


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("%document walk\nAnn her\n\n%document walk\n", ":4: document 'walk' has no name of its own"),
        ("%document\nAnn her\n", ":1: document '' has no name of its own"),
        ("Ann\n", ":1: mentions outside of a document"),
        ("\n", "holds no document"),
    ],
)
def test_faults_are_located(text: str, fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.lists"
    path.write_text(text, encoding="utf-8")
    assert main(["score", str(path), str(path)]) == 1
    assert fault in capsys.readouterr().err
    assert main(["validate", str(path)]) == 1


def test_good_files_are_valid(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", *files]) == 0
    assert "no problems; lists, 2 documents" in " ".join(capsys.readouterr().out.split())
