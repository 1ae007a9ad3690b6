"""Measures that are one number: κ, Rand, DMT and D-err

All are over one set of N mentions (missing and spurious mentions become singletons of the other side), with n
classes in the key, m in the response and Z pairs of classes that share mentions.

- ``kappa``: the κ of Passonneau (1997) for the links of MUC, after Krippendorff (1980). a = N − Z links are in
  both, b = N − m − a in the response only, c = N − n − a in the key only, d = N − 1 − a − b − c in neither;
  with T = N − 1, κ = (p − e)/(1 − e), p = (a + d)/T, e = ((a+b)(a+c) + (b+d)(c+d))/T². At most 1 but not
  bounded below: d is negative wherever the classes overlap in a cycle. 1 where e = 1, and for a single mention.
  (The paper's table has c and d swapped.) Documents are pooled by adding a, b, c, d and T.
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

Popescu-Belis (2000), also for the formulas of κ; Rand (1971).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import hypot

from ..core.metrics.base import (
    COUNTS_ENTITIES,
    COUNTS_LINKS,
    Conventions,
    Explanation,
    Metric,
    Scale,
    elementwise,
    rows,
)
from ..core.metrics.blanc import pairs
from ..core.numbers import Counts, Deviation, Numeric, Value, ratio, where
from ..core.table import Table
from .popescu_belis import all_classes, all_mentions, all_pieces

BarTerm = Callable[[Numeric, Numeric, Numeric, Numeric], Numeric]
"""A term of a bar of size profiles: its start and width, and the sizes of both sides."""


def _count_kappa(table: Table) -> Counts:
    mentions = all_mentions(table)
    links = _all_but_one(mentions)
    both = mentions - all_pieces(table)
    response_only = mentions - all_classes(table.T) - both
    key_only = mentions - all_classes(table) - both
    return both, response_only, key_only, links - both - response_only - key_only


@elementwise
def _score_kappa(counts: Counts, _: Conventions) -> Value:
    both, response_only, key_only, neither = counts
    links = sum(counts)
    agreed = (both + neither) * links
    by_chance = (both + response_only) * (both + key_only) + (response_only + neither) * (key_only + neither)
    return Value(ratio(agreed - by_chance, links * links - by_chance, 1.0))


def _count_rand(table: Table) -> Counts:
    total, together = pairs(all_mentions(table)), table.pairs_in_cells()
    apart = total - table.pairs_in_entities() - table.T.pairs_in_entities() + together
    return together + apart, total


@elementwise
def _score_rand(counts: Counts, _: Conventions) -> Value:
    return Value(ratio(counts[0], counts[1], 1.0))


def _all_but_one(mentions: int) -> int:
    """N − 1, and 0 for none."""
    return where(mentions > 0, mentions - 1, 0)


def _count_dmt(table: Table) -> Counts:
    (distance,) = table.over_profiles(lambda _start, width, key, response: width * abs(key - response))
    return distance, 2 * _all_but_one(all_mentions(table))


@elementwise
def _score_dmt(counts: Counts, _: Conventions) -> Value:
    return Value(1 - ratio(counts[0], counts[1]))


def _surplus(_: Numeric, width: Numeric, more: Numeric, less: Numeric) -> Numeric:
    """The size by which one side exceeds the other."""
    return where(more > less, width * (more - less), 0)


SURPLUS: tuple[BarTerm, ...] = (
    _surplus,
    lambda start, width, more, less: _surplus(start, width, more, less) * (2 * start + width - 1),
    lambda start, width, more, less: _surplus(start, width, more, less) * (more + less),
)
"""Terms of bars: the surplus of the key; it times twice its position, and times twice its height.

Their sums have the centroid of the surplus; that of the response with the sides swapped.
"""


def _count_d_err(table: Table) -> Counts:
    *sums, classes = table.over_profiles(*SURPLUS, *map(_swapped, SURPLUS), lambda _start, width, _key, _r: width)
    key_x, key_y = centroid(*sums[:3])
    response_x, response_y = centroid(*sums[3:])
    box = _hypot(all_mentions(table), classes - 1)
    magnitude = ratio(_hypot(key_x - response_x, key_y - response_y), box)
    return magnitude, 1, where(key_x < response_x, 1, 0), where(key_x > response_x, 1, 0)


def _swapped(term: BarTerm) -> BarTerm:
    return lambda start, width, key, response: term(start, width, response, key)


def centroid(surplus: Numeric, position: Numeric, height: Numeric) -> tuple[Numeric, Numeric]:
    """The mean position and the mean height of a surplus."""
    return ratio(position, 2 * surplus), ratio(height, 2 * surplus)


def _hypot(x: Numeric, y: Numeric) -> Numeric:
    """√(x² + y²), of numbers or of arrays."""
    if not getattr(x, "shape", ()):
        return hypot(x, y)
    import numpy as np

    return np.array(list(map(hypot, x.tolist(), y.tolist())))


@elementwise
def _score_d_err(counts: Counts, _: Conventions) -> Deviation:
    magnitude, documents, recall, precision = counts
    direction = where(recall > precision, "r", where(precision > recall, "p", ""))
    return Deviation(ratio(magnitude, documents), direction)


_row = partial(Metric, cite="popescu-belis-2000", reads="partition", definition=__doc__)

KAPPA = _row(
    *("kappa", "κ", "agreement on links beyond chance"),
    cite=("passonneau-1997", "krippendorff-1980", "popescu-belis-2000"),
    fields=("links_both", "links_response_only", "links_key_only", "links_neither"),
    explanation=Explanation("entities.kappa"),
    counts=_count_kappa,
    score=_score_kappa,
    scale=Scale((float("-inf"), 1.0)),
    resampling=COUNTS_LINKS,
)
RAND = _row(
    *("rand", "Rand", "share of the pairs of mentions about which both sides agree"),
    cite="rand-1971",
    fields=("pairs_agreed", "pairs"),
    explanation=Explanation("entities.rand"),
    counts=_count_rand,
    score=_score_rand,
    resampling=COUNTS_LINKS,
)
DMT = _row(
    *("dmt", "DMT", "similarity of the size profiles of both sides"),
    fields=("distance", "largest_distance"),
    explanation=Explanation("entities.dmt"),
    counts=_count_dmt,
    score=_score_dmt,
    resampling=COUNTS_ENTITIES,
)
D_ERR = _row(
    *("d_err", "D-err (reconstructed)"),
    "kind of error that the size profiles suggest: r(ecall) or p(recision); magnitude reconstructed",
    fields=("magnitude", "documents", "recall_errors", "precision_errors"),
    explanation=Explanation("entities.d_err"),
    counts=_count_d_err,
    score=_score_d_err,
    scale=Scale(perfect=0.0),
    note="the magnitude is reconstructed: the paper prints values but no formula",
    resampling=COUNTS_ENTITIES,
)
ROWS = rows(KAPPA, DMT, D_ERR, RAND)
