"""Naive set-based twins of the measures of three papers: sets as the papers build them, no table, no closed forms.

Cai and Strube (2010): B³_0, B³_all, B³_r&n, B³_sys, CEAF_orig, CEAF_r&n, CEAF_sys with φ3 and φ4; 0/0 is 0.
Popescu-Belis (2000): MUC, B³, B³ by classes, core, exclusive core, H, κ, DMT, D-err; both sides first get the same
mentions (DEF.19); a ratio 0/0 is 1.
Luo et al. (2014): BLANC with their boundary cases, and the Rand index.

Every measure is a function of a list of documents, since that is how it is pooled; rational measures are exact
fractions. A document without mentions adds nothing to any sum: it has no mentions, pairs or links to speak of.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import combinations
from math import log, sqrt
from typing import NamedTuple

Mentions = frozenset[Hashable]
Partition = list[Mentions]
Clusters = Sequence[Sequence[Hashable]]
Documents = Sequence[tuple[Clusters, Clusters]]
Number = Fraction | float
Similarity = Callable[[Mentions, Mentions], Fraction]


class Share(NamedTuple):
    """A ratio that can be summed over documents."""

    part: Number
    whole: Number


class Figures(NamedTuple):
    recall: Number
    precision: Number
    f1: Number


class Value(NamedTuple):
    value: Number


class Blanc(NamedTuple):
    """The six ratios (0/0 is 0) and the three figures."""

    coreference: Figures
    non_coreference: Figures
    total: Figures


def harmonic(recall: Number, precision: Number) -> Number:
    return 2 * recall * precision / (recall + precision) if recall and precision else Fraction(0)


def _ratio(shares: Sequence[Share], nothing: int) -> Number:
    part = sum((share.part for share in shares), Fraction(0))
    whole = sum((share.whole for share in shares), Fraction(0))
    return part / whole if whole else Fraction(nothing)


def _pooled(
    recall: Callable[[Clusters, Clusters], Share], precision: Callable[[Clusters, Clusters], Share], nothing: int
) -> Callable[[Documents], Figures]:
    """Numerators and denominators are summed; F is the harmonic mean of what comes out."""

    def figures(documents: Documents) -> Figures:
        recalls = [recall(key, response) for key, response in documents]
        precisions = [precision(key, response) for key, response in documents]
        found, right = _ratio(recalls, nothing), _ratio(precisions, nothing)
        return Figures(found, right, harmonic(found, right))

    return figures


def sets(clusters: Clusters) -> Partition:
    return [frozenset(cluster) for cluster in clusters]


def mentions(partition: Partition) -> Mentions:
    return frozenset(mention for entity in partition for mention in entity)


def _entity(partition: Partition, mention: Hashable) -> Mentions:
    return next((entity for entity in partition if mention in entity), frozenset())


def _total(values: Sequence[Number]) -> Number:
    return sum(values, Fraction(0))


# Cai and Strube (2010)


def _key_and_response(key: Clusters, response: Clusters) -> tuple[Partition, Partition]:
    return sets(key), sets(response)


def _without_spurious_singletons(key: Partition, response: Partition) -> Partition:
    """R⁻"""
    return [entity for entity in response if len(entity) > 1 or entity <= mentions(key)]


def _restricted(partition: Partition, to: Mentions) -> Partition:
    return [entity & to for entity in partition if entity & to]


def _with_singletons(partition: Partition, extra: Mentions) -> Partition:
    return [*partition, *(frozenset([mention]) for mention in extra)]


def _b3_share(ours: Partition, theirs: Partition, over: Mentions, alone: int) -> Share:
    """Over these mentions of ours: its share of the entity that they put together, too; 1 or 0 if they lack it."""
    shares: list[Number] = []
    for mention in over:
        entity = _entity(ours, mention)
        kept = len(entity & _entity(theirs, mention)) or alone
        shares.append(Fraction(kept, len(entity)))
    return Share(_total(shares), Fraction(len(over)))


def _b3_0_recall(key: Clusters, response: Clusters) -> Share:
    ours, theirs = _key_and_response(key, response)
    return _b3_share(ours, theirs, mentions(ours), alone=0)


def _b3_0_precision(key: Clusters, response: Clusters) -> Share:
    ours, theirs = _key_and_response(key, response)
    kept = _restricted(theirs, mentions(ours))
    return _b3_share(kept, ours, mentions(kept), alone=0)


def _b3_all_recall(key: Clusters, response: Clusters) -> Share:
    ours, theirs = _key_and_response(key, response)
    return _b3_share(ours, theirs, mentions(ours), alone=1)


def _b3_all_precision(key: Clusters, response: Clusters) -> Share:
    ours, theirs = _key_and_response(key, response)
    return _b3_share(theirs, ours, mentions(theirs), alone=1)


def _b3_rn_precision(key: Clusters, response: Clusters) -> Share:
    ours, theirs = _key_and_response(key, response)
    kept = _without_spurious_singletons(ours, theirs)
    return _b3_share(kept, ours, mentions(kept), alone=1)


def _sys_precision_pair(key: Clusters, response: Clusters) -> tuple[Partition, Partition]:
    """Key with singletons of what is spurious in R⁻, R⁻ with singletons of what it misses: equal mentions."""
    ours, theirs = _key_and_response(key, response)
    kept = _without_spurious_singletons(ours, theirs)
    spurious, missing = mentions(kept) - mentions(ours), mentions(ours) - mentions(kept)
    return _with_singletons(ours, spurious), _with_singletons(kept, missing)


def _sys_recall_pair(key: Clusters, response: Clusters) -> tuple[Partition, Partition]:
    """Key as it is; response without anything spurious, with singletons of what it misses: equal mentions."""
    ours, theirs = _key_and_response(key, response)
    kept = _restricted(_without_spurious_singletons(ours, theirs), mentions(ours))
    return ours, _with_singletons(kept, mentions(ours) - mentions(kept))


def _b3_sys_recall(key: Clusters, response: Clusters) -> Share:
    """B³ on the recall pair, which has no twinless mentions."""
    ours, theirs = _sys_recall_pair(key, response)
    return _b3_share(ours, theirs, mentions(ours), alone=0)


def _b3_sys_precision(key: Clusters, response: Clusters) -> Share:
    ours, theirs = _sys_precision_pair(key, response)
    return _b3_share(theirs, ours, mentions(theirs), alone=0)


def _phi3(ours: Mentions, theirs: Mentions) -> Fraction:
    return Fraction(len(ours & theirs))


def _phi4(ours: Mentions, theirs: Mentions) -> Fraction:
    return Fraction(2 * len(ours & theirs), len(ours) + len(theirs))


def _best(ours: Partition, theirs: Partition, similarity: Similarity) -> Fraction:
    """Every one-to-one map of entities that overlap is tried; the others would add nothing."""
    if not ours:
        return Fraction(0)
    first, rest = ours[0], ours[1:]
    totals = [_best(rest, theirs, similarity)]
    for at, entity in enumerate(theirs):
        if first & entity:
            others = [*theirs[:at], *theirs[at + 1 :]]
            totals.append(similarity(first, entity) + _best(rest, others, similarity))
    return max(totals)


def _ceaf_share(ours: Partition, theirs: Partition, similarity: Similarity) -> Share:
    """The best map against the map of ours to itself."""
    return Share(_best(ours, theirs, similarity), _total([similarity(entity, entity) for entity in ours]))


def _ceaf_orig_recall(key: Clusters, response: Clusters) -> Share:
    ours, theirs = _key_and_response(key, response)
    return _ceaf_share(ours, theirs, _phi3)


def _ceaf_orig_precision(key: Clusters, response: Clusters) -> Share:
    ours, theirs = _key_and_response(key, response)
    return _ceaf_share(theirs, ours, _phi3)


def _ceaf_rn_recall(key: Clusters, response: Clusters) -> Share:
    ours, theirs = _key_and_response(key, response)
    return _ceaf_share(ours, _without_spurious_singletons(ours, theirs), _phi3)


def _ceaf_rn_precision(key: Clusters, response: Clusters) -> Share:
    ours, theirs = _key_and_response(key, response)
    return _ceaf_share(_without_spurious_singletons(ours, theirs), ours, _phi3)


def _ceaf_sys(similarity: Similarity) -> Callable[[Documents], Figures]:
    def recall(key: Clusters, response: Clusters) -> Share:
        ours, theirs = _sys_recall_pair(key, response)
        return _ceaf_share(ours, theirs, similarity)

    def precision(key: Clusters, response: Clusters) -> Share:
        ours, theirs = _sys_precision_pair(key, response)
        return _ceaf_share(theirs, ours, similarity)

    return _pooled(recall, precision, nothing=0)


def nothing_to_count(name: str, documents: Documents) -> bool:
    """Whether a measure of Cai and Strube has neither key nor response mentions to look at, so is 0/0 throughout."""
    for key, response in documents:
        ours, theirs = _key_and_response(key, response)
        if name == "b3_0":
            theirs = _restricted(theirs, mentions(ours))
        elif name not in ("b3_all", "ceaf_orig"):
            theirs = _without_spurious_singletons(ours, theirs)
        if ours or theirs:
            return False
    return True


# Popescu-Belis (2000)


def completed(key: Clusters, response: Clusters) -> tuple[list[list[Hashable]], list[list[Hashable]]]:
    """DEF.19: each side gets the other side's mentions that it lacks, as singletons, after its own clusters."""

    def with_those_of(ours: Clusters, theirs: Clusters) -> list[list[Hashable]]:
        own = mentions(sets(ours))
        extra = [[mention] for cluster in theirs for mention in cluster if mention not in own]
        return [*map(list, ours), *extra]

    return with_those_of(key, response), with_those_of(response, key)


