"""Arguments that several commands share; choices and help come from the catalogues."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..base.errors import OptionError
from ..count.metrics import GROUPS
from ..evaluate.options import SINGLETONS, Options
from ..evaluate.presets import PRESETS
from ..evaluate.rules import RULES
from ..match.matchers import MATCHERS, ZEROS
from ..read.formats import FORMATS
from ..read.joining import DOCUMENTS, TOPIC
from .terminal import complain

DEFAULTS = Options()
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


def scoring_options(
    options: argparse.Namespace, joined: bool = True, takes: Sequence[str] = (), has: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """What :func:`add_scoring_options` has read, as arguments of ``score``.

    Every part of a signature is applied or refused. ``takes`` names further options of the command that a signature
    may set, such as ``baseline`` or ``seed``: what it says is put in their place where they are None. ``has`` are
    parts that the command cannot change: a signature must say the same.
    """
    names = ("preset", *TITLES, "key_format", "response_format", *(("documents", "topic") if joined else ()))
    given = {name: getattr(options, name) for name in names}
    if options.signature is not None:
        if options.preset:
            raise OptionError("--signature and --preset do not go together")
        _apply_signature(options, given, joined, takes, has or {})
    if joined:
        given["documents"] = given["documents"] or "apart"
    return given


OPTION_OF = {"resampled": "resample"}
"""Options that parts of signatures belong to, where they are not called the same."""
REASONS = {
    **dict.fromkeys(("resampled", "resamples", "seed", "level", "test"), "it does not resample like this"),
    **dict.fromkeys(("average", "datasets", "rank_by", "missing"), "this is of a shared task"),
    "baseline": "it does not measure scores from those of a trivial response",
    "documents": "it does not join documents",
    "noise-seed": "it makes no noise",
}
"""Why a command refuses parts of signatures."""


def _apply_signature(
    options: argparse.Namespace, given: dict[str, Any], joined: bool, takes: Sequence[str], has: Mapping[str, Any]
) -> None:
    """Fill in what is open by what the signature says."""
    from ..study.verify import note_on_version, replay

    signed = replay(options.signature)
    if note := note_on_version(signed.version):
        complain("note", f"the signature was {note}")
    further = {**signed.plan, "baseline": signed.arguments["baseline"]}
    if not joined and signed.arguments["documents"] != "apart":
        further["documents"] = signed.arguments["documents"]
    for part, value in further.items():
        name = OPTION_OF.get(part, part)
        if name in takes and getattr(options, name) is None:
            setattr(options, name, value)
        elif part in has and value != has[part]:
            raise OptionError(f"the signature has {part}:{value}, but here it is {part}:{has[part]}")
        elif value is not None and name not in takes and part not in has:
            raise OptionError(f"the signature has {part}:{value}, which this command cannot apply: {REASONS[part]}")
    fixed = dict(signed.arguments)
    if given.get("documents"):
        del fixed["topic"]  # it belongs to the other way of joining
    if len(signed.formats) > 1:
        fixed.update(_formats(options, given, signed.formats))
    given.update({name: fixed.get(name) for name, value in given.items() if value is None})


def _formats(options: argparse.Namespace, given: Mapping[str, Any], formats: Sequence[str]) -> dict[str, str]:
    """Which side has which of several formats: it is clear if each side is one file."""
    from ..read.paths import pair_files

    if given["key_format"] and given["response_format"]:
        return {}
    key = getattr(options, "key", None)
    responses = getattr(options, "responses", None) or [getattr(options, "response", None)]
    single = key is not None and all(len(pair_files(key, response)) == 1 for response in responses)
    if len(formats) != len(SIDES) or not single:
        raise OptionError(
            f"the signature has the formats {'+'.join(formats)} and does not say which file has which:"
            " give --key-format and --response-format"
        )
    return {f"{side}_format": format_ for side, format_ in zip(SIDES, formats, strict=True)}


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
