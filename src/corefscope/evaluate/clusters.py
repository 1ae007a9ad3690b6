"""Scoring what a training loop holds: clusters of hashable mentions, one document at a time."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from ..base.errors import CorefscopeError, InputError, OptionError
from ..base.numbers import Counts
from ..count.cells import Cells
from ..count.metrics import GROUPS, METRICS, select
from ..count.table import Contingency
from ..count.tabulate import tabulate, tabulate_partition
from ..match.alignment import NONE, Alignment, Side
from ..match.transform import one_owner
from .counting import count
from .options import Options
from .results import Report, Tally
from .rules import RULES

Cluster = list[Hashable]
Clusters = Iterable[Iterable[Hashable]]

TABLE_METRICS = tuple(name for name in GROUPS["corefud"] if not METRICS[name].needs_words)
"""The official metrics that need no words: all but the mention overlap ratio and the score for zeros."""


class Scorer:
    """Adds up documents given as clusters; made for training loops.

    Mentions are any hashable values, the same value on both sides being the same mention. Scorers of several
    processes can be pickled and merged.

    >>> scorer = Scorer(metrics="conll")
    >>> scorer.add([[(0, 1), (4, 4)]], [[(0, 1), (4, 4)], [(7, 9)]])
    >>> round(scorer.report()["conll"].f1, 4)
    0.8222

    Parameters
    ----------
    metrics
        A metric, a group or a list; without it all official metrics that need no words.
    rules
        ``corefud-1.2``, ``corrected`` or ``conll-8.01``; they differ in BLANC's boundary cases and in mentions that
        stand in several clusters.
    singletons
        ``keep`` or ``drop`` clusters of one mention.
    """

    def __init__(
        self,
        *,
        metrics: str | Sequence[str] = TABLE_METRICS,
        rules: str = "corefud-1.2",
        singletons: str = "keep",
    ) -> None:
        self._tally = Tally(Options("clusters", "exact", "linear", singletons, rules), table_metrics(metrics))
        self._rules = RULES[self._tally.options.rules]
        self._numbered: set[str] = set()  # names that were not given

    def add(self, key: Clusters, response: Clusters, name: str | None = None) -> None:
        """Add one document, under its name or else its number."""
        key_clusters = self._checked(key, "key")
        response_clusters = self._checked(response, "response")
        if self._tally.options.singletons == "drop":
            key_clusters, response_clusters = self._linked(key_clusters), self._linked(response_clusters)
        if self._rules.count and (_repeat(key_clusters) or _repeat(response_clusters)):
            row = count(_aligned(key_clusters, response_clusters), self._tally.metrics, self._rules.name)
        else:
            table, partition = tabulate_clusters(key_clusters, response_clusters, single_owner=self._rules.one_owner)
            row = tuple(
                [metric.counts(partition if metric.reads == "partition" else table) for metric in self._tally.metrics]
            )
        self._add_row(name, row)

    def merge(self, other: Scorer) -> None:
        """Add all documents of another scorer with the same options and metrics."""
        ours, theirs = self._tally, other._tally
        if (ours.options, ours.names) != (theirs.options, theirs.names):
            raise CorefscopeError(
                f"scorers differ: {ours.options} with {', '.join(ours.names)},"
                f" but {theirs.options} with {', '.join(theirs.names)}"
            )
        rows = [(None if name in other._numbered else name, row) for name, row in theirs.rows.items()]
        clash = next((name for name, _ in rows if name in ours.rows), None)
        if clash is not None:
            raise CorefscopeError(f"document {clash!r} is in both scorers")
        for name, row in rows:
            self._add_row(name, row)

    def report(self) -> Report:
        """The scores of everything added so far."""
        return self._tally.report()

    def __len__(self) -> int:
        return len(self._tally.rows)

    def _add_row(self, name: str | None, row: tuple[Counts, ...]) -> None:
        if name is None:
            number = len(self._numbered) + 1
            while f"#{number}" in self._tally.rows:
                number += 1
            name = f"#{number}"
            self._numbered.add(name)
        self._tally.add(name, row)

    def _linked(self, clusters: list[Cluster]) -> list[Cluster]:
        """The clusters of two mentions or more, once each mention stands where it belongs."""
        return [cluster for cluster in without_repeats(clusters, self._rules.one_owner) if len(cluster) > 1]

    def _checked(self, clusters: Clusters, side: str) -> list[Cluster]:
        try:
            found = [cluster if type(cluster) is list else _members(cluster) for cluster in clusters]
        except TypeError as error:
            raise InputError(f"the {side} is not a list of clusters: {error}") from None
        if not all(found):
            raise InputError(
                f"cluster {found.index([])} of the {side} is empty or a string",
                hint="clusters are non-empty lists of hashable mentions",
            )
        return found


def _members(cluster: Iterable[Hashable]) -> list[Hashable]:
    return [] if isinstance(cluster, str) else list(cluster)


def score_clusters(
    key: Clusters,
    response: Clusters,
    *,
    metrics: str | Sequence[str] = TABLE_METRICS,
    rules: str = "corefud-1.2",
    singletons: str = "keep",
) -> Report:
    """Score one document given as clusters of hashable mentions. See :class:`Scorer`.

    >>> score_clusters([["a", "b", "c"], ["d"]], [["b", "c"], ["d", "e"]], metrics=["muc"])["muc"]
    Score(recall=0.5, precision=0.5, f1=0.5)
    """
    scorer = Scorer(metrics=metrics, rules=rules, singletons=singletons)
    scorer.add(key, response)
    return scorer.report()


def table_metrics(metrics: str | Sequence[str]) -> tuple[str, ...]:
    """The metrics that these names stand for, if all of them can do without words."""
    names = select(metrics)
    unfit = [name for name in names if METRICS[name].needs_words]
    if unfit:
        raise OptionError(f"{', '.join(unfit)} need the words of the mentions: score files instead")
    return names


def tabulate_clusters(
    key: Sequence[Cluster], response: Sequence[Cluster], *, single_owner: bool
) -> tuple[Contingency, Contingency]:
    """The contingency table of two lists of clusters, and the same with every mention in one cluster only."""
    key_sizes, response_sizes = list(map(len, key)), list(map(len, response))
    try:
        owner = {mention: j for j, cluster in enumerate(response) for mention in cluster}
        distinct = set().union(*key)
    except TypeError as error:
        raise InputError(f"a mention cannot be used: {error}", hint="write [start, end] as (start, end)") from None
    if len(distinct) < sum(key_sizes) or len(owner) < sum(response_sizes):
        return _tabulate_repeated(key, response, single_owner)
    table = Contingency(key_sizes, response_sizes, _cells(key, owner, response_sizes))
    return table, table


def _cells(key: Sequence[Cluster], owner: dict[Hashable, int], response_sizes: list[int]) -> Cells:
    """The cells, one key cluster after the other."""
    cells: tuple[list[int], ...] = ([], [], [], [], [])
    rows, columns, n, k, r = cells
    find = owner.get
    for i, cluster in enumerate(key):
        shared: dict[int, int] = {}
        for mention in cluster:
            j = find(mention)
            if j is not None:
                shared[j] = shared.get(j, 0) + 1
        for j, common in shared.items():
            rows.append(i)
            columns.append(j)
            n.append(common)
            k.append(len(cluster))
            r.append(response_sizes[j])
    return Cells(*cells)


def _tabulate_repeated(
    key: Sequence[Cluster], response: Sequence[Cluster], single_owner: bool
) -> tuple[Contingency, Contingency]:
    """The same where a mention stands more than once."""
    alignment = _aligned(*(without_repeats(side, single_owner) for side in (key, response)))
    return tabulate(alignment), tabulate_partition(alignment)


def _aligned(key: Sequence[Cluster], response: Sequence[Cluster]) -> Alignment:
    """What is the same on both sides is paired; mentions stand as often as they are given."""
    ours, theirs = Side.of_hashables(key), Side.of_hashables(response)
    return Alignment.of_pairs(ours, theirs, [theirs.numbers.get(mention, NONE) for mention in ours.identities])


def _repeat(clusters: Sequence[Cluster]) -> bool:
    """Whether a mention stands twice."""
    try:
        return len(set().union(*clusters)) < sum(map(len, clusters))
    except TypeError as error:
        raise InputError(f"a mention cannot be used: {error}", hint="write [start, end] as (start, end)") from None


def without_repeats(clusters: Sequence[Cluster], single_owner: bool) -> list[Cluster]:
    """Each mention once per cluster; with ``single_owner`` once in all, in the largest cluster that has it."""
    try:
        unique = [list(dict.fromkeys(cluster)) for cluster in clusters]
    except TypeError as error:
        raise InputError(f"a mention cannot be used: {error}", hint="write [start, end] as (start, end)") from None
    if single_owner:
        order = sorted(range(len(unique)), key=lambda i: (-len(unique[i]), sorted(map(repr, unique[i]))))
        owned = one_owner(unique, order)
        unique = [[cluster[at] for at in own] for cluster, own in zip(unique, owned, strict=True) if own]
    return unique
