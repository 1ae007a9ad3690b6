"""Lines in the order of the key are read one at a time, with the same result as when all are in memory."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corefscope.core.errors import Warnings
from corefscope.formats.corpus import Corpus
from corefscope.llm.reader import TaggedReader
from printed_reading import printed_reading
from printing import Made, conllu, made, miscopied, printed

STYLES = ["crac", "xml", "markdown", "colon", "json"]


def _line(document: Made, style: str, random: Random, share: float) -> str:
    if style == "json":
        spans = [[list(span) for span in entity] for entity in document.entities.values()]
        return json.dumps({"tokens": document.words, "clusters_token_offsets": spans})
    line = printed(miscopied(document.words, random, share), document.spans, style)
    return line.replace("[e", "[").replace("(#e", "(#cluster_") if style in ("markdown",) else line


@settings(max_examples=25)
@given(
    st.randoms(use_true_random=True),
    st.integers(2, 4),
    st.sampled_from(STYLES),
    st.sampled_from([0.0, 0.2]),
    st.sampled_from(["as they are", "exchanged", "missing", "one more", "reasoning", "fence", "blank"]),
)
def test_the_same_is_read_of_all_lines_together(
    random: Random, count: int, style: str, share: float, order: str
) -> None:
    documents = [made(random, rare=True) for _ in range(count)]
    lines = [_line(document, style, random, share) for document in documents]
    if order == "exchanged":
        lines[:2] = lines[1::-1]
    elif order == "missing":
        del lines[random.randrange(count)]
    elif order == "one more":
        lines.insert(random.randrange(count), "Here you are:")
    elif order == "reasoning":
        lines[0] = f"<think>hm</think>{lines[0]}"
    elif order == "fence":
        lines = ["```text", *lines, "```"]
    elif order == "blank":
        lines.insert(1, " ")
    key, text = conllu(documents), "\n".join(lines)
    ours = printed_reading(key, text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TaggedReader, "_survey", lambda _: None)
        assert printed_reading(key, text) == ours


@pytest.mark.parametrize("answers", [False, True])
def test_memory_does_not_grow_with_the_documents(answers: bool, tmp_path: Path) -> None:
    peaks = []
    random = Random(1)
    for count in (5, 50):
        documents = [made(random, rare=True) for _ in range(count)]
        lines = [printed(each.words, [((0, 0), "e1"), *each.spans], "crac") for each in documents]
        if answers:
            lines = [json.dumps({"id": f"d{n}", "text": line}) for n, line in enumerate(lines, 1)]
        key, text = tmp_path / "key.conllu", tmp_path / "out.txt"
        key.write_text(conllu(documents), encoding="utf-8")
        text.write_text("\n".join(lines), encoding="utf-8")
        tracemalloc.start()
        assert sum(1 for _ in Corpus(key, text, Warnings())) == count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] - peaks[0] < 45 * 8_000  # names, copy reports, and pieces of both files


def test_the_key_is_not_read_again_for_its_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [made(Random(number), rare=True) for number in range(3)]
    key, text = tmp_path / "key.conllu", tmp_path / "out.txt"
    key.write_text(conllu(documents), encoding="utf-8")
    lines = [printed(each.words, [((0, 0), "e1"), *each.spans], "crac") for each in documents]
    text.write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setattr("corefscope.llm.reader.documents_in", pytest.fail)
    assert [pair.key.id for pair in Corpus(key, text, Warnings())] == ["d1", "d2", "d3"]
