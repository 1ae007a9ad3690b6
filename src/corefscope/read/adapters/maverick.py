"""Maverick: what ``Maverick.predict`` returns."""

from __future__ import annotations

from .shapes import Shape, Span

SHAPE = Shape(
    "{'tokens': [words], 'clusters_token_offsets': [((start, end), …), …], …}, what Maverick.predict returns"
)


def from_maverick(output: object) -> list[list[Span]]:
    """The clusters of ``model.predict(…)``, from its ``clusters_token_offsets``.

    Maverick counts tokens through the document and *includes* the last one: it joins
    ``tokens[start : end + 1]`` itself (maverick-coref, ``models/maverick_model.py``). Its ``clusters_char_offsets``,
    there for plain text only, include the last character and are not used.

    >>> from_maverick({"tokens": ["Ada", "Lovelace", "saw", "herself"],
    ...                "clusters_token_offsets": [((0, 1), (3, 3))], "clusters_char_offsets": None})
    [[(0, 2), (3, 4)]]
    """
    words = SHAPE.items(SHAPE.field(output, "tokens", "output"), "output['tokens']")
    clusters = SHAPE.field(output, "clusters_token_offsets", "output")
    return SHAPE.clusters(clusters, "output['clusters_token_offsets']", SHAPE.spans(len(words), inclusive=True))
