"""Which metric keeps to the coherence criteria of Popescu-Belis (2000, section 3), found by brute force

Key and response are partitions of one set of mentions. All pairs of up to 6 mentions are tried, one of each kind:
pairs that differ in the names of mentions only score the same. The first that breaks a criterion is its witness, so
there is no smaller one. What holds for all of them may still fail for more mentions: that a metric is always at least
as indulgent as another is said only if larger pairs, too, give no counterexample.

Figures are floats. Those of so few mentions differ by 5e-6 or more if they differ, and rounding moves them by less
than 1e-12 (tests say so): what is closer than 1e-9 is equal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations
from typing import Any, ClassVar, NamedTuple

from ..base.errors import OptionError
from ..base.numbers import headline
from ..base.result import Result
from ..base.version import SIGNATURE
from ..count.metrics import METRICS, counted, select
from ..count.table import Contingency
from ..evaluate.results import Scores
from ..evaluate.rules import REFERENCE

SCHEMA = "corefscope-criteria-1"
LARGEST = 6  # mentions
EQUAL = 1e-9

Classes = tuple[tuple[int, ...], ...]


class Trial(NamedTuple):
    """A key, a response, and what each metric makes of them; 1 is perfect, also where a metric has it as 0."""

    key: Classes
    response: Classes
    figures: dict[str, float]

    @property
    def perfect(self) -> bool:
        """Whether the response is the key."""
        return {*self.key} == {*self.response}

    @property
    def unresolved(self) -> bool:
        """Whether it is "no resolution" and wrong: every mention alone."""
        return not self.perfect and all(len(members) == 1 for members in self.response)

    @property
    def all_in_one(self) -> bool:
        """Whether it is "all in one" and wrong: one class."""
        return not self.perfect and len(self.response) == 1

    def shown(self) -> dict[str, str]:
        """Key and response for people.

        >>> Trial(((0, 1), (2,)), ((0, 1, 2),), {}).shown()
        {'key': '{a b}{c}', 'response': '{a b c}'}
        """
        return {
            side: "".join("{" + " ".join(chr(ord("a") + mention) for mention in members) + "}" for members in classes)
            for side, classes in (("key", self.key), ("response", self.response))
        }


class Criterion(NamedTuple):
    """One row of the catalogue."""

    name: str
    number: str
    """In the paper; two halves of one have a word more."""
    title: str
    speaks: Callable[[Trial, float], bool]
    """Whether a trial and its figure are a witness: against the criterion, unless it ``asks_for_one``."""
    asks_for_one: bool = False
    """Whether it holds if there is a witness, not if there is none."""


CRITERIA: dict[str, Criterion] = {
    row.name: row
    for row in (
        Criterion(
            "upper-limit",
            "(1)",
            "perfect responses, and only they, score 1",
            lambda trial, figure: (figure > 1 - EQUAL) != trial.perfect,
        ),
        Criterion(
            "zero-is-worst",
            "(3)",
            'only "no resolution" and "all in one" score 0',
            lambda trial, figure: figure < EQUAL and not (trial.unresolved or trial.all_in_one),
        ),
        Criterion(
            "no-resolution",
            "(4) alone",
            '"no resolution" (every mention alone) scores 0, unless it is right',
            lambda trial, figure: trial.unresolved and figure > EQUAL,
        ),
        Criterion(
            "all-in-one",
            "(4) one",
            '"all in one" (one class) scores 0, unless it is right',
            lambda trial, figure: trial.all_in_one and figure > EQUAL,
        ),
        Criterion(
            *("reaches-zero", "(5)", "some response scores 0 (or less)"),
            lambda _, figure: figure < EQUAL,
            asks_for_one=True,
        ),
    )
}


class Finding(NamedTuple):
    """Whether a criterion holds, and the smallest trial that decides it."""

    holds: bool
    witness: Trial | None


class Criteria(Result):
    """What brute force says about metrics."""

    NAMES = ("metric", "criterion")

    signature: ClassVar[str] = SIGNATURE

    def __init__(self, names: Sequence[str], trials: Sequence[Trial], larger: Sequence[Trial]) -> None:
        """``trials`` are by size; ``larger`` can only break the order of metrics."""
        self.names = tuple(names)
        self.trials = trials
        self.larger = larger
        self.findings = {name: {row.name: _find(row, name, trials) for row in CRITERIA.values()} for name in names}
        """By metric and criterion."""
        self.same = self._same()
        """Metrics that are one metric on one set of mentions, together; each of the others alone."""
        self.orders = self._orders()
        """Pairs of metrics, by the first of those that are the same: the first is never below the second."""

    def _same(self) -> list[tuple[str, ...]]:
        groups: list[list[str]] = []
        every = [*self.trials, *self.larger]
        for name in self.names:
            for group in groups:
                if all(abs(trial.figures[name] - trial.figures[group[0]]) < EQUAL for trial in every):
                    group.append(name)
                    break
            else:
                groups.append([name])
        return [tuple(group) for group in groups]

    def _orders(self) -> list[tuple[str, str]]:
        every = [trial.figures for trial in (*self.trials, *self.larger)]
        pairs = permutations([group[0] for group in self.same], 2)
        return [(more, less) for more, less in pairs if all(each[more] > each[less] - EQUAL for each in every)]

    @property
    def summary(self) -> str:
        """What was tried, and with which metrics."""
        return f"of {len(CRITERIA)} criteria in {len(self.trials)} trials: {', '.join(self.names)}"

    def to_dict(self, per_document: bool = False) -> dict[str, Any]:  # noqa: ARG002  (as all results have it)
        """As plain values."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "mentions": LARGEST,
            "pairs": len(self.trials),
            "larger_pairs": len(self.larger),
            "criteria": {name: row.title for name, row in CRITERIA.items()},
            "metrics": {
                metric: {
                    name: {"holds": finding.holds, "witness": _witness(metric, finding)}
                    for name, finding in row.items()
                }
                for metric, row in self.findings.items()
            },
            "same": [list(group) for group in self.same if len(group) > 1],
            "orders": [{"more": more, "less": less} for more, less in self.orders],
        }

    def to_records(self, per_document: bool = False) -> list[dict[str, Any]]:  # noqa: ARG002
        """One flat record for each metric and criterion."""
        nobody = {"key": None, "response": None, "score": None}
        return [
            {
                "metric": metric,
                "criterion": name,
                "holds": finding.holds,
                **(_witness(metric, finding) or nobody),
                "signature": self.signature,
            }
            for metric, row in self.findings.items()
            for name, finding in row.items()
        ]


