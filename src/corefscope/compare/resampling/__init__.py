"""How sure a score is, and whether a difference is more than luck: resampling of documents.

Everything is made from the rows of counts that a report holds, by matrix products. A resample is a row of weights,
one for each document; all systems and metrics share it. ``docs/significance.md`` says what the results mean.
"""

from __future__ import annotations

from .outcome import DEFAULT, ENOUGH, FEW, Difference, Interval, Plan, PlanArguments, Results, Study, headline_of
from .paired import SIGNIFICANT, TESTS, holm, signed_rank
from .study import compare, intervals, study, use_resampler

__all__ = [
    "DEFAULT",
    "ENOUGH",
    "FEW",
    "SIGNIFICANT",
    "TESTS",
    "Difference",
    "Interval",
    "Plan",
    "PlanArguments",
    "Results",
    "Study",
    "compare",
    "headline_of",
    "holm",
    "intervals",
    "signed_rank",
    "study",
    "use_resampler",
]
