"""``corefscope curves``: how metrics behave when a key gets noisier and noisier."""

from __future__ import annotations

import argparse
import os

from . import arguments
from .output import add_output, chosen_format, deliver
from .perturb import add_noise, levels
from .terminal import Progress, warn

DESCRIPTION = (
    "Show every metric over every level of noise: of a key (nothing is written), or of a directory that"
    " 'corefscope perturb' has written. As tables with small curves, as data, or as a picture."
)
EXAMPLES = """\
examples:
  corefscope curves key.conllu
  corefscope curves key.conllu --kinds merge,split --metrics lea -o curves.svg
  corefscope curves noisy -o curves.csv
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    from ..count.metrics import GROUPS
    from ..show.results.curves import CURVES
    from ..study.noise.curves import FAITHFUL

    parser.add_argument("source", metavar="KEY|DIR", help="a key file, or what 'corefscope perturb' has written")
    parser.add_argument("--key", metavar="FILE", help="where the key of DIR is, if not where it was")
    add_noise(parser)
    for name, titles in arguments.TITLES.items():
        arguments.add_choice(parser, name, titles, getattr(FAITHFUL, name))
    arguments.add_baseline(parser)
    parser.add_argument(
        "--metrics",
        default="corefud",
        metavar="NAMES",
        help=f"metrics or groups ({', '.join(GROUPS)}), separated by commas (default corefud)",
    )
    arguments.add_formats(parser, ("key",))
    add_output(parser, {name: title for name, (title, _) in CURVES.items()}, "the curves")
    parser.add_argument("--quiet", "-q", action="store_true", help="no warnings and progress")


def run(options: argparse.Namespace) -> int:
    """Score all levels, say what is odd, print tables, draw."""
    from ..show.results.curves import CURVES
    from ..study.noise.curves import curves, curves_of_files

    _fits_together(options)
    chosen_format(options)
    with Progress(options.quiet) as progress:
        request = arguments.request_arguments(options)
        common = {"kinds": options.kinds, "progress": progress}
        if os.path.isdir(options.source):
            found = curves_of_files(options.source, key=options.key, **common, **request)
        else:
            found = curves(options.source, levels=levels(options.step), seed=options.seed or 0, **common, **request)
    warn(options, found.warnings)

    def draw(path: str) -> None:
        from ..show.formats.plots import draw_curves

        draw_curves(found, path)

    deliver(options, lambda name, width: CURVES[name][1](found, width), draw)
    return 0


def _fits_together(options: argparse.Namespace) -> None:
    from ..base.errors import OptionError

    if not os.path.isdir(options.source):
        if options.key is not None:
            raise OptionError("--key is for a directory; a key file is named alone")
    elif options.step is not None or options.seed is not None:
        raise OptionError("--step and --seed are for a key file; a directory has the levels it was written with")
