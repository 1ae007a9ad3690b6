"""``corefscope perturb``: responses that are wrong in one known way, to a known degree."""

from __future__ import annotations

import argparse
import sys

from ..core.errors import OptionError
from ..output.columns import wrapped
from ..output.text import shown
from . import arguments
from .terminal import ProgressBar, warn


def _kinds() -> str:
    from ..analysis.noise import OF_KEYS, PERTURBATIONS

    indent = " " * (max(map(len, OF_KEYS)) + 4)
    kinds = [PERTURBATIONS[name] for name in OF_KEYS]
    rows = [f"  {row.name}".ljust(len(indent)) + f"{row.title}; 100 %: {row.of}" for row in kinds]
    return "\n".join(line for row in rows for line in wrapped(row, 78, indent))


DESCRIPTION = """\
Write responses made from a key by controlled noise, one file for each kind and level, and a manifest. The
same seed makes the same files; 30 % makes all changes of 20 % and more."""
EXAMPLES = f"""\
kinds of noise:
{_kinds()}

examples:
  corefscope perturb key.conllu -o noisy
  corefscope perturb key.conllu -o noisy --kinds drop,split --step 25 --seed 7
  corefscope curves noisy
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("key", metavar="KEY", help="the key, in CorefUD or CoNLL-UA (.gz, .xz, .bz2 are read too)")
    parser.add_argument("--output", "-o", metavar="DIR", required=True, help="the directory to write to")
    add_noise(parser)
    arguments.add(parser, "--key-format")
    arguments.add(parser, "--quiet", help="no warnings, no word about what was written")


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
    parser.add_argument("--seed", metavar="NUMBER", type=arguments.natural, help="for the draws (default 0)")


def levels(step: int | None) -> tuple[int, ...]:
    """0, 100 and what lies between."""
    from ..analysis.noise import LEVELS

    if step is None:
        return LEVELS
    if not 1 <= step <= 100:
        raise OptionError(f"--step is a percentage from 1 to 100, not {step}")
    return (*range(0, 100, step), 100)


def run(parsed: argparse.Namespace) -> int:
    """Write the files, and say where."""
    from ..analysis.noise.files import perturb_file

    with ProgressBar(parsed.quiet) as progress:
        manifest, warnings = perturb_file(
            parsed.key,
            parsed.output,
            kinds=parsed.kinds,
            levels=levels(parsed.step),
            seed=parsed.seed or 0,
            key_format=parsed.key_format,
            progress=progress,
        )
    warn(warnings, parsed.quiet)
    if not parsed.quiet:
        count = sum(map(len, manifest.kinds.values()))
        directory = shown(parsed.output)
        sys.stdout.write(f"{count} files in {directory}: {', '.join(manifest.kinds)}\n")
        sys.stdout.write(f"what metrics make of them: corefscope curves {directory}\n")
    return 0
