"""``corefscope curves``: how metrics behave when a key gets noisier and noisier."""

from __future__ import annotations

import argparse
import os

from ..core.errors import OptionError
from ..core.options import TITLES
from . import arguments
from .output import add_output_or_picture, made, write
from .perturb import add_noise, levels

DESCRIPTION = """\
Show every metric over every level of noise: of a key or of a response to it (nothing is written), or of a
directory that 'corefscope perturb' has written. As tables with small curves, as data, or as a picture.

With --response, noise starts from what a system has found. The kind 'twinless' leaves out the mentions that the
key lacks, step by step: the artificial setting of Cai and Strube (2010)."""
EXAMPLES = """\
examples:
  corefscope curves key.conllu
  corefscope curves key.conllu --kinds merge,split --metrics lea -o curves.svg
  corefscope curves noisy -o curves.csv
  corefscope curves key.conllu --response sys.conllu --kinds twinless --metrics muc,cai-strube
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    from ..analysis.noise.curves import NOISE_OPTIONS

    parser.add_argument("source", metavar="KEY|DIR", help="a key file, or what 'corefscope perturb' has written")
    parser.add_argument("--response", metavar="FILE", help="add the noise to this response instead of to the key")
    parser.add_argument("--key", metavar="FILE", help="where the key of DIR is, if not where it was")
    add_noise(parser)
    arguments.add_settings(parser, NOISE_OPTIONS, TITLES)
    arguments.add(parser, "--heads", "--baseline")
    arguments.add(parser, "--metrics", default="corefud", help=f"{arguments.METRICS} (default corefud)")
    arguments.add(parser, "--key-format", "--response-format", "--words", "--anaphors")
    add_output_or_picture(parser, "the curves")
    arguments.add(parser, "--quiet")


def run(parsed: argparse.Namespace) -> int:
    """Score all levels, say what is odd, print tables, draw."""
    from ..analysis.noise.curves import curves, curves_of_files

    request = arguments.request_arguments(parsed)
    if os.path.isdir(parsed.source):
        if parsed.step is not None or parsed.seed is not None:
            raise OptionError("--step and --seed are for a key file; a directory has the levels it was written with")
        if parsed.response is not None:
            raise OptionError("--response is for a key file, not for a directory")
        result = made(parsed, curves_of_files, parsed.source, kinds=parsed.kinds, key=parsed.key, **request)
    else:
        if parsed.key is not None:
            raise OptionError("--key is for a directory; a key file is named alone")
        draws = {"levels": levels(parsed.step), "seed": parsed.seed or 0}
        result = made(parsed, curves, parsed.source, response=parsed.response, kinds=parsed.kinds, **draws, **request)
    return write(result, parsed)
