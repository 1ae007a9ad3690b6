"""A large corpus read and scored in several processes, to the same bits as in one.

Every process reads a chunk of the documents, this one the first. What others find (rows of counts, warnings, how
much was read) is added in the order of the documents, as if it had been found here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from ..base.errors import Warnings
from ..base.processes import DeadWorkerError, how_many, side_by_side
from ..count.baselines import BASELINES
from ..read.corpus import WHOLE, Chunk, Corpus, CorpusState, chunks
from ..read.source import read_once
from .files import look_at
from .request import Opened, Request
from .scoring import Scoring

Ways = Sequence[Sequence[Callable[[], Scoring]]]
"""For each corpus what makes its scorings."""
Findings = list[tuple[CorpusState, list[Scoring]]]
"""For each corpus what was read, and its scorings."""


def divided(request: Request, corpora: Sequence[Corpus], jobs: int | None) -> list[Chunk]:
    """What each process reads; everything, if it must be one."""
    count = how_many(jobs)
    together = (
        request.group  # joined documents are in memory together
        or request.has_predicate  # which other processes may not know
        or request.options.baseline in BASELINES  # which is drawn, one document after the other
        or read_once(request.baseline)
        or not all(os.path.isfile(path) for corpus in corpora for path in corpus.paths)
    )
    return [WHOLE] if together else chunks([files.key for files in corpora[0].files], count)


def score_side_by_side(opened: Opened, corpora: Sequence[Corpus], scorings: Sequence[Sequence[Scoring]]) -> None:
    """Score the first chunk here, and the others in processes; if one of them dies, its chunk here, too."""
    sides = [corpora[0].inputs[0].name, *(corpus.inputs[1].name for corpus in opened.corpora)]
    ways = [[scoring.another for scoring in several if scoring.another] for several in scorings]
    orders = [(opened.asked, sides, chunk, ways) for chunk in opened.others]
    with side_by_side(len(orders)) as pool:
        tasks = [pool.submit(score_chunk, *order) if pool else None for order in orders]
        look_at(opened.rows, corpora, scorings)
        for order, task in zip(orders, tasks, strict=True):
            try:
                findings = task.result() if task else score_chunk(*order)
            except DeadWorkerError:
                findings = score_chunk(*order)
            for corpus, several, (read, found) in zip(corpora, scorings, findings, strict=True):
                corpus.merge(read)
                for scoring, of_share in zip(several, found, strict=True):
                    scoring.merge(of_share)
            opened.asked.check_corpora(opened.corpora)


def score_chunk(request: Request, sides: Sequence[str], chunk: Chunk, ways: Ways) -> Findings:
    """Score the documents of one chunk: in another process, or here."""
    key, *responses = sides
    corpora = [request.corpus(key, response, Warnings()) for response in responses] + request.baseline_corpus(key)
    corpora[0].chunk = chunk
    scorings = [[make() for make in several] for several in ways]
    look_at(request.rows(corpora), corpora, scorings)
    return [(corpus.state, several) for corpus, several in zip(corpora, scorings, strict=True)]
