"""The CoNLL reader finds what a line-by-line oracle finds: documents, warnings and errors."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from corefscope.core.positions import coordinates
from corefscope.formats.conll import reader as conll
from corefscope.formats.conll.reader import ConllReader, SemevalReader
from corefscope.formats.sentences import RowWords
from examples import examples
from oracles import conll_lines
from readings import reading

generated = examples(500, suppress_health_check=[HealthCheck.function_scoped_fixture])


WORDS = ("a", "#", "-", "漢", "", "(3)", "\u3000", "!", "$")
CELLS = ("-", "_", "*", "", " - ", "(0)", "(0", "0)", "(1|(0)", "0)|1)", "(1(0", "0)|(0", "0", "1)|(1|(0)", "(x", "|")
LINES: tuple[str, ...] = (
    "",
    "",
    "",
    " ",
    "\t",
    "\u3000",
    "# comment",
    "# c\t-",
    "#\t-",
    "#end document",
    "# begin  doc x",
    "x",
    "-",
)
LINES += (" -", "\x0b -", "\u3000 -", "\t-", "a -\t-", "a\t- -", "#begin document (d); part 001", "\ta -")


RUNS = (["-"], ["-", "_"], ["*", "-"], ["(0)"], ["(0", "-", "0)"], ["(1|(0)", "-", "1)"], ["(x", "(x", "x)|x)", ""])


@st.composite
def conll_texts(draw: st.DrawFn) -> str:
    """A CoNLL file with nothing wrong, and then up to three lines that are odd."""
    separator = draw(st.sampled_from(["\t", "\t", " ", "   "]))
    before = draw(
        st.sampled_from([["a"], ["a"], ["d", "0", "1", "a"], ["漢", "a"], ["#"], ["d", "0", "1", "a", "*"]])
    )
    lines = []
    for _ in range(draw(st.integers(0, 4))):
        cells = draw(st.sampled_from(RUNS))
        lines += [separator.join([*before, cell]) for cell in cells] + draw(st.sampled_from([[], [""]]))
    lines += draw(st.sampled_from([[], ["#end document"], ["", "# end document", ""]]))
    for _ in range(draw(st.integers(0, 3))):
        row = [*draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5)), draw(st.sampled_from(CELLS))]
        line = draw(st.sampled_from(["\t", " "])).join(row) if draw(st.booleans()) else draw(st.sampled_from(LINES))
        lines.insert(draw(st.integers(0, len(lines))), line)
    return "\n".join(["#begin document (d); part 000", *lines]) + draw(st.sampled_from(["", "\n"]))


@generated
@example("#begin document (d); part 000\n\u3000 -\n", ConllReader, 1000)
@given(conll_texts(), st.sampled_from([ConllReader, SemevalReader]), st.sampled_from([2, 3, 1000]))
def test_conll_is_read_as_line_by_line(tmp_path: Path, text: str, reader: type[ConllReader], longest: int) -> None:
    path = tmp_path / "k.conll"
    path.write_text(text, encoding="utf-8", newline="\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conll, "LONGEST", longest)
        documents, _, error, warnings = reading(reader, path)
    lines = text.split("\n")
    begins = [number for number, line in enumerate(lines) if line.startswith("#begin document")]
    ends = [*begins[1:], len(lines)]
    before, warned = 0, dict.fromkeys(("opened-after-closed", "ignored-begin-line"), 0)
    for index, (begin, end) in enumerate(zip(begins, ends, strict=True)):
        held = lines[begin:end] if end == len(lines) else [*lines[begin:end], ""]
        if "comes twice" in error:
            return
        try:
            plain = conll_lines.read(held, begin + 1, before, reader.word, reader.skeleton, longest)
        except conll_lines.FaultError as fault:
            code, line = fault.args
            assert len(documents) == index
            assert f"k.conll:{line}: " in error
            assert error.endswith(f"[{code}]")
            return
        document = documents[index]
        assert [(s.line, list(s.words), s.text) for s in document.sentences] == [
            (line, words, "\n".join(lines)) for line, words, lines in plain.sentences
        ]
        found = {
            id_: [[coordinates(position)[:2] for position in mention.positions] for mention in entity]
            for id_, entity in zip(document.entity_ids, document.entities, strict=True)
        }
        assert list(found.items()) == list(plain.entities.items())
        warned["opened-after-closed"] += len(plain.reopened)
        warned["ignored-begin-line"] += len(plain.misspelt)
        before += len(plain.sentences)
    assert {warning.kind: warning.times for warning in warnings} == {kind: n for kind, n in warned.items() if n}
    assert error.endswith("[no-sentence]") if not before else not error


@given(conll_texts(), conll_texts())
def test_rows_have_the_same_words_if_their_forms_are_the_same(one: str, other: str) -> None:
    sides = [[line for line in text.split("\n") if "\t" in line or len(line.split()) > 1] for text in (one, other)]
    for size in range(min(map(len, sides))):
        words, others = (RowWords(side[: size + 1], ConllReader.form) for side in sides)
        assert (words == others) == (list(words) == list(others))
        assert words == list(words)
