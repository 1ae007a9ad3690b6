"""spaCy: a ``Doc`` whose span groups are clusters."""

from __future__ import annotations

import re
from typing import Any

from .shapes import Shape, Span

SHAPE = Shape(
    "a spaCy Doc with a span group for each cluster, doc.spans['coref_clusters_1'] and so on;"
    " other names need prefix= (head clusters: prefix='coref_head_clusters')"
)


def from_spacy(doc: object, prefix: str = "coref_clusters", *, heads: bool = False) -> list[list[Span]]:
    """The clusters of a ``Doc``: its span groups ``coref_clusters_1``, ``coref_clusters_2``, … in this order.

    Spans count tokens through the document and end before ``span.end``, as everywhere here. A group belongs if its
    name is the prefix, ``_`` and a number (spacy-experimental, ``coref/coref_util.py``): the default is what the span
    resolver writes, ``"coref_head_clusters"`` what it reads, one token per mention. spaCy counts runs of blanks as
    tokens of their own; make the ``Doc`` from the words of the other side where that matters.

    Parameters
    ----------
    doc
        The ``Doc``.
    prefix
        What the names of the groups begin with.
    heads
        Take of each span its syntactic root alone (``span.root``, which needs a parser), to score spans against head
        clusters.
    """
    groups: dict[int, Any] = {}
    others = []
    spans = SHAPE.attribute(doc, "spans", "the doc")
    for name in SHAPE.items(SHAPE.attribute(spans, "keys", "doc.spans")(), "the names of doc.spans"):
        numbered = re.fullmatch(r"(.*)_(\d+)", str(name), flags=re.DOTALL)
        if numbered and numbered[1] == prefix:
            groups[int(numbered[2])] = spans[name]
        elif numbered and "coref" in numbered[1]:
            others.append(str(name))
    if others and not groups:
        SHAPE.refuse(f"doc.spans has no group {prefix}_1, but {', '.join(map(repr, others[:3]))}")
    length = len(SHAPE.items(doc, "the doc"))

    def read(span: Any, where: str) -> Span:
        if heads:
            root = SHAPE.attribute(SHAPE.attribute(span, "root", where), "i", f"{where}.root")
            start = SHAPE.number(root, f"{where}.root.i")
            return SHAPE.span(start, start + 1, length, where)
        start = SHAPE.number(SHAPE.attribute(span, "start", where), f"{where}.start")
        return SHAPE.span(start, SHAPE.number(SHAPE.attribute(span, "end", where), f"{where}.end"), length, where)

    clusters = SHAPE.clusters([groups[number] for number in sorted(groups)], f"doc.spans {prefix}", read)
    return [list(dict.fromkeys(cluster)) for cluster in clusters] if heads else clusters
