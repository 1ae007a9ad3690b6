"""Stanford CoreNLP: its JSON output, parsed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .shapes import Sentences, Shape, Span

SHAPE = Shape(
    "{'sentences': [{'tokens': […], …}, …],"
    " 'corefs': {'1': [{'sentNum': 1, 'startIndex': 1, 'endIndex': 3, …}, …], …}},"
    " CoreNLP's JSON output after json.loads, from a pipeline with the coref annotator"
)


def from_corenlp(annotation: object) -> list[list[Span]]:
    """The chains of a document that CoreNLP wrote with ``-outputFormat json``, after ``json.loads``.

    ``sentNum`` and ``startIndex`` count from 1, and ``endIndex`` is one past the last word, both within the sentence
    (CoreNLP, ``coref/data/CorefChain.java``). Where sentences begin is told by the number of their ``tokens``.

    >>> from_corenlp({"sentences": [{"tokens": [{"word": "Ada"}, {"word": "left"}]}, {"tokens": [{"word": "She"}]}],
    ...               "corefs": {"4": [{"sentNum": 1, "startIndex": 1, "endIndex": 2},
    ...                                {"sentNum": 2, "startIndex": 1, "endIndex": 2}]}})
    [[(0, 1), (2, 3)]]
    """
    sentences = Sentences.of(SHAPE, SHAPE.field(annotation, "sentences", "the annotation"), SHAPE.field, "tokens")

    def read(mention: Any, where: str) -> Span:
        number, start, end = (
            SHAPE.number(SHAPE.field(mention, name, where), f"{where}[{name!r}]") - 1
            for name in ("sentNum", "startIndex", "endIndex")
        )
        return sentences.span(number, start, end, where)

    chains = SHAPE.field(annotation, "corefs", "the annotation")
    if not isinstance(chains, Mapping):
        SHAPE.refuse("the annotation's 'corefs' is not a dictionary of chains")
    return SHAPE.clusters(list(chains.values()), "corefs", read)
