"""CoNLL: (F_MUC + F_B³ + F_CEAFe) / 3

The score that ranks systems: the mean of three unrounded F1 scores. It has no recall and precision.

Denis and Baldridge (2009); Pradhan et al. (2011, 2014).

>>> from corefscope import score_clusters
>>> round(score_clusters([["a", "b", "c"]], [["a", "b"], ["c"]], metrics="conll")["conll"].f1, 4)
0.6381
"""

from __future__ import annotations

from .b_cubed import B_CUBED
from .base import Scale, rows
from .ceaf import CEAFE
from .means import mean_of
from .muc import MUC

CONLL = mean_of(MUC, B_CUBED, CEAFE)._replace(
    name="conll",
    aliases=("conll_f1", "conll-f1", "conll_score", "conll_avg"),
    hints=("avg_f1", "average", "avg", "f1"),
    title="CoNLL",
    summary="mean of the F1 of MUC, B³ and CEAFe: what shared tasks rank by",
    cite=("denis-2009", "pradhan-2011", "pradhan-2014"),
    definition=__doc__,
    scale=Scale(headline=True),
)
ROWS = rows(CONLL)
