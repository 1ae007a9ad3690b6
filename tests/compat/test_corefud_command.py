"""The drop-in ``corefud-scorer``: first lines, errors, quirks of its command line."""

from __future__ import annotations

from pathlib import Path

import pytest

import corefscope
from corefscope.compat.commands.corefud import main as compat
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

PAIR = [str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)]


@pytest.mark.parametrize(
    ("options", "first"),
    [
        ([], "coreferential mentions, zeros (using dependent match method) using head"),
        (["-s", "-z", "linear"], "coreferential mentions, singletons, zeros (using linear match method) using head"),
        (["-a", "partial"], "coreferential mentions, zeros (using dependent match method) using partial-corefud"),
        (["-a", "partial", "-x"], "coreferential mentions, zeros (using dependent match method) using exact"),
        (["-m", "mor", "--"], " using head"),
        (["-m", "--"], " using head"),
    ],
)
def test_the_drop_in_says_what_it_does(options: list[str], first: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert compat([*options, *PAIR]) == 0
    assert capsys.readouterr().out.split("\n")[0] == f"The scorer is evaluating {first} match evaluation setting."


def test_the_drop_in_prints_its_first_lines_before_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As CorefUD scorer 1.2 does, whose standard output is then the same to the byte."""
    faulty = tmp_path / "faulty.conllu"
    faulty.write_text("# newdoc id = d\n1\tw\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1)\n\n", encoding="utf-8")
    for path in (faulty, tmp_path / "missing.conllu"):
        assert compat([str(path), str(path), "-x", "-s", "-m", "muc", "lea"]) == 1
        out, err = capsys.readouterr()
        assert out == (
            "The scorer is evaluating coreferential mentions, singletons, zeros (using dependent match method)"
            " using exact match evaluation setting.\nThe following metrics will be evaluated: muc, lea\n\n"
        )
        assert "error" in err


def test_the_drop_in_prints_conll_for_any_three_listed_names(capsys: pytest.CaptureFixture[str]) -> None:
    """Quirk 16: MUC three times is a CoNLL score, too."""
    assert compat(["-m", "muc", "muc", "muc", "--", *PAIR]) == 0
    out = capsys.readouterr().out
    assert out.count("muc\n") == 3 + 1
    assert f"CoNLL score: {100 * corefscope.score(*PAIR)['muc'].f1:.2f}" in out


def test_the_drop_in_complains_without_a_traceback(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compat([PAIR[0], str(tmp_path / "none")]) == 1
    assert "no such file" in capsys.readouterr().err
