"""The catalogue of what validation can find: one row each.

Codes are stable: none changes its meaning, and none is used again for another thing.

An **error** is what a reader refuses, or what it cannot read as it was meant: something is lost or misread. A
**warning** is read as it stands, but breaks the format, stops the official scorer, or is seldom meant.
"""

from __future__ import annotations

from typing import NamedTuple

from .corefud_codes import COREFUD


class Code(NamedTuple):
    """One row of the catalogue."""

    code: str
    name: str
    meaning: str
    hint: str

    @property
    def severity(self) -> str:
        """``error`` or ``warning``, as the letter says."""
        return "error" if self.code[0] == "E" else "warning"


_FILES = (
    ("E001", "unreadable-file", "The file cannot be opened, unpacked or read as text.", "check the path"),
    ("E002", "not-utf-8", "A line is not UTF-8.", "convert the file, e.g. with iconv -f latin1 -t utf-8"),
    ("E003", "no-sentence", "The file holds no sentence.", "was the program that wrote it interrupted?"),
    ("E004", "refused", "The reader of this format refuses the file.", "see docs/formats.md"),
    ("W005", "noted", "The reader reads the file, but had to put up with something.", "see docs/formats.md"),
    ("W006", "byte-order-mark", "The file begins with a byte order mark.", "save it as UTF-8 without BOM"),
    ("W007", "carriage-return", "Lines end in carriage returns.", "convert it: tr -d '\\r' or dos2unix"),
    ("W008", "no-mention", "The file holds no mention at all.", "is it the file that has the coreference?"),
)
_MENTIONS = (
    (
        "W401",
        "repeated-mention",
        "A span stands twice in the same entity.",
        "leave one out; scorers count it once, or twice if its heads differ",
    ),
    (
        "W402",
        "span-in-two-entities",
        "A span stands in two entities: scorers disagree on what that means.",
        "keep it in one; under the corefud-1.2 rules even a file against itself may then score less than 100",
    ),
    (
        "W403",
        "crossing-mentions",
        "Two mentions of the same entity overlap, and neither holds the other.",
        "mentions of one entity are apart or nested",
    ),
    (
        "W404",
        "ambiguous-nesting",
        "Two mentions of an entity are nested. Were they meant to cross? Brackets with one id cannot.",
        "if both are meant as read, all is well",
    ),
    (
        "W405",
        "entity-in-two-documents",
        "An entity id comes again in another document. Documents are scored apart, so it counts as two entities.",
        "give entities ids of their own, or let the header say GRP if ids begin anew in each document",
    ),
    (
        "W406",
        "no-singletons",
        "No entity has just one mention. Corpora that annotate singletons have many.",
        "right if the corpus annotates none; else they were dropped, and scores with --singletons keep suffer",
    ),
    (
        "W407",
        "only-singletons",
        "Every entity has just one mention: nothing corefers with anything.",
        "are ids given to mentions instead of entities? Without singletons nothing is left to score",
    ),
)
_CONLL = (
    ("E501", "no-document", "There is no '#begin document' line.", "is it a CoNLL file at all?"),
    ("E502", "repeated-part", "A document comes twice with the same part.", "number its parts"),
    ("E503", "one-column", "A line has one column.", "a word and its coreference cell are needed"),
    ("E504", "bad-cell", "A coreference cell is malformed.", "cells hold (3, 3), (3) and combinations like (3|(4)"),
    (
        "E505",
        "words-outside-documents",
        "Words stand outside '#begin document' … '#end document': lost, or read as part of the document before.",
        "put every sentence between '#begin document' and '#end document'",
    ),
    (
        "E506",
        "ignored-begin-line",
        "A line looks like '#begin document' and is not read as one: its words join the document before.",
        "write '#begin document (ID); part 000'",
    ),
    ("W511", "mention-over-sentences", "A mention goes on in the next sentence.", "is a closing bracket missing?"),
    ("W512", "missing-end-line", "The last document has no '#end document'.", "was the file cut off?"),
    ("W513", "begun-inside", "A document begins before the last one ended.", "write '#end document' before it"),
    ("W514", "columns-vary", "Lines of one sentence have different numbers of columns.", "fill empty cells with '-'"),
    (
        "W515",
        "word-numbers",
        "Word numbers do not count on.",
        "are words missing? Scores do not depend on it",
    ),
    (
        "W516",
        "hash-line",
        "A line of several columns begins with '#' and is read as a comment.",
        "put a column before",
    ),
    ("W517", "end-without-begin", "'#end document' stands outside documents.", "is '#begin document' misspelt?"),
    ("W518", "document-without-words", "A document has no words.", "leave it out"),
)

CODES: dict[str, Code] = {row[0]: Code(*row) for row in (*_FILES, *COREFUD, *_MENTIONS, *_CONLL)}
"""All of them, by code."""

BY_NAME: dict[str, Code] = {code.name: code for code in CODES.values()}
