"""Counts of the CoNLL reference scorer 8.01: its order of additions, and its handling of repeated mentions.

Without repeated spans these are the counts of the metrics themselves. With repeated spans:

- in the key every occurrence stays; for MUC and B³ a span belongs to the last entity that has it;
- in the response, a span of the key stays only at its first occurrence, other spans at every occurrence;
- CEAF counts the spans that a key entity and a response entity share, wherever else they occur;
- BLANC's links are sets, so that a pair of spans may be both coreferent and not, and a span linked with itself.

The reference adds floats one mention at a time and truncates percentages instead of rounding them, so that its last
printed digit depends on the order of its additions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import chain as join
from operator import or_

from ..core.components import components
from ..core.document import Mention
from ..core.matching.alignment import NONE, Alignment, Side
from ..core.matching.assignment import assign_component, best_total, find_repeated
from ..core.metrics.blanc import BLANC, pairs
from ..core.numbers import Counts
from ..core.table import Contingency

Chains = list[list[int]]


def count(alignment: Alignment) -> dict[str, Counts]:
    """The counts of the metrics that the reference scorer has, by name."""
    key, response = chains(alignment)
    distinct = len(alignment.key.mentions), len(alignment.response.mentions)
    ceafm, ceafe = _ceaf(key, response)
    return {
        "muc": _muc(key, response),
        "bcub": _b_cubed(key, response),
        "ceafm": ceafm,
        "ceafe": ceafe,
        "blanc": (*links_of_chains(key, response), sum(distinct) - 2 * alignment.matched),
        "mentions": (alignment.matched, distinct[0], alignment.matched, distinct[1]),
    }


def chains(alignment: Alignment) -> tuple[Chains, Chains]:
    """Both sides as lists of mention numbers; equal mentions have equal numbers."""
    return _in_closing_order(alignment.key), [chain for chain in response_chains(alignment) if chain]


def response_chains(alignment: Alignment) -> Chains:
    """The entities of the response, some of which may be empty."""
    spurious = len(alignment.key.mentions)
    response: Chains = []
    seen: set[int] = set()
    for members in _in_closing_order(alignment.response):
        chain = []
        for number in members:
            counterpart = alignment.to_key[number]
            if counterpart == NONE:
                chain.append(spurious + number)
            elif counterpart not in seen:
                seen.add(counterpart)
                chain.append(counterpart)
        response.append(chain)
    return response


def _in_closing_order(side: Side) -> list[list[int]]:
    """The mentions of each entity in the order of their closing brackets: by last word, shorter ones first.

    Mentions that are not spans of words keep their order.
    """
    if side.mentions and not isinstance(side.mentions[0], Mention):
        return [list(entity) for entity in side.entities]

    def closing(number: int) -> tuple[int, int]:
        mention = side.mentions[number]
        return mention.last, mention.size

    return [sorted(entity, key=closing) for entity in side.entities]


def _holders(side: Iterable[Sequence[int]]) -> dict[int, list[int]]:
    """The chains of each mention, in order."""
    holders: dict[int, list[int]] = {}
    for i, chain in enumerate(side):
        for mention in dict.fromkeys(chain):
            holders.setdefault(mention, []).append(i)
    return holders


def _muc(key: Chains, response: Chains) -> Counts:
    owner = {mention: i for i, chain in enumerate(key) for mention in chain}
    common = 0
    for chain in response:
        parts = Counter(owner[mention] for mention in chain if mention in owner)
        common += sum(parts.values()) - len(parts)
    return common, _sum_of_sizes(key) - len(key), common, _sum_of_sizes(response) - len(response)


def _b_cubed(key: Chains, response: Chains) -> Counts:
    owner = {mention: i for i, chain in enumerate(key) for mention in chain}
    holders = _holders(key)
    recall = precision = 0.0
    for chain in response:
        common = Counter(i for mention in chain for i in holders.get(mention, ()))
        for mention in chain:
            if mention in owner:
                i = owner[mention]
                precision += common[i] / len(chain)
                recall += common[i] / len(key[i])
    return recall, _sum_of_sizes(key), precision, _sum_of_sizes(response)


def _ceaf(key: Chains, response: Chains) -> tuple[Counts, Counts]:
    """The counts of CEAFm and of CEAFe, added in the order of the key."""
    holders = _holders(response)
    common = [Counter([j for mention in chain for j in holders.get(mention, ())]) for chain in key]
    similarity = [
        {j: 1 - (1 - 2 * n / (len(chain) + len(response[j]))) for j, n in row.items()}
        for chain, row in zip(key, common, strict=True)
    ]
    # Sums of whole numbers are exact: any best assignment will do.
    mentions = int(best_total((i, j, n) for i, row in enumerate(common) for j, n in row.items()))
    entities = _best_sum(similarity)
    return (
        (mentions, _sum_of_sizes(key), mentions, _sum_of_sizes(response)),
        (entities, len(key), entities, len(response)),
    )


def _best_sum(rows: Sequence[dict[int, float]]) -> float:
    """Sum of a maximum-weight assignment, found separately for each connected component, added in order of rows."""
    chosen: dict[int, float] = {}
    for group in components(rows):
        group.sort()
        if not rows[group[0]]:
            continue
        if len(group) == 1:
            chosen[group[0]] = max(rows[group[0]].values())
            continue
        columns = list(dict.fromkeys([j for i in group for j in rows[i]]))
        if len(columns) == 1:
            best = max(group, key=lambda i: rows[i][columns[0]])
            chosen[best] = rows[best][columns[0]]
            continue
        for row, column in assign_component([rows[i] for i in group]):
            chosen[group[row]] = rows[group[row]][column]
    total: float = 0
    for i in sorted(chosen):
        total += chosen[i]
    return total


def links_of_chains(key: Chains, response: Chains) -> Counts:
    """BLANC's six numbers of links; without repeated mentions by the closed forms of the metric."""
    if any(find_repeated(join(*side)) for side in (key, response)):
        return _links_of_repeated(key, response)
    owner = {mention: j for j, chain in enumerate(response) for mention in chain}
    cells = Counter((i, owner[m]) for i, chain in enumerate(key) for m in chain if m in owner)
    return BLANC.counts(Contingency.of_pairs(list(map(len, key)), list(map(len, response)), cells))[:6]


