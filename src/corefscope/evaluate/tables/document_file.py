"""The scores of each document, written while they are counted: a row for each document, a column for each figure."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...count.arrays import score_arrays
from ...count.metrics import METRICS, counted
from ...read.source import path_name
from ...write.table import TableFile
from ..options import Options
from ..rules import RULES
from .rows import Columns

if TYPE_CHECKING:
    from ...count.engines.statements import Labelled


class DocumentFile:
    """A table of scores, ``muc_recall`` and so on; empty where a document has nothing to count.

    With several responses, the first column says which one it is.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        options: Options,
        metrics: Sequence[str],
        response: Labelled,
        *,
        spreadsheet: bool = False,
    ) -> None:
        self._names = metrics
        self._counted = [metric.name for metric in counted(metrics)]
        self._conventions = RULES[options.rules].conventions
        self._several = len(response.entities) > 1
        named = ["response"] if self._several else []
        figures = {
            name: str if figure.dtype.kind in "UO" else float for name, figure in self._figures(self._nothing())
        }
        columns = {**dict.fromkeys([*named, "document"], str), **figures}
        self._file = TableFile(path_name(path), columns, spreadsheet=spreadsheet)

    def __enter__(self) -> DocumentFile:
        self._file.__enter__()
        return self

    def __exit__(self, *raised: Any) -> None:
        self._file.__exit__(*raised)

    def add(self, response: str, documents: Sequence[str], columns: Columns) -> None:
        """Write the scores of a batch of documents."""
        first = [[response] * len(documents)] if self._several else []
        self._file.add([*first, documents, *[figure for _, figure in self._figures(columns)]])

    def _nothing(self) -> Columns:
        """The counts of a document without anything."""
        import numpy as np

        return [[np.zeros(1, dtype=np.int64) for _ in METRICS[name].fields] for name in self._counted]

    def _figures(self, columns: Columns) -> Iterator[tuple[str, Any]]:
        """Names and values of all figures."""
        import numpy as np

        counts = dict(zip(self._counted, columns, strict=True))
        empty = {name: ~np.any([array != 0 for array in arrays], axis=0) for name, arrays in counts.items()}
        for name, score in score_arrays(self._names, counts, self._conventions).items():
            nothing = np.all([empty[part.name] for part in counted([name])], axis=0)
            for figure, values in score._asdict().items():
                array = np.asarray(values)
                unknown = "" if array.dtype.kind in "UO" else np.nan
                yield f"{name}_{figure}", np.where(nothing, unknown, array)
