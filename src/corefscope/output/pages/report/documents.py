"""The data of one document: its words, and for each side chains, mentions, counterparts, relations and errors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from ....analysis.errors.examine import Findings
from ....analysis.errors.kinds import DocumentComparison, Error, ordered_kinds
from ....analysis.explain import Calculation, calculate
from ....analysis.explanations.pieces import KEY, EntityRef, Piece
from ....core.document import Document, Mention
from ....core.errors import OptionError
from ....core.metrics import METRICS
from ....core.result import Plain
from ....formats.relations import anchor_of
from ...results.explanation import figures, term_text, totals
from .text import DEIXIS, IDENTITY, NON_REFERRING, UNSCORED, Chains, Entries, NumberedNodes, PlainError

LAYERS = {
    IDENTITY: ("identity", "Entities that are scored as identity"),
    DEIXIS: ("deixis", "Entities of discourse deixis"),
    NON_REFERRING: ("non-referring", "Mentions that refer to nothing"),
    UNSCORED: ("unscored", "Mentions that identity does not score, but that are linked to others"),
}


def layers_in(documents: Iterable[Plain]) -> list[tuple[str, str, str]]:
    """The layers of the documents, each with its name and its contents."""
    sides = [side for document in documents for side in (document["key"], *document["responses"])]
    found = {layer for side in sides for _, _, *layers in side["e"] for layer in layers}
    return [(layer, *titles) for layer, titles in LAYERS.items() if layer in (IDENTITY, *found)]


class ComparedDocument:
    """A document of the key and of a response, and the errors that the page shows."""

    def __init__(self, findings: Findings, identity: bool, dimensions: Sequence[str]) -> None:
        """Errors of ``identity`` are shown only if it is scored; ``dimensions`` are those of the findings."""
        self.findings = findings
        self._grouped, self._of_deixis = findings.grouped(dimensions)
        self.layers: list[tuple[str, DocumentComparison]] = [(IDENTITY, findings.pair)]
        beyond = list(findings.relation_errors)
        if findings.deixis:
            self.layers.append((DEIXIS, findings.deixis.pair))
            beyond += findings.deixis.errors
        self.errors: list[Error] = [*(findings.errors if identity else ()), *beyond]
        if beyond:
            self.errors.sort(key=lambda error: (error.key or error.response)[0].first)

    def slices(self, error: Error) -> set[tuple[str, str]]:
        """Dimension and value of every slice in which an error is."""
        return (self._of_deixis if self._of_deixis and error.relation == DEIXIS else self._grouped).slices(error)


def document_data(
    compared: Sequence[ComparedDocument], explainers: Sequence[ScoreExplainer], numbers: SliceNumbers
) -> Plain:
    """The plain values of a document, as ``output/schemas/corefscope-page-1.json`` describes them.

    ``compared`` has the findings about each response, and ``explainers`` explain their scores. An error has the index
    of its kind among ``ordered_kinds()``, and the ``numbers`` of its slices.
    """
    document = compared[0].findings.pair.key.document
    nodes = NumberedNodes([document, *(one.findings.pair.response.document for one in compared)])
    key, *sides = [Chains(nodes, side) for side in range(len(compared) + 1)]
    # All chains and mentions of the key come first: a response may show some that others do not.
    layers = [
        [(layer, key.add(layer.key, name), side.add(layer.response, name)) for name, layer in one.layers]
        for side, one in zip(sides, compared, strict=True)
    ]
    relations = [
        relation_rows(one.findings, one.errors, (key, side)) for side, one in zip(sides, compared, strict=True)
    ]
    errors = [_errors(one, key, side, numbers) for side, one in zip(sides, compared, strict=True)]
    responses = []
    everything = zip(sides, layers, errors, relations, compared, explainers, strict=True)
    for side, added, wrong, rows, one, explainer in everything:
        _, in_key, in_response = added[0]
        places = PlacedSide(key, in_key), PlacedSide(side, in_response)
        responses.append(
            {
                **side.plain(),
                **_correspondence(added, key, side),
                "f": wrong,
                "how": explainer.explain(one.findings.pair, places),
                **({"r": rows} if any(rows) else {}),
            }
        )
    mark_shared(errors, [side.mentions for side in sides])
    return {
        "id": document.id,
        **({} if document.sentences else {"ids": True}),
        "s": nodes.sentences(),
        "z": nodes.zeros([side.relations for side in (key, *sides)]),
        "key": key.plain(),
        "responses": responses,
    }


class PlacedSide(NamedTuple):
    """One side on the page, for explanations."""

    chains: Chains
    entries: Entries

    def find(self, mention: int | Mention) -> int:
        """The entry of a mention, which is named by its number or itself; −1 if it is not shown."""
        return self.entries.owned[mention] if isinstance(mention, int) else self.chains.find(mention)


def _correspondence(
    layers: Sequence[tuple[DocumentComparison, Entries, Entries]], key: Chains, response: Chains
) -> Plain:
    """The counterparts of mentions and the partners of chains, in all layers."""
    to, back, partners = [-1] * len(key.mentions), [-1] * len(response.mentions), [-1] * len(key.titles)
    for layer, in_key, in_response in layers:
        for entry, mention in in_key.all:
            if (counterpart := layer.alignment.to_response[mention]) >= 0:
                to[entry] = in_response.owned[counterpart]
        for entry, mention in in_response.all:
            if (counterpart := layer.alignment.to_key[mention]) >= 0:
                back[entry] = in_key.owned[counterpart]
        for i, j in layer.pairing.home.items():
            if layer.pairing.main[j] == i:  # mentions outside the partner are divided or conflated
                partners[in_key.chains[i]] = in_response.chains[j]
    for name in (NON_REFERRING, UNSCORED):
        by_words = {tuple(response.mentions[entry][2:]): entry for entry in response.in_layer(name)}
        for entry in key.in_layer(name):
            if (found := by_words.get(tuple(key.mentions[entry][2:]))) is not None:
                to[entry], back[found] = found, entry
                partners[key.mentions[entry][0]] = response.mentions[found][0]
    return {"to": to, "back": back, "p": partners}


def _errors(compared: ComparedDocument, key: Chains, response: Chains, numbers: SliceNumbers) -> list[PlainError]:
    """The errors of a response as plain values."""
    plain = []
    index = {row.name: number for number, row in enumerate(ordered_kinds())}
    for error in compared.errors:
        slices = sorted([numbers[part] for part in sorted(compared.slices(error))])
        shown = error_places(error, key, response)
        plain.append([index[error.zero_kind or error.kind], error.line, *shown, slices, 0])
    return plain


About = dict[tuple[str, Mention], list[tuple[int, Sequence[Mention]]]]
"""By kind of relation and anaphor, the numbers of errors, and the targets that each is about."""


def relation_kinds(findings: Findings) -> set[str]:
    """The kinds of relations of key and response, discourse deixis among them."""
    documents = findings.pair.key.document, findings.pair.response.document
    kinds = {relation.kind for document in documents for relation in document.relations}
    return kinds | {DEIXIS} if any(document.deixis for document in documents) else kinds


def relation_rows(
    findings: Findings, errors: Sequence[Error], sides: tuple[Chains, Chains]
) -> list[list[list[object]]]:
    """The relations of the key and of the response; a mention outside all chains gets a chain of its own.

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
    return [_rows_of_side(*side) for side in zip(documents, sides, about, strict=True)]


