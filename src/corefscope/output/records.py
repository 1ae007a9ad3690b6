"""Records of results in other shapes: data frames, and flat figures for loggers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ..core.errors import CorefscopeError, OptionError
from ..core.result import Result

FRAMES = ("pandas", "polars")
"""Libraries of data frames, by preference; both make one of a dictionary of columns."""
REFUSED = r"[^\w.\- ]|^\.+"
"""What the names of metrics may not hold: MLflow takes the least, Weights & Biases takes all of that."""
LONGEST = 80
"""Characters of each part of a name: MLflow takes 250 in all."""


def data_frame(result: Result, per_document: bool, library: str | None) -> Any:
    """The records of a result as a data frame of a library, or else of the first that is installed."""
    if library not in (None, *FRAMES):
        raise OptionError.unknown("library of data frames", [str(library)], FRAMES)
    records = result.to_records(per_document)
    names = list(dict.fromkeys(name for record in records for name in record)) or result.columns
    columns = {name: [record.get(name) for record in records] for name in names}
    frames = _first_installed([library] if library else FRAMES)
    # What is a whole number in one record may not be one in the next; only polars minds.
    return frames.DataFrame(columns, **({"strict": False} if frames.__name__ == "polars" else {}))


def _first_installed(names: Sequence[str]) -> Any:
    for name in names:
        if find_spec(name):
            return import_module(name)
    raise CorefscopeError(f"a data frame needs {' or '.join(names)}\n  hint: pip install {names[0]}")


def flat_figures(records: Iterable[Mapping[str, Any]], fields: Sequence[str], prefix: str) -> dict[str, float]:
    """The figures of records by names such as ``muc/f1``; ``fields`` tell one record from the others."""
    flat: dict[str, float] = {}
    for record in records:
        names = [str(record[name]) for name in fields if record[name] not in (None, "")]
        parts = [*filter(None, [prefix]), *(re.sub(REFUSED, "_", name)[:LONGEST] for name in names)]
        for figure, value in record.items():
            if isinstance(value, int | float) and figure not in fields:
                place = "/".join([*parts, figure])
                while place in flat:  # of names that differ only in what loggers refuse
                    place += "_"
                flat[place] = value
    return flat
