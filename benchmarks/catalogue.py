"""The benchmarks: one row each, with the goals."""

from __future__ import annotations

import sys
from typing import NamedTuple

from .measure import PATIENCE, Command


class Case(NamedTuple):
    """A line of the table. Goals are seconds and megabytes (millions of bytes); 0 is none.

    ``{data}`` in the command is the directory of the data. If ``inner``, the command prints its own seconds, and
    after them perhaps a note.
    ``times_first`` and ``above_first`` are goals for the second and later cases of a benchmark, in terms of what the
    first has taken.
    """

    name: str
    command: Command
    seconds: float = 0.0
    megabytes: float = 0.0
    runs: int = 5
    inner: bool = False
    minus: Command = ()  # what this takes is subtracted
    unit: str = "s"  # in which the seconds are shown: s, ms, µs, or MB/s if they are those of a megabyte
    note: str = ""
    times_first: float = 0.0  # of its seconds
    above_first: float = 0.0  # megabytes more than its peak
    elapsed: bool = False  # the clock counts, not the CPU
    writes: str = ""  # a file whose size is shown
    written: float = 0.0  # the goal for it, in megabytes
    peer: str = ""  # the environment variable that says where another program is; without it the case is left out
    slower: float = 0.0  # the goal for another program or way: at least so many times the seconds of the first case
    patience: float = PATIENCE  # seconds after which a run is given up


class Benchmark(NamedTuple):
    """One or several cases, and the data they need, in the order in which it is made.

    A benchmark with ``growth`` compares its cases with the first of them. ``sizes`` are the megabytes that the first
    and the last case read, and a third size for which the peak is told if it goes on growing as it does. ``medians``
    of all runs count where programs are compared, else the best run. What is ``by_name`` takes long, and runs only if
    it is asked for.
    """

    name: str
    title: str
    cases: tuple[Case, ...]
    data: tuple[str, ...] = ()
    growth: bool = False
    sizes: tuple[float, ...] = ()
    medians: bool = False
    by_name: bool = False


ALONE = ("--jobs", "1")
"""One process, where CPU time and peak of large files are measured."""


def run_command(command: str, *arguments: str) -> Command:
    """A command of corefscope."""
    return (sys.executable, "-m", "corefscope", command, *arguments, "--quiet")


def pair_of(name: str, suffix: str = "conllu") -> tuple[str, str]:
    """The paths of a key and its response."""
    return f"{{data}}/{name}.key.{suffix}", f"{{data}}/{name}.response.{suffix}"


def score(name: str, *options: str) -> Command:
    """``corefscope score`` of a pair of CorefUD files."""
    return run_command("score", *pair_of(name), *options)


def _stream(megabytes: int) -> Command:
    path = f"{{data}}/stream{megabytes}.jsonl"
    return run_command("score", path, path, "--match", "exact", "--metrics", "conll", *ALONE)


def _copies(count: int, suffix: str) -> Command:
    return run_command("score", f"{{data}}/copies{count}.conllu", f"{{data}}/copies{count}.{suffix}", *ALONE)


def _reading(format_: str, name: str, times_first: float = 0.0) -> Case:
    command = work("read", format_, f"{{data}}/{name}")
    return Case(f"reading {format_}", command, inner=True, unit="MB/s", times_first=times_first)


def work(name: str, *arguments: str) -> Command:
    """A process that runs a workload."""
    return (sys.executable, "-m", "benchmarks.workloads", name, *arguments)


IMPORT = (
    "import sys, corefscope; loaded = {'numpy', 'scipy', 'rich'} & {*sys.modules};"
    " sys.exit(f'loaded: {sorted(loaded)}' if loaded else 0)"
)

NOISE_OF_SYSTEMS = ("drop", "merge", "split", "boundary")
SYSTEMS = tuple(f"{{data}}/systems/{kind}-020.conllu" for kind in NOISE_OF_SYSTEMS)
OFFICIAL = "muc,bcub,ceafe,ceafm,blanc,lea,mor,zero"

