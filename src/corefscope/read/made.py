"""Fields of a document that are made when somebody looks into them: many documents are only counted or compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar, cast, overload

T = TypeVar("T")


class Once:
    """What a function makes, the first time that somebody calls for it.

    >>> made = Once(lambda: object())
    >>> made() is made()
    True
    """

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], object]) -> None:
        self._make: Callable[[], object] | None = make

    def __call__(self) -> object:
        """The same object each time."""
        if self._make:
            self._made, self._make = self._make(), None
        return self._made


class Made(Sequence[T]):
    """A field of what a function makes; otherwise as a tuple.

    >>> field = Made(lambda: slice(("a", "b")), "stop")
    >>> len(field), field[0], field == ("a", "b")
    (2, 'a', True)
    """

    __slots__ = ("_field", "_make")

    def __init__(self, make: Callable[[], object], field: str) -> None:
        self._make, self._field = make, field

    @property
    def made(self) -> tuple[T, ...]:
        """All of it."""
        return cast("tuple[T, ...]", getattr(self._make(), self._field))

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        return self.made[index]

    def __len__(self) -> int:
        return len(self.made)

    def __iter__(self) -> Iterator[T]:
        return iter(self.made)

    def __eq__(self, other: object) -> bool:
        return self.made == (other.made if isinstance(other, Made) else other)

    def __hash__(self) -> int:
        return hash(self.made)

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (self.made,)


class Later(Made[T]):
    """What a function makes, the first time that somebody looks at it.

    >>> later = Later(lambda: ("a", "b"))
    >>> len(later), later.then(lambda made: made[::-1]) == ("b", "a")
    (2, True)
    """

    __slots__ = ()

    def __init__(self, make: Callable[[], tuple[T, ...]]) -> None:
        self._make = Once(make)

    @property
    def made(self) -> tuple[T, ...]:
        """All of it."""
        return cast("tuple[T, ...]", self._make())

    def then(self, change: Callable[[tuple[T, ...]], tuple[T, ...]]) -> Later[T]:
        """What a function makes of it, as late."""
        return Later(lambda: change(self.made))


def sorted_runs(items: list[T], sizes: Iterable[int]) -> Iterator[list[T]]:
    """Items that stand one after the other, cut into runs of these sizes, each of them sorted.

    >>> list(sorted_runs([3, 2, 1], [1, 2]))
    [[3], [1, 2]]
    """
    start = 0
    for size in sizes:
        run = items[start : start + size]
        if size > 1:
            run.sort()
        yield run
        start += size
