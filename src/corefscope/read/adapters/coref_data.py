"""The *indiscrim* datasets of ``coref-data`` on the Hugging Face Hub."""

from __future__ import annotations

from typing import Any

from .shapes import Sentences, Shape, Span

SHAPE = Shape(
    "{'sentences': [{'tokens': […], …}, …], 'coref_chains': [[[sentence, start, end], …], …]},"
    " an example of a coref-data/…_indiscrim dataset"
)


def from_coref_data(example: object) -> list[list[Span]]:
    """The chains of an example of ``datasets.load_dataset("coref-data/…_indiscrim")``.

    A mention there is ``[sentence, start, end]``: all 0-based, the last token *included* (``format_mention`` in
    ianporada/coref-data, ``preprocessing/indiscrim_conversion/preco.py``), ``start`` and ``end`` counting the items
    of the sentence's ``tokens``. In ``corefud_indiscrim`` those hold empty nodes too, so what is scored against it
    must count them as well; of a discontinuous mention that dataset keeps one part only.

    >>> from_coref_data({"sentences": [{"tokens": ["Ada", "left"]}, {"tokens": ["She", "did"]}],
    ...                  "coref_chains": [[[0, 0, 0], [1, 0, 0]]]})
    [[(0, 1), (2, 3)]]
    """
    sentences = Sentences.of(SHAPE, SHAPE.field(example, "sentences", "example"), SHAPE.field, "tokens")

    def read(mention: Any, where: str) -> Span:
        number, start, end = SHAPE.numbers(mention, "sentence, start, end", where)
        return sentences.span(number, start, end + 1, where)

    return SHAPE.clusters(SHAPE.field(example, "coref_chains", "example"), "example['coref_chains']", read)
