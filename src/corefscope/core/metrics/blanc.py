"""BLANC: the mean of how well coreference links (C) and non-coreference links (N) are found

Within each side, C holds the pairs of mentions of one entity and N all other pairs of the document. For each of the
two, R = |key ∩ response| / |key|, P = |key ∩ response| / |response|, F their harmonic mean; BLANC's recall,
precision and F are the means of those of C and N (so F is not the harmonic mean of R and P).

From the table, with C2(x) = x(x−1)/2, and k', r' the numbers of mentions of an entity that have counterparts:
|C ∩ C| = Σ C2(n), |N ∩ N| = C2(Σn) − Σ C2(k') − Σ C2(r') + Σ C2(n).

Boundary cases, decided once on the pooled counts:

- a kind of link that neither side has is left out of the mean;
- under the rules of the CoNLL reference scorer, also one that the key lacks is left out;
- if neither side has any link at all, the score is 1 if the mentions are the same and 0 if not (Luo et al. 2014);
  CorefUD scorer 1.2 says 0 in either case.

Recasens and Hovy (2011); Luo et al. (2014) for mentions that differ.

>>> from corefscope import score_clusters
>>> score_clusters([["a", "b", "c"], ["d"]], [["b", "c"], ["d", "e"]])["blanc"].f1 - 17 / 35 < 1e-15
True
"""

from __future__ import annotations

from ..numbers import Counts, Numeric, Score, prf, ratio, where
from ..table import Table
from .base import COUNTS_LINKS, Conventions, Explanation, Metric, Scale, elementwise, rows


def pairs(k: Numeric) -> Numeric:
    """C2(k) = k(k − 1)/2"""
    return k * (k - 1) // 2


def _count(table: Table) -> Counts:
    back = table.T
    both = table.pairs_in_cells()
    key, response = table.pairs_in_entities(), back.pairs_in_entities()
    key_matched, response_matched = table.pairs_of_matched()
    return (
        both,
        key,
        response,
        pairs(table.common) - key_matched - response_matched + both,
        pairs(table.total) - key,
        pairs(back.total) - response,
        table.mentions + back.mentions - 2 * table.matched,
    )


def components(counts: Counts) -> dict[str, Score]:
    """The scores of the two kinds of link, by name."""
    both, key, response, neither, key_non, response_non, _ = counts
    return {
        "coreference_links": prf((both, key, both, response)),
        "non_coreference_links": prf((neither, key_non, neither, response_non)),
    }


def mean_of_present(counts: Counts) -> Score:
    """The mean over the kinds of link that some side has; 0 if there are none."""
    _, key, response, _, key_non, response_non, _ = counts
    return mean_of_kinds(counts, (key != 0) | (response != 0), (key_non != 0) | (response_non != 0))


def mean_of_kinds(counts: Counts, has_coreference: bool, has_non_coreference: bool) -> Score:
    """The mean over the kinds of link that count; 0 if none does."""
    kinds = where(has_coreference, 1, 0) + where(has_non_coreference, 1, 0)
    figures = zip(*components(counts).values(), strict=True)
    sums = [where(has_coreference, one, 0) + where(has_non_coreference, other, 0) for one, other in figures]
    return Score(*[ratio(total, kinds) for total in sums])


def with_equal_mentions(counts: Counts) -> Score:
    """The same, but 1 if there are no links and no mention lacks its counterpart."""
    _, key, response, _, key_non, response_non, unmatched = counts
    no_links = key + response + key_non + response_non == 0
    same_mentions = ratio(0, unmatched, 1.0)
    return Score(*[where(no_links, same_mentions, figure) for figure in mean_of_present(counts)])


def _defines_nothing(conventions: Conventions) -> bool:
    """Whether the score without links is that of boundary case 1 of Luo et al. (2014)."""
    return conventions.blanc is with_equal_mentions


@elementwise
def _score(counts: Counts, conventions: Conventions) -> Score:
    return conventions.blanc(counts)


BLANC = Metric(
    name="blanc",
    title="BLANC",
    summary="mean of the scores of coreference links and of non-coreference links",
    cite=("recasens-2011", "luo-2014"),
    definition=__doc__,
    fields=(
        "coreference_links_common",
        "coreference_links_key",
        "coreference_links_response",
        "non_coreference_links_common",
        "non_coreference_links_key",
        "non_coreference_links_response",
        "unmatched_mentions",
    ),
    counts=_count,
    score=_score,
    scale=Scale(defines_nothing=_defines_nothing),
    resampling=COUNTS_LINKS,
    explanation=Explanation("mentions.blanc", components),
)
ROWS = rows(BLANC)
