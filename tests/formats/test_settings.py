"""Several settings from one reading."""

from __future__ import annotations

from typing import Any, cast

import pytest

import corefscope
from corefscope.core.errors import OptionError
from corefscope.core.metrics import GROUPS
from corefscope.core.options import Options
from corefscope.core.request import Request, RequestArguments
from corefscope.formats.files import score_settings
from corefscope.formats.settings import SETTINGS, parse_settings
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
    from corefscope.formats.source import Source

    opened: list[object] = []
    original = Source.open

    def counting(path: str) -> Source:
        opened.append(path)
        return original(path)

    monkeypatch.setattr(Source, "open", counting)
    score_settings(EXAMPLE_KEY, EXAMPLE_RESPONSE, "crac")
    assert len(opened) == 2


def requests(settings: str, **arguments: Any) -> dict[str, Request]:
    request = Request(cast("RequestArguments", {"metrics": "conll", **arguments}))
    return {title: request.replaced(**changes) for title, changes in parse_settings(settings).items()}


def test_settings_are_written_as_what_differs() -> None:
    base = Options(rules="corrected")
    found = requests("exact+keep, conll12, linear+muc+lea", rules="corrected", zeros="dependent")
    assert list(found) == ["exact+keep", "conll12", "linear+muc+lea"]
    assert found["exact+keep"].options == base._replace(match="exact", singletons="keep")
    assert found["exact+keep"].metrics == GROUPS["conll"]
    assert found["conll12"].options.rules == "conll-8.01"
    assert found["conll12"].metrics == GROUPS["conll12"]
    assert found["linear+muc+lea"].metrics == ("muc", "lea")


def test_all_named_sets_parse() -> None:
    for name, rows in SETTINGS.items():
        assert list(parse_settings(name)) == list(rows)


def test_other_options_do_not_change_what_a_named_set_means() -> None:
    named = requests("crac", match="partial", zeros="linear", singletons="keep", rules="corrected")
    found = {title: request.options for title, request in named.items()}
    assert found["head match"] == found["zeros"] == Options(rules="corrected")
    assert found["exact match"] == Options(match="exact", rules="corrected")
    assert found["partial match"] == Options(match="partial", rules="corrected")
    assert found["with singletons"] == Options(singletons="keep", rules="corrected")


def test_the_order_of_words_does_not_matter() -> None:
    one, other = requests("conll12+head+muc,muc+head+conll12").values()
    assert (one.options, one.metrics) == (other.options, other.metrics)
    assert (one.options.match, one.options.rules, one.metrics) == ("head", "conll-8.01", ("muc",))


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
        parse_settings(text)


def test_an_unknown_setting_is_named() -> None:
    with pytest.raises(OptionError, match=r"unknown setting 'exakt' \(did you mean 'exact'"):
        score_settings(EXAMPLE_KEY, EXAMPLE_RESPONSE, "exakt+keep")
