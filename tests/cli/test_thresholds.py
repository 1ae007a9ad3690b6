"""Quality gates: ``corefscope score --fail-under``."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope
from corefscope.cli import main
from corefscope.cli.thresholds import parse_thresholds
from corefscope.core.errors import OptionError
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

PAIR = [str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)]
Captured = pytest.CaptureFixture[str]


def _gate(bounds: str, *more: str) -> int:
    return main(["score", *PAIR, "--no-rules-note", "--fail-under", bounds, *more])


@pytest.mark.parametrize("text", ["98%", "98", "0.98", ".98", "98.0 %", "+98"])
def test_percentages_and_fractions_are_the_same(text: str) -> None:
    (bound,) = parse_thresholds(f"pairs.precision={text}")
    assert (*bound,) == ("pairs", "precision", 0.98)


@pytest.mark.parametrize(("text", "least"), [("0", 0), ("1%", 0.01), ("100%", 1), ("100", 1), ("0.5%", 0.005)])
def test_edges_mean_one_thing(text: str, least: float) -> None:
    assert parse_thresholds(f"kappa={text}")[0].least == least


@pytest.mark.parametrize(("text", "least"), [("-0.2", -0.2), ("-20", -0.2), ("-20%", -0.2)])
def test_what_may_be_negative_may_be_asked_for(text: str, least: float) -> None:
    assert parse_thresholds(f"adjusted_rand={text}")[0].least == least


@pytest.mark.parametrize("one", ["1", "1.0", "+1", "1.", "-1"])
def test_a_bare_1_is_refused_because_it_may_mean_either(one: str) -> None:
    with pytest.raises(OptionError, match=r"may mean a percentage or a fraction: write conll=-?1% or conll=-?100%"):
        parse_thresholds(f"conll={one}")


@given(st.decimals(min_value=0, max_value=1, places=4))
def test_a_score_as_high_as_the_bound_passes(least: object) -> None:
    """Whatever is written in percent is the float that the same fraction is."""
    if least != 1:
        assert parse_thresholds(f"conll={least}")[0].least == float(str(least))
    percent = f"{100 * least}%"  # type: ignore[operator]
    assert parse_thresholds(f"conll={percent}")[0].least == float(str(least))


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ("pears=50", "unknown metric 'pears' .did you mean 'pairs'"),
        ("cluster=50", "did you mean 'clusters_exact'"),
        ("linkage=50", "unknown metric 'linkage'"),
        ("pairs.prec=50", "unknown figure of pairs 'prec' .*choose from: recall, precision, f1"),
        ("conll.recall=50", "unknown figure of conll 'recall'; choose from: f1"),
        ("rand.f1=50", "unknown figure of rand 'f1'; choose from: value"),
        ("conll", "'conll' is not a threshold: write METRIC=NUMBER"),
        ("conll=50,", "'' is not a threshold"),
        ("=50", "is not a threshold"),
        ("conll=high", "'high' is not a number: write conll=98% or conll=0.98"),
        ("conll=1e1", "is not a number"),
        ("conll=nan", "is not a number"),
        ("conll=0,5", "'5' is not a threshold"),
        ("conll=101", "conll can never reach 101: its maximum is 100 %"),
        ("variation_of_information=50", "lower is better"),
        ("d_err=50", "lower is better"),
    ],
)
def test_what_cannot_be_asked_for_is_wrong_usage_with_the_names(bounds: str, message: str, capsys: Captured) -> None:
    """The same exit code as for a metric that --metrics does not know; nothing is scored."""
    with pytest.raises(OptionError, match=message):
        parse_thresholds(bounds)
    assert _gate(bounds) == 2
    assert capsys.readouterr().out == ""


def test_scores_that_are_high_enough_pass(capsys: Captured) -> None:
    assert _gate("pairs.precision=60%,conll=70,mean(muc,lea)=0.5") == 0
    assert capsys.readouterr().err == ""


def test_scores_that_are_too_low_are_named_and_the_report_is_there(capsys: Captured) -> None:
    assert _gate("pairs.precision=0.98,conll=70,pairs.recall=90") == 3
    out, err = capsys.readouterr()
    assert err == (
        "corefscope: failed: pairs.precision is 60.00 %, below 98.00 %; pairs.recall is 55.26 %, below 90.00 %\n"
    )
    assert "Pairs" in out


def test_the_option_may_stand_twice_and_quiet_does_not_silence_it(capsys: Captured) -> None:
    assert _gate("conll=99", "--fail-under", "muc=99", "--quiet") == 3
    assert capsys.readouterr().err.count("below 99.00 %") == 2


def test_near_misses_are_told_apart(capsys: Captured) -> None:
    conll = corefscope.score(*PAIR)["conll"].f1
    above, below = f"{100 * conll + 1e-5:.9f}%", f"{100 * conll - 1e-5:.9f}%"
    assert (_gate(f"conll={below}"), _gate(f"conll={above}")) == (0, 3)
    assert "conll.f1 is 72.87576 %, below 72.87577 %" in capsys.readouterr().err


def test_json_is_the_same_whether_it_passes_or_fails(capsys: Captured) -> None:
    found = []
    for arguments, code in (([], 0), (["--fail-under", "conll=1%"], 0), (["--fail-under", "conll=99"], 3)):
        assert main(["score", *PAIR, "--format", "json", *arguments]) == code
        found.append(json.loads(capsys.readouterr().out))
    assert found[0] == found[1] == found[2]


def test_a_metric_that_is_named_is_scored_too(capsys: Captured) -> None:
    assert _gate("pairs=50%", "--metrics", "muc", "--format", "json") == 0
    assert list(json.loads(capsys.readouterr().out)["metrics"]) == ["muc", "pairs"]


def test_nothing_to_count_fails(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "alone.csv"
    path.write_text("mention,entity\na,1\nb,2\n", encoding="utf-8")
    bounds = ["--fail-under", "pairs.recall=0,clusters_exact=100"]
    assert main(["score", str(path), str(path), "--no-rules-note", *bounds]) == 3
    expected = "corefscope: failed: pairs.recall has nothing to count, so it does not reach 0.00 %\n"
    assert capsys.readouterr().err == expected


def test_every_setting_must_reach_it(capsys: Captured) -> None:
    assert _gate("conll=70", "--settings", "head,exact") == 3
    assert capsys.readouterr().err == "corefscope: failed: exact: conll.f1 is 63.51 %, below 70.00 %\n"
    assert _gate("pairs=70", "--settings", "head,exact") == 2
    assert "pairs is not scored here" in capsys.readouterr().err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_what_cannot_be_written_comes_first(capsys: Captured) -> None:
    assert _gate("conll=99", "--output", "/dev/full", "--format", "csv") == 1
    assert "failed" not in capsys.readouterr().err
