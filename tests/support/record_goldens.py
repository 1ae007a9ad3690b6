"""Records golden figures of older official programs, from checkouts of their repositories.

::

    PYTHONPATH=src:tests/support python -m record_goldens corefud 1.0=CHECKOUT 1.1=CHECKOUT
    PYTHONHASHSEED=0 PYTHONPATH=src:tests/support python -m record_goldens ua CHECKOUT

The first makes synthetic pairs from seeds (`tests/golden/corefud-early`) and writes the unrounded figures of CorefUD
scorer 1.0 (commit 9926f36 of github.com/ufal/corefud-scorer) and 1.1 (8749913) under all options, or that the program
stops (null: at this metric only), and what it prints. The second writes what the Universal Anaphora scorer 2.0
(``ua-scorer.py`` at 4fd7b0e, its function ``evaluate``) prints for the pairs of `tests/golden/ua`. Programs run
with the installed udapi.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

from oracles.generate import random_pair
from places import GOLDEN

EARLY = GOLDEN / "corefud-early"
SEEDS = range(300, 322)
FEATURES = ("duplicates", "two_heads", "shared_eids", "merged_documents")
COMMANDS = (
    ("1.0", "f300", ""),
    ("1.0", "f301", "-s -x"),
    ("1.0", "f302", "-m lea muc muc ceafe --"),
    ("1.1", "f303", ""),
    ("1.1", "f304", "-s -a partial"),
    ("1.1", "f305", "-a head -x -m all muc --"),
    ("1.1", "f306", "-m --"),
)
UA_OPTIONS = (
    "",
    "-s -z -m muc bcub ceafe ceafm blanc lea --",
    "-s -l -m muc bcub ceafe ceafm blanc lea --",
    "-s -l -a partial-corefud -m muc bcub ceafe ceafm blanc lea bridging non-referring --",
    "-s -l -a partial-craft -m conll --",
    "-d -a partial-corefud -m bcub blanc lea --",
    "--only-split-antecedent -m muc bcub ceafe ceafm blanc lea --",
    "-m bridging --",
)
FIGURES = """
import json, logging, sys
logging.disable(logging.CRITICAL)
from coval.corefud import reader
from coval.eval import evaluator
metrics = {"lea": evaluator.lea, "muc": evaluator.muc, "bcub": evaluator.b_cubed, "ceafe": evaluator.ceafe,
           "ceafm": evaluator.ceafm, "blanc": [evaluator.blancc, evaluator.blancn]}
if hasattr(evaluator, "als_zeros"):
    metrics |= {"mor": evaluator.mention_overlap, "zero": evaluator.als_zeros}
    matches = {name: name for name in ("head", "partial", "exact")}
else:
    matches = {"partial": False, "exact": True}
for line in sys.stdin:
    found = {}
    for match, value in matches.items():
        for keep in (False, True):
            scores = {}
            try:
                infos = reader.get_coref_infos(*line.split(), value, keep)
            except BaseException as error:
                scores["error"] = type(error).__name__
            for name, metric in metrics.items() if not scores else ():
                try:
                    scores[name] = [*map(float, evaluator.evaluate_documents(infos, metric))]
                except ZeroDivisionError:
                    scores[name] = None
            found[f"match={match},singletons={'keep' if keep else 'drop'}"] = scores
    print(json.dumps(found), flush=True)
"""
PRINTED = """
import contextlib, importlib, io, json, logging, signal, sys
logging.disable(logging.CRITICAL)
program = importlib.import_module("ua-scorer")
def stop(*_):
    raise RecursionError("does not end")
signal.signal(signal.SIGALRM, stop)
for line in sys.stdin:
    sys.argv = ["ua-scorer.py", *json.loads(line)]
    out, error = io.StringIO(), ""
    signal.alarm(5)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            arguments = program.parse_arguments()
            program.process_arguments(arguments)
            program.evaluate(arguments)
    except BaseException as caught:
        error = type(caught).__name__
    signal.alarm(0)
    print(json.dumps({"printed": out.getvalue(), **({"error": error} if error else {})}), flush=True)
