"""Hypothesis strategies: partitions of overlapping sets of mentions, and documents, all small enough for oracles."""

from __future__ import annotations

from hypothesis import strategies as st

from corefscope.core.document import Document, Mention, mention_order
from corefscope.core.positions import position

Clusters = list[list[str]]


@st.composite
def partitions(draw: st.DrawFn, max_mentions: int = 9, max_entities: int = 5) -> Clusters:
    """A partition of some of the mentions a, b, c, …"""
    mentions = draw(st.lists(st.sampled_from("abcdefghijkl"[: max_mentions + 3]), unique=True, max_size=max_mentions))
    clusters: dict[int, list[str]] = {}
    for mention in mentions:
        clusters.setdefault(draw(st.integers(1, max_entities)), []).append(mention)
    return list(clusters.values())


pairs = st.tuples(partitions(), partitions())
"""Key and response over mention sets that overlap: twinless mentions on both sides."""

repeated = st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=4), max_size=4)
"""Clusters in which mentions may stand several times."""


@st.composite
def small_documents(draw: st.DrawFn) -> Document:
    """A few mentions over five words and two empty nodes, crowded enough to compete; some stand twice."""
    nodes = [position(1, word) for word in range(1, 6)] + [position(1, 2, 1), position(1, 4, 1)]
    subject, object_ = (nodes[0], "nsubj"), (nodes[0], "obj")
    attachments = st.sampled_from([(subject,), (subject,), (object_,), (subject, (nodes[1], "obj")), ()])
    dependencies = {node: draw(attachments) for node in nodes[5:]}

    def mention() -> Mention:
        words = tuple(sorted(draw(st.sets(st.sampled_from(nodes), min_size=1, max_size=4))))
        head = draw(st.sampled_from([word for word in words if word in nodes[2:4] + nodes[5:]] or words))
        return Mention(words, head, dependencies.get(head, ()))

    mentions = [mention() for _ in range(draw(st.integers(1, 6)))]
    groups = st.lists(st.lists(st.sampled_from(mentions), min_size=1, max_size=3), min_size=1, max_size=4)
    entities = [tuple(sorted(group, key=mention_order)) for group in draw(groups)]
    return Document("d", tuple(sorted(entities, key=lambda entity: mention_order(entity[0]))))
