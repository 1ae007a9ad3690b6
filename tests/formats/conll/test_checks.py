"""Validation of CoNLL files."""

from __future__ import annotations

from pathlib import Path

from corefscope.formats.validate import Problem, inspect
from faulty_files import Expected
from readings import refusal


def places(problems: list[Problem]) -> Expected:
    return sorted((problem.code, problem.line) for problem in problems)


def test_an_unclosed_mention_in_conll_is_named_in_the_hint(tmp_path: Path) -> None:
    path = tmp_path / "x.conll"
    path.write_text("#begin document (d)\nd\t0\t0\tw\t(23\n\n#end document\n", encoding="utf-8")
    error = refusal(path)
    assert error
    assert "'23'" in error.message
    assert error.hint == "write '23)' in the cell of its last word"


def test_semeval_has_its_word_numbers_in_the_first_column(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    rows = "".join(f"{number}\tw\t{2 * number}" + "\t_" * 6 + "\t(1)\n" for number in (1, 2, 4))
    path.write_text("#begin document d\n" + rows + "\n#end document d\n", encoding="utf-8")
    found = inspect(path)
    assert found.tally.format == "semeval"
    assert places(found.problems) == [("W515", 4)]
