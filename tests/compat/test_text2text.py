"""``--reading text2text``: what text2text-coref and CorefUD scorer 1.2 make of printed text.

The figures and files in ``golden/llm`` are those of the real programs.
"""

from __future__ import annotations

import time
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import corefscope
from corefscope.cli import main
from corefscope.compat import text2text
from corefscope.compat.text2text import backtrace, corefud
from corefscope.core.choices import Reading
from corefscope.core.errors import InputError, Warnings
from corefscope.formats.source import Source
from llm_cases import cases

PRINTED = {case["name"]: case for case in cases("cases")}
OFFICIAL = {case["name"]: case for case in cases("text2text")}
CHAINS = cases("chains")
READINGS = ("text2text", "text2text-z")
METRICS = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "mor", "zero")
SETTINGS = ({"match": "head", "singletons": "drop"}, {"match": "exact", "singletons": "keep"})


def _files(folder: Path, key: str, text: str) -> tuple[Path, Path]:
    paths = folder / "key.conllu", folder / "out.txt"
    for path, content in zip(paths, (key, text), strict=True):
        path.write_text(content, encoding="utf-8", newline="")
    return paths


def _figures(key: Path, text: Path, reading: Reading, setting: dict[str, Any]) -> list[float]:
    report = corefscope.score(key, text, reading=reading, rules="corefud-1.2", **setting)
    metrics = report.to_dict()["metrics"]
    figures = [metrics[name][part] for name in METRICS for part in ("recall", "precision", "f1")]
    return [*figures, metrics["conll"]["f1"]]


@pytest.mark.parametrize("name", OFFICIAL)
def test_figures_are_those_of_the_programs(name: str, tmp_path: Path) -> None:
    key, text = _files(tmp_path, PRINTED[name]["key"], PRINTED[name]["text"])
    for reading in READINGS:
        wanted = OFFICIAL[name][reading]
        wanted = OFFICIAL[name]["text2text"] if wanted == "the same" else wanted
        if isinstance(wanted, str):
            with pytest.raises(InputError, match=rf"text2text_coref text2conllu ends with {wanted} here: ") as caught:
                _figures(key, text, reading, SETTINGS[0])  # type: ignore[arg-type]
            assert caught.value.path == str(text)
            continue
        for setting, figures in zip(SETTINGS, wanted, strict=True):
            assert _figures(key, text, reading, setting) == pytest.approx(figures, abs=1e-9)  # type: ignore[arg-type]


def _rows(written: str) -> list[str]:
    """Of the nodes that are empty or have brackets: sentence, id, DEPS of empty ones, Entity."""
    found = []
    for number, block in enumerate(written.strip("\n").split("\n\n"), 1):
        for columns in (line.split("\t") for line in block.split("\n") if not line.startswith("#")):
            if "-" not in columns[0] and ("." in columns[0] or columns[9] != "_"):
                dependencies = columns[8] if "." in columns[0] else "_"
                found.append(f"{number}:{columns[0]} {dependencies} {columns[9].replace('Entity=', '')}")
    return found


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("number", range(len(CHAINS)))
def test_files_are_those_of_the_programs(number: int, reading: Reading, tmp_path: Path) -> None:
    """Random texts with all sorts of mistakes, random trees and empty nodes; or the same error."""
    case = CHAINS[number]
    sources = [Source.open(path) for path in _files(tmp_path, case["key"], case["text"])]
    try:
        written: Any = _rows(corefud(sources[1], sources[0], reading.endswith("-z"), Warnings()))
    except InputError as error:
        written = error.message.partition(" here: ")[0]
    finally:
        for source in sources:
            source.close()
    wanted = case[reading]
    if isinstance(wanted, str):
        step, kind = wanted.split()
        wanted = f"text2text_coref {step} ends with {kind}"
        if step == "score":
            wanted = "text2text_coref text2conllu ends with a file that CorefUD scorer 1.2 refuses"
    assert written == wanted


