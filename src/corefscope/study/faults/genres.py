"""Genres that the ids of documents name: what follows the beginning that all of them share."""

from __future__ import annotations

import re
from collections.abc import Sequence

MOST = 20  # genres; more are names of documents

BEGINNING = re.compile(r"(?:.*[\W\d_])?", flags=re.DOTALL)
GENRE = "([^\\W\\d_]+)"


def genre_pattern(ids: Sequence[str]) -> str | None:
    r"""A regular expression for ``genre=``, if the ids begin with the same and go on with one of a few words.

    >>> genre_pattern(["GUM_news_a", "GUM_news_b", "GUM_novel_c", "GUM_novel_d"])
    '^GUM_([^\\W\\d_]+)'
    >>> genre_pattern(["bc/cctv/00/cctv_0000", "bc/cnn/00/cnn_0000", "nw/wsj/00/wsj_0001", "nw/wsj/00/wsj_0002"])
    '^([^\\W\\d_]+)'

    Each genre must have two documents on average, and a word of its own: here each document would be one.

    >>> genre_pattern(["news", "novel"]), genre_pattern(["d1", "d2", "d3", "d4"])
    (None, None)
    """
    if not ids:
        return None
    first, last = min(ids), max(ids)  # what these two share, all do
    shared = next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    beginning = BEGINNING.match(first[:shared])
    pattern = "^" + re.escape(beginning[0] if beginning else "") + GENRE
    found = [match and match[1] for match in (re.search(pattern, name) for name in ids)]
    genres = set(found)
    return pattern if None not in genres and 1 < len(genres) <= min(MOST, len(ids) // 2) else None
