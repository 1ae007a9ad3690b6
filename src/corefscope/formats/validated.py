"""Lists of validated sentences: CSV with Topic, File and Sentence Number, as ECB+ comes with."""

from __future__ import annotations

from ..core.document import Document
from ..core.errors import InputError
from ..core.matching.transform import restricted
from ..core.positions import SENTENCE_SHIFT
from .tables.small import read_cells

COLUMNS = ("Topic", "File", "Sentence Number")
HINT = f"the columns are {', '.join(COLUMNS)}; sentences are counted from 0: 1,10ecb,0"


class ValidatedSentences:
    """The sentences of each document, by their numbers from 0."""

    def __init__(self, path: str) -> None:
        self._sentences: dict[str, set[int]] = {}
        for line, (topic, file, number) in read_cells(path, {name: (name,) for name in COLUMNS}, HINT):
            if not (number.isascii() and number.isdigit() and len(number) < 10):
                raise InputError(f"{number[:60]!r} is no number of a sentence", path=path, line=line, hint=HINT)
            self._sentences.setdefault(f"{topic}_{file}", set()).add(int(number))

    def has_document(self, name: str) -> bool:
        """Whether a sentence of a document is listed; the name may end in ``.xml``."""
        return name.removesuffix(".xml") in self._sentences

    def restrict(self, document: Document) -> Document:
        """The document with the mentions that begin in its listed sentences."""
        listed = self._sentences.get(document.id.removesuffix(".xml"), set())
        numbers = {sentence.number for index, sentence in enumerate(document.sentences) if index in listed}
        return restricted(document, lambda _, mention: mention.first >> SENTENCE_SHIFT in numbers)
