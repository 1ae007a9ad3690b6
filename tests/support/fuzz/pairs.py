"""Random pairs against the independent oracles: ``make fuzz-pairs SEED=0 PAIRS=2000``.

Every seed makes three pairs: a CorefUD pair, whose identity metrics are compared with those of the naive twin of the
official scorer, and a CorefUD and a CoNLL-UA pair with relations, whose counts are compared with those of
``oracles.relation_documents``. Each pair is scored under all options; both scorers must give the same figures. Prints
the seeds of pairs that differ.
"""

from __future__ import annotations

import itertools
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import corefscope
from oracles import relation_documents
from oracles.generate import random_pair, random_ua_pair
from oracles.official import score_files
from oracles.relation_documents import Counts, Layer, Options

FEATURES = ("late_header", "shared_eids", "merged_documents", "duplicates", "two_heads", "empty_deps")
OPTIONS: list[dict[str, Any]] = [
    {"match": match, "zeros": zeros, "singletons": singletons}
    for match, zeros, singletons in itertools.product(
        ("head", "exact", "partial"), ("dependent", "linear"), ("drop", "keep")
    )
]


def differences(seed: int, folder: Path) -> list[str]:
    """What differs from the official twin on the pair that a seed makes."""
    rng = random.Random(seed)
    features: dict[str, Any] = {name: rng.random() < 0.25 for name in FEATURES}
    size = "medium" if rng.random() < 0.1 else "small"
    key, response = _written(folder, "conllu", random_pair(rng, size, **features))
    found = []
    for options in OPTIONS:
        report, expected = corefscope.score(key, response, **options), score_files(key, response, **options)
        for name, value in expected.items():
            wanted = (value,) if isinstance(value, float) else value
            if any(abs(a - b) > 1e-9 for a, b in zip(report[name], wanted, strict=True)):
                found.append(f"seed {seed}, {options}, {name}: {tuple(report[name])}, oracle {wanted}")
    return found


def corefud_relation_differences(seed: int, folder: Path) -> list[str]:
    """Counts of relations that differ from the oracle on the CorefUD pair that a seed makes."""
    rng = random.Random(seed)
    features: dict[str, Any] = {name: rng.random() < 0.25 for name in ("duplicates", "two_heads", "empty_deps")}
    paths = _written(folder, "conllu", random_pair(rng, relations=True, **features))
    key, response = map(relation_documents.corefud_documents, paths)
    pairs = list(zip(key, response, strict=True))
    rules = ("corrected", "corefud-1.2")
    found: list[str] = []
    for options in [] if _takes_long(pairs) else _relation_options(rng, rules):
        expected = relation_documents.pooled(relation_documents.counts(*pair, options) for pair in pairs)
        del expected["non_referring"]  # the format has none
        found += _count_differences(seed, paths, options, expected)
    return found


def ua_relation_differences(seed: int, folder: Path) -> list[str]:
    """Counts of relations that differ from the oracle on the CoNLL-UA pair that a seed makes.

    A span that is annotated twice belongs to the last of its entities under ``corefud-1.2``. The order of entities is
    that of a CorefUD file, so such pairs are compared under ``corrected`` only. So is ``partial``: that program knows
    heads, and no ``Min`` of several words.
    """
    rng = random.Random(seed)
    repeated = rng.random() < 0.3
    sides = random_ua_pair(rng, two_heads=repeated)
    paths = _written(folder, "conllua", tuple(side.text for side in sides))
    identity, deixis = (
        list(zip(relation_documents.ua_documents(key), relation_documents.ua_documents(response), strict=True))
        for key, response in ([side.identity for side in sides], [side.deixis for side in sides])
    )
    rules = ("corrected",) if repeated else ("corrected", "corefud-1.2")
    found: list[str] = []
    for options in [] if _takes_long([*identity, *deixis]) else _relation_options(rng, rules):
        if (options.rules, options.match) == ("corefud-1.2", "partial"):
            continue
        expected = relation_documents.pooled(relation_documents.counts(*pair, options) for pair in identity)
        expected |= relation_documents.pooled(relation_documents.deixis_counts(*pair, options) for pair in deixis)
        found += _count_differences(seed, paths, options, expected)
    return found


def _relation_options(rng: random.Random, rules: tuple[str, ...]) -> Iterator[Options]:
    """All options that decide about relations; one way of matching zeros for each pair, to save time."""
    zeros = rng.choice(("dependent", "linear"))
    for rule_set, match, singletons in itertools.product(rules, ("head", "exact", "partial"), ("drop", "keep")):
        yield Options(rule_set, match, zeros, singletons)


def _takes_long(pairs: list[tuple[Layer, Layer]]) -> bool:
    return any(itertools.starmap(relation_documents.too_many_choices, pairs))


def _count_differences(seed: int, paths: tuple[Path, Path], options: Options, expected: Counts) -> Iterator[str]:
    report = corefscope.score(*paths, **vars(options), metrics=list(expected))
    for name, row in expected.items():
        counts = list(report.counts(name).values())
        if any(abs(a - b) > 1e-9 for a, b in zip(counts, row, strict=True)):
            yield f"seed {seed}, {options}, {name}: {counts}, oracle {list(map(float, row))}"


def _written(folder: Path, suffix: str, texts: tuple[str, ...]) -> tuple[Path, Path]:
    paths = folder / f"key.{suffix}", folder / f"response.{suffix}"
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


CHECKS: tuple[Callable[[int, Path], list[str]], ...] = (
    differences,
    corefud_relation_differences,
    ua_relation_differences,
)


def main(arguments: list[str]) -> int:
    """Compare as many pairs as asked for."""
    first, pairs = int(arguments[0]), int(arguments[1])
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + pairs):
            found = [difference for check in CHECKS for difference in check(seed, Path(folder))]
            count += bool(found)
            print(*found[:3], sep="\n", end="\n" if found else "")
            if sys.stderr.isatty():
                print(f"\r{seed - first + 1} of {pairs} seeds, {count} differ", end="", file=sys.stderr)
    print(f"{pairs - count} seeds agree, {count} differ")
    return bool(count)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
