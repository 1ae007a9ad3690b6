"""Figures of corefscope beside those of other programs on the same pairs: docs/exactness.md.

::

    PYTHONPATH=src:tests/support python -m benchmarks.exactness CLONES --conformance DIR --python PYTHON

CLONES has the clones that ``checkouts.py`` lists, PYTHON the packages docopt, numpy, scipy, tqdm and udapi. Pairs are
the golden ones, those of DIR (all golden ones and more), and random ones that the generators of the tests make.
Programs in Python run in one process each, and their figures are taken before they are rounded; those of scorer.pl
are the fractions that it prints. Writes docs/exactness.json and docs/exactness.md.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import corefscope
from oracles.generate import random_pair, random_ua_pair
from places import GOLDEN

from .checkouts import CHECKOUTS, export

DOCS = Path(__file__).resolve().parents[1] / "docs"
FIRST_SEED = 100_000  # other random pairs than those of the tests
FEATURES = ("late_header", "shared_eids", "merged_documents", "duplicates", "two_heads", "empty_deps")
EXACT = 1e-9
OTHER_SEEDS = range(1, 17)
"""Of Python's and Perl's hashes, for programs whose figures depend on the order of sets."""
IDENTITY = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea")
OFFICIAL = (*IDENTITY, "mor", "zero")
CONLL = ("muc", "bcub", "ceafe", "lea")
PERL = ("muc", "bcub", "ceafm", "ceafe", "blanc")

PROGRAM = """
import contextlib, importlib, io, json, logging, runpy, signal, sys
logging.disable(logging.CRITICAL)
package, script = sys.argv[1:]
evaluator = importlib.import_module(package + ".eval.evaluator")
evaluate, figures = evaluator.evaluate_documents, []

def recorded(*arguments, **options):
    result = evaluate(*arguments, **options)
    figures.append([float(figure) for figure in result])
    return result

def stop(*_):
    raise RecursionError("does not end")

evaluator.evaluate_documents = recorded
signal.signal(signal.SIGALRM, stop)
for line in sys.stdin:
    figures.clear()
    sys.argv = [script, *json.loads(line)]
    stopped = False
    signal.alarm(10)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            two = package == "scorer" and script == "ua-scorer.py"  # its main function does not score
            names = runpy.run_path(script, run_name="program" if two else "__main__")
            if two:
                chosen = names["parse_arguments"]()
                names["process_arguments"](chosen)
                names["evaluate"](chosen)
    except BaseException:
        stopped = True
    signal.alarm(0)
    print(json.dumps(None if stopped else figures), flush=True)
"""
SCORCH = """
import json, sys
from scorch import scores
metrics = (scores.muc, scores.b_cubed, scores.ceaf_e, scores.ceaf_m)
for line in sys.stdin:
    key, response = ([set(map(tuple, cluster)) for cluster in side] for side in json.loads(line))
    try:
        print(json.dumps([[float(figure) for figure in metric(key, response)] for metric in metrics]), flush=True)
    except ZeroDivisionError:
        print("null", flush=True)
