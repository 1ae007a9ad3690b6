"""The leaderboard as a page: what it shows, that it needs nothing else, and the reports that it links to."""

from __future__ import annotations

import json
import ntpath
import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from markupsafe import escape

from boards import HOSTILE, LANGUAGES, SYSTEMS, task_of
from corefscope.cli import main
from corefscope.comparison.tasks import TaskSettings, score_task_settings
from corefscope.formats.naming import is_reserved
from corefscope.output.formats import REPORTS
from corefscope.output.pages.leaderboard import ReportPages, _file_names, collect, write_reports


class Seen(HTMLParser):
    """The elements of a page, and whether those that must be closed are."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "link", "img", "rect", "input", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("rect",):
            assert self.open.pop() == tag

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def test_the_page_is_whole_and_needs_nothing_else(result: TaskSettings) -> None:
    seen = Seen(REPORTS["html"].render(result))
    assert seen.open == []
    assert not seen.named("img")
    assert [attributes.get("src") for attributes in seen.named("script")] == [None]
    assert [attributes["href"] for attributes in seen.named("link")] == ["data:,"]
    ids = [attributes["id"] for _, attributes in seen.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    policy = next(row["content"] for row in seen.named("meta") if row.get("http-equiv"))
    assert policy is not None
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_text_of_names_is_escaped(result: TaskSettings) -> None:
    page = REPORTS["html"].render(result)
    assert "<img" not in page
    assert page.count("</script>") == 1
    assert "&lt;_script&gt;&lt;img src=x onerror=alert(1)&gt;" in page
    assert HOSTILE not in page


def test_every_setting_has_its_table_and_every_figure_its_place(result: TaskSettings) -> None:
    board = collect(result, False, {})
    assert [setting["title"] for setting in board["settings"]] == ["head", "exact+keep", "zero"]
    for setting, of_setting in zip(board["settings"], result.values(), strict=True):
        assert [row["system"] for row in setting["rows"]] == list(of_setting.ranks)
        for row in setting["rows"]:
            for name, cell in zip(of_setting.datasets, row["cells"], strict=True):
                report = of_setting[row["system"]].get(name)
                assert cell["scored"] == (report is not None)
                figure = report.figure(of_setting.scheme.rank_by) if report is not None else None
                assert cell["value"] == (-1 if figure is None else figure)
    head = board["settings"][0]["rows"]
    assert {row["system"]: row["cells"][2]["text"] for row in head}["close"] == "faulty"
    assert {row["system"]: row["cells"][3]["text"] for row in head}["poor"] == "missing"
    tied = [row["tied"] for row in board["settings"][2]["rows"]]
    assert tied == [True] * len(SYSTEMS)  # nothing to count: all share a rank


def test_a_line_parts_the_ranks(manifest: Path) -> None:
    result = score_task_settings(manifest, "head", jobs=1, significance=False)
    (setting,) = collect(result, False, {})["settings"]
    ranks = list(result.first.ranks.values())
    assert len(set(ranks)) > 2
    assert [row["opens"] for row in setting["rows"]] == [
        False,
        *(rank != before for before, rank in pairwise(ranks)),
    ]
    assert REPORTS["html"].render(result).count('<tr class="opens">') == len(set(ranks)) - 1


def test_what_is_wrong_stands_first_among_submissions(result: TaskSettings) -> None:
    submissions = collect(result, False, {})["submissions"]
    assert len(submissions) == len(SYSTEMS) * len(LANGUAGES)
    assert {one["status"] for one in submissions[:2]} == {"missing", "faulty"}
    assert {one["status"] for one in submissions[2:]} == {"scored"}
    faulty = next(one for one in submissions if one["status"] == "faulty")
    assert faulty["errors"] > 0
    assert "columns instead of 10" in faulty["message"]


def test_the_page_has_title_description_and_languages(tmp_path: Path) -> None:
    manifest = task_of(tmp_path / "task")
    description = f"One <b>\n\nTwo {HOSTILE}"
    text = [
        f"title = {json.dumps(HOSTILE)}",
        f"description = {json.dumps(description)}",
        f"languages = {{ en = {json.dumps(HOSTILE)}, cs = 'Czech' }}",
        manifest.read_text(encoding="utf-8"),
    ]
    manifest.write_text("\n".join(text), encoding="utf-8")
    result = score_task_settings(manifest, "head", jobs=1, significance=False)
    page = REPORTS["html"].render(result)
    escaped = str(escape(HOSTILE))
    assert HOSTILE not in page
    assert f'<h1 dir="auto">{escaped}</h1>' in page
    assert f"in 3 languages: <bdi>{escaped}</bdi>, <bdi>Czech</bdi>, <bdi>hu</bdi></p>" in page
    assert '<p class="about" dir="auto">One &lt;b&gt;</p>' in page
    assert page.count('class="about"') == 2
    assert f"{escaped} (2)</option>" in page


def test_the_page_gives_the_reason_of_a_shared_rank(tmp_path: Path) -> None:
    result = score_task_settings(task_of(tmp_path, documents=1), "head", jobs=1)
    page = REPORTS["html"].render(result)
    shared = result.first.shared_ranks
    assert shared
    for one in shared.values():
        disjoint = " (intervals are disjoint: see the notes)" if one.why_disjoint else ""
        assert f">{one.reason}{disjoint}</span>" in page
    tied = [row["shared"] for row in collect(result, False, {})["settings"][0]["rows"] if row["tied"]]
    assert tied[0] == ""  # the best of its rank


def test_lines_of_messages_are_lines(result: TaskSettings) -> None:
    page = REPORTS["html"].render(result)
    faulty = next(problem for problem in result.first.problems if problem.status == "faulty")
    assert "\n" in faulty.message
    first, *_, last = (str(escape(line.strip())) for line in faulty.message.split("\n"))
    assert f"<br>{last}</td>" in page
    assert f'title="{first}\n' in page
    assert "␊" not in page
    assert "\\n" not in page.partition("<script>")[0]


def test_the_metric_that_ranks_is_shown_once(manifest: Path) -> None:
    for metrics, heads in (("lea", []), ("lea,muc", [["Macro average", "MUC"]])):
        result = score_task_settings(manifest, "head", jobs=1, significance=False, metrics=metrics)
        (setting,) = collect(result, False, {})["settings"]
        assert [sheet.head for sheet in [setting["by_metric"]] if sheet] == heads
        assert ("Macro averages by metric" in REPORTS["html"].render(result)) == bool(heads)


def test_documents_are_shown_if_they_are_asked_for(result: TaskSettings) -> None:
    for per_document in (False, True):
        assert (">d3<" in REPORTS["html"].render(result, per_document)) == per_document


# ---- reports


def test_reports_are_written_and_linked(manifest: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, pages = tmp_path / "out" / "board.html", tmp_path / "pages here"
    out.parent.mkdir()
    assert main(["task", str(manifest), "-q", "-o", str(out), "--reports", str(pages), "--jobs", "1"]) == 1
    assert "close on cs_pdt, reading: " in capsys.readouterr().err
    written = sorted(path.relative_to(pages).as_posix() for path in pages.rglob("*.html"))
    assert len(written) == len(SYSTEMS) * len(LANGUAGES) - 2
    assert "perfect/en_gum.html" in written
    links = {row["href"] for row in Seen(out.read_text(encoding="utf-8")).named("a")} - {"#main", "#submissions"}
    assert links == {f"../pages%20here/{name}".replace(" ", "%20") for name in written}
    assert "perfect on en_gum" in (pages / "perfect" / "en_gum.html").read_text(encoding="utf-8")


def test_a_report_that_cannot_be_made_loses_no_other(result: TaskSettings, tmp_path: Path) -> None:
    (tmp_path / "pages" / "perfect" / "en_gum.html").mkdir(parents=True)
    told: list[Any] = []
    pages = write_reports(result.first, str(tmp_path / "pages"), jobs=1, progress=lambda *news: told.append(news))
    assert len(pages.written) == len(SYSTEMS) * len(LANGUAGES) - 3
    (refused,) = pages.refused
    assert refused.startswith("no report of perfect on en_gum: ")
    assert "is a directory" in refused
    assert told[-1][:2] == (14, 14)


def test_reports_are_of_scores_from_0_whatever_the_baseline(manifest: Path, tmp_path: Path) -> None:
    arguments: Any = {"baseline": "none", "missing": "skip", "significance": False, "jobs": 1, "metrics": "muc"}
    result = score_task_settings(manifest, "head", **arguments)
    pages = write_reports(result.first, str(tmp_path), jobs=1)
    assert pages.refused == []
    assert len(pages.written) == len(SYSTEMS) * len(LANGUAGES) - 2


def test_names_of_files_are_plain_and_differ() -> None:
    names = ["a", "A", "../../etc/passwd", "..", "", "x" * 300, "日本", "a/b", "a b", "a_b"]
    files = _file_names(names)
    assert len({file.lower() for file in files.values()}) == len(names)
    assert all(re.fullmatch(r"[\w-][\w.-]{0,85}", file, re.ASCII) for file in files.values())


def test_no_report_has_a_name_that_windows_refuses() -> None:
    """Devices in any case and with any suffix, points at the end, names that differ in case only."""
    devices = ["CON", "nul", "Aux.v2", "com1.2024.x", "LPT9", "prn "]
    names = [*devices, "a" * 79 + ".b", "ours", "Ours", "OURS", "ours-2", "a.", "A", "_CON"]
    files = list(_file_names(names).values())
    assert not any(is_reserved(file) or is_reserved(f"{file}.html") for file in files)
    assert not any(file.endswith((".", " ")) for file in files)
    assert len({file.lower() for file in files}) == len(names)


def test_a_leaderboard_links_to_reports_on_another_drive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corefscope.output.pages.leaderboard.os", SimpleNamespace(path=ntpath, sep="\\"))
    pages = ReportPages({("a", "x"): "D:\\my pages\\a\\x.html", ("a", "y"): "C:\\out\\a\\y.html"}, [])
    assert pages.seen_from("C:\\board.html") == {
        ("a", "x"): "file:///D:/my%20pages/a/x.html",
        ("a", "y"): "out/a/y.html",
    }
