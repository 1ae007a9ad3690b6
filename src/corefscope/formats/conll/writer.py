"""CoNLL-2012 writer: one word a line in twelve columns, coreference in the last one, numbers as entity ids.

Unknown values are ``-`` (``*`` in the columns of parses and named entities). From CoNLL to CoNLL, all other columns
stay unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ...core.document import Document, Sentence
from ..losses import Losses
from ..sentences import conll_rows, forms_of
from ..writing import LINE_ENDS, BracketPair, Origin, cells, numbers

PART = re.compile(r"(?P<id>.*); part (?P<part>[0-9]{3,9})", flags=re.DOTALL)
BLANKS = re.compile(r"[\s\ud800-\udfff]+")


def clean_word(word: str) -> str:
    """Replace white space in a word, since it separates columns.

    >>> clean_word("New York"), clean_word("")
    ('New_York', '_')
    """
    return BLANKS.sub("_", word) or "_"


def clean_name(name: str) -> str:
    """Replace line ends in a name."""
    return LINE_ENDS.sub(" ", name)


def write(documents: Iterable[Document], origin: Origin, losses: Losses) -> Iterator[str]:
    """The text of each document."""
    for document in documents:
        ids = numbers(document, losses)
        brackets = cells(
            BracketPair(mention.first, mention.last, id_, id_)
            for id_, entity in zip(ids, document.entities, strict=True)
            for mention in entity
        )
        name, part = _name_and_part(document.id)
        lines = [f"#begin document ({name})" + (f"; part {part}" if part else "")]
        first = re.sub(r"^#", "_", clean_word(name)), str(int(part or 0))
        for sentence in document.sentences:
            rows = _rows(sentence, first, origin)
            for place, row in zip(sentence.positions, rows, strict=True):
                lines.append("\t".join((*row, "|".join(brackets.get(place, ["-"])))))
            lines.append("")
        lines += ["#end document", ""]
        yield "\n".join(lines)


def _name_and_part(name: str) -> tuple[str, str]:
    """The id of a document and its part, if its name is one of a CoNLL file.

    >>> _name_and_part("nw/xinhua_0001; part 012"), _name_and_part("letter; part 12")
    (('nw/xinhua_0001', '012'), ('letter; part 12', ''))
    """
    match = PART.fullmatch(name)
    if match and f"{int(match['part']):03d}" == match["part"]:
        return match["id"], match["part"]
    return name, ""


def _rows(sentence: Sentence, first: tuple[str, str], origin: Origin) -> list[list[str]]:
    """All columns but the last."""
    words = forms_of(sentence)
    if origin.same_format:
        rows = conll_rows(sentence)
        for row, word in zip(rows, words, strict=True):
            row[3 if len(row) > 4 else -2] = word
            row.pop()
        return rows
    return [
        [*first, str(index), word, tag.pos or "-", "*", "-", "-", "-", clean_word(tag.speaker or "-"), "*"]
        for index, (word, tag) in enumerate(zip(words, origin.tags(sentence), strict=True))
    ]
