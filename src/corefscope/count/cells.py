"""The cells of a contingency table that are not 0, and how an assignment can choose among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Parted(NamedTuple):
    """Cells by how an assignment can choose among them; cells are named by their number."""

    alone: list[int]
    """The only cell of its row and of its column: always taken."""
    stars: list[list[int]]
    """Cells of one row that are alone in their columns, or the reverse: one of them is taken."""
    bows: list[tuple[int, list[int], list[int]]]
    """A cell with the others of its row and the others of its column, which are alone otherwise: the cell is taken,
    or one of each."""
    tangled: list[int]
    """All others."""


class Cells:
    """The cells of a table that are not 0, as parallel columns, seen from one side."""

    __slots__ = ("_parted", "columns", "k", "n", "r", "rows", "total")

    def __init__(
        self,
        rows: Sequence[int],
        columns: Sequence[int],
        n: Sequence[int],
        k: Sequence[int],
        r: Sequence[int],
    ) -> None:
        self.rows, self.columns, self.n, self.k, self.r = rows, columns, n, k, r
        self.total: int = sum(n)
        self._parted: Parted | None = None

    @classmethod
    def count(cls, pairs: dict[tuple[int, int], int], sizes: Sequence[int], other_sizes: Sequence[int]) -> Cells:
        """From the number of mentions of each (entity, other entity)."""
        rows = [i for i, _ in pairs]
        columns = [j for _, j in pairs]
        return cls(rows, columns, list(pairs.values()), [sizes[i] for i in rows], [other_sizes[j] for j in columns])

    @property
    def T(self) -> Cells:  # noqa: N802  (as in NumPy)
        """The same cells seen from the other side."""
        return Cells(self.columns, self.rows, self.n, self.r, self.k)

    def parted(self) -> Parted:
        """The cells in the groups in which an assignment can choose."""
        if self._parted is None:
            rows, columns = self.rows, self.columns
            alone: list[int] = []
            stars: dict[int, list[int]] = {}
            knots: list[int] = []
            crowded_rows, crowded_columns = _repeated(rows), _repeated(columns)
            for at, (i, j) in enumerate(zip(rows, columns, strict=True)):
                if i in crowded_rows:
                    (knots if j in crowded_columns else stars.setdefault(i, [])).append(at)
                elif j in crowded_columns:
                    stars.setdefault(~j, []).append(at)
                else:
                    alone.append(at)
            bows: list[tuple[int, list[int], list[int]]] = []
            tangled: list[int] = []
            if knots:
                knotted_rows = _repeated([rows[at] for at in knots])
                knotted_columns = _repeated([columns[at] for at in knots])
                for at in knots:
                    i, j = rows[at], columns[at]
                    if i in knotted_rows or j in knotted_columns:
                        tangled += [at, *stars.pop(i, ()), *stars.pop(~j, ())]
                    else:
                        bows.append((at, stars.pop(i), stars.pop(~j)))
            self._parted = Parted(alone, list(stars.values()), bows, tangled)
        return self._parted


def _repeated(names: Sequence[int]) -> set[int]:
    """The names that occur more than once."""
    seen: set[int] = set()
    found: set[int] = set()
    for name in names:
        (found if name in seen else seen).add(name)
    return found
