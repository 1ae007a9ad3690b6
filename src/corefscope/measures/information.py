"""H: R = 1 − H(R|K)/H(R), P = 1 − H(K|R)/H(K)

The entropies of the two partitions and of each given the other, over one set of mentions (missing and spurious
mentions become singletons of the other side). Recall asks how much of the response is known once the key is,
precision the reverse; the base of the logarithm does not matter. A side that is a single class has no entropy:
then 0/0 is 1. Precision is known as homogeneity, recall as completeness, and F1 as the V-measure of clustering
(Rosenberg and Hirschberg 2007).

From the table: N·H(R|K) = Σ k log k − Σ n log n, N·H(R) = N log N − Σ r log r; what is added by completing the
table is 1 log 1 = 0. Documents are pooled by adding N·H of each of the four entropies; joining documents into
one partition instead would inflate the score.

Popescu-Belis (2000).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from ..core.metrics.base import Conventions, Explanation, Metric, Resampling, elementwise, rows
from ..core.numbers import Counts, Numeric, Score, ratio
from ..core.table import Table, Term
from .popescu_belis import all_mentions, one_if_nothing


@lru_cache
def _in_cells(n_log_n: Callable[[Numeric], Numeric]) -> Term:
    """The term n log n: one and the same for all tables of a kind, so that its values can be remembered."""
    return lambda n, _k, _r: n_log_n(n)


def log_sums(table: Table) -> tuple[Numeric, Numeric, Numeric]:
    """Σ k log k, Σ r log r and Σ n log n"""
    n_log_n = table.n_log_n
    key, response = table.over_entities(n_log_n), table.T.over_entities(n_log_n)
    return key, response, table.over_cells(_in_cells(n_log_n))


def _count(table: Table) -> Counts:
    mentions = all_mentions(table)
    whole = table.n_log_n(mentions)
    key, response, joint = log_sums(table)
    return whole - response, key - joint, whole - key, response - joint, mentions


@elementwise
def _score(counts: Counts, conventions: Conventions) -> Score:
    response, response_given_key, key, key_given_response, _ = counts
    return one_if_nothing((response - response_given_key, response, key - key_given_response, key), conventions)


def _entropies(counts: Counts) -> dict[str, float]:
    response, response_given_key, key, key_given_response, mentions = counts
    return {
        "H(key)": ratio(key, mentions),
        "H(response)": ratio(response, mentions),
        "H(response|key)": ratio(response_given_key, mentions),
        "H(key|response)": ratio(key_given_response, mentions),
    }


ENTROPY = Metric(
    name="entropy",
    aliases=("v_measure", "v-measure", "vmeasure"),
    hints=("h",),
    title="H",
    summary="how much of one partition's entropy the other explains (V-measure)",
    cite=("popescu-belis-2000", "rosenberg-2007"),
    definition=__doc__,
    reads="partition",
    fields=(
        "response_entropy",
        "response_entropy_given_key",
        "key_entropy",
        "key_entropy_given_response",
        "mentions",
    ),
    counts=_count,
    score=_score,
    resampling=Resampling(reason="depends on how many mentions the whole document has"),
    explanation=Explanation("entities.entropy", _entropies),
)
ROWS = rows(ENTROPY)
