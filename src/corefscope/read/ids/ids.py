"""Mentions that are known by an id only: no words, but key and response name the same mention alike.

A mention is then at one position, made from the text of its id: the same id has the same position in every file, and
another id another one. Positions keep the form of words, so no id is taken for an empty node.
"""

from __future__ import annotations

from collections.abc import Iterable
from json.encoder import encode_basestring
from math import isfinite

from ...base.document import Document, Entity, Mention
from ...base.positions import WORD_SHIFT
from ..jsonl.json_text import shortened

ONE_DOCUMENT = "#1"
"""What the only document of a file is called that does not name it."""


class IdError(Exception):
    """Something that cannot be the id of a mention."""


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
    """The position that stands for an id: :func:`~corefscope.base.positions.id_at` is the inverse."""
    try:
        return int.from_bytes(id_text(id_).encode(), "big") << WORD_SHIFT
    except UnicodeEncodeError:
        raise IdError("an id holds half of a surrogate pair: write characters as UTF-8") from None


def ids_document(
    name: str, clusters: Iterable[tuple[str, Iterable[object]]], path: str, *, local_ids: bool = False
) -> Document:
    """The document of entities, given with their ids and those of their mentions, in canonical order.

    ``local_ids`` says that the ids of entities mean nothing in other documents.
    """
    rows: list[tuple[int, int, str, Entity]] = []
    new = tuple.__new__  # half the time of calling Mention
    for index, (entity_id, ids) in enumerate(clusters):
        positions = sorted(map(id_position, ids))
        mentions = tuple([new(Mention, (position, -1, position, position, (), ())) for position in positions])
        rows.append((positions[0], index, entity_id, mentions))
    rows.sort()
    return Document(
        name,
        tuple([row[3] for row in rows]),
        entity_ids=tuple([row[2] for row in rows]),
        entity_types=("",) * len(rows),
        path=path,
        local_ids=local_ids,
    )