def _completed(key: Clusters, response: Clusters) -> tuple[Partition, Partition]:
    ours, theirs = completed(key, response)
    return sets(ours), sets(theirs)


def _pieces(entity: Mentions, partition: Partition) -> Partition:
    """What the other side breaks an entity into."""
    return [entity & other for other in partition if entity & other]


def _there_and_back(one_way: Callable[[Partition, Partition], Share]) -> Callable[[Documents], Figures]:
    """A measure whose precision is its recall with the sides swapped."""

    def recall(key: Clusters, response: Clusters) -> Share:
        return one_way(*_completed(key, response))

    def precision(key: Clusters, response: Clusters) -> Share:
        ours, theirs = _completed(key, response)
        return one_way(theirs, ours)

    return _pooled(recall, precision, nothing=1)


def _muc_links(ours: Partition, theirs: Partition) -> Share:
    kept = sum(len(entity) - len(_pieces(entity, theirs)) for entity in ours)
    return Share(Fraction(kept), Fraction(sum(len(entity) - 1 for entity in ours)))


def _b3_mentions(ours: Partition, theirs: Partition) -> Share:
    return _b3_share(ours, theirs, mentions(ours), alone=0)


def _b3_classes(ours: Partition, theirs: Partition) -> Share:
    """Each class counts once, whatever its size; within it each mention has its share (DEF.10, over classes)."""
    shares: list[Number] = []
    for entity in ours:
        kept = [Fraction(len(entity & _entity(theirs, mention)), len(entity)) for mention in entity]
        shares.append(_total(kept) / len(entity))
    return Share(_total(shares), Fraction(len(ours)))


