"""Lists of validated sentences: CSV with Topic, File and Sentence Number, as ECB+ comes with."""

from __future__ import annotations

import csv
from functools import partial

from ..core.document import Document, Mention
from ..core.errors import InputError
from ..core.matching.transform import restricted
from ..core.positions import SENTENCE_SHIFT
from .source import read_text

COLUMNS = ("Topic", "File", "Sentence Number")
HINT = f"the columns are {', '.join(COLUMNS)}; sentences are counted from 0: 1,10ecb,0"


class ValidatedSentences:
    """The sentences of each document, by their numbers from 0."""

    def __init__(self, path: str) -> None:
        self._sentences: dict[str, set[int]] = {}
        rows = csv.reader(read_text(path).splitlines())
        try:
            header = [name.strip() for name in next(rows, [])]
            if absent := [name for name in COLUMNS if name not in header]:
                raise InputError(f"has no column {absent[0]!r}", path=path, line=1, hint=HINT)
            places = [header.index(name) for name in COLUMNS]
            for row in filter(None, rows):
                cells = [row[place].strip() if place < len(row) else "" for place in places]
                if not (all(cells) and cells[2].isascii() and cells[2].isdigit() and len(cells[2]) < 10):
                    message = f"{','.join(row)[:60]!r} names no sentence"
                    raise InputError(message, path=path, line=rows.line_num, hint=HINT)
                self._sentences.setdefault(f"{cells[0]}_{cells[1]}", set()).add(int(cells[2]))
        except csv.Error as error:
            raise InputError(f"is not CSV: {error}", path=path, line=rows.line_num, hint=HINT) from None

    def has_document(self, name: str) -> bool:
        """Whether a sentence of a document is listed; the name may end in ``.xml``."""
        return name.removesuffix(".xml") in self._sentences

    def restrict(self, document: Document) -> Document:
        """The document with the mentions that begin in its listed sentences."""
        listed = self._sentences.get(document.id.removesuffix(".xml"), set())
        numbers = {sentence.number for index, sentence in enumerate(document.sentences) if index in listed}
        return restricted(document, partial(_begins_in, numbers))


def _begins_in(numbers: set[int], _: Document, mention: Mention) -> bool:
    return mention.first >> SENTENCE_SHIFT in numbers
