"""Typst tables: text is printed as it is, and all of it compiles without a warning."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import corefscope
from corefscope.comparison.systems import compare
from corefscope.comparison.tasks import score_task
from corefscope.formats.settings import score_settings
from corefscope.output.formats import REPORTS
from corefscope.output.formats.typst import escaped
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE
from systems import NAMES, systems_of
from tasks_on_disk import KEY, write

HOSTILE = [
    "#panic() #let a = 1",
    "*b* _i_ `raw` $m$ <label> @ref [x] {y}",
    "= no title",
    "- no item",
    "+ no item",
    "/ no: term",
    "1. no item 2.",
    "a~b -- c --- d ... 'e' \"f\"",
    "https://example.org // no comment /* nor this */",
    "\\u{41} \\ \\n",
    "(a)(b).c;",
    "κ, B³, Žižek",
]


@pytest.fixture
def typst() -> Any:
    return pytest.importorskip("typst", reason="there is no Typst: pip install typst")


@pytest.mark.skipif(not shutil.which("pdftotext"), reason="there is no pdftotext: apt-get install poppler-utils")
def test_text_is_printed_as_it_is(typst: Any, tmp_path: Path) -> None:
    cells = "".join(f"#page(height: 2cm)[{escaped(text)}]\n" for text in HOSTILE)
    pdf, warnings = typst.compile_with_warnings(cells.encode())
    assert warnings == []
    (tmp_path / "text.pdf").write_bytes(pdf)
    done = subprocess.run(["pdftotext", "-raw", tmp_path / "text.pdf", "-"], capture_output=True, encoding="utf-8")
    assert [page.strip() for page in done.stdout.split("\f")][: len(HOSTILE)] == HOSTILE


@pytest.mark.parametrize("count", [3, 10])
def test_a_comparison_compiles_to_one_table(typst: Any, tmp_path: Path, count: int) -> None:
    text = REPORTS["typst"].render(compare(*systems_of(tmp_path, count), names=NAMES[:count], resamples=500))
    assert text.count("#figure(") == 1
    assert "#mark[↑]" in text
    assert "#mark[↓]" in text
    assert typst.compile_with_warnings(text.encode())[1] == []


def test_scores_settings_and_tasks_compile_to_one_table(typst: Any, tmp_path: Path) -> None:
    folder = write(tmp_path, {f"{data}/{file}.conllu": KEY for data in "abcde" for file in ("key", "x", "y")})
    for result in (
        corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE),
        score_settings(EXAMPLE_KEY, EXAMPLE_RESPONSE, "crac"),
        score_task(folder, jobs=1),
    ):
        text = REPORTS["typst"].render(result)
        assert text.count("#figure(") == 1
        assert typst.compile_with_warnings(text.encode())[1] == []
