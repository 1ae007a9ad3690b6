"""Writers of stand-off annotation: brat, WebAnno TSV 3 and Label Studio."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ...core.document import Document, Mention, Sentence
from ...core.errors import InputError
from ..jsonl.writer import dumped
from ..losses import Losses
from ..sentences import forms_of
from ..writing import BREAKS, Origin, runs, word_positions
from .offsets import unit_starts

BLANKS = re.compile(r"\s+")
HALF_PAIR = re.compile("[\ud800-\udfff]")
IDENTITY = "Coreference"
"""Name of the relations that are written."""
MENTION = "Mention"
"""Label of mentions whose entity has no type."""
WEBANNO_HEADER = """\
#FORMAT=WebAnno TSV 3.3
#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceRelation|referenceType

"""
WEBANNO_RESERVED = re.compile(r"->|[\\\[\]|_;*]")


def clean_word(word: str) -> str:
    r"""Replace tabs and line ends in a word, and a word without any sign.

    >>> clean_word("New York"), clean_word("a\tb"), clean_word(" ")
    ('New York', 'a_b', '_')
    """
    return BREAKS.sub("_", word) if word and not word.isspace() else "_"


class PlacedText(NamedTuple):
    """The text of a document, a sentence a line, and where each of its words is in it."""

    text: str
    places: dict[int, tuple[int, int]]
    """Start and end of each word, by its position."""
    changed: int
    """How many words, or characters, are not as in the document."""

    @classmethod
    def of(cls, document: Document, origin: Origin) -> PlacedText:
        """Words with one blank between them, unless the file says that there is none; a text as it is."""
        pieces: list[str] = []
        places: dict[int, tuple[int, int]] = {}
        at = changed = 0
        is_text = document.counts_characters
        for sentence in document.sentences:
            words = list(forms_of(sentence))
            for number, (place, word) in enumerate(zip(sentence.positions, words, strict=True), 1):
                written = _written_character(word, words[number : number + 1]) if is_text else clean_word(word)
                if not at and written.startswith("\ufeff"):  # readers take it for a byte order mark
                    written = f"\ufffd{written[1:]}"
                changed += written != word and not (is_text and word.isspace())
                places[place] = at, at + len(written)
                if is_text or (number < len(words) and _is_glued(sentence, number, origin)):
                    pieces.append(written)
                else:
                    pieces.append(f"{written} " if number < len(words) else f"{written}\n")
                at += len(pieces[-1])
        return cls("".join(pieces), places, changed)

    def parts_of(self, mention: Mention, order: Sequence[int]) -> list[tuple[int, int]]:
        """Start and end of each part of a mention."""
        return [(self.places[run.first][0], self.places[run.last][1]) for run in runs(mention.positions, order)]


def _written_character(character: str, following: Sequence[str]) -> str:
    r"""A character of a text; a line ends in ``\n`` alone, since a reader may count ``\r\n`` as one or as two."""
    if character == "\r":
        return "" if following[:1] == ["\n"] else " "
    return HALF_PAIR.sub("\ufffd", character)


def _is_glued(sentence: Sentence, number: int, origin: Origin) -> bool:
    """Whether the file says that no blank follows a word."""
    columns = sentence.conllu_of(number)[9:] if origin.conllu else []
    return any("SpaceAfter=No" in column.split("|") for column in columns)


def _place(document: Document, origin: Origin, losses: Losses) -> PlacedText:
    """The text of a document; count what is lost in it."""
    placed = PlacedText.of(document, origin)
    losses.add("words", placed.changed)
    losses.add("ids", 0 if origin.same_format else len(document.entity_ids))
    return placed


def _type_of(document: Document, entity: int) -> str:
    return document.entity_types[entity] if document.entity_types else ""


def only_document(documents: Iterable[Document], name: str) -> Document:
    """The document of a file that can hold only one; reading stops at the second."""
    rest = iter(documents)
    first, second = next(rest, None), next(rest, None)
    if first is None:
        raise InputError(f"holds no document, but a file of {name} needs one")
    if second is not None:
        message = f"holds several documents ({first.id!r}, {second.id!r}, …), but a file of {name} holds one"
        hint = "cut it into a file for each document, or write label-studio or jsonl, which hold many"
        raise InputError(message, path=first.path, hint=hint)
    return first


def write_brat(documents: Iterable[Document], origin: Origin, losses: Losses) -> Iterator[str]:
    """Mentions as text-bound annotations, each entity as an equivalence of its mentions."""
    document = only_document(documents, "brat")
    placed, order = _place(document, origin, losses), word_positions(document)
    losses.add("file_names")
    number = 0
    links: list[str] = []
    for index, entity in enumerate(document.entities):
        type_ = _type_of(document, index)
        label = re.sub(r"[^\w-]+", "_", type_) or MENTION
        losses.add("types", int(type_ not in ("", label)))
        ids = []
        for mention in entity:
            number += 1
            ids.append(f"T{number}")
            parts = placed.parts_of(mention, order)
            spelling = " ".join(BLANKS.sub(" ", placed.text[start:end]) for start, end in parts)
            offsets = ";".join(f"{start} {end}" for start, end in parts)
            yield f"T{number}\t{label} {offsets}\t{spelling}\n"
        if len(ids) > 1:
            links.append(f"*\t{IDENTITY} {' '.join(ids)}\n")
    yield from links


def brat_text(documents: Iterable[Document], origin: Origin) -> Iterator[str]:
    """The text that the offsets of :func:`write_brat` count, for the ``.txt`` beside it."""
    yield PlacedText.of(only_document(documents, "brat"), origin).text


def write_label_studio(documents: Iterable[Document], origin: Origin, losses: Losses) -> Iterator[str]:
    """One task for each document; each mention has a relation to the one before it in its entity.

    Annotations come before the text, which may be longer than what detection looks at.
    """
    before = "["
    names = {"from_name": "label", "to_name": "text"}
    for number, document in enumerate(documents, 1):
        placed, order = _place(document, origin, losses), word_positions(document)
        result: list[dict[str, object]] = []
        for index, entity in enumerate(document.entities):
            label = _type_of(document, index) or MENTION
            for at, mention in enumerate(entity):
                ((start, end),) = placed.parts_of(mention, order)
                value = {"start": start, "end": end, "text": placed.text[start:end], "labels": [label]}
                result.append({"id": f"e{index}m{at}", "type": "labels", **names, "value": value})
        for index, entity in enumerate(document.entities):
            for at in range(1, len(entity)):
                ends = {"from_id": f"e{index}m{at}", "to_id": f"e{index}m{at - 1}"}
                result.append({"type": "relation", **ends, "direction": "right", "labels": [IDENTITY]})
        data = {"text": placed.text, "doc_key": document.id}
        yield f"{before}\n{dumped({'id': number, 'annotations': [{'result': result}], 'data': data})}"
        before = ","
    yield "\n]\n" if before == "," else "[]\n"


def write_webanno(documents: Iterable[Document], origin: Origin, losses: Losses) -> Iterator[str]:
    """Words with the chains of their mentions: ``*->1-2`` is the second link of the first chain."""
    document = only_document(documents, "WebAnno TSV")
    if document.counts_characters:
        message = "has a text that is not cut into words, but WebAnno TSV holds words"
        raise InputError(message, path=document.path, hint="write brat or label-studio, which hold texts")
    placed = _place(document, origin, losses)
    losses.add("file_names")
    offsets = unit_starts(placed.text, "utf-16-le")
    cells: dict[int, list[tuple[str, str]]] = {}
    number = 0
    for chain, entity in enumerate(document.entities, 1):
        type_ = _webanno_value(_type_of(document, chain - 1)) or "*"
        for link, mention in enumerate(entity, 1):
            number += 1
            for place in mention.positions:
                cells.setdefault(place, []).append((f"*->{chain}-{link}", f"{type_}[{number}]"))
    yield WEBANNO_HEADER
    with_words = [sentence for sentence in document.sentences if sentence.words]
    for at, sentence in enumerate(with_words, 1):
        first, last = placed.places[sentence.positions[0]][0], placed.places[sentence.positions[-1]][1]
        yield f"\n#Text={_webanno_text(placed.text[first:last])}\n"
        for word, place in enumerate(sentence.positions, 1):
            start, end = placed.places[place]
            links = cells.get(place, [("_", "_")])
            columns = (
                *(f"{at}-{word}", f"{offsets[start]}-{offsets[end]}", _webanno_text(placed.text[start:end])),
                *("|".join(link for link, _ in links), "|".join(type_ for _, type_ in links)),
            )
            yield "\t".join(columns) + "\t\n"


def _webanno_text(text: str) -> str:
    """Words as WebAnno writes them; they have neither tabs nor line ends."""
    return text.replace("\\", "\\\\")


def _webanno_value(value: str) -> str:
    r"""The value of a column.

    >>> print(_webanno_value("a_b->[c]\n"))
    a\_b\->\[c\]\n
    """
    return WEBANNO_RESERVED.sub(r"\\\g<0>", value).replace("\t", r"\t").replace("\n", r"\n").replace("\r", r"\r")
