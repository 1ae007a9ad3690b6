"""What a reader that begins in the middle of a CorefUD file must know of what comes before.

Sentences are numbered through the file, and entities of earlier documents come first in later ones. Both are found
without reading all of it: by counting, and by reading only documents that say the order of entities that come again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..source import Source
from ..unpacking import PIECE
from .fields import all_places
from .layout import Segment
from .ranks import Ranks

FIRST_WORD = b"\n1\t"
"""Every sentence of a sound file has one word 1."""

VALUE = re.compile(rb"Entity=([^|\t\n]+)")


def count_sentences(source: Source, end: int) -> int:
    """How many sentences a sound file has before the one that begins at this byte."""
    count = (b"\n" + source.read(source.start, source.start + 2)).count(FIRST_WORD)
    for at in range(source.start, end, PIECE):
        count += source.read(at, min(at + PIECE + len(FIRST_WORD) - 1, end)).count(FIRST_WORD)
    return count


def introductions(
    source: Source, header: str, before: Sequence[Segment], within: Sequence[Segment], known: Ranks
) -> Iterator[int]:
    """Which documents may be the first with an entity that comes again in a stretch after them.

    Whatever looks like the id of an entity counts as one until it is ``known``: each document is to be read before
    the next one is asked for.
    """
    patterns = [rb"\((?:[^()\-\n]*-){%d}([^()\-\[\n]*)" % place for place in all_places(header)[0]]

    def ids(segment: Segment) -> set[bytes]:
        values = b"\n".join(VALUE.findall(source.read(*segment)))
        return {id_ for pattern in patterns for id_ in re.findall(pattern, values)}

    wanted = set[bytes]().union(*map(ids, within))
    for index, segment in enumerate(before):
        again = wanted & ids(segment)
        if again:
            yield index
            wanted -= {id_ for id_ in again if known.of([id_.decode("utf-8", "replace")])}
