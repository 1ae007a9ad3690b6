"""How the coherence of metrics is laid out."""

from __future__ import annotations

from ...count.metrics import METRICS
from ...study.criteria import CRITERIA, Criteria
from ..layout import Block, Layout, Sheet, Text
from ..text import percent
from .score import titles

HEADS = [row.number for row in CRITERIA.values()]


def lay_out(result: Criteria, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """What the criteria are, which metric keeps to which, who is never below whom, and the witnesses."""
    legend = [f"  {row.number}: {row.title}" for row in CRITERIA.values()]
    rows = [
        [METRICS[name].title, *("yes" if finding.holds else "no" for finding in result.findings[name].values())]
        for name, *_ in result.same
    ]
    blocks: list[Block] = [
        Text(["Coherence criteria (Popescu-Belis 2000), by their numbers; F1 or value", *legend]),
        Sheet.of(["", *HEADS], rows, left=1 + len(HEADS)),
        *_same(result),
        Text(_orders(result)),
        Sheet.of(["Witness", "", "key", "response", "score"], _witnesses(result), left=4, whole=True),
    ]
    notes = [
        f"all {result.pairs:,} kinds of pairs of partitions of up to {result.mentions} mentions that both sides have",
        f"(6) was tried on {result.larger_pairs:,} larger pairs, too; that there is no counterexample is no proof",
        "where (5) says no, 0 is never scored, and (3) holds of itself",
        "1 is perfect; of an error measure, 1 minus its value is looked at",
    ]
    return Layout(blocks, [result.signature], notes, "Coherence criteria")


def _same(result: Criteria) -> list[Block]:
    """Metrics that go by one name in the tables, if there are any."""
    several = [f"  {', '.join(titles(group))}" for group in result.same if len(group) > 1]
    return [Text(["The same on one set of mentions:", *several])] if several else []


def _orders(result: Criteria) -> list[str]:
    """Relative indulgence."""
    if not result.orders:
        return ["(6) no metric is always at least as indulgent as another"]
    pairs = [f"  {METRICS[more].title} ≥ {METRICS[less].title}" for more, less in result.orders]
    return ["(6) always at least as indulgent, as far as was tried; no other two metrics are ordered:", *pairs]


def _witnesses(result: Criteria) -> list[list[str]]:
    """The smallest pair that breaks a criterion; for (5), the smallest that scores 0."""
    rows = []
    for name, *_ in result.same:
        for criterion, finding in result.findings[name].items():
            if finding.witness:
                key, response, score = finding.witness
                rows.append([METRICS[name].title, CRITERIA[criterion].number, key, response, percent(score)])
    return rows
