"""Several settings from one reading."""

from __future__ import annotations

import pytest

import corefscope
from corefscope.base.errors import OptionError
from corefscope.evaluate.files import score_settings
from corefscope.evaluate.options import Options
from corefscope.evaluate.settings import TABLE, parse_settings
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE


def test_each_setting_scores_as_on_its_own() -> None:
    found = score_settings(EXAMPLE_KEY, EXAMPLE_RESPONSE, "crac")
    alone = {
        "head match": corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE),
        "exact match": corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, match="exact"),
        "partial match": corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, match="partial"),
        "with singletons": corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, singletons="keep"),
        "zeros": corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, metrics="zero"),
    }
    assert found == alone
    assert [report.signature for report in found.values()] == [report.signature for report in alone.values()]


def test_files_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from corefscope.read.source import Source

    opened: list[object] = []
    original = Source.open

    def counting(path: str) -> Source:
        opened.append(path)
        return original(path)

    monkeypatch.setattr(Source, "open", counting)
    score_settings(EXAMPLE_KEY, EXAMPLE_RESPONSE, "crac")
    assert len(opened) == 2


def test_settings_are_written_as_what_differs() -> None:
    base = Options(rules="corrected")
    found = parse_settings("exact+keep, conll12, linear+muc+lea", base, "conll")
    assert [setting.title for setting in found] == ["exact+keep", "conll12", "linear+muc+lea"]
    assert found[0].options == base._replace(match="exact", singletons="keep")
    assert found[0].metrics == "conll"
    assert found[1].options.rules == "conll-8.01"
    assert found[1].metrics == ["conll12"]
    assert found[2].metrics == ["muc", "lea"]


def test_all_named_sets_parse() -> None:
    for name, rows in TABLE.items():
        assert [setting.title for setting in parse_settings(name, Options(), "conll")] == list(rows)


def test_other_options_do_not_change_what_a_named_set_means() -> None:
    base = Options(match="partial", zeros="linear", singletons="keep", rules="corrected")
    found = {setting.title: setting.options for setting in parse_settings("crac", base, "conll")}
    assert found["head match"] == found["zeros"] == Options(rules="corrected")
    assert found["exact match"] == Options(match="exact", rules="corrected")
    assert found["partial match"] == Options(match="partial", rules="corrected")
    assert found["with singletons"] == Options(singletons="keep", rules="corrected")


def test_the_order_of_words_does_not_matter() -> None:
    one, other = parse_settings("conll12+head+muc,muc+head+conll12", Options(), "conll")
    assert one[1:] == other[1:]
    assert (one.options.match, one.options.rules, one.metrics) == ("head", "conll-8.01", ["muc"])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("head+exact", "two values of match: head and exact"),
        ("keep+keep", "two values of singletons"),
        ("crac22+crac23", "two presets"),
        ("crac+keep", "stands for several settings"),
        ("", "is empty"),
        ("head,,exact", "is empty"),
        ("head+", "unknown setting ''"),
    ],
)
def test_settings_that_contradict_themselves_are_refused(text: str, says: str) -> None:
    with pytest.raises(OptionError, match=says):
        parse_settings(text, Options(), "conll")


def test_an_unknown_setting_is_named() -> None:
    with pytest.raises(OptionError, match=r"unknown setting 'exakt' \(did you mean 'exact'"):
        score_settings(EXAMPLE_KEY, EXAMPLE_RESPONSE, "exakt+keep")
