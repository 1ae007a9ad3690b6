"""Files and calls by their numbers, run in processes that may die."""

from __future__ import annotations

import random
import re
import resource
import tempfile
import time
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NamedTuple

from corefscope.formats.writers import WRITERS
from standoff_files import put_companions

from .calling import run_call, save_call, shortened
from .calls import Call, draw_call
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
    """What a process reports of one file or call."""

    number: int
    label: str
    """The format of the file, or the command that was called."""
    outcome: Outcome
    memory: int


FILES, CALLS = "files", "calls"
KINDS = (FILES, CALLS)
"""Broken files go through readers, validation, scores and conversion; calls are of programs, with all their files."""


def draw(seed: int, index: int, kinds: Sequence[str] = KINDS) -> Input | Call:
    """The file or the call of that number, which depends on whether there are both."""
    if kinds[index % len(kinds)] == CALLS:
        return draw_call(random.Random(f"call {seed} {index // len(kinds)}"))
    return make(seed, index // len(kinds))


def make(seed: int, index: int) -> Input:
    """The file of that number."""
    rng = random.Random(f"{seed} {index}")
    format_ = ALONE[index % len(ALONE)]
    data = good = whole(format_, rng)
    if rng.random() >= WHOLE:
        data = broken(rng, data, format_)
    return Input(wrapped(data, rng), format_, rng.choice(list(WRITERS)), good, rng.choice(list(FURTHER)))


def run(made: Input | Call, folder: Path) -> Outcome:
    """Do with a file what is to be done, or make a call."""
    if isinstance(made, Call):
        return run_call(made, folder)
    path, good = folder / "input", folder / "whole"
    path.write_bytes(made.data)
    good.write_bytes(made.whole)
    for each in (path, good):
        put_companions(each, made.format)
    return check(path, good, made.format, made.target, made.further)


def _label(made: Input | Call) -> str:
    return made.command if isinstance(made, Call) else made.format


def work(seed: int, indices: range, kinds: Sequence[str], save: Path | None, reports: Connection) -> None:
    """In a process of its own: run files and calls, and save what fails."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    seen: set[str] = set()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for index in indices:
            reports.send(index)
            made = draw(seed, index, kinds)
            outcome = run(made, folder)
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
            reports.send(Result(index, _label(made), outcome, memory))
            for kind in outcome.failures.keys() - seen if save else ():
                seen.add(kind)
                _save(made, kind, outcome.failures[kind], folder, save)
            if memory > LARGEST:
                return  # the next process begins anew
    reports.close()


def _save(made: Input | Call, kind: str, case: str, folder: Path, save: Path | None) -> None:
    """Save a file, or the directory of a call, as short as it still fails; as it is if each trial takes long."""
    assert save is not None
    path = save / re.sub(r"\W+", "-", kind)[:120]
    if path.exists():
        return
    costly = "takes more" in kind or "MB" in kind

    def fails(shorter: Input | Call) -> bool:
        return kind in run(shorter, folder).failures

    if isinstance(made, Call):
        save_call(made if costly else shortened(made, fails), path, case)
    else:
        data = made.data if costly else minimised(made.data, lambda data: fails(made._replace(data=data)))
        path.write_bytes(data)


def results(
    seed: int, first: int, count: int, workers: int, save: Path | None, kinds: Sequence[str] = KINDS
) -> Iterator[Result]:
    """The outcomes of files and calls, from so many processes."""
    context = get_context("spawn")
    left = [range(first + at, first + count, workers) for at in range(workers)]
    running: dict[Any, tuple[Any, range, list[float]]] = {}

    def begin(indices: range) -> None:
        if indices:
            ours, theirs = context.Pipe(duplex=False)
            process = context.Process(target=work, args=(seed, indices, kinds, save, theirs), daemon=True)
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
                label = _label(draw(seed, indices[0], kinds))
                yield Result(indices[0], label, Outcome({}, {f"{label}: {died}": ""}, 0.0), 0)
                indices = indices[1:]
            begin(indices)
