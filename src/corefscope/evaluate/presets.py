"""Presets: what shared tasks used, as one name; and how options that were left open are filled in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..base.errors import OptionError
from .options import CHOICES, Options


class Preset(NamedTuple):
    """One row of the catalogue."""

    name: str
    title: str
    options: Options
    metrics: str = "corefud"
    note: str = ""


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            "crac22",
            "CRAC 2022: partial match, singletons dropped",
            Options(match="partial", zeros="linear"),
            note="the task was scored with an older version of the scorer; figures of its overview may differ",
        ),
        Preset(
            "crac23",
            "CRAC 2023: head match, singletons dropped",
            Options(zeros="linear"),
            note="the task was scored with an older version of the scorer; figures of its overview may differ",
        ),
        Preset("crac24", "CRAC 2024: head match, zeros by dependencies, singletons dropped", Options()),
        Preset("crac25", "CRAC 2025: head match, zeros by dependencies, singletons dropped", Options()),
        Preset(
            "conll12",
            "CoNLL-2011 and CoNLL-2012: exact match, singletons as annotated, the reference scorer 8.01",
            Options(match="exact", zeros="linear", singletons="keep", rules="conll-8.01"),
            metrics="conll12",
        ),
    )
}


def chosen(preset: str | None, **given: str | None) -> Options:
    """The options of a preset, or else the defaults, with what was given in their place."""
    base = preset_named(preset).options if preset else Options()
    return base._replace(**{name: value for name, value in given.items() if value is not None})


def wanted_metrics(preset: str | None, metrics: str | Sequence[str] | None) -> str | Sequence[str]:
    """The metrics that are asked for, or else those of the preset, or else all official ones."""
    if metrics is not None:
        return metrics
    return preset_named(preset).metrics if preset else "corefud"


def preset_named(name: str) -> Preset:
    """The preset of that name."""
    if name not in PRESETS:
        raise OptionError.unknown("preset", [str(name)], PRESETS)
    return PRESETS[name]


def settings_of(options: Options) -> dict[str, str]:
    """The options that every score has: match, zeros, singletons and rules."""
    return {name: getattr(options, name) for name in CHOICES}
