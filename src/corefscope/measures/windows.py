"""A curve over windows: the scores of whole texts, and of the same texts cut into windows of several sizes.

The **cost of distance** is the score of whole texts minus that of windows, in which nothing has to be linked from one
window to the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, Unpack, cast

from ..core.errors import OptionError
from ..core.naming import split_names
from ..core.request import Path, Progress, RequestArguments
from ..core.result import Plain, how_many_numbers
from ..formats.files import score
from ..formats.settings import SettingsReport
from ..formats.source import refuse_pipes

SCHEMA = "corefscope-windows-1"
WHOLE = "whole"
"""The name of the scores of whole texts."""


class WindowCurve(SettingsReport):
    """The reports by size of window, those of whole texts last: ``curve["1500"]["conll"].f1``, ``curve["whole"]``."""

    NAMES: ClassVar[tuple[str, ...]] = ("windows", "metric")

    def cost(self, windows: str, metric: str) -> float | None:
        """F1, or the value, of whole texts minus that of windows; None if one of them has nothing to count."""
        whole, cut = self[WHOLE].figure(metric), self[windows].figure(metric)
        return None if whole is None or cut is None else whole - cut

    def to_dict(self, per_document: bool = True) -> Plain:
        """As plain values, as the schema ``corefscope-windows-1`` describes them."""
        values = {
            "schema": SCHEMA,
            "windows": {name: report.to_dict(per_document) for name, report in self.items()},
            "cost": {name: {metric: self.cost(name, metric) for metric in self.metrics} for name in self.sizes},
        }
        return {**values, "numbers": how_many_numbers(values)}

    @property
    def sizes(self) -> list[str]:
        """The sizes of windows, without whole texts."""
        return [name for name in self if name != WHOLE]

    def to_records(self, per_document: bool = False) -> list[Plain]:
        """One flat record for each size and metric (and document); the cost of distance is of all documents."""
        return [
            {
                "windows": name,
                **record,
                "cost": self.cost(name, record["metric"]) if not record.get("document") else None,
            }
            for name, report in self.items()
            for record in report.to_records(per_document)
        ]


def sizes_in(windows: str | int | Iterable[str | int]) -> list[str]:
    """The sizes of a list such as ``500,1500,whole``, smallest first, without whole texts.

    >>> sizes_in("1500,500,whole"), sizes_in([250])
    (['500', '1500'], ['250'])
    """
    listed = (
        split_names(windows) if isinstance(windows, str) else [windows] if isinstance(windows, int) else [*windows]
    )
    names = {str(name).strip() for name in listed} - {WHOLE}
    if not names or not all(name.isascii() and name.isdigit() and int(name) for name in names):
        raise OptionError(f"windows are numbers of words from 1, such as 500,1500, not {windows!r:.60}")
    return sorted(names, key=int)


def score_windows(
    key: Path,
    response: Path,
    sizes: str | int | Iterable[str | int],
    *,
    progress: Progress | None = None,
    jobs: int | None = 1,
    keep_going: bool = False,
    **arguments: Unpack[RequestArguments],
) -> WindowCurve:
    """Score whole texts, and the same texts in windows of several sizes.

    ``score_windows(key, response, [500, 1500])["1500"]["conll"].f1`` is a score of windows. Other arguments are as
    for :func:`corefscope.score`; files are read once for each size.
    """
    if arguments.get("windows") is not None:
        raise OptionError("windows cannot be used here: their sizes are the third argument")
    refuse_pipes([key, response], "it is read once for each size of window", OptionError)
    requests: Mapping[str, str | None] = {**{size: size for size in sizes_in(sizes)}, WHOLE: None}
    reports = {}
    for name, size in requests.items():
        request = cast("RequestArguments", {**arguments, "windows": size})
        reports[name] = score(key, response, progress=progress, jobs=jobs, keep_going=keep_going, **request)
    return WindowCurve(reports)
