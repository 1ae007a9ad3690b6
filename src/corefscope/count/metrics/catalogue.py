"""The metrics by name: the module of a metric is imported when its row is asked for, a mean is made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module

from ...base.errors import OptionError
from .base import Metric
from .means import parts_written, written_mean


class Catalogue(MutableMapping[str, Metric]):
    """Metrics in the order in which reports show them.

    Only rows are listed and counted; ``mean(muc,lea)`` can be looked up all the same.
    """

    def __init__(self, modules: Mapping[str, tuple[str, ...]]) -> None:
        """``modules`` has the names of the metrics of each module."""
        self._rows: dict[str, Metric | str] = {name: module for module, names in modules.items() for name in names}

    def __getitem__(self, name: str) -> Metric:
        row = self._rows.get(name, "")
        if isinstance(row, Metric):
            return row
        if row:
            module = import_module(f".{row}", __package__)
            self._rows |= {metric.name: metric for metric in module.ROWS}
            return self[name]
        if parts_written(name) is None:
            raise KeyError(name)
        return written_mean(name, self)

    def __setitem__(self, name: str, row: Metric) -> None:
        self._rows[name] = row

    def __delitem__(self, name: str) -> None:
        del self._rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"<{len(self)} metrics: {', '.join(self)}>"

    def __contains__(self, name: object) -> bool:
        try:
            return name in self._rows or (isinstance(name, str) and bool(self[name]))
        except (KeyError, OptionError):
            return False
