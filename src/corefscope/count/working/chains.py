"""Entities as the CoNLL reference scorer counts them: repeats stay in the key, a span belongs to the last entity."""

from __future__ import annotations

from ...match.alignment import NONE, Alignment
from ..conll import chains, response_chains
from .cuts import Cut, Cuts, Member
from .sections import KEY, RESPONSE, Ref


def cuts_of_chains(alignment: Alignment) -> Cuts:
    """What the reference's own counts of MUC, B³, CEAF and BLANC are made from."""
    key, response = chains(alignment)
    numbers = [j for j, chain in enumerate(response_chains(alignment)) if chain]
    owner = {mention: i for i, chain in enumerate(key) for mention in chain}
    holder = {mention: j for j, chain in enumerate(response) for mention in chain if mention in owner}
    shared: dict[tuple[int, int], list[Ref]] = {}
    for i, chain in enumerate(key):
        for mention in chain:
            if mention in holder:
                shared.setdefault((i, holder[mention]), []).append((KEY, mention))
    common = {cell: len(set(mentions)) for cell, mentions in shared.items()}
    spurious = len(alignment.key.mentions)
    key_cuts = []
    for i, chain in enumerate(key):
        members, seen = [], set()
        for mention in chain:
            j = holder.get(mention, NONE) if owner[mention] == i and mention not in seen else NONE
            seen.add(mention)
            members.append(Member((KEY, mention), j, common.get((i, j), 0)))
        key_cuts.append(Cut((KEY, i), members))
    response_cuts = []
    for j, (number, chain) in enumerate(zip(numbers, response, strict=True)):
        members = []
        for mention in chain:
            i = owner.get(mention, NONE)
            ref: Ref = (KEY, mention) if i != NONE else (RESPONSE, mention - spurious)
            members.append(Member(ref, i, common.get((i, j), 0)))
        response_cuts.append(Cut((RESPONSE, number), members))
    return Cuts(key_cuts, response_cuts, shared, alignment, chains=(key, response))
