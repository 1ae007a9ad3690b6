"""Rules ua-1.0 and the drop-in: the figures of UA scorer 1.0, unrounded, and its standard output."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

import corefscope
from corefscope.compat.commands import ua
from corefscope.core.errors import CorefscopeError, InputError
from tests.formats.ua.test_reader import one, text

GOLDEN = Path(__file__).parent.parent / "golden" / "ua"
EXPECTED = json.loads((GOLDEN / "expected.json").read_text(encoding="utf-8"))
NAMES = {"bridging_markable": "bridging_mention"}
MISALIGNED = {"q08", "q09", "q10", "q11", "q12", "u00019", "u00149", "u00071"}
"""Pairs that 1.0 scores although documents are missing or words differ."""


def _files(case: str) -> tuple[str, str]:
    return str(GOLDEN / f"{case}.key.conllua"), str(GOLDEN / f"{case}.response.conllua")


def _is_near(found: Any, expected: Any) -> bool:
    pairs = zip(found, expected, strict=True) if isinstance(expected, list) else [(found, expected)]
    return all(math.isclose(one, other, abs_tol=1e-9) for one, other in pairs)


@pytest.mark.parametrize("case", EXPECTED)
def test_figures_are_those_of_ua_1_0(case: str) -> None:
    for words, expected in EXPECTED[case].items():
        said: list[str] = []
        asked = ua.UaOptions.parse(words.split())
        if "error" in expected:
            with pytest.raises(InputError) as error:
                ua.figures(*_files(case), asked, said.append)
            assert error.value.line, (words, error.value)
            continue
        scores = ua.figures(*_files(case), asked, said.append)
        assert said == [line for line in expected.pop("printed", "").split("\n") if line], words
        for name, figures in expected.items():
            found = [scores[part].f1 for part in ua.CONLL] if name == "conll" else scores[NAMES.get(name, name)]
            assert _is_near(sum(found) / 3 if name == "conll" else found, figures), (words, name, found)


@pytest.mark.parametrize("case", [case for case in EXPECTED if not case.startswith("quirks/")][::3])
def test_score_gives_the_same_figures_under_the_rules_ua_1_0(case: str) -> None:
    for words, expected in EXPECTED[case].items():
        asked = ua.UaOptions.parse(words.split())
        if "error" in expected or not asked.plurals or case in MISALIGNED:
            continue
        layer = "deixis_" if asked.deixis else "split_" if asked.only_split else ""
        further = [NAMES.get(name, name) for name in expected if name.startswith(("bridging", "non"))]
        report = corefscope.score(
            *_files(case),
            rules="ua-1.0",
            match="partial" if asked.minimum else "exact",
            singletons="keep" if asked.singletons else "drop",
            metrics=[*(layer + name for name in ua.METRICS), *further],
        )
        for name in {*expected}.difference(["conll", "printed"]):
            ours = NAMES.get(name, name if name not in ua.METRICS else layer + name)
            assert _is_near(report[ours], expected[name]), (words, name)


@pytest.mark.parametrize("golden", sorted((GOLDEN / "stdout").iterdir()), ids=lambda path: path.stem)
def test_the_output_of_ua_scorer_is_that_of_1_0(
    golden: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command, expected = golden.read_text(encoding="utf-8").split("\n", 1)
    monkeypatch.chdir(GOLDEN)
    assert ua.main(command.split()[2:]) == 0
    assert capsys.readouterr().out == expected


def test_a_word_counts_wherever_it_stands_and_unknown_words_do_not() -> None:
    assert ua.UaOptions.parse(["keep_bridgings", "MIN", "whatever", "all", "muc"]).metrics == ua.METRICS
    assert ua.UaOptions.parse(["blanc", "lea"]).metrics == ("lea", "blanc")
    alone = ua.UaOptions.parse(
        ["evaluate_discourse_deixis", "only_split_antecedent", "keep_bridging", "remove_singletons"]
    )
    assert (alone.deixis, alone.only_split, alone.bridging, alone.singletons, alone.plurals) == (1, 0, 0, 1, 1)


def test_control_characters_of_names_are_escaped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key, response = tmp_path / "key.conllua", tmp_path / "response.conllua"
    content = Path(_files("u00001")[0]).read_text(encoding="utf-8")
    key.write_text(re.sub("# newdoc id = .*", "# newdoc id = a\x1b[31mb", content), encoding="utf-8")
    response.write_text(content, encoding="utf-8")
    assert ua.main([str(key), str(response)]) == 0
    out = capsys.readouterr().out
    assert "The document  a\\x1b[31mb  does not exist in the system output." in out
    assert "\x1b" not in out


def test_what_ua_1_0_cannot_do_is_an_error_with_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    case = next(case for case in EXPECTED if "q47" in case)
    assert ua.main([*_files(case), "remove_singletons"]) == 1
    assert "cannot drop singletons" in (message := capsys.readouterr().err)
    assert ".key.conllua:" in message
    with pytest.raises(CorefscopeError, match="keep them: --singletons keep"):
        corefscope.score(*_files(case), rules="ua-1.0", singletons="drop")


def test_a_metric_at_which_1_0_divides_by_zero_ends_the_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """BLANC: the element of the key's plural holds one mention twice, hence a link; that of the response has none."""
    twice = "(EntityID=1|MarkableID=a|ElementOf=2)(EntityID=1|MarkableID=b)"
    sides = text(twice, "(EntityID=2|MarkableID=c)"), text("(EntityID=1|MarkableID=a|ElementOf=2)", one("c", 2))
    paths = [tmp_path / "key.conllua", tmp_path / "response.conllua"]
    for path, content in zip(paths, sides, strict=True):
        path.write_text(content, encoding="utf-8")
    assert ua.main(list(map(str, paths))) == 1
    found = capsys.readouterr()
    assert "UA scorer 1.0 stops at blanc" in found.err
    assert found.out.count("Recall") == 5
    assert ua.main([*map(str, paths), "muc"]) == 0


