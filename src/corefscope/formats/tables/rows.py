"""Documents of mentions that are ids without words, and the rows of tables that they come from.

A mention is then at one position, made from the text of its id: the same id has the same position in every file, and
another id another one. Positions keep the form of words, so no id is taken for an empty node.

Scoring ids does not need mentions one by one: the same id is the same mention. So the documents of a table carry
their rows, packed while many are read and made into entities lazily; :mod:`corefscope.scale.arrays` counts large
ones.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, groupby
from json.encoder import encode_basestring
from math import isfinite
from typing import TYPE_CHECKING, cast
from zlib import crc32

from ...core.document import Document, unbroken
from ...core.positions import WORD_SHIFT, id_at
from ..jsonl.json_text import shortened
from ..sentences import sorted_runs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers = NDArray[np.signedinteger]

ONE_DOCUMENT = "#1"
"""Name of the only document of a file that has no names."""


class IdError(Exception):
    """A value that cannot be the id of a mention."""


def id_text(id_: object) -> str:
    """An id as JSON, always written the same way.

    >>> id_text("a"), id_text(7), id_text(7.0), id_text([3, "b"])
    ('"a"', '7', '7', '[3,"b"]')
    """
    if isinstance(id_, str):
        return encode_basestring(id_)
    if isinstance(id_, list):
        if not id_ or any(isinstance(item, list) for item in id_):
            raise IdError(f"{shortened(id_)} is no id: an array must hold strings or numbers, as [first, last]")
        return f"[{','.join(map(id_text, id_))}]"
    if isinstance(id_, float) and isfinite(id_):
        return str(int(id_)) if id_.is_integer() else repr(id_)
    if isinstance(id_, int) and not isinstance(id_, bool):
        return str(id_)
    raise IdError(f"{shortened(id_)} is no id: strings, numbers and arrays of these are")


def id_position(id_: object) -> int:
    """The position of an id; :func:`~corefscope.core.positions.id_at` is the inverse."""
    try:
        return _positions([id_text(id_)])[0]
    except UnicodeEncodeError:
        raise IdError("an id holds half of a surrogate pair: write characters as UTF-8") from None


def _positions(texts: Iterable[str]) -> list[int]:
    return [int.from_bytes(data, "big") << WORD_SHIFT for data in map(str.encode, texts)]


def _id_positions(ids: list[object]) -> list[int]:
    """The positions of ids; most are strings, or arrays of whole numbers as [first, last]."""
    kinds = set(map(type, ids))
    try:
        if kinds == {str}:
            return _positions(map(encode_basestring, cast("list[str]", ids)))
    except UnicodeEncodeError:
        pass  # the error is raised below
    arrays = cast("list[list[object]]", ids)
    if kinds == {list} and all(arrays) and {int}.issuperset(map(type, chain.from_iterable(arrays))):
        return _positions([repr(array).replace(" ", "") for array in arrays])
    return list(map(id_position, ids))


def ids_document(
    name: str, clusters: Collection[tuple[str, Sequence[object]]], path: str, *, local_ids: bool = False
) -> Document:
    """The document of these entities, each with its id and the ids of its mentions, in canonical order.

    ``local_ids`` says that the ids of entities mean nothing in other documents.
    """
    entity_ids = [entity_id for entity_id, _ in clusters]
    ids_of = [ids for _, ids in clusters]
    positions = list(sorted_runs(_id_positions(list(chain.from_iterable(ids_of))), map(len, ids_of)))
    order = sorted(range(len(entity_ids)), key=[places[0] for places in positions].__getitem__)
    entities = [tuple([unbroken(place, place, place) for place in positions[index]]) for index in order]
    return Document(
        name,
        tuple(entities),
        entity_ids=tuple([entity_ids[index] for index in order]),
        entity_types=("",) * len(entities),
        path=path,
        local_ids=local_ids,
    )


LARGE = 1 << 17
"""Rows from which on a table is packed, and a document counted with arrays."""
PIECE = 1 << 20  # bytes that are unpacked at a time
END = "\udcff"
"""End of a text: byte FF, which UTF-8 does not have."""
WITHIN = "\udcfe"
"""Separator of a document and an id in it: byte FE, which UTF-8 does not have either."""


class Texts:
    """Many short texts in little memory: each takes its bytes in UTF-8, and one more."""

    __slots__ = ("_rows", "packed", "recent")

    def __init__(self) -> None:
        self.packed: bytearray = bytearray()
        self.recent: list[str] = []
        """Texts added since the last call of :meth:`pack`."""
        self._rows = 0

    def pack(self) -> None:
        """Pack the recent texts."""
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
        """The packed texts, piece by piece; the last text of each has no end."""
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
    """The rows of a document: the line of the first, mentions, and the entity of each."""

    __slots__ = ("_interned", "entities", "line", "mentions")

    def __init__(self, line: int = 0) -> None:
        self.line: int = line
        self._interned: tuple[Integers, Integers] | None = None
        self.mentions: Texts = Texts()
        self.entities: Texts = Texts()

    def pack(self) -> None:
        """Pack the recent rows."""
        self.mentions.pack()
        self.entities.pack()

    def __len__(self) -> int:
        return len(self.mentions)

    @property
    def are_many(self) -> bool:
        """Whether there are so many rows that they are counted without making mentions."""
        return len(self) > LARGE

    def sizes(self) -> list[int]:
        """The number of mentions of each entity, in any order."""
        sizes: list[int] = self.interned()[1].tolist()
        return sizes

    def interned(self) -> tuple[Integers, Integers]:
        """The number of the entity of each row, and the sizes of entities; kept until :meth:`forget`."""
        if self._interned is None:
            self._interned = interned(self.entities)
        return self._interned

    def forget(self) -> None:
        """Free the memory of the arrays, which can be made again."""
        self._interned = None

    def add(self, other: DocumentRows, document: str) -> None:
        """Add the rows of a document; its ids differ from the same ids of other documents."""
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
    """Group rows by document."""
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


def rows_document(name: str, path: str, make: Callable[[], Document], rows: DocumentRows) -> Document:
    """A document of rows; ``make`` makes it with all its mentions when these are first read."""
    whole = cache(make)
    return Document(
        name,
        lambda: whole().entities,
        entity_ids=lambda: whole().entity_ids,
        entity_types=lambda: whole().entity_types,
        path=path,
        rows=rows,
    )


def rows_of(document: Document) -> DocumentRows | None:
    """The rows of a document of ids; None if it has ids that no table can have."""
    if isinstance(document.rows, DocumentRows):
        return document.rows
    rows = DocumentRows()
    for number, entity in enumerate(document.entities):
        for mention in entity:
            text = _row_text(id_at(mention.head))
            if text is None:
                return None
            rows.mentions.recent.append(text)
            rows.entities.recent.append(str(number))
    return rows


def _row_text(id_: str) -> str | None:
    """The text in rows of an id that is given as JSON: a string, or in joined documents [document, such an id]."""
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
    return sum(len(document.rows) for document in documents if isinstance(document.rows, DocumentRows)) > LARGE


def joined(name: str, documents: Sequence[Document], make: Callable[[], Document]) -> Document:
    """Join documents into one, which ``make`` makes; it has rows if all of them have."""
    rows = DocumentRows()
    for document in documents:
        if isinstance(document.rows, DocumentRows):
            rows.add(document.rows, document.id)
        elif document.entities:
            return make()
    return rows_document(name, documents[0].path, make, rows)


PART = 1 << 17  # texts
MOST = 256  # parts; the number of one is a byte


class Parts:
    """Texts divided into parts by their checksums, which are the same in every run: so is the order of sums."""

    def __init__(self, texts: Texts, count: int) -> None:
        import numpy as np

        texts.pack()
        self._view = memoryview(texts.packed)
        size = len(texts)
        self._ends = np.empty(size, dtype=np.min_scalar_type(len(texts.packed)))
        self._part = np.empty(size, dtype=np.uint8)
        row = offset = 0
        for piece in texts.pieces():
            in_piece = piece.split(b"\xff")
            after = row + len(in_piece)
            lengths = np.fromiter(map(len, in_piece), dtype=np.int64, count=len(in_piece)) + 1
            self._ends[row:after] = offset + np.cumsum(lengths) - 1
            checksums = np.fromiter(map(crc32, in_piece), dtype=np.uint32, count=len(in_piece))
            self._part[row:after] = checksums % count
            row, offset = after, offset + len(piece) + 1

    def __getitem__(self, part: int) -> tuple[Integers, list[bytes]]:
        """The rows of a part, and their texts."""
        import numpy as np

        rows = np.flatnonzero(self._part == part)
        ends = self._ends[rows].tolist()
        starts = (self._ends[rows - 1].astype(np.int64) + 1).tolist()
        if len(rows) and rows[0] == 0:
            starts[0] = 0
        view = self._view
        return rows, [view[start:end].tobytes() for start, end in zip(starts, ends, strict=True)]


def interned(texts: Texts) -> tuple[Integers, Integers]:
    """The number of each text, and how often each number occurs."""
    import numpy as np

    count = min(MOST, len(texts) // PART + 1)
    parts = Parts(texts, count)
    numbers: Integers = np.empty(len(texts), dtype=np.int32 if len(texts) < 1 << 31 else np.int64)
    used = 0
    for part in range(count):
        rows, in_part = parts[part]
        number_of: dict[bytes, int] = {}
        numbers[rows] = [number_of.setdefault(text, used + len(number_of)) for text in in_part]
        used += len(number_of)
    return numbers, np.bincount(numbers, minlength=used)


def common_rows(key: Texts, response: Texts) -> Iterator[tuple[Integers, Integers]]:
    """The rows of texts that both have, in the key and in the response, in any order.

    Raises RepeatedError if a text occurs twice in one of them.
    """
    import numpy as np

    count = min(MOST, max(len(key), len(response)) // PART + 1)
    sides = Parts(key, count), Parts(response, count)
    for part in range(count):
        (key_rows, key_texts), (rows, texts) = (side[part] for side in sides)
        row_of = dict(zip(key_texts, key_rows.tolist(), strict=True))
        if len(row_of) < len(key_texts) or len(set(texts)) < len(texts):
            raise RepeatedError
        found = np.array([row_of.get(text, -1) for text in texts], dtype=np.int64)
        common = found >= 0
        yield found[common], rows[common]


class RepeatedError(Exception):
    """A text that should be unique occurs twice."""


def entity_names(document: Document, min_entity_size: int = 1) -> list[str]:
    """The ids of the entities of a large document, in the order in which its table has them."""
    import numpy as np

    rows = rows_of(document)
    assert rows is not None
    numbers, sizes = rows.interned()
    rows.forget()
    first_rows = np.unique(numbers, return_index=True)[1].tolist()
    texts = list(rows.entities)
    names = [texts[row] for row, size in zip(first_rows, sizes.tolist(), strict=True) if size >= min_entity_size]
    if document.rows is not None:
        return names
    return [document.entity_ids[int(number)] for number in names]  # rows made from clusters number their entities
