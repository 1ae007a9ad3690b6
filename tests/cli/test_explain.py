"""``corefscope explain``: its arguments in any order, and what it says about missing ones."""

from __future__ import annotations

from itertools import permutations

import pytest

from corefscope.cli import main
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

KEY, RESPONSE = str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)


@pytest.mark.parametrize("metric", ["muc", "B3"])
def test_the_metric_may_be_anywhere(metric: str, capsys: pytest.CaptureFixture[str]) -> None:
    printed = set()
    for words in permutations([metric, KEY, RESPONSE]):
        if words.index(KEY) < words.index(RESPONSE):
            assert main(["explain", *words]) == 0
            printed.add(capsys.readouterr().out)
    assert len(printed) == 1


@pytest.mark.parametrize(
    ("words", "missing"),
    [
        ([], "METRIC, KEY, RESPONSE are missing: corefscope explain METRIC KEY RESPONSE\n  hint: no files at hand?"),
        (["muc"], "KEY, RESPONSE are missing: corefscope explain muc KEY RESPONSE\n  hint: no files at hand?"),
        (["b3"], "hint: no files at hand? corefscope explain b3 --example"),
        (["muc", KEY], f"RESPONSE is missing: corefscope explain muc {KEY} RESPONSE\n"),
        ([KEY, RESPONSE], "METRIC is missing: corefscope explain METRIC --example\n"),
        ([KEY, RESPONSE, "lae"], "unknown metric 'lae' (did you mean 'lea'"),
        (["lae", KEY, RESPONSE], "unknown metric 'lae' (did you mean 'lea'"),
        (["muc", KEY, RESPONSE, KEY], f"too many arguments: {KEY} (one metric, one key, one response)"),
    ],
)
def test_it_says_what_is_missing(words: list[str], missing: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", *words]) == 2
    assert missing in capsys.readouterr().err
