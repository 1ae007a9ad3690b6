"""How arguments are declared: their types, their choices with titles, their defaults."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import Any, cast

from ..base.errors import OptionError
from ..evaluate.options import OPEN, Options
from ..evaluate.rules import RULES
from ..read.formats import BUILT_IN, FORMATS, READINGS, REPAIRS, UNCLOSED, PrintedArguments
from ..read.unpacking import parse_size
from .parser import IN_FULL

Declaration = dict[str, Any]
"""The keyword arguments of ``add_argument``; and TITLED, if values have titles: these between two texts."""
TITLED = "titled"


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


def choice(kind: str, titles: Mapping[str, str], before: str = "", after: str = "") -> Declaration:
    """The declaration of an option with named values; its help explains them between two texts."""
    described = "; ".join(f"{name}: {title}" for name, title in titles.items())
    text = f"{before}{described}{after}".replace("%", "%%")
    return {"type": one_of(kind, titles), "metavar": "|".join(titles), "help": text, TITLED: (before, titles, after)}


def default_of(name: str, defaults: Options = OPEN) -> str:
    """What help says of the default of an option that every score has."""
    if value := getattr(defaults, name):
        return f" (default {value})"
    by_format = {row.name: getattr(row.defaults, name) for row in BUILT_IN}
    usual = max(by_format.values(), key=[*by_format.values()].count)
    special = [f"{value} for {key} keys" for key, value in by_format.items() if value != usual]
    under = [f"; {row.defaults[name]} under rules {row.name}" for row in RULES.values() if name in row.defaults]
    return f" (default: {', '.join(special)}, {usual} for others{''.join(under)})"


def file_format(
    files: str, catalogue: Mapping[str, Any] = FORMATS, unless: str = "it is not to be recognised"
) -> Declaration:
    """The declaration of an option that names a format; help lists those of this package."""
    listed = BUILT_IN if catalogue is FORMATS else catalogue.values()
    titles = {row.name: row.title for row in listed}
    return choice("format", titles, f"the format of {files}, if {unless}: ") | {"type": one_of("format", catalogue)}


PRINTED: dict[str, Declaration] = {
    "--skeleton": {
        "metavar": "FILE",
        "help": "the file whose words a language model was to print with tags (default: the key)",
    },
    "--style": {
        "metavar": "NAME",
        "help": "how its tags look, if not to be recognised: crac, xml, markdown, colon, seq2seq, corefinst or json",
    },
    "--unclosed": choice("unclosed", UNCLOSED, after=f" (default {next(iter(UNCLOSED))})"),
    "--repair": choice("repair", REPAIRS),
    "--reading": choice("reading", READINGS, after=f" (default {next(iter(READINGS))})"),
}
BRIEFS: dict[str, str] = dict.fromkeys(PRINTED, IN_FULL) | {"--skeleton": "whose words printed text has"}
"""What short help says of them: little, as it must fit one screen."""


def printed_arguments(parsed: argparse.Namespace) -> PrintedArguments:
    """What was parsed of printed text, as keyword arguments."""
    return cast("PrintedArguments", {name: getattr(parsed, name) for name in PrintedArguments.__annotations__})
