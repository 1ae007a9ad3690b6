"""Arguments of commands that take files which are neither key nor response, and numbers."""

from __future__ import annotations

import argparse

from ..read.formats import FORMATS
from .arguments import one_of


def add_files(parser: argparse.ArgumentParser) -> None:
    """FILE …"""
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="a file (.gz, .xz, .bz2 are read too; - is standard input)"
    )


def add_file_format(parser: argparse.ArgumentParser) -> None:
    """--file-format"""
    titles = {name: row.title for name, row in FORMATS.items()}
    described = "; ".join(f"{name}: {title}" for name, title in titles.items())
    parser.add_argument(
        "--file-format",
        type=one_of("format", titles),
        metavar="|".join(titles),
        help=f"the format of the files, if it is not to be recognised: {described}".replace("%", "%%"),
    )


def natural(text: str) -> int:
    """A type for argparse: a number from 0, in digits."""
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0")
    return int(text)
