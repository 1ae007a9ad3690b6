"""Other programs, run in turns with ours. Environment variables say where they are; nothing of them is here.

=================== ==================================================================================================
``PEER_COREFUD``    a checkout of CorefUD scorer 1.2
``PEER_COVAL``      a checkout of coval
``PEER_SCORCH``     a directory with the package scorch
``PEER_TEXT2TEXT``  the ``src`` of text2text-coref
``PEER_UA``         a checkout of the Universal Anaphora scorer 1.0
``PEER_COREFSCOPE`` the ``src`` of another version of corefscope
``PEER_PYTHON``     a Python that has what these need, if this one has not
=================== ==================================================================================================

``PEER_ER_EVALUATION`` and ``PEER_SCIKIT_LEARN`` are directories with the packages of er-evaluation and scikit-learn.

All goals are ratios of medians of CPU time, start-up included.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from .catalogue import ALONE, Benchmark, Case, pair_of, run_command, score, work
from .measure import Command

PEERS = {
    "PEER_COREFUD": "CorefUD scorer 1.2",
    "PEER_COVAL": "coval",
    "PEER_SCORCH": "scorch",
    "PEER_TEXT2TEXT": "text2text-coref",
    "PEER_UA": "UA scorer 1.0",
    "PEER_COREFSCOPE": "corefscope, other version",
    "PEER_ER_EVALUATION": "er-evaluation",
    "PEER_SCIKIT_LEARN": "scikit-learn",
}
PYTHON = "PEER_PYTHON"
KEPT = ("--singletons", "keep")
FASTER = 1 / 0.62
"""What a version before 0.4 takes at least, of what this one takes."""


def present(benchmark: Benchmark) -> Benchmark:
    """The benchmark without programs that are not there; without any case if it is left alone."""
    cases = tuple([case for case in benchmark.cases if not case.peer or case.peer in os.environ])
    alone = len(cases) == 1 < len(benchmark.cases)
    return benchmark._replace(cases=() if alone else cases)


def absent() -> list[str]:
    """The environment variables that name no program."""
    return [variable for variable in PEERS if variable not in os.environ]


def in_place(argument: str) -> str:
    """An argument of a command with the places of programs in it."""
    for variable in PEERS:
        argument = argument.replace(f"{{{variable}}}", os.path.abspath(os.environ.get(variable, "")))
    return argument.replace(f"{{{PYTHON}}}", os.environ.get(PYTHON, sys.executable))


def peer(what: str, variable: str, command: Command, slower: float = 0.0, **further: Any) -> Case:
    """Another program at the same work, in its own Python, with its own modules."""
    python = sys.executable if variable == "PEER_COREFSCOPE" else f"{{{PYTHON}}}"
    own = ("env", f"PYTHONPATH={{{variable}}}", python, *command)
    return Case(f"{what}: {PEERS[variable]}", own, peer=variable, slower=slower, **further)


def _earlier(what: str, ours: Command, slower: float = FASTER, **further: Any) -> Case:
    """The same command of another version."""
    return peer(what, "PEER_COREFSCOPE", ours[1:], slower, **further)


def _corefud(name: str, what: str, ours: Command, *data: str) -> Benchmark:
    official = ("{PEER_COREFUD}/corefud-scorer.py", *pair_of("gum"), "-m", "all", "-s")
    return Benchmark(
        name,
        f"{what}: head match, singletons kept, all official metrics; cold command line",
        (Case(what, ours, megabytes=30), peer(what, "PEER_COREFUD", official, 70), _earlier(what, ours)),
        data=("gum", *data),
        medians=True,
    )


def _conll(name: str) -> Benchmark:
    ours = run_command("score", *pair_of(name, "conll"), "--match", "exact", *KEPT)
    runs: dict[str, Any] = {"runs": 9 if name == "gum" else 3}
    key, response = pair_of(name, "scorch")
    return Benchmark(
        f"beside-conll-{name}",
        f"{name} as CoNLL-2012, exact match, singletons kept; cold command line",
        (
            Case(f"{name} as CoNLL", (*ours, *ALONE), **runs),
            peer(f"{name} as CoNLL", "PEER_COVAL", ("{PEER_COVAL}/scorer.py", *pair_of(name, "conll")), 8, **runs),
            peer(f"{name} as CoNLL", "PEER_SCORCH", ("-m", "scorch.main", key, response), **runs),
            _earlier(f"{name} as CoNLL", ours, **runs),
        ),
        data=("gum", "formats", *(() if name == "gum" else ("gum20", "formats20")), "scorch"),
        medians=True,
    )


def _scorer(documents: str, mentions: str, slower: float) -> Benchmark:
    what = f"Scorer.add, {mentions} mentions"
    ours = work("scorer", documents, mentions)
    inner: dict[str, Any] = {"inner": True, "unit": "µs", "runs": 7}
    return Benchmark(
        f"beside-scorer-{mentions}",
        f"Scorer on documents of {mentions} mentions, six metrics; per document, without imports",
        (
            Case(what, ours, **inner),
            peer(what, "PEER_COVAL", work("coval", documents, mentions)[1:], slower, **inner),
            _earlier(what, ours, 0, **inner),
        ),
        medians=True,
    )


def _ua(name: str, size: str, seconds: float, slower: float) -> Benchmark:
    words = ("keep_bridging", "keep_non_referring")
    files = pair_of(name, "conllua")
    what = f"{size}, ua-scorer"
    ours = (sys.executable, "-m", "corefscope.compat.commands.ua", *files, *words)
    return Benchmark(
        f"beside-{name}",
        f"{size}, with plurals, bridging and non-referring expressions; cold command line",
        (
            Case(what, ours, seconds=seconds),
            peer(what, "PEER_UA", ("{PEER_UA}/ua-scorer.py", *files, *words), slower, runs=3),
        ),
        data=(name.replace("-", "_"),),
        medians=True,
    )


def _reading(format_: str, file: str, slower: float) -> Benchmark:
    what = f"{format_} read"
    ours = work("read", format_, f"{{data}}/{file}")
    inner: dict[str, Any] = {"inner": True, "unit": "MB/s", "runs": 7}
    return Benchmark(
        f"beside-reading-{format_}",
        f"all documents of a file in {format_}; without imports",
        (Case(what, ours, **inner), _earlier(what, ours, slower, **inner)),
        data=("gum", "formats", "rows"),
        medians=True,
    )


def _copying(words: str) -> Benchmark:
    what = f"{words} words copied"
    inner: dict[str, Any] = {"inner": True, "runs": 3}
    return Benchmark(
        "beside-copying",
        f"{words} printed words aligned with those of the key, 5 % changed; without imports",
        (
            Case(what, work("copying", words), **inner),
            peer(what, "PEER_TEXT2TEXT", work("text2text", words)[1:], 50, **inner),
        ),
        medians=True,
    )


def _jobs(name: str, title: str) -> Benchmark:
    one, two = (score(name, *KEPT, "--jobs", jobs) for jobs in ("1", "2"))
    return Benchmark(
        f"jobs-{name}",
        f"{title}, by the clock: two processes against one",
        (
            Case(f"{name}, 1 job", one, megabytes=45, runs=3, elapsed=True),
            Case(f"{name}, 2 jobs", two, runs=3, elapsed=True, times_first=0.62),
        ),
        data=("gum", name),
        growth=True,
        medians=True,
    )


DROP_IN = (sys.executable, "{data}/corefud-scorer", *pair_of("gum"), "-m", "all", "-s")

BESIDE = {
    benchmark.name: benchmark
    for benchmark in (
        _corefud("beside-corefud", "GUM, score", score("gum", *KEPT)),
        _corefud("beside-drop-in", "GUM, corefud-scorer", DROP_IN, "commands"),
        _conll("gum"),
        _conll("gum20"),
        _ua("ua", "10 documents of 1,200 words", seconds=0.5, slower=8),
        _ua("ua-long", "4 documents of 8,000 words", seconds=1.0, slower=50),
        _scorer("1000", "40", 7),
        _scorer("100", "260", 33),
        _reading("corefud", "gum.key.conllu", 50 / 27),
        _reading("conll", "gum.key.conll", 35 / 17),
        _reading("jsonl", "gum.key.jsonl", 35 / 16),
        _reading("table", "rows.csv", 30 / 10),
        _copying("4000"),
        _jobs("gum100", "a hundred copies of GUM dev"),
        _jobs("recurring", "the same with entities that recur across documents"),
    )
}
