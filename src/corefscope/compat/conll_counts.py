"""Counts as the CoNLL reference scorer 8.01 makes them, in its order of additions and with its way with repeats.

Where no span stands twice these are the counts of the metrics themselves. Where one does:

- in the key every occurrence stays; for MUC and B³ a span belongs to the last entity that has it;
- in the response, a span that the key has too stays only where it occurs first, one that the key lacks everywhere;
- CEAF asks which spans of a key entity a response entity has, wherever else they stand;
- BLANC's links are sets, so that a pair of spans may be both coreferent and not, and a span linked with itself.

The reference adds floats one mention at a time and cuts percentages off instead of rounding them, so that its last
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
    """Both sides as lists of mention numbers, the same number standing for the same mention."""
    return _as_they_close(alignment.key), [chain for chain in response_chains(alignment) if chain]


def response_chains(alignment: Alignment) -> Chains:
    """The response by entity; of some, nothing is left."""
    spurious = len(alignment.key.mentions)
    response: Chains = []
    seen: set[int] = set()
    for members in _as_they_close(alignment.response):
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


def _as_they_close(side: Side) -> list[list[int]]:
    """The mentions of each entity by their last words, shorter first: in the order of their closing brackets.

    Those that are no spans of words stay in the order in which they were given.
    """
    if side.mentions and not isinstance(side.mentions[0], Mention):
        return [list(entity) for entity in side.entities]

    def closing(number: int) -> tuple[int, int]:
        mention = side.mentions[number]
        return mention.last, mention.size

    return [sorted(entity, key=closing) for entity in side.entities]


def _holders(side: Iterable[Sequence[int]]) -> dict[int, list[int]]:
    """The chains that have a mention, each once, in order."""
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
    """The counts of CEAFm and of CEAFe; additions in the order of the key."""
    holders = _holders(response)
    common = [Counter([j for mention in chain for j in holders.get(mention, ())]) for chain in key]
    likeness = [
        {j: 1 - (1 - 2 * n / (len(chain) + len(response[j]))) for j, n in row.items()}
        for chain, row in zip(key, common, strict=True)
    ]
    # Whole numbers have the same sum whichever of the best choices is made.
    mentions = int(best_total((i, j, n) for i, row in enumerate(common) for j, n in row.items()))
    entities = _best(likeness)
    return (
        (mentions, _sum_of_sizes(key), mentions, _sum_of_sizes(response)),
        (entities, len(key), entities, len(response)),
    )


def _best(rows: Sequence[dict[int, float]]) -> float:
    """The sum over the best one-to-one choice of columns; each group of rows that share columns chooses by itself."""
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
    """BLANC's six numbers of links; those of mentions that stand once by the closed forms of the metric."""
    if any(find_repeated(join(*side)) for side in (key, response)):
        return _links_of_repeated(key, response)
    return BLANC.counts(_table(key, response))[:6]


def _links_of_repeated(key: Chains, response: Chains) -> Counts:
    """The same where mentions may stand twice.

    Mentions are linked if some chain has both. They are non-linked unless one chain has both and no other has either,
    so a mention that several chains have is non-linked with itself.
    """
    ours, theirs = _holders(key), _holders(response)
    both = {m: [(i, j) for i in ours[m] for j in theirs[m]] for m in ours if m in theirs}
    in_key, in_response = ({m: side[m] for m in both} for side in (ours, theirs))
    twice, also_twice = _twice_in_a_chain(key), _twice_in_a_chain(response)
    selves = len(_in_several(in_key) & _in_several(in_response))
    return (
        _sharing(both) + len(twice & also_twice),
        _sharing(ours) + len(twice),
        _sharing(theirs) + len(also_twice),
        pairs(len(both)) - _inside(in_key) - _inside(in_response) + _inside(both) + selves,
        pairs(len(ours)) - _inside(ours) + len(_in_several(ours)),
        pairs(len(theirs)) - _inside(theirs) + len(_in_several(theirs)),
    )


Holders = Mapping[int, Sequence[Hashable]]


def _sharing(holders: Holders) -> int:
    """The number of pairs of mentions that some chain has both of; mentions of the same chains are taken together."""
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


def _inside(holders: Holders) -> int:
    """The number of pairs of mentions that one chain has, and no other has any of."""
    return sum(map(pairs, Counter([chains[0] for chains in holders.values() if len(chains) == 1]).values()))


def _in_several(holders: Holders) -> set[int]:
    return {mention for mention, chains in holders.items() if len(chains) > 1}


def _twice_in_a_chain(side: Chains) -> set[int]:
    return {mention for chain in side for mention in find_repeated(chain)}


def _table(key: Chains, response: Chains) -> Contingency:
    owner = {mention: j for j, chain in enumerate(response) for mention in chain}
    cells = Counter((i, owner[m]) for i, chain in enumerate(key) for m in chain if m in owner)
    return Contingency.of_pairs(list(map(len, key)), list(map(len, response)), cells)


def _sum_of_sizes(side: Chains) -> int:
    return sum(map(len, side))
