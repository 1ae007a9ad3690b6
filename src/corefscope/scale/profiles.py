"""Size profiles of many documents, as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

Runs = tuple[Any, Any, Any]
"""Documents, sizes and numbers of entities, as arrays; a size may occur several times."""


def profiles_by_document(key: Runs, response: Runs) -> tuple[Any, tuple[Any, Any, Any, Any]]:
    """The bars of many documents, as arrays: the document of each, and its four numbers. Some bars are 0 wide."""
    ends = [_ends(*side) for side in (key, response)]
    documents, end = (np.concatenate([ends[0][at], ends[1][at]]) for at in (0, 1))
    in_key = np.arange(len(documents)) < len(ends[0][0])
    order = np.lexsort((end, documents))
    documents, end, in_key = documents[order], end[order], in_key[order]
    start = np.concatenate(([0], end[:-1])) * np.concatenate(([False], documents[1:] == documents[:-1]))
    # The entities that end at a bar or after it: of either side, the first run that has not ended before.
    sizes = [
        _size_at(documents, np.cumsum(ours) - ours, of_documents, of_sizes)
        for ours, (of_documents, _, of_sizes) in zip((in_key, ~in_key), ends, strict=True)
    ]
    return documents, (start, end - start, sizes[0], sizes[1])


def _ends(documents: Any, sizes: Any, entities: Any) -> Runs:
    """Documents, how many entities of a document are in this run or before it, and sizes: largest first."""
    order = np.lexsort((-sizes, documents))
    documents, ends = documents[order], np.cumsum(entities[order])
    first = np.searchsorted(documents, documents)
    return documents, ends - np.concatenate(([0], ends))[first], sizes[order]


def _size_at(documents: Any, run: Any, of_documents: Any, of_sizes: Any) -> Any:
    """The size of a run, and 0 if it belongs to another document: then this side has no more entities here."""
    of_documents, of_sizes = np.append(of_documents, -1), np.append(of_sizes, 0)
    return np.where(of_documents[run] == documents, of_sizes[run], 0)
