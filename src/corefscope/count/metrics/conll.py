"""CoNLL: (F_MUC + F_B³ + F_CEAFe) / 3

The score that ranks systems: the mean of three unrounded F1 scores. It has no recall and precision.

Pradhan et al. (2011).

>>> from corefscope import score_clusters
>>> round(score_clusters([["a", "b", "c"]], [["a", "b"], ["c"]], metrics="conll")["conll"].f1, 4)
0.6381
"""

from __future__ import annotations

from ...base.numbers import F1, Counts, Score, mean
from .base import Conventions, Metric, elementwise


def _no_counts(_: object) -> Counts:
    return ()


@elementwise
def _mean_of_parts(parts: list[Score], _: Conventions) -> F1:
    return F1(mean(part.f1 for part in parts))


CONLL = Metric(
    name="conll",
    aliases=("conll_f1", "conll-f1", "conll_score", "avg_f1", "average"),
    title="CoNLL",
    summary="mean of the F1 of MUC, B³ and CEAFe: what shared tasks rank by",
    cite="pradhan-2011",
    definition=__doc__,
    reads="scores",
    fields=(),
    counts=_no_counts,
    score=_mean_of_parts,
    parts=("muc", "bcub", "ceafe"),
    headline=True,
)
