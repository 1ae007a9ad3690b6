"""Corpora of many files: a look at all of them before the run, and scores without those that have faults."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from ..core.baselines import BASELINES
from ..core.errors import InputError, OptionError
from ..core.pipeline import Scoring, process
from ..core.request import Progress, Request
from .corpus import NAMES_ONLY, Corpus, iter_aligned
from .detection import GLANCE, guess
from .paths import Files
from .reading import check_corpora, iter_rows
from .source import COMPRESSIONS

UNUSUAL = 1.5
"""A response is read first if its size beside its key is so many times the usual, or so many times less."""
RARE = 10
"""A pair is read first, too, if its kind is so many times rarer than the usual one."""
SMALL = 1 << 20
"""Bytes of a file that is looked at as a whole: to count tabs takes 3 % of a run."""
SHARE = 20
"""One in so many bytes, at most, is read before the run."""


class FileGlance(NamedTuple):
    """Properties of a file that show at once."""

    size: int
    format: str | None
    is_whole: bool
    """Whether its last line has an end."""
    first_line: bytes
    tabs: int = 0
    """In all of a small file."""


def glance_at(path: str) -> FileGlance:
    """The size, the first lines, the end and the columns of a file."""
    try:
        with open(path, "rb") as file:
            content, size = file.read(SMALL), file.seek(0, os.SEEK_END)
            file.seek(max(size - 1, 0))
            last = file.read(1)
    except OSError:
        return FileGlance(0, None, False, b"")
    beginning, tabs = content[:GLANCE], content.count(b"\t") if size <= SMALL else 0
    compression = next((name for mark, name in COMPRESSIONS.items() if beginning.startswith(mark)), None)
    if compression:
        return FileGlance(size, compression, True, b"")
    format_ = guess(beginning.decode("utf-8", errors="replace"))
    return FileGlance(size, format_, last == b"\n", beginning.partition(b"\n")[0], tabs)


def check_many_files(request: Request, corpora: Sequence[Corpus], *, keep_going: bool) -> None:
    """Read the files that look unlike the others before all others: most faults are in these.

    Unless files with faults are left out: then only refuse to do so where all are scored together.
    """
    if keep_going:
        check_keeping_going(request)
        return
    for corpus in corpora:
        for number in sorted(unusual(corpus.files)):
            for _ in iter_rows(request, [corpus.part([corpus.files[number]])]):
                pass


def unusual(pairs: Sequence[Files]) -> list[int]:
    """The numbers of the pairs that look unlike most, the oddest first, up to a share of all bytes."""
    glances = [(glance_at(pair.key), glance_at(pair.response)) for pair in pairs]
    sizes = [key.size + response.size for key, response in glances]
    ratios = [response.size / key.size if key.size else 0 for key, response in glances]
    kinds = [
        (
            *(key.format, response.format, key.is_whole, response.is_whole),
            *(key.first_line == response.first_line, key.tabs == response.tabs),
        )
        for key, response in glances
    ]
    often, usual = Counter(kinds), sorted(ratios)[len(ratios) // 2]

    def oddness(number: int) -> float:
        if not ratios[number]:
            return math.inf
        rare = often.most_common(1)[0][1] / often[kinds[number]]
        change = ratios[number] / usual if usual else 1
        return max(rare if rare >= RARE else 0, *(times if times > UNUSUAL else 0 for times in (change, 1 / change)))

    odd = {number: degree for number in range(len(pairs)) if (degree := oddness(number))}
    numbers, rest = [], sum(sizes) // SHARE
    for number in sorted(odd, key=lambda number: -odd[number]):
        rest -= sizes[number] if ratios[number] else 0
        if rest < 0:
            break
        numbers.append(number)
    return numbers


def score_each_file(
    request: Request,
    corpora: Sequence[Corpus],
    scorings: Sequence[Sequence[Scoring]],
    progress: Progress | None = None,
) -> None:
    """Score one file after the other; those with faults are left out, and the faults are kept in the corpora."""
    first = corpora[0]
    by_key = [{files.key: files for files in corpus.files} for corpus in corpora]
    for number, files in enumerate(first.files):
        if first.chunk.ends_before(number):
            break
        parts = [corpus.part([pairs[files.key]]) for corpus, pairs in zip(corpora, by_key, strict=True)]
        parts[0].names_seen = first.names_seen
        if not first.chunk.holds_beginning(number):
            parts[0].chunk = NAMES_ONLY
            with suppress(InputError):  # of which another process tells
                next(iter_aligned(parts), None)
            continue
        if progress:
            progress(number, len(first.files), files.name)
        of_file = [[scoring.another() for scoring in of_corpus if scoring.another] for of_corpus in scorings]
        try:
            process(iter_rows(request, parts), [part.warnings for part in parts], of_file)
        except InputError as fault:
            for corpus in corpora:
                corpus.missing[files.key] = fault
            continue
        for corpus, part, of_corpus, of_part in zip(corpora, parts, scorings, of_file, strict=True):
            corpus.merge(part.state)
            for scoring, other in zip(of_corpus, of_part, strict=True):
                scoring.merge(other)
        check_corpora(request, corpora)


def check_keeping_going(request: Request) -> None:
    """Refuse to leave files out where all are scored together."""
    if request.group:
        raise OptionError("keep_going cannot be combined with joined documents: entities reach over files")
    if request.options.baseline in BASELINES:
        raise OptionError(f"keep_going cannot be combined with the baseline {request.options.baseline}: name a file")
