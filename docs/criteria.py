"""Which metric keeps to the coherence criteria of Popescu-Belis (2000, section 3), found by brute force

``python docs/criteria.py`` writes ``src/corefscope/analysis/criteria.json``, which ``corefscope metrics --criteria``
shows; ``python docs/criteria.py 'mean(muc,bcub)'`` prints the report of some metrics, means included.

Key and response are partitions of one set of mentions. All pairs of up to 6 mentions are tried, one of each kind:
pairs that differ in the names of mentions only score the same. The first that breaks a criterion is its witness, so
there is no smaller one. What holds for all of them may still fail for more mentions: that a metric is always at least
as indulgent as another is said only if larger pairs, too, give no counterexample.

Figures are floats. Those of so few mentions differ by 5e-6 or more if they differ, and rounding moves them by less
than 1e-12 (tests say so): what is closer than 1e-9 is equal.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations
from typing import Any, NamedTuple

from corefscope.analysis.criteria import CRITERIA, TABLE, Criteria, applicable
from corefscope.core.metrics import METRICS, counted
from corefscope.core.numbers import headline
from corefscope.core.report import Scores
from corefscope.core.rules import REFERENCE
from corefscope.core.table import Contingency
from corefscope.output.formats import REPORTS

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


WITNESSES: dict[str, Callable[[Trial, float], bool]] = {
    "upper-limit": lambda trial, figure: (figure > 1 - EQUAL) != trial.perfect,
    "zero-is-worst": lambda trial, figure: figure < EQUAL and not (trial.unresolved or trial.all_in_one),
    "no-resolution": lambda trial, figure: trial.unresolved and figure > EQUAL,
    "all-in-one": lambda trial, figure: trial.all_in_one and figure > EQUAL,
    "reaches-zero": lambda _, figure: figure < EQUAL,
}
"""By criterion whether a trial and its figure are a witness: for the last criterion, against all others."""


class Search:
    """The trials of some metrics, and what follows from them."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        trials = Trials(names)
        self.trials = [trials(*pair) for pair in small_pairs()]
        """By size."""
        self.larger = [trials(*pair) for pair in larger_pairs()]
        """These can only break the order of metrics."""

    def table(self) -> dict[str, Any]:
        """Every finding, as ``Criteria`` reads it."""
        same = self._same()
        return {
            "mentions": LARGEST,
            "pairs": len(self.trials),
            "larger_pairs": len(self.larger),
            "metrics": {name: {row: self._find(row, name) for row in CRITERIA} for name in self.names},
            "same": [group for group in same if len(group) > 1],
            "orders": self._orders([group[0] for group in same]),
        }

    def _find(self, criterion: str, name: str) -> dict[str, Any]:
        speaks = WITNESSES[criterion]
        witness = next((trial for trial in self.trials if speaks(trial, trial.figures[name])), None)
        return {
            "holds": (witness is not None) == (criterion == "reaches-zero"),
            "witness": {**witness.shown(), "score": witness.figures[name]} if witness else None,
        }

    def _same(self) -> list[list[str]]:
        groups: list[list[str]] = []
        every = [*self.trials, *self.larger]
        for name in self.names:
            for group in groups:
                if all(abs(trial.figures[name] - trial.figures[group[0]]) < EQUAL for trial in every):
                    group.append(name)
                    break
            else:
                groups.append([name])
        return groups

    def _orders(self, names: Sequence[str]) -> list[dict[str, str]]:
        every = [trial.figures for trial in (*self.trials, *self.larger)]
        return [
            {"more": more, "less": less}
            for more, less in permutations(names, 2)
            if all(figures[more] > figures[less] - EQUAL for figures in every)
        ]


class Trials:
    """Scores pairs of partitions."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names, self._metrics = names, counted(names)

    def __call__(self, key: Classes, response: Classes) -> Trial:
        """The trial of one pair."""
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


def main(metrics: Sequence[str]) -> None:
    """Print what is found about some metrics, or write the table of all."""
    names = applicable(metrics or "all")
    table = Search(names).table()
    if metrics:
        sys.stdout.write(REPORTS["text"].render(Criteria(names, table)))
    else:
        TABLE.write_text(json.dumps(table, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