def test_brackets_of_one_word_are_in_their_order(tmp_path: Path) -> None:
    """Those of one word behind opening ones, before closing ones; as the programs write it."""
    key, text = _files(tmp_path, KEY, "Ann|[e1],[e4,[e2],[e3 met|e3] her|e4],[e5],[e6] old dog .")
    with_brackets = [Source.open(path) for path in (text, key)]
    assert _rows(corefud(with_brackets[0], with_brackets[1], False, Warnings())) == [
        "1:1 _ (e4--2(e3--2(e1--1)(e2--1)",
        "1:2 _ e3)",
        "1:3 _ (e6--1)(e5--1)e4)",
    ]
    for source in with_brackets:
        source.close()


KEY = """\
# newdoc id = d
# global.Entity = eid-etype-head-other
# sent_id = s1
1\tAnn\t_\tX\t_\t_\t2\tnsubj\t_\tEntity=(e1--1)
2\tmet\t_\tX\t_\t_\t0\troot\t_\t_
3\ther\t_\tX\t_\t_\t5\tdet\t_\tEntity=(e2--3(e1--1)
4\told\t_\tX\t_\t_\t5\tamod\t_\t_
5\tdog\t_\tX\t_\t_\t2\tobj\t_\tEntity=e2)
6\t.\t_\tX\t_\t_\t2\tpunct\t_\t_

# sent_id = s2
1\tIt\t_\tX\t_\t_\t2\tnsubj\t_\tEntity=(e2--1)
2\tbarked\t_\tX\t_\t_\t0\troot\t_\t_
3\t.\t_\tX\t_\t_\t2\tpunct\t_\t_

"""


@pytest.mark.parametrize(
    ("text", "entities"),
    [
        ("Ann|[e1] met her|[e1],[e2 old dog|e2] . It|[e2] barked .", ["1-1 3-3", "3-5 1-1"]),
        ("Ann|[e1] met Her|[e1],[e2 old dog|e2]. It|[e2] barked.", ["1-1", "5-5 1-1"]),
        ("Ann|[e1] met Her|[e1],[e2 old dog|e2] . It|[e2] barked .", ["1-1", "5-5 1-1"]),
        ("Ann|[e1] met her|[e1],[e2 old", ["1-1 3-3"]),
        ("Ann|[e1] met her|[1],[x2 old dog|x2] . It|[e2] barked .", ["1-1", "1-1"]),
    ],
    ids=["copied", "glued", "another case", "cut off", "other ids"],
)
def test_flaws_are_kept(text: str, entities: list[str], tmp_path: Path) -> None:
    """A word that is not copied to the letter loses its tags, and the other end becomes a mention of one word."""
    key, response = _files(tmp_path, KEY, text)
    converted = tmp_path / "read.conllu"
    arguments = ["convert", str(response), str(converted), "--skeleton", str(key), "--reading", "text2text"]
    assert main([*arguments, "--quiet"]) == 0
    (document,) = corefscope.read_documents(converted)
    found = [" ".join(f"{_word(m.first)}-{_word(m.last)}" for m in entity) for entity in document.entities]
    assert found == entities


def _word(position: int) -> int:
    return (position >> 20) & ((1 << 20) - 1)


def test_the_signature_says_so(tmp_path: Path) -> None:
    key, text = _files(tmp_path, KEY, "Ann|[e1] met her|[e1],[e2 old dog|e2] . It|[e2] barked .")
    for reading in READINGS:
        report = corefscope.score(key, text, reading=reading)  # type: ignore[arg-type]
        assert f"|llm:{reading}|" in report.signature


def test_an_error_of_the_programs_names_the_line_and_the_way_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    second = KEY.replace("# newdoc id = d", "# newdoc id = d2")
    key, text = _files(tmp_path, KEY + second, "Ann met\nAnn" + " ##" * 10 + " met\n")
    assert main(["score", str(key), str(text), "--response-format", "tagged", "--reading", "text2text"]) == 1
    said = capsys.readouterr().err
    assert f"{text}:2: text2text_coref text2conllu ends with TypeError here: more than nine empty nodes" in said
    assert "--reading faithful" in said


def test_a_skeleton_that_is_not_corefud_is_refused(tmp_path: Path) -> None:
    skeleton, text = tmp_path / "key.conll", tmp_path / "out.txt"
    skeleton.write_text("#begin document (d); part 000\nd\t0\t0\tAnn\t(1)\n\n#end document\n")
    text.write_text("Ann|[e1]\n")
    with pytest.raises(InputError, match="needs a skeleton in CorefUD"):
        corefscope.score(skeleton, text, response_format="tagged", reading="text2text")


