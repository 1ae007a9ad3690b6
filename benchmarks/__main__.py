"""``python -m benchmarks``: make the data, measure in turns, print the table."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from . import machine
from .catalogue import BENCHMARKS, Benchmark, Case, work
from .measure import DATA, Best, Command, Job, environment, run, take_turns
from .peers import BESIDE, absent, in_place, present
from .scale import GROUP, LARGEST, SCALE
from .table import Result, render

ALL = {**BENCHMARKS, **BESIDE, **SCALE}
LONGEST = 3600.0  # seconds that making data may take
GROUPS = {GROUP: [name for name in SCALE if name != LARGEST]}
EXAMPLES = """\
examples:
  python -m benchmarks
      everything, the best of several runs each: some minutes (also: make bench)
  python -m benchmarks --quick
      everything once
  python -m benchmarks gum import
      these two only
  python -m benchmarks scale
      clusterings of 1M and 10M mentions, which an engine counts: half an hour (also: make bench scale)
  PEER_COREFUD=DIR PEER_PYTHON=python3 python -m benchmarks beside-corefud --data DIR
      beside a checkout of the CorefUD scorer, on the files of GUM dev

benchmarks:
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmarks that are asked for; always a success, because timings are no tests."""
    parser = _parser()
    options = parser.parse_args(arguments)
    names = [member for name in options.names for member in GROUPS.get(name, [name])]
    unknown = [name for name in names if name not in ALL]
    if unknown:
        parser.error(f"no benchmark {', '.join(unknown)}: choose from {', '.join([*ALL, *GROUPS])}")
    names = names or [name for name, benchmark in ALL.items() if not benchmark.by_name]
    wanted = [each for name in dict.fromkeys(names) if (each := present(ALL[name])).cases]
    print(machine.facts(), flush=True)
    with TemporaryDirectory(prefix="corefscope-bench-") as scratch:
        variables = environment(Path(scratch)) | ({DATA: str(options.data.resolve())} if options.data else {})
        found = _measure(wanted, Path(scratch), variables, options.quick)
    print(machine.compared(found["calibration"].cpu))
    print("CPU is user + system time, start-up and imports included except per document and in reading;", end=" ")
    print("one run each" if options.quick else "best of several runs that took turns, beside other programs medians")
    print(f"programs that are not there: {', '.join(absent())}\n" if absent() else "")
    print(render([result for benchmark in wanted for result in _results(benchmark, found)]))
    return 0


def _parser() -> argparse.ArgumentParser:
    width = max(map(len, ALL))
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure what scoring costs, and compare it with the goals.",
        epilog=EXAMPLES + "\n".join(f"  {each.name:{width}}  {each.title}" for each in ALL.values()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="benchmarks to run (all of them by default)")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="a directory with gum-dev.key.conllu and gum-dev.sys.conllu"
    )
    parser.add_argument("--quick", action="store_true", help="run everything once instead of taking the best")
    return parser


def _measure(
    wanted: Sequence[Benchmark], scratch: Path, variables: Mapping[str, str], quick: bool
) -> dict[str, Best]:
    """What every case took, and the calibration, by name; what is to be subtracted under ``minus`` and the name."""
    _prepare(wanted, scratch, variables)
    jobs = {"calibration": Job(work("calibration"), 10, inner=True)}
    for benchmark, case in [(each, case) for each in wanted for case in each.cases]:
        (writes,) = _filled((case.writes,), scratch)
        command = _filled(case.command, scratch)
        jobs[case.name] = Job(command, case.runs, case.inner, writes, benchmark.medians, case.patience)
        if case.minus:
            jobs[f"minus {case.name}"] = Job(_filled(case.minus, scratch), case.runs)
    if quick:
        jobs = {name: job._replace(runs=1) for name, job in jobs.items()}
    found = take_turns(jobs, variables, _announce)
    _announce("")
    return found


def _prepare(wanted: Sequence[Benchmark], scratch: Path, variables: Mapping[str, str]) -> None:
    """Make the byte code and the data."""
    _announce("preparing")
    run(work("warm_up"), variables)
    for name in dict.fromkeys(name for benchmark in wanted for name in benchmark.data):
        _announce(f"making {name}")
        made = run((sys.executable, "-m", "benchmarks.datasets", name, str(scratch)), variables, LONGEST)
        if made.fault:
            print(f"the data {name!r} could not be made: {made.fault}", file=sys.stderr)


def _filled(command: Command, scratch: Path) -> Command:
    return tuple(in_place(part.replace("{data}", str(scratch))) for part in command)


def _results(benchmark: Benchmark, found: Mapping[str, Best]) -> list[Result]:
    """The lines of a benchmark."""
    first, *others = (_result(case, found) for case in benchmark.cases)
    if first.fault or any(result.fault for result in others):
        return [first, *others]
    if benchmark.growth:
        others = [result._replace(note=_growth(first, result)) for result in others]
    others = [_beside(first, result) if result.case.peer or result.case.slower else result for result in others]
    if benchmark.sizes:
        others[-1] = others[-1]._replace(note=_continued(benchmark.sizes, first.megabytes, others[-1].megabytes))
    return [first, *(_with_goals(first, result) for result in others)]


def _growth(first: Result, result: Result) -> str:
    what = "time" if result.case.elapsed else "CPU"
    return (
        f"{result.seconds / first.seconds:.2g} times the {what} of the first,"
        f" {result.megabytes / first.megabytes:.1f} times its peak" + (result.note and f"; {result.note}")
    )


def _beside(first: Result, result: Result) -> Result:
    """The result of another program, and how many times as long it takes as ours."""
    ratio, goal = result.seconds / first.seconds, result.case.slower
    at_least = f" (goal: at least {goal:.3g})" if goal else ""
    return result._replace(note=f"{ratio:.3g} times the first{at_least}", missed=ratio < goal)


def _continued(sizes: Sequence[float], small: float, large: float) -> str:
    """What the peak would be at the third size, if it went on growing as from the first to the second."""
    first, second, third = sizes
    peak = large + max(large - small, 0) / (second - first) * (third - second)
    return f"about {peak:.0f} MB at {third:,.0f} MB, if it goes on like this"


def _with_goals(first: Result, result: Result) -> Result:
    """The result with the goals that follow from what the first case took."""
    case = result.case
    if case.times_first:
        case = case._replace(seconds=case.times_first * first.seconds)
    if case.above_first:
        case = case._replace(megabytes=case.above_first + first.megabytes)
    return result._replace(case=case)


def _result(case: Case, found: Mapping[str, Best]) -> Result:
    best, base = found[case.name], found.get(f"minus {case.name}")
    seconds = best.elapsed if case.elapsed else best.cpu - base.cpu if base else best.cpu
    note = "on the clock, which tells something only on an idle machine" if case.elapsed else case.note or best.note
    return Result(case, seconds, best.peak / 1e6, best.fault, note, best.written / 1e6)


def _announce(message: str) -> None:
    """Say on a terminal what is going on, in a line that is overwritten."""
    if sys.stderr.isatty():
        print(f"\r\033[K{message}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
