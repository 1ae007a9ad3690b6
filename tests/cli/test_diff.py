"""The text with brackets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from corefscope.analysis.errors.text_diff import OUTCOMES, OUTCOMES_OF_ANNOTATORS
from corefscope.cli import main
from corefscope.cli.diff import BRACKETS
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

FILES = [str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)]


def _diff(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["diff", *arguments, "--quiet"]) == 0
    return capsys.readouterr().out


def test_every_fate_is_shown(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    out = _diff(capsys, *FILES)
    assert "[~e3: {~e3: la biblioteca de [el barrio]e4~}e3 , un edificio de ladrillo~]e3 ." in out
    assert "[-∅-]e1 [la]e3 abriría , y [los vecinos]e5÷ [-se-]e1 {+lo+}e3" in out
    assert "[A letter]e9[1/2] arrived on Monday [e9[2/2]: that nobody in [Rita Moreno 's]e12 office" in out
    assert "[e18≠e12: [Moreno]e12 and [Paul]e14]e18≠e12 have" in out
    assert "\x1b" not in out


def test_one_document_and_only_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    out = _diff(capsys, *FILES, "--document", "en_letter", "--only-errors")
    assert "es_biblioteca" not in out
    assert "en_letter-2" in out
    assert "en_letter-1" not in out
    assert _diff(capsys, FILES[0], FILES[0], "--only-errors") == "es_biblioteca\n\nen_letter\n\n"


def test_lines_fit_the_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = _diff(capsys, *FILES).splitlines()
    assert max(map(len, lines)) <= 60


def test_the_legend_comes_first_and_is_narrow(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["diff", *FILES]) == 0
    legend = capsys.readouterr().out.partition("\n\n")[0].splitlines()
    assert legend[-1] == "[e1: … ]e1    other mentions begin or end inside: the name is at both ends"
    assert legend[0] == "[word]e1      found, and in the right entity"
    assert max(map(len, legend)) <= 80


def test_colours_only_if_welcome(capsys: pytest.CaptureFixture[str]) -> None:
    out = _diff(capsys, *FILES, "--color", "always")
    for look in BRACKETS.values():
        assert look.colour + look.opening in out
    for wish in ("auto", "never"):
        assert "\x1b" not in _diff(capsys, *FILES, "--color", wish)


def test_an_unknown_document_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", *FILES, "--document", "letter"]) == 1
    captured = capsys.readouterr()
    assert "there is no document 'letter'\n  hint: documents are called 'en_letter'" in captured.err
    assert captured.out == ""


def test_hostile_text_is_harmless(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (
        "# newdoc id = a\x1b[31m\n# global.Entity = eid-etype-head\n# sent_id = \x1b]0;x\n"
        "1\tw\x1b[2J\t_\t_\t_\t_\t0\t_\t_\tEntity=(e\x1b-x-1)\n2\tv\t_\t_\t_\t_\t0\t_\t_\tEntity=(e\x1b-x-1)\n\n"
    )
    path = tmp_path / "k.conllu"
    path.write_text(text, encoding="utf-8")
    assert "\x1b" not in _diff(capsys, str(path), str(path))


def test_ids_have_no_text_to_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "k.csv"
    path.write_text("mention,entity\na,1\nb,1\n", encoding="utf-8")
    assert main(["diff", str(path), str(path)]) == 1
    assert "has no words to show" in capsys.readouterr().err


def test_the_text_goes_to_a_file_whole_or_not_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "diff.txt"
    assert _diff(capsys, *FILES, "-o", str(out), "--color", "always") == ""
    assert out.read_text(encoding="utf-8") == _diff(capsys, *FILES)
    assert main(["diff", *FILES, "--document", "no", "-o", str(tmp_path / "none.txt")]) == 1
    assert not (tmp_path / "none.txt").exists()


def test_annotators_are_called_a_and_b(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", *FILES, "--annotators"]) == 0
    out = capsys.readouterr().out
    legend, _, text = out.partition("\n\nes_biblioteca\n")
    assert legend.splitlines()[:2] == [f"A  {EXAMPLE_KEY}", f"B  {EXAMPLE_RESPONSE}"]
    assert not re.search(r"\bthe (key|response)\b", legend)
    assert "only in A" in legend
    assert main(["diff", *FILES, "--match", "exact", "--singletons", "keep", "--rules", "corrected"]) == 0
    assert text == capsys.readouterr().out.partition("\n\nes_biblioteca\n")[2]
    assert {*OUTCOMES} == {*OUTCOMES_OF_ANNOTATORS}
