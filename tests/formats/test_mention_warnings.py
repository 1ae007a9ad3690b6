"""A response without a mention, or without one that the key has, is warned of in every command and format."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import corefscope
from corefscope.cli import main
from corefscope.compat.commands import conll, corefud

Writer = Callable[[Path, list[tuple[int, int]]], None]
"""Writes a document of six words in which these words, counted from 0, are mentions of one entity."""


def _corefud(path: Path, mentions: list[tuple[int, int]]) -> None:
    lines = ["# newdoc id = d", "# global.Entity = eid-etype-head-other", "# sent_id = 1"]
    for number in range(6):
        starts = "".join(f"(e1--1{')' if last == number else ''}" for first, last in mentions if first == number)
        ends = "".join("e1)" for first, last in mentions if last == number != first)
        misc = f"Entity={ends}{starts}" if ends + starts else "_"
        lines.append(f"{number + 1}\tw{number}\t_\t_\t_\t_\t{number}\tdep\t_\t{misc}")
    path.write_text("\n".join(lines) + "\n\n", encoding="utf-8")


def _conll(path: Path, mentions: list[tuple[int, int]]) -> None:
    lines = ["#begin document (d); part 000"]
    for number in range(6):
        cells = [f"(1{')' if last == number else ''}" for first, last in mentions if first == number]
        cells += ["1)" for first, last in mentions if last == number != first]
        lines.append(f"d\t0\t{number}\tw{number}\t{'|'.join(cells) or '-'}")
    path.write_text("\n".join([*lines, "", "#end document", ""]), encoding="utf-8")


def _jsonl(path: Path, mentions: list[tuple[int, int]]) -> None:
    document = {
        "doc_key": "d",
        "sentences": [[f"w{i}" for i in range(6)]],
        "clusters": [mentions] if mentions else [],
    }
    path.write_text(json.dumps(document) + "\n", encoding="utf-8")


FORMATS: dict[str, tuple[str, Writer]] = {
    "corefud": ("conllu", _corefud),
    "conll": ("conll", _conll),
    "jsonl": ("jsonl", _jsonl),
}
KEY = [(0, 0), (2, 3)]
EMPTY = "has no mentions"
APART = "none of its 2 mentions is among the 2 of"
COMMANDS = [
    ["score"],
    ["compare", "--resamples", "100"],
    ["errors"],
    ["explain", "muc"],
    ["diff"],
    ["explain-difference", "50.00"],
]


def _files(directory: Path, name: str, response: list[tuple[int, int]]) -> list[str]:
    suffix, write = FORMATS[name]
    paths = [directory / f"{side}.{suffix}" for side in ("key", "response")]
    for path, mentions in zip(paths, (KEY, response), strict=True):
        write(path, mentions)
    return [str(path) for path in paths]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize(("response", "message"), [([], EMPTY), ([(1, 1), (4, 5)], APART)], ids=["none", "apart"])
def test_every_command_warns_in_every_format(
    response: list[tuple[int, int]],
    message: str,
    command: list[str],
    name: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = _files(tmp_path, name, response)
    if command[0] == "compare":
        files.append(files[0])
    assert main([*command, *files]) == 0
    assert f"response.{FORMATS[name][0]}: {message}" in capsys.readouterr().err


def test_a_report_page_warns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    assert main(["report", *_files(tmp_path, "corefud", []), "--output", str(page)]) == 0
    assert EMPTY in capsys.readouterr().err


def test_a_response_with_one_common_mention_is_not_warned_of(tmp_path: Path) -> None:
    for name in FORMATS:
        assert not corefscope.score(*_files(tmp_path, name, [(0, 0), (4, 5)])).warnings


def test_dropped_singletons_are_given_as_the_reason(tmp_path: Path) -> None:
    (warning,) = corefscope.score(*_files(tmp_path, "corefud", [(0, 0)]), singletons="drop").warnings
    assert "none of its 1 mention is scored, since entities of one mention are dropped" in warning


IDS = ["a", "b", "c", "d", "e", "f"]


@pytest.mark.parametrize(
    ("response", "message"),
    [
        (["a", "b", "c", "d", "e"], ""),
        (["a", "b", "c", "d", "x"], "1 of 5 mentions (20.0 %) are not in {}, and 2 of 6 mentions (33.3 %) of {} are"),
        (["a", "b", "c", "d", "e", "f", "x"], ""),
        (["a", "b", "c", "d", "e", "f", "x", "y"], "2 of 8 mentions (25.0 %) are not in {}, and 0 of 6 mentions"),
    ],
)
def test_over_a_fifth_of_unknown_ids_is_counted(response: list[str], message: str, tmp_path: Path) -> None:
    """In files, in tables and in Python alike."""
    sides = dict(zip(("key", "response"), (IDS, response), strict=True))
    tables = {name: {"mention": ids, "entity": [1] * len(ids)} for name, ids in sides.items()}
    for name, ids in sides.items():
        (tmp_path / f"{name}.csv").write_text("mention,entity\n" + "".join(f"{i},1\n" for i in ids), encoding="utf-8")
    paths = [tmp_path / "key.csv", tmp_path / "response.csv"]
    reports = {
        str(paths[0]): corefscope.score(*paths, singletons="keep"),
        "the key": corefscope.score_clusters([IDS], [response]),
    }
    for name, report in reports.items():
        expected = message.replace("{}", name)
        assert all(expected and expected in warning for warning in report.warnings)
        assert bool(report.warnings) == bool(message)
    warnings = corefscope.score_tables(tables["key"], tables["response"]).warnings
    assert bool(warnings) == bool(message)


def test_spans_are_no_ids() -> None:
    """A response may find other spans than the key: this is what is scored."""
    assert not corefscope.score_clusters([[(0, 0), (2, 3)]], [[(0, 0), (4, 5)]]).warnings


@pytest.mark.parametrize("drop_in", ["corefud", "conll"])
def test_drop_ins_warn_too(drop_in: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = _files(tmp_path, drop_in, [])
    assert (corefud.main(files) if drop_in == "corefud" else conll.main(["muc", *files])) == 0
    assert EMPTY in capsys.readouterr().err
