"""Named tuples and typed dictionaries whose annotations are for type checkers only.

``typing`` compiles the annotation of every field when it makes such a class, and ``collections`` a constructor. A
command makes dozens of these classes before it does anything, and few of them have instances: that took longer than
to score a small file. Here one constructor does for all classes. To type checkers these are those of ``typing``.
"""

from __future__ import annotations

from collections import _tuplegetter  # type: ignore[attr-defined]  # what named tuples read their fields with

from .annotations import TYPE_CHECKING, Any

__all__ = ["Arguments", "Record", "by_name"]


def by_name(row: Any) -> str:
    """What a row of a catalogue shows of itself, as its ``__repr__``: there are many in a catalogue."""
    return f"<{type(row).__name__} {row.name}>"


if TYPE_CHECKING:
    from typing import NamedTuple as Record
    from typing import TypedDict as Arguments
else:

    class _Named(tuple):
        """What all records can do."""

        __slots__ = ()

        def __new__(cls, *values: Any, **named: Any) -> Any:
            if named or len(values) != len(cls._fields):
                values = cls._completed(values, named)
            return tuple.__new__(cls, values)

        @classmethod
        def _completed(cls, values: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
            """The values, followed by those of the other fields: what is named, or else the default."""
            others = cls._fields[len(values) :]
            known = {**cls._field_defaults, **named}
            completed = (*values, *[known[field] for field in others if field in known])
            if len(completed) == len(cls._fields) and named.keys() <= set(others):
                return completed
            function = eval(f"lambda _cls, {', '.join(cls._fields)}: ()")  # which says what does not fit
            function.__defaults__ = tuple(cls._field_defaults.values())
            function.__qualname__ = f"{cls.__name__}.__new__"
            return function(cls, *values, **named)

        def _replace(self, **changed: Any) -> Any:
            values = list(map(changed.pop, self._fields, self))
            return type(self)(*values, **changed)

        def _asdict(self) -> dict[str, Any]:
            return dict(zip(self._fields, self, strict=True))

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)

        def __repr__(self) -> str:
            from .brief import LONGEST, brief

            share = LONGEST // (2 * len(self) + 1)  # room for names, and for saying what is not shown
            values = ", ".join([f"{name}={brief(value, share)}" for name, value in self._asdict().items()])
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
