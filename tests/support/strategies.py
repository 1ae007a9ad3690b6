"""Hypothesis strategies: partitions of overlapping sets of mentions, small enough for naive oracles."""

from __future__ import annotations

from hypothesis import strategies as st

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
