"""What docs/papers.md promises: every command runs as it is printed and shows its item, every test is there."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

import corefscope
from corefscope.cli import main
from corefscope.compat.commands import corefud
from corefscope.core.metrics import METRICS
from places import EXAMPLE_KEY, GOLDEN, REPOSITORY

PAGE = (REPOSITORY / "docs" / "papers.md").read_text(encoding="utf-8")
EXAMPLES = EXAMPLE_KEY.parent
HEAD = "| § | item | command | printed | ours | test |"
PROGRAMS: dict[str, Callable[[list[str]], int]] = {"corefscope": main, "corefud-scorer": corefud.main}


class Item(NamedTuple):
    """A row of the page."""

    source: str
    section: str
    name: str
    command: str
    printed: str
    ours: str
    test: str


def _items() -> list[Item]:
    items: list[Item] = []
    source = ""
    for block in PAGE.split("\n\n"):
        if block.startswith("## "):
            source = block[3:]
        if block.startswith(HEAD):
            for line in block.splitlines()[2:]:
                cells = [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip()[1:-1])]
                item = Item(source, *cells)
                items.append(item._replace(command=items[-1].command) if item.command == "″" else item)
    return items


ITEMS = _items()
RUN = [item for item in ITEMS if item.command.startswith("`") and item.command.partition(" ")[0][1:] in PROGRAMS]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the commands at the top of the page make."""
    setup = PAGE.partition("```\n")[2].partition("\n```")[0].splitlines()
    assert [line.split()[0] for line in setup] == ["cp", "cd", "corefscope", "corefscope", "corefscope", "sed"]
    assert "corefscope.formats" in setup[0]
    assert str(EXAMPLES) == f"{next(iter(corefscope.formats.__path__))}/examples"
    place = tmp_path_factory.mktemp("page") / "papers"
    shutil.copytree(EXAMPLES, place)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        for line in setup[2:5]:
            assert main([*shlex.split(line)[1:], "--quiet"]) == 0
        published = Path("luo/published.csv").read_text(encoding="utf-8")
        Path("other.csv").write_text(published.replace(",blanc,", ",muc,"), encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def outputs() -> dict[str, str]:
    """What commands have printed, so that each runs once."""
    return {}


@pytest.mark.parametrize("item", RUN, ids=[f"{item.source[:7]}-{item.section}-{item.name[:30]}" for item in RUN])
def test_every_command_runs_as_it_is_printed_and_shows_its_item(
    item: Item,
    folder: Path,
    outputs: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "200")
    if "-o " in item.command:
        pytest.importorskip("matplotlib", reason="some commands draw")
    if item.command not in outputs:
        program, *arguments = shlex.split(item.command.strip("`"))
        code = PROGRAMS[program](arguments)
        printed = capsys.readouterr()
        refused = item.printed == "refused"
        assert (code or 0) == (1 if refused else 0), printed.err
        text = " ".join(f"{printed.out} {printed.err}".split())
        outputs[item.command] = re.sub(r"\d\.\d{4}\d+", lambda found: str(round(float(found[0]), 4)), text)
    shown = [
        re.sub(r" \([^()]*\)$", "", part) if "figures)" in part or "systems)" in part else part
        for part in item.ours.split(" · ")
    ]
    missing = [part for part in shown if part.replace("`", "") not in outputs[item.command]]
    assert not missing, outputs[item.command]


def test_every_test_that_is_named_exists() -> None:
    modules = [path.read_text(encoding="utf-8") for path in (REPOSITORY / "tests").rglob("test_*.py")]
    tests = {name for module in modules for name in re.findall(r"^def (test_\w+)\(", module, re.MULTILINE)}
    for item in ITEMS:
        assert item.test in ("page", "cells", "–") or tests.issuperset(re.findall(r"test_\w+", item.test)), item
        assert item.command != "–" or item.test not in ("page", "cells"), item
        if item.test in ("page", "cells"):
            assert item in RUN, item


def test_there_is_a_row_for_each_item_of_the_sources() -> None:
    """Sections, definitions, propositions, equations, tables and figures."""
    by_source = {
        source: " ".join(f"{item.section} {item.name}" for item in ITEMS if item.source == source)
        for source in dict.fromkeys(item.source for item in ITEMS)
    }
    assert [source.partition(" ")[0] for source in by_source] == ["CorefUD", "Luo", "Cai", "Popescu-Belis"]
    readme, luo, cai, popescu = by_source.values()
    for number in range(1, 14):
        assert re.search(rf"PROP\. {number}\b", popescu), number
    for words in (
        "DEF. 1–4",
        "DEF. 5–6",
        "DEF. 7",
        "DEF. 8",
        "DEF. 9",
        "DEF. 10",
        "DEF. 11–14",
        "DEF. 15–16",
        "DEF. 17",
        "DEF. 18",
        "DEF. 19",
        "Fig. 2",
        "Fig. 3",
        "Fig. 4",
        "T. 3–4",
        "T. 5",
        "T. 6–7",
        "Appendix",
        "a set of keys",
        "bias with the number of expressions",
        "unanimity",
    ):
        assert words in popescu, words
    for words in (
        *(f"T. {number}" for number in range(1, 9)),
        "T. 9",
        "T. 11",
        *(f"T. {n}" for n in range(12, 16)),
        "Alg. 1",
        "Alg. 2",
        "Fig. 1",
        "Fig. 2",
        "eq. 1–2",
        "eq. 3–6",
    ):
        assert words in cai, words
    for words in (
        "eq. 1",
        "eq. 2–8",
        "eq. 9–19",
        "4.1 (1)",
        "4.1 (2)",
        "4.1 (3)",
        "example 4",
        "T. 1–2",
        "T. 3",
        "Fig. 1",
    ):
        assert words in luo, words
    for words in (
        "-m",
        "-s",
        "-a",
        "-x",
        "-z",
        "CRAC 2022",
        "CRAC 2023",
        "CRAC 2024",
        "Discontinuous",
        "Zeros",
        "Change log",
    ):
        assert words in readme, words


def test_the_page_is_short_enough_to_read() -> None:
    assert len(PAGE.split()) <= 8000


def test_the_bundled_examples_are_those_of_the_papers() -> None:
    """The cells of the golden figures have these keys and responses."""
    rows = json.loads((GOLDEN / "papers.json").read_text(encoding="utf-8"))
    places = {"cai-strube-2010": "cai-strube/tables", "luo-2014-blanc": "luo/examples"}
    places["popescu-belis-2000"] = "popescu-belis/examples"
    as_sets = {
        paper: [
            {frozenset(frozenset(map(str, cluster)) for cluster in document) for document in documents.values()}
            for documents in (
                json.loads((EXAMPLES / f"{place}-{side}.json").read_text()) for side in ("key", "response")
            )
        ]
        for paper, place in places.items()
    }
    for row in rows:
        if row["key"] is None or "own" in row["table"]:
            continue
        for clusters, bundled in zip((row["key"], row["response"]), as_sets[row["paper"]], strict=True):
            assert frozenset(frozenset(map(str, cluster)) for cluster in clusters) in bundled, row["table"]


def test_the_sample_text_is_that_of_the_paper() -> None:
    """17 expressions with the words that are printed, in the classes of Table 1."""
    names: dict[str, list[str]] = {}
    classes: dict[str, dict[str, list[int]]] = {}
    for side in ("key", "response"):
        (document,) = corefscope.read_documents(EXAMPLES / "popescu-belis" / f"{side}.conllu")
        mentions = sorted((mention.first, mention) for entity in document.entities for mention in entity)
        number = {mention: n for n, (_, mention) in enumerate(mentions, 1)}
        names[side] = [" ".join(document.words_of(mention)) for _, mention in mentions]
        classes[side] = {
            name: sorted(number[m] for m in entity)
            for name, entity in zip(document.entity_ids, document.entities, strict=True)
        }
    assert names["key"] == names["response"]
    assert names["key"][:4] == ["The western peak", "it", "a narrow passage", "that"]
    assert names["key"][-1] == "this inviting cradle"
    assert classes["key"] == {
        "K1": [1, 2],
        "K2": [3, 4, 5],
        "K3": [6, 7, 8, 9, 10, 11, 12],
        "K4": [13, 14, 15, 16, 17],
    }
    assert classes["response"] == {
        "R1": [1, 2, 6, 7, 8, 9, 10],
        "R2": [3, 4, 5, 11, 12, 13, 14, 15, 16],
        "R3": [17],
    }


def test_the_bundled_artificial_setting_shows_what_the_paper_finds() -> None:
    """Figures 1 and 2, and Tables 8 to 10: which variants see a better system, and which see a better tagger."""
    key, sm1, sm2 = (EXAMPLES / "cai-strube" / f"twinless-{name}.json" for name in ("key", "sm1", "sm2"))
    found = corefscope.curves(key, response=sm1, kinds="twinless", metrics="muc,cai-strube")
    gain = {name: found.series("twinless", name)[-1] - found.series("twinless", name)[0] for name in found.metrics}
    assert gain["b3_0"] == pytest.approx(0)
    assert gain["b3_all"] < gain["b3_sys"]
    assert gain["ceaf_orig"] == max(gain.values())
    assert gain["ceaf_sys"] < gain["ceaf_orig"]
    study = corefscope.compare(key, [sm1, sm2], metrics="muc,cai-strube", test="t").study
    assert study is not None
    (differences,) = study.differences.values()
    better = {name for name, difference in differences.items() if difference.adjusted < 0.05}
    assert {"muc", "b3_sys", "ceaf_sys", "ceaf_orig"} <= better
    assert not {"b3_0", "b3_all"} & better
    assert differences["b3_0"].difference < 0, "the variant that ignores twinless mentions prefers the worse system"


def test_a_measure_without_a_formula_is_marked() -> None:
    assert "reconstructed" in METRICS["d_err"].title


def test_errata_say_what_is_wrong_and_no_more() -> None:
    """Of "direct … (4)" the word is wrong, of "direct … (2)" the number: a worst response scores above 0."""
    errata = " ".join((REPOSITORY / "docs" / "errata" / "popescu-belis-2000.md").read_text(encoding="utf-8").split())
    assert 'Section 3.5.3: "direct lower limit criterion (4)" has the right number' in errata
    assert 'Section 3.7: "direct lower limit criterion (2)" has the right word; direct is (3)' in errata
    assert "9/9 and 13/32 are ours" in errata
    witness = corefscope.criteria("core").findings["core"]["all-in-one"].witness
    assert witness is not None
    assert (witness.key, witness.response) == ("{a b}{c}", "{a b c}")
    assert witness.score > 0
