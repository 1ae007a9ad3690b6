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
    from ..evaluate.presets import PRESETS, settings_of
    from ..show.columns import folded, terminal_width

    for preset in PRESETS.values():
        options = " ".join(f"{name}:{value}" for name, value in settings_of(preset.options).items())
        note = f"\n  note: {preset.note}" if preset.note else ""
        text = f"{preset.name}\n  {preset.title}\n  {options} metrics:{preset.metrics}{note}\n"
        sys.stdout.write(folded(text, terminal_width()))
    return 0