def error_places(error: Error, key: Chains, response: Chains) -> list[list[int]]:
    """The entries of the mentions of an error; mentions of relations are added if need be."""
    layer = {"": IDENTITY, DEIXIS: DEIXIS, NON_REFERRING: NON_REFERRING}.get(error.relation, UNSCORED)
    sides = (key, error.key, error.key_entity), (response, error.response, error.response_entity)
    if layer in (IDENTITY, DEIXIS):
        found = [[chains.find(mention, name, layer) for mention in mentions] for chains, mentions, name in sides]
    else:
        found = [[chains.place(mention, layer) for mention in mentions] for chains, mentions, _ in sides]
    return [[entry for entry in side if entry >= 0] for side in found]


def _rows_of_side(document: Document, chains: Chains, about: About) -> list[list[object]]:
    """The relations of a side: kind, label, anaphor, targets with the errors about each, and errors.

    A relation is shown at one mention of its anaphor and of each target, a non-referring entity at each mention.
    """
    named = zip(document.entity_ids, document.entities, strict=False)
    names = {mention: name for name, entity in named for mention in entity}
    rows: list[list[object]] = []
    for relation in document.relations:
        for anaphor in relation.anaphor[: 1 if relation.targets else None]:
            errors = about.get((relation.kind, anaphor), [])
            wrong = [number for number, _ in errors]
            if not relation.targets:  # the label is the name of the entity
                rows.append([relation.kind, "", chains.place(anaphor, NON_REFERRING, relation.label), [], wrong])
                continue
            targets = []
            for entity in relation.targets:
                anchor = anchor_of(relation._replace(targets=(entity,)))
                wrong_here = [number for number, mentions in errors if not set(entity).isdisjoint(mentions)]
                targets.append([chains.place(anchor, UNSCORED, names.get(anchor, "")), *wrong_here])
            if relation.kind == "bridging":  # an anaphor may have several links, each with its own errors
                wrong = targets[0][1:]
            place = chains.place(anaphor, UNSCORED, names.get(anaphor, ""))
            rows.append([relation.kind, relation.label, place, targets, wrong])
    return rows


