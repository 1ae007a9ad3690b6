"""``corefscope perturb``: responses that are wrong in one known way, to a known degree."""

from __future__ import annotations

import argparse
import sys

from ..show.columns import wrapped
from ..show.text import shown
from . import arguments
from .files import natural
from .terminal import Progress, warn

DESCRIPTION = (
    "Write responses made from a key by controlled noise, one file for each kind and level, and a manifest."
    " The same seed makes the same files; 30 % makes all changes of 20 % and more."
)


def _examples() -> str:
    from ..study.noise import PERTURBATIONS

    names = max(map(len, PERTURBATIONS)) + 4
    kinds = [f"  {row.name}".ljust(names) + f"{row.title}; 100 %: {row.of}" for row in PERTURBATIONS.values()]
    lines = [line for kind in kinds for line in wrapped(kind, 78, " " * names)]
    return "\n".join(["kinds of noise:", *lines, "", _COMMANDS])


_COMMANDS = """\
examples:
  corefscope perturb key.conllu -o noisy
  corefscope perturb key.conllu -o noisy --kinds drop,split --step 25 --seed 7
  corefscope curves noisy
"""
EXAMPLES = _examples()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("key", metavar="KEY", help="the key, a CorefUD file (.gz, .xz, .bz2 are read too)")
    parser.add_argument("--output", "-o", metavar="DIR", required=True, help="the directory to write to")
    add_noise(parser)
    arguments.add_formats(parser, ("key",))
    parser.add_argument("--quiet", "-q", action="store_true", help="no warnings, no word about what was written")


def add_noise(parser: argparse.ArgumentParser) -> None:
    """--kinds, --step and --seed"""
    parser.add_argument(
        "--kinds",
        metavar="NAMES",
        help="kinds of noise, separated by commas; default: all for which the key has something to change",
    )
    parser.add_argument(
        "--step", metavar="PERCENT", type=int, help="from one level to the next, from 0 to 100 (default 10)"
    )
    parser.add_argument("--seed", metavar="NUMBER", type=natural, help="for the draws (default 0)")


def levels(step: int | None) -> tuple[int, ...]:
    """0, 100 and what lies between."""
    from ..base.errors import OptionError
    from ..study.noise import LEVELS

    if step is None:
        return LEVELS
    if not 1 <= step <= 100:
        raise OptionError(f"--step is a percentage from 1 to 100, not {step}")
    return (*range(0, 100, step), 100)


def run(options: argparse.Namespace) -> int:
    """Write the files, and say where."""
    from ..study.noise.files import perturb_file

    with Progress(options.quiet) as progress:
        manifest, warnings = perturb_file(
            options.key,
            options.output,
            kinds=options.kinds,
            levels=levels(options.step),
            seed=options.seed or 0,
            key_format=options.key_format,
            progress=progress,
        )
    warn(options, warnings)
    if options.quiet:
        return 0
    count = sum(map(len, manifest.kinds.values()))
    place = shown(options.output)
    sys.stdout.write(f"{count} files in {place}: {', '.join(manifest.kinds)}\n")
    sys.stdout.write(f"what metrics make of them: corefscope curves {place}\n")
    return 0