def _links_of_repeated(key: Chains, response: Chains) -> Counts:
    """BLANC's six numbers of links where mentions repeat.

    Mentions are linked if some chain has both. They are non-linked unless one chain has both and no other has either,
    so a mention that several chains have is non-linked with itself.
    """
    ours, theirs = _holders(key), _holders(response)
    both = {m: [(i, j) for i in ours[m] for j in theirs[m]] for m in ours if m in theirs}
    in_key, in_response = ({m: side[m] for m in both} for side in (ours, theirs))
    twice, also_twice = ({m for chain in side for m in find_repeated(chain)} for side in (key, response))
    selves = len(_in_several(in_key) & _in_several(in_response))
    return (
        _count_linked(both) + len(twice & also_twice),
        _count_linked(ours) + len(twice),
        _count_linked(theirs) + len(also_twice),
        pairs(len(both)) - _count_exclusive(in_key) - _count_exclusive(in_response) + _count_exclusive(both) + selves,
        pairs(len(ours)) - _count_exclusive(ours) + len(_in_several(ours)),
        pairs(len(theirs)) - _count_exclusive(theirs) + len(_in_several(theirs)),
    )


Holders = Mapping[int, Sequence[Hashable]]


def _count_linked(holders: Holders) -> int:
    """Number of pairs of mentions that some chain has both of; mentions of the same chains are counted together."""
    members: dict[Hashable, list[int]] = {}
    for mention, chains in holders.items():
        for chain in chains:
            members.setdefault(chain, []).append(mention)

    @lru_cache(maxsize=1 << 10)
    def bits(chain: Hashable) -> int:
        return reduce(or_, (1 << mention for mention in members[chain]))

    total = 0
    for chains, mentions in Counter(map(tuple, holders.values())).items():
        found = len(members[chains[0]]) if len(chains) == 1 else reduce(or_, map(bits, chains)).bit_count()
        total += mentions * (found - 1)
    return total // 2  # each pair was found from either end


def _count_exclusive(holders: Holders) -> int:
    """Number of pairs of mentions that one chain has, and no other has any of."""
    return sum(map(pairs, Counter([chains[0] for chains in holders.values() if len(chains) == 1]).values()))


def _in_several(holders: Holders) -> set[int]:
    return {mention for mention, chains in holders.items() if len(chains) > 1}


def _sum_of_sizes(side: Chains) -> int:
    return sum(map(len, side))