Subject = tuple[int, int | tuple[int, ...]]
"""A kind of error, and one of its mentions: of the key, else the words of one that the response adds."""


class SliceNumbers(dict[tuple[str, str], int]):
    """Numbers for slices (dimension and value), in order of appearance."""

    def __missing__(self, part: tuple[str, str]) -> int:
        self[part] = len(self)
        return self[part]


def mark_shared(by_response: Sequence[list[PlainError]], mentions: Sequence[list[list[int]]]) -> None:
    """Set the last value of each error to the other responses with an error of its kind at one of its mentions.

    Responses are bits: 1 is the first, 2 the second. ``mentions`` are those of each response, as the page has them.
    """
    if len(by_response) < 2:
        return
    subjects: list[list[list[Subject]]] = []
    for errors, own in zip(by_response, mentions, strict=True):
        subjects.append([])
        for kind, _, in_key, in_response, *_ in errors:
            places = in_key or [tuple(own[mention][2:]) for mention in in_response]
            subjects[-1].append([(kind, place) for place in places])
    by_other = [set(chain.from_iterable(of_response)) for of_response in subjects]
    for response, errors in enumerate(by_response):
        others = [(1 << other, theirs) for other, theirs in enumerate(by_other) if other != response]
        for error, own_subjects in zip(errors, subjects[response], strict=True):
            error[-1] = sum(bit for bit, theirs in others if not theirs.isdisjoint(own_subjects))


# ---- explanations of the headline score

MOST_MENTIONS = 150  # of both sides; longer documents are left to `corefscope explain`
MOST_CHARACTERS = 300_000  # in all documents, so that pages stay small
FORMULA = 40  # characters


class ScoreExplainer:
    """Explanations of the headline metric, one document after another."""

    def __init__(self, metric: str, rules: str) -> None:
        self._metric, self._rules, self._left = METRICS[metric], rules, MOST_CHARACTERS

    def explain(self, pair: DocumentComparison, sides: Sequence[PlacedSide]) -> list[list[object]]:
        """The calculations of a document; none if it is too long, cannot be explained, or the page is full.

        Mentions and chains are given by their index on the page; −1, −2, … are 0, 1, … of the response.
        """
        alignment = pair.alignment
        if len(alignment.key.mentions) + len(alignment.response.mentions) > MOST_MENTIONS or self._left <= 0:
            return []
        try:
            calculation = calculate(self._metric, alignment, self._rules)
        except OptionError:  # no explanation under these rules
            return []
        calculations = list(_calculations(calculation, sides))
        self._left -= len(repr(calculations))
        return calculations


def _calculations(calculation: Calculation, sides: Sequence[PlacedSide]) -> Iterator[list[object]]:
    """A calculation as a list, after those of its parts."""
    for part in calculation.parts:
        yield from _calculations(part, sides)
    sections = []
    for section in calculation.sections:
        rows = []
        for outer in section.entries:
            for level, entry in [(0, outer), *((1, detail) for detail in outer.entries)]:
                about = _entity(entry.entity, sides) if entry.entity else entry.name
                pieces = [
                    [_mentions(piece, sides), _entity(piece.entity, sides)]
                    for piece in ([] if entry.entries else entry.pieces)
                ]
                terms = [term_text(term, FORMULA) for term in entry.terms]
                rows.append([level, "" if level else about, pieces, terms])
        columns = [column.title for column in section.columns]
        altered = [[side.title, [_mentions(piece, sides) for piece in side.entities]] for side in section.altered]
        sections.append([section.title, columns, rows, totals(section), altered])
    yield [METRICS[calculation.metric].title, sections, list(figures(calculation))]


def _mentions(piece: Piece, sides: Sequence[PlacedSide]) -> list[int]:
    places = [(side, sides[side].find(mention)) for side, mention in piece.mentions]
    return [place if side == KEY else -1 - place for side, place in places if place >= 0]


def _entity(entity: EntityRef | None, sides: Sequence[PlacedSide]) -> int | None:
    if entity is None or not isinstance(entity[1], int):
        return None
    side, number = entity[0], entity[1]
    chain = sides[side].entries.chains[number]
    return chain if side == KEY else -1 - chain