def _core_links(ours: Partition, theirs: Partition) -> Share:
    """The core of an entity is its largest piece."""
    kept = sum(max(map(len, _pieces(entity, theirs))) - 1 for entity in ours)
    return Share(Fraction(kept), Fraction(sum(len(entity) - 1 for entity in ours)))


def _exclusive_cores(ours: Partition, theirs: Partition) -> list[tuple[Mentions, Mentions]]:
    """Each key entity, large ones first, with the response entity it claims, or none: no entity is claimed twice."""
    free = list(range(len(theirs)))
    claims: list[tuple[Mentions, Mentions]] = []
    for i in sorted(range(len(ours)), key=lambda i: (-len(ours[i]), i)):
        wanted = [j for j in free if ours[i] & theirs[j]]
        wanted.sort(key=lambda j: (-len(ours[i] & theirs[j]), len(theirs[j]), j))
        claims.append((ours[i], theirs[wanted[0]] if wanted else frozenset()))
        free = [j for j in free if j not in wanted[:1]]
    return claims


def _strict_cores(ours: Partition, theirs: Partition) -> list[tuple[Mentions, Mentions]]:
    """Each key entity claims its largest piece, in the larger of equal choices; who comes late gets nothing."""
    claims: list[tuple[Mentions, Mentions]] = []
    for entity in sorted(ours, key=len, reverse=True):
        favourite = max(theirs, key=lambda other: (len(entity & other), len(other)))
        taken = favourite in [claimed for _, claimed in claims]
        claims.append((entity, frozenset() if taken else favourite))
    return claims


