"""Offsets of spans that may count characters, UTF-16 code units or bytes: the text of each span tells which."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Mapping
from itertools import accumulate
from typing import NamedTuple

from ..source import Source

UNITS = {"characters": "", "UTF-16 code units": "utf-16-le", "bytes": "utf-8"}
"""Units that offsets may count, and the encoding that has them."""
Parts = list[tuple[int, int]]


class TextSpan(NamedTuple):
    """A span with its offsets as the file has them, and the text that it should have, if the file says it."""

    offsets: Parts
    text: str | None
    line: int


def place_spans(text: str, spans: Mapping[str, TextSpan], source: Source) -> tuple[str, dict[str, Parts]]:
    """The text whose characters spans have, and their parts in it.

    Offsets may count other units than characters, and line ends of Windows as two.
    """
    first_fault: tuple[str, int] | None = None
    for candidate in dict.fromkeys((text, text.replace("\n", "\r\n"))):
        for encoding in UNITS.values():
            if encoding and candidate.isascii():
                continue
            places, fault = _place_all(candidate, encoding, spans)
            if fault is None:
                return candidate, places
            first_fault = first_fault or fault
    assert first_fault is not None
    hint = f"offsets may count {', '.join(UNITS)}; here none of them fits: was the text edited afterwards?"
    source.refuse(first_fault[0], hint, first_fault[1])


def _place_all(
    text: str, encoding: str, spans: Mapping[str, TextSpan]
) -> tuple[dict[str, Parts], tuple[str, int] | None]:
    """The parts of all spans in characters, and the first fault if offsets count other units."""
    starts = unit_starts(text, encoding) if encoding else None
    places: dict[str, Parts] = {}
    for id_, span in spans.items():
        parts = []
        for offsets in span.offsets:
            ends = [offset if starts is None else bisect_left(starts, offset) for offset in offsets]
            if starts is not None and any(
                at == len(starts) or starts[at] != offset for at, offset in zip(ends, offsets, strict=True)
            ):
                return places, (f"{id_} has offset {offsets[0]} or {offsets[1]} inside of a character", span.line)
            parts.append((ends[0], ends[1]))
        if parts[-1][1] > len(text) or any(not 0 <= start < end for start, end in parts):
            what = f"{id_} has characters {parts[0][0]} to {parts[-1][1]}"
            return places, (f"{what}, but the text has {len(text)} characters", span.line)
        if span.text is not None and not _is_spelt(span.text, text, parts):
            found = " ".join(text[start : min(end, start + 40)] for start, end in parts[:40])
            return places, (f"{id_} is {span.text[:40]!r}, but its place in the text says {found[:40]!r}", span.line)
        places[id_] = parts
    return places, None


def _is_spelt(wanted: str, text: str, parts: Parts) -> bool:
    """Whether parts of a text have these letters; blanks may differ, but a huge part is not searched for them."""
    if sum(end - start for start, end in parts) > 4 * len(wanted) + 1000:
        return False
    return "".join(wanted.split()) == "".join("".join(text[start:end].split()) for start, end in parts)


def unit_starts(text: str, encoding: str) -> array[int]:
    """Where each character begins in the units of an encoding, and where the last one ends."""
    if encoding == "utf-8":
        sizes = (1 if char < "\x80" else 2 if char < "\u0800" else 3 if char < "\U00010000" else 4 for char in text)
    else:
        sizes = (2 if char > "\uffff" else 1 for char in text)
    return array("q", accumulate(sizes, initial=0))
