"""Exact copies are read fast, or by the general reader, with the same result."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corefscope.llm import copies, fast, reader
from corefscope.llm.fast import exact_copy
from printed_reading import printed_reading
from printing import conllu, made, miscopied, printed, spoilt


@settings(max_examples=40)
@given(
    st.randoms(use_true_random=True),
    st.integers(1, 3),
    st.sampled_from(["tags", "words", "signs", "nothing"]),
    st.booleans(),
)
def test_the_general_reader_reads_the_same(random: Random, count: int, changed: str, in_jsonl: bool) -> None:
    documents = [made(random, rare=True) for _ in range(count)]
    lines = []
    for document in documents:
        words = miscopied(document.words, random, 0.1) if changed == "words" else document.words
        spans = list(document.spans)
        if changed == "tags":
            spans += [((place, place + random.randint(0, 5)), "E1") for place in range(0, len(words), 4)]
        line = printed(words, [span for span in spans if span[0][1] < len(words)], "crac")
        lines.append(spoilt(line, random).replace("\n", " ") if changed == "signs" else line)
    text = "\n".join(lines)
    if in_jsonl:
        text = "\n".join(json.dumps({"id": f"d{n}", "text": line}) for n, line in enumerate(lines, 1))
    key = conllu(documents)
    ours = printed_reading(key, text)
    with pytest.MonkeyPatch.context() as patch:
        for module in (copies, reader):
            patch.setattr(module, "exact_copy", lambda *_: None)
        assert printed_reading(key, text) == ours


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ann met her", "Ann met her"),  # no tag
        ("Ann|[e1 met her", "Ann met her"),  # never closed
        ("Ann met her|e1]", "Ann met her"),
        ("Ann|[e1] met|[e1],[e1] her", "Ann met her"),  # twice
        ("Ann|[e1] met|[E1] her", "Ann met her"),
        ("ann|[e1] met her", "Ann met her"),
        ("Ann|[e1]met her", "Ann met her"),
        ("Ann|[e1] [met] her", "Ann [met] her"),
        ("Ann|[e1] ##he met", "Ann ##he met"),
        ("", ""),
    ],
)
def test_all_else_is_left_to_it(text: str, words: str) -> None:
    assert exact_copy(text, words.split()) is None


def test_mentions_over_the_end_of_a_sentence_are_left_to_it() -> None:
    copy = exact_copy("Ann|[e1 met|e1] her|[e2]", ["Ann", "met", "her"])
    assert copy is not None
    assert fast.placed_copy(copy, [1 << 40, 2 << 40, 3 << 40]) is None
    assert fast.placed_copy(copy, [1, 2, 3]) == {"e1": {(1, 2): None}, "e2": {(3, 3): None}}
