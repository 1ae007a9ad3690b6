"""``Result``: the base of all results, with notebook display, data frames and flat figures for loggers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from .choices import FrameLibrary
from .naming import cut
from .numbers import AnyScore, headline
from .registry import HOOKS

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
        return HOOKS["data_frame"](self, per_document, library)

    def to_flat_dict(self, prefix: str = "") -> dict[str, float]:
        """Figures by names such as ``muc/f1``, for loggers such as Weights & Biases and MLflow.

        Names begin with the ``prefix``, if there is one. What there is not is left out. What loggers refuse in a name
        becomes ``_``.
        """
        flat: dict[str, float] = HOOKS["flat_figures"](self._flat_records(), self.NAMES, prefix)
        return flat

    @property
    def columns(self) -> Sequence[str]:
        """The fields of records, for a data frame of none."""
        return ()

    def _flat_records(self) -> list[Plain]:
        """The records whose numbers go to loggers."""
        return self.to_records()


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
