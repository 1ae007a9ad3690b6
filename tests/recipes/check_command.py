"""A command that was added by the recipe of CONTRIBUTING runs, and is listed and explained."""

from __future__ import annotations

import pytest

from corefscope.cli import main
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, REPOSITORY


def test_it_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)]) == 0
    assert capsys.readouterr().out == "2\n2\n"


def test_its_errors_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", "nowhere.conllu"]) == 1
    assert "corefscope: error: nowhere.conllu" in capsys.readouterr().err


def test_it_is_listed_and_explained(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "count the documents of files" in capsys.readouterr().out
    assert main(["help", "count"]) == 0
    assert "Print the number of documents of each file." in capsys.readouterr().out
    assert "`corefscope count`" in (REPOSITORY / "README.md").read_text(encoding="utf-8")
