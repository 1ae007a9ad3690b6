"""Every figure of a version, kept to compare another version with, bit by bit.

``make freeze`` writes inputs and digests of their figures into ``.freeze``; ``make freeze-compare`` scores the same
inputs again and lists what differs. The inputs are all golden pairs and random pairs in CorefUD (with relations,
zeros and repeated mentions), CoNLL-UA, CoNLL and jsonlines, and printed text; each is scored by all metrics under
every rule set, matching, way with singletons and with zeros, and with some further options. Only the public interface
is used, so an older version takes part in it, too::

    PYTHONPATH=/path/to/older/src:tests/support python -m freeze write .freeze
    PYTHONPATH=src:tests/support python -m freeze compare .freeze
    PYTHONPATH=src:tests/support python -m freeze show .freeze corefud-17   # the figures themselves

A large run of other pairs, each under some settings drawn for it::

    python -m freeze write /tmp/large --seed 5000 --pairs 1000 --settings 8 --processes 1
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import random
import re
import shutil
import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import corefscope
from corefscope.core.choices import StyleName
from oracles.generate import random_pair, random_ua_pair
from places import GOLDEN

CHOICES = {
    "rules": ("corefud-1.2", "corrected", "conll-8.01", "ua-1.0"),
    "match": ("head", "exact", "partial"),
    "singletons": ("drop", "keep"),
    "zeros": ("dependent", "linear"),
}
SETTINGS = [dict(zip(CHOICES, chosen, strict=True)) for chosen in itertools.product(*CHOICES.values())]
SETTINGS += [
    {"documents": "merge"},
    {"documents": "merge", "rules": "corrected"},
    {"documents": "topic"},
    {"heads": "tree"},
    {"anaphors": "zeros"},
    {"anaphors": "pronouns"},
    {"baseline": "all"},
    {"baseline": "random"},
]
# Digests are in this order, so what is new comes last.
SETTINGS += [
    {"rules": rules, "match": match, "singletons": singletons}
    for rules in corefscope.RULES
    if rules not in CHOICES["rules"]
    for match, singletons in itertools.product(CHOICES["match"], CHOICES["singletons"])
]
FEATURES = ("late_header", "shared_eids", "merged_documents", "duplicates", "two_heads", "empty_deps")
STYLES = ("crac", "xml", "markdown", "colon", "seq2seq")
Figures = dict[str, list[str]]


def make_inputs(folder: Path, seeds: range) -> None:
    """Write the inputs: ``NAME.key.SUFFIX`` and ``NAME.response.SUFFIX``."""
    folder.mkdir(parents=True)
    for key in sorted(GOLDEN.rglob("*.key.*")):
        for side in ("response", "sys"):
            response = key.with_name(key.name.replace(".key.", f".{side}."))
            if response.exists():
                name = "-".join(key.relative_to(GOLDEN).parts)
                shutil.copy(key, folder / name)
                shutil.copy(response, folder / name.replace(".key.", ".response."))
    for seed in seeds:
        rng = random.Random(seed)
        features: dict[str, Any] = {name: rng.random() < 0.25 for name in FEATURES}
        texts = random_pair(rng, relations=rng.random() < 0.5, **features)
        _write(folder, f"corefud-{seed}", "conllu", texts)
        _write(folder, f"ua-{seed}", "conllua", tuple(side.text for side in random_ua_pair(rng)))
        style = rng.choice(STYLES)
        for kind, suffix in (("corefud", "conllu"), ("ua", "conllua")):
            key, response = (folder / f"{kind}-{seed}.{side}.{suffix}" for side in ("key", "response"))
            name = "printed" if kind == "corefud" else f"printed-{kind}"
            if _convert(response, folder / f"{name}-{seed}.response.txt", to="tagged", style=style):  # type: ignore[arg-type]
                shutil.copy(key, folder / f"{name}-{seed}.key.{suffix}")
        for to in ("conll", "jsonl"):
            for side in ("key", "response"):
                _convert(folder / f"corefud-{seed}.{side}.conllu", folder / f"{to}-{seed}.{side}.{to}", to=to)


def _convert(source: Path, target: Path, to: str, style: StyleName | None = None) -> bool:
    """Whether a file could be converted: there may be nothing to print."""
    try:
        corefscope.convert(source, target, to=to, style=style, lossy=True)
    except corefscope.CorefscopeError:
        return False
    return True


def _write(folder: Path, name: str, suffix: str, texts: tuple[str, ...]) -> None:
    for side, text in zip(("key", "response"), texts, strict=True):
        (folder / f"{name}.{side}.{suffix}").write_text(text, encoding="utf-8")


def figures(key: Path, settings: Mapping[str, Any], metrics: list[str]) -> Figures:
    """Every figure of a pair under some settings, as hexadecimal numbers; or why it is refused.

    Metrics that are refused for the formats of the pair are removed from the list, so that they are asked for once.
    """
    (response,) = key.parent.glob(key.name.partition(".key.")[0] + ".response.*")
    while True:
        try:
            report = corefscope.score(key, response, metrics=metrics, **settings)
        except corefscope.CorefscopeError as error:
            refused = re.search(r"leave (\w+) out", str(error))
            if refused is None:
                return {"refused": [type(error).__name__]}
            metrics.remove(refused[1])
        except Exception as error:  # an older version may fail where a later one does not: that is a difference
            return {"failed": [type(error).__name__]}
        else:
            asked = [name for name in metrics if name in report]  # a baseline is for some of them
            return {name: list(map(_exactly, (*report[name], *report.counts(name).values()))) for name in asked}


def _exactly(figure: object) -> str:
    return float(figure).hex() if isinstance(figure, float | int) else repr(figure)


def digest(key: Path, drawn: list[int], metrics: list[str]) -> list[str]:
    """A digest of the figures of a pair under each of the settings; "" where these are not drawn."""
    digests = [""] * len(SETTINGS)
    metrics = [name for name in metrics if name in corefscope.METRICS]
    for number in drawn:
        text = json.dumps(figures(key, SETTINGS[number], metrics), sort_keys=True)
        digests[number] = hashlib.sha256(text.encode()).hexdigest()[:16]
    return digests


def all_digests(drawn: Mapping[Path, list[int]], metrics: list[str], processes: int | None) -> dict[str, list[str]]:
    """Those of all pairs, by the names of their keys."""
    found = {}
    with ProcessPoolExecutor(processes) as pool:
        rows = pool.map(partial(digest, metrics=metrics), drawn.keys(), drawn.values(), chunksize=8)
        for key, digests in zip(drawn, rows, strict=True):
            found[key.name] = digests
            if sys.stderr.isatty():
                print(f"\r{len(found)} of {len(drawn)} pairs", end="", file=sys.stderr)
    return found


def main(arguments: list[str]) -> int:
    """Write, compare or show; the exit code is 1 if anything differs."""
    parser = argparse.ArgumentParser(prog="freeze", description=__doc__.partition("\n")[0])
    parser.add_argument("task", choices=("write", "compare", "show"))
    parser.add_argument("folder", type=Path, help="directory of the inputs and digests")
    parser.add_argument("pair", nargs="?", help="show: the pair whose figures to show, such as corefud-17")
    parser.add_argument("--pairs", type=int, default=1000, help="write: random pairs of each kind (default 1000)")
    parser.add_argument("--seed", type=int, default=0, help="write: seed of the first random pair (default 0)")
    parser.add_argument("--settings", type=int, default=len(SETTINGS), help="write: settings a pair (default: all)")
    parser.add_argument("--processes", type=int, help="number of processes (default: one per processor)")
    chosen = parser.parse_args(arguments)
    inputs, frozen = chosen.folder / "inputs", chosen.folder / "digests.json"
    if chosen.task == "write":
        if not inputs.exists():
            make_inputs(inputs, range(chosen.seed, chosen.seed + chosen.pairs))
        drawn = {
            key: random.Random(key.name).sample(range(len(SETTINGS)), min(chosen.settings, len(SETTINGS)))
            for key in sorted(inputs.glob("*.key.*"))
        }
        metrics = list(corefscope.METRICS)
        digests = all_digests(drawn, metrics, chosen.processes)
        frozen.write_text(json.dumps({"metrics": metrics, "digests": digests}, indent=0), encoding="utf-8")
        print(f"{len(drawn)} pairs, {sum(map(len, drawn.values()))} scores, {len(metrics)} metrics: {frozen}")
        return 0
    known = json.loads(frozen.read_text(encoding="utf-8"))
    if chosen.task == "show":
        for key in sorted(inputs.glob(f"{chosen.pair}.key.*")):
            metrics = [name for name in known["metrics"] if name in corefscope.METRICS]
            for settings in SETTINGS:
                print(json.dumps({**settings, **figures(key, settings, metrics)}))
        return 0
    drawn = {
        inputs / name: [number for number, before in enumerate(digests) if before]
        for name, digests in known["digests"].items()
    }
    digests = all_digests(drawn, known["metrics"], chosen.processes)
    different = [
        f"{key.name} {SETTINGS[number]}"
        for key, numbers in drawn.items()
        for number in numbers
        if digests[key.name][number] != known["digests"][key.name][number]
    ]
    print(*different, sep="\n")
    print(f"{len(drawn)} pairs, {sum(map(len, drawn.values()))} scores: {len(different)} differ")
    return bool(different)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
