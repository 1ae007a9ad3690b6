"""Scoring clusters in memory: lists of lists of hashable mentions, one document at a time.

A mention of the key is looked up in the response by ``hash`` and ``==``. Integers, strings and tuples of them are
taken as they are; all others are made comparable first (``formats/cluster_input``).
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from itertools import chain
from numbers import Integral
from typing import Any, Protocol, TypeGuard, TypeVar

from .choices import PresetName, Rules, Singletons
from .errors import CorefscopeError, OptionError, amount
from .matching.alignment import NONE, Alignment, Side
from .matching.transform import one_owner
from .metrics import METRICS, select
from .numbers import Counts
from .options import Options
from .presets import PRESETS
from .registry import HOOKS
from .report import Report, Tally
from .rules import RULES
from .steps import count
from .table import Cells, Contingency, tabulate, tabulate_partition


class HoldsNumbers(Protocol):
    """An array or a tensor."""

    def tolist(self) -> Any:
        """What it holds, as numbers and lists."""


Cluster = list[Hashable]
Mentions = Iterable[Hashable | list[int] | HoldsNumbers]
Clusters = Iterable[Mentions] | Mapping[Any, Mentions]
"""The clusters of a document: a list of them, or a dictionary from their names."""
PLAIN_TYPES = frozenset((int, str, bool, bytes, type(None)))
VALUES = (str, bytes, Integral)
"""Types whose values all compare by value; of floats, NaN does not."""


def both_sides(key: Clusters, response: Clusters) -> tuple[list[Cluster], list[Cluster]]:
    """The clusters of both sides as lists of mentions that compare by value; InputError if they are none.

    >>> both_sides([[[0, 1], (4, 4)]], [])
    ([[(0, 1), (4, 4)]], [])
    """
    if _are_lists(key) and _are_lists(response) and are_plain([*chain(*key, *response)]):
        return key, response
    sides: tuple[list[Cluster], list[Cluster]] = HOOKS["comparable_clusters"](key, response)
    return sides


def _are_lists(clusters: Clusters) -> TypeGuard[list[Cluster]]:
    """Whether these are a list of lists none of which is empty."""
    return type(clusters) is list and {*map(type, clusters)} <= {list} and all(clusters)


def are_plain(mentions: Collection[Any]) -> bool:
    """Whether the types alone show that mentions compare by value: integers, strings, and tuples of these.

    >>> are_plain([(0, 1), ("d", (0, 1))]), are_plain([(0, object())]), are_plain([float("nan")])
    (True, False, False)
    """
    types = {*map(type, mentions)}
    while not types <= PLAIN_TYPES:
        if types != {tuple}:
            if not _have_values(types):
                return False
            mentions = [mention for mention in mentions if isinstance(mention, tuple)]
        types = {*map(type, chain.from_iterable(mentions))}
        if types <= PLAIN_TYPES:  # as in nearly all spans: their ends need no list
            return True
        mentions = [*chain.from_iterable(mentions)]
    return True


def _have_values(types: Iterable[type]) -> bool:
    """Whether objects of these types compare by value, tuples if their parts do."""
    return all(each in PLAIN_TYPES or issubclass(each, VALUES) or each.__hash__ is tuple.__hash__ for each in types)


M = TypeVar("M", bound=Hashable)

PLAIN = Options("clusters", "exact", "linear", "keep")
"""Mentions are the same if they are equal."""
UPDATE = (
    "Scorer.update takes key and response by name, update(key=..., response=...): other libraries have another "
    "order, such as update(preds, target) in torchmetrics. Scorer.add(key, response) takes them in this order."
)
NO_MENTIONS: tuple[int, ...] = (0,) * 6
"""How many mentions of the key and the response there are, how many are scored, how many of these are pairs; and how
many sides of documents have spans, not ids."""


def without_words(metrics: str | Sequence[str]) -> tuple[str, ...]:
    """Those metrics that need no words; of the official ones all but the mention overlap ratio and that of zeros."""
    return tuple(name for name in select(metrics) if not METRICS[name].scope.needs_words)


class Scorer:
    """Adds up documents given as clusters; made for training loops.

    Clusters are lists of mentions, or a dictionary from names of clusters to these. Mentions are any hashable values,
    or spans ``[start, end]``, the same value on both sides being the same mention.
    Arrays and tensors of integers (NumPy, PyTorch, JAX, TensorFlow) become integers and tuples ``(start, end)``.
    Objects that Python compares by identity, NaN, and arrays that are neither an integer nor a span raise
    ``InputError``: no mention of the key would ever be found in the response.
    Scorers of several processes can be pickled, and added up: ``sum(scorers)``. ``update(key=…, response=…)`` and
    ``compute()`` are aliases of ``add(key, response)`` and ``report()``.

    >>> scorer = Scorer(metrics="conll")
    >>> scorer.add([[(0, 1), (4, 4)]], [[(0, 1), (4, 4)], [(7, 9)]])
    >>> round(scorer.report()["conll"].f1, 4)
    0.8222

    Parameters
    ----------
    metrics
        A metric, a group or a list; without it those of the preset, or all official ones, that need no words.
    rules
        ``corefud-1.2`` (the default), ``corrected`` or ``conll-8.01``; they differ in BLANC's boundary cases and in
        mentions that are in several clusters.
    singletons
        ``keep`` (the default) or ``drop`` clusters of one mention.
    preset
        ``crac22`` … ``crac26`` or ``conll12``: the metrics, rules and singletons of a shared task; what is given too
        replaces them. Mentions are matched by being equal, whatever the task did.
    """

    def __init__(
        self,
        *,
        metrics: str | Sequence[str] | None = None,
        rules: Rules | None = None,
        singletons: Singletons | None = None,
        preset: PresetName | None = None,
    ) -> None:
        base, names = PLAIN, "corefud"
        if preset is not None:
            OptionError.check("preset", preset, PRESETS)
            base, names = PRESETS[preset].options, PRESETS[preset].metrics
        options = PLAIN._replace(
            singletons=base.singletons if singletons is None else singletons,
            rules=base.rules if rules is None else rules,
        )
        self._tally = Tally(options, without_words(names) if metrics is None else table_metrics(metrics))
        self._rules = RULES[self._tally.options.rules]
        self._numbered: set[str] = set()  # names that were not given
        self._mentions = NO_MENTIONS

    def add(self, key: Clusters, response: Clusters, name: str | None = None) -> None:
        """Add one document, under its name or else its number."""
        sides = both_sides(key, response)
        tabulated = self._tabulate(*sides)
        metrics = self._tally.metrics
        if isinstance(tabulated, Alignment):
            row, matched = count(tabulated, metrics, self._tally.options), tabulated.matched
        else:
            table, partition = tabulated
            row = tuple([metric.counts(table if metric.reads == "table" else partition) for metric in metrics])
            matched = table.matched
        self._count_mentions(sides, tabulated, matched)
        if not matched:
            HOOKS["check_categories"](*sides)
        self._add_row(name, row)

    def _count_mentions(
        self, sides: Sequence[list[Cluster]], tabulated: tuple[Contingency, Contingency] | Alignment, matched: int
    ) -> None:
        """Count the mentions of a document for the warnings of the report."""
        if isinstance(tabulated, Alignment):
            scored = len(tabulated.key.mentions), len(tabulated.response.mentions)
        else:
            scored = tabulated[0].mentions, tabulated[0].response_mentions
        dropped = self._tally.options.singletons == "drop"
        read = (sum(map(len, sides[0])), sum(map(len, sides[1]))) if dropped else scored
        spans = sum(not isinstance(side[0][0], str | int) for side in sides if side)
        self._mentions = tuple(map(operator.add, self._mentions, (*read, *scored, matched, spans)))

    def update(
        self,
        *unnamed: Clusters,
        key: Clusters | None = None,
        response: Clusters | None = None,
        name: str | None = None,
    ) -> None:
        """Add one document, as :meth:`add` does: ``update(key=…, response=…)``.

        The names are required. ``update(preds, target)`` of torchmetrics has the response first, and a call in the
        wrong order would swap recall and precision.
        """
        if unnamed or key is None or response is None:
            raise TypeError(UPDATE)
        self.add(key, response, name)

    def _tabulate(self, key: list[Cluster], response: list[Cluster]) -> tuple[Contingency, Contingency] | Alignment:
        """Table and partition; or the alignment, where the rules count repeats in a way of their own."""
        key, response = self._kept(key), self._kept(response)
        if self._rules.program and (_repeats(key) or _repeats(response)):
            return _aligned(key, response)
        return tabulate_clusters(key, response, single_owner=self._rules.one_owner)

    def merge(self, other: Scorer) -> None:
        """Add all documents of another scorer with the same options and metrics."""
        ways = [f"{tally.options} with {', '.join(tally.names)}" for tally in (self._tally, other._tally)]
        if ways[0] != ways[1]:
            raise CorefscopeError(f"scorers differ: {ways[0]}, but {ways[1]}")
        rows = [(None if name in other._numbered else name, row) for name, row in other._tally.rows.items()]
        for name, _ in rows:
            if name in self._tally.rows:
                raise CorefscopeError(f"document {name!r} is in both scorers")
        for name, row in rows:
            self._add_row(name, row)
        self._mentions = tuple(map(operator.add, self._mentions, other._mentions))

    def report(self) -> Report:
        """The scores of everything added so far.

        Its ``warnings`` say if one side has no mention, or none that the other has. If mentions are ids (strings or
        numbers) and singletons are kept, they also say how many are unknown to the other side, if more than a fifth.
        """
        dropped = self._tally.options.singletons == "drop"
        warnings = HOOKS["warnings_of_clusters"](self._mentions, dropped) if len(self) else ()
        return self._tally.report(list(warnings))

    compute = report

    def reset(self) -> None:
        """Forget all documents."""
        self._tally.rows, self._numbered, self._mentions = {}, set(), NO_MENTIONS

    def __len__(self) -> int:
        return len(self._tally.rows)

    def __repr__(self) -> str:
        return f"<Scorer of {amount(len(self), 'document')}: {', '.join(self._tally.names)} ({self._tally.options})>"

    def __add__(self, other: object) -> Scorer:
        """A scorer of the documents of both; of nothing and a scorer, as ``sum`` begins, a copy."""
        if not isinstance(other, Scorer) and other != 0:
            return NotImplemented
        options, names = self._tally.options, self._tally.names
        both = Scorer(metrics=names, rules=options.rules, singletons=options.singletons)
        for scorer in (self, other):
            if isinstance(scorer, Scorer):
                both.merge(scorer)
        return both

    __radd__ = __add__

    def _add_row(self, name: str | None, row: tuple[Counts, ...]) -> None:
        if name is None:
            name = self._free_number()
            self._numbered.add(name)
        self._tally.add(name, row)

    def _free_number(self) -> str:
        number = len(self._numbered) + 1
        while (name := f"#{number}") in self._tally.rows:
            number += 1
        return name

    def _kept(self, clusters: list[Cluster]) -> list[Cluster]:
        """The clusters of one side, without singletons if these are dropped."""
        if self._tally.options.singletons == "keep":
            return clusters
        # Which clusters are singletons is known only once repeated mentions are resolved.
        return [cluster for cluster in without_repeats(clusters, self._rules.one_owner) if len(cluster) > 1]


def score_clusters(
    key: Clusters,
    response: Clusters,
    *,
    metrics: str | Sequence[str] | None = None,
    rules: Rules | None = None,
    singletons: Singletons | None = None,
    preset: PresetName | None = None,
) -> Report:
    """Score one document given as clusters of hashable mentions: a list, or a dictionary from their names.

    See :class:`Scorer`, also for arrays and tensors.

    >>> score_clusters([["a", "b", "c"], ["d"]], [["b", "c"], ["d", "e"]], metrics=["muc"])["muc"]
    Score(recall=0.5, precision=0.5, f1=0.5)
    """
    scorer = Scorer(metrics=metrics, rules=rules, singletons=singletons, preset=preset)
    scorer.add(key, response)
    return scorer.report()


def table_metrics(metrics: str | Sequence[str]) -> tuple[str, ...]:
    """Parse metrics; OptionError if one of them needs words."""
    names = select(metrics)
    unfit = [name for name in names if METRICS[name].scope.needs_words]
    if unfit:
        raise OptionError(f"{', '.join(unfit)} need the words of the mentions: score files instead")
    return names


def tabulate_clusters(
    key: Sequence[Cluster], response: Sequence[Cluster], *, single_owner: bool
) -> tuple[Contingency, Contingency]:
    """The contingency table of two lists of clusters, and the same with every mention in one cluster only."""
    key_sizes, response_sizes = list(map(len, key)), list(map(len, response))
    owner = {mention: j for j, cluster in enumerate(response) for mention in cluster}
    if _repeats(key) or len(owner) < sum(response_sizes):
        alignment = _aligned(*(without_repeats(side, single_owner) for side in (key, response)))
        return tabulate(alignment), tabulate_partition(alignment)
    table = Contingency(key_sizes, response_sizes, _cells(key, owner, key_sizes, response_sizes))
    return table, table


def _cells(
    key: Sequence[Cluster], owner: dict[Hashable, int], key_sizes: list[int], response_sizes: list[int]
) -> Cells:
    """The cells, one key cluster after the other: in a training loop this is hot, and pairs need not be counted."""
    rows: list[int] = []
    columns: list[int] = []
    n: list[int] = []
    find = owner.get
    for i, cluster in enumerate(key):
        if len(cluster) == 1:  # as most are
            j = find(cluster[0])
            if j is not None:
                rows.append(i)
                columns.append(j)
                n.append(1)
            continue
        shared: dict[int | None, int] = {}
        for j in map(find, cluster):
            shared[j] = shared[j] + 1 if j in shared else 1
        for j, common in shared.items():
            if j is not None:
                rows.append(i)
                columns.append(j)
                n.append(common)
    sizes = list(map(key_sizes.__getitem__, rows)), list(map(response_sizes.__getitem__, columns))
    return Cells(rows, columns, n, *sizes)


def _aligned(key: Sequence[Cluster], response: Sequence[Cluster]) -> Alignment:
    """An alignment that pairs equal mentions; repeated mentions stay repeated."""
    sides = Side.of_hashables(key), Side.of_hashables(response)
    return Alignment.of_pairs(*sides, [sides[1].numbers.get(mention, NONE) for mention in sides[0].identities])


def _repeats(clusters: Sequence[Cluster]) -> bool:
    """Whether a mention occurs twice."""
    return len({*chain.from_iterable(clusters)}) < sum(map(len, clusters))


def without_repeats(clusters: Sequence[Cluster], single_owner: bool) -> list[Cluster]:
    """Each mention once per cluster; with ``single_owner`` once in all, in the largest cluster that has it."""
    unique = [list(dict.fromkeys(cluster)) for cluster in clusters]
    if single_owner:
        order = sorted(range(len(unique)), key=lambda i: (-len(unique[i]), sorted(map(repr, unique[i]))))
        owned = one_owner(unique, order)
        unique = [[cluster[i] for i in own] for cluster, own in zip(unique, owned, strict=True) if own]
    return unique
