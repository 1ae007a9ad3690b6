"""Pages whose commands and examples are run: what they show is what happens.

A page is run in a folder of its own, which holds the files that pages speak of. A block ``console`` has commands
after ``$`` and what they print; a line ``…`` stands for some lines that are left out, also by ``make docs``. A block
``python`` has ``# ->`` before what it prints; all of a page share their names.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path

from corefscope.cli import main
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, GOLDEN, REPOSITORY

BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ corefscope [^\n]*\n", re.MULTILINE)
PRINTED = re.compile(r"^# -> .*\n", re.MULTILINE)
LEFT_OUT = "…\n"
NOISY = {"theirs": "merge-040", "a": "drop-040", "b": "split-040", "c": "merge-080", "d": "spurious-040"}
ANNOTATORS = {"anna": "key", "bela": "response", "cora": "noisy/drop-040"}
TASK = """\
preset = "crac25"

[datasets]
cs_pdt = "gold/cs_pdt-test.conllu"
en_gum = "gold/en_gum-test.conllu"

[systems]
ours = "runs/ours/{dataset}-*.conllu"

[systems.theirs]
cs_pdt = "runs/theirs/czech.conllu"
en_gum = "runs/theirs/english.conllu"
"""
ANN = """\
# newdoc id = ann
# global.Entity = eid-etype-head-other
# sent_id = ann-1
# text = Ann met an old dog.
1 Ann Ann PROPN _ _ 2 nsubj 2:nsubj Entity=(e1-person-1-)
2 met meet VERB _ _ 0 root 0:root _
3 an a DET _ _ 5 det 5:det Entity=(e2-animal-3-
4 old old ADJ _ _ 5 amod 5:amod _
5 dog dog NOUN _ _ 2 obj 2:obj Entity=e2)|SpaceAfter=No
6 . . PUNCT _ _ 2 punct 2:punct _

# sent_id = ann-2
# text = It barked and laughed at her.
1 It it PRON _ _ 2 nsubj 2:nsubj Entity=(e2-animal-1-)
2 barked bark VERB _ _ 0 root 0:root _
3 and and CCONJ _ _ 4 cc 4:cc _
3.1 it it PRON _ _ _ _ 4:nsubj Entity=(e2-animal-1-)
4 laughed laugh VERB _ _ 2 conj 2:conj _
5 at at ADP _ _ 6 case 6:case _
6 her she PRON _ _ 4 obl 4:obl:at Entity=(e1-person-1-)|SpaceAfter=No
7 . . PUNCT _ _ 2 punct 2:punct _
"""
MODEL = """\
<think>
Ann is e1. The dog is e2.
</think>
Here is the text with its mentions:

