"""``corefscope presets``: what shared tasks used."""

from __future__ import annotations

import argparse

from . import arguments
from .output import chosen_format, write

DESCRIPTION = "List the presets: the options and metrics of shared tasks under one name."
EXAMPLES = "examples:\n  corefscope presets\n  corefscope score key.conll response.conll --preset conll12"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    arguments.add(parser, *arguments.OUTPUT)


def run(parsed: argparse.Namespace) -> int:
    """Print the catalogue."""
    from ..output.results.catalogues import presets

    chosen_format(parsed)
    return write(presets(), parsed)
