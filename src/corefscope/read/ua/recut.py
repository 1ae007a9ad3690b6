"""The token lines of a CoNLL-UA document in the sentences of another: in such files sentences mean nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import cast

from ...base.document import Document, Sentence
from ...base.positions import MINOR_MASK
from .lines import MULTIWORD, LineNumbers, UASentence, made_sentence


def recut(
    document: Document, like: Sequence[Sentence], lengths: Sequence[int]
) -> tuple[tuple[Sentence, ...], Callable[[int], int]]:
    """The sentences of a document cut like others, of so many words each, and where its positions have moved.

    Sentences for which no words are left are empty. A zero between two sentences goes to the end of the first one
    only if there are zeros in the other document, too.
    """
    rows = [
        (row.place & MINOR_MASK, sentence.line + row.row, row.text)
        for sentence in document.sentences
        for row in cast("UASentence", sentence).rows
    ]
    starts = [0]
    words, room = 0, _zeros_at_end(like[0])
    for index, (minor, _, _) in enumerate(rows):
        if words == lengths[len(starts) - 1] and len(starts) < len(lengths):
            if 0 < minor < MULTIWORD and room:
                room -= 1
                continue
            room = _zeros_at_end(like[len(starts)])
            starts.append(index)
            words = 0
        words += not minor
    cut = []
    for (start, end), sentence in zip(pairwise([*starts, len(rows)]), like, strict=False):
        first = rows[start][1]
        lines = [""] * (rows[end - 1][1] - first + 1)
        for _, line, text in rows[start:end]:
            lines[line - first] = text
        cut.append(made_sentence(sentence.id, sentence.number, first, lines))
    end = rows[-1][1] + 1 if rows else 0
    cut += [made_sentence(sentence.id, sentence.number, end, []) for sentence in like[len(cut) :]]
    old, new = LineNumbers(document), LineNumbers(document._replace(sentences=tuple(cut)))
    return tuple(cut), lambda place: new.place(old.number(place))


def _zeros_at_end(sentence: Sentence) -> int:
    """How many zeros stand after the last word of a sentence."""
    if not isinstance(sentence, UASentence):
        return 0
    last = sentence.positions[-1] if sentence.words else 0
    return sum(1 for place in sentence.places if place > last)
