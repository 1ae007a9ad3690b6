"""Tables for papers: what is in the one table, and what is beside it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import corefscope
from boards import task_of
from corefscope.cli import main
from corefscope.comparison.systems import Comparison, compare
from corefscope.comparison.tasks import TaskResult, score_task, score_task_settings
from corefscope.core.errors import OptionError
from corefscope.core.metrics import GROUPS, paper_metrics
from corefscope.output.formats import REPORTS
from corefscope.output.layout import TABLES, Layout, Sheet, lay_out
from corefscope.output.text import width_of
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE
from rendering import as_text
from systems import NAMES, systems_of

PAPER = pytest.mark.parametrize("form", ["latex", "typst", "markdown"])


@pytest.fixture(scope="module")
def comparison(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    return compare(*systems_of(tmp_path_factory.mktemp("systems"), 4), names=NAMES[:4], resamples=500)


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> TaskResult:
    return score_task(task_of(tmp_path_factory.mktemp("task")).parent, jobs=1, resamples=200)


def _only_sheet(layout: Layout) -> Sheet:
    (sheet,) = layout.blocks
    assert isinstance(sheet, Sheet)
    return sheet


def test_columns_are_the_metrics_of_papers_and_those_that_are_named() -> None:
    assert paper_metrics(GROUPS["corefud"]) == ["conll", "muc", "bcub", "ceafe", "lea"]
    assert paper_metrics(GROUPS["conll12"]) == ["conll", "muc", "bcub", "ceafe"]
    assert paper_metrics(["muc", "mor"]) == ["muc", "mor"]
    assert paper_metrics(["blanc", *GROUPS["conll"]]) == ["conll", "blanc", "muc", "bcub", "ceafe"]
    assert paper_metrics(GROUPS["all"]) == paper_metrics(GROUPS["corefud"])
    assert paper_metrics([*GROUPS["corefud"], "kappa"])[-1] == "kappa"


def test_systems_are_rows_and_the_headline_comes_first(comparison: Comparison) -> None:
    sheet = _only_sheet(lay_out(comparison, table="paper"))
    assert sheet.head == ["System", "CoNLL", "MUC", "B³", "CEAFe", "LEA"]
    assert [row[0].text for row in sheet.rows] == ["ours", "seq2seq", "baseline", "theirs"]
    for row in sheet.rows:
        assert [cell.text for cell in row[1:]] == [
            f"{100 * comparison[row[0].text][metric].f1:.2f}" for metric in ("conll", "muc", "bcub", "ceafe", "lea")
        ]
    assert [row[0].text for row in sheet.rows if row[1].bold] == ["ours", "seq2seq"]  # the same response


def test_wins_and_losses_have_different_marks(comparison: Comparison) -> None:
    assert comparison.study
    differences = comparison.study.differences
    assert differences["ours"]["conll"].adjusted < 0.05 > differences["theirs"]["conll"].adjusted
    assert differences["theirs"]["conll"].difference < 0 < differences["ours"]["conll"].difference
    for table in TABLES:
        if table == "intervals":
            continue
        *_, sheet = [block for block in lay_out(comparison, table=table).blocks if isinstance(block, Sheet)]
        marks = {row[0].text: row[1].mark for row in sheet.rows}
        assert marks == {"ours": "↑", "seq2seq": "↑", "theirs": "↓", **({"baseline": ""} if table == "paper" else {})}
        assert not any(cell.bold for row in sheet.rows for cell in row if cell.mark == "↓")


def test_less_is_better_where_0_is_perfect(tmp_path: Path) -> None:
    key, responses = systems_of(tmp_path, 3)
    compared = compare(key, responses, names=NAMES[:3], metrics="variation_of_information,muc", resamples=500)
    sheet = _only_sheet(lay_out(compared, table="paper"))
    assert sheet.head[1] == "Variation of information" or sheet.head[1].startswith("V")
    values = {row[0].text: (float(row[1].text), row[1].mark) for row in sheet.rows}
    assert values["ours"][0] < values["baseline"][0] < values["theirs"][0]
    assert (values["ours"][1], values["theirs"][1]) == ("↑", "↓")


@PAPER
def test_what_is_not_in_the_table_is_a_comment(comparison: Comparison, form: str) -> None:
    text = REPORTS[form].render(comparison)
    assert text.count(comparison.signature) == 1
    interval = comparison.interval("ours", "bcub")
    assert interval
    assert f"[{100 * interval.low:.2f}, {100 * interval.high:.2f}]" in text
    begins = {"latex": "% ", "typst": "// ", "markdown": ""}[form]
    for fact in ("read 12 documents", "randomisation test", "500 resamples of documents", "theirs against baseline"):
        (line,) = [line for line in text.splitlines() if fact in line]
        assert line.startswith(begins)
    if form == "markdown":
        table, comment = text.split("\n<!--\n")
        assert "resamples of" not in table
        assert comment.endswith("\n-->\n")


@PAPER
def test_the_caption_is_one_line(comparison: Comparison, form: str) -> None:
    (line,) = [line for line in REPORTS[form].render(comparison).splitlines() if "best in bold" in line]
    assert len(re.sub(r"\\caption\{|\$\\|arrow\$|\\text|caption: \[", "", line)) < 82


@PAPER
def test_other_tables_are_chosen_by_name(comparison: Comparison, form: str) -> None:
    texts = {table: REPORTS[form].render(comparison, table=table) for table in TABLES}
    assert len(set(texts.values())) == len(TABLES)
    assert "[" not in _only_sheet(lay_out(comparison, table="paper")).rows[0][1].plain
    assert re.fullmatch(
        r"\d+\.\d\d \[\S+, \S+\]", _only_sheet(lay_out(comparison, table="intervals")).rows[0][1].plain
    )
    difference = _only_sheet(lay_out(comparison, table="differences")).rows[0][1].plain
    assert re.fullmatch(r"[+]\d+\.\d\d↑ \[\S+, \S+\] p[=<]\S+", difference)
    assert "CEAFm" in texts["full"]
    assert "CEAFm" not in texts["paper"]


def test_a_table_that_there_is_not_is_refused(comparison: Comparison, task: TaskResult) -> None:
    one = compare(EXAMPLE_KEY, [EXAMPLE_RESPONSE], resample="nothing")
    for table in ("intervals", "differences"):
        with pytest.raises(OptionError, match=f"no table of {table}: nothing was resampled"):
            lay_out(one, table=table)
    with pytest.raises(OptionError, match="unknown table 'paper\\?'"):
        lay_out(comparison, table="paper?")
    alone = score_task(Path(task.task.path), jobs=1, significance=False)
    for table, reason in {"intervals": "nothing was resampled", "differences": "no systems were tested"}.items():
        with pytest.raises(OptionError, match=reason):
            lay_out(alone, table=table)


def test_one_system_is_not_the_best(tmp_path: Path) -> None:
    key, responses = systems_of(tmp_path, 1)
    layout = lay_out(compare(key, responses, resamples=200), table="paper")
    assert not any(cell.bold for row in _only_sheet(layout).rows for cell in row)
    assert "bold" not in _only_sheet(layout).caption


def test_no_column_is_empty(comparison: Comparison, task: TaskResult) -> None:
    for result in (comparison, task, corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, metrics="conll,kappa")):
        sheet = _only_sheet(lay_out(result, table="paper"))
        for column in range(1, len(sheet.head)):
            assert {row[column].text for row in sheet.rows}.difference({"", "–"}), sheet.head[column]


def test_a_task_is_one_table_of_the_ranking_metric(task: TaskResult) -> None:
    sheet = _only_sheet(lay_out(task, table="paper"))
    assert sheet.head == ["System", "Rank", "Macro", *task.datasets]
    for row in sheet.rows:
        assert row[1].plain == str(task.ranks[row[0].text])
        assert row[2].text == f"{100 * (task.average(row[0].text, 'conll') or 0):.2f}"
    comments = lay_out(task, table="paper").comments
    assert [note for note in task.notes if note not in comments] == []
    assert any(comment.startswith("perfect: macro 100.00 [100.00, ") for comment in comments)
    assert _only_sheet(lay_out(task, table="intervals")).head == ["System", "Rank", "Macro", "95 %"]
    rows = _only_sheet(lay_out(task, table="differences")).rows
    assert [(row[0].text, row[1].text) for row in rows] == [
        (one.system, one.best) for one in task.ranking.comparisons
    ]


def test_settings_of_a_task_are_one_table(tmp_path: Path) -> None:
    result = score_task_settings(task_of(tmp_path), "crac", jobs=1, resamples=100)
    sheet = _only_sheet(lay_out(result, table="paper"))
    assert sheet.head == ["Macro average", "head match", "exact match", "partial match", "with singletons"]
    assert sheet.caption.startswith("Macro CoNLL (%) by setting")  # no file has zeros
    titles = [block.title for block in lay_out(result, table="differences").blocks if isinstance(block, Sheet)]
    assert titles == list(result)


ZEROS = """\
# newdoc id = d
# global.Entity = eid-etype-head
# sent_id = s
1\ta\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-x-1)
1.1\t_\t_\t_\t_\t_\t_\t_\t1:dep\tEntity=(e1-x-1)
2\tb\t_\t_\t_\t_\t1\tdep\t_\tEntity=(e1-x-1)

