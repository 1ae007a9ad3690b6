"""Measures that are one number: κ, Rand, DMT and D-err

All are over one set of N mentions (missing and spurious mentions become singletons of the other side), with n
classes in the key, m in the response and Z pairs of classes that share mentions.

- ``kappa``: Cohen's κ of the links of MUC. a = N − Z links are in both, b = N − m − a in the response only, c =
  N − n − a in the key only, d = N − 1 − a − b − c in neither; with T = N − 1, κ = (p − e)/(1 − e), p = (a +
  d)/T, e = ((a+b)(a+c) + (b+d)(c+d))/T². At most 1 but not bounded below: d is negative wherever the classes
  overlap in a cycle. 1 where e = 1, and for a single mention. (The paper's table has c and d swapped.)
  Documents are pooled by adding a, b, c, d and T.
- ``rand``: the Rand index, the share of the pairs of mentions about which key and response agree; 1 if there
  are none. (In Luo et al. (2014), equation 1, the denominator should be the number of links, not the pairs of
  links.)
- ``dmt``: 1 − Σ |k_(i) − r_(i)| / 2(N − 1), where the sizes of both sides are sorted and padded with 0: only
  the size profiles are compared. (The paper's definition divides by |E|, its example by 2(N − 1), which is
  right.) 1 for a single mention.
- ``d_err``: which kind of error a response of that profile tends to: with sizes sorted, x̄ is the mean position
  of the surplus of each side; the direction is ``r`` (recall errors) if the surplus of the key comes first,
  ``p`` (precision errors) if that of the response does. **The magnitude is reconstructed**: the paper prints
  values but no formula. Here it is the distance of the centroids of the two surpluses over √(N² + (L − 1)²), L
  the larger number of classes; it gives five of the six printed values (and 42 where the paper has 41). 0 is
  perfect. Documents: the mean magnitude, the commoner direction, and how often each occurs.

Popescu-Belis (2000); Rand (1971).
"""

from __future__ import annotations

from itertools import zip_longest
from math import hypot
from typing import Any

from ...base.numbers import Counts, Deviation, Value, ratio
from ..table import Contingency
from .base import Conventions, Metric
from .blanc import pairs
from .popescu_belis import Completed


def _count_kappa(table: Contingency) -> Counts:
    completed = Completed(table)
    links = max(completed.mentions - 1, 0)
    both = completed.mentions - completed.pieces
    response_only = completed.mentions - completed.response_classes - both
    key_only = completed.mentions - completed.classes - both
    return both, response_only, key_only, links - both - response_only - key_only


def _score_kappa(counts: Counts, _: Conventions) -> Value:
    both, response_only, key_only, neither = counts
    links = sum(counts)
    agreed = (both + neither) * links
    by_chance = (both + response_only) * (both + key_only) + (response_only + neither) * (key_only + neither)
    return Value(ratio(agreed - by_chance, links * links - by_chance, 1.0))


def _count_rand(table: Contingency) -> Counts:
    every = pairs(Completed(table).mentions)
    together = table.pairs_in_cells()
    apart = every - table.pairs_in_entities() - table.T.pairs_in_entities() + together
    return together + apart, every


def _score_rand(counts: Counts, _: Conventions) -> Value:
    return Value(ratio(counts[0], counts[1], 1.0))


def _profiles(table: Contingency) -> list[tuple[int, int]]:
    """The sizes of both sides, largest first, side by side; 0 where one side has no more classes."""
    key = table.sorted_sizes() + [1] * table.T.missing
    response = table.T.sorted_sizes() + [1] * table.missing
    return list(zip_longest(key, response, fillvalue=0))


def _count_dmt(table: Contingency) -> Counts:
    distance = sum(abs(k - r) for k, r in _profiles(table))
    return distance, max(2 * (Completed(table).mentions - 1), 0)


def _score_dmt(counts: Counts, _: Conventions) -> Value:
    return Value(1 - ratio(counts[0], counts[1]))


def _count_d_err(table: Contingency) -> Counts:
    profiles = _profiles(table)
    surplus = sum(k - r for k, r in profiles if k > r)
    if not surplus:
        return 0.0, 1, 0, 0

    def centroid(bars: list[tuple[int, int, int]]) -> tuple[float, float]:
        return (
            ratio(sum(at * (high - low) for at, high, low in bars), surplus),
            ratio(sum((high - low) * (high + low) for _, high, low in bars), 2 * surplus),
        )

    key_x, key_y = centroid([(at, k, r) for at, (k, r) in enumerate(profiles) if k > r])
    response_x, response_y = centroid([(at, r, k) for at, (k, r) in enumerate(profiles) if r > k])
    box = hypot(Completed(table).mentions, len(profiles) - 1)
    magnitude = ratio(hypot(key_x - response_x, key_y - response_y), box)
    return magnitude, 1, int(key_x < response_x), int(key_x > response_x)


def _score_d_err(counts: Counts, _: Conventions) -> Deviation:
    magnitude, documents, recall, precision = counts
    direction = "r" if recall > precision else "p" if precision > recall else ""
    return Deviation(ratio(magnitude, documents), direction)


def _row(name: str, title: str, summary: str, fields: tuple[str, ...], count: Any, score: Any, **more: Any) -> Metric:
    cite = more.pop("cite", "popescu-belis-2000")
    return Metric(name, title, summary, cite, "partition", fields, count, score, __doc__, **more)


KAPPA = _row(
    "kappa",
    "κ",
    "agreement on links beyond chance",
    ("links_both", "links_response_only", "links_key_only", "links_neither"),
    _count_kappa,
    _score_kappa,
    range=(float("-inf"), 1.0),
)
RAND = _row(
    "rand",
    "Rand",
    "share of the pairs of mentions about which both sides agree",
    ("pairs_agreed", "pairs"),
    _count_rand,
    _score_rand,
    cite="rand-1971",
)
DMT = _row(
    "dmt",
    "DMT",
    "similarity of the size profiles of both sides",
    ("distance", "largest_distance"),
    _count_dmt,
    _score_dmt,
)
D_ERR = _row(
    "d_err",
    "D-err (reconstructed)",
    "kind of error that the size profiles suggest: r(ecall) or p(recision); magnitude reconstructed",
    ("magnitude", "documents", "recall_errors", "precision_errors"),
    _count_d_err,
    _score_d_err,
    perfect=0.0,
    note="the magnitude is reconstructed: the paper prints values but no formula",
)
