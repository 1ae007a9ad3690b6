"""``python -m benchmarks``: make the data, measure in turns, print the table."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from . import machine
from .catalogue import BENCHMARKS, Benchmark, Case, work
from .measure import Best, Command, Job, environment, run, take_turns
from .table import Result, render

EXAMPLES = """\
examples:
  python -m benchmarks
      everything, the best of several runs each: some minutes (also: make bench)
  python -m benchmarks --quick
      everything once
  python -m benchmarks gum import
      these two only

benchmarks:
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmarks that are asked for; always a success, because timings are no tests."""
    parser = _parser()
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"no benchmark {', '.join(unknown)}: choose from {', '.join(BENCHMARKS)}")
    wanted = [BENCHMARKS[name] for name in dict.fromkeys(options.names or BENCHMARKS)]
    print(machine.facts(), flush=True)
    with TemporaryDirectory(prefix="corefscope-bench-") as scratch:
        found = _measure(wanted, Path(scratch), options.quick)
    print(machine.compared(found["calibration"].cpu))
    print("CPU is user + system time, start-up and imports included except per document and in reading;", end=" ")
    print("one run each\n" if options.quick else "best of several runs that took turns\n")
    print(render([result for benchmark in wanted for result in _results(benchmark, found)]))
    return 0


def _parser() -> argparse.ArgumentParser:
    width = max(map(len, BENCHMARKS))
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure what scoring costs, and compare it with the goals.",
        epilog=EXAMPLES + "\n".join(f"  {each.name:{width}}  {each.title}" for each in BENCHMARKS.values()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="benchmarks to run (all of them by default)")
    parser.add_argument("--quick", action="store_true", help="run everything once instead of taking the best")
    return parser


def _measure(wanted: Sequence[Benchmark], scratch: Path, quick: bool) -> dict[str, Best]:
    """What every case took, and the calibration, by name; what is to be subtracted under ``minus`` and the name."""
    variables = environment(scratch)
    _prepare(wanted, scratch, variables)
    jobs = {"calibration": Job(work("calibration"), 10, inner=True)}
    for case in (case for benchmark in wanted for case in benchmark.cases):
        (writes,) = _filled((case.writes,), scratch)
        jobs[case.name] = Job(_filled(case.command, scratch), case.runs, case.inner, writes)
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
        made = run((sys.executable, "-m", "benchmarks.datasets", name, str(scratch)), variables)
        if made.fault:
            print(f"the data {name!r} could not be made: {made.fault}", file=sys.stderr)


def _filled(command: Command, scratch: Path) -> Command:
    return tuple(part.replace("{data}", str(scratch)) for part in command)


def _results(benchmark: Benchmark, found: Mapping[str, Best]) -> list[Result]:
    """The lines of a benchmark."""
    first, *others = (_result(case, found) for case in benchmark.cases)
    if first.fault or any(result.fault for result in others):
        return [first, *others]
    if benchmark.growth:
        others = [result._replace(note=_growth(first, result)) for result in others]
    if benchmark.sizes:
        others[-1] = others[-1]._replace(note=_estimate(benchmark.sizes, first.megabytes, others[-1].megabytes))
    return [first, *(_with_goals(first, result) for result in others)]


def _growth(first: Result, result: Result) -> str:
    what = "time" if result.case.elapsed else "CPU"
    return (
        f"{result.seconds / first.seconds:.2g} times the {what} of the first,"
        f" {result.megabytes / first.megabytes:.1f} times its peak"
    )


def _estimate(sizes: Sequence[float], small: float, large: float) -> str:
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
    note = "on the clock, which tells something only on an idle machine" if case.elapsed else case.note
    return Result(case, seconds, best.peak / 1e6, best.fault, note, best.written / 1e6)


def _announce(message: str) -> None:
    """Say on a terminal what is going on, in a line that is overwritten."""
    if sys.stderr.isatty():
        print(f"\r\033[K{message}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
