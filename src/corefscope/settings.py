"""Several settings at once: what organisers publish and participants assemble from many runs, from one reading.

A setting is written as what differs from the options at hand, joined by ``+``: values of options (``exact``,
``keep``, ``corrected``), a preset, metrics or groups: ``exact+keep``, ``crac22``, ``partial+muc+lea``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .errors import OptionError
from .metrics import GROUPS, METRICS
from .options import CHOICES, Options
from .presets import PRESETS, settings_of

TABLE: dict[str, dict[str, str]] = {
    "crac": {
        "head match": "head",
        "exact match": "exact",
        "partial match": "partial",
        "with singletons": "keep",
        "zeros": "zero",
    },
}
"""Sets of settings that have a name of their own: titles, and what they stand for."""

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
    return [_setting(title, written, base, metrics) for title, written in named.items()]


def _setting(title: str, written: str, base: Options, metrics: str | Sequence[str]) -> Setting:
    options = base
    chosen: list[str] = []
    for word in written.split("+"):
        if word in OPTION_OF:
            options = options._replace(**{OPTION_OF[word]: word})
        elif word in PRESETS:
            options = options._replace(**settings_of(PRESETS[word].options))
            chosen = chosen or [PRESETS[word].metrics]
        elif word in METRICS or word in GROUPS:
            chosen.append(word)
        else:
            raise OptionError.unknown("setting", [word], [*TABLE, *OPTION_OF, *PRESETS, *GROUPS, *METRICS])
    return Setting(title, options, chosen or metrics)
