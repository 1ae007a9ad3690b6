"""Which documents a resample consists of: one row of weights per resample, one column per document.

A draw is one 64-bit number of PCG64(seed), a stream that NumPy promises never to change. Resample b of D documents
takes the numbers b·D to b·D + D − 1 of the stream, whatever the metrics, the systems and the size of a chunk:

- bootstrap: the number x draws document (x >> 32) · D >> 32;
- randomisation: x swaps the document of its place if its highest bit is set.

``width`` is the number of columns of what else is held per resample.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

CELLS = 1_000_000
"""Of a matrix that is held at a time; a few such matrices of 8 bytes per cell are."""

Weights = NDArray[np.float64]


def bootstrap(seed: int, documents: int, resamples: int, width: int = 0) -> Iterator[Weights]:
    """How often each document is drawn, with replacement."""
    for numbers in _numbers(seed, documents, resamples, width):
        drawn = ((numbers >> np.uint64(32)) * np.uint64(documents) >> np.uint64(32)).astype(np.int64)
        drawn += np.arange(len(drawn))[:, None] * documents
        times = np.bincount(drawn.ravel(), minlength=drawn.size)
        yield times.reshape(drawn.shape).astype(np.float64)


def swaps(seed: int, documents: int, resamples: int, width: int = 0) -> Iterator[Weights]:
    """1 where the two systems change places in a document, 0 where they do not, with equal chance."""
    for numbers in _numbers(seed, documents, resamples, width):
        yield (numbers >> np.uint64(63)).astype(np.float64)


def all_swaps(documents: int, width: int = 0) -> Iterator[Weights]:
    """Every way of changing places, once."""
    for chunk in chunks(2**documents, max(documents, width)):
        yield (np.arange(chunk.start, chunk.stop)[:, None] >> np.arange(documents) & 1).astype(np.float64)


def chunks(resamples: int, width: int) -> Iterator[range]:
    """The numbers of the resamples, in chunks that fit with this many columns."""
    rows = max(CELLS // max(width, 1), 1)
    for start in range(0, resamples, rows):
        yield range(start, min(start + rows, resamples))


def _numbers(seed: int, documents: int, resamples: int, width: int) -> Iterator[NDArray[np.uint64]]:
    """The stream, in chunks of resamples × documents."""
    stream = np.random.PCG64(seed)
    for chunk in chunks(resamples, max(documents, width)):
        yield stream.random_raw(len(chunk) * documents).reshape(len(chunk), documents)
