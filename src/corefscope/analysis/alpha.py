"""Krippendorff's α for chains: α = 1 − D_o/D_e, the observed and the expected disagreement

The label that an annotator gives to a mention is the set of mentions of its chain, {the mention} if it is alone
(Passonneau 2004). Two labels of k and r mentions that share n have the distance

- Passonneau: 0 if they are equal, 1/3 if one contains the other, 2/3 if they overlap otherwise, 1 if n = 0
- Jaccard: 1 − n/(k + r − n)
- MASI (Passonneau 2006): 1 − n/(k + r − n) · M, where M is 1, 2/3, 1/3 and 0 in the cases of Passonneau's distance

A mention that an annotator has not marked has the label "unmarked", at distance 1 from all others and 0 from itself;
or no label, if such mentions are skipped. With m_u labels of mention u, N = Σ m_u over mentions with two labels or
more,

    N · D_o = Σ_u Σ_{labels a ≠ b of u} δ(a, b) / (m_u − 1)
    N · D_e = Σ_{a ≠ b of all N labels} δ(a, b) / (N − 1)

both within a document, and added up over documents. Mentions of different documents are never in one chain, so labels
of other documents are no chance agreement. If D_e is 0, there is no value: all labels are the same.

Intervals are percentiles over resampled documents; of fewer than six documents, over resampled mentions, with D_e as
it is. The sums run over the cells (n, k, r) of two annotators, not over pairs of labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import permutations
from math import fsum
from typing import NamedTuple

from ..comparison.resampling import FEW
from ..core.document import Document, Mention
from ..core.errors import Warnings
from ..core.matching.alignment import Side
from ..core.matching.transform import SAME_WORDS
from ..core.options import Options
from ..core.pipeline import Scoring
from ..measures.sampled_key import bootstrap_intervals

Labels = Mapping[Hashable, int]
"""The chain of each mention that an annotator has marked in a document."""
Distance = Callable[[int, int, int], float]
"""δ of two labels of k and r mentions that share n, at least one."""
UNMARKED: dict[str, str] = {
    "class": "is a label of its own",
    "skip": "is no label",
}
"""What it is that an annotator has not marked a mention."""


def passonneau(n: int, k: int, r: int) -> float:
    """0, 1/3, 2/3 or 1."""
    return 0 if n == k == r else 1 / 3 if n in (k, r) else 2 / 3


def jaccard(n: int, k: int, r: int) -> float:
    """1 − n/(k + r − n)"""
    return 1 - n / (k + r - n)


def masi(n: int, k: int, r: int) -> float:
    """1 − J·M, with M = 1 − Passonneau's distance."""
    return 1 - n / (k + r - n) * (1 - passonneau(n, k, r))


DISTANCES: dict[str, tuple[str, Distance]] = {
    "passonneau": ("Passonneau", passonneau),
    "jaccard": ("Jaccard", jaccard),
    "masi": ("MASI", masi),
}
"""The distances between labels, with their titles."""


class Alpha(NamedTuple):
    """α by one distance; None where there is no value."""

    alpha: float | None
    low: float | None
    high: float | None
    """The ends of the 95 % interval."""
    observed: float | None
    """D_o"""
    expected: float | None
    """D_e"""


class DocumentDisagreement(NamedTuple):
    """The sums of one document."""

    observed: list[tuple[float, int]]
    """Of each mention what it adds to N · D_o, and how many labels it has."""
    expected: float
    """N · D_e"""

    @property
    def total(self) -> float:
        """N · D_o"""
        return fsum(part for part, _ in self.observed)


