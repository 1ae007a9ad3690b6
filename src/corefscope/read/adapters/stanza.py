"""Stanza: a document with ``coref`` chains."""

from __future__ import annotations

from typing import Any

from .shapes import Sentences, Shape

SHAPE = Shape(
    "a stanza Document from a pipeline with the coref processor: document.coref is a list of chains,"
    " chain.mentions a list of mentions with sentence, start_word and end_word"
)


def from_stanza(document: object) -> list[list[tuple[int, ...]]]:
    """The chains of ``stanza.Pipeline(…, processors="tokenize,coref")(text)``.

    ``mention.sentence`` and ``start_word`` count from 0 and ``end_word`` is not included; the two count the *words*
    of the sentence, so the parts of a multiword token count one by one (stanza, ``models/coref/coref_chain.py``).

    A zero, which stanza gives as a pair (number of words before it, number of the empty node), becomes
    ``(position, position, number)``: an empty span before the word at ``position``, with the number of the empty node
    in its sentence.

    >>> from types import SimpleNamespace as Fake
    >>> mention = Fake(sentence=1, start_word=0, end_word=2)
    >>> from_stanza(Fake(sentences=[Fake(words=["Hello"]), Fake(words=["Ada", "Lovelace"])],
    ...                  coref=[Fake(mentions=[mention])]))
    [[(1, 3)]]
    """
    sentences = Sentences.of(SHAPE, SHAPE.attribute(document, "sentences", "the document"), SHAPE.attribute, "words")

    def read(mention: Any, where: str) -> tuple[int, ...]:
        number = SHAPE.number(SHAPE.attribute(mention, "sentence", where), f"{where}.sentence")
        first, last = SHAPE.attribute(mention, "start_word", where), SHAPE.attribute(mention, "end_word", where)
        if isinstance(first, tuple):
            before, empty = SHAPE.numbers(first, "words before, number of the empty node", f"{where}.start_word")
            if not 0 <= before <= (length := sentences.length(number, where)):
                SHAPE.refuse(f"{where} is a zero after {before} words of a sentence of {length}")
            position = sentences.start(number, where) + before
            return position, position, empty
        start, end = SHAPE.number(first, f"{where}.start_word"), SHAPE.number(last, f"{where}.end_word")
        return sentences.span(number, start, end, where)

    chains = SHAPE.items(SHAPE.attribute(document, "coref", "the document"), "the document's coref")
    mentions = [SHAPE.attribute(chain, "mentions", f"coref[{at}]") for at, chain in enumerate(chains)]
    return SHAPE.clusters(mentions, "coref mentions", read)
