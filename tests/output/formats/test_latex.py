"""LaTeX tables: those that are too wide, labels and captions, and whether all of it compiles."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from boards import task_of
from corefscope.comparison.tasks import TaskSettings, score_task_settings
from corefscope.output.formats import REPORTS
from corefscope.output.formats.latex import SMALL, fits, fitting, transposed
from corefscope.output.layout import Cell, Sheet, column_widths, lay_out, sheets_of

PDFLATEX = shutil.which("pdflatex")


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
    assert all(fits(column_widths(table), SMALL) for table in tables)
    turned = [table.rows[0][0].text.startswith("xx_") for table in tables]
    assert len(set(turned)) == 1
    figures = sum(len(table.rows) * (len(table.head) - 1) for table in tables)
    assert figures == 30 * 25


def test_rows_that_stand_out_become_bold_columns() -> None:
    sheet = _wide(20, 3)._replace(strong=[1])
    (table,) = fitting(sheet)
    assert all(row[2].bold for row in table.rows)


def test_tables_have_labels_and_captions_that_say_what_they_show(result: TaskSettings) -> None:
    text = REPORTS["latex"].render(result)
    labels = re.findall(r"\\label\{(.*?)\}", text)
    assert len(labels) == len(set(labels)) == text.count(r"\begin{table}") > 5
    assert all(re.fullmatch(r"tab:[a-z0-9-]+", label) for label in labels)
    assert {"tab:macro-average", "tab:head-conll", "tab:exact-keep-conll", "tab:zero-zeros"} <= set(labels)
    captions = re.findall(r"\\caption\{(.*)\}\n", text)
    assert dict(zip(labels, captions, strict=True))["tab:head-conll"].startswith(
        r"CoNLL (head) in percent of 4 systems on 4 data sets, with ranks and macro averages, 95 \% intervals."
    )
    assert captions[0].count("Signature: ") == 1
    assert all(r"Notes and signature: Table~\ref{tab:macro-average}." in caption for caption in captions[1:])
    assert sum(len(sheets_of(block)) for block in lay_out(result).blocks) <= len(labels)


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


@pytest.mark.skipif(PDFLATEX is None, reason="there is no pdflatex: apt-get install texlive-latex-recommended")
def test_latex_compiles_and_no_table_is_wider_than_the_page(result: TaskSettings, tmp_path: Path) -> None:
    for name, task in (("hostile", result), ("wide", _wide_task(tmp_path / "wide"))):
        begin = "\\documentclass{article}\\usepackage{booktabs}\\usepackage[T1]{fontenc}\\begin{document}\n"
        text = f"{begin}{REPORTS['latex'].render(task)}\\end{{document}}\n"
        (tmp_path / f"{name}.tex").write_text(text, encoding="utf-8")
        command = [str(PDFLATEX), "-interaction=nonstopmode", "-halt-on-error", f"{name}.tex"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", errors="replace")
        assert done.returncode == 0, done.stdout[-2000:]
        assert name == "hostile" or re.findall(r"Overfull.*", done.stdout) == []  # names may be as wide as a page
