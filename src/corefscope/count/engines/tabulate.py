"""From two tables in an engine to what metrics need: what is wrong with them, and stacks of documents."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any

from ..batch_assignment import KERNEL_LIMIT
from ..histogram import Stack
from .base import Engine, Scratch, Steps
from .counted import BATCH, Counted
from .facts import Facts
from .sides import DUPLICATES, Sides
from .statements import Labelled

__all__ = ["DUPLICATES", "Facts", "Labelled", "Tabulated", "tabulate"]

ENTITIES = 1_000_000
"""So many entities are brought home at a time, where all of them are written."""
ONE_DOCUMENT = "#1"
ALL_DOCUMENTS = "all documents"


class Tabulated:
    """What was found about one response, and its tables."""

    def __init__(self, response: str, facts: Facts, counted: Counted | None, limits: tuple[int, int, int]) -> None:
        self.response = response
        """The column of its entities."""
        self.facts = facts
        self._counted, self._limits = counted, limits

    def batches(self) -> Iterator[tuple[list[str], Stack]]:
        """The names of some documents, and their tables, in the order of names; not if what was found is fatal."""
        assert not self.facts.fatal, "nothing can be counted"
        return self._counted.batches(*self._limits) if self._counted else iter(())

    def pieces(self, side: str) -> Iterator[Sequence[Any]]:
        """What became of the entities of a side, some at a time, as columns: document, entity, size, pieces, …"""
        return self._counted.pieces(side, ENTITIES) if self._counted else iter(())


def tabulate(
    engine: Engine,
    key: Labelled,
    response: Labelled,
    *,
    documents: str = "apart",
    topic: Callable[[str], str] | None = None,
    singletons: str = "keep",
    duplicates: str = "error",
    local: int | None = None,
    batch: int = BATCH,
    kernel_limit: int = KERNEL_LIMIT,
    progress: Steps | None = None,
) -> Generator[Tabulated, None, None]:
    """What there is of each column of entities of the response, one after the other.

    The tables of one are there until the next is asked for. If key and response are columns of the same table, a row
    is a mention, and a side that has no entity there lacks it. Close the iterator if it is not used up. ``local`` is
    :attr:`Engine.local` unless it is given.
    """
    local = engine.local if local is None else local
    with Scratch(engine, progress) as scratch:
        sides = Sides(scratch, key, response, duplicates)
        sides.read(documents, topic)
        whole = ALL_DOCUMENTS if documents == "merge" else ONE_DOCUMENT
        for index, column in enumerate(response.entities):
            pairs = "" if sides.fatal else sides.pairs(index)
            counted = Counted(scratch, pairs, sides.shape, whole, singletons) if pairs else None
            yield Tabulated(column, sides.facts(index, counted), counted, (local, batch, kernel_limit))
            if not counted:
                return
            counted.drop()
