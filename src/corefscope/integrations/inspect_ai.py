"""A scorer for inspect_ai, which compares the clusters in the output of a model with those of the target.

``coref()`` scores each sample; ``pooled()`` is the score of all samples together, computed from their counts. It
differs from the mean over samples, which is reported as well.
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
"""From an answer to clusters; raises ValueError if there are none."""
MOST_BRACKETS = 1000
"""Maximum number of brackets that are tried as the beginning of the clusters."""
METADATA = "corefscope"
"""The key of the counts in the metadata of a score."""


def clusters_of_json(text: str) -> list[list[Any]]:
    """The first list of lists in a text: clusters of ids, or of spans ``[start, end]``; other text is ignored.

    >>> clusters_of_json('Here you are: [["m1", "m3"], ["m2"]]')
    [['m1', 'm3'], ['m2']]
    """
    decoder = json.JSONDecoder()
    for start in islice(re.finditer(r"\[", text), MOST_BRACKETS):
        try:
            clusters, _ = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            continue
        if all(isinstance(cluster, list) for cluster in clusters):
            return [cluster for cluster in clusters if cluster]
    raise InputError("no clusters in the answer", hint='clusters are JSON, such as [["m1", "m3"], ["m2"]]')


@metric
def pooled() -> Metric:
    """The scores of all samples together: ``conll/f1`` and so on."""

    def scores_of(scores: list[SampleScore]) -> Any:
        metadata = [(sample.score.metadata or {}).get(METADATA) for sample in scores]
        scored = [each for each in metadata if each]
        if not scored:
            return {}
        rows = {str(number): tuple(map(tuple, each["counts"])) for number, each in enumerate(scored)}
        return Scorer(**scored[0]["options"]).report().with_rows(rows).to_flat_dict()

    return scores_of


@scorer(metrics=[pooled(), mean(), stderr()])
def coref(read: Reader = clusters_of_json, **options: Any) -> InspectScorer:
    """Score the clusters that ``read`` finds in an answer against those of the target.

    An answer that cannot be read counts as one without clusters, and the explanation gives the reason. Options are
    those of :class:`corefscope.Scorer`. The value of a sample is F1 of the last metric, by default CoNLL.
    """

    async def score(state: TaskState, target: Target) -> Score:
        scorer_of_sample = Scorer(**options)
        answer, problem = state.output.completion, ""
        key = read(target.text)
        try:
            scorer_of_sample.add(key, read(answer))
        except ValueError as error:
            scorer_of_sample.add(key, [])
            problem = f"{error}; scored as an answer without clusters"
        report = scorer_of_sample.report()
        *_, name = report
        (row,) = report.rows.values()
        metadata = {METADATA: {"signature": report.signature, "options": options, "counts": row}}
        explanation = problem or repr(report)
        return Score(value=headline(report[name]), answer=answer, explanation=explanation, metadata=metadata)

    return score
