"""Which column of a table is which, and what is read from its rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...base.errors import InputError

COLUMNS = {
    "document": ("document", "document_id", "doc", "doc_id", "doc_key"),
    "mention": ("mention", "mention_id"),
    "entity": ("entity", "entity_id", "cluster", "cluster_id", "label"),
}


class Columns(NamedTuple):
    """Which column is which, by number; the document's is -1 if there is none."""

    document: int
    mention: int
    entity: int


class DocumentRows(NamedTuple):
    """What a document has in the table."""

    line: int
    entities: dict[str, list[str]]


Table = dict[str, DocumentRows]


def find_columns(header: Sequence[str], path: str, line: int = 0) -> Columns:
    """Which column is which; an error if one is missing, or if it is not clear which is meant."""
    names = [name.strip().casefold() for name in header]
    numbers = []
    for role, aliases in COLUMNS.items():
        matching = [number for number, name in enumerate(names) if name in aliases]
        if len(matching) > 1:
            both = " and ".join(repr(header[number]) for number in matching[:2])
            raise InputError(
                f"the columns {both} may both be the {role}", path=path, line=line, hint="rename or drop one of them"
            )
        if not matching and role != "document":
            listed = ", ".join(map(repr, header[:20]))
            hint = f"it may be called {', '.join(aliases)}"
            raise InputError(f"no column holds the {role}; found {listed}", path=path, line=line, hint=hint)
        numbers.append(matching[0] if matching else -1)
    return Columns(*numbers)
