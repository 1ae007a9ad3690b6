"""What a tolerant reading of a file gives: documents, and the lines of their mentions."""

from __future__ import annotations

from typing import NamedTuple

from ...base.document import Document


class Reading(NamedTuple):
    """A document, and the lines on which its mentions begin."""

    document: Document
    lines: dict[int, int]
    """By position of the first word."""
