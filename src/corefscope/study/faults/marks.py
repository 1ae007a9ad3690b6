"""Every mention of a document with what became of it, for text with brackets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...base.document import Document, Mention, Sentence
from ...base.errors import InputError, Warnings, no_such_document
from ...base.positions import SENTENCE_SHIFT
from ...evaluate.request import Path, Request
from ...evaluate.steps import align
from ...match.alignment import Alignment
from .annotated import Annotated
from .context import places_of, runs_of
from .pairing import Pairing

FATES: dict[str, str] = {
    "right": "found, and in the right entity",
    "misplaced": "found, but put into another entity (≠), or split off its own (÷)",
    "span": "the span in the key of a mention that is found with other words",
    "span-response": "its span in the response",
    "missing": "only in the key",
    "extra": "only in the response; it is named after the key's entity that it was put into, * if there is none",
}


class Mark(NamedTuple):
    """A mention to be marked."""

    mention: Mention
    fate: str
    """One of FATES."""
    name: str
    """Its entity."""


class Bracket(NamedTuple):
    """One end of a run of words of a mention."""

    fate: str
    name: str
    """Empty at the beginning of a run."""


class Marked(NamedTuple):
    """A word with the brackets before and after it."""

    word: str
    before: list[Bracket]
    after: list[Bracket]


class MarkedDocument(NamedTuple):
    """A document with its sentences, word by word."""

    id: str
    sentences: list[tuple[Sentence, list[Marked]]]


def marked_documents(
    key: Path,
    response: Path,
    request: Request,
    warnings: Warnings,
    *,
    document: str | None = None,
    only_errors: bool = False,
) -> Iterator[MarkedDocument]:
    """The documents of two files, one after the other, or the one whose id is ``document``.

    With ``only_errors``, the sentences in which something is wrong. What is odd is added to ``warnings``.
    """
    request.refuse(baseline="nothing is scored")
    ids: list[str] = []
    for pair in request.pairs(request.corpus(key, response, warnings)):
        ids.append(pair.key.id)
        if document not in (None, pair.key.id):
            continue
        if not pair.key.sentences:
            raise InputError("has no words to show", path=str(key), hint="take a format with words")
        alignment = align(*pair, request.options, warnings)
        sentences = marked_sentences(*pair, alignment, request.options.smallest)
        wanted = [(sentence, words) for sentence, words in sentences if not only_errors or _wrong(words)]
        yield MarkedDocument(pair.key.id, wanted)
    if document is not None and document not in ids:
        raise no_such_document(document, ids, str(key))


def _wrong(words: list[Marked]) -> bool:
    return any(bracket.fate != "right" for word in words for bracket in word.after)


def marks(key: Annotated, response: Annotated, pairing: Pairing) -> Iterator[Mark]:
    """Both sides' mentions, each once if both have it with the same words."""
    found = pairing.found
    for i, members in pairing.key_members.items():
        for number in members:
            mention = key.mention(number)
            if number not in found:
                yield Mark(mention, "missing", key.name(i))
                continue
            twin, j = response.mention(found[number]), pairing.response.owner[found[number]]
            name = key.name(i)
            right = pairing.home.get(i) == j and pairing.main.get(j) == i
            if not right:
                name += "÷" if pairing.main[j] == i else f"≠{key.name(pairing.main[j])}"
            if twin.positions != mention.positions:
                yield Mark(mention, "span", name)
                yield Mark(twin, "span-response", name)
            else:
                yield Mark(mention, "right" if right else "misplaced", name)
    taken = set(found.values())
    for j, members in pairing.response_members.items():
        name = key.name(pairing.main[j]) if j in pairing.main else f"*{response.name(j)}"
        for number in members:
            if number not in taken:
                yield Mark(response.mention(number), "extra", name)


def marked_sentences(
    key: Document, response: Document, alignment: Alignment, smallest: int = 1
) -> Iterator[tuple[Sentence, list[Marked]]]:
    """The sentences of a document, word by word with brackets; empty nodes only where mentions hold them."""
    pairing = Pairing(alignment, smallest)
    ours, theirs = Annotated(key, alignment.key), Annotated(response, alignment.response)
    by_sentence: dict[int, list[Mark]] = {}
    for mark in marks(ours, theirs, pairing):
        for number in {place >> SENTENCE_SHIFT for place in mark.mention.positions}:
            by_sentence.setdefault(number, []).append(mark)
    for sentence, other in zip(key.sentences, response.sentences, strict=True):
        found = by_sentence.get(sentence.number, [])
        seen = {place for mark in found for place in mark.mention.positions}
        places = sorted({*places_of(sentence, seen), *places_of(other, seen)})
        yield sentence, _with_brackets(places, found, ours, theirs, set(places_of(sentence, seen)))


def _with_brackets(
    places: list[int], found: list[Mark], key: Annotated, response: Annotated, in_key: set[int]
) -> list[Marked]:
    at = {place: index for index, place in enumerate(places)}
    words = [Marked((key if place in in_key else response).word(place), [], []) for place in places]
    runs: list[tuple[int, int, Bracket, Bracket]] = []
    for mark in found:
        parts = runs_of(at[place] for place in mark.mention.positions if place in at)
        for number, (first, last) in enumerate(parts, 1):
            name = mark.name if len(parts) == 1 else f"{mark.name}[{number}/{len(parts)}]"
            runs.append((first, last, Bracket(mark.fate, ""), Bracket(mark.fate, name)))
    for first, _, opening, _ in sorted(runs, key=lambda run: (run[0], -run[1])):
        words[first].before.append(opening)
    for _, last, _, closing in sorted(runs, key=lambda run: (run[1], -run[0])):
        words[last].after.append(closing)
    return words
