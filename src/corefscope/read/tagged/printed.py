"""How printed text is read: what users may choose, and what signatures say of it."""

from __future__ import annotations

from collections.abc import Mapping

from ...base.annotations import Any
from ...base.errors import OptionError
from ...base.record import Record
from ..formats import READINGS, REPAIRS, UNCLOSED
from ..source import path_name

FAITHFUL, WORD = next(iter(READINGS)), next(iter(UNCLOSED))
"""What holds if nobody says otherwise."""


class Printed(Record):
    """The options of printed text."""

    skeleton: str = ""
    """The file whose words were printed; empty if it is the key."""
    reading: str = FAITHFUL
    unclosed: str = WORD
    style: str = ""
    """The name of a style; empty if it is to be recognised."""
    repair: str = ""
    """``offsets`` if the strings of JSON say where mentions are, not their offsets."""

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> Printed:
        """What arguments say."""
        said = {name: arguments[name] for name in cls._fields if arguments.get(name) is not None}
        if "skeleton" in said:
            said["skeleton"] = path_name(said["skeleton"])
        return cls(**said).checked()

    def checked(self) -> Printed:
        """The same, once every value is known to exist."""
        for name, choices in (("reading", READINGS), ("unclosed", UNCLOSED), ("repair", {"": "", **REPAIRS})):
            if getattr(self, name) not in choices:
                raise OptionError.unknown(name, [getattr(self, name)], choices)
        if self.style:
            from .styles import named_style  # nobody who reads other formats names one

            named_style(self.style)
        return self

    @property
    def signed(self) -> str:
        """What signatures say.

        >>> Printed().signed, Printed(reading="text2text").signed
        ('tags-move,unclosed-word', 'text2text')
        """
        return self.reading if self.reading != FAITHFUL else f"tags-move,unclosed-{self.unclosed}"

    @classmethod
    def parse(cls, signed: str) -> Printed:
        """The inverse.

        >>> Printed.parse("tags-move,unclosed-drop").unclosed, Printed.parse("text2text").reading
        ('drop', 'text2text')
        """
        for reading in READINGS:
            for unclosed in UNCLOSED:
                printed = cls(reading=reading, unclosed=unclosed)
                if printed.signed == signed:
                    return printed
        raise OptionError(f"unknown way to read printed text {signed!r}; one is {cls().signed}")


DEFAULT = Printed()
