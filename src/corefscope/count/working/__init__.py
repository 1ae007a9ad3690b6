"""How metrics are worked out by hand on one document: ``Metric.working`` names a function of one of these modules.

It takes what its metric reads, with names on everything: :class:`~.cuts.Cuts` for ``reads="table"``,
:class:`~.sets.Sets` for ``"partition"``, the alignment for ``"alignment"``. It returns a list of
:class:`~.sections.Section`, tables whose terms add up to the counts of the metric, exactly. The modules are imported
when something is explained.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from ..metrics.base import Metric
from .sections import Section


def named(name: str) -> Callable[[Any], Any]:
    """The function that a name such as ``entities.muc`` stands for."""
    module, _, function = name.partition(".")
    found: Callable[[Any], Any] = getattr(import_module(f".{module}", __package__), function)
    return found


def working_of(metric: Metric) -> Callable[[Any], Sequence[Section]] | None:
    """The function that works a metric out; None if it has none.

    A metric that does not name one, but adds over connected components, is worked out component by component.
    """
    if metric.explanation.working:
        return named(metric.explanation.working)
    if metric.engines.adds_over_components and metric.reads in ("table", "partition"):
        from .components import by_component

        return by_component(metric)
    return None
