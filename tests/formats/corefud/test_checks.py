"""Validation of CorefUD files."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from corefscope.formats.corefud import checks
from corefscope.formats.validate import Problem, inspect, validate
from faulty_files import BRACKETS, CONLLU, HEADERS, MENTIONS, Expected, corefud, faulty_lines, sentence, word
from fuzz.mutators import broken
from fuzz.seeds import whole


def places(problems: list[Problem]) -> Expected:
    return sorted((problem.code, problem.line) for problem in problems)


GUM = "GRP-etype-infstat-salience-centering-minspan-link-identity"


def test_gum_as_distributed(tmp_path: Path) -> None:
    """Ids begin anew in each document, brackets hold eight fields, and there is no head."""
    first = corefud(
        sentence(
            word(1, "(1-person-new-n-cf1-1,2-coref-Ada_Lovelace", head="2", deps="2:nsubj"),
            word(2, "1)", head="0", deps="0:root"),
            word("3-4"),
            word(3, "(2-place-new-n-cf2-1-sgl)(3-time-new-n-cf3-1-sgl", head="2", deps="2:obl|3:x"),
            word(4, misc="Bridge=2<4|Entity=(4-object-acc:inf-n-cf4-1-sgl)3)|SpaceAfter=No", head="3"),
            word(5, "(1-person-giv:act-n-cf1*-1-ana-Ada_Lovelace)", head="2"),
            id_="a-1",
        ),
        header=GUM,
    )
    path = tmp_path / "gum.conllu"
    path.write_text(first + first.replace("a-1", "b-1").replace("= d", "= e"), encoding="utf-8")
    assert places(validate(path)) == [("W213", 2)]


def test_a_missing_empty_line_confuses_no_brackets(tmp_path: Path) -> None:
    """Empty nodes of the second sentence have ids of the first; their brackets stay in the order of the text."""
    path = tmp_path / "file"
    rows = word(1), word("1.1", "(e1-x-1-", deps="1:x"), word(2, "e1)")
    path.write_text(corefud(sentence(*rows, *rows)), encoding="utf-8")
    assert places(validate(path)) == [("E104", 7), ("E105", 8)]


def _same_as_row_by_row(path: Path, data: bytes) -> bool:
    """Whether a file has no problem; that each is found whether or not its sentences are known is asserted."""
    path.write_bytes(data)
    unknown, known = inspect(path, "corefud"), inspect(path, "corefud")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checks, "plain_rows", lambda *_: None)
        assert unknown == known == inspect(path, "corefud")
    return not unknown.problems


def test_plain_sentences_have_the_problems_that_are_found_row_by_row(tmp_path: Path) -> None:
    path = tmp_path / "made.conllu"
    for text, _ in {**CONLLU, **HEADERS, **BRACKETS, **MENTIONS}.values():
        _same_as_row_by_row(path, text.encode())
    rng = random.Random(3)
    for _ in range(12):
        data = whole("corefud", rng)
        odd = faulty_lines(rng, "corefud", data.decode()).encode("utf-8", errors="surrogateescape")
        for each in (data, odd, broken(rng, data, "corefud")):
            _same_as_row_by_row(path, each)


@pytest.mark.parametrize(
    "rows",
    [
        (word(1, "(e1-x-1-)", deps="9:x"), word(2)),
        (word(1, "(e1-x-2-)"), word(2)),
        (word(1, "(e1-x-0-"), word(2, "e1)")),
        (word(1, "(e1-x-1-a-b)"), word(2)),
        (word(1, "(e1-x-3-"), word(2, "e1)")),
        (word("1-2", "(e1-x-1-)"), word(1), word(2)),
        (word("1-2"), word(1, "(e1-x-1-"), word(2, "e1)(e1-y-1-)")),
        (word(1, "(e1-x-1-)", head="2"), word(2, head="1")),
        (word(1, misc="Bridge=e1<e2"), word(2, "(e1-x-1-)")),
        (word(1, misc="X=Entity"), word(2, "(e1[1/2]-x-1-)(e1[2/2]-x-1-)")),
    ],
)
def test_so_have_odd_ones(rows: tuple[str, ...], tmp_path: Path) -> None:
    _same_as_row_by_row(tmp_path / "made.conllu", corefud(sentence(*rows), sentence(*rows, id_="s2")).encode())