def disagreement(labels: Sequence[Labels], distance: Distance, unmarked: str) -> DocumentDisagreement:
    """The sums of a document, from the labels of each annotator."""
    sizes = [Counter(chains.values()) for chains in labels]
    units = dict.fromkeys(mention for chains in labels for mention in chains)
    cells = Counter(
        ((i, labels[i][unit]), (j, labels[j][unit]))
        for i, j in permutations(range(len(labels)), 2)
        for unit in labels[i]
        if unit in labels[j]
    )
    apart = {
        (one, other): distance(n, sizes[one[0]][one[1]], sizes[other[0]][other[1]])
        for (one, other), n in cells.items()
    }
    observed = []
    used: Counter[tuple[int, int]] = Counter()
    for unit in units:
        given = [(i, chains[unit]) for i, chains in enumerate(labels) if unit in chains]
        count = len(labels) if unmarked == "class" else len(given)
        if count > 1:
            used.update(given)
            disagreeing = fsum(apart[pair] for pair in permutations(given, 2))
            disagreeing += 2 * len(given) * (count - len(given))
            observed.append((disagreeing / (count - 1), count))
    total, marked = sum(count for _, count in observed), sum(used.values())
    alike = sum(count * count for count in used.values())
    alike_others = fsum(used[one] * used[other] * (1 - value) for (one, other), value in apart.items())
    expected = marked * marked - alike - alike_others + 2 * marked * (total - marked)
    return DocumentDisagreement(observed, max(0.0, expected) / (total - 1) if total > 1 else 0.0)


def alphas(documents: Iterable[Sequence[Labels]], unmarked: str) -> dict[str, Alpha]:
    """α by each distance, of the labels of all annotators in each document."""
    documents = list(documents)
    return {
        name: _alpha([disagreement(labels, distance, unmarked) for labels in documents])
        for name, (_, distance) in DISTANCES.items()
    }


def _alpha(parts: Sequence[DocumentDisagreement]) -> Alpha:
    count = sum(labels for part in parts for _, labels in part.observed)
    observed, expected = fsum(part.total for part in parts), fsum(part.expected for part in parts)
    if not count:
        return Alpha(None, None, None, None, None)
    if expected <= 1e-12 * count:  # of floats that cancel out
        return Alpha(None, None, None, observed / count, 0.0)
    rows = Counter((part.total, part.expected) for part in parts)
    if len(parts) < FEW:  # mentions are resampled
        rows = Counter((value, expected / count * labels) for part in parts for value, labels in part.observed)
    kinds = sorted(rows)
    ((low, high),) = bootstrap_intervals(kinds, [rows[kind] for kind in kinds])
    ends = (None, None) if low is None or high is None else (1 - high, 1 - low)
    return Alpha(1 - observed / expected, ends[0], ends[1], observed / count, expected / count)


class LabelScoring(Scoring):
    """A scoring that also keeps the chain of each mention, of both sides."""

    def __init__(self, options: Options, metrics: Sequence[str]) -> None:
        super().__init__(options, metrics)
        self.labels: dict[str, tuple[Labels, Labels]] = {}
        """By document."""
        self.is_too_large: bool = False
        """Whether a document is so large that its mentions were not made."""

    def process(self, key: Document, response: Document, warnings: Warnings | None) -> None:
        """Score one document, and keep the chains of its mentions."""
        if self.score_ids(key, response) is not None:
            self.is_too_large = True
            return
        alignment, _ = self.score(key, response, warnings)
        by_head = self.options.match == "head"
        self.labels[key.id] = _labels(alignment.key, by_head), _labels(alignment.response, by_head)


def _labels(side: Side, by_head: bool) -> Labels:
    """The chain of each mention, by its words; or by its head, and by which mention with this head it is."""
    if not by_head:
        return dict(zip(map(SAME_WORDS, side.mentions), side.owner, strict=True))
    seen: Counter[int] = Counter()
    labels: dict[Hashable, int] = {}
    in_order: list[tuple[Mention, int]] = sorted(
        zip(side.mentions, side.owner, strict=True), key=lambda one: one[0][:2]
    )
    for mention, owner in in_order:
        labels[mention.head, seen[mention.head]] = owner
        seen[mention.head] += 1
    return labels
