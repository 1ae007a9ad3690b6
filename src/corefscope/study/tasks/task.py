"""What a shared task consists of: data sets, systems, their submissions, and how they are scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from ...base.errors import OptionError
from ...count.metrics import METRICS, headline_metric, select
from ...evaluate.options import Options
from ...evaluate.presets import chosen, wanted_metrics
from ...read.formats import FORMATS
from ..resampling import DEFAULT, Plan

MISSING: dict[str, str] = {
    "zero": "a submission that is missing or faulty scores 0",
    "skip": "systems are averaged over the data sets they have, and ranked only if they have all",
    "error": "systems have no average and no rank unless they have all data sets; exit code 1",
}
"""What becomes of a system that lacks a submission."""

Status = Literal["scored", "missing", "faulty"]


class Submission(NamedTuple):
    """The response of one system to one data set, or why there is none."""

    path: str
    status: Status = "scored"
    """``scored`` unless something is known to be wrong before it is read."""
    message: str = ""


class Scheme(NamedTuple):
    """How a task is scored and ranked, nothing left open."""

    options: Options
    metrics: tuple[str, ...]
    rank_by: str
    missing: str
    plan: Plan
    key_format: str | None
    response_format: str | None


class Settings(NamedTuple):
    """The fields of a manifest that say how a task is scored and ranked; what is None is left open."""

    preset: str | None = None
    match: str | None = None
    zeros: str | None = None
    singletons: str | None = None
    rules: str | None = None
    metrics: str | Sequence[str] | None = None
    rank_by: str | None = None
    missing: str | None = None
    resamples: int | None = None
    seed: int | None = None
    key_format: str | None = None
    response_format: str | None = None

    def replaced(self, given: Mapping[str, Any]) -> Settings:
        """These settings with what is given in their place; None leaves a field as it is."""
        return self._replace(**{name: value for name, value in given.items() if value is not None})

    def scheme(self) -> Scheme:
        """The settings with defaults for what was left open; OptionError if a value does not exist."""
        options = chosen(
            self.preset, match=self.match, zeros=self.zeros, singletons=self.singletons, rules=self.rules
        ).checked()
        metrics = select(wanted_metrics(self.preset, self.metrics))
        rank_by = self.rank_by or headline_metric(metrics)
        if rank_by not in METRICS:
            raise OptionError.unknown("metric", [rank_by], METRICS)
        if rank_by not in metrics:
            metrics = (*metrics, rank_by)
        missing = self.missing or "zero"
        if missing not in MISSING:
            raise OptionError.unknown("value of missing", [missing], MISSING)
        for name in (self.key_format, self.response_format):
            if name is not None and name not in FORMATS:
                raise OptionError.unknown("format", [name], FORMATS)
        plan = Plan(
            DEFAULT.resamples if self.resamples is None else self.resamples,
            DEFAULT.seed if self.seed is None else self.seed,
        ).checked()
        return Scheme(options, metrics, rank_by, missing, plan, self.key_format, self.response_format)


class Task(NamedTuple):
    """A manifest or a directory, once the files were looked for."""

    path: str
    datasets: dict[str, str]
    """The key of each data set."""
    systems: dict[str, dict[str, Submission]]
    """The submissions of each system, for all data sets."""
    settings: Settings = Settings()
