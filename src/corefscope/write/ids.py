"""Entity ids that a format takes: the old ones where it can be, numbers otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterable

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
    found = []
    for id_ in ids_of(document):
        new, again = id_, 1
        while new in taken:
            again += 1
            new = f"{id_}.{again}"
        losses.add("ids", int(new != id_))
        taken.add(new)
        found.append(new)
    return found


def numbers(document: Document, losses: Losses) -> list[str]:
    """Numbers, as CoNLL-2012 has them: 12 for ``12`` and ``e12``, the next free one for other ids."""
    return _filled([_number(id_) for id_ in ids_of(document)], set(), "", losses)


def unique(document: Document, taken: set[str], losses: Losses) -> list[str]:
    """Ids as CorefUD has them, ``e12`` for ``12``, none of which an earlier document has."""
    wanted = []
    for id_ in ids_of(document):
        number = _number(id_)
        wanted.append(f"e{number}" if number else id_ if USABLE.fullmatch(id_) else "")
    return _filled(wanted, taken, "e", losses)


def _number(id_: str) -> str:
    found = NUMBER.fullmatch(id_)
    return found[1] if found else ""


def _filled(wanted: Iterable[str], taken: set[str], prefix: str, losses: Losses) -> list[str]:
    """The wanted ids that are free, and the next free number where none is wanted or it is not free."""
    found = []
    for id_ in wanted:
        found.append(id_ if id_ not in taken else "")
        if id_:
            taken.add(id_)
    number = len(taken)
    for at, id_ in enumerate(found):
        if not id_:
            while f"{prefix}{number}" in taken:
                number += 1
            found[at] = f"{prefix}{number}"
            taken.add(found[at])
            losses.add("ids")
    return found
