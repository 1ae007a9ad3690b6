"""Lines of a CoNLL file that are outside all documents, or look as if one began there: read past, with a warning."""

from __future__ import annotations

import re

from ..base.document import is_comment
from ..base.errors import Warnings
from .source import Source

ALMOST_BEGIN = re.compile(r"#\s*begin[\s_]*doc", flags=re.IGNORECASE)
"""What looks like '#begin document'; validation and the readers ask for the real thing first."""


def warn_of_misspelt(line: str, number: int, source: Source, warnings: Warnings) -> None:
    """Warn if a comment that begins no document looks as if it did."""
    if ALMOST_BEGIN.match(line):
        message = f"{line[:60]!r} does not begin a document: write '#begin document (ID); part 000'"
        warnings.add("ignored-begin-line", source.name, number, message)


def warn_of_words_before(first: int, source: Source, warnings: Warnings) -> None:
    """Warn of what is lost before the first document, which begins at an offset."""
    data = source.read(source.start, first)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"byte 0x{data[error.start]:02x} before the first document is not UTF-8: ignored"
        warnings.add("not-utf-8", source.name, data.count(b"\n", 0, error.start) + 1, message)
        text = data.decode("utf-8", errors="replace")
    for number, line in enumerate(text.split("\n"), 1):
        if is_comment(line):
            warn_of_misspelt(line, number, source, warnings)
        elif line.strip():
            message = "words stand before the first '#begin document': ignored"
            warnings.add("words-outside-documents", source.name, number, message)