Cores = Callable[[Partition, Partition], list[tuple[Mentions, Mentions]]]


def _xcore(cores: Cores) -> Callable[[Documents], Figures]:
    def recall(key: Clusters, response: Clusters) -> Share:
        ours, theirs = _completed(key, response)
        inside = sum(len(entity & claimed) for entity, claimed in cores(ours, theirs))
        return Share(Fraction(inside), Fraction(len(mentions(ours))))

    def precision(key: Clusters, response: Clusters) -> Share:
        ours, theirs = _completed(key, response)
        outside = sum(len(claimed - entity) for entity, claimed in cores(ours, theirs))
        return Share(Fraction(len(mentions(ours)) - outside), Fraction(len(mentions(ours))))

    return _pooled(recall, precision, nothing=1)


def _entropy(partition: Partition, given: Partition) -> float:
    """Of the entity of a random mention, once its entity on the other side is known."""
    total = len(mentions(partition))
    found = 0.0
    for known in given:
        for piece in _pieces(known, partition):
            found -= len(piece) / total * log(len(piece) / len(known))
    return found


def entropy(documents: Documents) -> Figures:
    """Each of the four entropies is summed, weighted by the mentions of its document, before anything is divided."""
    sums = [0.0, 0.0, 0.0, 0.0]
    for key, response in documents:
        ours, theirs = _completed(key, response)
        everything = [mentions(ours)]
        four = [
            _entropy(theirs, ours),
            _entropy(theirs, everything),
            _entropy(ours, theirs),
            _entropy(ours, everything),
        ]
        sums = [total + len(everything[0]) * one for total, one in zip(sums, four, strict=True)]
    response_given_key, response_alone, key_given_response, key_alone = sums
    recall = 1 - response_given_key / response_alone if response_alone else 1.0
    precision = 1 - key_given_response / key_alone if key_alone else 1.0
    return Figures(recall, precision, harmonic(recall, precision))


def kappa(documents: Documents) -> Value:
    """Agreement on MUC's links, of which a document has one less than mentions, beyond chance."""
    both = only_response = only_key = neither = Fraction(0)
    for key, response in documents:
        ours, theirs = _completed(key, response)
        if not mentions(ours):
            continue
        kept, in_key = _muc_links(ours, theirs)
        again, in_response = _muc_links(theirs, ours)
        assert kept == again
        a, b, c = Fraction(kept), Fraction(in_response - kept), Fraction(in_key - kept)
        both, only_response, only_key = both + a, only_response + b, only_key + c
        neither += len(mentions(ours)) - 1 - a - b - c
    total = both + only_response + only_key + neither
    if not total:
        return Value(Fraction(1))
    observed = (both + neither) / total
    in_both_by_chance = (both + only_key) / total * ((both + only_response) / total)
    in_none_by_chance = (only_response + neither) / total * ((only_key + neither) / total)
    expected = in_both_by_chance + in_none_by_chance
    return Value(Fraction(1) if expected == 1 else (observed - expected) / (1 - expected))


