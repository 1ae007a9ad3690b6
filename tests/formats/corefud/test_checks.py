"""Validation of CorefUD files."""

from __future__ import annotations

from pathlib import Path

from corefscope.formats.validate import Problem, validate
from faulty_files import Expected, corefud, sentence, word


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
