"""What was read: said in every report, so that a wrong format or a dropped singleton is seen at once."""

from __future__ import annotations

from typing import Any

from ..base.document import Document
from ..base.errors import amount


class Input:
    """One side of the input: its name and format, and how much it held before anything was dropped."""

    __slots__ = ("documents", "entities", "formats", "hashes", "mentions", "name", "singletons")

    def __init__(self, name: str) -> None:
        self.name = name
        self.formats: dict[str, None] = {}
        self.hashes: list[str] = []
        """SHA-256 of each file, if somebody asked for it."""
        self.documents = self.mentions = self.entities = self.singletons = 0

    def add(self, document: Document) -> None:
        """Count a document."""
        sizes = list(map(len, document.entities))
        self.documents += 1
        self.mentions += sum(sizes)
        self.entities += len(sizes)
        self.singletons += sizes.count(1)

    @property
    def format(self) -> str:
        """The format, or those of several files joined by ``+``."""
        return "+".join(self.formats)

    @property
    def digest(self) -> str:
        """SHA-256 of the content, unpacked and with plain line ends; of many files, that of their digests."""
        if len(self.hashes) < 2:
            return "".join(self.hashes)
        from hashlib import sha256

        return sha256("\n".join(self.hashes).encode("ascii")).hexdigest()

    def __str__(self) -> str:
        return (
            f"{amount(self.documents, 'document')}, {amount(self.mentions, 'mention')}"
            f" in {amount(self.entities, 'entity', 'entities')} ({amount(self.singletons, 'singleton')})"
        )

    def to_dict(self) -> dict[str, Any]:
        """As plain values; the digest only where there is one."""
        found = {name: getattr(self, name) for name in ("name", "format", "documents", "mentions", "entities")}
        found["singletons"] = self.singletons
        if self.digest:
            found["sha256"] = self.digest
        return found
