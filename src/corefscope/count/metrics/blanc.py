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
>>> score_clusters([["a", "b", "c"], ["d"]], [["b", "c"], ["d", "e"]])["blanc"].f1 == 17 / 35
True
"""

from __future__ import annotations

from typing import Any

from ...base.numbers import Counts, Score, mean, prf
from ..table import Contingency
from .base import Conventions, Metric


def pairs(k: Any) -> Any:
    """C2(k) = k(k − 1)/2"""
    return k * (k - 1) // 2


def _count(table: Contingency) -> Counts:
    back = table.T
    both = table.pairs_in_cells()
    key, response = table.pairs_in_entities(), back.pairs_in_entities()
    twins, twins_back = table.pairs_of_twins()
    return (
        both,
        key,
        response,
        pairs(table.cells.total) - twins - twins_back + both,
        pairs(table.total) - key,
        pairs(back.total) - response,
        table.mentions + table.response_mentions - 2 * table.matched,
    )


def components(counts: Counts) -> tuple[Score, Score]:
    """Recall, precision and F1 of coreference links, and those of non-coreference links."""
    both, key, response, neither, key_non, response_non, _ = counts
    return prf((both, key, both, response)), prf((neither, key_non, neither, response_non))


def named_components(counts: Counts) -> dict[str, Score]:
    """The scores of the two kinds of link, by name."""
    coreference, non_coreference = components(counts)
    return {"coreference_links": coreference, "non_coreference_links": non_coreference}


def mean_of_present(counts: Counts) -> Score:
    """The mean over the kinds of link that some side has; 0 if there are none."""
    _, key, response, _, key_non, response_non, _ = counts
    coreference, non_coreference = components(counts)
    present = []
    if key or response:
        present.append(coreference)
    if key_non or response_non:
        present.append(non_coreference)
    return _means(present)


def mean_of_key_links(counts: Counts) -> Score:
    """The mean over the kinds of link that the key has; 0 if it has none."""
    coreference, non_coreference = components(counts)
    present = [score for score, links in ((coreference, counts[1]), (non_coreference, counts[4])) if links]
    return _means(present)


def _means(scores: list[Score]) -> Score:
    return Score(
        mean(score.recall for score in scores),
        mean(score.precision for score in scores),
        mean(score.f1 for score in scores),
    )


def with_equal_mentions(counts: Counts) -> Score:
    """The same, but 1 if there are no links and no mention lacks its counterpart."""
    _, key, response, _, key_non, response_non, unmatched = counts
    if not (key or response or key_non or response_non):
        same = float(not unmatched)
        return Score(same, same, same)
    return mean_of_present(counts)


def _score(counts: Counts, conventions: Conventions) -> Score:
    return conventions.blanc(counts)


BLANC = Metric(
    name="blanc",
    title="BLANC",
    summary="mean of the scores of coreference links and of non-coreference links",
    cite="luo-2014",
    reads="table",
    fields=(
        "coreference_links_common",
        "coreference_links_key",
        "coreference_links_response",
        "non_coreference_links_common",
        "non_coreference_links_key",
        "non_coreference_links_response",
        "unmatched_mentions",
    ),
    count=_count,
    score=_score,
    definition=__doc__,
    components=named_components,
)
