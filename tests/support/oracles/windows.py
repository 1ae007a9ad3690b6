"""Windows from their definition, on clusters of spans; pooled figures on sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from .partitions import Figures, Partition, bcub, ceafe, ceafm, harmonic, lea, mentions, muc, ratio

Span = tuple[int, int]
Clusters = Sequence[Sequence[Span]]


def _cut(clusters: Clusters, inside: Callable[[int], bool]) -> list[frozenset[Span]]:
    pieces = [frozenset(span for span in cluster if inside(span[0])) for cluster in clusters]
    return [piece for piece in pieces if piece]


def plain(clusters: Clusters, words: int, size: int) -> list[list[frozenset[Span]]]:
    """Window i has the spans that begin in [i · size, (i + 1) · size)."""
    return [
        _cut(clusters, lambda first, start=start: start <= first < start + size)  # type: ignore[misc]
        for start in range(0, words, size)
    ]


def bookcoref(clusters: Clusters, words: int, size: int) -> list[list[frozenset[Span]]]:
    """As BookCoref's program says: windows end at each multiple of the size, and at the end of the text."""
    ends = [(i + 1) * size for i in range(int(words / size))]
    ends.append(words)
    return [_cut(clusters, lambda first, s=s: first > s - size and first < s) for s in ends]  # type: ignore[misc]


def pooled(name: str, key: Sequence[Partition], response: Sequence[Partition]) -> Figures:
    """Figures of all windows of all documents: spans of different windows are different mentions."""
    if name in ("ceafe", "ceafm"):
        best, ours, theirs = Fraction(0), 0, 0
        for one, other in zip(key, response, strict=True):
            sizes = [len(side) if name == "ceafe" else sum(map(len, side)) for side in (one, other)]
            best += {"ceafe": ceafe, "ceafm": ceafm}[name](one, other)[0] * sizes[0]
            ours, theirs = ours + sizes[0], theirs + sizes[1]
        recall, precision = ratio(best, ours), ratio(best, theirs)
        return recall, precision, harmonic(recall, precision)
    tagged = [
        [frozenset((window, span) for span in entity) for window, side in enumerate(sides) for entity in side]
        for sides in (key, response)
    ]
    return {"muc": muc, "bcub": bcub, "lea": lea, "mentions": mentions}[name](*tagged)
