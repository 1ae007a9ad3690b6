"""The rules of the CoNLL reference scorer 8.01: its figures, its way with repeated mentions, its printed totals."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope
from corefscope.compat.commands.conll import main
from corefscope.formats.files import score
from examples import examples
from oracles import conll as oracle
from places import GOLDEN, SHARED

TOLERANCE = 1e-9
LINE = re.compile(
    r"^(?P<name>[\w -]+): Recall: \((\S+) / (\S+)\) (\S+)%\tPrecision: \((\S+) / (\S+)\) (\S+)%\tF1: (\S+)%$"
)
NAMES = {
    "Identification of Mentions": "mentions",
    "Coreference links": "blanc.coreference_links",
    "Non-coreference links": "blanc.non_coreference_links",
    "BLANC": "blanc",
}


def _cases() -> list[Any]:
    return [
        pytest.param(directory, case, expected, id=f"{directory.parent.name}-{case}")
        for directory in (GOLDEN / "conll", SHARED / "conformance" / "conll")
        if directory.exists()
        for case, expected in json.loads((directory / "expected.json").read_text(encoding="utf-8")).items()
    ]


def _files(directory: Path, case: str) -> tuple[str, str]:
    return str(directory / f"{case}.key.conll"), str(directory / f"{case}.response.conll")


@pytest.mark.parametrize(("directory", "case", "expected"), _cases())
def test_totals_are_those_of_the_reference(
    directory: Path, case: str, expected: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["all", *_files(directory, case), "none"]) == 0
    found: dict[str, list[str]] = {}
    metric = ""
    for line in capsys.readouterr().out.splitlines():
        metric = line[7:-1] if line.startswith("METRIC") else metric
        if match := LINE.match(line):
            found[NAMES.get(match["name"], metric)] = list(match.groups()[1:])
    assert set(found) == set(expected)
    for name, wanted in expected.items():
        figures = found[name]
        assert [figures[2], figures[5], figures[6]] == wanted["printed"], name
        sums = [float(figures[at]) for at in (0, 1, 3, 4)]
        assert sums == pytest.approx(wanted["recall"] + wanted["precision"], abs=TOLERANCE), name


@pytest.mark.parametrize(("directory", "case", "expected"), _cases())
def test_the_preset_gives_the_figures_of_the_reference(directory: Path, case: str, expected: dict[str, Any]) -> None:
    report = corefscope.score(*_files(directory, case), preset="conll12")
    for name in ("muc", "bcub", "ceafm", "ceafe", "mentions"):
        wanted = expected[name]["recall"] + expected[name]["precision"]
        assert list(report.counts(name).values()) == pytest.approx(wanted, abs=TOLERANCE), name
    recall, precision, _ = report["blanc"]
    assert (recall, precision) == pytest.approx((expected["blanc"]["recall"][0], expected["blanc"]["precision"][0]))


def _found() -> list[Any]:
    return [
        pytest.param(directory, case, lines, id=f"{directory.parent.name}-{case}")
        for directory in (GOLDEN / "found", SHARED / "conformance" / "found")
        if directory.exists()
        for case, lines in json.loads((directory / "expected-conll.json").read_text(encoding="utf-8")).items()
    ]


@pytest.mark.parametrize(("directory", "case", "lines"), _found())
def test_pairs_that_once_differed_give_the_lines_of_the_reference(
    directory: Path, case: str, lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["all", *_files(directory, case), "none"]) == 0
    printed = [line for line in capsys.readouterr().out.splitlines() if line.strip("-")]
    assert printed == lines


@pytest.mark.parametrize(("directory", "case", "lines"), _found())
def test_the_preset_reads_cells_in_the_order_of_the_reference(directory: Path, case: str, lines: list[str]) -> None:
    report = corefscope.score(*_files(directory, case), preset="conll12")
    for name in ("muc", "bcub", "ceafm", "ceafe"):
        match = LINE.match(lines[lines.index(f"METRIC {name}:") + 3])
        assert match is not None
        wanted = [float(match[group]) for group in (2, 3, 5, 6)]
        assert list(report.counts(name).values()) == pytest.approx(wanted, abs=TOLERANCE), name


def test_the_totals_of_one_metric(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = _written(tmp_path, [[(0, 0), (2, 3)], [(4, 4), (5, 5)]], [[(0, 0), (2, 3), (4, 4)]])
    assert main(["bcub", *files]) == 0
    assert capsys.readouterr().out == (
        "\n====== TOTALS =======\n"
        "Identification of Mentions: Recall: (3 / 4) 75%\tPrecision: (3 / 3) 100%\tF1: 85.71%\n" + "-" * 74 + "\n"
        "Coreference: Recall: (2.5 / 4) 62.5%\tPrecision: (1.66666666666667 / 3) 55.55%\tF1: 58.82%\n"
        + "-" * 74
        + "\n"
    )
    assert main(["BLANC", *files, "(doc); part 000"]) == 0
    assert "\nCoreference:\nCoreference links: Recall: (1 / 2) 50%" in capsys.readouterr().out


def test_the_drop_in_runs_as_a_module(tmp_path: Path) -> None:
    files = _written(tmp_path, [[(0, 0), (1, 1)]], [[(0, 0), (1, 1)]])
    command = [sys.executable, "-m", "corefscope.compat.commands.conll", "muc", *files, "none"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "Coreference: Recall: (1 / 1) 100%" in done.stdout


CHAIN = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 2)).map(lambda s: (s[0], s[0] + s[1])), min_size=1, max_size=4
)


@examples(200)
@given(key=st.lists(CHAIN, min_size=1, max_size=4), response=st.lists(CHAIN, min_size=1, max_size=4))
def test_repeated_mentions_count_as_in_the_reference(
    tmp_path_factory: pytest.TempPathFactory, key: oracle.Chains, response: oracle.Chains
) -> None:
    """Spans may stand twice in an entity and in several; the oracle gets the chains as the reference reads them."""
    files = _written(tmp_path_factory.getbasetemp(), key, response)
    report = score(*files, preset="conll12")
    wanted = oracle.score(*(_as_read(Path(file)) for file in files))
    for name, counts in wanted.items():
        assert list(report.counts(name).values())[: len(counts)] == pytest.approx(counts, abs=TOLERANCE), name


@examples(200)
@given(key=st.lists(CHAIN, min_size=1, max_size=4), response=st.lists(CHAIN, min_size=1, max_size=4))
def test_clusters_in_memory_count_as_in_the_reference(key: oracle.Chains, response: oracle.Chains) -> None:
    names = ["muc", "bcub", "ceafm", "ceafe", "blanc", "mentions"]
    report = corefscope.score_clusters(key, response, rules="conll-8.01", metrics=names)
    for name, counts in oracle.score(key, response).items():
        assert list(report.counts(name).values())[: len(counts)] == pytest.approx(counts, abs=TOLERANCE), name


def _written(directory: Path, key: oracle.Chains, response: oracle.Chains) -> tuple[str, str]:
    paths = directory / "key.conll", directory / "response.conll"
    for path, chains in zip(paths, (key, response), strict=True):
        lines = ["#begin document (doc); part 000"]
        for word in range(10):
            cells = [f"({i})" for i, chain in enumerate(chains) for s, e in chain if s == e == word]
            cells += [f"({i}" for i, chain in enumerate(chains) for s, e in chain if s == word < e]
            cells += [f"{i})" for i, chain in enumerate(chains) for s, e in chain if s < word == e]
            lines.append(f"doc\t0\t{word}\tw{word}\t-\t{'|'.join(cells) or '-'}")
        path.write_text("\n".join([*lines, "", "#end document", ""]), encoding="utf-8")
    return str(paths[0]), str(paths[1])


def _as_read(path: Path) -> oracle.Chains:
    """Chains by first bracket, mentions as they close: one-word mentions, then openings, then closings of a cell."""
    order: dict[str, list[tuple[int, int]]] = {}
    opened: dict[str, list[int]] = {}
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("doc")]
    for word, row in enumerate(rows):
        cells = row[-1].split("|")
        for cell in cells:
            if cell[0] == "(" and cell[-1] == ")":
                order.setdefault(cell[1:-1], []).append((word, word))
        for cell in cells:
            if cell[0] == "(" and cell[-1] != ")":
                order.setdefault(cell[1:], [])
                opened.setdefault(cell[1:], []).append(word)
        for cell in cells:
            if cell[0] != "(" and cell[-1] == ")":
                order[cell[:-1]].append((opened[cell[:-1]].pop(), word))
    return list(order.values())
