"""A sentence as the official validator has it: comments, and rows of ten columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(10)
NAMES = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
BLANK = r"[^\S\x1c-\x1f]"
"""White space, as Unicode has it."""
WORD = re.compile(r"[1-9][0-9]*")
EMPTY = re.compile(r"([0-9]+)\.([1-9][0-9]*)")
MULTIWORD = re.compile(r"([1-9][0-9]*)-([1-9][0-9]*)")
LONGEST = 9  # digits of a number; longer ones are all alike
Note = Callable[[str, int, str], None]
"""Where tests leave what they find: id, line, message."""


def number(digits: str) -> int:
    """The number of these digits; of too many to be true, a very large one."""
    return int(digits) if len(digits) <= LONGEST else 10**LONGEST


class UDRow(NamedTuple):
    """The line of a word, an empty node or a multiword token."""

    line: int
    columns: list[str]

    @property
    def id(self) -> str:
        """The first column."""
        return self.columns[ID]

    @property
    def is_word(self) -> bool:
        """Whether it is a word."""
        return WORD.fullmatch(self.columns[ID]) is not None

    @property
    def is_empty(self) -> bool:
        """Whether it is an empty node."""
        return EMPTY.fullmatch(self.columns[ID]) is not None

    @property
    def is_multiword(self) -> bool:
        """Whether it is a multiword token."""
        return MULTIWORD.fullmatch(self.columns[ID]) is not None

    @property
    def attributes(self) -> list[str]:
        """Those of MISC."""
        return self.columns[MISC].split("|")


class UDSentence(NamedTuple):
    """Comments and rows that follow each other."""

    line: int
    """That of the first comment."""
    comments: Sequence[str]
    rows: Sequence[UDRow]

    @property
    def first(self) -> int:
        """The line of the first row, to which the official validator books what concerns the whole sentence."""
        return self.line + len(self.comments)

    @property
    def nodes(self) -> list[UDRow]:
        """Words and empty nodes."""
        return [row for row in self.rows if not row.is_multiword]

    @property
    def words(self) -> list[UDRow]:
        """Words."""
        return [row for row in self.rows if row.is_word]

    def matching(self, pattern: re.Pattern[str]) -> list[re.Match[str]]:
        """The comments that match in full."""
        return [match for comment in self.comments if (match := pattern.fullmatch(comment))]