"""

Figures = list[tuple[float, float, float]]
Pair = tuple[Path, Path]


class Setting(NamedTuple):
    """Options of another program, and those of corefscope that mean the same."""

    words: Sequence[str]
    options: dict[str, Any]
    metrics: tuple[str, ...]


class Comparison(NamedTuple):
    """A program, what it is run on and how, and what gives its figures."""

    program: str
    checkout: str
    kind: str  # of the pairs: corefud, conll, distinct (no span of a side is annotated twice), ua
    settings: list[Setting]
    run: Callable[..., Iterator[Figures | None]]
    varied: str
    """What the settings vary, for the page."""


# ---- pairs


def make_pairs(folder: Path, conformance: Path | None, count: int) -> dict[str, dict[str, list[Pair]]]:
    """Pairs by kind and source."""
    kept = [GOLDEN, *([conformance] if conformance else [])]
    stored = {
        "corefud": [*_stored(kept, "corefud", "conllu"), *_stored(kept, "corefud-duplicates", "conllu")],
        "conll": _stored(kept, "conll", "conll"),
        "ua": _stored(kept, "ua", "conllua"),
    }
    # The format of versions before 1.2 has the same empty nodes on both sides; a third of the pairs is like that.
    stored["corefud"] += _stored([GOLDEN], "corefud-early", "conllu")
    drawn: dict[str, list[Pair]] = {"corefud": [], "conll": [], "ua": []}
    for seed in range(FIRST_SEED, FIRST_SEED + count):
        rng = random.Random(seed)
        features: dict[str, Any] = {name: rng.random() < 0.25 for name in FEATURES}
        texts = random_pair(rng, same_empty=seed % 3 == 0, **features)
        drawn["corefud"].append(_write(folder, f"c{seed}", "conllu", texts))
        drawn["ua"].append(_write(folder, f"u{seed}", "conllua", tuple(side.text for side in random_ua_pair(rng))))
        plain = _write(folder, f"p{seed}", "conllu", random_pair(rng, duplicates=False))
        pair = (folder / f"p{seed}.key.conll", folder / f"p{seed}.response.conll")
        for source, target in zip(plain, pair, strict=True):
            corefscope.convert(source, target, to="conll", lossy=True)
        drawn["conll"].append(pair)
    pairs = {kind: {"stored": stored[kind], "random": drawn[kind]} for kind in stored}
    return {**pairs, "distinct": {source: list(filter(_distinct, found)) for source, found in pairs["conll"].items()}}


def _distinct(pair: Pair) -> bool:
    for document in (document for path in pair for document in corefscope.read_documents(path)):
        spans = [span(mention) for entity in document.entities for mention in entity]
        if len(set(spans)) < len(spans):
            return False
    return True


def span(mention: corefscope.Mention) -> tuple[int, int]:
    """The first and the last word."""
    return mention.first, mention.last


def _stored(folders: Sequence[Path], name: str, suffix: str) -> list[Pair]:
    """The pairs of some directories; what several of them have counts once."""
    found: dict[str, Pair] = {}
    for folder in folders:
        for key in sorted((folder / name).glob(f"*.key.{suffix}")):
            for side in ("response", "sys"):
                response = key.with_name(key.name.replace(".key.", f".{side}."))
                if response.exists():
                    found[str(key.relative_to(folder))] = (key, response)
    return list(found.values())


def _write(folder: Path, name: str, suffix: str, texts: Sequence[str]) -> Pair:
    key, response = (folder / f"{name}.{side}.{suffix}" for side in ("key", "response"))
    for path, text in zip((key, response), texts, strict=True):
        path.write_text(text, encoding="utf-8")
    return key, response


# ---- programs


def _lines(command: Sequence[str], where: Path, lines: list[str], seed: int) -> Iterator[Figures | None]:
    environment = {**os.environ, "PYTHONPATH": str(where), "PYTHONHASHSEED": str(seed)}
    text = "".join(f"{line}\n" for line in lines)
    done = subprocess.run(command, cwd=where, env=environment, input=text, capture_output=True, text=True, check=True)
    yield from map(json.loads, done.stdout.splitlines())


def run_script(
    where: Path, python: str, package: str, script: str, cases: list[tuple[Pair, Setting]], seed: int = 0
) -> Iterator[Figures | None]:
    """A script of the family of coval; files come first."""
    lines = [json.dumps([*map(str, pair), *setting.words]) for pair, setting in cases]
    yield from _lines((python, "-c", PROGRAM, package, script), where, lines, seed)


def run_scorch(
    where: Path, python: str, cases: list[tuple[Pair, Setting]], seed: int = 0
) -> Iterator[Figures | None]:
    """The functions of scorch, on the first document of each pair."""
    lines = [json.dumps(first_document(pair)) for pair, _ in cases]
    yield from _lines((python, "-c", SCORCH), where, lines, seed)


def first_document(pair: Pair) -> list[list[list[tuple[int, int]]]]:
    """The clusters of the first document; as scorch has it, the key has all mentions of the response."""
    sides = []
    for path in pair:
        document = next(iter(corefscope.read_documents(path)))
        sides.append([list(map(span, entity)) for entity in document.entities])
    key, response = sides
    known = {mention for cluster in key for mention in cluster}
    extra = {mention for cluster in response for mention in cluster} - known
    return [[*key, *([mention] for mention in sorted(extra))], response]


def run_perl(where: Path, cases: list[tuple[Pair, Setting]], seed: int = 0) -> Iterator[Figures | None]:
    """The fractions that scorer.pl prints; BLANC is the mean of its two kinds of links."""
    environment = {**os.environ, "PERL_HASH_SEED": str(seed)}
    for pair, _ in cases:
        command = ("perl", "scorer.pl", "all", *map(str, pair), "none")
        done = subprocess.run(command, cwd=where, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            yield None
            continue
        fraction = r"\((\S+) / (\S+)\)"
        parts = re.findall(rf"(\S*oreference(?: links)?): Recall: {fraction}.*Precision: {fraction}", done.stdout)
        ratios = [_ratios(*map(float, part[1:])) for part in parts]
        plain, links = (
            ratios[:4],
            [ratio for ratio, part in zip(ratios[4:], parts[4:], strict=True) if float(part[2])],
        )
        blanc = [sum(column) / len(links) for column in zip(*links, strict=True)] if links else [0.0, 0.0, 0.0]
        yield [*plain, (blanc[0], blanc[1], blanc[2])]


def _ratios(found: float, key: float, same: float, response: float) -> tuple[float, float, float]:
    recall, precision = found / key if key else 0.0, same / response if response else 0.0
    return recall, precision, 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def comparisons(clones: Path, folder: Path, python: str) -> list[Comparison]:
    """All of them."""
    sides = list(product(("drop", "keep"), ("exact", "partial", "head"), ("dependent", "linear")))
    kept = {"drop": [], "keep": ["-s"]}
    newest, second, oldest, ua_2, ua_1 = [], [], [], [], []
    for singletons, match, zeros in sides:
        options = {"singletons": singletons, "match": match}
        words = [*kept[singletons], "-m", *OFFICIAL]
        newest.append(
            Setting(["-a", match, "-z", zeros, *words], {"rules": "corefud-1.2", "zeros": zeros, **options}, OFFICIAL)
        )
        if zeros == "linear":
            second.append(Setting(["-a", match, *words], {"rules": "corefud-1.1", **options}, OFFICIAL))
        if zeros == "linear" and match != "head":
            exact = ["-x"] if match == "exact" else []
            words = [*kept[singletons], "-m", *IDENTITY]
            oldest.append(Setting([*exact, *words], {"rules": "corefud-1.0", **options}, IDENTITY))
            least = ["-a", "partial-corefud"] if match == "partial" else []
            split = ["-l"] if singletons == "keep" else []
            ua_2.append(Setting(["-z", *least, *split, *words], {"rules": "ua-2.0", **options}, IDENTITY))
    for words, metrics, options in (
        ([], IDENTITY, {"match": "exact"}),
        (["MIN"], IDENTITY, {"match": "partial"}),
        (["evaluate_discourse_deixis"], tuple(f"deixis_{name}" for name in IDENTITY), {"match": "exact"}),
    ):
        # The program scores in an order of its own.
        order = tuple(sorted(metrics, key=lambda name: UA_ORDER.index(name.removeprefix("deixis_"))))
        ua_1.append(Setting(words, {"rules": "ua-1.0", "singletons": "keep", **options}, order))
    coval = [
        Setting(words, {"rules": "corefud-1.2", "match": "exact", "singletons": singletons}, CONLL)
        for singletons, words in (("keep", list(CONLL)), ("drop", [*CONLL, "remove_singletons"]))
    ]
    perl = [Setting([], {"rules": "conll-8.01", "match": "exact", "singletons": "keep"}, PERL)]
    scorch = [Setting([], {"rules": "corefud-1.2", "singletons": "keep"}, ("muc", "bcub", "ceafe", "ceafm"))]

    def script(checkout: str, package: str, name: str) -> Callable[..., Iterator[Figures | None]]:
        return partial(run_script, export(checkout, clones, folder), python, package, name)

    return [
        Comparison(
            "CorefUD scorer 1.2",
            "corefud-1.2",
            "corefud",
            newest,
            script("corefud-1.2", "scorer", "corefud-scorer.py"),
            "match, zeros, singletons",
        ),
        Comparison(
            "CorefUD scorer 1.1",
            "corefud-1.1",
            "corefud",
            second,
            script("corefud-1.1", "coval", "corefud-scorer.py"),
            "match, singletons",
        ),
        Comparison(
            "CorefUD scorer 1.0",
            "corefud-1.0",
            "corefud",
            oldest,
            script("corefud-1.0", "coval", "corefud-scorer.py"),
            "match, singletons",
        ),
        Comparison(
            "scorer.pl 8.01",
            "scorer.pl",
            "conll",
            perl,
            partial(run_perl, export("scorer.pl", clones, folder)),
            "–",
        ),
        Comparison("coval", "coval", "distinct", coval, script("coval", "coval", "scorer.py"), "singletons"),
        Comparison(
            "UA scorer 1.0",
            "ua-1.0",
            "ua",
            ua_1,
            script("ua-1.0", "coval", "ua-scorer.py"),
            "`MIN`, discourse deixis",
        ),
        Comparison(
            "UA scorer 2.0",
            "corefud-1.2",
            "ua",
            ua_2,
            script("corefud-1.2", "scorer", "ua-scorer.py"),
            "match, singletons",
        ),
        Comparison(
            "scorch",
            "scorch",
            "distinct",
            scorch,
            partial(run_scorch, export("scorch", clones, folder), python),
            "–",
        ),
    ]


UA_ORDER = ("lea", "muc", "bcub", "ceafe", "ceafm", "blanc")


def our_figures(comparison: Comparison, pair: Pair, setting: Setting) -> Figures | None:
    """The figures of corefscope; None if it refuses the pair."""
    options: dict[str, Any] = {**setting.options, "metrics": list(setting.metrics)}
    try:
        if comparison.program == "scorch":
            key, response = first_document(pair)
            report = corefscope.score_clusters(key, response, **options)
        else:
            report = corefscope.score(*pair, **options)
    except corefscope.CorefscopeError as error:
        print(f"{comparison.program}: {pair[0].name} is refused: {error}", file=sys.stderr)
        return None
    return [_three(report[name]) for name in setting.metrics]


def _three(score: Any) -> tuple[float, float, float]:
    recall, precision, f1 = map(float, score)
    return recall, precision, f1


def _same(ours: Figures, theirs: Figures) -> bool:
    pairs = ((a, b) for own, other in zip(ours, theirs, strict=True) for a, b in zip(own, other, strict=True))
    return all(abs(a - b) <= EXACT for a, b in pairs)


def compare(comparison: Comparison, pairs: dict[str, list[Pair]]) -> dict[str, Any]:
    """How many figures were compared, and how many are the same."""
    cases = [(pair, setting) for source in pairs.values() for pair in source for setting in comparison.settings]
    counts = {"scores": 0, "figures": 0, "equal": 0, "stopped": 0, "refused": 0, "unstable": 0}
    largest = 0.0
    for (pair, setting), theirs in zip(cases, comparison.run(cases), strict=True):
        if theirs is None:
            counts["stopped"] += 1
            continue
        ours = our_figures(comparison, pair, setting)
        if ours is None:
            counts["refused"] += 1
            continue
        if not _same(ours, theirs):
            case = [(pair, setting)]
            runs = [theirs, *(figures for seed in OTHER_SEEDS for figures in comparison.run(case, seed))]
            if any(figures != theirs for figures in runs) and any(
                figures and _same(ours, figures) for figures in runs
            ):
                counts["unstable"] += 1
                continue
        counts["scores"] += 1
        for name, own, other in zip(setting.metrics, ours, theirs, strict=True):
            differences = [abs(a - b) for a, b in zip(own, other, strict=True)]
            counts["figures"] += len(differences)
            counts["equal"] += sum(difference <= EXACT for difference in differences)
            largest = max(largest, *differences)
            if max(differences) > EXACT:
                print(f"{comparison.program}: {pair[0].name} {setting.words} {name}: {own}, there {other}")
    repository, commit, _ = CHECKOUTS[comparison.checkout]
    return {
        "program": comparison.program,
        "kind": comparison.kind,
        "repository": repository,
        "commit": commit,
        "varied": comparison.varied,
        "settings": len(comparison.settings),
        "metrics": len(comparison.settings[0].metrics),
        "pairs": {source: len(members) for source, members in pairs.items()},
        **counts,
        "largest": largest,
    }


# ---- the page

BEFORE = """\
# How exact is it?

