"""What annotations are written with: names of ``typing``, which only type checkers import.

No annotation is evaluated, and to import ``typing`` takes longer than to score a small file. At run time any type
stands for the names that only annotations use. (``ClassVar`` is not among them: ``dataclasses`` looks for it.)
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers take it for true, whatever it says

if TYPE_CHECKING:
    from typing import IO as IO
    from typing import Any as Any
    from typing import BinaryIO as BinaryIO
    from typing import Final as Final
    from typing import Literal as Literal
    from typing import NoReturn as NoReturn
    from typing import Protocol as Protocol
    from typing import TextIO as TextIO
    from typing import TypeVar as TypeVar
    from typing import cast as cast
    from typing import overload as overload
else:
    IO = Any = BinaryIO = Final = Literal = NoReturn = Protocol = TextIO = object

    def TypeVar(name: str, **_: object) -> str:  # noqa: N802
        """Only annotations ask what it may be."""
        return name

    def cast(_: object, value: object) -> object:
        """The value as it is."""
        return value

    def overload(function: object) -> object:
        """The function that follows takes its place."""
        return function
