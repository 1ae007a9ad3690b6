"""LaTeX tables: those that are too wide, labels and captions, and whether all of it compiles."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from boards import task_of
from corefscope.analysis.agreement import agree
from corefscope.comparison.systems import compare
from corefscope.comparison.tasks import TaskSettings, score_task_settings
from corefscope.formats.files import score
from corefscope.formats.settings import score_settings
from corefscope.output.formats import REPORTS
from corefscope.output.formats.latex import SMALLEST, fits, fitting, transposed
from corefscope.output.layout import Cell, Sheet, column_widths, lay_out, sheets_of
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE
from systems import NAMES, systems_of
from tasks_on_disk import KEY, write

PDFLATEX = shutil.which("pdflatex")
NEEDS_LATEX = pytest.mark.skipif(
    PDFLATEX is None, reason="there is no pdflatex: apt-get install texlive-latex-recommended"
)


def _wide(columns: int, rows: int) -> Sheet:
    cells = [
        [Cell(f"system-{row}"), *(Cell("50.00", column == row) for column in range(columns))] for row in range(rows)
    ]
    return Sheet(["CoNLL", *(f"xx_dataset{column}" for column in range(columns))], cells)


def test_a_table_that_fits_stays_as_it_is() -> None:
    sheet = _wide(3, 2)
    assert fitting(sheet) == [sheet]


def test_a_wide_table_is_turned_round() -> None:
    (table,) = fitting(_wide(20, 4))
    assert table.head == ["CoNLL", "system-0", "system-1", "system-2", "system-3"]
    assert [row[0].text for row in table.rows] == [f"xx_dataset{column}" for column in range(20)]
    assert table.rows[2][3].bold
    assert not table.rows[2][2].bold
    assert transposed(table) == _wide(20, 4)._replace(rows=[list(row) for row in _wide(20, 4).rows])


def test_a_table_that_fits_in_no_way_is_split_and_loses_nothing() -> None:
    sheet = _wide(30, 25)
    tables = fitting(sheet)
    assert len(tables) > 1
    assert all(fits(column_widths(table), SMALLEST) for table in tables)
    turned = [table.rows[0][0].text.startswith("xx_") for table in tables]
    assert len(set(turned)) == 1
    figures = sum(len(table.rows) * (len(table.head) - 1) for table in tables)
    assert figures == 30 * 25


def test_rows_that_stand_out_become_bold_columns() -> None:
    sheet = _wide(20, 3)._replace(strong=[1])
    (table,) = fitting(sheet)
    assert all(row[2].bold for row in table.rows)


def test_tables_have_labels_and_captions_that_say_what_they_show(result: TaskSettings) -> None:
    text = REPORTS["latex"].render(result, table="full")
    labels = re.findall(r"\\label\{(.*?)\}", text)
    assert len(labels) == len(set(labels)) == text.count(r"\begin{table}") > 5
    assert all(re.fullmatch(r"tab:[a-z0-9-]+", label) for label in labels)
    assert {"tab:macro-average", "tab:head-conll", "tab:exact-keep-conll", "tab:zero-zeros"} <= set(labels)
    captions = re.findall(r"\\caption\{(.*)\}\n", text)
    assert dict(zip(labels, captions, strict=True))["tab:head-conll"].startswith(
        r"CoNLL (head) in percent of 4 systems on 4 data sets, with ranks and macro averages, 95 \% intervals."
    )
    assert text.count(result.signature) == text.count(f"% signature: {result.signature}\n") == 1
    assert sum(len(sheets_of(block)) for block in lay_out(result).blocks) <= len(labels)


def test_a_paper_may_have_a_table_of_each_result(tmp_path: Path, result: TaskSettings) -> None:
    compared = compare(*systems_of(tmp_path, 2), resample="nothing")
    settings = score_settings(EXAMPLE_KEY, EXAMPLE_RESPONSE, "crac")
    agreement = agree([EXAMPLE_KEY, EXAMPLE_RESPONSE])
    results: list[object] = [settings[next(iter(settings))], compared, settings, agreement, result, result.first]
    labels = re.findall(r"\\label\{(.*?)\}", "".join(map(REPORTS["latex"].render, results)))
    assert len(labels) >= len(results)
    assert len(set(labels)) == len(labels)


def _wide_task(folder: Path) -> TaskSettings:
    """Twenty data sets and ten systems, whose names are those of people."""
    source = task_of(folder / "source").parent / "en_gum"
    for number in range(20):
        place = folder / "task" / f"x{number % 8}_dataset{number:02}"
        place.mkdir(parents=True)
        shutil.copy(source / "key.conllu", place)
        for system in range(10):
            shutil.copy(
                source / f"{('perfect', 'close', 'poor')[system % 3]}.conllu", place / f"system-{system}.conllu"
            )
    return score_task_settings(folder / "task", "crac", jobs=1, resamples=100, validation=False)


def _log_of(text: str, folder: Path, name: str) -> str:
    """What LaTeX says about a paper with these tables."""
    begin = "\\documentclass{article}\\usepackage{booktabs}\\usepackage[T1]{fontenc}\\begin{document}\n"
    (folder / f"{name}.tex").write_text(f"{begin}{text}\\end{{document}}\n", encoding="utf-8")
    command = [str(PDFLATEX), "-interaction=nonstopmode", "-halt-on-error", f"{name}.tex"]
    for _ in range(2):  # labels are known the second time
        done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", errors="replace")
        assert done.returncode == 0, done.stdout[-2000:]
    return (folder / f"{name}.log").read_text(encoding="utf-8", errors="replace")


def test_differences_have_minus_signs_and_a_caption_of_one_line(tmp_path: Path) -> None:
    result = compare(*systems_of(tmp_path, 3), names=NAMES[:3], resamples=500)
    latex, typst = (REPORTS[name].render(result, table="differences") for name in ("latex", "typst"))
    rows = latex.partition(r"\midrule")[2].partition(r"\bottomrule")[0]
    assert re.search(r"& \$-\$\d+\.\d\d(\$\^\\downarrow\$)? \{\\footnotesize \[\$-\$\d", rows)
    assert re.search(r"\[−\d+\.\d\d", typst)
    assert not re.search(r"(?<!\$)-\d", rows)
    assert r"\textbf" not in rows  # which no caption explains
    (caption,) = re.findall(r"\\caption\{(.*)\}\n", latex)
    assert len(caption) < 110
    assert "Differences from" in caption


@NEEDS_LATEX
@pytest.mark.parametrize("name", ["score", "settings", "compare 3", "compare 10", "task", "task settings", "agree"])
def test_results_are_one_table_that_compiles_without_a_warning(name: str, tmp_path: Path) -> None:
    kind, _, count = name.partition(" ")
    result: object
    if kind == "compare":
        key, responses = systems_of(tmp_path, int(count))
        result = compare(key, responses, names=NAMES[: int(count)], resamples=500)
    elif name == "score":
        result = score(EXAMPLE_KEY, EXAMPLE_RESPONSE)
    elif name == "agree":
        result = agree([EXAMPLE_KEY, EXAMPLE_RESPONSE])
    elif name == "settings":
        result = score_settings(EXAMPLE_KEY, EXAMPLE_RESPONSE, "crac")
    else:
        folder = write(tmp_path, {f"{data}/{file}.conllu": KEY for data in "abcde" for file in ("key", "x", "y_z")})
        result = score_task_settings(folder, "crac" if count else "head", jobs=1, resamples=100)
        result = result if count else result.first
    text = REPORTS["latex"].render(result)
    assert text.count(r"\begin{table}") == text.count(r"\toprule") == (2 if name == "agree" else 1)  # F1, and α
    assert (r"\rlap{$^\uparrow$}" in text and r"\rlap{$^\downarrow$}" in text) == (kind == "compare")
    log = _log_of(text, tmp_path, "paper")
    assert re.findall(r".*(?:Warning|Overfull|Underfull).*", log) == []


@NEEDS_LATEX
def test_latex_compiles_and_no_table_is_wider_than_the_page(result: TaskSettings, tmp_path: Path) -> None:
    for name, task in (("hostile", result), ("wide", _wide_task(tmp_path / "wide"))):
        log = _log_of(REPORTS["latex"].render(task, table="full"), tmp_path, name)
        assert name == "hostile" or re.findall(r"Overfull.*", log) == []  # names may be as wide as a page
