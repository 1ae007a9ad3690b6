"""The result of a shared task: a report for every submission, macro averages over data sets, and a ranking."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ...base.numbers import AnyScore, headline
from ...base.version import __version__
from ...count.metrics import METRICS
from ...evaluate.results import Report
from .averages import lost, macro_average
from .ranking import Ranking, by_average, by_significance, randomisation
from .task import Scheme, Task


class Problem(NamedTuple):
    """A submission that was not scored, or a key that cannot be read."""

    system: str
    """Empty if the key is to blame, and nobody's submission."""
    dataset: str
    status: str
    """``missing``, ``faulty`` or ``key``."""
    message: str

    def __str__(self) -> str:
        if not self.system:
            return f"data set {self.dataset} is left out: {self.message}"
        return f"{self.system} on {self.dataset}: {self.message}"


class TaskResult(Mapping[str, dict[str, Report]]):
    """Reports by system and data set, averages and ranks.

    ``result["ours"]["en_gum"]["conll"].f1`` is a score, ``result.macro("ours")["conll"].f1`` the average over data
    sets, ``result.ranks["ours"]`` the rank (None if it has none), ``result.errors`` what went wrong.
    """

    def __init__(
        self,
        task: Task,
        scheme: Scheme,
        reports: dict[str, dict[str, Report]],
        problems: Sequence[Problem] = (),
        empty: Mapping[str, Report] | None = None,
        *,
        tested: bool = True,
    ) -> None:
        """``empty`` has the report of a response without entities, for data sets that some system lacks."""
        self.task = task
        self.scheme = scheme
        self.problems = tuple(problems)
        """Everything that was not scored."""
        self.tested = tested
        """Whether systems that do not differ significantly share a rank."""
        self._reports = reports
        self._empty = empty or {}
        bad = {problem.dataset for problem in problems if not problem.system}
        self.datasets = tuple(name for name in task.datasets if name not in bad)
        """The data sets that averages are made of."""

    def __getitem__(self, system: str) -> dict[str, Report]:
        return self._reports[system]

    def __iter__(self) -> Iterator[str]:
        return iter(self._reports)

    def __len__(self) -> int:
        return len(self._reports)

    @property
    def metrics(self) -> tuple[str, ...]:
        """What was scored."""
        return self.scheme.metrics

    @property
    def errors(self) -> tuple[Problem, ...]:
        """What must be mended: faulty submissions, keys that cannot be read, and what the rules say must be there."""
        must_be_there = self.scheme.missing == "error"
        return tuple(problem for problem in self.problems if problem.status != "missing" or must_be_there)

    def is_complete(self, system: str) -> bool:
        """Whether a system has a scored submission for every data set."""
        return len(self._reports[system]) == len(self.datasets)

    def scores(self, system: str, dataset: str) -> Mapping[str, AnyScore] | None:
        """The scores of a submission, zeros included that stand for a missing one; None if there is nothing."""
        if dataset in self._reports[system]:
            return self._reports[system][dataset]
        return self._lost if self.scheme.missing == "zero" else None

    @cached_property
    def _lost(self) -> dict[str, AnyScore]:
        return {metric: lost(metric, self.scheme.options.rules) for metric in self.metrics}

    def macro(self, system: str) -> dict[str, AnyScore] | None:
        """By metric the mean over data sets of each figure; F1 is the mean of F1. None if the rules allow no average.

        ``missing="zero"``: of all data sets; ``skip``: of those that the system has; ``error``: only if it has all.
        """
        return self._macro[system]

    @cached_property
    def _macro(self) -> dict[str, dict[str, AnyScore] | None]:
        found: dict[str, dict[str, AnyScore] | None] = {}
        for system in self:
            scores = [scores for name in self.datasets if (scores := self.scores(system, name)) is not None]
            if not scores or (self.scheme.missing == "error" and not self.is_complete(system)):
                found[system] = None
            else:
                found[system] = {name: macro_average([each[name] for each in scores]) for name in self.metrics}
        return found

    def average(self, system: str, metric: str) -> float | None:
        """The macro average of F1, or of the value of a metric that has no F1."""
        found = self.macro(system)
        return None if found is None else headline(found[metric])

    @cached_property
    def ranking(self) -> Ranking:
        """The systems that can be ranked, from the best to the worst, in clusters."""
        metric, everybody = self.scheme.rank_by, self.scheme.missing == "zero"
        averages = {system: self.average(system, metric) for system in self if everybody or self.is_complete(system)}
        known = {system: average for system, average in averages.items() if average is not None}
        perfect = METRICS[metric].perfect
        reports = self._for_test(list(known))
        if not self.tested or not any(reports.values()):
            return by_average(known, perfect)
        p_values = randomisation(reports, known, len(self.datasets), metric, self.scheme.plan)
        return by_significance(known, perfect, p_values)

    def _for_test(self, systems: Sequence[str]) -> dict[str, list[Report]]:
        """The reports of each system by data set; what is missing counts as a response without entities."""
        names = [
            name for name in self.datasets if name in self._empty or all(name in self[system] for system in systems)
        ]
        return {
            system: [self[system][name] if name in self[system] else self._empty[name] for name in names]
            for system in systems
        }

    @cached_property
    def ranks(self) -> dict[str, int | None]:
        """By system, the best first; None for those that are not ranked, which come last, by their averages."""
        ranked: dict[str, int | None] = {**self.ranking.ranks}
        metric, perfect = self.scheme.rank_by, METRICS[self.scheme.rank_by].perfect

        def distance(system: str) -> float:
            average = self.average(system, metric)
            return float("inf") if average is None else abs(perfect - average)

        others = sorted((system for system in self if system not in ranked), key=distance)
        return {**ranked, **dict.fromkeys(others)}

    @cached_property
    def documents(self) -> int:
        """How many there are in all data sets."""
        known = {name: report for found in (self._empty, *self._reports.values()) for name, report in found.items()}
        return sum(len(known[name].documents) for name in self.datasets if name in known)

    @property
    def signature(self) -> str:
        """What to quote beside the figures."""
        reports = [report for found in self._reports.values() for report in found.values()]
        formats = dict.fromkeys(name for report in reports for name in report.options.format.split("+"))
        options = self.scheme.options._replace(format="+".join(formats) or self.scheme.options.format)
        plan = f"|{self.scheme.plan}" if self.tested else ""
        return (
            f"{options}|average:macro|datasets:{len(self.datasets)}|rank_by:{self.scheme.rank_by}"
            f"|missing:{self.scheme.missing}{plan}|v{__version__}"
        )

    @property
    def warnings(self) -> list[str]:
        """What was odd in any of the files, and systems of which nothing was found."""
        silent = [
            f"nothing was found of {system} ({next(iter(submissions.values())).message})"
            for system, submissions in self.task.systems.items()
            if all(submission.status == "missing" for submission in submissions.values())
        ]
        reports = (report for found in self._reports.values() for report in found.values())
        return [*silent, *dict.fromkeys(warning for report in reports for warning in report.warnings)]

    @property
    def notes(self) -> list[str]:
        """What must be known to read the figures."""
        from .notes import notes

        return notes(self)

    def to_dict(self, per_document: bool = True) -> dict[str, Any]:
        """The result as plain values; a JSON Schema describes it."""
        from .plain import to_dict

        return to_dict(self, per_document)

    def to_records(self, per_document: bool = False) -> list[dict[str, Any]]:
        """One flat record for each system, data set and metric (``micro``), and for each average (``macro``).

        With ``per_document`` one for each system, data set, document and metric.
        """
        from .plain import to_records

        return to_records(self, per_document)
