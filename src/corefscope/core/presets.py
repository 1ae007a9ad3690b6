"""Presets: what shared tasks used, as one name. Settings: several ways to score, from one reading.

A setting is written as what differs from the options at hand, joined by ``+``: values of options (``exact``,
``keep``, ``corrected``), a preset, metrics or groups: ``exact+keep``, ``crac22``, ``partial+muc+lea``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from .choices import PresetName
from .errors import OptionError
from .metrics import GROUPS, METRICS
from .naming import by_name, listed_names, split_names
from .options import CHOICES, Options


class Preset(NamedTuple):
    """One row of the table of presets."""

    name: PresetName
    title: str
    options: Options
    metrics: str = "corefud"
    note: str = ""

    def __repr__(self) -> str:
        return by_name(self)


TRACKS = (
    ("", ", all tracks", "conll,bridging_recognition,bridging_mention,bridging_entity,deixis"),
    ("-ar", ", anaphora resolution (identity)", "conll"),
    ("-br", ", bridging", "bridging_recognition,bridging_mention,bridging_entity"),
    ("-dd", ", discourse deixis", "deixis_muc,deixis_bcub,deixis_ceafe,deixis"),
)
"""The tracks of CODI-CRAC: what follows the name of a preset, what it is, and its metrics."""
PRESETS: dict[PresetName, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            "crac22",
            "CRAC 2022: partial match, singletons dropped, CorefUD scorer 1.0",
            Options(match="partial", zeros="linear", rules="corefud-1.0"),
        ),
        Preset(
            "crac23",
            "CRAC 2023: head match, singletons dropped, CorefUD scorer 1.1",
            Options(zeros="linear", rules="corefud-1.1"),
        ),
        *(
            Preset(
                cast("PresetName", f"crac{year}"),
                f"CRAC 20{year}: head match, zeros by dependencies, singletons dropped",
                Options(),
            )
            for year in (24, 25, 26)
        ),
        Preset(
            "conll12",
            "CoNLL-2011 and CoNLL-2012: exact match, singletons as annotated, the reference scorer 8.01",
            Options(match="exact", zeros="linear", singletons="keep", rules="conll-8.01"),
            metrics="conll12",
        ),
        *(
            Preset(
                cast("PresetName", f"codicrac{year}{track}"),
                f"CODI-CRAC 20{year}{what}: exact match, singletons kept, UA scorer 1.0",
                Options(match="exact", zeros="linear", singletons="keep", rules="ua-1.0"),
                metrics=metrics,
            )
            for year in (21, 22)
            for track, what, metrics in TRACKS
        ),
    )
}


def settings_of(options: Options) -> dict[str, str]:
    """The options that every score has: match, zeros, singletons and rules."""
    return {name: getattr(options, name) for name in CHOICES}


SETTINGS: dict[str, dict[str, str]] = {
    "crac": {
        "head match": "head+dependent+drop",
        "exact match": "exact+dependent+drop",
        "partial match": "partial+dependent+drop",
        "with singletons": "head+dependent+keep",
        "zeros": "head+dependent+drop+zero",
    },
    "codicrac": {
        "anaphora resolution": "codicrac22-ar",
        "bridging": "codicrac22-br",
        "discourse deixis": "codicrac22-dd",
    },
}
"""Named sets of settings, with their titles and members.

A row names everything that its title promises, so that other options cannot change what it means; rules and metrics
are those at hand.
"""

OPTION_OF = {value: name for name, choices in CHOICES.items() for value in choices}


def parse_settings(text: str | Sequence[str]) -> dict[str, dict[str, Any]]:
    """Parse settings such as ``crac`` or ``head,exact+keep``: by title, the arguments of a request.

    >>> parse_settings("head,exact+keep")
    {'head': {'match': 'head'}, 'exact+keep': {'match': 'exact', 'singletons': 'keep'}}
    """
    written: dict[str, str] = {}
    for item in listed_names("settings", text):
        name = item.strip()
        written.update(SETTINGS.get(name, {name: name}))
    if not written or not all(written):
        raise OptionError("a setting is empty: name some, such as crac, or head,exact+keep")
    return {title: _setting(words) for title, words in written.items()}


def _setting(written: str) -> dict[str, Any]:
    presets: list[PresetName] = []
    values: dict[str, Any] = {}
    metrics: list[str] = []
    for word in written.split("+"):
        if word in OPTION_OF:
            name = OPTION_OF[word]
            if name in values:
                raise OptionError(f"the setting {written!r} has two values of {name}: {values[name]} and {word}")
            values[name] = word
        elif word in PRESETS:
            presets.append(word)
        elif word in METRICS or word in GROUPS:
            metrics.append(word)
        elif word in SETTINGS:
            raise OptionError(f"{word} stands for several settings and cannot be part of one: {written!r}")
        else:
            raise OptionError.unknown("setting", [word], [*SETTINGS, *OPTION_OF, *PRESETS, *GROUPS, *METRICS])
    if len(presets) > 1:
        raise OptionError(f"the setting {written!r} has two presets: {presets[0]} and {presets[1]}")
    for preset in presets:
        values = {**settings_of(PRESETS[preset].options), **values}
        metrics = metrics or split_names(PRESETS[preset].metrics)
    return {**values, "metrics": metrics} if metrics else values
