"""What engines have in common about what they read: which texts are paths, and what a file holds by its name."""

from __future__ import annotations

import os
import re
from glob import escape

CSV = {".csv": ",", ".tsv": "\t"}
"""Suffixes of texts, and what stands between their columns."""
PACKED = (".gz", ".zst")
URL = re.compile(r"(?!file:)[a-z][a-z0-9+.-]+://", re.IGNORECASE)
"""What begins like an address of something that has to be fetched; one letter before the colon is a drive."""


def is_path(text: str) -> bool:
    """Whether a text is a file or several rather than a table: it has a suffix that we know, or a slash, or is there.

    >>> [is_path(text) for text in ("a.parquet", "s3://b/c", "part-*", "main.links")]
    [True, True, True, False]
    """
    return suffix_of(text) in (".parquet", *CSV) or any(sign in text for sign in "/\\*?") or os.path.exists(text)


def is_url(text: str) -> bool:
    """Whether a text is the address of a file elsewhere.

    >>> [is_url(text) for text in ("https://a/b.csv", "s3://b/c", "file:///a.csv", "C://a.csv", "a.csv")]
    [True, True, False, False, False]
    """
    return URL.match(text) is not None


def suffix_of(path: str) -> str:
    """What a path ends with, whether or not it is packed.

    >>> suffix_of("a/B.CSV.gz"), suffix_of("links")
    ('.csv', '')
    """
    root, suffix = os.path.splitext(path.lower())
    return os.path.splitext(root)[1] if suffix in PACKED else suffix


def pattern_of(path: str) -> str:
    """What finds the files of a path: all that a directory holds. Signs in the name of a file stand for themselves.

    >>> pattern_of("part-*.csv")
    'part-*.csv'
    """
    if os.path.isdir(path):
        held = [name for _, _, names in os.walk(path) for name in names]
        suffix = next((suffix for suffix in (".parquet", *CSV) if any(name.endswith(suffix) for name in held)), "")
        return os.path.join(escape(path), "**", "*" + (suffix or ".parquet"))
    return escape(path) if os.path.exists(path) else path


def first_line(error: Exception) -> str:
    """What an error says, in one line."""
    return (str(error).splitlines() or [type(error).__name__])[0]
