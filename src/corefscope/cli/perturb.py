"""``corefscope perturb``: responses with noise of a known kind and level; ``curves``: metrics under such noise."""

from __future__ import annotations

import argparse
import os
import sys

from ..analysis.noise import LEVELS, OF_KEYS, PERTURBATIONS
from ..analysis.noise.curves import BY, LENGTH, NOISE_OPTIONS, curves, curves_of_files
from ..analysis.noise.files import perturb_file
from ..core.errors import OptionError, amount
from ..core.options import TITLES
from ..output.text import shown, terminal_width, wrapped
from . import arguments
from .output import add_output_or_picture, call_with_progress, write
from .parser import CommandParts, Parser
from .terminal import ProgressBar, complain, warn

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
    parser.add_argument("key", metavar="KEY", help="the key, in CorefUD or CoNLL-UA (also .gz, .xz, .bz2)")
    parser.add_argument("--output", "-o", metavar="DIR", required=True, help="the directory to write to")
    _add_noise(parser)
    arguments.add(parser, "--key-format", "--max-unpacked")
    arguments.add(parser, "--quiet", help="no warnings, and no list of files written")


def _add_noise(parser: argparse.ArgumentParser) -> None:
    kinds = "kinds of noise, separated by commas (default: all that change the key)"
    parser.add_argument("--kinds", metavar="NAMES", help=kinds)
    step = "step between levels, which go from 0 to 100 (default 10)"
    parser.add_argument("--step", metavar="PERCENT", type=int, help=step)
    parser.add_argument("--seed", metavar="NUMBER", type=arguments.natural, help="random seed (default 0)")


def _shown_size(size: int) -> str:
    """A number of bytes.

    >>> _shown_size(1_130_000), _shown_size(2_500_000_000)
    ('1.1 MB', '2.5 GB')
    """
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.1f} MB"


def _parse_levels(step: int | None) -> tuple[int, ...]:
    """The levels from 0 to 100 in this step."""
    if step is None:
        return LEVELS
    if not 1 <= step <= 100:
        raise OptionError(f"--step must be a percentage from 1 to 100, not {step}")
    return (*range(0, 100, step), 100)


def run(parsed: argparse.Namespace) -> int:
    def announce(kinds: int, files: int, size: int) -> None:
        """Say what is about to be written."""
        if not parsed.quiet:
            about = f"{amount(kinds, 'kind')} of noise, {amount(files, 'file')}, about {_shown_size(size)}"
            complain("note", f"writing to {parsed.output}: {about}")

    with ProgressBar(parsed.quiet) as progress:
        manifest, warnings = perturb_file(
            parsed.key,
            parsed.output,
            kinds=parsed.kinds,
            levels=_parse_levels(parsed.step),
            seed=parsed.seed or 0,
            key_format=parsed.key_format,
            progress=progress,
            planned=announce,
        )
    warn(warnings, parsed.quiet)
    if not parsed.quiet:
        count = sum(map(len, manifest.kinds.values()))
        directory = shown(parsed.output)
        lines = wrapped(f"{count} files in {directory}: {', '.join(manifest.kinds)}", terminal_width())
        lines.append(f"to see how metrics change: corefscope curves {directory}")
        sys.stdout.write("\n".join(lines) + "\n")
    return 0


def _add_curves_arguments(parser: Parser) -> None:
    parser.add_argument(
        "source", metavar="KEY|DIR", help="a key file, or a directory written by 'corefscope perturb'"
    )
    parser.add_argument("--response", metavar="FILE", help="add the noise to this response instead of to the key")
    parser.add_argument("--key", metavar="FILE", help="the key of DIR, if it was moved")
    parser.add_argument("--by", values=BY, default="noise", help=f"{arguments.explain_values(BY)} (default noise)")
    _add_noise(parser)
    arguments.add_settings(parser, NOISE_OPTIONS, TITLES)
    arguments.add(parser, "--heads", "--baseline")
    arguments.add(parser, "--metrics", default="corefud", help=f"{arguments.METRICS} (default corefud)")
    arguments.add(parser, "--key-format", "--response-format", "--words", "--align", "--anaphors", "--max-unpacked")
    add_output_or_picture(parser, "the curves")
    arguments.add(parser, "--quiet")


def _run_curves(parsed: argparse.Namespace) -> int:
    request = arguments.request_arguments(parsed)
    if os.path.isdir(parsed.source):
        if parsed.step is not None or parsed.seed is not None:
            raise OptionError("--step and --seed are for a key file; a directory has the levels it was written with")
        if parsed.by == LENGTH:
            raise OptionError("--by length is for a key file and --response FILE, not for a directory")
        if parsed.response is not None:
            raise OptionError("--response is for a key file, not for a directory")
        result = call_with_progress(
            parsed, curves_of_files, parsed.source, kinds=parsed.kinds, key=parsed.key, **request
        )
    else:
        if parsed.key is not None:
            raise OptionError("--key is for a directory; a key file is named alone")
        draws = {"levels": _parse_levels(parsed.step), "seed": parsed.seed, "by": parsed.by}
        result = call_with_progress(
            parsed, curves, parsed.source, response=parsed.response, kinds=parsed.kinds, **draws, **request
        )
    return write(result, parsed)


CURVES = CommandParts(
    """\
Show every metric at every level of noise, as tables with small curves, as data
or as a picture. Noise is added to a key or to a response (nothing is written),
or read from a directory written by 'corefscope perturb'.

With --response, noise is added to the response of a system. The kind 'twinless'
removes the mentions that the key lacks, step by step: the artificial setting of
Cai and Strube (2010). With --by length, the beginnings of the texts are scored,
to see which metrics rise or fall with length alone.""",
    """\
examples:
  corefscope curves key.conllu
  corefscope curves key.conllu --kinds merge,split --metrics lea -o curves.svg
  corefscope curves noisy -o curves.csv
  corefscope curves key.conllu --response sys.conllu --kinds twinless --metrics muc,cai-strube
  corefscope curves key.conllu --response sys.conllu --by length
""",
    _add_curves_arguments,
    _run_curves,
)
