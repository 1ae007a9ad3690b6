"""``corefscope presets``: what shared tasks used."""

from __future__ import annotations

import argparse
import sys

DESCRIPTION = "List the presets: the options and metrics of shared tasks under one name."
EXAMPLES = "examples:\n  corefscope presets\n  corefscope score key.conll response.conll --preset conll12"


def add_arguments(_: argparse.ArgumentParser) -> None:
    """There are none."""


def run(_: argparse.Namespace) -> int:
    """Print the catalogue."""
    from ..show.columns import terminal_width
    from ..show.results.catalogues import presets

    sys.stdout.write(presets(terminal_width()))
    return 0
