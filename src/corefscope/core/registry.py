"""Registries: named rows (metrics, formats, rule sets, commands, layouts) that capabilities and plug-ins add to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from functools import cached_property
from importlib import import_module
from typing import Any, Generic, TypeVar

Row = TypeVar("Row")


def load(path: str) -> Any:
    """The object that ``module:ATTRIBUTE`` names; the module is imported for it."""
    module, _, attribute = path.partition(":")
    return getattr(import_module(module), attribute)


class Registry(MutableMapping[str, Row], Generic[Row]):
    """Rows by name, in the order in which they are listed.

    Rows are given as they are, or as ``module:ATTRIBUTE``, which is loaded when the row is needed. An attribute that
    is a dictionary holds rows by name.

    With an ``entry_points`` group, installed packages add rows: an entry point has the name of its row and points to
    the row itself. They are looked up only if a name is not built in, or if all names are listed: this reads the
    metadata of every installed package. A built-in name always means the built-in row.
    """

    def __init__(
        self, rows: Mapping[str, Row] | None = None, *, lazy: Mapping[str, str] | None = None, entry_points: str = ""
    ) -> None:
        self._loaded: dict[str, Row] = dict(rows or {})
        self._paths: dict[str, str] = dict(lazy or {})
        self._group, self._source = entry_points, ""
        self._built_in: tuple[str, ...] = (*self._loaded, *self._paths)

    @property
    def built_in(self) -> tuple[str, ...]:
        """The names of the rows of this package, known without a look at other packages."""
        self._load_source()
        return self._built_in

    def load_rows_from(self, path: str) -> None:
        """Name a dictionary of built-in rows, ``module:ATTRIBUTE``; it is loaded when rows or names are needed."""
        self._source = path

    def _load_source(self) -> None:
        path, self._source = self._source, ""
        if path:
            rows: dict[str, Row] = load(path)
            self._loaded, self._built_in = {**rows, **self._loaded}, (*rows, *self._built_in)

    def add_built_in(self, lazy: Mapping[str, str]) -> None:
        """Add rows of this package that are loaded when they are needed, as ``module:ATTRIBUTE``."""
        self._paths |= lazy
        self._built_in = (*self._built_in, *lazy)
        self.__dict__.pop("_names", None)

    @cached_property
    def _names(self) -> dict[str, None]:
        """All names in order; those of other packages come last."""
        self._load_source()
        if self._group:
            from importlib.metadata import entry_points  # 10 ms

            found = {entry.name: entry.value for entry in entry_points(group=self._group)}
            self._paths = found | self._paths
            return dict.fromkeys([*self._built_in, *found, *self._loaded])
        return dict.fromkeys([*self._built_in, *self._loaded])

    def __getitem__(self, name: str) -> Row:
        if name in self._loaded:
            return self._loaded[name]
        if name not in self:
            raise KeyError(name)
        if name in self._loaded:  # with the others of its dictionary
            return self._loaded[name]
        loaded = load(self._paths[name])
        row: Row = loaded[name] if isinstance(loaded, dict) else loaded
        self._loaded[name] = row
        return row

    def __setitem__(self, name: str, row: Row) -> None:
        self._loaded[name] = row
        self._names[name] = None

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise KeyError(name)
        self._loaded.pop(name, None)
        self._paths.pop(name, None)
        del self._names[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        if name in self._loaded or name in self._paths:
            return True
        self._load_source()
        return name in self._loaded or name in self._names

    def __repr__(self) -> str:
        return f"<{len(self)} rows: {', '.join(self)}>"


HOOKS: Registry[Callable[..., Any]] = Registry()
"""Functions that capabilities provide to core, by name (see ``corefscope/capabilities.py``)."""
