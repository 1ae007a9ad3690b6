"""Cleaner ``text2text_coref clean``: turns a printed line into exactly the words of a document of the skeleton.

A line is a document; a document begins at ``# newdoc id``, a sentence at ``# sent_id``, and a word ends at white
space, even in the forms of the skeleton. A word keeps its tags if it is copied exactly. In each sentence a closing
tag without an opening one becomes a mention of one word; an opening one without a closing one is lost later.

The cleaner aligns by edit distance over whole words, where every difference costs 1. Zeros cost nothing, except in
the first column, where they cost 1 like other words, so that the table is not always that of an edit distance. Ties
are broken in the backtrace, from the end: a zero, then equal words, then replace, delete, insert. So every cell near
the path must be exact, and all cells are computed, a row at a time; some rows are kept, from which others are
computed again in the backtrace.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .trees import ChainError

if TYPE_CHECKING:
    import numpy as np

    Costs = np.ndarray[tuple[int], np.dtype[np.int32]]


def skeleton_words(lines: Sequence[str], zeros: bool) -> list[list[list[str]]]:
    """The forms of the skeleton by document and sentence; with those of empty nodes if ``zeros``."""
    documents: list[list[list[str]]] = [[[]]]
    for line in lines:
        if line.startswith("#"):
            begins = line.startswith("# newdoc id")
            if (begins or line.startswith("# sent_id")) and documents[-1][-1]:
                documents[-1].append([])
            if begins and len(documents[-1]) > 1:
                documents[-1].pop()
                documents.append([[]])
        elif line.strip():
            columns = line.split()
            if len(columns) < 2:
                raise ChainError("ValueError", f"a line of the skeleton has one column only: {line!r}")
            if "-" not in columns[0] and (zeros or "." not in columns[0]):
                documents[-1][-1].append(columns[1])
    return documents


def clean_line(line: str, sentences: Sequence[Sequence[str]], zeros: bool) -> Iterator[str]:
    """The items of a document: words with tags, and also zeros, unless they are among the forms."""
    items = line.split()
    forms = [form for sentence in sentences for form in sentence]
    if (len(items) + 1) * (len(forms) + 1) > MAX_CELLS:
        raise ChainError("no result", f"{len(items):,} printed words for {len(forms):,} of the skeleton: too many")
    copied = list(_copied(items, forms, zeros))
    start = 0
    for sentence in sentences:
        stop, missing = start, len(sentence)
        while missing:
            if stop == len(copied):
                raise ChainError("IndexError", "a word of the skeleton begins with ## and is taken for a zero")
            missing -= zeros or not copied[stop].startswith("##")
            stop += 1
        yield from _with_matched_tags(copied[start:stop])
        start = stop


def _copied(items: Sequence[str], forms: Sequence[str], zeros: bool) -> Iterator[str]:
    """Exactly copied items and zeros unchanged, other words of the skeleton without tags."""
    words = [item.split("|")[0] for item in items]
    for word, form in reversed(backtrace(words, forms, not zeros)):
        if form < 0:
            if not zeros and words[word].startswith("##"):
                yield items[word]
        elif word >= 0 and words[word] == forms[form]:
            yield items[word]
        else:
            yield forms[form]


def _with_matched_tags(items: Sequence[str]) -> Iterator[str]:
    """The items of a sentence with the tags that the cleaner understands.

    >>> list(_with_matched_tags(["a|[e1,[e2", "b|e1],e3]", "c|x", "d|[e4]|"]))
    ['a|[e1,[e2', 'b|e1],[e3]', 'c', 'd']
    """
    tag_like = re.compile(r"(\[?)e(\d+)(]?)")
    opened: dict[str, int] = {}
    for item in items:
        form, *rest = item.split("|")
        tags = []
        for match in map(tag_like.match, rest[0].split(",") if len(rest) == 1 else ()):
            opens, number, closes = match.groups() if match else ("", "", "")
            if opens and not closes:
                opened[number] = opened.get(number, 0) + 1
            if closes and not opens:
                opens = "" if opened.get(number) else "["
                opened[number] = max(opened.get(number, 0) - 1, 0)
            if opens or closes:
                tags.append(f"{opens}e{number}{closes}")
        yield f"{form}|{','.join(tags)}" if tags else form


MAX_CELLS = 10**9
"""Maximum number of cells: about 30,000 words, for which the cleaner needs minutes and tens of gigabytes."""
KEPT = 128
"""One row in so many is kept."""


def backtrace(printed: Sequence[str], forms: Sequence[str], zeros: bool) -> list[tuple[int, int]]:
    """Steps of the alignment from the end to the beginning: numbers of printed word and form, -1 for none.

    With ``zeros``, a word that begins with ``##`` is a zero, in addition to the forms. Printed words before the first
    form have no step.

    >>> backtrace(["Ann", "##", "has", "a", "dog"], ["Ann", "had", "dog"], zeros=True)
    [(4, 2), (3, 1), (2, -1), (1, -1), (0, 0)]
    """
    table = _CostTable(printed, forms, zeros)
    steps = []
    row, column = len(printed), len(forms)
    while row and column:
        word, form = row - 1, column - 1
        if table.is_zero[word]:
            column += 1
            step = word, -1
        elif printed[word] == forms[form] or table.at(row, column) == table.at(row - 1, column - 1) + 1:
            step = word, form
        elif table.at(row, column) == table.at(row - 1, column) + 1:
            column += 1
            step = word, -1
        else:
            row += 1
            step = -1, form
        steps.append(step)
        row, column = row - 1, column - 1
    return [*steps, *((-1, form) for form in range(column - 1, -1, -1))]


class _CostTable:
    """Costs by numbers of printed words and of forms."""

    def __init__(self, printed: Sequence[str], forms: Sequence[str], zeros: bool) -> None:
        import numpy as np

        self.printed = printed
        self.is_zero = [zeros and word.startswith("##") for word in printed]
        places: dict[str, list[int]] = {}
        for column, form in enumerate(forms, start=1):
            places.setdefault(form, []).append(column)
        self._places = {form: np.array(columns) for form, columns in places.items()}
        self._columns = np.arange(len(forms) + 1, dtype=np.int32)
        self._kept = [self._columns]
        self._block: list[Costs] = []
        self._first = -1
        for number, row in enumerate(self._rows(0, len(printed)), start=1):
            if number % KEPT == 0:
                self._kept.append(row)

    def at(self, row: int, column: int) -> int:
        """The cost of one cell."""
        first = row // KEPT
        if first != self._first:
            start = first * KEPT
            self._block = [self._kept[first], *self._rows(start, min(start + KEPT, len(self.printed)))]
            self._first = first
        return int(self._block[row - first * KEPT][column])

    def _rows(self, start: int, stop: int) -> Iterator[Costs]:
        """The rows after a row that is kept."""
        row = self._kept[start // KEPT]
        for number in range(start, stop):
            row = row.copy() if self.is_zero[number] else self._row(row, self._places.get(self.printed[number]))
            row[0] = number + 1
            yield row

    def _row(self, above: Costs, same: Costs | None) -> Costs:
        """Row of a word that equals the forms at ``same``: from above, from the corner, then from the left."""
        import numpy as np

        row = above + 1
        np.minimum(row[1:], above[:-1] + 1, out=row[1:])
        if same is not None:
            row[same] = above[same - 1]
        swept = np.minimum.accumulate(row - self._columns) + self._columns
        if same is None or (swept[same] == row[same]).all():
            return swept
        costs, fixed = row.tolist(), {*same.tolist()}  # zeros cost 1 in the first column: equal words keep that cost
        for column in range(1, len(costs)):
            if column not in fixed:
                costs[column] = min(costs[column], costs[column - 1] + 1)
        return np.array(costs, dtype=np.int32)
