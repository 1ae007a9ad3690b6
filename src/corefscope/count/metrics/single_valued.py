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

from bisect import bisect_left
from functools import partial
from itertools import accumulate
from math import hypot

from ...base.numbers import Counts, Deviation, Value, in_order, ratio, where
from ..table import Table
from .base import Conventions, Metric, elementwise
from .blanc import pairs
from .by_mention import COUNTS_ENTITIES, COUNTS_LINKS
from .popescu_belis import all_classes, all_mentions, all_pieces


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
    total = pairs(all_mentions(table))
    together = table.pairs_in_cells()
    apart = total - table.pairs_in_entities() - table.T.pairs_in_entities() + together
    return together + apart, total


@elementwise
def _score_rand(counts: Counts, _: Conventions) -> Value:
    return Value(ratio(counts[0], counts[1], 1.0))


def _all_but_one(mentions: int) -> int:
    """N − 1, and 0 for none."""
    return where(mentions > 0, mentions - 1, 0)


Bar = tuple[int, int, int, int]
"""Neighbours in the size profiles: index of the first, how many, their size in the key, in the response."""


def profiles(table: Table) -> list[Bar]:
    """The sizes of both sides, largest first, side by side; 0 where one side has no more classes."""
    sides = _size_by_end(table, table.T.missing), _size_by_end(table.T, table.missing)
    (key_ends, key_sizes), (response_ends, response_sizes) = (([*side], [*side.values(), 0]) for side in sides)
    bars: list[Bar] = []
    start = 0
    for end in sorted({*key_ends, *response_ends}):
        sizes = key_sizes[bisect_left(key_ends, end)], response_sizes[bisect_left(response_ends, end)]
        bars.append((start, end - start, *sizes))
        start = end
    return bars


def _size_by_end(table: Table, singletons: int) -> dict[int, int]:
    """How many classes there are of a size or larger → the size; with the singletons that complete the table."""
    sizes = {**table.sizes()}
    if singletons:
        sizes[1] = sizes.get(1, 0) + singletons
    largest_first = sorted(sizes, reverse=True)
    return dict(zip(accumulate([sizes[size] for size in largest_first]), largest_first, strict=True))


def _count_dmt(table: Table) -> Counts:
    distance = in_order(width * abs(key - response) for _, width, key, response in profiles(table))
    return distance, 2 * _all_but_one(all_mentions(table))


@elementwise
def _score_dmt(counts: Counts, _: Conventions) -> Value:
    return Value(1 - ratio(counts[0], counts[1]))


def _count_d_err(table: Table) -> Counts:
    bars = profiles(table)
    key_x, key_y = centroid([bar for bar in bars if bar[2] > bar[3]])
    response_x, response_y = centroid([bar for bar in bars if bar[2] < bar[3]])
    box = hypot(all_mentions(table), sum(width for _, width, _, _ in bars) - 1)
    magnitude = ratio(hypot(key_x - response_x, key_y - response_y), box)
    return magnitude, 1, int(key_x < response_x), int(key_x > response_x)


def centroid(bars: list[Bar]) -> tuple[float, float]:
    """Of what one side has more than the other: the mean position, and the mean height."""
    weighed = [
        (width * abs(key - response), 2 * start + width - 1, key + response) for start, width, key, response in bars
    ]
    twice = 2 * in_order(surplus for surplus, _, _ in weighed)
    return (
        ratio(in_order(surplus * position for surplus, position, _ in weighed), twice),
        ratio(in_order(surplus * height for surplus, _, height in weighed), twice),
    )


@elementwise
def _score_d_err(counts: Counts, _: Conventions) -> Deviation:
    magnitude, documents, recall, precision = counts
    direction = where(recall > precision, "r", where(precision > recall, "p", ""))
    return Deviation(ratio(magnitude, documents), direction)


_row = partial(Metric, cite="popescu-belis-2000", reads="partition", definition=__doc__)

KAPPA = _row(
    *("kappa", "κ", "agreement on links beyond chance"),
    fields=("links_both", "links_response_only", "links_key_only", "links_neither"),
    working="agreement.kappa",
    counts=_count_kappa,
    score=_score_kappa,
    range=(float("-inf"), 1.0),
    by_mention=COUNTS_LINKS,
)
RAND = _row(
    *("rand", "Rand", "share of the pairs of mentions about which both sides agree"),
    cite="rand-1971",
    fields=("pairs_agreed", "pairs"),
    working="agreement.rand",
    counts=_count_rand,
    score=_score_rand,
    by_mention=COUNTS_LINKS,
)
DMT = _row(
    *("dmt", "DMT", "similarity of the size profiles of both sides"),
    fields=("distance", "largest_distance"),
    working="profiles.dmt",
    counts=_count_dmt,
    score=_score_dmt,
    by_mention=COUNTS_ENTITIES,
)
D_ERR = _row(
    *("d_err", "D-err (reconstructed)"),
    "kind of error that the size profiles suggest: r(ecall) or p(recision); magnitude reconstructed",
    fields=("magnitude", "documents", "recall_errors", "precision_errors"),
    working="profiles.d_err",
    counts=_count_d_err,
    score=_score_d_err,
    perfect=0.0,
    note="the magnitude is reconstructed: the paper prints values but no formula",
    by_mention=COUNTS_ENTITIES,
)
ROWS = (KAPPA, DMT, D_ERR, RAND)
