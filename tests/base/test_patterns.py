"""Regular expressions that people give: the match of ``re``, in linear time."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope.base.errors import OptionError
from corefscope.base.patterns import LinearPattern
from corefscope.read.joining import grouping
from examples import examples

PIECES = st.sampled_from(
    ["a", "b", ".", "[ab]", "[^a]", r"\w", r"\d", r"\b", "^", "$", "_", "1", "(?i:A)", "(?:)", r"\Z", "(?s:.)"]
)
PATTERNS = st.recursive(
    PIECES,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"(?:{'|'.join(parts)})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0,2}?", "{2,}"])).map(
            lambda pair: f"(?:{pair[0]}){pair[1]}"
        ),
    ),
    max_leaves=6,
)
CATASTROPHIC = [
    "(a+)+$",
    "(a|a)*$",
    "(a|aa)+$",
    "(.*a){20}$",
    "(?:a*)*b",
    ".*.*.*.*.*.*=x",
    r"(\w+\s?)*$",
    "(a?){50}a{50}$",
]


@examples(400)
@given(before=PATTERNS, group=PATTERNS, after=PATTERNS, text=st.text("ab_1A\n", max_size=8))
def test_the_match_is_that_of_re(before: str, group: str, after: str, text: str) -> None:
    pattern = f"{before}({group}){after}"
    linear, plain = LinearPattern(pattern), re.compile(pattern)
    for name in ("match", "search"):
        ours, theirs = getattr(linear, name)(text), getattr(plain, name)(text)
        assert (ours and tuple(ours)) == (theirs and (theirs[0], theirs[1]))


@pytest.mark.parametrize("pattern", CATASTROPHIC)
def test_a_catastrophic_pattern_takes_bounded_time(pattern: str) -> None:
    begin = time.process_time()
    group = grouping("topic", pattern)
    assert group is not None
    with pytest.raises(ValueError, match="does not begin like"):
        group("a" * 5000 + "!")
    assert time.process_time() - begin < 5


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(", "unterminated"),
        ("(a)(?=b)", "bounded time"),
        (r"(a)\1", "bounded time"),
        ("(?:a{999}){999}", "too large"),
        ("a{99999999999999999999}", "too large"),
        ("(" * 5000 + ")" * 5000, "nested too deeply"),
    ],
)
def test_what_cannot_be_matched_in_bounded_time_is_refused(pattern: str, reason: str) -> None:
    with pytest.raises(OptionError, match=reason):
        LinearPattern(pattern)
    with pytest.raises(OptionError, match="is no regular expression"):
        grouping("topic", pattern)
