"""What a reader is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from ..base.document import Document
from .source import Source


class DocumentReader(Protocol):
    """What a reader is: documents one at a time, their ids known beforehand."""

    source: Source
    has_heads: bool
    """Whether the file says which words are heads."""

    @property
    def names(self) -> list[str]:
        """The ids of the documents, in order."""

    def line_of_document(self, index: int) -> int:
        """The line of the file on which a document begins."""

    def __iter__(self) -> Iterator[Document]: ...

    @property
    def starts(self) -> Sequence[int]:
        """Where documents begin in the file, if it can be read from any of them on; else nothing."""

    def documents(self, start: int, stop: int) -> Iterator[Document]:
        """Those from one number up to another, as they are if all are read; only of formats with words."""
