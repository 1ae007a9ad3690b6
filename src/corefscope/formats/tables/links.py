"""Tables of links: CSV or TSV with columns mention and antecedent, and document if there are several.

Entities are the connected components of the links. A mention with an empty antecedent, or with itself, is linked to
nothing; if no other row names it, it is an entity of its own. Mentions are identified by their ids, as text.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...core.components import components
from ...core.document import Document
from ...core.errors import Warnings
from ..source import Source
from .reader import COLUMNS, DELIMITERS, has_column
from .rows import ONE_DOCUMENT, ids_document

ANTECEDENT = ("antecedent", "antecedent_id")
LOOKS_LIKE = rf"(?i:\s{{0,99}}(?![\[{{#]){has_column(COLUMNS['mention'])}{has_column(ANTECEDENT)})"
"""A first line that names columns of mentions and antecedents."""


class _Links(NamedTuple):
    """The links of a document."""

    line: int
    """Line of its first row."""
    pairs: list[tuple[str, str]]


class LinksReader:
    """The documents of one table, sorted by name; mentions are ids, and have no words."""

    has_heads = True  # an id has no words to choose a head from
    starts: Sequence[int] = ()  # it is read as a whole

    def __init__(self, source: Source, warnings: Warnings, side: str = "key") -> None:  # noqa: ARG002
        self.source = source
        source.check_memory(source.start, source.size)
        lines = source.text(source.start, source.size).rstrip("\n").split("\n")
        header = next((line for line in lines if line.strip()), "")
        delimiter = max(DELIMITERS, key=header.count)
        rows = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True)
        links: dict[str, _Links] = {}
        try:
            names = [name.strip().casefold() for name in next(filter(None, rows), [])]
            places = [self._column(names, role) for role in ("document", "mention", "antecedent")]
            for row in filter(None, rows):
                cells = [row[place].strip() if -1 < place < len(row) else "" for place in places]
                if len(row) != len(names) or not cells[1]:
                    what = "has no mention" if len(row) == len(names) else f"has {len(row)} cells, not {len(names)}"
                    source.refuse(f"the row {what}", "a row is a mention and its antecedent", rows.line_num)
                document, mention, antecedent = cells
                known = links.setdefault(document if places[0] >= 0 else ONE_DOCUMENT, _Links(rows.line_num, []))
                known.pairs.append((mention, antecedent or mention))
        except csv.Error as error:
            source.refuse(f"is not a table: {error}", "quotes around a cell must be closed", rows.line_num)
        if not links:
            source.refuse("has no rows", "a row is needed for each link")
        self._links = dict(sorted(links.items()))
        self.names: list[str] = list(self._links)

    def _column(self, names: list[str], role: str) -> int:
        """The index of a column; -1 if there is none of documents."""
        wanted = ANTECEDENT if role == "antecedent" else COLUMNS[role]
        found = [index for index, name in enumerate(names) if name in wanted]
        if len(found) > 1 or not (found or role == "document"):
            which = f"two columns may hold the {role}" if found else f"no column holds the {role}"
            self.source.refuse(which, f"name one of them {wanted[0]}", 1)
        return found[0] if found else -1

    def line_of_document(self, index: int) -> int:
        """The line of the first row of a document."""
        return self._links[self.names[index]].line

    def __iter__(self) -> Iterator[Document]:
        for name, (_, pairs) in self._links.items():
            groups = [
                dict.fromkeys(end for number in sorted(group) for end in pairs[number]) for group in components(pairs)
            ]
            entities = [(f"e{number}", list(mentions)) for number, mentions in enumerate(groups, 1)]
            yield ids_document(name, entities, self.source.name, local_ids=True)
