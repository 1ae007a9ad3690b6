"""Random pairs against the independent oracle: ``make fuzz-pairs SEED=0 PAIRS=2000``.

Every pair is scored under all options by corefscope and by the naive twin of the official scorer; both must give the
same figures or both refuse. Prints the seeds of pairs that differ.
"""

from __future__ import annotations

import itertools
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

import corefscope
from oracles.generate import random_pair
from oracles.official import score_files

FEATURES = ("late_header", "shared_eids", "merged_documents", "duplicates", "two_heads", "empty_deps")
OPTIONS: list[dict[str, Any]] = [
    {"match": match, "zeros": zeros, "singletons": singletons}
    for match, zeros, singletons in itertools.product(
        ("head", "exact", "partial"), ("dependent", "linear"), ("drop", "keep")
    )
]


def differences(seed: int, key: Path, response: Path) -> list[str]:
    """What differs between the two scorers on the pair that a seed makes."""
    rng = random.Random(seed)
    features: dict[str, Any] = {name: rng.random() < 0.25 for name in FEATURES}
    size = "medium" if rng.random() < 0.1 else "small"
    for path, text in zip((key, response), random_pair(rng, size, **features), strict=True):
        path.write_text(text, encoding="utf-8")
    found = []
    for options in OPTIONS:
        report, expected = corefscope.score(key, response, **options), score_files(key, response, **options)
        for name, value in expected.items():
            wanted = (value,) if isinstance(value, float) else value
            if any(abs(a - b) > 1e-9 for a, b in zip(report[name], wanted, strict=True)):
                found.append(f"seed {seed}, {options}, {name}: {tuple(report[name])}, oracle {wanted}")
    return found


def main(arguments: list[str]) -> int:
    """Compare as many pairs as asked for."""
    first, pairs = int(arguments[0]), int(arguments[1])
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        key, response = Path(folder) / "key.conllu", Path(folder) / "response.conllu"
        for seed in range(first, first + pairs):
            found = differences(seed, key, response)
            count += bool(found)
            print(*found[:3], sep="\n", end="\n" if found else "")
            if sys.stderr.isatty():
                print(f"\r{seed - first + 1} of {pairs} pairs, {count} differ", end="", file=sys.stderr)
    print(f"{pairs - count} pairs agree, {count} differ")
    return bool(count)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
