"""Dense groups: so many mentions compete with each other that their pairs are scored by rows, with NumPy.

Five thousand mentions with one head have 25 million pairs. No list of them is made: one mention is scored against all
of the other side at once. ``core/matching`` comes here, by hooks, with more than ``CROWDED`` pairs of mentions; the
pairs are those that it would choose, up to rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, starmap
from typing import TYPE_CHECKING, Any

from ..core.components import components
from ..core.document import Mention
from ..core.matching import matchers
from ..core.matching.assignment import Row, best_total
from ..core.matching.corrected import zeros_score
from ..core.matching.matchers import (
    Find,
    Mentions,
    Pairs,
    are_crowded,
    dependency_overlap,
    kinds_that_fit,
    zeros_by_kind,
)
from ..core.metrics.overlap import overlaps
from ..core.numbers import Numeric
from ..core.positions import MINOR_MASK, NEXT_WORD, WORD_SHIFT
from ..core.positions import runs_of as runs_of_numbers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .dense_assignment import Line

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

NO_PAIR = -1.0
"""The score of mentions that are no candidates for each other."""

Runs = list[tuple[int, int]]
DenseGroup = tuple[Mentions, Mentions]
"""Mentions of the key and of the response that compete with each other, and with no others."""


def is_dense(keys: Sequence[object], responses: Sequence[object]) -> bool:
    """Whether mentions have so many pairs; never without NumPy, as in a bare container.

    Pairs are scored one by one then: it takes longer, and the result is the same.
    """
    if not are_crowded(keys, responses):
        return False
    try:
        import numpy  # noqa: F401
    except ModuleNotFoundError:
        return False
    return True


def find_dense_groups(keys: Mentions, responses: Mentions, find: Find) -> list[DenseGroup]:
    """Find the dense groups among mentions that are matched by their words and heads."""
    if not is_dense(keys, responses):
        return []
    return [group for group in _apart(keys, responses, find) if are_crowded(*group)]


def _apart(keys: Mentions, responses: Mentions, find: Find) -> Iterable[DenseGroup]:
    """Divide mentions into groups between which there are no candidates."""
    if find.parts:
        return neighbours(keys, responses)
    if find.agree_in is None:
        return ()
    by_key, by_response = (_grouped(side, find.agree_in) for side in (keys, responses))
    return [(group, by_response.get(name, [])) for name, group in by_key.items()]


def neighbours(keys: Mentions, responses: Mentions) -> Iterator[DenseGroup]:
    """Divide mentions into groups that do not overlap, from first to last word; in a group they keep their order."""
    starts = sorted([mention[:3] for side in (keys, responses) for _, mention in side])
    group_of: dict[int, int] = {}  # by first word
    groups: list[tuple[list[tuple[int, Mention]], list[tuple[int, Mention]]]] = []
    end = -1
    for first, _, last in starts:
        if first > end:
            groups.append(([], []))
        group_of[first] = len(groups) - 1
        end = max(end, last)
    for n, side in enumerate((keys, responses)):
        for numbered in side:
            groups[group_of[numbered[1].first]][n].append(numbered)
    return iter(groups)


def find_dense_zeros(keys: Mentions, responses: Mentions) -> list[DenseGroup]:
    """Find the dense groups among zeros, which are matched by their dependencies."""
    if not is_dense(keys, responses):
        return []
    by_kind, by_other_kind = zeros_by_kind(keys), zeros_by_kind(responses)
    fits = list(kinds_that_fit(by_kind, by_other_kind).items())
    groups: list[DenseGroup] = []
    for group in components(kinds for _, kinds in fits):
        competing = [fits[i] for i in group]
        pairs = sum(len(by_kind[kind]) * len(by_other_kind[other]) for kind, kinds in competing for other in kinds)
        if pairs > matchers.CROWDED:
            ours = {k for kind, _ in competing for k in by_kind[kind]}
            theirs = {r for _, kinds in competing for other in kinds for r in by_other_kind[other]}
            groups.append(
                ([zero for zero in keys if zero[0] in ours], [zero for zero in responses if zero[0] in theirs])
            )
    return groups


def _among(mentions: Mentions, numbers: set[int]) -> Mentions:
    return [numbered for numbered in mentions if numbered[0] in numbers]


def _grouped(mentions: Mentions, name: Callable[[Mention], int]) -> dict[int, list[tuple[int, Mention]]]:
    groups: dict[int, list[tuple[int, Mention]]] = {}
    for numbered in mentions:
        groups.setdefault(name(numbered[1]), []).append(numbered)
    return groups


def without_groups(keys: Mentions, responses: Mentions, groups: Sequence[DenseGroup]) -> DenseGroup:
    """Drop the mentions of both sides that are in a group."""
    if not groups:
        return keys, responses
    crowded, other_crowded = ({number for group in groups for number, _ in group[side]} for side in (0, 1))
    return _among(keys, {k for k, _ in keys} - crowded), _among(responses, {r for r, _ in responses} - other_crowded)


class Words:
    """The words of many mentions, as runs: an empty node is a run of its own, apart from all words."""

    def __init__(self, mentions: Sequence[Mention]) -> None:
        import numpy as np

        self.runs: list[Runs] = list(map(runs_of, mentions))
        self.heads: Integers = _numbers([mention.head for mention in mentions])
        ends: Integers = np.array([run for runs in self.runs for run in runs]).T
        self.first: Integers = ends[0]
        """Of each run."""
        self.last: Integers = ends[1]
        self._first_run = np.cumsum([0, *map(len, self.runs[:-1])])
        self.sizes: Integers = self._by_mention(self.last - self.first + 1)

    def common(self, runs: Runs) -> Integers:
        """|A ∩ B| for a mention of the other side and each of these."""
        import numpy as np

        common: Integers = np.zeros(len(self.first), dtype=np.int64)
        for first, last in runs:
            common += np.maximum(np.minimum(last, self.last) - np.maximum(first, self.first) + 1, 0)
        return self._by_mention(common)

    def _by_mention(self, of_runs: Integers) -> Integers:
        import numpy as np

        if len(of_runs) == len(self.runs):
            return of_runs
        of_mention: Integers = np.add.reduceat(of_runs, self._first_run)
        return of_mention


def runs_of(mention: Mention) -> Runs:
    """First and last of words that follow each other, by number."""
    if not mention.broken and not mention.first & MINOR_MASK:
        return [(mention.first >> WORD_SHIFT, mention.last >> WORD_SHIFT)]
    empty: set[tuple[int, int]] = set()
    runs: Runs = []
    for first, last in sorted(mention.runs):
        if first & MINOR_MASK:
            empty.update([(-2 * node, -2 * node) for node in range(first, last + 1, NEXT_WORD)])
        elif runs and first >> WORD_SHIFT <= runs[-1][1] + 1:  # after an empty node, or a repeated word
            runs[-1] = runs[-1][0], max(runs[-1][1], last >> WORD_SHIFT)
        else:
            runs.append((first >> WORD_SHIFT, last >> WORD_SHIFT))
    return sorted(empty) + runs


def _numbers(positions: Sequence[int]) -> Integers:
    """Words that follow each other have numbers that do; those of empty nodes are apart from all others, below 0."""
    import numpy as np

    at = np.array(positions)
    return np.where(at & MINOR_MASK, -2 * at, at >> WORD_SHIFT)


def common_words(runs: Runs, other_runs: Runs) -> int:
    """|A ∩ B|

    >>> common_words([(1, 3), (5, 6)], [(2, 5)])
    3
    """
    common = 0
    others = iter(other_runs)
    other = next(others, None)
    for first, last in runs:  # both are in order, and no two runs of a mention overlap
        while other and other[1] <= last:
            common += max(other[1] - max(first, other[0]) + 1, 0)
            other = next(others, None)
        if other:
            common += max(last - max(first, other[0]) + 1, 0)
    return common


class Overlaps:
    """Numbers of words that mentions of a group have in common, if they are candidates for each other; else 0."""

    def __init__(self, group: DenseGroup, find: Find) -> None:
        self.keys: Words = Words([mention for _, mention in group[0]])
        self.responses: Words = Words([mention for _, mention in group[1]])
        self._parts = find.parts
        minima = {i: _numbers(m.minimum).tolist() for i, (_, m) in enumerate(group[0]) if len(m.minimum) > 1}
        self._minima = {i: runs_of_numbers(needed) for i, needed in minima.items()}
        """By key mention the words that a part of it must have, where that is not its head alone."""

    def row(self, i: int) -> Integers:
        """Of a key mention with each response mention."""
        keys, responses = self.keys, self.responses
        common = responses.common(keys.runs[i])
        if self._parts:
            needed = self._minima.get(i, [(int(keys.heads[i]),) * 2])
            common[(common < responses.sizes) | (responses.common(needed) < words_of_runs(needed))] = 0
        return common

    def column(self, j: int) -> Integers:
        """Of a response mention with each key mention."""
        import numpy as np

        keys, responses = self.keys, self.responses
        common = keys.common(responses.runs[j])
        if self._parts:
            holds_head = np.zeros(len(common), dtype=bool)
            for first, last in responses.runs[j]:
                holds_head |= (keys.heads >= first) & (keys.heads <= last)
            for i, needed in self._minima.items():
                holds_head[i] = common_words(needed, responses.runs[j]) == words_of_runs(needed)
            common[(common < responses.sizes[j]) | ~holds_head] = 0
        return common


def words_of_runs(runs: Runs) -> int:
    """How many words there are in runs, none of which overlap."""
    return sum([last - first + 1 for first, last in runs])


def _ranks(mentions: Mentions) -> Integers:
    """The place of each mention in the order of starts, then ends, then words.

    Of pairs that have one mention in common, the one whose other mention comes first is placed best
    (``corrected._places``): the earlier and the later of two starts both grow with either of them, and so do ends.
    """
    import numpy as np

    broken = {(mention.first, mention.last) for _, mention in mentions if mention.broken}

    def place(number: int) -> tuple[object, ...]:
        _, mention = mentions[number]
        ends = mention.first, mention.last
        return *ends, mention.order if ends in broken else (), mention.head

    ranks = np.empty(len(mentions), dtype=np.int64)
    ranks[sorted(range(len(mentions)), key=place)] = np.arange(len(mentions))
    return ranks


def best_first(
    keys: Mentions, responses: Mentions, row: Callable[[int], Floats], column: Callable[[int], Floats]
) -> list[tuple[int, int]]:
    """Pair a group greedily, the best pair first, looking at one row or column at a time.

    ``row(i)`` has the scores of a key mention with all response mentions, ``column(j)`` those of a response mention.
    A pair that is the best for both its mentions is taken in the end, whatever is taken before. From a mention to its
    best one, and on to the best of that one, pairs get better and better, until there is such a pair.
    """
    import numpy as np

    key_ranks, response_ranks = _ranks(keys), _ranks(responses)
    free_keys, free_responses = np.ones(len(keys), dtype=bool), np.ones(len(responses), dtype=bool)

    def best(scores: Floats, free: NDArray[np.bool_], ranks: Integers) -> int | None:
        scores = np.where(free, scores, NO_PAIR)
        highest = scores.max()
        if highest == NO_PAIR:
            return None
        chosen = np.flatnonzero(scores == highest)
        return int(chosen[ranks[chosen].argmin()])

    pairs: list[tuple[int, int]] = []
    for start in range(len(keys)):
        path = [start] if free_keys[start] else []
        while path:
            i = path[-1]
            j = best(row(i), free_responses, response_ranks)
            rival = i if j is None else best(column(j), free_keys, key_ranks)
            if rival is not None and rival != i:
                path.append(rival)
                continue
            free_keys[path.pop()] = False
            if j is not None:
                free_responses[j] = False
                pairs.append((keys[i][0], responses[j][0]))
    return pairs


def assign_dense_groups(keys: Mentions, responses: Mentions, find: Find) -> tuple[Pairs, int]:
    """Assign all mentions as ``core/matching/official`` does; also the number of pairs in dense groups.

    Rows and columns of scores are made on demand; if there are no groups, nothing is assigned.
    """
    groups = find_dense_groups(keys, responses, find)
    if not groups:
        return [], 0
    from .dense_assignment import assign_dense

    row_of, column_of = ({number: at for at, (number, _) in enumerate(side)} for side in (keys, responses))
    rows, columns = _Lines(len(responses)), _Lines(len(keys))
    for group in groups:
        overlaps = Overlaps(group, find)
        at_rows, at_columns = [row_of[k] for k, _ in group[0]], [column_of[r] for r, _ in group[1]]
        rows.add(at_rows, at_columns, partial(_shares_of_key, overlaps))
        columns.add(at_columns, at_rows, partial(_shares_of_keys, overlaps))
    for k, r, numerator, denominator in find(*without_groups(keys, responses, groups)):
        rows.few.setdefault(row_of[k], {})[column_of[r]] = numerator / denominator
        columns.few.setdefault(column_of[r], {})[row_of[k]] = numerator / denominator
    chosen = assign_dense(rows.line, columns.line, (len(keys), len(responses)))
    pairs = [(keys[i][0], responses[j][0]) for i, j in chosen]
    return pairs, sum([len(ours) * len(theirs) for ours, theirs in groups])


def _shares_of_key(overlaps: Overlaps, i: int) -> Any:
    """|K ∩ R| / |K| of a key mention with each response mention of a group."""
    return overlaps.row(i) / overlaps.keys.sizes[i]


def _shares_of_keys(overlaps: Overlaps, j: int) -> Any:
    """The same of a response mention with each key mention."""
    return overlaps.column(j) / overlaps.keys.sizes


class _Lines:
    """Rows of scores with all mentions of the other side, made when they are needed."""

    def __init__(self, length: int) -> None:
        self._length = length
        self._dense: dict[int, tuple[Line, int, Any]] = {}
        self.few: dict[int, Row] = {}
        """The scores of mentions that are in no group."""

    def add(self, places: list[int], others: list[int], scores: Line) -> None:
        """Add a dense group: the places of its mentions, those of the other side, and its scores."""
        where = slice(None) if len(others) == self._length else others
        self._dense.update({at: (scores, number, where) for number, at in enumerate(places)})

    def line(self, at: int) -> Any:
        """One row."""
        import numpy as np

        line = np.zeros(self._length)
        if at in self._dense:
            scores, number, where = self._dense[at]
            line[where] = scores(number)
        elif at in self.few:
            line[list(self.few[at])] = list(self.few[at].values())
        return line


def pair_dense_zeros(keys: Mentions, responses: Mentions) -> tuple[Pairs, Mentions, Mentions]:
    """Pair the dense groups of zeros as ``core/matching/corrected`` does; also the zeros in no such group."""
    groups = find_dense_zeros(keys, responses)
    rest = without_groups(keys, responses, groups)
    return list(chain.from_iterable(starmap(_pair_zeros_of_group, groups))), *rest


def pair_dense_mentions(keys: Mentions, responses: Mentions, find: Find) -> tuple[Pairs, Mentions, Mentions]:
    """Pair the dense groups of mentions as ``core/matching/corrected`` does; also the mentions in no such group."""
    groups = find_dense_groups(keys, responses, find)
    rest = without_groups(keys, responses, groups)
    return [pair for group in groups for pair in _pair_group(group, find)], *rest


def _pair_zeros_of_group(keys: Mentions, responses: Mentions) -> list[tuple[int, int]]:
    """Pair a dense group of zeros, the best pair first: zeros of one kind share one row, or column, of scores."""
    import numpy as np

    by_kind, by_other_kind = zeros_by_kind(keys), zeros_by_kind(responses)
    column_of = {kind: j for j, kind in enumerate(by_other_kind)}
    scores = np.full((len(by_kind), len(by_other_kind)), NO_PAIR)
    for i, (kind, fits) in enumerate(kinds_that_fit(by_kind, by_other_kind).items()):
        for fit in fits:
            numerator, denominator = zeros_score(*dependency_overlap(kind, fit))
            scores[i, column_of[fit]] = numerator / denominator
    rows, columns = (
        np.array([kind_of[number] for number, _ in side])
        for side, kinds in ((keys, by_kind), (responses, by_other_kind))
        for kind_of in [{number: i for i, numbers in enumerate(kinds.values()) for number in numbers}]
    )
    return best_first(keys, responses, lambda i: scores[rows[i], columns], lambda j: scores[rows, columns[j]])


def _pair_group(group: DenseGroup, find: Find) -> list[tuple[int, int]]:
    """Pair a dense group of mentions, the best pair first."""
    import numpy as np

    overlaps = Overlaps(group, find)
    sizes, other_sizes = overlaps.keys.sizes, overlaps.responses.sizes

    def scores(common: Numeric, both_sizes: Numeric) -> Numeric:
        score = 2 * common / both_sizes
        return np.where(common, score, NO_PAIR) if find.parts else score

    return best_first(
        *group,
        lambda i: scores(overlaps.row(i), sizes[i] + other_sizes),
        lambda j: scores(overlaps.column(j), sizes + other_sizes[j]),
    )


def best_overlap(keys: list[Mention], responses: list[Mention]) -> float:
    """Σ |K ∩ R| over the best map of mentions, without a cell for each pair where hundreds overlap."""
    if not is_dense(keys, responses):
        return best_total(overlaps(keys, responses))
    total = 0.0
    for group in neighbours(list(enumerate(keys)), list(enumerate(responses))):
        ours, theirs = ([mention for _, mention in side] for side in group)
        total += _best_in_group(ours, theirs) if are_crowded(ours, theirs) else best_total(overlaps(ours, theirs))
    return total


def _best_in_group(keys: list[Mention], responses: list[Mention]) -> float:
    """The same for mentions that all may overlap.

    No map covers a word more often than either side does. If mapping the mentions in the order of the text covers all
    words so often, as it does with mentions inside each other, nothing is better; else the best map is searched for.
    """
    ours, theirs = Words(sorted(keys)), Words(sorted(responses))
    total = sum(map(common_words, ours.runs, theirs.runs))
    if total == _covered_by_both(ours, theirs):
        return total
    from .dense_assignment import assign_dense  # hardly ever

    shape = len(keys), len(responses)
    pairs = assign_dense(lambda i: theirs.common(ours.runs[i]), lambda j: ours.common(theirs.runs[j]), shape)
    return sum([common_words(ours.runs[i], theirs.runs[j]) for i, j in pairs])


def _covered_by_both(keys: Words, responses: Words) -> int:
    """Σ over words of how often the side covers it that covers it less often."""
    import numpy as np

    places = np.unique(np.concatenate([keys.first, keys.last + 1, responses.first, responses.last + 1]))
    covered = []
    for side in (keys, responses):
        begins, ends = (
            np.bincount(np.searchsorted(places, at), minlength=len(places)) for at in (side.first, side.last + 1)
        )
        covered.append(np.cumsum(begins - ends)[:-1])
    return int((np.minimum(*covered) * np.diff(places)).sum())