Ann|[e1] met an|[e2 old Dog. It|[e2] barked and laughed ##it|[e2] at her|[e1] .
"""
WITHOUT_ZEROS = """\
[{"doc_id": "ann",
  "tokens": ["Ann", "met", "an", "old", "dog", ".", "It", "barked", "and", "laughed", "at", "her", "."],
  "clusters_token_offsets": [[[0, 0], [12, 12]], [[2, 4], [6, 6], [10, 10]]],
  "clusters_text_mentions": [["Ann", "her"], ["an old dog", "It", "##it"]]}]
"""

GAP = """\
ID Text Pronoun Pronoun-offset A A-offset A-coref B B-offset B-coref
1 Ann_told_Eve_that_she_won. she 18 Ann 0 TRUE Eve 9 FALSE
2 Bob_saw_Tom._He_waved. He 13 Bob 0 FALSE Tom 8 TRUE
"""


def prepare(folder: Path) -> None:
    """The files that pages speak of: the example, noisy responses, annotators, a shared task."""
    shutil.copy(EXAMPLE_KEY, folder / "key.conllu")
    shutil.copy(EXAMPLE_RESPONSE, folder / "response.conllu")
    shutil.copy(EXAMPLE_RESPONSE, folder / "ours.conllu")
    for side in ("key", "response"):
        shutil.copy(GOLDEN / "anaphora" / f"{side}.conllua", folder / f"house-{side}.conllua")
    first_part_lost = EXAMPLE_RESPONSE.read_text(encoding="utf-8").replace("(e9[1/2]", "(e99", 1)
    (folder / "broken.conllu").write_text(first_part_lost, encoding="utf-8")
    noise = ["--kinds", "drop,split,merge,spurious", "--step", "40", "--seed", "1", "--quiet"]
    assert main(["perturb", str(folder / "key.conllu"), "-o", str(folder / "noisy"), *noise]) == 0
    for name, noisy in NOISY.items():
        shutil.copy(folder / "noisy" / f"{noisy}.conllu", folder / f"{name}.conllu")
    for name, source in ANNOTATORS.items():
        shutil.copy(folder / f"{source}.conllu", folder / f"{name}.conllu")
    shutil.rmtree(folder / "noisy")
    for side, name in (("key", "key"), ("response", "sys")):
        for suffix in ("conll", "jsonl"):
            target = str(folder / f"{name}.{suffix}")
            assert main(["convert", str(folder / f"{side}.conllu"), target, "--lossy", "--quiet"]) == 0
    rows = ("\t".join(line.split(" ")) if line[:1].isdigit() else line for line in ANN.split("\n"))
    (folder / "ann.conllu").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (folder / "model.txt").write_text(MODEL, encoding="utf-8")
    (folder / "model.json").write_text(WITHOUT_ZEROS, encoding="utf-8")
    (folder / "gap.tsv").write_text(GAP.replace(" ", "\t").replace("_", " "), encoding="utf-8")
    (folder / "decisions.tsv").write_text("1\tTRUE\tFALSE\n2\tTRUE\tTRUE\n", encoding="utf-8")
    (folder / "key.json").write_text('{"clusters": [["a", "b", "c"], ["d"]]}', encoding="utf-8")
    (folder / "response.json").write_text('{"clusters": [["b", "c"], ["d", "e"]]}', encoding="utf-8")
    (folder / "task.toml").write_text(TASK, encoding="utf-8")
    places = {"key": "gold/{}-test", "response": "runs/ours/{}-test", "theirs": "runs/theirs/{}"}
    for source, pattern in places.items():
        for dataset, language in (("cs_pdt", "czech"), ("en_gum", "english")):
            place = folder / f"{pattern.format(language if source == 'theirs' else dataset)}.conllu"
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(folder / f"{source}.conllu", place)


def brought_up_to_date(text: str, folder: Path) -> str:
    """The page as it should be. What leaves lines out stays as it is if it is true."""
    names: dict[str, object] = {"__name__": "page"}

    def block(found: re.Match[str]) -> str:
        kind, inside = found.groups()
        shown = with_output(inside, names) if kind == "python" else "".join(session(inside, folder))
        return f"```{kind}\n{shown}```"

    with _chdir(folder):
        return BLOCK.sub(block, text)


def session(inside: str, folder: Path) -> Iterator[str]:
    """Commands, each with what it prints."""
    commands, outputs = COMMAND.findall(inside), COMMAND.split(inside)[1:]
    for command, shown in zip(commands, outputs, strict=True):
        printed = output(command, folder)
        yield command
        yield shown if LEFT_OUT in shown and _holds(shown, printed) else _shortened(shown, printed)


def _shortened(shown: str, printed: str) -> str:
    """What is printed, without the lines that are like none that is shown; all of it if no line is left out."""
    if LEFT_OUT not in shown:
        return printed
    lines, kept, start = printed.splitlines(keepends=True), set[int](), 0
    for line in filter(str.strip, shown.replace(LEFT_OUT, "").splitlines(keepends=True)):
        likeness = {at: SequenceMatcher(None, line, lines[at]).ratio() for at in range(start, len(lines))}
        nearest = max(likeness, key=likeness.__getitem__, default=-1)
        if likeness.get(nearest, 0) > 0.6:
            kept.add(nearest)
            start = nearest + 1
    kept |= {at for at, line in enumerate(lines) if not line.strip() and {at - 1, at + 1} <= kept}
    left = (line if at in kept else LEFT_OUT for at, line in enumerate(lines))
    return re.sub(f"(?:{LEFT_OUT})+", LEFT_OUT, "".join(left))


def _holds(shown: str, printed: str) -> bool:
    """Whether what is shown stands there, in this order, with something left out at each ``…``."""
    pieces = f"\n{shown}".split(f"\n{LEFT_OUT}")
    start = 0
    for piece in pieces:
        found = printed.find(piece.lstrip("\n"), start)
        if found < 0:
            return False
        start = found + max(len(piece) - 1, 0)  # nothing is before a first …
    return True


def output(command: str, folder: Path) -> str:
    """What ``$ corefscope …`` shows on a terminal without colours, whichever stream it goes to."""
    arguments = shlex.split(command.removeprefix("$ corefscope "))
    done = subprocess.run(
        [sys.executable, "-m", "corefscope", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "COLUMNS": "80", "PYTHONPATH": str(REPOSITORY / "src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert "Traceback" not in done.stdout
    return done.stdout


def with_output(code: str, names: dict[str, object]) -> str:
    """A block of Python with a comment after it for every line that it prints."""
    code = PRINTED.sub("", code)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "page", "exec"), names)
    return code + "".join(f"# -> {line}\n" for line in printed.getvalue().splitlines())


@contextlib.contextmanager
def _chdir(folder: Path) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
