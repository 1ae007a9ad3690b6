"""Types for argparse: what a value of an option may be."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping

from ..base.annotations import Any
from ..base.errors import OptionError
from ..read.unpacking import parse_size


def one_of(kind: str, choices: Mapping[str, Any], aliases: Mapping[str, str] | None = None) -> Callable[[str], str]:
    """A type for argparse: one of the choices; a mistyped one gets a suggestion."""

    def check(value: str) -> str:
        if value not in choices:
            raise argparse.ArgumentTypeError(str(OptionError.unknown(kind, [value], choices, aliases)))
        return value

    return check


def natural(text: str) -> int:
    """A type for argparse: a number from 0, in digits."""
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0")
    return int(text)


def size(text: str) -> str:
    """A type for argparse: a number of bytes, as people write it."""
    try:
        parse_size(text)
    except OptionError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text
