"""One document for the page: words once, and for each side chains, mentions, counterparts, relations and errors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from ....analysis.errors.examine import Findings
from ....analysis.errors.kinds import DocumentComparison, Error, ordered_kinds
from ....analysis.errors.pairing import Pairing
from ....analysis.errors.slices import DIMENSIONS, Values
from ....anaphora.plurals import anchor_of
from ....core.document import Document, Mention, Relation
from .how import How
from .text import DEIXIS, IDENTITY, NON_REFERRING, UNSCORED, Chains, Entries, NumberedNodes, Plain

LAYERS = {
    IDENTITY: ("identity", "Entities that are scored as identity"),
    DEIXIS: ("deixis", "Entities of discourse deixis"),
    NON_REFERRING: ("non-referring", "Mentions that refer to nothing"),
    UNSCORED: ("unscored", "Mentions that identity does not score, but that are linked to others"),
}


def layers_in(documents: Iterable[dict[str, Any]]) -> list[tuple[str, str, str]]:
    """The layers that documents of the page have, each with its name and what is in it."""
    sides = [side for document in documents for side in (document["key"], *document["responses"])]
    found = {layer for side in sides for _, _, *layers in side["e"] for layer in layers}
    return [(layer, *said) for layer, said in LAYERS.items() if layer in (IDENTITY, *found)]


class Compared(NamedTuple):
    """A document of the key and of a response, and what the page shows of it."""

    findings: Findings
    errors: list[Error]
    """Of identity, of relations and of deixis, in the order of the text."""

    def layers(self) -> list[tuple[str, DocumentComparison]]:
        """Identity, then deixis if there is any."""
        deixis = self.findings.deixis
        return [(IDENTITY, self.findings.pair), *([(DEIXIS, deixis.pair)] if deixis else [])]


def compare(findings: Findings, identity: bool) -> Compared:
    """What is shown of a document; errors of ``identity`` only if it is scored."""
    beyond = [*findings.relation_errors, *(findings.deixis.errors if findings.deixis else ())]
    errors = [*(findings.errors if identity else ()), *beyond]
    if beyond:
        errors.sort(key=lambda error: (error.key or error.response)[0].first)
    return Compared(findings, errors)


def document_data(compared: Sequence[Compared], how: Sequence[How], numbers: SliceNumbers) -> Plain:
    """The plain values of a document, as ``output/schemas/corefscope-page-1.json`` describes them.

    ``compared`` has the findings about each response. An error has the index of its kind among ``ordered_kinds()``,
    and the ``numbers`` of its slices. ``how`` works out the score of each response.
    """
    document = compared[0].findings.pair.key.document
    nodes = NumberedNodes([document, *(one.findings.pair.response.document for one in compared)])
    key, *sides = [Chains(nodes, side) for side in range(len(compared) + 1)]
    # First all chains and mentions of the key: a response may show some that others do not.
    layers = [
        [(layer, key.add(layer.key, name), side.add(layer.response, name)) for name, layer in one.layers()]
        for side, one in zip(sides, compared, strict=True)
    ]
    relations = [
        relation_rows(one.findings, one.errors, (key, side)) if has_relations(one.findings) else None
        for side, one in zip(sides, compared, strict=True)
    ]
    errors = [
        _errors(one, (key, added[0][1]), (side, added[0][2]), numbers)
        for side, added, one in zip(sides, layers, compared, strict=True)
    ]
    responses = []
    for side, added, wrong, rows, one, work in zip(sides, layers, errors, relations, compared, how, strict=True):
        _, in_key, in_response = added[0]
        find = partial(_find, ((key, in_key), (side, in_response)))
        responses.append(
            {
                **side.plain(),
                **_correspondence(added, key, side),
                "f": wrong,
                "how": work.work_out(one.findings.pair, find, (in_key.chains, in_response.chains)),
                **({"r": rows} if rows else {}),
            }
        )
    mark_shared(errors, [side.mentions for side in sides])
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
    layers: Sequence[tuple[DocumentComparison, Entries, Entries]], key: Chains, response: Chains
) -> Plain:
    """Which mentions and chains of key and response correspond, in all layers."""
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
    """Note for each mention that is shown its counterpart on the other side."""
    for entry, mention in side.all:
        if to_other[mention] >= 0:
            counterparts[entry] = other.owned[to_other[mention]]


def _partners(partners: list[int], key: Entries, response: Entries, pairing: Pairing) -> None:
    """Note for each chain of the key its home, if that mainly is this chain.

    Mentions outside the partner are divided or conflated.
    """
    for i, j in pairing.home.items():
        if pairing.main[j] == i:
            partners[key.chains[i]] = response.chains[j]


def _errors(
    compared: Compared,
    key: tuple[Chains, Entries],
    response: tuple[Chains, Entries],
    numbers: SliceNumbers,
) -> list[list[Any]]:
    """The errors of a response as plain values."""
    slices = []
    for side, (_, entries) in enumerate((key, response)):
        values = [(by, pair[side]) for by, pair in zip(DIMENSIONS, compared.findings.values, strict=False)]
        slices.append(SliceValues(numbers, values, entries.all))
    plain = []
    index = {row.name: number for number, row in enumerate(ordered_kinds())}
    for error in compared.errors:
        shown = error_places(error, key[0], response[0])
        numbered = {number for side, entries in zip(slices, shown, strict=True) for number in side.of(entries)}
        plain.append([index[error.zero_kind or error.kind], error.line, *shown, sorted(numbered), 0])
    return plain


About = dict[tuple[str, Mention], list[tuple[int, Sequence[Mention]]]]
"""By kind of relation and anaphor, the numbers of errors, and the targets that each is about."""


def has_relations(findings: Findings) -> bool:
    """Whether the key or the response has any."""
    return any(side.document.relations for side in (findings.pair.key, findings.pair.response))


def relation_kinds(findings: Findings) -> set[str]:
    """The kinds of relations of key and response, discourse deixis among them."""
    documents = findings.pair.key.document, findings.pair.response.document
    kinds = {relation.kind for document in documents for relation in document.relations}
    return kinds | {DEIXIS} if any(document.deixis for document in documents) else kinds


def relation_rows(findings: Findings, errors: Sequence[Error], sides: tuple[Chains, Chains]) -> list[list[Any]]:
    """The relations of the key, and of the response; mentions that no chain has get one of their own.

    ``errors`` are those of the page, in its order.
    """
    about: tuple[About, About] = defaultdict(list), defaultdict(list)
    for number, error in enumerate(errors):
        if error.relation:
            for mention in error.key:
                about[0][error.relation, mention].append((number, error.key_targets))
            for mention in error.response:
                about[1][error.relation, mention].append((number, error.response_targets))
    documents = findings.pair.key.document, findings.pair.response.document
    return [_Rows(*side).of() for side in zip(documents, sides, about, strict=True)]


def error_places(error: Error, key: Chains, response: Chains) -> list[list[int]]:
    """The mentions of an error on the page; those of relations are there in any case."""
    layer = {"": IDENTITY, DEIXIS: DEIXIS, NON_REFERRING: NON_REFERRING}.get(error.relation, UNSCORED)
    sides = (key, error.key, error.key_entity), (response, error.response, error.response_entity)
    if layer in (IDENTITY, DEIXIS):
        found = [[chains.find(mention, name, layer) for mention in mentions] for chains, mentions, name in sides]
    else:
        found = [[chains.place(mention, layer) for mention in mentions] for chains, mentions, _ in sides]
    return [[entry for entry in side if entry >= 0] for side in found]


class _Rows:
    """The relations of one side, each by one mention of its anaphor and of each target."""

    def __init__(self, document: Document, chains: Chains, about: About) -> None:
        self._document, self._chains, self._about = document, chains, about
        names = zip(document.entity_ids, document.entities, strict=False)
        self._names = {mention: name for name, entity in names for mention in entity}

    def of(self) -> list[list[Any]]:
        """All rows; what does not refer has one for each mention."""
        return [
            self._row(relation, mention)
            for relation in self._document.relations
            for mention in relation.anaphor[: 1 if relation.targets else None]
        ]

    def _row(self, relation: Relation, anaphor: Mention) -> list[Any]:
        """Kind, label, anaphor, targets with the errors about each, and the errors about the relation."""
        about = self._about.get((relation.kind, anaphor), [])
        targets = []
        for entity in relation.targets:
            wrong = [number for number, mentions in about if not set(entity).isdisjoint(mentions)]
            targets.append([self._place(anchor_of(relation._replace(targets=(entity,)))), *wrong])
        if not targets:  # the label of what does not refer is the name of an entity
            place = self._chains.place(anaphor, NON_REFERRING, relation.label)
            return [relation.kind, "", place, [], [number for number, _ in about]]
        # An anaphor of bridging may have several links, each with errors of its own.
        wrong = targets[0][1:] if relation.kind == "bridging" else [number for number, _ in about]
        return [relation.kind, relation.label, self._place(anaphor), targets, wrong]

    def _place(self, mention: Mention) -> int:
        return self._chains.place(mention, UNSCORED, self._names.get(mention, ""))


Subject = tuple[int, Any]
"""A kind of error, and one of its mentions: of the key, else the words of one that the response adds."""


class SliceNumbers(dict[tuple[str, str], int]):
    """Numbers for slices, which are a dimension and a value, in the order in which they turn up."""

    def __missing__(self, part: tuple[str, str]) -> int:
        self[part] = len(self)
        return self[part]


class SliceValues:
    """The slices of the mentions that a side shows."""

    def __init__(
        self, numbers: SliceNumbers, values: Sequence[tuple[str, Values]], entries: Iterable[tuple[int, int]]
    ):
        """``values`` has for each dimension those of mentions, ``entries`` where the page shows which mention."""
        self._numbers, self._values, self._mentions = numbers, values, dict(entries)

    def of(self, entries: Iterable[int]) -> Iterator[int]:
        """The numbers of the slices in which these are."""
        for mention in map(self._mentions.get, entries):
            if mention is not None:
                yield from (self._numbers[by, values[mention]] for by, values in self._values if mention in values)


def mark_shared(by_response: Sequence[list[list[Any]]], mentions: Sequence[list[list[int]]]) -> None:
    """Say in the last value of each error which other responses make it: one of the same kind at one of its mentions.

    Responses are bits: 1 is the first, 2 the second. ``mentions`` are those of each response, as the page has them.
    """
    if len(by_response) < 2:
        return
    subjects = [
        [_subjects(error, own) for error in errors] for errors, own in zip(by_response, mentions, strict=True)
    ]
    made = [{subject for several in of_response for subject in several} for of_response in subjects]
    for response, errors in enumerate(by_response):
        others = [(1 << other, found) for other, found in enumerate(made) if other != response]
        for error, about in zip(errors, subjects[response], strict=True):
            error[-1] = sum(bit for bit, found in others if not found.isdisjoint(about))


def _subjects(error: list[Any], mentions: list[list[int]]) -> list[Subject]:
    kind, _, key, response, *_ = error
    return [(kind, mention) for mention in key] or [(kind, tuple(mentions[mention][2:])) for mention in response]
