"""Explanations of metrics on one document: tables whose terms add up to the counts of the metric, exactly.

``Metric.explanation.working`` names a function of one of these modules, as ``module.function`` or
``module.function:argument``. Its last argument is the input of the metric with names:
:class:`~.pieces.EntityPieces` for ``reads="table"``, :class:`~.pieces.Partitions` for ``"partition"``, the alignment
for ``"alignment"``, judged relations for ``"relations"``. It returns a list of :class:`~.sections.Section`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from ...core.metrics.base import Metric
from .generic import by_component, whole_document
from .sections import Section


def named_function(name: str) -> Callable[[Any], Any]:
    """The function with a name such as ``entities.muc`` or ``mentions.by_links:full``."""
    place, _, argument = name.partition(":")
    module, _, function_name = place.partition(".")
    function: Callable[..., Any] = getattr(import_module(f".{module}", __package__), function_name)
    return partial(function, argument) if argument else function


def explanation_of(metric: Metric) -> Callable[[Any], Sequence[Section]] | None:
    """The function that explains a metric; None if there is none.

    A metric of the table that names none is explained by its counts: of each connected component if they add up.
    """
    if metric.explanation.working:
        return named_function(metric.explanation.working)
    if metric.reads in ("table", "partition"):
        return partial(by_component if metric.engines.adds_over_components else whole_document, metric)
    return None
