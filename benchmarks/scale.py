"""Clusterings that an engine counts: goals are ratios of CPU time, and memory and disk that were promised."""

from __future__ import annotations

import sys
from typing import Any

from .catalogue import Benchmark, Case
from .measure import Command
from .peers import peer

GROUP = "scale"
"""All of them but the largest run under this name. Cases of the same name are the same run."""
TOLERATED = 1.15
KERNEL = 400  # megabytes that Python may take besides the engine
ONCE: dict[str, Any] = {"inner": True, "runs": 1}


def _work(name: str, *arguments: str) -> Command:
    return (sys.executable, "-m", "benchmarks.scale_work", name, *arguments)


def _case(name: str, data: str, memory: int = 0, work: str = "tables", **further: Any) -> Case:
    """A clustering that is scored, with so many megabytes for the engine if they are limited."""
    goal = TOLERATED * memory + KERNEL if memory else 0.0
    command = _work(work, f"{{data}}/{data}", *([f"{memory}MB"] if memory else []))
    return Case(name, command, megabytes=goal, patience=7200.0, **ONCE, **further)


SCALE = {
    benchmark.name: benchmark
    for benchmark in (
        Benchmark(
            "scale-labels",
            "10M mentions, all metrics: DuckDB joins and counts; score_labels has the labels joined already",
            (
                Case("10M, score_labels", _work("joined", "{data}/clusters-10m"), **ONCE),
                _case("10M", "clusters-10m", times_first=2.5),
            ),
            data=("clusters-10m", "joined-10m"),
            growth=True,
            by_name=True,
        ),
        Benchmark(
            "scale-text",
            "10M mentions whose ids are texts of 20 characters, against numbers",
            (_case("10M", "clusters-10m"), _case("10M, ids are texts", "texts-10m", times_first=3.0)),
            data=("clusters-10m", "texts-10m"),
            growth=True,
            by_name=True,
        ),
        Benchmark(
            "scale-growth",
            "ten times the mentions, with four, with ten times and with the same memory",
            (
                _case("1M, 250 MB", "clusters-1m", 250),
                _case("10M, 1 GB", "clusters-10m", 1000, times_first=15.0),
                _case("10M, 2.5 GB", "clusters-10m", 2500, times_first=11.0),
            ),
            data=("clusters-1m", "clusters-10m"),
            growth=True,
            by_name=True,
        ),
        Benchmark(
            "scale-bounds",
            "10M mentions with little memory: what is promised of memory and disk",
            (
                _case("10M, 1 GB", "clusters-10m", 1000),
                _case("10M, 250 MB", "clusters-10m", 250),
                _case("10M, 100 MB", "clusters-10m", 100),
                _case("10M, ids are texts, 1 GB", "texts-10m", 1000),
                _case("10M, ids are texts, 250 MB", "texts-10m", 250),
                _case("10M, ids are texts, 100 MB: refused", "texts-10m", 100, work="refused"),
                _case("10M in 5M documents, 1 GB", "pairs-10m", 1000),
                _case("10M in 5M documents, 250 MB", "pairs-10m", 250),
            ),
            data=("clusters-10m", "texts-10m", "pairs-10m"),
            by_name=True,
        ),
        Benchmark(
            "scale-documents",
            "10M mentions in 50,000 documents, scores of each, against one document",
            (
                _case("10M", "clusters-10m"),
                _case("10M in 50,000 documents", "documents-10m", work="documents", times_first=2.0),
            ),
            data=("clusters-10m", "documents-10m"),
            growth=True,
            by_name=True,
        ),
        Benchmark(
            "scale-peeling",
            "1M mentions, 30 % of them moved: cells that come home to be assigned, and how many hang together",
            (_case("1M, 30 % moved", "noisy-1m", work="peeling"),),
            data=("noisy-1m",),
            by_name=True,
        ),
        Benchmark(
            "scale-random",
            "10M mentions, labels at random: CEAF between bounds at most 1 % apart, and everything else",
            (
                _case("10M at random, no CEAF", "random-10m", work="without_ceaf"),
                _case("10M at random, with CEAF", "random-10m", work="with_bounds", times_first=4.0),
            ),
            data=("random-10m",),
            growth=True,
            by_name=True,
        ),
        Benchmark(
            "scale-peers",
            "1M mentions: all our metrics; six figures of er-evaluation, three of scikit-learn on joined labels",
            (
                _case("1M", "clusters-1m"),
                peer("1M", "PEER_ER_EVALUATION", _work("er_evaluation", "{data}/clusters-1m")[1:], 5.0, **ONCE),
                peer("1M", "PEER_SCIKIT_LEARN", _work("scikit_learn", "{data}/clusters-1m")[1:], **ONCE),
            ),
            data=("clusters-1m", "joined-1m"),
            by_name=True,
        ),
        Benchmark(
            "scale-100m",
            "100M mentions with 4 GB and with 1.6 GB, against 10M with 1 GB: an hour, and 20 GB of disk",
            (
                _case("10M, 1 GB", "clusters-10m", 1000),
                _case("100M, 4 GB", "clusters-100m", 4000, times_first=15.0),
                _case("100M, 1.6 GB", "clusters-100m", 1600),
            ),
            data=("clusters-10m", "clusters-100m"),
            growth=True,
            by_name=True,
        ),
    )
}
LARGEST = "scale-100m"
