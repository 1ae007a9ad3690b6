"""brat stand-off: ``.ann`` with spans over the characters of a ``.txt`` beside it, and relations between them.

Every text-bound annotation (``T1``) is a mention. Relations whose names say identity, and equivalences (``*``), link
mentions; other relations, attributes, normalisations and notes are not read. A relation to an event is one to its
trigger.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from .model import StandoffDocument, StandoffMention, StandoffReader, decode, stem_of

TEXT_BOUND = re.compile(r"(T\S*)\t(\S+) ([0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*)[ ]*(?:\t(.*))?", re.ASCII)
EVENT = re.compile(r"(E\S*)\t[^\s:]+:(\S+).*")
RELATION = re.compile(r"R\S*\t(\S+)\s+[^\s:]+:(\S+)\s+[^\s:]+:(\S+)\s*")
EQUIVALENCE = re.compile(r"\*\t(\S+)((?: \S+){2,})\s*")
IGNORED = re.compile(r"[AMN#]\S*\t.*")
HINT = "a line is 'T1<tab>TYPE START END<tab>TEXT', 'R1<tab>NAME Arg1:T1 Arg2:T2' or '*<tab>NAME T1 T2 …'"
UNITS = {"characters": "", "UTF-16 code units": "utf-16-le", "bytes": "utf-8"}
"""What offsets may count, and the encoding whose units they are then."""


class _Span(NamedTuple):
    """A text-bound annotation with its offsets as the file has them."""

    offsets: list[tuple[int, int]]
    text: str | None
    line: int


class BratReader(StandoffReader):
    """The one document of an ``.ann`` file."""

    def parse(self) -> Iterator[StandoffDocument]:
        """Read the lines, then find out what their offsets count."""
        spans: dict[str, _Span] = {}
        triggers: dict[str, str] = {}
        links: list[tuple[int, str, list[str]]] = []
        for number, line in self.lines:
            if match := TEXT_BOUND.fullmatch(line):
                if match[1] in spans:
                    self.source.refuse(f"{match[1]} comes twice", "each annotation needs an id of its own", number)
                pairs = [pair.split(" ") for pair in match[3].split(";")]
                offsets = [
                    (self.number(a, number, "an offset"), self.number(b, number, "an offset")) for a, b in pairs
                ]
                spans[match[1]] = _Span(offsets, match[4], number)
            elif match := EVENT.fullmatch(line):
                triggers[match[1]] = match[2]
            elif match := RELATION.fullmatch(line):
                links.append((number, match[1], [match[2], match[3]]))
            elif match := EQUIVALENCE.fullmatch(line):
                links.append((number, match[1], match[2].split()))
            elif not IGNORED.fullmatch(line):
                self.source.refuse(f"{line[:60]!r} is no annotation of brat", HINT, number)
        self.check_relations((name for _, name, _ in links), links[0][0] if links else 0)
        chosen = [(number, arguments) for number, name, arguments in links if self.is_identity(name)]
        for number, arguments in chosen:
            arguments[:] = [triggers.get(id_, id_) for id_ in arguments]
            if unknown := [id_ for id_ in arguments if id_ not in spans]:
                self.source.refuse(
                    f"{unknown[0]} is not in the file", "relations link text-bound annotations", number
                )
        path, data = self.companion(f"{stem_of(self.source.name)}.txt", "which has the text")
        text, places = self._places(decode(data, path), spans)
        mentions = {id_: StandoffMention(places[id_], line=span.line) for id_, span in spans.items()}
        pairs_of_ids = [(arguments[0], other) for _, arguments in chosen for other in arguments[1:]]
        yield StandoffDocument(self.document_name, mentions, text, links=pairs_of_ids)

    def _places(self, text: str, spans: dict[str, _Span]) -> tuple[str, dict[str, list[tuple[int, int]]]]:
        """The text whose characters spans have, and their parts in it.

        Offsets may count other units than characters, and line ends of Windows as two: the text column tells.
        """
        texts = [text, text.replace("\n", "\r\n")]
        problem: tuple[str, int] | None = None
        for candidate in texts:
            for encoding in UNITS.values():
                if encoding and candidate.isascii():
                    continue
                places, fault = _placed(candidate, encoding, spans)
                if fault is None:
                    return candidate, places
                problem = problem or fault
        assert problem is not None
        hint = f"offsets may count {', '.join(UNITS)}; here none of them fits: was the text edited afterwards?"
        self.source.refuse(problem[0], hint, problem[1])


def _placed(
    text: str, encoding: str, spans: dict[str, _Span]
) -> tuple[dict[str, list[tuple[int, int]]], tuple[str, int] | None]:
    """The parts of all spans in characters, and the first fault if offsets count other units."""
    starts = _unit_starts(text, encoding) if encoding else None
    places: dict[str, list[tuple[int, int]]] = {}
    for id_, span in spans.items():
        parts = []
        for offsets in span.offsets:
            ends = [offset if starts is None else bisect_left(starts, offset) for offset in offsets]
            if starts is not None and any(
                at == len(starts) or starts[at] != offset for at, offset in zip(ends, offsets, strict=True)
            ):
                return places, (f"{id_} has offset {offsets[0]} or {offsets[1]} inside of a character", span.line)
            parts.append((ends[0], ends[1]))
        if parts[-1][1] > len(text) or any(start >= end for start, end in parts):
            what = f"{id_} has characters {parts[0][0]} to {parts[-1][1]}"
            return places, (f"{what}, but the text has {len(text)} characters", span.line)
        places[id_] = parts
        if span.text is None:
            continue
        longest = 2 * len(span.text) + 1000  # the text column has blanks for line ends, else the same characters
        found = " ".join(text[start : min(end, start + longest)] for start, end in parts)
        if "".join(span.text.split()) != "".join(found.split()):
            return places, (f"{id_} is {span.text[:40]!r}, but its place in the text says {found[:40]!r}", span.line)
    return places, None


def _unit_starts(text: str, encoding: str) -> array[int]:
    """Where each character begins in the units of an encoding, and where the last one ends."""
    if encoding == "utf-8":
        sizes = (1 if char < "\x80" else 2 if char < "\u0800" else 3 if char < "\U00010000" else 4 for char in text)
    else:
        sizes = (2 if char > "\uffff" else 1 for char in text)
    return array("q", accumulate(sizes, initial=0))
