"""Clusters in memory as lists of mentions that can be looked up.

Objects that Python compares by identity are never found in the other side, and the score of 0 would look right. So
arrays and tensors become numbers and tuples, and mentions that do not compare by value are refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from itertools import chain
from numbers import Integral, Number
from typing import Any

from ..core.clusters import Cluster, Clusters, are_plain
from ..core.errors import InputError

NESTED = "score_clusters and Scorer.add take the clusters of one document: [[(0, 1), (4, 4)], [(7, 9)]]"

MENTIONS = "mentions are hashable values, or spans such as [start, end]"
ARRAYS = "make each mention an integer or a tuple such as (start, end); .tolist() gives the numbers of an array"
SINGLE_OBJECTS = (Enum, type, type(None), type(...))
"""Types that compare by identity rightly: there is one object for each value."""


def comparable_clusters(key: Clusters, response: Clusters) -> tuple[list[Cluster], list[Cluster]]:
    """The clusters of both sides as lists of mentions that compare by value; InputError if they are none.

    >>> comparable_clusters({"Ann": [[0, 1], (4, 4)]}, [])
    ([[(0, 1), (4, 4)]], [])
    """
    keys, responses = listed(key, "key"), listed(response, "response")
    if are_plain([*chain.from_iterable(keys), *chain.from_iterable(responses)]):
        return keys, responses
    return with_values(keys, "key"), with_values(responses, "response")


def listed(clusters: Clusters, side: str) -> list[Cluster]:
    """The clusters of one side as lists of what they hold; InputError if they are no clusters."""
    try:
        if type(clusters) is not list and isinstance(clusters, Mapping):
            clusters = _named(clusters, side)
        given: list[Any] = list(clusters)
        lists: list[Cluster] = given if {*map(type, given)} == {list} else _listed(given, side)
    except TypeError as error:
        raise InputError(f"the {side} is not a list of clusters: {error}") from None
    if not all(lists):
        raise InputError(
            f"cluster {lists.index([])} of the {side} is empty or a string",
            hint="clusters are non-empty lists of hashable mentions",
        )
    return lists


def _named(clusters: Mapping[Any, Any], side: str) -> list[Any]:
    """The clusters of a dictionary from their names."""
    for name, cluster in clusters.items():
        if isinstance(cluster, str | bytes) or not isinstance(cluster, Iterable):
            raise InputError(
                f"the {side} is a dictionary, but {name!r:.60} has {cluster!r:.60}, which is not a list of mentions",
                hint="a dictionary has the mentions of each cluster, {'e1': [(0, 1), (4, 4)]}; for labels of mentions"
                " see score_labels",
            )
    return list(clusters.values())


def _listed(given: list[Any], side: str) -> list[Cluster]:
    """The clusters of one side as lists, where not all of them are lists."""
    for place, found in _placed(given, side):
        if isinstance(found, Mapping):
            hint = "give its mentions as a list: list(d) or list(d.values()), whichever holds them"
            raise InputError(f"{place} is a dictionary", hint=hint)
    lists = [[] if isinstance(cluster, (str, bytes)) else list(cluster) for cluster in given]
    if given and all(map(_is_pair, given)) and _category(with_values(lists, side)) == "numbers":
        raise InputError(
            f"the {side} is a list of spans such as {given[0]}, not of clusters",
            hint=f"{NESTED}; clusters of numbers are lists, [[0, 1], [2, 3]]",
        )
    return lists


def _placed(clusters: Iterable[Any], side: str) -> Iterator[tuple[str, Any]]:
    """Each cluster, and what errors call it."""
    return ((f"cluster {number} of the {side}", cluster) for number, cluster in enumerate(clusters))


def _is_pair(cluster: Any) -> bool:
    return (isinstance(cluster, tuple) or hasattr(cluster, "tolist")) and len(cluster) == 2


def check_categories(key: list[Cluster], response: list[Cluster]) -> None:
    """Refuse sides whose mentions can never match: numbers on one, spans on the other."""
    categories = _category(key), _category(response)
    for side, category, other in (("key", *categories), ("response", *reversed(categories))):
        if (category, other) == ("numbers", "spans"):
            raise InputError(f"the mentions of the {side} are numbers, those of the other side spans", hint=NESTED)


def _category(clusters: Iterable[Any]) -> str:
    """Category of all mentions: ``numbers``, ``spans``, or an empty string for all others."""
    types = {*map(type, chain.from_iterable(clusters))}
    if types and all(issubclass(each, Integral) for each in types):
        return "numbers"
    return "spans" if types == {tuple} else ""


def with_values(clusters: list[Cluster], side: str) -> list[Cluster]:
    """The clusters of one side with mentions that compare by value; InputError if some do not."""
    return [[with_value(mention, place) for mention in cluster] for place, cluster in _placed(clusters, side)]


def with_value(mention: Any, place: str) -> Any:
    """The mention as a value that can be looked up; ``place`` is for the error if there is none.

    Lists ``[start, end]`` become tuples, arrays and tensors integers and tuples. All else stays as it is.

    >>> with_value([0, 1], "cluster 0 of the key"), with_value(("d", frozenset("a")), "cluster 0 of the key")
    ((0, 1), ('d', frozenset({'a'})))
    """
    if are_plain((mention,)):
        return mention
    if isinstance(mention, list):
        return _span(mention, place, mention)
    if _is_hashed_as(mention, tuple) or _is_hashed_as(mention, frozenset):
        parts = [with_value(part, place) for part in mention]
        same = all(part is given for part, given in zip(parts, mention, strict=True))
        return mention if same else frozenset(parts) if isinstance(mention, frozenset) else tuple(parts)
    name = type(mention).__name__
    if isinstance(mention, Number) and mention != mention:
        raise InputError(f"{place}: a mention is {mention}, which equals nothing, not even itself", hint=MENTIONS)
    try:
        reason = f"mentions of type {name} are compared by identity" if _compares_by_identity(mention) else ""
        hint = f"use tuples such as (start, end), or give {name} __eq__ and __hash__: a frozen dataclass has both"
    except TypeError as error:  # not hashable
        reason, hint = f"a mention cannot be used: {error}", MENTIONS
    if reason:
        numbers = _numbers_of(mention, place)
        if numbers is None:
            raise InputError(f"{place}: {reason}", hint=hint)
        return _span(numbers, place, mention) if isinstance(numbers, list) else _integer(numbers, place, mention)
    for part in _hashed_fields(mention):
        if with_value(part, place) is not part:
            raise InputError(f"{place}: a mention cannot be used: {name} holds {_shown(part)}", hint=ARRAYS)
    return mention


def _is_hashed_as(mention: object, base: Any) -> bool:
    return type(mention).__hash__ is base.__hash__


def _compares_by_identity(mention: object) -> bool:
    """Whether an object equals nothing but itself, as objects do by default; TypeError if it is not hashable."""
    if isinstance(mention, SINGLE_OBJECTS):
        return False
    equality: object = type(mention).__eq__
    return hash(mention) in (id(mention), object.__hash__(mention)) or equality is object.__eq__


def _numbers_of(mention: object, place: str) -> object:
    """The content of an array or a tensor of any library, as numbers and lists; None if it is neither."""
    try:
        if hasattr(mention, "tolist"):
            return mention.tolist()
        if hasattr(mention, "__array__"):
            return mention.__array__().tolist()
        return mention.item() if hasattr(mention, "item") else None
    except (TypeError, ValueError, RuntimeError) as error:  # a sparse tensor, or one without data
        raise InputError(f"{place}: a mention cannot be used: {_shown(mention)}: {error}", hint=ARRAYS) from None


def _span(parts: list[object], place: str, mention: object) -> object:
    """``(start, end)``, if these are two integers."""
    if len(parts) == 2 and not any(isinstance(part, list) for part in parts):
        start, end = (with_value(part, place) for part in parts)
        if _is_integer(start) and _is_integer(end):
            return start, end
    hint = NESTED if isinstance(mention, list) else ARRAYS
    raise InputError(f"{place}: a mention cannot be used: {_shown(mention)}, but not [start, end]", hint=hint)


def _integer(number: object, place: str, mention: object) -> object:
    if _is_integer(number) or isinstance(number, (str, bytes)):
        return number
    raise InputError(f"{place}: a mention cannot be used: {_shown(mention)}, but no integer", hint=ARRAYS)


def _is_integer(number: object) -> bool:
    return isinstance(number, Integral) and not isinstance(number, bool)


def _shown(mention: object) -> str:
    name = type(mention).__name__
    return f"{' '.join(repr(mention).split()):.60} is a{'n' if name[:1] in 'aeiouAEIOU' else ''} {name}"


def _hashed_fields(mention: Any) -> tuple[object, ...]:
    """The values that a frozen dataclass is hashed by; none if it is hashed in a way of its own."""
    if not hasattr(type(mention), "__dataclass_fields__"):
        return ()
    from dataclasses import fields  # loaded already: there is one

    hashed = [field for field in fields(mention) if (field.compare if field.hash is None else field.hash)]
    values = tuple([getattr(mention, field.name) for field in hashed])
    return values if hash(values) == hash(mention) else ()