@pytest.mark.parametrize("year", [21, 22])
def test_presets_of_codicrac_have_a_track_each_and_one_for_all(year: int) -> None:
    files = _files("u00010")
    whole = corefscope.score(*files, preset=f"codicrac{year}")  # type: ignore[arg-type]
    assert whole.signature.startswith("ua|match:exact|zeros:linear|singletons:keep|rules:ua-1.0")
    for track in ("ar", "br", "dd"):
        report = corefscope.score(*files, preset=f"codicrac{year}-{track}")  # type: ignore[arg-type]
        assert {*report} & {*whole}
        assert all(report[name] == whole[name] for name in {*report} & {*whole})
    assert _is_near(whole["deixis"].f1, EXPECTED["u00010"]["evaluate_discourse_deixis"]["conll"])
    assert _is_near(whole["conll"].f1, EXPECTED["u00010"][""]["conll"])


def test_deixis_is_read_as_1_0_does_also_where_identity_is_read_alike(tmp_path: Path) -> None:
    """Of a discontinuous markable 1.0 keeps the last part: figures of evaluate_discourse_deixis muc bcub."""
    columns = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS"
    files = []
    for side, first in (("key", "(EntityID=x|MarkableID=d1)"), ("response", "_")):
        cells = [first, "_", "(EntityID=x|MarkableID=d1)", "(EntityID=x|MarkableID=d2)"]
        lines = ["\t".join([str(i), f"w{i}", *"_" * 10, cell]) for i, cell in enumerate(cells, 1)]
        files.append(tmp_path / f"{side}.conllua")
        files[-1].write_text("\n".join([f"# global.columns = {columns}", "# newdoc id = d", *lines, ""]))
    key, response = map(str, files)
    report = corefscope.score(key, response, rules="ua-1.0", metrics="deixis_muc,deixis_bcub")
    assert (report["deixis_muc"].f1, report["deixis_bcub"].f1) == (1, 1)
    assert corefscope.score(key, response, rules="corrected", metrics="deixis_bcub")["deixis_bcub"].f1 == 0.25


def test_a_mention_whose_minimum_is_outside_is_the_same_in_two_plurals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is equal to itself alone; so plurals of its entity are one. The figures are those of UA scorer 1.0."""
    key = text(
        one("m1", 1, "Min=1"), one("m2", 1, "Min=9", "ElementOf=2,3"), one("m3", 2), one("m4", 3), one("m5", 2)
    )
    response = text(one("m1", 1), one("m2", 1, "ElementOf=2"), one("m3", 2), one("m4", 2), one("m5", 3))
    files = [tmp_path / "key.conllua", tmp_path / "response.conllua"]
    for file, content in zip(files, (key, response), strict=True):
        file.write_text(content, encoding="utf-8")
    assert ua.main([*map(str, files), "MIN"]) == 0
    printed = capsys.readouterr().out
    assert "lea\nRecall: 11.11  Precision: 16.67  F1: 13.33\n" in printed
    assert "ceafe\nRecall: 60.71  Precision: 40.48  F1: 48.57\n" in printed
    assert printed.endswith("blanc\nRecall: 25.89  Precision: 26.14  F1: 24.88\nCoNLL score: 39.43\n")


def test_a_min_that_is_no_number_stops_ua_1_0_even_if_the_markable_comes_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "some.conllua"
    file.write_text(text(one("m1", 1, "Min="), one("m1", 1), one("m2", 1)), encoding="utf-8")
    assert ua.main([str(file), str(file)]) == 0
    assert ua.main([str(file), str(file), "MIN"]) == 1
    assert "some.conllua:2: UA scorer 1.0 stops at Min=, which is no number" in capsys.readouterr().err


@pytest.mark.parametrize("metric", ua.METRICS)
def test_metrics_with_plurals_are_those_of_identity_where_there_are_none(metric: str, tmp_path: Path) -> None:
    """Also if the metric of identity is not asked for, and mentions are in two entities, or twice in one."""
    paths = []
    for name, cells in (("key", ("(0)|(0)", "(0)", "(1)", "(1)")), ("response", ("(0)", "(0)|(1)", "(1)", "-"))):
        rows = [f"d\t0\t{number}\tw{number}\t{cell}" for number, cell in enumerate(cells)]
        paths.append(tmp_path / f"{name}.conll")
        paths[-1].write_text("\n".join(["#begin document (d); part 000", *rows, "", "#end document", ""]), "utf-8")
    identity, plural = (
        corefscope.score(*paths, rules="ua-1.0", metrics=name).counts(name) for name in (metric, f"plural_{metric}")
    )
    assert plural == identity
