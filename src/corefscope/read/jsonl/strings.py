"""Mentions as strings beside their offsets: whether the two agree, and what becomes of those that do not.

``conllu2json`` of the CRAC 2026 task, called without ``-z``, leaves zeros (``##``) out of ``tokens`` but counts them
in ``clusters_token_offsets``: all offsets behind a zero are too large, and those of zeros are those of other words.
The strings in ``clusters_text_mentions`` are right. White space, ``_`` and case are not compared.
"""

from __future__ import annotations

from itertools import accumulate, chain
from typing import Any

from ...base.errors import amount
from .json_text import refuse, shortened
from .searching import ZERO, Searched, nearest_places
from .spans import Clusters, DocumentFields, checked

OFFSETS = "clusters_token_offsets"
STRINGS = "clusters_text_mentions"
"""The words of each mention of ``clusters_token_offsets`` in one string."""
HINT = "export it again with zeros (conllu2json -z), or let strings say where mentions are: --repair offsets"


def agreeing(value: Any, reading: DocumentFields, repair: str, document: str) -> DocumentFields:
    """The same reading if strings and offsets agree, or once they do; else an error that names the fault."""
    if value is None or reading.field != OFFSETS:
        return reading
    clusters = checked(reading.clusters, 2, OFFSETS)
    strings = list(chain.from_iterable(_strings(value, clusters)))
    spans = list(chain.from_iterable(clusters))
    text = Searched(chain.from_iterable(reading.sentences))
    wrong = [not text.says(*mention) for mention in zip(spans, strings, strict=True)]
    if not any(wrong):
        return reading
    places = nearest_places(spans, strings, text)
    if repair == "offsets":
        found = iter(places)
        kept = [[list(place) for _ in cluster if (place := next(found))] for cluster in clusters]
        moved = sum(place is not None and list(place) != span for place, span in zip(places, spans, strict=True))
        return reading._replace(clusters=list(filter(None, kept)), moved=moved, lost=places.count(None))
    first = wrong.index(True)
    span = spans[first]
    there = shortened(" ".join(text.words[span[0] : span[1] + 1])) if text.holds(span) else "not in the document"
    found_at = sorted((span[0], place[0]) for place, span in zip(places, spans, strict=True) if place)
    shifts = [offset - place for offset, place in found_at]
    grows = shifts == sorted(shifts) and min(shifts, default=0) >= 0
    lacks = max(shifts, default=0) > 0 or any(ZERO in string for string in strings)
    reason = ": offsets count zeros (##) that tokens lack" if not text.has_zeros and grows and lacks else ""
    at, string = _indices(clusters, first), shortened(strings[first])
    refuse(
        f"document {document!r}: {OFFSETS}{at} is {span}, {there}, but {STRINGS}{at} is {string}{reason}",
        HINT,
        "offsets-and-strings",
    )


def told(reading: DocumentFields) -> str:
    """What is said of a reading whose offsets were repaired; nothing of others."""
    if not reading.moved and not reading.lost:
        return ""
    gone = f"; {amount(reading.lost, 'mention')} whose string is not there left out" if reading.lost else ""
    return f"offsets of {amount(reading.moved, 'mention')} repaired: they stand where their strings do{gone}"


def _strings(value: Any, clusters: Clusters) -> list[list[str]]:
    """The strings, if there is one for each mention."""
    lists = isinstance(value, list) and all(isinstance(cluster, list) for cluster in value)
    if not lists or not all(isinstance(string, str) for string in chain.from_iterable(value)):
        refuse(f"{STRINGS} is not a list of clusters of strings", "it has the words of each mention in one string")
    if list(map(len, value)) != list(map(len, clusters)):
        refuse(f"{STRINGS} and {OFFSETS} do not hold as many mentions", "leave out the one that is wrong")
    strings: list[list[str]] = value
    return strings


def _indices(clusters: Clusters, number: int) -> str:
    """Where the mention of a number stands: ``[2][0]``."""
    ends = list(accumulate(map(len, clusters)))
    cluster = next(index for index, end in enumerate(ends) if number < end)
    return f"[{cluster}][{number - ends[cluster] + len(clusters[cluster])}]"
