"""The words of a document in the sentences of another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from ..base.document import Document, Sentence
from ..base.errors import AlignmentError, Location
from ..base.mention import Mention
from ..base.positions import LONGEST


def cut_like(document: Document, sentences: Sequence[Sentence]) -> Document | None:
    """A document of plain words with these sentences instead of its own; None if the words are not the same.

    Systems that return one list of words are so compared with keys that know where sentences end.
    """
    old = document.sentences
    if _forms(old) != _forms(sentences) or any(
        sentence.unusual for sentence in old if not hasattr(sentence, "recut")
    ):
        return None
    return cut_by_number(document, sentences)


def cut_by_number(document: Document, sentences: Sequence[Sentence]) -> Document:
    """The words of a document in sentences that are as long as these; what is left over is in the last one."""
    old, forms = document.sentences, _forms(document.sentences)
    lengths = [len(like.words) for like in sentences]
    lengths[-1] += max(len(forms) - sum(lengths), 0)
    if lengths[-1] > LONGEST:
        message = "document {document!r} is far longer than in {key}"
        raise AlignmentError(message, Location(""), Location(document.path), document=document.id)
    recut: Recut = getattr(old[0], "recut", _recut) if old else _recut
    cut, place = recut(document, sentences, lengths)
    move = moving(place)
    return document.both(lambda reading: over(reading.changed(move), cut))


Cut = tuple[tuple[Sentence, ...], Callable[[int], int]]
"""Sentences, and where positions have moved."""
Recut = Callable[[Document, Sequence[Sentence], Sequence[int]], Cut]
"""A document cut like other sentences, into so many words each."""


def _recut(document: Document, like: Sequence[Sentence], lengths: Sequence[int]) -> Cut:
    """Of plain words."""
    old = document.sentences
    line = old[0].line if old else 0
    rest = iter(_forms(old))
    cut = []
    for other, length in zip(like, lengths, strict=True):
        words = [f"{number}\t{form}" for number, form in enumerate(islice(rest, length), 1)]
        cut.append(Sentence("", other.number, line, words, []))
    positions = ([position for sentence in side for position in sentence.positions] for side in (old, cut))
    return tuple(cut), dict(zip(*positions, strict=True)).__getitem__


def over(document: Document, sentences: tuple[Sentence, ...]) -> Document:
    """A document over other sentences, and its deixis alike."""
    deixis = document.deixis.both(lambda layer: over(layer, sentences)) if document.deixis else None
    return document._replace(sentences=sentences, deixis=deixis)


def shape(document: Document) -> list[tuple[int, int]]:
    """Number and length of each sentence."""
    return [(sentence.number, len(sentence.words)) for sentence in document.sentences]


def moving(position: Callable[[int], int]) -> Callable[[Mention], Mention]:
    """The function that moves mentions: it changes each of their positions as a function says."""

    def moved(mention: Mention) -> Mention:
        return mention.moved(position)

    return moved


def _forms(sentences: Sequence[Sentence]) -> list[str]:
    return [word.partition("\t")[2] for sentence in sentences for word in sentence.words]