MOVED = """\
# newdoc id = d
# global.Entity = eid-etype-head-other
# sent_id = s1
1\ta\t_\tX\t_\t_\t0\troot\t_\t_
1.1\t_\t_\tX\t_\t_\t_\t_\t1:dep\t_
1.2\t_\t_\tX\t_\t_\t_\t_\t3:dep\t_
2\tb\t_\tX\t_\t_\t1\tdep\t_\t_
2.1\t_\t_\tX\t_\t_\t_\t_\t2:dep\tEntity=(e1--1)
3\tc\t_\tX\t_\t_\t1\tdep\t_\tEntity=(e1--1)

"""


def test_numbers_that_no_empty_node_can_have_are_told(tmp_path: Path) -> None:
    """Moving 1.2 behind word 3 makes 2.1 2.0 there."""
    key, text = _files(tmp_path, MOVED, "a|[e1] ## b ## c|[e1] ##")
    report = corefscope.score(key, text, reading="text2text-z", response_format="tagged")
    assert any("numbers empty nodes of sentence 's1' 1.1, 2.0, 3.1" in str(each) for each in report.warnings)


# ------------------------------------------------------------------ the alignment of the cleaner


def _plain_way(printed: list[str], forms: list[str], zeros: bool) -> list[tuple[int, int]]:
    """The whole table, cell by cell, and the way back."""
    costs = {(row, 0): row for row in range(len(printed) + 1)}
    costs |= {(0, column): column for column in range(len(forms) + 1)}
    for row, column in product(range(1, len(printed) + 1), range(1, len(forms) + 1)):
        above, left, corner = costs[row - 1, column], costs[row, column - 1], costs[row - 1, column - 1]
        if zeros and printed[row - 1][:2] == "##":
            costs[row, column] = above
        else:
            same = printed[row - 1] == forms[column - 1]
            costs[row, column] = corner if same else 1 + min(above, left, corner)
    steps = []
    row, column = len(printed), len(forms)
    while column:
        word = printed[row - 1] if row else ""
        is_zero = zeros and word[:2] == "##"
        if row and (is_zero or word != forms[column - 1]):
            down = costs[row, column] - 1 == costs[row - 1, column]
            across = costs[row, column] - 1 == costs[row - 1, column - 1]
            used = (1, 0) if is_zero else (1, 1) if across else (1, 0) if down else (0, 1)
        else:
            used = (1, 1) if row else (0, 1)
        steps.append((row - 1 if used[0] else -1, column - 1 if used[1] else -1))
        row, column = row - used[0], column - used[1]
    return steps


@pytest.mark.parametrize("kept", [128, 3])
def test_the_way_back_is_that_of_the_whole_table(kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text2text, "KEPT", kept)
    random = Random(kept)
    for _ in range(600):
        words = random.choice(["ab", "abcd", "abcdefghij"])
        forms = random.choices(words, k=random.randrange(1, 12))
        printed = [form if random.random() < 0.7 else random.choice(words) for form in forms]
        for _ in range(random.randrange(4)):
            printed.insert(random.randrange(len(printed) + 1), random.choice(["##", "##", "a"]))
        if random.random() < 0.3:
            printed = ["##"] * random.randrange(4) + printed[random.randrange(len(printed)) :]
        for zeros in (True, False):
            assert backtrace(printed, forms, zeros) == _plain_way(printed, forms, zeros), (printed, forms)


def test_four_thousand_words_take_seconds() -> None:
    random = Random(1)
    forms = [f"w{int(5000 ** random.random())}" for _ in range(4000)]
    printed = [form if random.random() < 0.95 else "x" for form in forms]
    started = time.process_time()
    steps = backtrace(printed, forms, zeros=True)
    assert time.process_time() - started < 10
    assert [form for _, form in steps] == list(range(3999, -1, -1))


def test_what_the_programs_would_take_hours_for_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text2text, "MAX_CELLS", 50)
    key, text = _files(tmp_path, KEY, "Ann|[e1] met her|[e1],[e2 old dog|e2] . It|[e2] barked .")
    with pytest.raises(InputError, match="text2text_coref clean ends with no result here: 9 printed words for 9"):
        corefscope.score(key, text, reading="text2text")
