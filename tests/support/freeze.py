"""Every figure of a version, kept to compare another version with, bit by bit.

``make freeze`` writes inputs and digests of their figures into ``.freeze``; ``make freeze-compare`` scores the same
inputs again and lists what differs. The inputs are all golden pairs and random pairs with relations, zeros, repeated
mentions, CoNLL-UA and printed text; each is scored by all metrics under every rule set, matching, way with singletons
and with zeros. Only the public interface is used, so an older version takes part in it, too::

    PYTHONPATH=/path/to/older/src:tests/support python -m freeze write .freeze
    PYTHONPATH=src:tests/support python -m freeze compare .freeze
    PYTHONPATH=src:tests/support python -m freeze show .freeze corefud-17   # the figures themselves
"""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import corefscope
from oracles.generate import random_pair, random_ua_pair
from places import GOLDEN

CHOICES = {
    "rules": ("corefud-1.2", "corrected", "conll-8.01", "ua-1.0"),
    "match": ("head", "exact", "partial"),
    "singletons": ("drop", "keep"),
    "zeros": ("dependent", "linear"),
}
SETTINGS = [dict(zip(CHOICES, chosen, strict=True)) for chosen in itertools.product(*CHOICES.values())]
FEATURES = ("late_header", "shared_eids", "merged_documents", "duplicates", "two_heads", "empty_deps")
STYLES = ("crac", "xml", "markdown", "colon", "seq2seq")
PAIRS = 1000
"""How many random pairs of each kind there are."""
Figures = dict[str, list[str]]


def make_inputs(folder: Path, pairs: int) -> None:
    """Write the inputs: ``NAME.key.SUFFIX`` and ``NAME.response.SUFFIX``."""
    folder.mkdir(parents=True)
    for key in sorted(GOLDEN.rglob("*.key.*")):
        for side in ("response", "sys"):
            response = key.with_name(key.name.replace(".key.", f".{side}."))
            if response.exists():
                name = "-".join(key.relative_to(GOLDEN).parts)
                shutil.copy(key, folder / name)
                shutil.copy(response, folder / name.replace(".key.", ".response."))
    for seed in range(pairs):
        rng = random.Random(seed)
        features: dict[str, Any] = {name: rng.random() < 0.25 for name in FEATURES}
        texts = random_pair(rng, relations=rng.random() < 0.5, **features)
        _write(folder, f"corefud-{seed}", "conllu", texts)
        _write(folder, f"ua-{seed}", "conllua", tuple(side.text for side in random_ua_pair(rng)))
        source, printed = folder / f"corefud-{seed}.response.conllu", folder / f"printed-{seed}.response.txt"
        try:
            corefscope.convert(source, printed, to="tagged", style=rng.choice(STYLES), lossy=True)
        except corefscope.CorefscopeError:
            continue  # nothing to print
        shutil.copy(folder / f"corefud-{seed}.key.conllu", folder / f"printed-{seed}.key.conllu")


def _write(folder: Path, name: str, suffix: str, texts: tuple[str, ...]) -> None:
    for side, text in zip(("key", "response"), texts, strict=True):
        (folder / f"{name}.{side}.{suffix}").write_text(text, encoding="utf-8")


def figures(key: Path, settings: Mapping[str, Any], metrics: list[str]) -> Figures:
    """Every figure of a pair under some settings, as hexadecimal numbers; or why it is refused."""
    (response,) = key.parent.glob(key.name.partition(".key.")[0] + ".response.*")
    asked = [name for name in metrics if name in corefscope.METRICS]
    try:
        report = corefscope.score(key, response, metrics=asked, **settings)
    except corefscope.CorefscopeError as error:
        refused = re.search(r"leave (\w+) out", str(error))
        if refused is None:
            return {"refused": [type(error).__name__]}
        return figures(key, settings, [name for name in asked if name != refused[1]])
    except Exception as error:  # an older version may fail where a later one does not: that is a difference
        return {"failed": [type(error).__name__]}
    return {name: list(map(_exactly, (*report[name], *report.counts(name).values()))) for name in asked}


def _exactly(figure: object) -> str:
    return float(figure).hex() if isinstance(figure, float | int) else repr(figure)


def digest(key: Path, metrics: list[str]) -> tuple[str, list[str]]:
    """The name of a pair, and a digest of its figures under each of the settings."""
    digests = []
    for settings in SETTINGS:
        text = json.dumps(figures(key, settings, metrics), sort_keys=True)
        digests.append(hashlib.sha256(text.encode()).hexdigest()[:16])
    return key.name, digests


def all_digests(folder: Path, metrics: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Those of all pairs."""
    keys = sorted(folder.glob("*.key.*"))
    with ProcessPoolExecutor() as pool:
        for number, row in enumerate(pool.map(partial(digest, metrics=metrics), keys, chunksize=8), 1):
            if sys.stderr.isatty():
                print(f"\r{number} of {len(keys)} pairs", end="", file=sys.stderr)
            yield row


def main(arguments: list[str]) -> int:
    """Write, compare or show; the exit code is 1 if anything differs."""
    task, folder = arguments[0], Path(arguments[1])
    inputs, frozen = folder / "inputs", folder / "digests.json"
    if task == "write":
        if not inputs.exists():
            make_inputs(inputs, int(arguments[2]) if len(arguments) > 2 else PAIRS)
        metrics = list(corefscope.METRICS)
        known = {"metrics": metrics, "digests": dict(all_digests(inputs, metrics))}
        frozen.write_text(json.dumps(known, indent=0), encoding="utf-8")
        print(f"{len(known['digests'])} pairs, {len(SETTINGS)} settings, {len(metrics)} metrics: {frozen}")
        return 0
    known = json.loads(frozen.read_text(encoding="utf-8"))
    if task == "show":
        for key in sorted(inputs.glob(f"{arguments[2]}.key.*")):
            for settings in SETTINGS:
                print(json.dumps({**settings, **figures(key, settings, known["metrics"])}))
        return 0
    different = [
        (name, SETTINGS[number])
        for name, digests in all_digests(inputs, known["metrics"])
        for number, digest_ in enumerate(digests)
        if digest_ != known["digests"].get(name, [""] * len(SETTINGS))[number]
    ]
    for name, settings in different[:50]:
        print(f"{name} {settings}")
    print(f"{len(known['digests'])} pairs, {len(SETTINGS)} settings: {len(different)} differ")
    return bool(different)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
