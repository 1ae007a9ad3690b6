"""Maximum-weight assignment: pairs of rows and columns, one-to-one, with the largest sum of non-negative weights.

``sparse``
    Which pairs, with SciPy's choice among ties, in plain Python (:func:`assign`).
``total``
    How much in total: certain cells first, then one connected component after the other (:func:`best_total`).

What is worth an import of NumPy and SciPy is in ``scale``: crowded matrices (``dense_assignment``, by the hook
``assign_matrix``) and large connected components (``large_assignment``, by the hook ``assign_large``).
"""

from .sparse import Row as Row
from .sparse import assign as assign
from .sparse import assign_all as assign_all
from .sparse import assign_component as assign_component
from .sparse import tight_edges as tight_edges
from .total import CellGroups as CellGroups
from .total import best_total as best_total
from .total import find_repeated as find_repeated
from .total import group_cells as group_cells
from .total import is_certain as is_certain
