"""Files by their numbers, run in processes that may die."""

from __future__ import annotations

import random
import re
import resource
import tempfile
import time
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NamedTuple

from corefscope.write.formats import WRITERS

from .checks import FURTHER, LARGEST, Outcome, check
from .minimise import minimised
from .mutators import broken
from .seeds import ALONE, whole, wrapped

STUCK = 60.0  # seconds: not even the alarm was heard
ADDRESS_SPACE = 4 * LARGEST
WHOLE = 0.03
"""Of all files, those that are not broken."""


class Input(NamedTuple):
    """One file, and what to do with it."""

    data: bytes
    format: str
    target: str
    whole: bytes
    """The same before it was broken."""
    further: str = ""
    """One of the checks that not every file goes through."""


class Result(NamedTuple):
    """What a process reports of one file."""

    number: int
    format: str
    outcome: Outcome
    memory: int


def make(seed: int, index: int) -> Input:
    """The file of that number."""
    rng = random.Random(f"{seed} {index}")
    format_ = ALONE[index % len(ALONE)]
    data = good = whole(format_, rng)
    if rng.random() >= WHOLE:
        data = broken(rng, data, format_)
    return Input(wrapped(data, rng), format_, rng.choice(list(WRITERS)), good, rng.choice(list(FURTHER)))


def run(made: Input, folder: Path) -> Outcome:
    """Do with a file what is to be done."""
    path, good = folder / "input", folder / "whole"
    path.write_bytes(made.data)
    good.write_bytes(made.whole)
    return check(path, good, made.format, made.target, made.further)


def work(seed: int, indices: range, save: Path | None, reports: Connection) -> None:
    """In a process of its own: run files, and save what fails."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    seen: set[str] = set()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for index in indices:
            reports.send(index)
            made = make(seed, index)
            outcome = run(made, folder)
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
            reports.send(Result(index, made.format, outcome, memory))
            for kind in outcome.failures.keys() - seen if save else ():
                seen.add(kind)
                _save(made, kind, folder, save)
            if memory > LARGEST:
                return  # the next process begins anew
    reports.close()


def _save(made: Input, kind: str, folder: Path, save: Path | None) -> None:
    assert save is not None
    path = save / re.sub(r"\W+", "-", kind)[:120]
    if path.exists():
        return

    def fails(data: bytes) -> bool:
        return kind in run(made._replace(data=data), folder).failures

    path.write_bytes(made.data if "takes more" in kind or "MB" in kind else minimised(made.data, fails))


def results(seed: int, first: int, count: int, workers: int, save: Path | None) -> Iterator[Result]:
    """What becomes of files, from so many processes."""
    context = get_context("spawn")
    left = [range(first + at, first + count, workers) for at in range(workers)]
    running: dict[Any, tuple[Any, range, list[float]]] = {}

    def begin(indices: range) -> None:
        if indices:
            ours, theirs = context.Pipe(duplex=False)
            process = context.Process(target=work, args=(seed, indices, save, theirs), daemon=True)
            process.start()
            theirs.close()
            running[ours] = (process, indices, [time.monotonic()])

    for indices in left:
        begin(indices)
    while running:
        ready = wait(list(running), timeout=1.0)
        for reports in list(running):
            process, indices, heard = running[reports]
            died = ""
            if reports in ready:
                heard[0] = time.monotonic()
                try:
                    report = reports.recv()
                    if isinstance(report, Result):
                        indices = indices[1:]
                        yield report
                    running[reports] = (process, indices, heard)
                    continue
                except EOFError:
                    process.join()
                    died = f"the process died with code {process.exitcode}" if process.exitcode else ""
            elif time.monotonic() - heard[0] > STUCK:
                process.kill()
                died = "the process got stuck"
            else:
                continue
            del running[reports]
            if died and indices:
                made = make(seed, indices[0])
                yield Result(indices[0], made.format, Outcome({}, {f"{made.format}: {died}": ""}, 0.0), 0)
                indices = indices[1:]
            begin(indices)
