"""``text2text_coref clean``: a printed line becomes exactly the words of a document of the skeleton.

A line is a document, a document begins at ``# newdoc id``, a sentence at ``# sent_id``, and a word ends at white
space, in the forms of the skeleton, too. A word keeps its tags if it is copied to the letter. In each sentence a
closing tag without opening becomes a mention of one word; an opening one without closing stays, and is lost later.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .distance import CELLS, way


class ChainError(Exception):
    """A program of the chain ends with an error: which one, and what causes it."""

    def __init__(self, error: str, cause: str) -> None:
        super().__init__(error, cause)
        self.error, self.cause = error, cause


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


def cleaned(line: str, sentences: Sequence[Sequence[str]], zeros: bool) -> Iterator[str]:
    """The items of a document: words with tags, and zeros in addition, unless they are among the forms."""
    items = line.split()
    forms = [form for sentence in sentences for form in sentence]
    if (len(items) + 1) * (len(forms) + 1) > CELLS:
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
    """Items that were copied to the letter and zeros as they are, other words of the skeleton without tags."""
    words = [item.split("|")[0] for item in items]
    for word, form in reversed(way(words, forms, not zeros)):
        if form < 0:
            if not zeros and words[word].startswith("##"):
                yield items[word]
        elif word >= 0 and words[word] == forms[form]:
            yield items[word]
        else:
            yield forms[form]


def _with_matched_tags(items: Sequence[str]) -> Iterator[str]:
    """The items of a sentence with the tags that are understood.

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