def _profiles(key: Clusters, response: Clusters) -> list[tuple[int, int]]:
    """The sizes of key and response entities, largest first, zeros at the end."""
    ours, theirs = (sorted(map(len, side), reverse=True) for side in _completed(key, response))
    length = max(len(ours), len(theirs))
    return [(ours[at] if at < len(ours) else 0, theirs[at] if at < len(theirs) else 0) for at in range(length)]


def dmt(documents: Documents) -> Value:
    distance = most = 0
    for key, response in documents:
        sizes = _profiles(key, response)
        distance += sum(abs(k - r) for k, r in sizes)
        most += 2 * max(sum(k for k, _ in sizes) - 1, 0)
    return Value(1 - Fraction(distance, most) if most else Fraction(1))


class Error(NamedTuple):
    """D-err of one document: the square of its magnitude, and where it points."""

    squared: Fraction
    direction: str


def d_err_of_document(key: Clusters, response: Clusters) -> Error:
    """Distance of the centroids of what key and response profiles have beyond each other, in a box of N by L − 1."""
    sizes = _profiles(key, response)

    def centroid(zones: list[tuple[int, Fraction, int]]) -> tuple[Fraction, Fraction]:
        area = sum(size for _, _, size in zones)
        across = sum((Fraction(size * x) for x, _, size in zones), Fraction(0)) / area
        up = sum((size * y for _, y, size in zones), Fraction(0)) / area
        return across, up

    white = [(x, Fraction(k + r, 2), k - r) for x, (k, r) in enumerate(sizes) if k > r]
    dark = [(x, Fraction(k + r, 2), r - k) for x, (k, r) in enumerate(sizes) if r > k]
    if not white:
        return Error(Fraction(0), "")
    (key_x, key_y), (response_x, response_y) = centroid(white), centroid(dark)
    diagonal = sum(k for k, _ in sizes) ** 2 + (len(sizes) - 1) ** 2
    squared = ((key_x - response_x) ** 2 + (key_y - response_y) ** 2) / diagonal
    return Error(squared, "r" if key_x < response_x else "p" if key_x > response_x else "")


def d_err(documents: Documents) -> Value:
    """Each document has its own; the value of several is their mean."""
    magnitudes = [sqrt(d_err_of_document(key, response).squared) for key, response in documents]
    return Value(sum(magnitudes) / len(magnitudes) if magnitudes else 0.0)


def d_err_directions(documents: Documents) -> tuple[int, int]:
    """How many documents point to r, and how many to p."""
    found = [d_err_of_document(key, response).direction for key, response in documents]
    return found.count("r"), found.count("p")


def coref_rate(partition: Clusters) -> Fraction:
    """|E| / |P|: mentions to the class."""
    return Fraction(len(mentions(sets(partition))), len(partition))


# Luo et al. (2014)


def _links(partition: Partition) -> tuple[set[Mentions], set[Mentions]]:
    every = {frozenset(pair) for pair in combinations(mentions(partition), 2)}
    same = {frozenset(pair) for entity in partition for pair in combinations(entity, 2)}
    return same, every - same


def _pooled_links(sides: Sequence[Partition]) -> tuple[set[tuple[int, Mentions]], set[tuple[int, Mentions]]]:
    """Of several documents, no link crossing from one to another."""
    same: set[tuple[int, Mentions]] = set()
    apart: set[tuple[int, Mentions]] = set()
    for at, side in enumerate(sides):
        together, separate = _links(side)
        same |= {(at, link) for link in together}
        apart |= {(at, link) for link in separate}
    return same, apart


def _component(ours: set[tuple[int, Mentions]], theirs: set[tuple[int, Mentions]]) -> Figures:
    common = len(ours & theirs)
    recall = Fraction(common, len(ours)) if ours else Fraction(0)
    precision = Fraction(common, len(theirs)) if theirs else Fraction(0)
    return Figures(recall, precision, harmonic(recall, precision))


