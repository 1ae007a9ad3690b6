"""The catalogue of presets for people."""

from __future__ import annotations

from ...evaluate.presets import PRESETS, settings_of
from ..columns import ROOM, folded


def overview(width: int = ROOM) -> str:
    """Each preset with its title, its options and metrics, and what must be known of it."""
    lines: list[str] = []
    for preset in PRESETS.values():
        options = " ".join(f"{name}:{value}" for name, value in settings_of(preset.options).items())
        lines += [preset.name, f"  {preset.title}", f"  {options} metrics:{preset.metrics}"]
        lines += [f"  note: {preset.note}"] if preset.note else []
    return folded("\n".join(lines), width) + "\n"
