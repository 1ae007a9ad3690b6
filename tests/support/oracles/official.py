"""A naive, literal oracle of the official CorefUD scorer 1.2: mention matching, metrics, pipeline.

Everything here is deliberately slow and obvious (dense matrices, explicit loops over mentions and pairs) and
the quirks of the official program are kept on purpose. Nothing is shared with the scorer under test. The
reader is in `official_reader`. Where the official program stops with an error, this one raises ``ValueError``,
except that an empty DEPS column on a zero scores 0 and that a file without any ``# newdoc`` is one document.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment

from oracles.official_reader import Span, check_alignment, read_conllu, split_documents

Score = tuple[float, float, float]  # recall, precision, f1
Counts = tuple[float, float, float, float]  # precision numerator, denominator, recall numerator, denominator


# ------------------------------------------------------------------------------------ mentions and matching


class Mention:
    """A span whose equality depends on the matching option: with ``head`` the heads must be equal too."""

    def __init__(self, span: Span, match: str) -> None:
        self.words = list(span.words)
        self.wordset = frozenset(span.words)
        self.head, self.zero, self.deps = span.head, span.zero, span.deps
        self.by_head = match == "head"

    def __eq__(self, other: object) -> bool:
        assert isinstance(other, Mention)
        return self.words == other.words and (not self.by_head or self.head == other.head)

    def __hash__(self) -> int:
        return hash((self.wordset, frozenset({self.head}))) if self.by_head else hash(self.wordset)

    def __lt__(self, other: Mention) -> bool:
        a, b = self.words, other.words
        return (a[0], a[-1], len(a)) < (b[0], b[-1], len(b))


Entity = list[Mention]
Similarity = Callable[[Mention, Mention], float]


def assign(
    rows: Sequence[Mention], columns: Sequence[Mention], similarity: Similarity
) -> list[tuple[Mention, Mention]]:
    if not rows or not columns:
        return []
    scores = np.array([[similarity(r, c) for c in columns] for r in rows], dtype=float)
    assigned = zip(*linear_sum_assignment(-scores), strict=True)
    return [(rows[i], columns[j]) for i, j in assigned if scores[i, j] > 0]


def f_of_sets(a: set[object], b: set[object]) -> float:
    common = len(a & b)
    if not common:
        return 0.0
    p, r = common / len(a), common / len(b)
    return 2 * p * r / (p + r)


def zero_similarity(k: Mention, s: Mention) -> float:
    if k.head[0] != s.head[0]:
        return 0.0
    both = f_of_sets(set(k.deps), set(s.deps))
    parents = f_of_sets({parent for parent, _ in k.deps}, {parent for parent, _ in s.deps})
    return 10 * both + parents


def head_similarity(k: Mention, s: Mention) -> float:
    return len(k.wordset & s.wordset) / len(k.wordset) if k.head == s.head else 0.0


def partial_similarity(k: Mention, s: Mention) -> float:
    return len(s.wordset) / len(k.wordset) if k.head in s.wordset and s.wordset <= k.wordset else 0.0


def match_mentions(
    key: list[Entity], response: list[Entity], match: str, zeros: str
) -> list[tuple[Mention, Mention]]:
    # The sequence of set operations matters: it decides the iteration order of mentions that sort equal.
    key_set = {m for entity in key for m in entity}
    response_set = {m for entity in response for m in entity}
    key_left, response_left = key_set.copy(), response_set.copy()
    pairs: list[tuple[Mention, Mention]] = []
    if zeros == "dependent":
        key_zeros, response_zeros = {m for m in key_set if m.zero}, {m for m in response_set if m.zero}
        if key_zeros and response_zeros:
            pairs += assign(sorted(key_zeros), sorted(response_zeros), zero_similarity)
            key_left = key_left - {k for k, _ in pairs}
            response_left = response_left - {s for _, s in pairs}
    same = {m: m for m in response_left}
    identical = [(m, same[m]) for m in key_left if m in same]
    pairs += identical
    key_left = key_left - {k for k, _ in identical}
    response_left = response_left - {s for _, s in identical}
    key_left, response_left = {m for m in key_left}, {m for m in response_left}  # noqa: C416 - not set(...)
    if match != "exact":
        similarity = head_similarity if match == "head" else partial_similarity
        pairs += assign(sorted(key_left), sorted(response_left), similarity)
    return pairs


def translation(pairs: Iterable[tuple[Mention, Mention]]) -> dict[Mention, Mention]:
    """The one dictionary for both directions, in which the way back overwrites entries of the way there."""
    different = [(k, s) for k, s in pairs if k != s]
    table = {k: s for k, s in different}  # noqa: C416 - reads like the next line
    table.update({s: k for k, s in different})
    return table


# ---------------------------------------------------------------------------------------------- metrics


class Side:
    """One side of a document as seen from the other: where does each mention end up there?"""

    def __init__(self, mine: list[Entity], other: list[Entity], table: dict[Mention, Mention]) -> None:
        self.mine, self.other, self.table = mine, other, table
        self.owner: dict[Mention, int] = {}
        for index, entity in enumerate(other):
            for m in entity:
                self.owner[m] = index  # a mention of two entities belongs to the last one

    def translate(self, m: Mention) -> Mention:
        return self.table.get(m, m)

    def lands(self, m: Mention) -> int | None:
        return self.owner.get(self.translate(m))

    def together(self, a: Mention, b: Mention) -> bool:
        return self.lands(a) is not None and self.lands(a) == self.lands(b)


def muc(side: Side) -> tuple[float, float]:
    numerator = denominator = 0
    for entity in side.mine:
        landings = [side.lands(m) for m in entity]
        numerator += len(entity) - landings.count(None) - len(set(landings) - {None})
        denominator += len(entity) - 1
    return numerator, denominator


def bcub(side: Side) -> tuple[float, float]:
    numerator, denominator = 0.0, 0
    for entity in side.mine:
        landings = [side.lands(m) for m in entity]
        numerator += sum(landings.count(index) ** 2 for index in range(len(side.other))) / len(entity)
        denominator += len(entity)
    return numerator, denominator


def lea(side: Side) -> tuple[float, float]:
    numerator, denominator = 0.0, 0
    for entity in side.mine:
        if len(entity) == 1:
            index = side.lands(entity[0])
            numerator += 1.0 if index is not None and len(side.other[index]) == 1 else 0.0
        else:
            links = list(itertools.combinations(entity, 2))
            numerator += len(entity) * sum(side.together(a, b) for a, b in links) / len(links)
        denominator += len(entity)
    return numerator, denominator


def _best(matrix: list[list[float]]) -> float:
    if not matrix or not matrix[0]:
        return 0.0
    scores = np.array(matrix, dtype=float)
    return float(scores[linear_sum_assignment(-scores)].sum())


def _common(key_side: Side, k: Entity, s: Entity) -> int:
    return sum(key_side.translate(m) in s for m in k)


def ceafe(key_side: Side) -> Counts:
    key, response = key_side.mine, key_side.other
    best = _best([[2 * _common(key_side, k, s) / (len(k) + len(s)) for s in response] for k in key])
    return best, len(response), best, len(key)


def ceafm(key_side: Side) -> Counts:
    key, response = key_side.mine, key_side.other
    best = _best([[_common(key_side, k, s) for s in response] for k in key])
    return best, sum(map(len, response)), best, sum(map(len, key))


def _links_inside(entities: list[Entity]) -> int:
    return sum(len(list(itertools.combinations(entity, 2))) for entity in entities)


def _links_across(entities: list[Entity]) -> int:
    return sum(len(a) * len(b) for a, b in itertools.combinations(entities, 2))


def blanc_coreferent(key_side: Side) -> Counts:
    both = sum(key_side.together(a, b) for e in key_side.mine for a, b in itertools.combinations(e, 2))
    return both, _links_inside(key_side.other), both, _links_inside(key_side.mine)


def blanc_noncoreferent(key_side: Side) -> Counts:
    both = 0
    for first, second in itertools.combinations(key_side.mine, 2):
        for a, b in itertools.product(first, second):
            found = key_side.lands(a) is not None and key_side.lands(b) is not None
            both += found and not key_side.together(a, b)
    return both, _links_across(key_side.other), both, _links_across(key_side.mine)


def mor(key_side: Side) -> Counts:
    key = [m for entity in key_side.mine for m in entity]
    response = [m for entity in key_side.other for m in entity]
    best = _best([[len(k.wordset & s.wordset) for s in response] for k in key])
    return best, sum(len(m.words) for m in response), best, sum(len(m.words) for m in key)


def zero(key_side: Side) -> Counts:
    tp = fp = fn = wrong_link = 0
    first_mentions = [sorted(entity)[0] for entity in key_side.other]
    covered: list[Mention] = []
    for entity in key_side.mine:
        antecedents: set[int] = set()
        for position, m in enumerate(sorted(entity)):
            found = m if m in key_side.owner else key_side.table.get(m)  # here identity comes first
            if position > 0 and m.zero:
                if found is None or found in first_mentions:
                    fn += 1
                elif key_side.owner[found] not in antecedents:
                    wrong_link += 1
                else:
                    tp += 1
                if found is not None:
                    covered.append(found)
            if found is not None:
                antecedents.add(key_side.owner[found])
    for entity in key_side.other:
        for m in entity:
            fp += m.zero and m not in first_mentions and m not in covered
    return tp, tp + fp + wrong_link, tp, tp + fn + wrong_link


def _both_sides(metric: Callable[[Side], tuple[float, float]]) -> Callable[[Side], Counts]:
    def counts(key_side: Side) -> Counts:
        response_side = Side(key_side.other, key_side.mine, key_side.table)
        return (*metric(response_side), *metric(key_side))

    return counts


METRICS: dict[str, list[Callable[[Side], Counts]]] = {  # a metric is the mean over its parts (BLANC has two)
    "muc": [_both_sides(muc)],
    "bcub": [_both_sides(bcub)],
    "ceafe": [ceafe],
    "ceafm": [ceafm],
    "blanc": [blanc_coreferent, blanc_noncoreferent],
    "lea": [_both_sides(lea)],
    "mor": [mor],
    "zero": [zero],
}


# --------------------------------------------------------------------------------------------- pipeline


def _prepare(entities: Sequence[Sequence[Span]], match: str, singletons: str) -> list[Entity]:
    unique = [list(dict.fromkeys(Mention(span, match) for span in entity)) for entity in entities]
    return [entity for entity in unique if singletons == "keep" or len(entity) != 1]


def score_documents(
    documents: Iterable[tuple[Sequence[Sequence[Span]], Sequence[Sequence[Span]]]],
    *,
    match: str = "head",
    zeros: str = "dependent",
    singletons: str = "drop",
) -> dict[str, Score | float]:
    """Score (key entities, response entities) pairs, one per document."""
    if match not in ("head", "exact", "partial") or zeros not in ("dependent", "linear"):
        raise ValueError(f"unknown option: {match}, {zeros}")
    sides: list[Side] = []
    for key_spans, response_spans in documents:
        key, response = _prepare(key_spans, match, singletons), _prepare(response_spans, match, singletons)
        sides.append(Side(key, response, translation(match_mentions(key, response, match, zeros))))
    scores = {name: pooled(parts, sides) for name, parts in METRICS.items()}
    return {**scores, "conll": (scores["muc"][2] + scores["bcub"][2] + scores["ceafe"][2]) / 3}


def pooled(parts: Sequence[Callable[[Side], Counts]], sides: Sequence[Side]) -> Score:
    """The score of a metric from the counts of all documents."""
    scores: list[Score] = []
    for part in parts:
        pn = pd = rn = rd = 0.0
        for side in sides:  # one by one: newer Pythons correct the rounding errors of sum()
            counts = part(side)
            pn, pd, rn, rd = pn + counts[0], pd + counts[1], rn + counts[2], rd + counts[3]
        if len(parts) > 1 and pd == rd == 0:
            continue
        r, p = rn / rd if rn else 0.0, pn / pd if pn else 0.0
        scores.append((r, p, 2 * p * r / (p + r) if p + r else 0.0))
    count = max(len(scores), 1)
    r, p, f = (sum(score[i] for score in scores) / count for i in range(3))
    return r, p, f


def score_files(
    key_path: str | Path,
    response_path: str | Path,
    *,
    match: str = "head",
    zeros: str = "dependent",
    singletons: str = "drop",
) -> dict[str, Score | float]:
    """Score a response file against a key file: metric -> (recall, precision, f1), and "conll"."""
    key_file, response_file = read_conllu(key_path), read_conllu(response_path)
    check_alignment(key_file, response_file)
    key, response = split_documents(key_file), split_documents(response_file)
    if missing := [name for name in key if name not in response]:
        raise ValueError(f"documents missing in the response: {missing}")
    documents = [(key[name], response[name]) for name in key]
    return score_documents(documents, match=match, zeros=zeros, singletons=singletons)
