"""Named tuples and typed dictionaries whose annotations are for type checkers only.

``typing`` compiles the annotation of every field when it makes such a class. A command makes dozens of them before
it does anything: that took longer than to score a small file. To type checkers these are those of ``typing``.
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any

__all__ = ["Arguments", "Record"]

if TYPE_CHECKING:
    from typing import NamedTuple as Record
    from typing import TypedDict as Arguments
else:

    class _Making(type):
        """Makes of the body of a class a named tuple with the same methods."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = list(body.get("__annotations__", ()))
            defaults = [body.pop(field) for field in fields if field in body]
            fields_only = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            return type(name, (fields_only,), {"__slots__": (), **body})

    class Record(metaclass=_Making):
        """A named tuple, written like a ``NamedTuple``."""

    class Arguments(dict):
        """Keyword arguments by name, written like a ``TypedDict``."""

        def __init_subclass__(cls, *, total: bool = True) -> None:
            """With the names of the classes it extends; whether all must be there is the type checker's affair."""
            named = [vars(base).get("__annotations__", {}) for base in (*cls.__bases__, cls)]
            cls.__annotations__ = {name: kind for names in named for name, kind in names.items()}
