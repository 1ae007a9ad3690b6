"""Presets: what shared tasks used, as one name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from .choices import PresetName
from .naming import by_name
from .registry import Registry

if TYPE_CHECKING:
    from .options import Options


class Preset(NamedTuple):
    """One row of the table of presets."""

    name: PresetName
    title: str
    options: Options
    metrics: str = "corefud"
    note: str = ""

    def __repr__(self) -> str:
        return by_name(self)


class PresetRegistry(Registry[Preset]):
    """Presets by name."""

    if TYPE_CHECKING:

        def __iter__(self) -> Iterator[PresetName]: ...


PRESETS = PresetRegistry()
