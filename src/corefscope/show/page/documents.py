"""One document for the page: words once, and for each side chains, mentions, counterparts and faults."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ...base.mention import Mention
from ...study.faults.deixis import Layer
from ...study.faults.examine import Findings
from ...study.faults.features import DIMENSIONS
from ...study.faults.pairing import Pairing
from .chains import Chains, Entries, Plain
from .faults import SliceNumbers, SliceValues, mark_shared
from .how import How
from .layers import NON_REFERRING, UNSCORED, Compared
from .nodes import NumberedNodes
from .relations import fault_places, has_relations, relation_rows


def document_data(
    compared: Sequence[Compared], kinds: Sequence[str], how: Sequence[How], numbers: SliceNumbers
) -> Plain:
    """The plain values of a document, as ``show/schemas/corefscope-page-1.json`` describes them.

    ``compared`` has what was found out about each response, ``kinds`` the names of the kinds of faults: a fault has
    the index of its kind, and the ``numbers`` of its slices. ``how`` works the score of each response out.
    """
    document = compared[0].findings.key.document
    nodes = NumberedNodes([document, *(one.findings.response.document for one in compared)])
    key, *sides = [Chains(nodes, side) for side in range(len(compared) + 1)]
    # First all chains and mentions of the key: a response may show some that others do not.
    layers = [
        [(layer, key.add(layer.key, name), side.add(layer.response, name)) for name, layer in one.layers()]
        for side, one in zip(sides, compared, strict=True)
    ]
    relations = [
        relation_rows(one.findings, one.faults, (key, side)) if has_relations(one.findings) else None
        for side, one in zip(sides, compared, strict=True)
    ]
    faults = [
        _faults(one, (key, added[0][1]), (side, added[0][2]), kinds, numbers)
        for side, added, one in zip(sides, layers, compared, strict=True)
    ]
    responses = []
    for side, added, wrong, rows, one, work in zip(sides, layers, faults, relations, compared, how, strict=True):
        _, in_key, in_response = added[0]
        find = partial(_find, ((key, in_key), (side, in_response)))
        responses.append(
            {
                **side.plain(),
                **_correspondence(added, key, side),
                "f": wrong,
                "how": work.work_out(one.findings, find, (in_key.chains, in_response.chains)),
                **({"r": rows} if rows else {}),
            }
        )
    mark_shared(faults, [side.mentions for side in sides])
    return {
        "id": document.id,
        "s": nodes.sentences(),
        "z": nodes.zeros([side.relations for side in (key, *sides)]),
        "key": key.plain(),
        "responses": responses,
    }


def _find(sides: Sequence[tuple[Chains, Entries]], side: int, mention: int | Mention) -> int:
    """The entry of a mention of a side, which is named by its number or itself."""
    chains, entries = sides[side]
    return entries.owned[mention] if isinstance(mention, int) else chains.find(mention)


def _correspondence(
    layers: Sequence[tuple[Findings | Layer, Entries, Entries]], key: Chains, response: Chains
) -> Plain:
    """Which mentions and chains of key and response stand for each other, in all layers."""
    to, back, partners = [-1] * len(key.mentions), [-1] * len(response.mentions), [-1] * len(key.titles)
    for layer, in_key, in_response in layers:
        _counterparts(to, in_key, in_response, layer.alignment.to_response)
        _counterparts(back, in_response, in_key, layer.alignment.to_key)
        _partners(partners, in_key, in_response, layer.pairing)
    for name in (NON_REFERRING, UNSCORED):
        by_words = {tuple(response.mentions[entry][2:]): entry for entry in response.in_layer(name)}
        for entry in key.in_layer(name):
            if (found := by_words.get(tuple(key.mentions[entry][2:]))) is not None:
                to[entry], back[found] = found, entry
                partners[key.mentions[entry][0]] = response.mentions[found][0]
    return {"to": to, "back": back, "p": partners}


def _counterparts(counterparts: list[int], side: Entries, other: Entries, to_other: list[int]) -> None:
    """Note for each mention that is shown the one of the other side that stands for it."""
    for entry, mention in side.all:
        if to_other[mention] >= 0:
            counterparts[entry] = other.owned[to_other[mention]]


def _partners(partners: list[int], key: Entries, response: Entries, pairing: Pairing) -> None:
    """Note for each chain of the key its home, if that mainly is this chain.

    What stands elsewhere than with the partner is what the faults call divided or conflated.
    """
    for i, j in pairing.home.items():
        if pairing.main[j] == i:
            partners[key.chains[i]] = response.chains[j]


def _faults(
    compared: Compared,
    key: tuple[Chains, Entries],
    response: tuple[Chains, Entries],
    kinds: Sequence[str],
    numbers: SliceNumbers,
) -> list[list[Any]]:
    """The faults of a response as plain values."""
    slices = []
    for side, (_, entries) in enumerate((key, response)):
        values = [(by, pair[side]) for by, pair in zip(DIMENSIONS, compared.findings.values, strict=False)]
        slices.append(SliceValues(numbers, values, entries.all))
    plain = []
    for fault in compared.faults:
        shown = fault_places(fault, key[0], response[0])
        numbered = {number for side, entries in zip(slices, shown, strict=True) for number in side.of(entries)}
        plain.append([kinds.index(fault.zero_kind or fault.kind), fault.line, *shown, sorted(numbered), 0])
    return plain
