"""``Scorer.add`` beside coval, on the same documents: ``PEER_COVAL=DIRECTORY python -m benchmarks.beside_coval``.

``PEER_COVAL`` is a checkout of coval, ``PEER_PYTHON`` a Python that has what it needs (this one by default). Both run
in turns, each time in a process of its own; the ratio is that of the medians of their CPU time per document. Six
metrics each: coval has mention detection where ours has BLANC.
"""

from __future__ import annotations

import os
import sys
from random import Random
from statistics import median
from time import process_time

from .measure import run
from .workloads import _pair, scorer

TURNS = 7
SIZES = {"40": "1000", "260": "100"}
"""Mentions of a document, and how many documents."""


def coval(documents: str, mentions: str) -> float:
    """Seconds per document of coval's evaluators, from clusters to sums."""
    from coval.eval import evaluator  # type: ignore[import-not-found]

    random = Random(40)
    pairs = [_pair(random, int(mentions), 0.49) for _ in range(int(documents))]
    names = ("mentions", "muc", "b_cubed", "ceafe", "ceafm", "lea")
    started = process_time()
    evaluators = [evaluator.Evaluator(getattr(evaluator, name)) for name in names]
    for key, response in pairs:
        owners = [{m: i for i, cluster in enumerate(side) for m in cluster} for side in (key, response)]
        of_key = {mention: owners[1][mention] for mention in owners[0] if mention in owners[1]}
        of_response = {mention: owners[0][mention] for mention in owners[1] if mention in owners[0]}
        for each in evaluators:
            each.update((key, response, of_key, of_response))
    return (process_time() - started) / len(pairs)


SIDES = {"corefscope": scorer, "coval": coval}


def main() -> int:
    """Measure in turns, and print both and the ratio."""
    if "PEER_COVAL" not in os.environ:
        print("PEER_COVAL must name a checkout of coval", file=sys.stderr)
        return 2
    paths = [os.environ["PEER_COVAL"], *filter(None, [os.environ.get("PYTHONPATH")])]
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONHASHSEED": "0"}
    pythons = {"corefscope": sys.executable, "coval": os.environ.get("PEER_PYTHON", sys.executable)}
    for mentions, documents in SIZES.items():
        took: dict[str, list[float]] = {side: [] for side in SIDES}
        for _ in range(TURNS):
            for side, python in pythons.items():
                outcome = run((python, "-m", "benchmarks.beside_coval", side, documents, mentions), variables)
                if outcome.fault:
                    print(f"{side}: {outcome.fault}", file=sys.stderr)
                    return 1
                took[side].append(float(outcome.printed) * 1e6)
        ours, theirs = (median(took[side]) for side in SIDES)
        print(f"{mentions} mentions: corefscope {ours:.0f} µs, coval {theirs:.0f} µs, {theirs / ours:.1f} times")
    return 0


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(SIDES[sys.argv[1]](*sys.argv[2:]))
    else:
        sys.exit(main())
