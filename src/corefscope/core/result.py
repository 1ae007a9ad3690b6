"""``Result``: the base of all results, with notebook display, data frames and flat figures for loggers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .choices import FrameLibrary
from .errors import CorefscopeError, OptionError
from .naming import cut
from .numbers import AnyScore, headline
from .registry import HOOKS

if TYPE_CHECKING:
    from typing import ClassVar


FRAMES = ("pandas", "polars")
"""Libraries of data frames, by preference; both make one of a dictionary of columns."""
REFUSED = r"[^\w.\- ]|^\.+"
"""What the names of metrics may not hold: MLflow takes the least, Weights & Biases takes all of that."""
LONGEST = 80
"""Characters of each part of a name: MLflow takes 250 in all."""
Plain = dict[str, Any]
"""Plain values by name, as in JSON."""


def figures(scores: Mapping[str, AnyScore]) -> str:
    """The one figure of each metric that people look at."""
    return ", ".join(f"{name}={headline(score):.4f}" for name, score in scores.items())


class Result:
    """A result of any kind: it has records, a signature, and a layout in ``output/results``."""

    __slots__ = ()

    NAMES: ClassVar[tuple[str, ...]] = ("metric",)
    """The fields of records that tell one from the others; what else is a number is a figure."""

    if TYPE_CHECKING:

        @property
        def signature(self) -> str:
            """What to quote beside the figures."""

        @property
        def summary(self) -> str:
            """The result in a line."""

        def to_records(self, per_document: bool = False) -> list[Plain]:
            """Flat records."""

    def __repr__(self) -> str:
        shown = HOOKS["escape_text"]
        return f"<{type(self).__name__} {cut(shown(self.summary), 240)} ({cut(shown(self.signature), 240)})>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the tables that every format has; of long ones, how they begin."""
        return str(HOOKS["notebook_html"](self))

    def to_frame(self, per_document: bool = False, *, library: FrameLibrary | None = None) -> Any:
        """The records as a data frame, of pandas if it is installed, else of polars, unless a ``library`` is named.

        With ``per_document`` also those of documents.
        """
        if library not in (None, *FRAMES):
            raise OptionError.unknown("library of data frames", [str(library)], FRAMES)
        records = self.to_records(per_document)
        names = list(dict.fromkeys(name for record in records for name in record)) or getattr(self, "columns", [])
        columns = {name: [record.get(name) for record in records] for name in names}
        frames = _first_installed([library] if library else FRAMES)
        # What is a whole number in one record may not be one in the next; only polars minds.
        return frames.DataFrame(columns, **({"strict": False} if frames.__name__ == "polars" else {}))

    def to_flat_dict(self, prefix: str = "") -> dict[str, float]:
        """Figures by names such as ``muc/f1``, for loggers such as Weights & Biases and MLflow.

        Names begin with the ``prefix``, if there is one. What there is not is left out. What loggers refuse in a name
        becomes ``_``.
        """
        flat: dict[str, float] = {}
        for record in self._flat_records():
            names = [str(record[name]) for name in self.NAMES if record[name] not in (None, "")]
            parts = [*filter(None, [prefix]), *(re.sub(REFUSED, "_", name)[:LONGEST] for name in names)]
            for figure, value in record.items():
                if isinstance(value, int | float) and figure not in self.NAMES:
                    place = "/".join([*parts, figure])
                    while place in flat:  # of names that differ only in what loggers refuse
                        place += "_"
                    flat[place] = value
        return flat

    def _flat_records(self) -> list[Plain]:
        """The records whose numbers go to loggers."""
        return self.to_records()


def _first_installed(names: Sequence[str]) -> Any:
    from importlib.util import find_spec

    for name in names:
        if find_spec(name):
            return import_module(name)
    raise CorefscopeError(f"a data frame needs {' or '.join(names)}\n  hint: pip install {names[0]}")


def how_many_numbers(values: object) -> int:
    """How many numbers a result holds. It is saved with the result, to tell whether something was removed from it.

    >>> how_many_numbers({"muc": {"recall": 0.5, "counts": [1, 2]}, "title": "x"})
    3
    """
    if isinstance(values, dict | list | tuple):
        return sum(map(how_many_numbers, values.values() if isinstance(values, dict) else values))
    return isinstance(values, int | float) and abs(values) < float("inf")  # which JSON does not have


def not_known(names: Iterable[str]) -> str:
    """The warning about scores that are known by two bounds only."""
    return (
        f"{', '.join(names)}: too many entities overlap each other to find the best map between them, so that only a"
        " range is certain, from the score to at_most; --metrics muc,bcub,lea does without"
    )
