"""What became of printed text: how words were copied, and where its tags have landed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .aligning import Passage

PLACED, MOVED, REPAIRED, DROPPED = "placed", "moved", "repaired", "dropped"
FATES: dict[str, str] = {
    PLACED: "on the word that it was printed on",
    MOVED: "its word is not in the key, or in another sentence: on the next one of the mention",
    REPAIRED: "the other end of its mention is missing",
    DROPPED: "read as nothing",
}
REASONS: dict[str, str] = {
    "nothing left": "no word of the mention is in the key",
    "empty": "there is nothing between the tags",
    "never closed": "the mention is never closed",
    "never opened": "the mention was never opened",
    "without id": "no id says which entity it is",
    "repeated": "the entity has this mention already",
    "unreadable": "the tag is cut off or mangled",
    "outside": "it stands in a line that is no document",
}
"""Why tags are dropped."""
WORDS: dict[str, str] = {
    "same": "copied",
    "changed": "copied in another spelling (case, quotes, blanks)",
    "replaced": "replaced by another word",
    "glued": "printed as one word with its neighbour",
    "split": "printed as several words",
    "left out": "left out",
    "invented": "printed, but not in the key",
    "set aside": "printed before or after the document",
}
"""What may happen to words; the last two are words of the text, the others of the key."""
COPIED = ("same", "changed", "glued", "split")
"""What may happen to words that are still there."""


class DoubtfulMention(NamedTuple):
    """A mention that is not read simply as it was tagged."""

    id: str
    fate: str
    """``moved``, ``repaired`` or ``dropped``."""
    reason: str
    """Why it is dropped: one of ``REASONS``; of others, empty."""
    first: int
    """The positions of its first and last word as it is read; of a dropped one, where it would be, or 0."""
    last: int
    line: int
    """Where it is in the file."""


class Copied:
    """What became of one document."""

    __slots__ = ("cut_off", "is_copy", "marked", "name", "of", "style", "tags", "words")

    def __init__(self, name: str, style: str, of: int) -> None:
        self.name, self.style = name, style
        self.of = of
        """How many words the skeleton has."""
        self.cut_off = 0
        """The number of the word behind which the text ends, if it ends early."""
        self.is_copy = True
        """Whether the text is a copy of the skeleton, even if it is cut off: see :func:`is_copy`."""
        self.words: Counter[str] = Counter()
        """By the names of ``WORDS``."""
        self.tags: Counter[tuple[str, str]] = Counter()
        """By fate and, of dropped ones, reason. An opening and a closing tag are two."""
        self.marked: list[DoubtfulMention] = []

    def count(self, steps: Sequence[Passage]) -> None:
        """Count how words were copied; printed words before the first and after the last of the key are chatter."""
        copies = [number for number, step in enumerate(steps) if step.kind not in ("left out", "invented")]
        for number, step in enumerate(steps):
            if step.kind == "invented":
                inside = copies and copies[0] < number < copies[-1]
                self.words["invented" if inside else "set aside"] += step.text_stop - step.text_start
            else:
                self.words[step.kind] += step.key_stop - step.key_start
        self.is_copy = is_copy(steps)
        end = steps[copies[-1]].key_stop if copies else 0
        if self.is_copy and 0 < end < self.of - 1:
            self.cut_off = end

    @property
    def absent(self) -> bool:
        """Whether nothing of it was printed, or something else."""
        return self.words["left out"] == self.of > 0 or not self.is_copy


def is_copy(steps: Sequence[Passage]) -> bool:
    """Whether a text is a copy: it has half of the key's words at least, or half of its own words are of the key.

    A refusal ("I'm sorry, but …") shares some words with any long text; a copy that is cut off has little else. Where
    nothing is printed, nothing else is.
    """
    kept = [step for step in steps if step.kind in COPIED]
    printed, key = (sum(map(size, steps)) for size in (_text_size, _key_size))
    copied = 2 * sum(map(_key_size, kept)) >= key or 2 * sum(map(_text_size, kept)) >= printed
    return copied or not key


def _text_size(step: Passage) -> int:
    return step.text_stop - step.text_start


def _key_size(step: Passage) -> int:
    return step.key_stop - step.key_start


class Account:
    """What became of all documents of a file."""

    __slots__ = ("documents", "signed")

    def __init__(self, documents: Iterable[Copied] = (), signed: str = "") -> None:
        self.documents = list(documents)
        self.signed = signed
        """How it was read, as signatures say it."""

    @property
    def words(self) -> Counter[str]:
        """By what happened to them."""
        return sum((copied.words for copied in self.documents), Counter())

    @property
    def tags(self) -> Counter[tuple[str, str]]:
        """By fate and reason."""
        return sum((copied.tags for copied in self.documents), Counter())

    @property
    def styles(self) -> list[str]:
        """The styles of its documents."""
        return list(dict.fromkeys(copied.style for copied in self.documents if copied.style))

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        words, tags = self.words, self.tags
        dropped = {reason: tags[DROPPED, reason] for reason in REASONS if tags[DROPPED, reason]}
        return {
            "style": "+".join(self.styles),
            "words": {name.replace(" ", "_"): words[name] for name in WORDS},
            "tags": {fate: sum(n for (each, _), n in tags.items() if each == fate) for fate in FATES},
            "dropped": dropped,
            "cut_off": [
                {"document": each.name, "word": each.cut_off, "of": each.of}
                for each in self.documents
                if each.cut_off
            ],
            "absent": [each.name for each in self.documents if each.absent],
        }


def summed(accounts: Iterable[Account]) -> Account:
    """The account of several files."""
    accounts = list(accounts)
    signed = "".join([account.signed for account in accounts][:1])
    return Account((copied for account in accounts for copied in account.documents), signed)