Recall, precision and F1 of every metric, from `corefscope.score` and from the other program, run on the same files.
Figures of the programs in Python are taken before they are rounded; those of `scorer.pl` are the fractions that it
prints. *Equal* is equal within 1e-9, which leaves room for the order of additions only.
"""
AFTER = """\

- **Pairs**: synthetic, with nested, crossing and discontinuous mentions, zeros, singletons, repeated spans, split
  antecedents; {stored} stored ones and {random} drawn for this page, with other seeds than the tests use. coval and
  scorch get those where no span is annotated twice, and scorch the first document, with the mentions of the response
  added to the key, as its command does. Real outputs are in the [study](study.md).
- **Not compared**: scores at which the other program stops (versions 1.0 and 1.1 refuse pairs whose empty nodes
  differ), that `corefscope` refuses with a message, or that the program itself gives differently from run to run:
  [all cases](rules.md#what-agrees-and-what-does-not).
- **Elsewhere**: the tests compare what the drop-in commands print, byte for byte, with recorded output; figures that
  papers print; and every metric with an independent implementation (`make fuzz-pairs`).

The script that compares writes this page, here with version {version}; commits are in `benchmarks/checkouts.py`:

```sh
PYTHONPATH=src:tests/support python -m benchmarks.exactness CLONES --python PYTHON
```
"""


def page(found: dict[str, Any]) -> str:
    """The text of docs/exactness.md."""
    lines = [
        "| program | varied | metrics | pairs | figures | equal | largest difference | not compared |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    rows = found["programs"]
    for row in rows:
        where = f"https://github.com/{row['repository']}/tree/{row['commit']}"
        largest = f"{row['largest']:.0e}" if row["largest"] else "0"
        left_out = row["stopped"] + row["refused"] + row["unstable"]
        lines.append(
            f"| [{row['program']}]({where}) | {row['varied']} | {row['metrics']} | {sum(row['pairs'].values())}"
            f" | {row['figures']:,} | {row['equal']:,} | {largest} | {left_out:,} |"
        )
    figures, equal = (sum(row[name] for row in rows) for name in ("figures", "equal"))
    lines.append(f"| **all** | | | | **{figures:,}** | **{equal:,}** | | |")
    kinds = [pairs for kind, pairs in {row["kind"]: row["pairs"] for row in rows}.items() if kind != "distinct"]
    stored, drawn = (sum(pairs[source] for pairs in kinds) for source in ("stored", "random"))
    after = AFTER.format(stored=stored, random=drawn, version=found["version"])
    return f"{BEFORE}\n{chr(10).join(lines)}\n{after}"


def main() -> int:
    """Compare and write; the exit code is 1 if a figure differs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.exactness", description=__doc__.partition("\n")[0])
    parser.add_argument("clones", type=Path, help="directory with the clones that checkouts.py lists")
    parser.add_argument("--conformance", type=Path, help="directory with further pairs (default: golden ones only)")
    parser.add_argument("--python", default=sys.executable, help="Python of the programs (default: this one)")
    parser.add_argument("--pairs", type=int, default=40, help="random pairs of each kind (default 40)")
    parser.add_argument("--only", default="", help="the beginning of the programs to compare with again")
    given = parser.parse_args()
    python = str(Path(given.python).absolute())
    kept = DOCS / "exactness.json"
    known = json.loads(kept.read_text(encoding="utf-8"))["programs"] if given.only and kept.exists() else []
    rows = {row["program"]: row for row in known}
    with TemporaryDirectory() as name:
        folder = Path(name)
        pairs = make_pairs(folder, given.conformance, given.pairs)
        all_of_them = comparisons(given.clones.resolve(), folder, python)
        for comparison in all_of_them:
            if comparison.program.startswith(given.only):
                row = rows[comparison.program] = compare(comparison, pairs[comparison.kind])
                print(f"{comparison.program}: {row['equal']} of {row['figures']} figures are equal", flush=True)
    names = [comparison.program for comparison in all_of_them]
    found = {"version": corefscope.__version__, "programs": [rows[name] for name in names if name in rows]}
    kept.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    kept.with_suffix(".md").write_text(page(found), encoding="utf-8")
    return int(any(row["equal"] < row["figures"] for row in found["programs"]))


if __name__ == "__main__":
    sys.exit(main())
