"""How printed text is read: what users may choose, and what signatures say of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...base.errors import OptionError
from ...base.naming import check_values
from ..formats import READINGS, REPAIRS, UNCLOSED
from ..source import path_name

FAITHFUL, WORD = next(iter(READINGS)), next(iter(UNCLOSED))
"""What holds if nobody says otherwise."""
CHOICES = {"reading": READINGS, "unclosed": UNCLOSED, "repair": REPAIRS}
OTHER_WORDS = ",skeleton-other"
"""What signatures say where the skeleton has other words, trees or zeros than the key."""


class Printed(NamedTuple):
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
        check_values({"skeleton": said.get("skeleton")})
        for name, choices in CHOICES.items():
            if name in said:
                OptionError.check(f"value of --{name}", said[name], choices)
        if "style" in said:
            from .styles import named_style  # other formats have none

            named_style(said["style"])
        if (reading := said.get("reading", FAITHFUL)) != FAITHFUL and reading in READINGS:
            for name in ("style", "unclosed"):
                if name in said:
                    raise OptionError(f"--{name} is for --reading {FAITHFUL}: leave it out with --reading {reading}")
        if "skeleton" in said:
            said["skeleton"] = path_name(said["skeleton"])
        return cls(**said)

    def signed(self, other_words: bool = False) -> str:
        """What signatures say; ``other_words``: whether the skeleton has others than the key.

        >>> Printed().signed(), Printed(reading="text2text").signed(other_words=True)
        ('tags-move,unclosed-word', 'text2text,skeleton-other')
        """
        way = self.reading if self.reading != FAITHFUL else f"tags-move,unclosed-{self.unclosed}"
        return way + OTHER_WORDS * other_words

    @classmethod
    def parse(cls, signed: str) -> Printed:
        """The inverse.

        >>> Printed.parse("tags-move,unclosed-drop").unclosed, Printed.parse("text2text").reading
        ('drop', 'text2text')
        """
        for reading in READINGS:
            for unclosed in UNCLOSED:
                printed = cls(reading=reading, unclosed=unclosed)
                if printed.signed() == signed.removesuffix(OTHER_WORDS):
                    return printed
        raise OptionError(f"unknown way to read printed text {signed!r}; one is {cls().signed()}")


DEFAULT = Printed()
