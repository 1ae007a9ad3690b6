"""Shared tasks: data sets, systems, their submissions, how they are scored, and parts with averages of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

from ...core.baselines import comparable
from ...core.errors import OptionError
from ...core.format import FORMATS
from ...core.metrics import METRICS, aliases, headline_metric
from ...core.options import CHOICES
from ...core.presets import parse_settings
from ...core.request import Request, split
from ..resampling import Plan

MISSING: dict[str, str] = {
    "zero": "a submission that is missing or faulty scores 0",
    "skip": "systems are averaged over the data sets they have, and ranked only if they have all",
    "error": "systems have no average and no rank unless they have all data sets; exit code 1",
}
"""How a system that lacks a submission is averaged and ranked."""


class Submission(NamedTuple):
    """The response of one system to one data set, or why there is none."""

    path: str
    status: Literal["scored", "missing", "faulty"] = "scored"
    """``scored`` unless something is known to be wrong before it is read."""
    message: str = ""


STEPS: dict[str, str] = {
    "find": "",
    "read": "reading",
    "align": "comparing its words with the key",
    "score": "scoring",
}
"""The steps of scoring a submission, in order, with their names in messages."""


class Unscored(NamedTuple):
    """A submission that was not scored, or a key that cannot be read."""

    system: str
    """Empty if the error is in the key."""
    dataset: str
    status: str
    """``missing``, ``faulty`` or ``key``."""
    message: str
    step: str = "find"
    """The step that failed: one of ``STEPS``."""

    def __str__(self) -> str:
        if not self.system:
            return f"data set {self.dataset} is left out: {self.message}"
        return f"{', '.join(filter(None, (f'{self.system} on {self.dataset}', STEPS[self.step])))}: {self.message}"


RANKING = ("rank_by", "missing", "resamples", "seed")
"""How systems are ranked, as fields of a manifest."""
PRINTED = ("reading", "unclosed", "style", "repair")
"""Options for reading printed text; its words are always those of the key."""
FIELDS = (
    *("preset", *CHOICES, "heads", "anaphors", "metrics", "key_format", "response_format", "words", "align"),
    *PRINTED,
    *("documents", "topic", *RANKING, "settings", "baseline"),  # last: it depends on ``missing``
)
"""The fields of a manifest about scoring and ranking."""


class Scheme:
    """Options for scoring and ranking a task; OptionError for unknown values."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        """``settings`` are fields of a manifest, and further arguments of a request."""
        ranking, arguments = split(settings, RANKING)
        self.request = Request(arguments)
        self.options = self.request.options
        metrics = self.request.metrics
        if self.options.baseline:
            metrics = comparable(metrics, self.options.baseline)
        rank_by = ranking.get("rank_by", headline_metric(metrics))
        OptionError.check("metric", rank_by, METRICS, aliases())
        self.rank_by = METRICS[rank_by].name
        """The metric by whose macro average systems are ranked."""
        self.metrics = metrics if self.rank_by in metrics else (*metrics, self.rank_by)
        self.missing: str = ranking.get("missing", "zero")
        """How systems that lack a submission are treated: one of ``MISSING``."""
        OptionError.check("value of missing", self.missing, MISSING)
        if self.missing == "zero":
            self.request.refuse(
                baseline="a missing submission counts 0, which is no score from a baseline; let it be"
                " skipped, or an error (missing)"
            )
        for name in self.request.formats:
            if name is not None:
                OptionError.check("format", name, FORMATS)
        self.plan = Plan(**{name: ranking[name] for name in ("resamples", "seed") if name in ranking}).checked()


def schemes(settings: Mapping[str, Any]) -> dict[str, Scheme]:
    """The scheme of each setting by title; without settings, one scheme with an empty title.

    A setting that has metrics of its own is ranked by the first of them, unless ``rank_by`` is among them.
    """
    named, common = split(settings, ("settings",))
    if not named:
        return {"": Scheme(common)}
    Request(split(common, RANKING)[1])  # settings replace values, which are checked here
    schemes = {}
    for title, changes in parse_settings(named["settings"]).items():
        own: dict[str, Any] = {**common, **changes}
        if "metrics" in changes and own.get("rank_by") not in Request({"metrics": changes["metrics"]}).metrics:
            own.pop("rank_by", None)
        schemes[title] = Scheme(own)
    return schemes


class Task(NamedTuple):
    """A manifest or a directory with the files that were found."""

    path: str
    datasets: dict[str, str]
    """The key of each data set."""
    systems: dict[str, dict[str, Submission]]
    """The submissions of each system, for all data sets."""
    settings: Mapping[str, Any] = {}
    """What the manifest says about scoring and ranking: some of ``FIELDS``."""
    baselines: Mapping[str, str] = {}
    """The baseline file of each data set, if the baseline is a file."""
    languages: Mapping[str, str] = {}
    """The language of data sets, if given by the manifest."""
    groups: Mapping[str, tuple[str, ...]] = {}
    """The groups that a data set is in, if it is in any."""

    def replaced(self, settings: Mapping[str, Any]) -> Task:
        """The task with some settings replaced; None keeps the old value."""
        given = {name: value for name, value in settings.items() if value is not None}
        return self._replace(settings={**self.settings, **given})


CODE = r"([a-z]{2,3})_"
"""The language code (ISO 639) at the beginning of a data set's name."""


class TaskPart(NamedTuple):
    """Data sets with an average of their own: those of a language, or of a group of the manifest."""

    kind: str
    """``language`` or ``group``."""
    name: str
    datasets: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"


def language_of(task: Task, dataset: str) -> str:
    """The language of a data set: from the manifest, or from its name (``en`` of ``en_gum``); empty if unknown.

    >>> from corefscope.comparison.tasks import Task
    >>> [language_of(Task("", {}, {}), name) for name in ("en_gum", "hbo_ptnk", "news")]
    ['en', 'hbo', '']
    """
    named = re.match(CODE, dataset)
    return task.languages.get(dataset) or (named[1] if named else "")


def parts_of(task: Task, datasets: Iterable[str]) -> tuple[TaskPart, ...]:
    """The languages, then the groups of data sets; no languages if each has one data set, or one has all."""
    names = list(datasets)
    languages = _divided("language", [(language_of(task, name), name) for name in names])
    groups = _divided("group", [(group, name) for name in names for group in task.groups.get(name, ())])
    telling = len(languages) > 1 and any(len(part.datasets) > 1 for part in languages)
    return (*(languages if telling else ()), *groups)


def _divided(kind: str, pairs: Iterable[tuple[str, str]]) -> list[TaskPart]:
    by_name: dict[str, list[str]] = {}
    for name, dataset in pairs:
        if name:
            by_name.setdefault(name, []).append(dataset)
    return [TaskPart(kind, name, tuple(inside)) for name, inside in by_name.items()]
