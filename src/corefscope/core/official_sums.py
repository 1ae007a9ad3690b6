"""B³, LEA and CEAFe in the arithmetic of CorefUD scorer 1.2: the same sums, to the last bit.

Their terms are fractions, so sums of floats depend on the order of additions. That never shows, unless a figure is
between two that can be printed: 0.15625 is 15.62 or 15.63, as the last bit will have it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .matching.assignment import assign_all
from .metrics.blanc import pairs
from .numbers import Counts, in_order
from .table import Cells, Contingency

DENSE = 30_000_000  # cells; more do not fit into a matrix of the official program
BLOCK, LANES = 128, 8


def official_sums(table: Contingency) -> dict[str, Counts]:
    """The counts of the metrics whose sums have rounding errors, by name."""
    key, response = table.key_sizes, table.response_sizes
    recall, precision = (table.cells, key), (table.back, response)
    counts: dict[str, Counts] = {
        "bcub": (_b_cubed(*recall), sum(key), _b_cubed(*precision), sum(response)),
        "lea": (_lea(*recall), sum(key), _lea(*precision), sum(response)),
    }
    if len(key) * len(response) <= DENSE:
        similarity = _ceafe(table.shared, len(key), len(response))
        counts["ceafe"] = (similarity, len(key), similarity, len(response))
    return counts


def _b_cubed(cells: Cells, sizes: Sequence[int]) -> float:
    """Σ (Σ n²)/k over entities, in their order."""
    squares = [0] * len(sizes)
    for i, n in zip(cells.rows, cells.n, strict=True):
        squares[i] += n * n
    return in_order(square / size for square, size in zip(squares, sizes, strict=True))


def _lea(cells: Cells, sizes: Sequence[int]) -> float:
    """Σ k·Σ C2(n)/C2(k) over entities, in their order; a singleton is worth 1 if its counterpart is one."""
    links = [0] * len(sizes)
    for i, n, k, r in zip(cells.rows, cells.n, cells.k, cells.r, strict=True):
        links[i] += pairs(n) if k > 1 else r == 1
    return in_order(size * kept / (pairs(size) or 1) for kept, size in zip(links, sizes, strict=True))


def _ceafe(cells: Cells, rows: int, columns: int) -> float:
    """Σ 2n/(k + r) over the best assignment."""
    similarities = {(i, j): 2 * n / (k + r) for i, j, n, k, r in zip(*cells, strict=True)}
    return best_in_blocks(similarities, rows, columns)


def best_in_blocks(weights: Mapping[tuple[int, int], float], rows: int, columns: int) -> float:
    """The sum over the best one-to-one assignment, chosen as by SciPy and added up as by NumPy."""
    by_row: list[dict[int, float]] = [{} for _ in range(rows)]
    for (i, j), weight in weights.items():
        by_row[i][j] = weight
    return _in_blocks([by_row[i].get(j, 0.0) for i, j in assign_all(by_row, columns)])


def _in_blocks(values: Sequence[float]) -> float:
    """The sum in the order of NumPy: halves are added up by themselves, and in short ones every eighth number."""
    if len(values) > BLOCK:
        half = len(values) // 2
        half -= half % LANES
        return _in_blocks(values[:half]) + _in_blocks(values[half:])
    if len(values) < LANES:
        return in_order(values)
    even = len(values) - len(values) % LANES
    a, b, c, d, e, f, g, h = (in_order(values[lane:even:LANES]) for lane in range(LANES))
    return in_order([((a + b) + (c + d)) + ((e + f) + (g + h)), *values[even:]])