"""


def test_a_setting_that_another_row_has_needs_no_row(tmp_path: Path) -> None:
    path = tmp_path / "key.conllu"
    path.write_text(ZEROS, encoding="utf-8")
    result = corefscope.score_settings(path, path, "crac")
    for table in ("paper", "full"):
        sheet = _only_sheet(lay_out(result, table=table))
        assert [row[0].text for row in sheet.rows] == [name for name in result if name != "zeros"]
        assert "Zeros" in sheet.head
        assert all(cell.text for row in sheet.rows for cell in row)
    assert "zeros: Zeros of head match" in lay_out(result, table="paper").comments


def test_settings_with_other_metrics_have_a_table_of_their_own() -> None:
    result = corefscope.score_settings(EXAMPLE_KEY, EXAMPLE_RESPONSE, "head+muc,exact+muc,head+lea+mor")
    sheets = [block for block in lay_out(result).blocks if isinstance(block, Sheet)]
    assert [[row[0].text for row in sheet.rows] for sheet in sheets] == [["head+muc", "exact+muc"], ["head+lea+mor"]]
    assert all(cell.text for sheet in sheets for row in sheet.rows for cell in row)


def test_ten_systems_fit_a_screen(tmp_path: Path) -> None:
    key, responses = systems_of(tmp_path, 10)
    for names in (
        NAMES,
        [f"a-system-with-a-name-that-is-much-too-long-for-any-table-{number}" for number in range(10)],
    ):
        lines = as_text(compare(key, responses, names=names, resamples=200), 80).splitlines()
        assert len(lines) <= 40 - 2  # the prompt, and a second line of the signature
        assert [line for line in lines[:-1] if width_of(line) > 80] == []


def test_the_command_takes_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key, responses = systems_of(tmp_path, 3)
    files = ["compare", str(key), *map(str, responses), "--resamples", "200"]

    def printed(*options: str) -> Any:
        assert main([*files, *options]) == 0
        return capsys.readouterr().out

    assert "CEAFm" in printed()
    assert "CEAFm" not in printed("--table", "paper")
    assert printed("--format", "latex") == printed("--format", "latex", "--table", "paper")
    assert "differences" not in printed("--table", "intervals", "--format", "html").lower().split("<p")[0]
    assert main([*files, "--table", "full", "--format", "csv"]) == 2
    assert "--table is for tables that people read" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main([*files, "--table", "papers"])
    assert "did you mean 'paper'" in capsys.readouterr().err
    assert main(["task", str(task_of(tmp_path / "task")), "--table", "paper", "-q"]) == 1  # one file is faulty
    assert "Macro average" in capsys.readouterr().out
