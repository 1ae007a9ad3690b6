"""The table: one line per case, next to its goals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .catalogue import Case

HEADINGS = ("benchmark", "CPU", "goal", "ratio", "peak", "goal", "ratio", "", "")
SCALES = {"s": 1.0, "ms": 1e3, "µs": 1e6}
SPEED = "MB/s"


class Result(NamedTuple):
    """What a case took, in seconds and megabytes, and what went wrong, if anything."""

    case: Case
    seconds: float
    megabytes: float
    fault: str
    note: str
    written: float = 0.0  # megabytes of the file that it writes
    missed: bool = False  # whether another program is not as slow as the goal says


def render(results: Sequence[Result]) -> str:
    """All results as text."""
    rows = [HEADINGS, *map(_row, results)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(_aligned(row, widths) for row in rows)


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    """Names and remarks to the left, numbers to the right."""
    name, *numbers, verdict, note = (
        text.rjust(width) if 0 < at < len(row) - 2 else text.ljust(width)
        for at, (text, width) in enumerate(zip(row, widths, strict=True))
    )
    return "  ".join((name, *numbers, verdict, note)).rstrip()


def _row(result: Result) -> tuple[str, ...]:
    case = result.case
    if result.fault:
        return (case.name, *[""] * 6, "failed", result.fault)
    return (
        case.name,
        _time(result.seconds, case.unit),
        _time(case.seconds, case.unit) if case.seconds else "",
        _ratio(result.seconds, case.seconds),
        f"{result.megabytes:.0f} MB",
        f"{case.megabytes:.0f} MB" if case.megabytes else "",
        _ratio(result.megabytes, case.megabytes),
        _verdict(result),
        "; ".join(filter(None, (result.note, _written(result)))),
    )


def _written(result: Result) -> str:
    if not result.case.writes:
        return ""
    goal = f" (goal {result.case.written:.0f} MB)" if result.case.written else ""
    return f"writes {result.written:.1f} MB{goal}"


def _time(seconds: float, unit: str) -> str:
    if unit == SPEED:
        return f"{1 / seconds:.1f} {unit}"
    digits = 2 if unit == "s" else 1 if unit == "ms" else 0
    return f"{seconds * SCALES[unit]:.{digits}f} {unit}"


def _ratio(found: float, goal: float) -> str:
    return f"{found / goal:.2f}" if goal else ""


def _verdict(result: Result) -> str:
    case = result.case
    if case.slower:
        return "missed" if result.missed else "ok"
    if not (case.seconds or case.megabytes or case.written):
        return ""
    slow = case.seconds and result.seconds > case.seconds
    large = case.megabytes and result.megabytes > case.megabytes
    long = case.written and result.written > case.written
    return "over" if slow or large or long else "ok"