def _witness(metric: str, finding: Finding) -> dict[str, Any] | None:
    trial = finding.witness
    return {**trial.shown(), "score": trial.figures[metric]} if trial else None


def _find(criterion: Criterion, name: str, trials: Iterable[Trial]) -> Finding:
    witness = next((trial for trial in trials if criterion.speaks(trial, trial.figures[name])), None)
    return Finding((witness is not None) == criterion.asks_for_one, witness)


def criteria(metrics: str | Sequence[str] = "all") -> Criteria:
    """Try all small pairs of partitions with these metrics; those that need words or ask for mentions are left out.

    >>> found = criteria("muc,core,bcub")
    >>> found.orders, found.findings["bcub"]["reaches-zero"].holds
    ([('muc', 'core')], False)
    """
    names = [
        name
        for name in select(metrics)
        if METRICS[name].scope.compares_entities and not METRICS[name].scope.needs_words
    ]
    if not names:
        raise OptionError("none of these metrics compares partitions, which is what the criteria are about")
    try_out = _Trials(names)
    return Criteria(names, [try_out(*pair) for pair in small_pairs()], [try_out(*pair) for pair in larger_pairs()])


class _Trials:
    """Scores pairs of partitions."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names, self._metrics = names, counted(names)

    def __call__(self, key: Classes, response: Classes) -> Trial:
        table = Contingency.of_pairs(list(map(len, key)), list(map(len, response)), _cells(key, response))
        scores = Scores(self._names, {metric.name: metric.counts(table) for metric in self._metrics}, REFERENCE)
        figures = {name: headline(scores[name]) for name in self._names}
        return Trial(key, response, {name: _goodness(name, figure) for name, figure in figures.items()})


def _goodness(name: str, figure: float) -> float:
    """The figure, or for an error measure what is left to 1."""
    return figure if METRICS[name].scale.perfect else 1 - figure


def _cells(key: Classes, response: Classes) -> Counter[tuple[int, int]]:
    owner = {mention: j for j, members in enumerate(response) for mention in members}
    return Counter((i, owner[mention]) for i, members in enumerate(key) for mention in members)


def small_pairs(largest: int = LARGEST) -> Iterator[tuple[Classes, Classes]]:
    """Keys of every profile against all responses, smaller ones first; of those that look the same, the first."""
    for mentions in range(1, largest + 1):
        for sizes in profiles(mentions):
            key, seen = _in_order(sizes), set()
            for response in partitions(mentions):
                cells = _cells(key, response)
                looks = tuple(sorted(tuple(cells[i, j] for i in range(len(key))) for j in range(len(response))))
                if looks not in seen:
                    seen.add(looks)
                    yield key, response


def profiles(mentions: int, most: int | None = None) -> Iterator[tuple[int, ...]]:
    """The sizes that classes of so many mentions can have, largest first.

    >>> list(profiles(3))
    [(3,), (2, 1), (1, 1, 1)]
    """
    if not mentions:
        yield ()
    for size in range(min(mentions, most or mentions), 0, -1):
        for rest in profiles(mentions - size, size):
            yield (size, *rest)


def partitions(mentions: int) -> Iterator[Classes]:
    """All partitions of 0, 1, 2, …

    >>> list(partitions(2))
    [((0, 1),), ((0,), (1,))]
    """
    if not mentions:
        yield ()
        return
    last = mentions - 1
    for classes in partitions(last):
        for i, members in enumerate(classes):
            yield (*classes[:i], (*members, last), *classes[i + 1 :])
        yield (*classes, (last,))


def _in_order(sizes: Iterable[int]) -> Classes:
    """Classes of these sizes whose mentions follow each other."""
    start, classes = 0, []
    for size in sizes:
        classes.append(tuple(range(start, start + size)))
        start += size
    return tuple(classes)


def larger_pairs() -> Iterator[tuple[Classes, Classes]]:
    """Two large classes among small ones: merged, halved, crossed, shattered; the small ones joined, or drained."""
    for large in (2, 4, 8):
        for small in (1, 2, 3):
            for times in (1, 2, 4, 8):
                key = _in_order([large, large, *[small] * times])
                one, other, *rest = key
                half, heads = large // 2, tuple(members[0] for members in rest)
                tails = tuple(members[1:] for members in rest if len(members) > 1)
                for response in (
                    (one + other, *rest),
                    (one[:half], one[half:], other, *rest),
                    (one[:half] + other[half:], other[:half] + one[half:], *rest),
                    (*((mention,) for mention in one), other, *rest),
                    (one, other, sum(rest, ())),
                    (one + heads, other, *tails),
                ):
                    yield key, response
                    yield response, key