BENCHMARKS = {
    benchmark.name: benchmark
    for benchmark in (
        Benchmark(
            "gum",
            "GUM dev, head match, singletons kept, all metrics; cold command line",
            (Case("gum", score("gum", "--singletons", "keep"), 0.29, 60, runs=10),),
            data=("gum",),
        ),
        Benchmark(
            "gum-growth",
            "the same once, 5 and 20 times over",
            (
                Case("gum-growth x1", score("gum", "--singletons", "keep")),
                Case("gum-growth x5", score("gum5", "--singletons", "keep"), runs=3),
                Case("gum-growth x20", score("gum20", "--singletons", "keep", *ALONE), 6.0, 100, runs=3),
                Case("gum-growth x100", score("gum100", "--singletons", "keep", *ALONE), megabytes=45, runs=1),
            ),
            data=("gum", "gum5", "gum20", "gum100"),
            growth=True,
        ),
        Benchmark(
            "measures",
            "all measures of the catalogue against the official eight",
            (
                Case("official eight", score("gum", "--singletons", "keep", "--metrics", OFFICIAL)),
                Case("all measures", score("gum", "--singletons", "keep", "--metrics", "all"), times_first=2.5),
            ),
            data=("gum",),
            growth=True,
        ),
        Benchmark(
            "novel",
            "one document of 200k words and 30k mentions, head match; cold command line",
            (Case("novel", score("novel"), 2.0, 150),),
            data=("novel",),
        ),
        Benchmark(
            "conll",
            "GUM dev as CoNLL-2012, exact match, singletons kept; cold command line",
            (
                Case(
                    "conll, conll12",
                    run_command("score", *pair_of("gum", "conll"), "--preset", "conll12"),
                    0.25,
                    runs=10,
                ),
                Case(
                    "conll, corefud-1.2",
                    run_command("score", *pair_of("gum", "conll"), "--match", "exact", "--singletons", "keep"),
                    0.25,
                    runs=10,
                ),
            ),
            data=("gum", "formats"),
        ),
        Benchmark(
            "reading",
            "all documents of GUM dev in several formats, and of a table of 1M mentions; without imports",
            (
                _reading("corefud", "gum.key.conllu"),
                _reading("conll", "gum.key.conll", times_first=2.0),
                _reading("jsonl", "gum.key.jsonl", times_first=2.0),
                _reading("clusters", "gum.key.json"),
                _reading("table", "rows.csv"),
            ),
            data=("gum", "formats", "rows"),
        ),
        Benchmark(
            "stream",
            "20 and 200 MB of jsonlines, read as key and as response; the peak hardly grows",
            (
                Case("stream 20 MB", _stream(20), runs=3),
                Case("stream 200 MB", _stream(200), runs=1, above_first=60),
            ),
            data=("gum", "formats", "stream"),
            sizes=(20, 200, 2000),
        ),
        Benchmark(
            "compare",
            "5 systems on GUM dev, 10,000 resamples of all official metrics; cold command line",
            (Case("compare", run_command("compare", *pair_of("gum"), *SYSTEMS, "--resamples", "10000"), 2.5),),
            data=("gum", "systems"),
        ),
        Benchmark(
            "resampling",
            "intervals from 10,000 resamples of 300 documents, all official metrics, NumPy's import included",
            (Case("resampling", work("resampling", *pair_of("gum10")), 1.0, runs=3, inner=True),),
            data=("gum", "gum10"),
        ),
        Benchmark(
            "task",
            "a shared task of 20 data sets and 10 systems, by the clock: two processes against one",
            (
                Case(
                    "task, 1 process",
                    run_command("task", "{data}/task", "--jobs", "1"),
                    megabytes=300,
                    runs=3,
                    elapsed=True,
                ),
                Case(
                    "task, 2 processes",
                    run_command("task", "{data}/task", "--jobs", "2"),
                    megabytes=300,
                    runs=3,
                    elapsed=True,
                    times_first=0.65,
                ),
            ),
            data=("task",),
            growth=True,
        ),
        Benchmark(
            "crac",
            "a tenth of a shared task of 21 data sets, two of 50 MB and the others of 5 MB, and 30 systems",
            (Case("crac, a tenth", run_command("task", "{data}/crac", *ALONE), 30.0, 400, runs=1, patience=3600.0),),
            data=("crac",),
            by_name=True,
        ),
        Benchmark(
            "printed",
            "text printed by a model, 5 % of the words changed, read and scored; without imports",
            (
                Case("printed, 2,000 words", work("printed", "2000"), runs=3, inner=True),
                Case("printed, 10,000 words", work("printed", "10000"), runs=3, inner=True, times_first=1.3 * 5),
                Case("printed, 50,000 words", work("printed", "50000"), runs=3, inner=True, times_first=1.3 * 25),
            ),
            growth=True,
        ),
        Benchmark(
            "copies",
            "documents of 120 words, 15 and 104 MB with the key, and exact copies of them that a model printed",
            (
                Case("copies, key beside itself", _copies(3_000, "conllu")),
                Case("copies, 3,000 documents", _copies(3_000, "txt"), runs=3, times_first=2.5),
                Case("copies, 20,000 documents", _copies(20_000, "txt"), megabytes=150, runs=1),
            ),
            data=("copies",),
            growth=True,
        ),
        Benchmark(
            "copying",
            "10,000 printed words aligned with those of the key, 5 % changed; without imports",
            (
                Case("copying, 10,000 words", work("copying", "10000"), runs=3, inner=True),
                Case("copying, all pairs of words", work("all_pairs", "10000"), runs=1, inner=True, slower=50),
            ),
        ),
        Benchmark(
            "errors",
            "where the points went on GUM dev, head match; cold command line",
            (Case("errors", run_command("errors", *pair_of("gum"))),),
            data=("gum",),
        ),
        Benchmark(
            "report",
            "the page of GUM dev; cold command line",
            (
                Case(
                    "report",
                    run_command("report", *pair_of("gum"), "--output", "{data}/report.html"),
                    3.0,
                    writes="{data}/report.html",
                    written=6.0,
                ),
            ),
            data=("gum",),
        ),
        Benchmark(
            "labels",
            "score_labels on 10M mentions in 1M entities, imports included",
            (Case("labels", work("labels", "{data}"), 4.0, 1000, runs=3, inner=True),),
            data=("labels",),
        ),
        Benchmark(
            "crowds",
            "small files in which all mentions compete; cold command line",
            (
                Case("2,000 zeros with equal dependencies", score("zeros"), 1.5, 150, runs=3),
                Case("5,000 nested mentions with one head", score("heads"), 3.0, runs=3),
                Case("8,000 nested mentions", score("nested"), 2.0, 150, runs=3),
                Case(
                    "1,000 mentions across sentence ends",
                    run_command("score", *pair_of("crossing", "conll"), "--match", "exact"),
                    1.0,
                    runs=3,
                ),
            ),
            data=("crowds",),
        ),
        Benchmark(
            "unrelated",
            "score_labels on 200,000 mentions whose key and response have nothing in common, imports included",
            (Case("unrelated", work("labels", "{data}/unrelated"), 5.0, runs=1, inner=True),),
            data=("unrelated",),
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
