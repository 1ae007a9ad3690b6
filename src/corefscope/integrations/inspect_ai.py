"""A scorer for inspect_ai: what a model answers and the target are both read into clusters.

``coref()`` scores each sample; ``pooled()`` is the score of all samples together, made from their counts. The mean of
samples is another figure, and is given too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import islice
from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Score, Target, mean, metric, scorer, stderr
from inspect_ai.scorer import Scorer as InspectScorer
from inspect_ai.solver import TaskState

from ..core.clusters import Clusters, Scorer
from ..core.errors import InputError
from ..core.numbers import headline

Reader = Callable[[str], Clusters]
"""From an answer to clusters; raises ValueError if there are none to be read."""
TRIED = 1000
"""Brackets of an answer that may begin the clusters."""
ABOUT = "corefscope"
"""Where the metadata of a score has its counts."""


def clusters_of_json(text: str) -> list[list[Any]]:
    """The first list of lists in a text: clusters of ids, or of spans ``[start, end]``, whatever stands around them.

    >>> clusters_of_json('Here you are: [["m1", "m3"], ["m2"]]')
    [['m1', 'm3'], ['m2']]
    """
    decoder = json.JSONDecoder()
    for start in islice(re.finditer(r"\[", text), TRIED):
        try:
            found, _ = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            continue
        if all(isinstance(cluster, list) for cluster in found):
            return [cluster for cluster in found if cluster]
    raise InputError("there are no clusters in the answer", hint='clusters are JSON, such as [["m1", "m3"], ["m2"]]')


@metric
def pooled() -> Metric:
    """The scores of all samples together: ``conll/f1`` and so on."""

    def scores_of(scores: list[SampleScore]) -> Any:
        found = [sample.score.metadata[ABOUT] for sample in scores if ABOUT in (sample.score.metadata or {})]
        if not found:
            return {}
        rows = {str(number): tuple(map(tuple, each["counts"])) for number, each in enumerate(found)}
        return Scorer(**found[0]["options"]).report().with_rows(rows).to_flat_dict()

    return scores_of


@scorer(metrics=[pooled(), mean(), stderr()])
def coref(read: Reader = clusters_of_json, **options: Any) -> InspectScorer:
    """Scores the clusters that ``read`` finds in an answer against those of the target.

    An answer that cannot be read is one without clusters, and the explanation says why. Options are those of
    :class:`corefscope.Scorer`. The value of a sample is F1 of the last metric, CoNLL unless others are named.
    """

    async def score(state: TaskState, target: Target) -> Score:
        one = Scorer(**options)
        answer, problem = state.output.completion, ""
        key = read(target.text)
        try:
            one.add(key, read(answer))
        except ValueError as error:
            one.add(key, [])
            problem = f"{error}; scored as an answer without clusters"
        report = one.report()
        *_, name = report
        (row,) = report.rows.values()
        about = {"signature": report.signature, "options": options, "counts": row}
        explanation = problem or repr(report)
        return Score(value=headline(report[name]), answer=answer, explanation=explanation, metadata={ABOUT: about})

    return score
