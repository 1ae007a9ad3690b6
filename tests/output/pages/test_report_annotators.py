"""The report page of two annotators says A and B, and leaves the words of files alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from corefscope import agree, write_report
from corefscope.analysis.errors.kinds import ERROR_KINDS, ErrorKind, pluralise
from corefscope.cli import main
from corefscope.core.errors import OptionError
from corefscope.output.pages.report.annotators import name_kind, name_sides
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

WORD = re.compile(r"\b(?:key|responses?)\b", re.IGNORECASE)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("annotators")
    paths = [folder / "anna.conllu", folder / "bela.conllu"]
    for path, example in zip(paths, (EXAMPLE_KEY, EXAMPLE_RESPONSE), strict=True):
        text = example.read_text(encoding="utf-8")
        path.write_text(re.sub(r"\tcinta\t", "\tthe key and response\t", text), encoding="utf-8")
    return paths


def test_no_text_of_the_page_says_key_or_response(files: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    assert main(["report", *map(str, files), "--annotators", "-o", str(out), "-q"]) == 0
    page = out.read_text(encoding="utf-8")
    html, _, script = page.partition('"use strict"')
    html = re.sub(r"<(style|script)\b.*?(</\1>|$)", "", html, flags=re.DOTALL)
    texts = [*re.findall(r">([^<>]+)<", html), *re.findall(r'\b(?:title|aria-label)="([^"]*)"', html)]
    assert [text for text in texts if WORD.search(text)] == []
    assert '<h1 dir="auto">anna and bela</h1>' in page
    assert f"A is <bdi>{files[0]}</bdi>, B is <bdi>{files[1]}</bdi>" in html
    assert re.search(r"""\b(missing|extra)["`]\)?;""", script) is None
    assert "Mention only in A" in html
    assert "in the key" not in script
    assert "in the response" not in script
    assert "the key and response" in page  # a word of the text
    assert agree(files).signature in page


def test_the_page_of_a_key_is_what_it_was(files: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    write_report(files[0], files[1:], out)
    page = out.read_text(encoding="utf-8")
    assert "missing mention" in page
    assert "in the key" in page
    assert "only in A" not in page


def test_annotators_are_two(files: list[Path], tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="compares two files, and here are 3"):
        write_report(files[0], files, tmp_path / "x.html", annotators=True)


@pytest.mark.parametrize("row", ERROR_KINDS.values(), ids=list(ERROR_KINDS))
def test_no_kind_is_missing_or_extra(row: ErrorKind) -> None:
    for title in (row.title, pluralise(row.title)):
        assert not re.search(r"missing|extra|error|\ba [aeiou]|As\b|Bs\b", name_kind(title)), name_kind(title)
    assert not WORD.search(name_sides(row.description)), name_sides(row.description)
