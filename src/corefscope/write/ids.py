"""Entity ids that a format takes: the old ones where it can be, numbers otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterable
from operator import ne

from ..base.document import Document
from .losses import Losses

NUMBER = re.compile(r"e?(0|[1-9][0-9]{0,17})")
USABLE = re.compile(r"[^\s()\[\]|=<>,:\-]+")
"""What may be an id in CorefUD: neither what brackets nor what Bridge and SplitAnte are made of."""


def ids_of(document: Document) -> tuple[str, ...]:
    """The ids of the entities of a document; numbers if it has none."""
    return document.entity_ids or tuple(str(number) for number in range(len(document.entities)))


def distinct(document: Document, losses: Losses) -> list[str]:
    """Any text, but each once in a document."""
    taken: set[str] = set()
    old = ids_of(document)
    new = [free_name(id_, taken, ".") for id_ in old]
    losses.add("ids", sum(map(ne, old, new)))
    return new


def free_name(name: str, taken: set[str], separator: str) -> str:
    """The name, with the next free number if it is taken; from now on the result is taken, too."""
    new, number = name, 1
    while new in taken:
        number += 1
        new = f"{name}{separator}{number}"
    taken.add(new)
    return new


def numbers(document: Document, losses: Losses) -> list[str]:
    """Numbers, as CoNLL-2012 has them: 12 for ``12`` and ``e12``, the next free one for other ids."""
    return _filled([_number(id_) for id_ in ids_of(document)], set(), "", losses)


def unique(document: Document, taken: set[str], losses: Losses, usable: re.Pattern[str] = USABLE) -> list[str]:
    """Ids as CorefUD has them, ``e12`` for ``12``, none of which an earlier document has.

    ``usable`` is what an id may be in the format; the next free number replaces any other.
    """
    proposed = []
    for id_ in ids_of(document):
        number = _number(id_)
        proposed.append(f"e{number}" if number else id_ if usable.fullmatch(id_) else "")
    return _filled(proposed, taken, "e", losses)


def _number(id_: str) -> str:
    match = NUMBER.fullmatch(id_)
    return match[1] if match else ""


def _filled(proposed: Iterable[str], taken: set[str], prefix: str, losses: Losses) -> list[str]:
    """The proposed ids that are free; the next free number for those that are empty or taken."""
    ids = []
    for id_ in proposed:
        ids.append(id_ if id_ not in taken else "")
        if id_:
            taken.add(id_)
    number = len(taken)
    for index, id_ in enumerate(ids):
        if not id_:
            while f"{prefix}{number}" in taken:
                number += 1
            ids[index] = f"{prefix}{number}"
            taken.add(ids[index])
            losses.add("ids")
    return ids
