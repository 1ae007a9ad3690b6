"""Named tuples and typed dictionaries whose annotations are for type checkers only.

``typing`` compiles the annotation of every field when it makes such a class, and ``collections`` a constructor. A
command makes dozens of these classes before it does anything, and few of them have instances: that took longer than
to score a small file. Here a class gets its constructor with its first instance, compiled once for all classes of as
many fields. To type checkers these are those of ``typing``.
"""

from __future__ import annotations

from collections import _tuplegetter  # type: ignore[attr-defined]  # what named tuples read their fields with
from functools import cache
from types import FunctionType

from .annotations import TYPE_CHECKING, Any

__all__ = ["Arguments", "Record"]

if TYPE_CHECKING:
    from typing import NamedTuple as Record
    from typing import TypedDict as Arguments
else:

    @cache
    def _constructor(size: int) -> FunctionType:
        """That of records of so many fields, under other names."""
        names = ", ".join([f"_{number}" for number in range(size)])
        return eval(f"lambda _cls, {names}: _new(_cls, ({names},))", {"_new": tuple.__new__})

    class _Named(tuple):
        """What all records can do."""

        __slots__ = ()

        def __new__(cls, *values: Any, **named: Any) -> Any:
            """The first instance: the class gets its constructor."""
            made = next(base for base in cls.__mro__ if "_fields" in vars(base))
            general = _constructor(len(made._fields))
            code = general.__code__.replace(co_varnames=("_cls", *made._fields))
            new = FunctionType(code, general.__globals__, "__new__", tuple(made._field_defaults.values()))
            new.__qualname__ = f"{made.__name__}.__new__"
            made.__new__ = new
            return new(cls, *values, **named)

        def _replace(self, **changed: Any) -> Any:
            return type(self)(**{**self._asdict(), **changed})

        def _asdict(self) -> dict[str, Any]:
            return dict(zip(self._fields, self, strict=True))

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)

        def __repr__(self) -> str:
            values = ", ".join([f"{name}={value!r}" for name, value in self._asdict().items()])
            return f"{type(self).__name__}({values})"

    class _Making(type):
        """Makes of the body of a class a tuple whose items have the names of its fields."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = tuple(body.get("__annotations__", ()))
            named = {
                "__slots__": (),
                "__match_args__": fields,
                "_fields": fields,
                "_field_defaults": {field: body[field] for field in fields if field in body},
                **{field: _tuplegetter(index, "") for index, field in enumerate(fields)},
            }
            return type(name, (_Named,), body | named)

    class Record(metaclass=_Making):
        """A named tuple, written like a ``NamedTuple``."""

    class Arguments(dict):
        """Keyword arguments by name, written like a ``TypedDict``."""

        def __init_subclass__(cls, *, total: bool = True) -> None:
            """With the names of the classes it extends; whether all must be there is the type checker's affair."""
            named = [vars(base).get("__annotations__", {}) for base in (*cls.__bases__, cls)]
            cls.__annotations__ = {name: kind for names in named for name, kind in names.items()}
