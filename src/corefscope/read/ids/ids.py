"""Mentions that are known by an id only: no words, but key and response name the same mention alike.

A mention is then at one position, made from the text of its id: the same id has the same position in every file, and
another id another one. Positions keep the form of words, so no id is taken for an empty node.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from json.encoder import encode_basestring
from math import isfinite
from typing import cast

from ...base.document import Document
from ...base.mention import unbroken
from ...base.positions import WORD_SHIFT
from ..jsonl.json_text import shortened
from ..numbered import sorted_runs

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
        return _positions([id_text(id_)])[0]
    except UnicodeEncodeError:
        raise IdError("an id holds half of a surrogate pair: write characters as UTF-8") from None


def _positions(texts: Iterable[str]) -> list[int]:
    number = int.from_bytes
    return [number(data, "big") << WORD_SHIFT for data in map(str.encode, texts)]


def _id_positions(ids: list[object]) -> list[int]:
    """The positions that stand for ids; most are strings, or arrays of whole numbers as [first, last]."""
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
    """The document of entities, given with their ids and those of their mentions, in canonical order.

    ``local_ids`` says that the ids of entities mean nothing in other documents.
    """
    entity_ids = [entity_id for entity_id, _ in clusters]
    ids_of = [ids for _, ids in clusters]
    positions = _id_positions(list(chain.from_iterable(ids_of)))
    sorted_positions = list(sorted_runs(positions, map(len, ids_of)))
    order = sorted(range(len(entity_ids)), key=[places[0] for places in sorted_positions].__getitem__)
    entities_positions = list(map(sorted_positions.__getitem__, order))
    entities = [tuple([unbroken(place, place, place) for place in places]) for places in entities_positions]
    return Document(
        name,
        tuple(entities),
        entity_ids=tuple([entity_ids[index] for index in order]),
        entity_types=("",) * len(entities),
        path=path,
        local_ids=local_ids,
    )
