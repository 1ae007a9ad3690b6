"""Writers of stand-off annotation: brat, WebAnno TSV 3 and Label Studio."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ...core.document import Document, Mention
from ...core.errors import InputError
from ..jsonl.writer import dumped
from ..losses import Losses
from ..writing import Origin, forms, runs, word_positions
from .offsets import unit_starts

BLANKS = re.compile(r"\s+")
IDENTITY = "Coreference"
"""Name of the relations that are written."""
WEBANNO_HEADER = """\
#FORMAT=WebAnno TSV 3.3
#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceRelation|referenceType

"""
WEBANNO_ESCAPES = str.maketrans({sign: f"\\{sign}" for sign in "\\[]|_;>*"} | {"\t": "\\t", "\n": "\\n"})


class PlacedText(NamedTuple):
    """The text of a document, a sentence a line, and where each of its words is in it."""

    text: str
    places: dict[int, tuple[int, int]]
    """Start and end of each word, by its position."""

    @classmethod
    def of(cls, document: Document, origin: Origin) -> PlacedText:
        """Words with one blank between them, unless the file says that there is none; a text as it is."""
        pieces: list[str] = []
        places: dict[int, tuple[int, int]] = {}
        at = 0
        for sentence in document.sentences:
            for number, (place, form) in enumerate(zip(sentence.positions, forms(sentence), strict=True), 1):
                misc = sentence.conllu_of(number)[9:] if origin.conllu else []
                glued = document.counts_characters or any("SpaceAfter=No" in value.split("|") for value in misc)
                places[place] = at, at + len(form)
                pieces.append(form if glued else f"{form} ")
                at += len(pieces[-1])
            if not document.counts_characters:
                pieces.append("\n")
                at += 1
        return cls("".join(pieces), places)

    def parts_of(self, mention: Mention, order: Sequence[int]) -> list[tuple[int, int]]:
        """Start and end of each part of a mention."""
        return [(self.places[run.first][0], self.places[run.last][1]) for run in runs(mention.positions, order)]


def only_document(documents: Iterable[Document], name: str) -> Document:
    """The document of a file that can hold only one."""
    found = list(documents)
    if len(found) != 1:
        message = f"a file of {name} holds one document, but there are {len(found)}"
        raise InputError(message, hint="write each document to a file of its own, or all to jsonl")
    return found[0]


def write_brat(documents: Iterable[Document], origin: Origin, losses: Losses) -> Iterator[str]:
    """Mentions as text-bound annotations, each entity as an equivalence of its mentions."""
    document = only_document(documents, "brat")
    placed, order = PlacedText.of(document, origin), word_positions(document)
    losses.add("ids", 0 if origin.same_format else len(document.entity_ids))
    number = 0
    links: list[str] = []
    for index, entity in enumerate(document.entities):
        kind = re.sub(r"\W+", "_", document.entity_types[index]) if document.entity_types else ""
        ids = []
        for mention in entity:
            number += 1
            ids.append(f"T{number}")
            parts = placed.parts_of(mention, order)
            spelling = " ".join(BLANKS.sub(" ", placed.text[start:end]) for start, end in parts)
            offsets = ";".join(f"{start} {end}" for start, end in parts)
            yield f"T{number}\t{kind or 'Mention'} {offsets}\t{spelling}\n"
        if len(ids) > 1:
            links.append(f"*\t{IDENTITY} {' '.join(ids)}\n")
    yield from links


def brat_text(documents: Iterable[Document], origin: Origin) -> Iterator[str]:
    """The text that the offsets of :func:`write_brat` count, for the ``.txt`` beside it."""
    yield PlacedText.of(only_document(documents, "brat"), origin).text


def write_label_studio(documents: Iterable[Document], origin: Origin, losses: Losses) -> Iterator[str]:
    """One task for each document; each mention has a relation to the one before it in its entity."""
    before = "["
    for number, document in enumerate(documents, 1):
        placed, order = PlacedText.of(document, origin), word_positions(document)
        losses.add("ids", 0 if origin.same_format else len(document.entity_ids))
        result: list[dict[str, object]] = []
        for index, entity in enumerate(document.entities):
            kind = (document.entity_types[index] if document.entity_types else "") or "Mention"
            for at, mention in enumerate(entity):
                ((start, end),) = placed.parts_of(mention, order)
                value = {"start": start, "end": end, "text": placed.text[start:end], "labels": [kind]}
                names = {"from_name": "label", "to_name": "text"}
                result.append({"id": f"e{index}m{at}", "type": "labels", **names, "value": value})
        for index, entity in enumerate(document.entities):
            for at in range(1, len(entity)):
                ends = {"from_id": f"e{index}m{at}", "to_id": f"e{index}m{at - 1}"}
                result.append({"type": "relation", **ends, "direction": "right", "labels": [IDENTITY]})
        data = {"text": placed.text, "document": document.id}
        yield f"{before}\n{dumped({'id': number, 'data': data, 'annotations': [{'result': result}]})}"
        before = ","
    yield "\n]\n" if before == "," else "[]\n"


def write_webanno(documents: Iterable[Document], origin: Origin, losses: Losses) -> Iterator[str]:
    """Words with the chains of their mentions: ``*->1-2`` is the second link of the first chain."""
    document = only_document(documents, "WebAnno TSV")
    if document.counts_characters:
        raise InputError("has a text without words, which WebAnno TSV needs", hint="write brat or label-studio")
    placed = PlacedText.of(document, origin)
    offsets = unit_starts(placed.text, "utf-16-le")
    losses.add("ids", 0 if origin.same_format else len(document.entity_ids))
    cells: dict[int, list[tuple[str, str]]] = {}
    number = 0
    for chain, entity in enumerate(document.entities, 1):
        kind = (document.entity_types[chain - 1] if document.entity_types else "").translate(WEBANNO_ESCAPES) or "*"
        for link, mention in enumerate(entity, 1):
            number += 1
            for place in mention.positions:
                cells.setdefault(place, []).append((f"*->{chain}-{link}", f"{kind}[{number}]"))
    yield WEBANNO_HEADER
    for at, sentence in enumerate(document.sentences, 1):
        first, last = placed.places[sentence.positions[0]][0], placed.places[sentence.positions[-1]][1]
        yield f"\n#Text={placed.text[first:last].translate(WEBANNO_ESCAPES)}\n"
        for word, (place, form) in enumerate(zip(sentence.positions, forms(sentence), strict=True), 1):
            start, end = (offsets[offset] for offset in placed.places[place])
            links = cells.get(place, [("_", "_")])
            columns = "|".join(link for link, _ in links), "|".join(kind for _, kind in links)
            yield f"{at}-{word}\t{start}-{end}\t{form.translate(WEBANNO_ESCAPES)}\t{columns[0]}\t{columns[1]}\t\n"
