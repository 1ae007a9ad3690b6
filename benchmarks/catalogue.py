"""The benchmarks: one row each, with the goals."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path
from typing import NamedTuple

from .measure import Command


class Case(NamedTuple):
    """A line of the table. Goals are seconds and megabytes (millions of bytes); 0 is none.

    ``{data}`` in the command is the directory of the data. If ``inner``, the command prints its own seconds.
    """

    name: str
    command: Command
    seconds: float = 0.0
    megabytes: float = 0.0
    runs: int = 5
    inner: bool = False
    minus: Command = ()  # what this takes is subtracted
    unit: str = "s"  # in which the seconds are shown: s, ms or µs
    note: str = ""


class Benchmark(NamedTuple):
    """One or several cases, and the data they need, in the order in which it is made.

    A benchmark with ``growth`` compares its cases with the first of them.
    """

    name: str
    title: str
    cases: tuple[Case, ...]
    data: tuple[str, ...] = ()
    growth: bool = False


def _command_line() -> Command:
    """The installed command, or else the module."""
    script = Path(sysconfig.get_path("scripts")) / "corefscope"
    return (str(script),) if script.exists() else (sys.executable, "-m", "corefscope")


def _score(name: str, *options: str) -> Command:
    files = (f"{{data}}/{name}.key.conllu", f"{{data}}/{name}.response.conllu")
    return (*_command_line(), "score", *files, *options, "--quiet")


def work(name: str, *arguments: str) -> Command:
    """A process that runs a workload."""
    return (sys.executable, "-m", "benchmarks.workloads", name, *arguments)


IMPORT = (
    "import sys, corefscope; loaded = {'numpy', 'scipy', 'rich'} & {*sys.modules};"
    " sys.exit(f'loaded: {sorted(loaded)}' if loaded else 0)"
)

OFFICIAL = "muc,bcub,ceafe,ceafm,blanc,lea,mor,zero"

BENCHMARKS = {
    benchmark.name: benchmark
    for benchmark in (
        Benchmark(
            "gum",
            "GUM dev, head match, singletons kept, all metrics; cold command line",
            (Case("gum", _score("gum", "--singletons", "keep"), 0.29, 60, runs=10),),
            data=("gum",),
        ),
        Benchmark(
            "gum-growth",
            "the same once, 5 and 20 times over",
            (
                Case("gum-growth x1", _score("gum", "--singletons", "keep")),
                Case("gum-growth x5", _score("gum5", "--singletons", "keep"), runs=3),
                Case("gum-growth x20", _score("gum20", "--singletons", "keep"), 6.0, 100, runs=3),
            ),
            data=("gum", "gum5", "gum20"),
            growth=True,
        ),
        Benchmark(
            "measures",
            "all measures of the catalogue against the official eight; less than 2.5 times as much",
            (
                Case("official eight", _score("gum", "--singletons", "keep", "--metrics", OFFICIAL)),
                Case("all measures", _score("gum", "--singletons", "keep", "--metrics", "all")),
            ),
            data=("gum",),
            growth=True,
        ),
        Benchmark(
            "novel",
            "one document of 200k words and 30k mentions, head match; cold command line",
            (Case("novel", _score("novel"), 2.0, 150),),
            data=("novel",),
        ),
        Benchmark(
            "labels",
            "score_labels on 10M mentions in 1M entities, imports included",
            (Case("labels", work("labels", "{data}"), 4.0, 1000, runs=3, inner=True),),
            data=("labels",),
        ),
        Benchmark(
            "scorer-40",
            "Scorer on 10,000 documents of 40 mentions, six metrics",
            (Case("scorer-40", work("scorer", "10000", "40"), 80e-6, inner=True, unit="µs", note="per document"),),
        ),
        Benchmark(
            "scorer-260",
            "Scorer on 1,000 documents of 260 mentions, six metrics",
            (Case("scorer-260", work("scorer", "1000", "260"), 500e-6, inner=True, unit="µs", note="per document"),),
        ),
        Benchmark(
            "import",
            "import corefscope minus bare Python; neither NumPy, SciPy nor rich loaded",
            (
                Case(
                    "import",
                    (sys.executable, "-c", IMPORT),
                    30e-3,
                    runs=20,
                    minus=(sys.executable, "-c", "import sys; sys.exit(0)"),
                    unit="ms",
                    note="more than bare Python",
                ),
            ),
        ),
        Benchmark(
            "entities",
            "score_clusters on one document with 100,000 entities",
            (Case("entities", work("entities", "100000"), megabytes=1000, runs=3, inner=True),),
        ),
    )
}
