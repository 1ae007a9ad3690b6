"""``corefscope perturb``: responses with noise of a known kind and level."""

from __future__ import annotations

import argparse
import sys

from ..analysis.noise import LEVELS, OF_KEYS, PERTURBATIONS
from ..analysis.noise.files import perturb_file
from ..core.errors import OptionError
from ..output.columns import wrapped
from ..output.text import shown
from . import arguments
from .terminal import ProgressBar, warn

INDENT = " " * (max(map(len, OF_KEYS)) + 4)
KINDS = [
    f"  {row.name}".ljust(len(INDENT)) + f"{row.title}; 100 %: {row.of}"
    for row in (PERTURBATIONS[name] for name in OF_KEYS)
]
DESCRIPTION = """\
Add controlled noise to a key and write the responses, one file for each kind
and level, with a manifest. The same seed gives the same files; 30 % includes
all changes of 20 %."""
EXAMPLES = "\n".join(["kinds of noise:", *(line for row in KINDS for line in wrapped(row, 78, INDENT))])
EXAMPLES += """

examples:
  corefscope perturb key.conllu -o noisy
  corefscope perturb key.conllu -o noisy --kinds drop,split --step 25 --seed 7
  corefscope curves noisy
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("key", metavar="KEY", help="the key, in CorefUD or CoNLL-UA (also .gz, .xz, .bz2)")
    parser.add_argument("--output", "-o", metavar="DIR", required=True, help="the directory to write to")
    add_noise(parser)
    arguments.add(parser, "--key-format", "--max-unpacked")
    arguments.add(parser, "--quiet", help="no warnings, and no list of files written")


def add_noise(parser: argparse.ArgumentParser) -> None:
    """--kinds, --step and --seed"""
    kinds = "kinds of noise, separated by commas (default: all that change the key)"
    parser.add_argument("--kinds", metavar="NAMES", help=kinds)
    step = "step between levels, which go from 0 to 100 (default 10)"
    parser.add_argument("--step", metavar="PERCENT", type=int, help=step)
    parser.add_argument("--seed", metavar="NUMBER", type=arguments.natural, help="random seed (default 0)")


def parse_levels(step: int | None) -> tuple[int, ...]:
    """The levels from 0 to 100 in this step."""
    if step is None:
        return LEVELS
    if not 1 <= step <= 100:
        raise OptionError(f"--step must be a percentage from 1 to 100, not {step}")
    return (*range(0, 100, step), 100)


def run(parsed: argparse.Namespace) -> int:
    """Write the files, and say where."""
    with ProgressBar(parsed.quiet) as progress:
        manifest, warnings = perturb_file(
            parsed.key,
            parsed.output,
            kinds=parsed.kinds,
            levels=parse_levels(parsed.step),
            seed=parsed.seed or 0,
            key_format=parsed.key_format,
            progress=progress,
        )
    warn(warnings, parsed.quiet)
    if not parsed.quiet:
        count = sum(map(len, manifest.kinds.values()))
        directory = shown(parsed.output)
        sys.stdout.write(f"{count} files in {directory}: {', '.join(manifest.kinds)}\n")
        sys.stdout.write(f"to see how metrics change: corefscope curves {directory}\n")
    return 0
