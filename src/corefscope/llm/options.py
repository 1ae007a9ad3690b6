"""Options for reading printed text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..core.errors import OptionError
from ..core.naming import check_values
from ..core.options import REPAIRS
from ..formats.detection import READINGS, UNCLOSED
from ..formats.source import path_name
from .mention_lists import LIST_STYLES
from .styles import STYLES

FAITHFUL, WORD = next(iter(READINGS)), next(iter(UNCLOSED))
"""Defaults."""
CHOICES = {"reading": READINGS, "unclosed": UNCLOSED, "repair": REPAIRS}
OTHER_WORDS = ",skeleton-other"
"""Part of signatures if the words, trees or zeros of the skeleton differ from the key."""


class PrintedOptions(NamedTuple):
    """Options for reading printed text."""

    skeleton: str = ""
    """The file whose words were printed; empty if it is the key."""
    reading: str = FAITHFUL
    unclosed: str = WORD
    style: str = ""
    """Name of a style; empty if it is recognised."""
    repair: str = ""
    """``offsets`` if the strings of mentions in JSON, not their offsets, give their places."""

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> PrintedOptions:
        """Options from keyword arguments, checked."""
        given = {name: arguments[name] for name in cls._fields if arguments.get(name) is not None}
        check_values({"skeleton": given.get("skeleton")})
        for name, choices in CHOICES.items():
            if name in given:
                OptionError.check(f"value of --{name}", given[name], choices)
        if "style" in given:
            OptionError.check("style", given["style"], {**STYLES, **LIST_STYLES})
        if (reading := given.get("reading", FAITHFUL)) != FAITHFUL and reading in READINGS:
            for name in ("style", "unclosed"):
                if name in given:
                    raise OptionError(f"--{name} is for --reading {FAITHFUL}: leave it out with --reading {reading}")
        if "skeleton" in given:
            given["skeleton"] = path_name(given["skeleton"])
        return cls(**given)

    def signed(self, other_words: bool = False) -> str:
        """The options as in signatures; ``other_words``: whether the skeleton has other words than the key.

        >>> PrintedOptions().signed(), PrintedOptions(reading="text2text").signed(other_words=True)
        ('tags-move,unclosed-word', 'text2text,skeleton-other')
        """
        reading = self.reading if self.reading != FAITHFUL else f"tags-move,unclosed-{self.unclosed}"
        return reading + OTHER_WORDS * other_words

    @classmethod
    def parse(cls, signed: str) -> PrintedOptions:
        """The options of a signature: the inverse of ``signed``.

        >>> PrintedOptions.parse("tags-move,unclosed-drop").unclosed, PrintedOptions.parse("text2text").reading
        ('drop', 'text2text')
        """
        for reading in READINGS:
            for unclosed in UNCLOSED:
                printed = cls(reading=reading, unclosed=unclosed)
                if printed.signed() == signed.removesuffix(OTHER_WORDS):
                    return printed
        raise OptionError(f"unknown reading of printed text {signed!r}; the default is {cls().signed()}")


DEFAULT = PrintedOptions()


parse_printed_options: Callable[[str], PrintedOptions] = PrintedOptions.parse