"""


def tie(before: int) -> tuple[str, str]:
    """A pair in which two response mentions differ from the key's alike, with the same ends, after some sentences."""
    cells = {
        "key": {1: "(e1-x-3", 5: "e1)", 7: "(e1-x-1)", 8: "(e2-x-1)", 6: "(e2-x-1)"},
        "response": {
            1: "(e1[1/2]-x-3(e2[1/2]-x-2)",
            3: "e1[1/2])(e2[2/2]-x-2",
            5: "(e1[2/2]-x-3)e2[2/2])",
            7: "(e1-x-1)",
            8: "(e2-x-1)",
        },
    }
    texts = []
    for side in cells.values():
        sentences: list[dict[int, str]] = [{}] * before + [side]
        lines = ["# newdoc id = d", "# global.Entity = eid-etype-head"]
        for number, own in enumerate(sentences, 1):
            lines.append(f"# sent_id = s{number}")
            for word in range(1, 9):
                misc = f"Entity={own[word]}" if word in own else "_"
                lines.append(f"{word}\tw{word}\t_\t_\t_\t_\t{word - 1}\t_\t_\t{misc}")
            lines.append("")
        texts.append("\n".join([*lines, ""]))
    return texts[0], texts[1]


def _run(code: str, checkout: str, lines: list[str]) -> list[Any]:
    text = "".join(f"{line}\n" for line in lines)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=checkout, input=text, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def record_corefud(checkouts: dict[str, str]) -> None:
    """Write the pairs, the figures of each version, and what it prints."""
    (EARLY / "stdout").mkdir(parents=True, exist_ok=True)
    pairs = {f"t{before}": tie(before) for before in range(4)}
    for seed in SEEDS:
        rng = random.Random(seed)
        features: dict[str, Any] = {name: rng.random() < 0.3 for name in FEATURES}
        pairs[f"f{seed}"] = random_pair(rng, same_empty=seed % 11 > 0, **features)
    for name, (key, response) in pairs.items():
        (EARLY / f"{name}.key.conllu").write_text(key, encoding="utf-8")
        (EARLY / f"{name}.sys.conllu").write_text(response, encoding="utf-8")
    lines = [f"{EARLY / name}.key.conllu {EARLY / name}.sys.conllu" for name in pairs]
    expected = {
        version: dict(zip(pairs, _run(FIGURES, checkout, lines), strict=True))
        for version, checkout in checkouts.items()
    }
    (EARLY / "expected.json").write_text(json.dumps(expected, separators=(",", ":")) + "\n", encoding="utf-8")
    for number, (version, name, options) in enumerate(COMMANDS):
        program = Path(checkouts[version]).resolve() / "corefud-scorer.py"
        arguments = [*options.split(), f"{name}.key.conllu", f"{name}.sys.conllu"]
        done = subprocess.run(
            [sys.executable, str(program), *arguments], cwd=EARLY, capture_output=True, text=True, check=True
        )
        text = f"corefud-scorer --version {version} {' '.join(arguments)}\n{done.stdout}"
        (EARLY / "stdout" / f"{number}.txt").write_text(text, encoding="utf-8")


def record_ua(checkout: str) -> None:
    """Write what the program prints for each pair, under each of the options."""
    folder = GOLDEN / "ua"
    names = sorted(str(path.relative_to(folder)).partition(".key.")[0] for path in folder.rglob("*.key.conllua"))
    rng = random.Random(0)
    cases = [(name, options) for name in names for options in rng.sample(UA_OPTIONS, 4)]
    lines = [
        json.dumps([*options.split(), *(str(folder / f"{name}.{side}.conllua") for side in ("key", "response"))])
        for name, options in cases
    ]
    expected: dict[str, dict[str, Any]] = {name: {} for name in names}
    for (name, options), found in zip(cases, _run(PRINTED, checkout, lines), strict=True):
        expected[name][options] = found
    (folder / "ua-2.0.json").write_text(json.dumps(expected, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1] == "ua":
        record_ua(sys.argv[2])
    else:
        record_corefud(dict(argument.split("=", 1) for argument in sys.argv[2:]))
