"""Several settings at once: what organisers publish and participants assemble from many runs, from one reading.

A setting is written as what differs from the options at hand, joined by ``+``: values of options (``exact``,
``keep``, ``corrected``), a preset, metrics or groups: ``exact+keep``, ``crac22``, ``partial+muc+lea``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..base.errors import OptionError
from ..count.metrics import GROUPS, METRICS
from .options import CHOICES, Options
from .presets import PRESETS, settings_of

TABLE: dict[str, dict[str, str]] = {
    "crac": {
        "head match": "head+dependent+drop",
        "exact match": "exact+dependent+drop",
        "partial match": "partial+dependent+drop",
        "with singletons": "head+dependent+keep",
        "zeros": "head+dependent+drop+zero",
    },
}
"""Sets of settings that have a name of their own: titles, and what they stand for.

A row names everything that its title promises, so that other options cannot change what it means; rules and metrics
are those at hand.
"""

OPTION_OF = {value: name for name, choices in CHOICES.items() for value in choices}


class Setting(NamedTuple):
    """One way to score."""

    title: str
    options: Options
    metrics: str | Sequence[str]


def parse_settings(text: str | Sequence[str], base: Options, metrics: str | Sequence[str]) -> list[Setting]:
    """The settings that a text such as ``crac`` or ``head,exact+keep`` stands for, on top of some options.

    >>> [setting.options.match for setting in parse_settings("head,exact+keep", Options(), "conll")]
    ['head', 'exact']
    """
    wanted = text.split(",") if isinstance(text, str) else list(text)
    named: dict[str, str] = {}
    for item in (item.strip() for item in wanted):
        named.update(TABLE.get(item, {item: item}))
    if not all(named):
        raise OptionError("a setting is empty: name some, such as crac, or head,exact+keep")
    return [_setting(title, written, base, metrics) for title, written in named.items()]


def _setting(title: str, written: str, base: Options, metrics: str | Sequence[str]) -> Setting:
    presets: list[str] = []
    values: dict[str, str] = {}
    chosen: list[str] = []
    for word in written.split("+"):
        if word in OPTION_OF:
            name = OPTION_OF[word]
            if name in values:
                raise OptionError(f"the setting {written!r} has two values of {name}: {values[name]} and {word}")
            values[name] = word
        elif word in PRESETS:
            presets.append(word)
        elif word in METRICS or word in GROUPS:
            chosen.append(word)
        elif word in TABLE:
            raise OptionError(f"{word} stands for several settings and cannot be part of one: {written!r}")
        else:
            raise OptionError.unknown("setting", [word], [*TABLE, *OPTION_OF, *PRESETS, *GROUPS, *METRICS])
    if len(presets) > 1:
        raise OptionError(f"the setting {written!r} has two presets: {presets[0]} and {presets[1]}")
    for preset in presets:
        values = {**settings_of(PRESETS[preset].options), **values}
        chosen = chosen or [PRESETS[preset].metrics]
    return Setting(title, base._replace(**values), chosen or metrics)
