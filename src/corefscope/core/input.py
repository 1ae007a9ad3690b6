"""Inputs of a report: what was read of the key, the response and the baseline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from .document import Document
from .errors import amount
from .naming import brief
from .registry import HOOKS


class Input:
    """One side of the input: its name and format, and how much it held before anything was dropped.

    It is part of every report, so that a wrong format or a dropped singleton is seen at once.
    """

    __slots__ = (
        *("columns", "copy_reports", "documents", "engine", "entities", "files", "formats", "hashes", "mentions"),
        *("name", "parts", "projection", "singletons", "weights"),
    )

    def __init__(self, name: str) -> None:
        self.name = name
        self.formats: dict[str, None] = {}
        self.hashes: list[str] = []
        """SHA-256 of each file, if requested."""
        self.files: Counter[str] = Counter()
        """The documents of each file, by the end of the path that it shares with the file of the other side."""
        self.parts: tuple[str, ...] = ()
        """The inputs of the results that were merged, if some were."""
        self.documents: int = 0
        self.mentions: int = 0
        self.entities: int = 0
        self.singletons: int = 0
        self.engine = ""
        """The engine that read it, with its version, if one did."""
        self.columns: dict[str, str] = {}
        """The columns that it has read, by what they hold."""
        self.copy_reports: list[Any] = []
        """Copy reports of files that a language model printed."""
        self.weights = ""
        """The file with the weights of its entities, if they have some."""
        self.projection: Any = None
        """Counts of its mentions by how they fit, if they were laid over the words of the other side."""

    def __repr__(self) -> str:
        return f"<Input {brief(self.name, 240)}: {self}>"

    def add(self, document: Document, file: str = "") -> None:
        """Count a document of a file."""
        sizes = document.sizes
        self.files[file] += 1
        self.documents += 1
        self.mentions += sum(sizes)
        self.entities += len(sizes)
        self.singletons += sizes.count(1)

    def add_columns(self, columns: Mapping[str, str]) -> None:
        """Note the columns of a file; none are known if those of several files differ."""
        self.columns = dict(columns) if len(self.formats) == 1 and self.columns in ({}, columns) else {}

    def add_projection(self, counts: Any) -> None:
        """Count the mentions of a document, or of several, that were laid over other words."""
        self.projection = self.projection.combine(counts) if self.projection else counts

    @property
    def format(self) -> str:
        """The format, or those of several files joined by ``+``."""
        return "+".join(self.formats)

    @property
    def digest(self) -> str:
        """SHA-256 of the content, unpacked and with plain line ends; of many files, that of their digests."""
        return one_digest(self.hashes)

    def __str__(self) -> str:
        return (
            f"{amount(self.documents, 'document')}, {amount(self.mentions, 'mention')}"
            f" in {amount(self.entities, 'entity', 'entities')} ({amount(self.singletons, 'singleton')})"
        )

    def merge(self, other: Input) -> None:
        """Add what another process has read after this."""
        self.formats.update(other.formats)
        self.hashes += other.hashes
        self.copy_reports += other.copy_reports
        if other.columns:
            self.add_columns(other.columns)
        if other.projection:
            self.add_projection(other.projection)
        self.files.update(other.files)
        for name in ("documents", "mentions", "entities", "singletons"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def to_dict(self) -> dict[str, Any]:
        """As plain values; digest, engine, columns, copy report and projection only where there are some."""
        names = ("name", "format", "documents", "mentions", "entities", "singletons")
        values = {name: getattr(self, name) for name in names}
        further: dict[str, Any] = {name: getattr(self, name) for name in ("engine", "columns", "weights", "parts")}
        further["sha256"] = self.digest
        if any(report.documents for report in self.copy_reports):
            further["printed"] = HOOKS["merge_copy_reports"](self.copy_reports).to_dict()
        if self.projection:
            further["projection"] = self.projection.to_dict()
        return values | {name: value for name, value in further.items() if value}


def one_digest(hashes: Sequence[str]) -> str:
    """The digest of many files, from those of each; of one file, its own."""
    if len(hashes) < 2:
        return "".join(hashes)
    from hashlib import sha256  # 3 ms, for many files only

    return sha256("\n".join(hashes).encode("ascii")).hexdigest()
