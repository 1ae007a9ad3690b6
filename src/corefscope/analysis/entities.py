"""Table of entities: how the other side splits each entity of the key and of the response."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple, Unpack

from ..core.document import Document
from ..core.errors import Warnings
from ..core.naming import check_values
from ..core.options import Options
from ..core.pipeline import Scoring
from ..core.report import Report, Tally
from ..core.request import Path, Progress, Request, RequestArguments
from ..core.table import Table, tabulate_partition
from ..formats.files import open_files, run
from ..formats.tables.rows import entity_names


class Pieces(NamedTuple):
    """An entity of k mentions, seen from the other side. It is right if (pieces, missing, foreign) are (1, 0, 0)."""

    size: int
    """k: its mentions."""
    pieces: int
    """Entities of the other side that have mentions of it."""
    largest: int
    """max n: the most of its mentions that one of them has; 0 if there is none."""
    missing: int
    """k − Σ n: its mentions that the other side lacks."""
    foreign: int
    """Σ (r − n): mentions in those entities that are not of it."""


def pieces_of_cells(sizes: Sequence[int], cells: Iterable[tuple[int, int, int]]) -> list[Pieces]:
    """Of entities of these sizes, from the cells (entity, n, r), in the order of the sizes.

    >>> for one in pieces_of_cells([3, 1], [(0, 2, 2), (0, 1, 4)]):
    ...     print(one)
    Pieces(size=3, pieces=2, largest=2, missing=0, foreign=3)
    Pieces(size=1, pieces=0, largest=0, missing=1, foreign=0)
    """
    pieces, largest, common, foreign = ([0] * len(sizes) for _ in range(4))
    for i, n, r in cells:
        pieces[i] += 1
        largest[i] = max(largest[i], n)
        common[i] += n
        foreign[i] += r - n
    missing = [size - shared for size, shared in zip(sizes, common, strict=True)]
    return list(map(Pieces, sizes, pieces, largest, missing, foreign))


def pieces_of_key(table: Table) -> list[Pieces]:
    """Of the key entities of a table, in its order; those of the response are those of the transposed table."""
    sizes, others = ([size for size, _ in side.each_entity()] for side in (table, table.T))
    return pieces_of_cells(sizes, ((i, n, others[j]) for i, j, n in table.each_cell()))


class EntityRow(NamedTuple):
    """One entity: the fields after its name are those of :class:`Pieces`."""

    document: str
    entity: str
    size: int
    pieces: int
    largest: int
    missing: int
    foreign: int


COLUMNS: dict[str, type] = {"document": str, "entity": str, **dict.fromkeys(Pieces._fields, int)}
"""The columns of a table of entities, in order, with their types."""


class EntityReport(NamedTuple):
    """Scores, and a row for each entity that was scored."""

    report: Report
    key: Sequence[EntityRow]
    """The entities of the key, in the order of documents, and how the response splits them."""
    response: Sequence[EntityRow]
    """The entities of the response, and how the key splits them."""

    def __repr__(self) -> str:
        sizes = f"{len(self.key):,} key and {len(self.response):,} response entities"
        return f"<EntityReport of {sizes}: {self.report!r}>"


def score_entities(
    key: Path,
    response: Path,
    *,
    jobs: int | None = 1,
    progress: Progress | None = None,
    compare_rules: bool = False,
    **arguments: Unpack[RequestArguments],
) -> EntityReport:
    """Score a response against a key, with a row for each entity: its size, pieces and missing mentions.

    The arguments are those of :func:`~corefscope.score`. ``pandas.DataFrame(score_entities(key, response).key)`` is a
    table of the key's entities. Each mention counts in one entity only, as for measures on partitions.
    """
    check_values({"compare_rules": compare_rules})
    opened = open_files(Request(arguments, optional=True), key, [response], progress, jobs)
    scoring = EntityScoring(opened.request.options, opened.request.metrics, compare_rules=compare_rules)
    ((report,),) = run(opened, [[scoring]])
    return EntityReport(report, *scoring.entities)


class EntityScoring(Scoring):
    """A scoring that also keeps a row for each entity."""

    def __init__(self, options: Options, metrics: str | Sequence[str], *, compare_rules: bool = False) -> None:
        super().__init__(options, metrics, compare_rules=compare_rules)
        self.entities: tuple[list[EntityRow], list[EntityRow]] = [], []
        """Of the key, and of the response."""
        if not options.baseline:
            self.another: Callable[[], Scoring] | None = partial(
                EntityScoring, options, metrics, compare_rules=compare_rules
            )

    def process(self, key: Document, response: Document, warnings: Warnings | None) -> None:
        """Score one document, and add the rows of its entities."""
        table: Table | None = self.score_ids(key, response)
        if table is None:
            alignment, _ = self.score(key, response, warnings)
            table = tabulate_partition(alignment)
            names = []
            for aligned in (alignment.key, alignment.response):  # owners in the order of ``tabulate_partition``
                assert aligned.document is not None
                names.append([aligned.document.entity_ids[i] for i in dict.fromkeys(aligned.owner)])
        else:
            names = [entity_names(document, self.options.min_entity_size) for document in (key, response)]
        for rows, of_side, side in zip(self.entities, names, (table, table.T), strict=True):
            named = zip(of_side, pieces_of_key(side), strict=True)
            rows += [EntityRow(key.id, name, *pieces) for name, pieces in named]

    def merge(self, other: Tally) -> None:
        """Add the later documents of another scoring."""
        super().merge(other)
        assert isinstance(other, EntityScoring)
        for rows, further in zip(self.entities, other.entities, strict=True):
            rows += further
