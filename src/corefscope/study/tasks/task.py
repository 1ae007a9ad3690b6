"""What a shared task consists of: data sets, systems, their submissions, and how they are scored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from ...base.errors import OptionError
from ...count.baselines import comparable
from ...count.metrics import METRICS, aliases, headline_metric
from ...evaluate.options import CHOICES
from ...evaluate.presets import parse_settings
from ...evaluate.request import Request, split
from ...read.formats import FORMATS
from ..resampling import Plan

MISSING: dict[str, str] = {
    "zero": "a submission that is missing or faulty scores 0",
    "skip": "systems are averaged over the data sets they have, and ranked only if they have all",
    "error": "systems have no average and no rank unless they have all data sets; exit code 1",
}
"""What becomes of a system that lacks a submission."""


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
"""What is done with a submission, one after the other; and what messages call that at which it failed."""


class Unscored(NamedTuple):
    """A submission that was not scored, or a key that cannot be read."""

    system: str
    """Empty if the key is to blame, and nobody's submission."""
    dataset: str
    status: str
    """``missing``, ``faulty`` or ``key``."""
    message: str
    step: str = "find"
    """At which it failed: one of ``STEPS``."""

    def __str__(self) -> str:
        if not self.system:
            return f"data set {self.dataset} is left out: {self.message}"
        return f"{', '.join(filter(None, (f'{self.system} on {self.dataset}', STEPS[self.step])))}: {self.message}"


RANKING = ("rank_by", "missing", "resamples", "seed")
"""How systems are ranked, as fields of a manifest."""
PRINTED = ("reading", "unclosed", "style", "repair")
"""How printed text is read; its words are always those of the key."""
FIELDS = (
    *("preset", *CHOICES, "heads", "anaphors", "metrics", "key_format", "response_format", "words", *PRINTED),
    *("documents", "topic", *RANKING, "settings", "baseline"),  # which depends on what becomes of missing submissions
)
"""All that a manifest may say about scoring and ranking."""


class Scheme:
    """How a task is scored and ranked; OptionError if a value does not exist."""

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
        """What becomes of systems that lack a submission: one of ``MISSING``."""
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
    """A scheme for each of the settings that are named, by their titles; without any, one whose title is empty.

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
    """A manifest or a directory, once the files were looked for."""

    path: str
    datasets: dict[str, str]
    """The key of each data set."""
    systems: dict[str, dict[str, Submission]]
    """The submissions of each system, for all data sets."""
    settings: Mapping[str, Any] = {}
    """What the manifest says about scoring and ranking: some of ``FIELDS``."""
    baselines: Mapping[str, str] = {}
    """The file of each data set that scores are measured from, if they are from files."""
    languages: Mapping[str, str] = {}
    """The language of data sets, where their names do not say it."""
    groups: Mapping[str, tuple[str, ...]] = {}
    """The groups that a data set is in, if it is in any."""

    def replaced(self, settings: Mapping[str, Any]) -> Task:
        """The same task with these settings in the place of its own; None leaves one as it is."""
        given = {name: value for name, value in settings.items() if value is not None}
        return self._replace(settings={**self.settings, **given})
