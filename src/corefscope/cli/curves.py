"""``corefscope curves``: metrics under increasing noise."""

from __future__ import annotations

import argparse
import os

from ..analysis.noise.curves import NOISE_OPTIONS, curves, curves_of_files
from ..core.errors import OptionError
from ..core.options import TITLES
from . import arguments
from .output import add_output_or_picture, call_with_progress, write
from .perturb import add_noise, parse_levels

DESCRIPTION = """\
Show every metric at every level of noise, as tables with small curves, as data
or as a picture. Noise is added to a key or to a response (nothing is written),
or read from a directory written by 'corefscope perturb'.

With --response, noise is added to the response of a system. The kind 'twinless'
removes the mentions that the key lacks, step by step: the artificial setting of
Cai and Strube (2010)."""
EXAMPLES = """\
examples:
  corefscope curves key.conllu
  corefscope curves key.conllu --kinds merge,split --metrics lea -o curves.svg
  corefscope curves noisy -o curves.csv
  corefscope curves key.conllu --response sys.conllu --kinds twinless --metrics muc,cai-strube
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "source", metavar="KEY|DIR", help="a key file, or a directory written by 'corefscope perturb'"
    )
    parser.add_argument("--response", metavar="FILE", help="add the noise to this response instead of to the key")
    parser.add_argument("--key", metavar="FILE", help="the key of DIR, if it was moved")
    add_noise(parser)
    arguments.add_settings(parser, NOISE_OPTIONS, TITLES)
    arguments.add(parser, "--heads", "--baseline")
    arguments.add(parser, "--metrics", default="corefud", help=f"{arguments.METRICS} (default corefud)")
    arguments.add(parser, "--key-format", "--response-format", "--words", "--align", "--anaphors", "--max-unpacked")
    add_output_or_picture(parser, "the curves")
    arguments.add(parser, "--quiet")


def run(parsed: argparse.Namespace) -> int:
    """Score all levels, print tables, draw."""
    request = arguments.request_arguments(parsed)
    if os.path.isdir(parsed.source):
        if parsed.step is not None or parsed.seed is not None:
            raise OptionError("--step and --seed are for a key file; a directory has the levels it was written with")
        if parsed.response is not None:
            raise OptionError("--response is for a key file, not for a directory")
        result = call_with_progress(
            parsed, curves_of_files, parsed.source, kinds=parsed.kinds, key=parsed.key, **request
        )
    else:
        if parsed.key is not None:
            raise OptionError("--key is for a directory; a key file is named alone")
        draws = {"levels": parse_levels(parsed.step), "seed": parsed.seed or 0}
        result = call_with_progress(
            parsed, curves, parsed.source, response=parsed.response, kinds=parsed.kinds, **draws, **request
        )
    return write(result, parsed)
