"""``make fuzz``: broken files and hostile calls by the hundred thousand, in two processes.

Input number N of a seed is always the same: ``--seed 0 --start N --inputs 1`` makes it again. A process that dies or
gets stuck is replaced, and the input that it was at counts as a failure. The first input of each kind of failure is
saved, as short as it still fails.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

from .running import KINDS, Result, results


class Summary:
    """Counts over all inputs."""

    def __init__(self) -> None:
        self.inputs: Counter[str] = Counter()
        self.accepted: Counter[tuple[str, str, bool]] = Counter()
        self.failures: dict[str, list[tuple[int, str]]] = {}
        self.slowest = (0.0, -1)
        self.memory = 0

    def add(self, result: Result) -> None:
        """One more."""
        self.inputs[result.label] += 1
        for step, well in result.outcome.accepted.items():
            self.accepted[result.label, step, well] += 1
        for kind, case in result.outcome.failures.items():
            self.failures.setdefault(kind, []).append((result.number, case))
        self.slowest = max(self.slowest, (result.outcome.seconds, result.number))
        self.memory = max(self.memory, result.memory)

    def __str__(self) -> str:
        lines = [f"{self.inputs.total():,} inputs"]
        for format_, step in sorted({(format_, step) for format_, step, _ in self.accepted}):
            well, not_ = (self.accepted[format_, step, kind] for kind in (True, False))
            lines.append(f"  {format_:18} {step:20} {well:8,} accepted {not_:8,} refused")
        lines.append(f"slowest: {self.slowest[0]:.2f} s (input {self.slowest[1]})")
        lines.append(f"most memory: {self.memory >> 20} MB")
        lines.append(f"{sum(map(len, self.failures.values())):,} failures of {len(self.failures)} kinds")
        for kind, cases in sorted(self.failures.items(), key=lambda item: -len(item[1])):
            lines.append(f"  {len(cases):6,} {kind}; input {cases[0][0]}: {cases[0][1][:300]}")
        return "\n".join(lines)


def main() -> int:
    """Run, and say what was found."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=int, default=0, help="the number of the first input, to go on with a run")
    parser.add_argument("--kind", choices=KINDS, help="only broken files, or only calls (default: in turns)")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--save", type=Path, help="a directory for what fails")
    parsed = parser.parse_args()
    if parsed.save:
        parsed.save.mkdir(parents=True, exist_ok=True)
    summary = Summary()
    begun = time.monotonic()
    try:
        kinds = (parsed.kind,) if parsed.kind else KINDS
        for result in results(parsed.seed, parsed.start, parsed.inputs, parsed.workers, parsed.save, kinds):
            summary.add(result)
            if summary.inputs.total() % 1000 == 0:
                print(
                    f"\r{summary.inputs.total():,} inputs, {len(summary.failures)} kinds of failures, "
                    f"{time.monotonic() - begun:.0f} s",
                    end="",
                    file=sys.stderr,
                )
    except KeyboardInterrupt:
        pass
    print(f"\n{summary}\n{time.monotonic() - begun:.0f} s")
    return bool(summary.failures)


if __name__ == "__main__":
    sys.exit(main())
