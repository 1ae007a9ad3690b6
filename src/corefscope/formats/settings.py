"""The results of scoring one response under several settings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..core.report import Report
from ..core.result import Result, how_many_numbers, main_figures
from ..core.version import __version__

if TYPE_CHECKING:
    from ..core.input import Input


SETTINGS_SCHEMA = "corefscope-settings-1"


class SettingsReport(Result, dict[str, Report]):
    """The reports of one response under several settings, by their titles."""

    NAMES = ("setting", "metric")
    summary = property(main_figures)

    @property
    def signature(self) -> str:
        """Of every option all values that settings have; each report has a signature of its own to replay."""
        return in_common(str(report.options) for report in self.values())

    @property
    def inputs(self) -> tuple[Input, ...]:
        """What was read."""
        return next(iter(self.values())).inputs

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was odd, in any of them."""
        return tuple(dict.fromkeys(warning for report in self.values() for warning in report.warnings))

    def to_dict(self, per_document: bool = True) -> dict[str, Any]:
        """The reports as plain values, by setting."""
        settings = {title: report.to_dict(per_document) for title, report in self.items()}
        return {"schema": SETTINGS_SCHEMA, "settings": settings, "numbers": how_many_numbers(settings)}

    def to_records(self, per_document: bool = False) -> list[dict[str, Any]]:
        """One flat record for each setting and metric (and document)."""
        return [
            {"setting": title, **record}
            for title, report in self.items()
            for record in report.to_records(per_document)
        ]


def in_common(options: Iterable[str]) -> str:
    """One signature of several: of every part all values that there are.

    >>> in_common(["corefud|match:head", "corefud|match:exact"]).rpartition("|")[0]
    'corefud|match:head,exact'
    """
    parts: dict[str, dict[str, None]] = {}
    for signature in options:
        for item in signature.split("|"):
            name, colon, value = item.partition(":")
            parts.setdefault(name + colon, {})[value] = None
    return "|".join([*(name + ",".join(values) for name, values in parts.items()), f"v{__version__}"])
