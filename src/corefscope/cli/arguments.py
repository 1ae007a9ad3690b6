"""Arguments that several commands share; choices and help come from the catalogues."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..errors import OptionError
from ..joining import DOCUMENTS, TOPIC
from ..matching import MATCHERS, ZEROS
from ..metrics import GROUPS
from ..options import SINGLETONS, Options
from ..presets import PRESETS
from ..readers.catalogue import FORMATS
from ..rules import RULES
from .terminal import complain

DEFAULTS = Options()
TITLES: dict[str, Mapping[str, str]] = {
    "match": {name: matcher.title for name, matcher in MATCHERS.items()},
    "zeros": ZEROS,
    "singletons": SINGLETONS,
    "rules": {name: rules.title for name, rules in RULES.items()},
}


def add_key(parser: argparse.ArgumentParser) -> None:
    """KEY, the first argument."""
    parser.add_argument(
        "key",
        metavar="KEY",
        help="the key: a file (.gz, .xz, .bz2 are read too; - is standard input), a directory, or a quoted pattern",
    )


def add_scoring_options(parser: argparse.ArgumentParser, joined: bool = True) -> None:
    """--preset, --match, --zeros, --singletons and --rules, the formats of files, and how documents are joined."""
    parser.add_argument(
        "--preset",
        type=one_of("preset", PRESETS),
        metavar="|".join(PRESETS),
        help="the options of a shared task; 'corefscope presets' explains them",
    )
    parser.add_argument(
        "--signature",
        metavar="STRING",
        help="the options of a signature that stands beside a score; options that are given too replace its own",
    )
    for name, titles in TITLES.items():
        add_choice(parser, name, titles, None, f"default {getattr(DEFAULTS, name)}")
    add_formats(parser)
    if not joined:
        return
    add_choice(parser, "documents", DOCUMENTS, None, "default apart")
    parser.add_argument(
        "--topic",
        metavar="REGEX",
        help="what ids of documents begin with that names their topic; the first group counts if there is one"
        f" (default {TOPIC})",
    )


def scoring_options(options: argparse.Namespace, joined: bool = True) -> dict[str, Any]:
    """What :func:`add_scoring_options` has read, as arguments of ``score``."""
    names = ("preset", *TITLES, "key_format", "response_format", *(("documents", "topic") if joined else ()))
    given = {name: getattr(options, name) for name in names}
    if options.signature:
        from ..replay import note_on_version, replay

        if options.preset:
            raise OptionError("--signature and --preset do not go together")
        signed = replay(options.signature)
        if note := note_on_version(signed.version):
            complain("note", f"the signature was {note}")
        given.update({name: signed.arguments.get(name) for name, value in given.items() if value is None})
    if joined:
        given["documents"] = given["documents"] or "apart"
    return given


def add_metrics(parser: argparse.ArgumentParser) -> None:
    """--metrics"""
    parser.add_argument(
        "--metrics",
        metavar="NAMES",
        help=f"metrics or groups ({', '.join(GROUPS)}), separated by commas; without it those of the preset, or"
        " corefud; 'corefscope metrics' lists them",
    )


def add_formats(parser: argparse.ArgumentParser, sides: Sequence[str] = ("key", "response")) -> None:
    """--key-format and --response-format"""
    titles = {name: row.title for name, row in FORMATS.items()}
    for side in sides:
        parser.add_argument(
            f"--{side}-format",
            type=one_of("format", titles),
            metavar="|".join(titles),
            help=f"the format of the {side} file, if it is not to be recognised: "
            + "; ".join(f"{name}: {title}" for name, title in titles.items()),
        )


def add_choice(
    parser: argparse.ArgumentParser, name: str, choices: Mapping[str, str], default: str | None, said: str = ""
) -> None:
    """An option with named values; a mistyped one gets a suggestion."""
    described = "; ".join(f"{value}: {title}" for value, title in choices.items())
    parser.add_argument(
        f"--{name}",
        type=one_of(name, choices),
        default=default,
        metavar="|".join(choices),
        help=f"{described} ({said or f'default {default}'})".replace("%", "%%"),
    )


def one_of(name: str, choices: Mapping[str, Any]) -> Callable[[str], str]:
    """A type for argparse: one of the choices."""

    def check(value: str) -> str:
        if value not in choices:
            raise argparse.ArgumentTypeError(str(OptionError.unknown(name, [value], choices)))
        return value

    return check