def blanc_components(documents: Documents) -> Blanc:
    keys = [sets(key) for key, _ in documents]
    responses = [sets(response) for _, response in documents]
    key_same, key_apart = _pooled_links(keys)
    response_same, response_apart = _pooled_links(responses)
    same, apart = _component(key_same, response_same), _component(key_apart, response_apart)
    no_same, no_apart = not (key_same or response_same), not (key_apart or response_apart)
    if no_same and no_apart:
        equal = Fraction(list(map(mentions, keys)) == list(map(mentions, responses)))
        return Blanc(same, apart, Figures(equal, equal, equal))
    if no_same:
        return Blanc(same, apart, apart)
    if no_apart:
        return Blanc(same, apart, same)
    return Blanc(same, apart, Figures(*((c + n) / 2 for c, n in zip(same, apart, strict=True))))


def blanc(documents: Documents) -> Figures:
    return blanc_components(documents).total


def blanc_gold(key: Clusters, response: Clusters) -> Number:
    """BLANC's F by counting pairs, for equal mentions: the mean of the F of both kinds of links that there are."""
    ours, theirs = sets(key), sets(response)
    assert mentions(ours) == mentions(theirs)
    right = {True: 0, False: 0}
    in_key = {True: 0, False: 0}
    in_response = {True: 0, False: 0}
    for one, other in combinations(mentions(ours), 2):
        together_in_key, together_in_response = other in _entity(ours, one), other in _entity(theirs, one)
        in_key[together_in_key] += 1
        in_response[together_in_response] += 1
        right[together_in_key] += together_in_key == together_in_response
    scores = [Fraction(2 * right[kind], both) for kind in right if (both := in_key[kind] + in_response[kind])]
    return _total(scores) / len(scores) if scores else Fraction(1)


def rand(documents: Documents) -> Value:
    """The share of pairs of mentions on which both sides agree, once both have the same mentions."""
    agreed = pairs = 0
    for key, response in documents:
        ours, theirs = _completed(key, response)
        for one, other in combinations(mentions(ours), 2):
            agreed += (other in _entity(ours, one)) == (other in _entity(theirs, one))
            pairs += 1
    return Value(Fraction(agreed, pairs) if pairs else Fraction(1))


FIGURES: dict[str, Callable[[Documents], Figures]] = {
    "b3_0": _pooled(_b3_0_recall, _b3_0_precision, nothing=0),
    "b3_all": _pooled(_b3_all_recall, _b3_all_precision, nothing=0),
    "b3_rn": _pooled(_b3_all_recall, _b3_rn_precision, nothing=0),
    "b3_sys": _pooled(_b3_sys_recall, _b3_sys_precision, nothing=0),
    "ceaf_orig": _pooled(_ceaf_orig_recall, _ceaf_orig_precision, nothing=0),
    "ceaf_rn": _pooled(_ceaf_rn_recall, _ceaf_rn_precision, nothing=0),
    "ceaf_sys": _ceaf_sys(_phi3),
    "ceaf_sys_phi4": _ceaf_sys(_phi4),
    "muc_pb": _there_and_back(_muc_links),
    "b3_pb": _there_and_back(_b3_mentions),
    "b3_pb_class": _there_and_back(_b3_classes),
    "core": _there_and_back(_core_links),
    "xcore": _xcore(_exclusive_cores),
    "xcore_strict": _xcore(_strict_cores),
    "entropy": entropy,
    "blanc": blanc,
}
"""Measures of recall, precision and F."""

VALUES: dict[str, Callable[[Documents], Value]] = {"kappa": kappa, "dmt": dmt, "d_err": d_err, "rand": rand}
"""Measures of a single value."""

CAI_STRUBE = ("b3_0", "b3_all", "b3_rn", "b3_sys", "ceaf_orig", "ceaf_rn", "ceaf_sys", "ceaf_sys_phi4")
POPESCU_BELIS = ("muc_pb", "b3_pb", "b3_pb_class", "core", "xcore", "xcore_strict", "entropy")


ORACLES: dict[str, Callable[[Documents], Figures | Value]] = {**FIGURES, **VALUES}
"""All measures of the catalogue."""


def oracle(name: str, documents: Documents) -> Figures | Value:
    """What a measure of the catalogue should give for these documents."""
    return ORACLES[name](documents)
