"""``corefscope presets``: the options of shared tasks."""

from __future__ import annotations

import argparse

from ..output.results.catalogues import presets
from . import arguments
from .output import chosen_format, write

DESCRIPTION = "List the presets: options and metrics of shared tasks."
EXAMPLES = "examples:\n  corefscope presets\n  corefscope score key.conll response.conll --preset conll12"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    arguments.add(parser, *arguments.OUTPUT)


def run(parsed: argparse.Namespace) -> int:
    """Print the catalogue."""
    chosen_format(parsed)
    return write(presets(), parsed)
