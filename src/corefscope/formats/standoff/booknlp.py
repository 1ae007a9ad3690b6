"""BookNLP: ``.entities`` with one mention a row, over the words of a ``.tokens`` beside it; ends are inclusive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from ...core.errors import InputError
from .model import StandoffDocument, StandoffMention, StandoffReader, stem_of

COREF, START, END, CATEGORY = "COREF", "start_token", "end_token", "cat"
WORD, SENTENCE = "word", "sentence_ID"
HINT = "BookNLP writes BOOK.entities and BOOK.tokens, tab-separated tables with a header"


class BookNLPReader(StandoffReader):
    """The one document of a book; columns are found by their names in the header."""

    def parse(self) -> Iterator[StandoffDocument]:
        """Read words and sentences from ``.tokens``, mentions from ``.entities``."""
        if self.text.lstrip().startswith("paragraph_ID"):
            hint = f"name the entities instead: {stem_of(self.source.name)}.entities"
            self.source.refuse("has the words of a book that BookNLP has read, without mentions", hint)
        path, text = self.companion(f"{stem_of(self.source.name)}.tokens", "which has the words")
        words = [cells for _, cells in _columns(text, path, (WORD, SENTENCE))]
        sentences = [[word for word, _ in group] for _, group in groupby(words, itemgetter(1))]
        mentions: dict[str, StandoffMention] = {}
        types: dict[str, str] = {}
        for line, cells in _columns(self.text, self.source.name, (COREF, START, END), (CATEGORY,)):
            entity, start, end = cells[:3]
            first, final = self.number(start, line, START), self.number(end, line, END)
            id_ = f"{line}"
            mentions[id_] = StandoffMention([(first, final + 1)], "" if entity == "-1" else entity, line=line)
            types.setdefault(id_ if entity == "-1" else entity, cells[3])
        yield StandoffDocument(self.document_name, mentions, sentences=sentences, entity_types=types)


def _columns(
    text: str, path: str, needed: Sequence[str], optional: Sequence[str] = ()
) -> Iterator[tuple[int, list[str]]]:
    """The cells of the columns of these names, row by row with its line; quotes are text."""
    header: list[str] | None = None
    places: list[int] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line or line.isspace():
            continue
        cells = line.split("\t")
        if header is None:
            header = [name.strip() for name in cells]
            if absent := [name for name in needed if name not in header]:
                raise InputError(f"has no column {absent[0]!r}", path=path, line=number, hint=HINT)
            places = [header.index(name) if name in header else -1 for name in (*needed, *optional)]
            continue
        if max(places) >= len(cells):
            message = f"a row of {len(cells)} cells; the header has {len(header)}"
            raise InputError(message, path=path, line=number, hint="cells are separated by tabs, quotes are text")
        yield number, [cells[place] if place >= 0 else "" for place in places]
