"""Arguments that several commands share; choices and help come from the catalogues."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from ..base.errors import OptionError
from ..count.baselines import BASELINES
from ..count.metrics import GROUPS
from ..evaluate.options import DEFAULTS, SINGLETONS
from ..evaluate.presets import PRESETS
from ..evaluate.request import RequestArguments
from ..evaluate.rules import RULES
from ..match.matchers import MATCHERS, ZEROS
from ..read.formats import FORMATS
from ..read.joining import DOCUMENTS, TOPIC
from .terminal import complain

SIDES = ("key", "response")
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


def add_request(parser: argparse.ArgumentParser) -> None:
    """What decides a score: preset, signature, match, zeros, singletons, rules, formats, documents, baseline."""
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
    add_documents(parser)


def add_documents(parser: argparse.ArgumentParser) -> None:
    """--documents and --topic"""
    add_choice(parser, "documents", DOCUMENTS, None, "default apart")
    parser.add_argument(
        "--topic",
        metavar="REGEX",
        help="what ids of documents begin with that names their topic; the first group counts if there is one"
        f" (default {TOPIC})",
    )


def add_baseline(parser: argparse.ArgumentParser, also: str = "") -> None:
    """--baseline; ``also`` is what else it may name."""
    titles = {name: title for name, (title, _) in BASELINES.items()}
    parser.add_argument(
        "--baseline",
        type=str if also else one_of("baseline", titles),
        metavar="|".join(titles),
        help="measure scores from what a trivial response scores instead of from 0: "
        + "; ".join(f"{name}: {title}" for name, title in titles.items())
        + also,
    )


def request_arguments(
    options: argparse.Namespace, further: Sequence[str] = (), fixed: Mapping[str, Any] | None = None
) -> RequestArguments:
    """What :func:`add_request` and :func:`add_metrics` have read, as arguments of ``score`` and all others.

    ``further`` names options of the command that a signature may set too, where they are None; ``fixed`` are parts of
    signatures that the command cannot change.
    """
    names = RequestArguments.__annotations__
    arguments = cast("RequestArguments", {name: value for name in names if (value := getattr(options, name, None))})
    if getattr(options, "metrics", None) is not None:
        arguments["metrics"] = options.metrics
    if getattr(options, "signature", None) is None:
        return arguments
    if options.preset:
        raise OptionError("--signature and --preset do not go together")
    from ..evaluate.signature import apply_arguments, apply_plan, note_on_version, read_signature

    signature = read_signature(options.signature)
    if note := note_on_version(signature.version):
        complain("note", f"the signature was {note}")
    filled = apply_plan(signature, {name: getattr(options, name) for name in further}, fixed or {})
    vars(options).update(filled)
    responses = getattr(options, "responses", None) or [getattr(options, "response", None)]
    sides = [(options.key, response) for response in responses] if hasattr(options, "key") else []
    return apply_arguments(signature, arguments, sides)


def add_metrics(parser: argparse.ArgumentParser) -> None:
    """--metrics"""
    parser.add_argument(
        "--metrics",
        metavar="NAMES",
        help=f"metrics or groups ({', '.join(GROUPS)}), separated by commas; without it those of the preset, or"
        " corefud; 'corefscope metrics' lists them",
    )


def add_formats(parser: argparse.ArgumentParser, sides: Sequence[str] = SIDES) -> None:
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
