"""Copy report: how the words of printed text were copied, and where its tags were placed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..formats.alignment import COPIED, AlignedBlock

PLACED, MOVED, REPAIRED, DROPPED = "placed", "moved", "repaired", "dropped"
FATES = (PLACED, MOVED, REPAIRED, DROPPED)
"""A tag is placed on its own word; or moved to the next word of the mention, as its own is not in the key, or in
another sentence; or repaired, as the other tag of the mention is missing; or dropped."""
REASONS: dict[str, str] = {
    "nothing left": "no word of the mention is in the key",
    "empty": "there is nothing between the tags",
    "never closed": "the mention is never closed",
    "never opened": "the mention was never opened",
    "without id": "the tag has no entity id",
    "repeated": "the entity has this mention already",
    "unreadable": "the tag is cut off or mangled",
    "outside": "the line is not part of a document",
}
"""Why tags are dropped."""
WORDS = ("same", "changed", "replaced", "glued", "split", "left out", "invented", "set aside")
"""Kinds of copied words: those of aligned blocks, and words printed before or after the document."""


LOCATED = ("by text", "by offset", "ambiguous", "not found")
"""Ways in which listed mentions were found: by their strings, of which some are ambiguous, or by offsets."""


def describe_located(located: Counter[str]) -> str:
    """How listed mentions were found.

    >>> describe_located(Counter({"by text": 41, "ambiguous": 3, "not found": 1}))
    'located by text: 41, of these ambiguous: 3, not found: 1'
    """
    parts = [f"located by text: {located['by text']:,}, of these ambiguous: {located['ambiguous']:,}"]
    if located["by offset"]:
        parts.append(f"by offsets: {located['by offset']:,}")
    return ", ".join([*parts, f"not found: {located['not found']:,}"])


class DoubtfulMention(NamedTuple):
    """A mention whose tags were moved, repaired or dropped."""

    id: str
    fate: str
    """``moved``, ``repaired`` or ``dropped``."""
    reason: str
    """Why it was dropped or repaired, one of ``REASONS``; else empty."""
    first: int
    """Position of its first word; of a dropped mention, the nearest position, or 0."""
    last: int
    line: int


@dataclass(slots=True)
class DocumentCopy:
    """Copy report of one document: its words and its tags."""

    name: str
    style: str
    of: int
    """Number of words of the skeleton."""
    cut_off: int = 0
    """Number of the word after which the text ends, if it ends early."""
    is_copy: bool = True
    words: Counter[str] = field(default_factory=Counter)
    """Numbers of words, by the names of ``WORDS``."""
    tags: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Numbers of tags, by fate and, if dropped, reason; an opening and a closing tag are two."""
    doubtful: list[DoubtfulMention] = field(default_factory=list)
    located: Counter[str] = field(default_factory=Counter)
    """Numbers of mentions that were listed, not tagged, by the names of ``LOCATED``."""
    explained: int = 0
    """Number of closing tags of the style."""
    tags_of_any_style: int = 0
    """Number of closing tags of any style."""

    def count_words(self, blocks: Sequence[AlignedBlock]) -> None:
        """Count how words were copied; printed words before the first and after the last copied one are chatter."""
        copies = [number for number, block in enumerate(blocks) if block.kind not in ("left out", "invented")]
        for number, block in enumerate(blocks):
            if block.kind == "invented":
                is_inside = copies and copies[0] < number < copies[-1]
                self.words["invented" if is_inside else "set aside"] += block.source_size
            else:
                self.words[block.kind] += block.target_size
        self.is_copy = is_copy(blocks)
        end = blocks[copies[-1]].target_stop if copies else 0
        if self.is_copy and 0 < end < self.of - 1:
            self.cut_off = end

    @property
    def absent(self) -> bool:
        """Whether nothing of the document was printed."""
        return self.words["left out"] == self.of > 0 or not self.is_copy


def is_copy(blocks: Sequence[AlignedBlock]) -> bool:
    """Whether a text is a copy, even if it is cut off: half of the key's words, or half of its own, are copied.

    A refusal ("I'm sorry, but …") shares some words with any long text; a copy that is cut off has little else.
    """
    copied = [block for block in blocks if block.kind in COPIED]
    key = sum(block.target_size for block in blocks)
    printed = sum(block.source_size for block in blocks)
    has_half = 2 * sum(block.target_size for block in copied) >= key
    return has_half or 2 * sum(block.source_size for block in copied) >= printed or not key


@dataclass(slots=True)
class CopyReport:
    """Copy report of a file."""

    documents: list[DocumentCopy] = field(default_factory=list)
    signed: str = ""
    """The options for reading, as in signatures."""

    @property
    def words(self) -> Counter[str]:
        """Numbers of words, by the names of ``WORDS``."""
        return sum((document.words for document in self.documents), Counter())

    @property
    def tags(self) -> Counter[tuple[str, str]]:
        """Numbers of tags, by fate and reason."""
        return sum((document.tags for document in self.documents), Counter())

    @property
    def fates(self) -> dict[str, int]:
        """Numbers of tags, by fate."""
        return {fate: sum(n for (each, _), n in self.tags.items() if each == fate) for fate in FATES}

    @property
    def dropped(self) -> dict[str, int]:
        """Numbers of dropped tags, by reason."""
        return {reason: n for reason in REASONS if (n := self.tags[DROPPED, reason])}

    @property
    def located(self) -> Counter[str]:
        """Numbers of listed mentions, by the names of ``LOCATED``."""
        return sum((document.located for document in self.documents), Counter())

    @property
    def style_share(self) -> float | None:
        """Share of the closing tags of any style that the styles of the documents explain; None without tags."""
        tags = sum(document.tags_of_any_style for document in self.documents)
        return sum(document.explained for document in self.documents) / tags if tags else None

    @property
    def styles(self) -> list[str]:
        """Names of the styles of the documents."""
        return list(dict.fromkeys(document.style for document in self.documents if document.style))

    def to_dict(self) -> dict[str, object]:
        """The report as plain values."""
        words = self.words
        located = self.located
        return {
            "style": "+".join(self.styles),
            "style_share": self.style_share,
            **({"located": {name.replace(" ", "_"): located[name] for name in LOCATED}} if located else {}),
            "words": {name.replace(" ", "_"): words[name] for name in WORDS},
            "tags": self.fates,
            "dropped": self.dropped,
            "cut_off": [{"document": d.name, "word": d.cut_off, "of": d.of} for d in self.documents if d.cut_off],
            "absent": [document.name for document in self.documents if document.absent],
        }


def merge_reports(reports: Iterable[CopyReport]) -> CopyReport:
    """Merge the reports of several files."""
    reports = list(reports)
    signed = reports[0].signed if reports else ""
    return CopyReport([document for report in reports for document in report.documents], signed)
