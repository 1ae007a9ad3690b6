"""Table of the metrics that satisfy the coherence criteria of Popescu-Belis (2000, section 3).

``docs/criteria.py`` computes it by brute force over all small pairs of partitions, and writes ``criteria.json``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from ..core.errors import OptionError
from ..core.metrics import METRICS, select
from ..core.result import Result
from ..core.version import SIGNATURE

SCHEMA = "corefscope-criteria-1"
TABLE = Path(__file__).with_suffix(".json")


class Criterion(NamedTuple):
    """One row of the catalogue."""

    name: str
    number: str
    """In the paper; halves of one criterion have a word more."""
    title: str


CRITERIA: dict[str, Criterion] = {
    row.name: row
    for row in (
        Criterion("upper-limit", "(1)", "perfect responses, and only they, score 1"),
        Criterion("zero-is-worst", "(3)", 'only "no resolution" and "all in one" score 0'),
        Criterion("no-resolution", "(4) alone", '"no resolution" (every mention alone) scores 0, unless it is right'),
        Criterion("all-in-one", "(4) one", '"all in one" (one class) scores 0, unless it is right'),
        Criterion("reaches-zero", "(5)", "some response scores 0 (or less)"),
    )
}


WORST = (
    'which responses are the worst, in (3) and (4), is for the evaluator to say; our choice is "no resolution" and'
    ' "all in one". With those of his proposition 11 (one class where the key has several, several where it has one,'
    " or classes independent of the key's), H fulfils (2) to (5), as its author says"
)


class Witness(NamedTuple):
    """A key, a response, and the score of the response; 1 is perfect."""

    key: str
    response: str
    score: float


class Finding(NamedTuple):
    """Whether a criterion holds, and the smallest pair that decides it."""

    holds: bool
    witness: Witness | None


class Criteria(Result):
    """The criteria that some metrics satisfy, and how these metrics are ordered."""

    NAMES: ClassVar[tuple[str, ...]] = ("metric", "criterion")

    signature: ClassVar[str] = SIGNATURE

    def __init__(self, names: Sequence[str], table: Mapping[str, Any]) -> None:
        """``table`` is the content of ``criteria.json``; ``names`` are metrics in it."""
        self.names: tuple[str, ...] = tuple(names)
        self.mentions: int = table["mentions"]
        """The largest number of mentions of which all pairs were tried."""
        self.pairs: int = table["pairs"]
        self.larger_pairs: int = table["larger_pairs"]
        """Pairs of more mentions, which can only break the order of metrics."""
        self.findings: dict[str, dict[str, Finding]] = {
            name: {
                criterion: Finding(row["holds"], Witness(**row["witness"]) if row["witness"] else None)
                for criterion, row in table["metrics"][name].items()
            }
            for name in names
        }
        """By metric and criterion."""
        firsts = {name: group[0] for group in table["same"] for name in group}
        groups: dict[str, list[str]] = {}
        for name in names:
            groups.setdefault(firsts.get(name, name), []).append(name)
        self.same: list[tuple[str, ...]] = [tuple(group) for group in groups.values()]
        """Metrics that are one metric on one set of mentions, together; each of the others alone."""
        ordered = {(order["more"], order["less"]) for order in table["orders"]}
        self.orders: list[tuple[str, str]] = [
            (groups[more][0], groups[less][0]) for more, less in permutations(groups, 2) if (more, less) in ordered
        ]
        """Pairs of metrics, by the first of those that are the same: the first is never below the second."""

    @property
    def summary(self) -> str:
        """The number of trials, and the metrics."""
        return f"of {len(CRITERIA)} criteria in {self.pairs} trials: {', '.join(self.names)}"

    def to_dict(self, per_document: bool = False) -> dict[str, object]:  # noqa: ARG002  (as all results have it)
        """As plain values."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "mentions": self.mentions,
            "pairs": self.pairs,
            "larger_pairs": self.larger_pairs,
            "criteria": {name: row.title for name, row in CRITERIA.items()},
            "worst": WORST,
            "metrics": {
                metric: {
                    name: {"holds": found.holds, "witness": found.witness._asdict() if found.witness else None}
                    for name, found in row.items()
                }
                for metric, row in self.findings.items()
            },
            "same": [list(group) for group in self.same if len(group) > 1],
            "orders": [{"more": more, "less": less} for more, less in self.orders],
        }

    def to_records(self, per_document: bool = False) -> list[dict[str, object]]:  # noqa: ARG002
        """One flat record for each metric and criterion."""
        return [
            {
                "metric": metric,
                "criterion": name,
                "holds": found.holds,
                **(found.witness._asdict() if found.witness else dict.fromkeys(Witness._fields)),
                "signature": self.signature,
            }
            for metric, row in self.findings.items()
            for name, found in row.items()
        ]


def applicable(metrics: str | Sequence[str]) -> list[str]:
    """The metrics among these that compare partitions; those that need words or ask for mentions are left out."""
    names = [
        name
        for name in select(metrics)
        if METRICS[name].scope.compares_entities and not METRICS[name].scope.needs_words
    ]
    if not names:
        raise OptionError("none of these metrics compares partitions, which is what the criteria are about")
    return names


def criteria(metrics: str | Sequence[str] = "all") -> Criteria:
    """The coherence criteria that metrics satisfy; metrics that need words or ask for mentions are left out.

    >>> found = criteria("muc,core,bcub")
    >>> found.orders, found.findings["bcub"]["reaches-zero"].holds
    ([('muc', 'core')], False)
    """
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    names = applicable(metrics)
    known = [name for name in names if name in table["metrics"]]
    if untried := [name for name in names if name not in known and (METRICS[name].parts or not known)]:
        message = f"the criteria were not tried with {', '.join(untried)}, only with the metrics of the catalogue"
        raise OptionError(f"{message}\n  hint: docs/criteria.py, in the repository, tries others")
    return Criteria(known, table)
