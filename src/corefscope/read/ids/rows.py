"""The rows of tables: packed while many are read, made into entities only if somebody looks at these.

A score of ids needs no mentions one by one: the same id is the same mention. So the documents of a table carry their
rows, from which :mod:`corefscope.scale.arrays` counts large ones; whoever wants entities gets them all the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, groupby
from typing import Any, cast

from ...base.document import Document, Entity
from ...base.positions import id_at
from ..made import Made, Once
from .ids import ids_document

LARGE = 1 << 17
"""Rows that are kept as they are; a table of more is packed, and a document of more is counted with arrays."""
PIECE = 1 << 20  # bytes that are unpacked at a time
END = "\udcff"
"""What ends a text: byte FF, which UTF-8 does not have."""
WITHIN = "\udcfe"
"""What stands between a document and an id in it: byte FE, which UTF-8 does not have either."""


class Texts:
    """Many short texts in little memory: each takes its bytes in UTF-8, and one more."""

    __slots__ = ("_rows", "packed", "recent")

    def __init__(self) -> None:
        self.packed = bytearray()
        self.recent: list[str] = []
        """Those that were added since :meth:`pack` was called."""
        self._rows = 0

    def pack(self) -> None:
        """Pack what was added since the last time."""
        if self.recent:
            self._rows += len(self.recent)
            self.packed += _bytes(END.join(self.recent) + END)
            self.recent = []

    def __len__(self) -> int:
        return self._rows + len(self.recent)

    def __iter__(self) -> Iterator[str]:
        packed = (piece.decode("utf-8", "surrogateescape").split(END) for piece in self.pieces())
        return chain(chain.from_iterable(packed), self.recent)

    def pieces(self) -> Iterator[bytes]:
        """What is packed, piece by piece; the last text of each has no end."""
        start = 0
        while start < len(self.packed):
            end = self.packed.find(b"\xff", start + PIECE)
            end = end if end >= 0 else len(self.packed) - 1
            yield bytes(self.packed[start:end])
            start = end + 1

    def extend(self, other: Texts, document: str = "") -> None:
        """Add the texts of another column, as ids within a document if it is named."""
        self.pack()
        other.pack()
        if len(other):
            prefix = _bytes(document + WITHIN) if document else b""
            packed = other.packed[:-1].replace(b"\xff", b"\xff" + prefix) if prefix else other.packed[:-1]
            self.packed += prefix
            self.packed += packed
            self.packed += b"\xff"
            self._rows += len(other)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


class DocumentRows:
    """What a document has in a table: the line of its first row, mentions, and the entity of each."""

    __slots__ = ("_interned", "entities", "line", "mentions")

    def __init__(self, line: int = 0) -> None:
        self.line = line
        self._interned: tuple[Any, Any] | None = None
        self.mentions = Texts()
        self.entities = Texts()

    def pack(self) -> None:
        """Pack the rows that were added since the last time."""
        self.mentions.pack()
        self.entities.pack()

    def __len__(self) -> int:
        return len(self.mentions)

    def interned(self) -> tuple[Any, Any]:
        """The number of the entity of each row, and the sizes of entities: arrays, kept until :meth:`forget`."""
        if self._interned is None:
            from .interned import interned  # most tables need no arrays

            self._interned = interned(self.entities)
        return self._interned

    def forget(self) -> None:
        """Free the memory of arrays that can be made again."""
        self._interned = None

    def add(self, other: DocumentRows, document: str) -> None:
        """Add the rows of a document: its ids are others than the same ids of other documents."""
        self.mentions.extend(other.mentions, document)
        self.entities.extend(other.entities)

    def document(self, name: str, path: str) -> Document:
        """The document with all its mentions."""
        grouped: dict[str, list[str]] = defaultdict(list)
        for mention, entity in zip(self.mentions, self.entities, strict=True):
            grouped[entity].append(mention)
        return ids_document(name, grouped.items(), path)


Table = dict[str, DocumentRows]


Batch = tuple[Sequence[int], Sequence[str], Sequence[str], Sequence[str]]
"""Some rows: the line, document, mention and entity of each."""


def tabulated(batches: Iterable[Batch]) -> Table:
    """Rows by document."""
    table: Table = {}
    recent: Table = {}
    count = 0
    for lines, names, mentions, entities in batches:
        start = 0
        for name, run in groupby(names):
            document = recent.get(name)
            if document is None:
                document = recent[name] = table.setdefault(name, DocumentRows(lines[start]))
            end = start + len(list(run))
            document.mentions.recent += mentions[start:end]
            document.entities.recent += entities[start:end]
            start = end
        count += len(names)
        if count >= LARGE:
            for document in recent.values():
                document.pack()
            recent.clear()
            count = 0
    return table


def is_large(rows: Iterable[DocumentRows]) -> bool:
    """Whether so many rows are better not made into mentions."""
    return sum(map(len, rows)) > LARGE


class RowEntities(Made[Entity]):
    """The entities of a document, which has them as rows."""

    __slots__ = ("rows",)

    def __init__(self, make: Callable[[], object], rows: DocumentRows) -> None:
        super().__init__(make, "entities")
        self.rows = rows

    def sizes(self) -> list[int]:
        """The number of mentions of each entity, in any order."""
        if not is_large([self.rows]):
            return list(map(len, self))  # whoever scores them makes them anyway
        sizes: list[int] = self.rows.interned()[1].tolist()
        return sizes


def rows_document(name: str, path: str, make: Callable[[], Document], rows: DocumentRows) -> Document:
    """A document of rows: ``make`` makes it with all its mentions, the first time that somebody looks at them."""
    whole = Once(make)
    fields: dict[str, Any] = {field: Made(whole, field) for field in ("entity_ids", "entity_types")}
    return Document(name, cast("tuple[Entity, ...]", RowEntities(whole, rows)), path=path, **fields)


def rows_of(document: Document) -> DocumentRows | None:
    """A document of ids as rows; None if it has ids that no table has."""
    entities: object = document.entities
    if isinstance(entities, RowEntities):
        return entities.rows
    rows = DocumentRows()
    for number, entity in enumerate(document.entities):
        for mention in entity:
            text = _as_in_rows(id_at(mention.head))
            if text is None:
                return None
            rows.mentions.recent.append(text)
            rows.entities.recent.append(str(number))
    return rows


def _as_in_rows(id_: str) -> str | None:
    """How rows have an id that is given as JSON: a string, or in joined documents the document and such an id."""
    import json

    value = json.loads(id_) if id_[:1] in {'"', "["} else None
    if isinstance(value, str):
        return value
    if not (isinstance(value, list) and len(value) == 2 and all(isinstance(part, str) for part in value)):
        return None
    document, inner = value
    try:
        return f"{document}{WITHIN}{json.loads(inner)}" if inner[:1] == '"' else None
    except ValueError:
        return None


def has_many_rows(*documents: Document) -> bool:
    """Whether documents together have many rows."""
    all_entities: list[object] = [document.entities for document in documents]
    return is_large([entities.rows for entities in all_entities if isinstance(entities, RowEntities)])


def joined(name: str, documents: Sequence[Document], make: Callable[[], Document]) -> Document:
    """Documents as one, which ``make`` makes; of rows, if all of them are."""
    rows = DocumentRows()
    for document in documents:
        entities: object = document.entities
        if isinstance(entities, RowEntities):
            rows.add(entities.rows, document.id)
        elif entities:
            return make()
    return rows_document(name, documents[0].path, make, rows)
