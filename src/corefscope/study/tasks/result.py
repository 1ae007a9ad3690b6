"""The result of a shared task: a report for every submission, macro averages over data sets, and a ranking."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...base.numbers import headline
from ...base.result import Result
from ...base.version import __version__
from ...count.baselines import of_file
from ...count.metrics import METRICS
from ...evaluate.results import Report
from ...read.corpus import one_digest
from ..resampling import Interval
from .averages import Averages, ByMetric
from .parts import parts_of
from .ranking import Ranking, by_average, by_significance, randomisation
from .task import Scheme, Task, Unscored

if TYPE_CHECKING:
    from .checks import Check

__all__ = ["TaskResult", "Unscored"]


class TaskResult(Result, Mapping[str, dict[str, Report]]):
    """Reports by system and data set, averages and ranks.

    ``result["ours"]["en_gum"]["conll"].f1`` is a score, ``result.macro("ours")["conll"].f1`` the average over data
    sets, ``result.ranks["ours"]`` the rank (None if it has none), ``result.errors`` what went wrong.
    """

    NAMES = ("system", "dataset", "over", "metric")

    def __init__(
        self,
        task: Task,
        scheme: Scheme,
        reports: dict[str, dict[str, Report]],
        problems: Sequence[Unscored] = (),
        empty: Mapping[str, Report] | None = None,
        checks: Mapping[tuple[str, str], Check] | None = None,
        *,
        tested: bool = True,
    ) -> None:
        """``empty`` has the report of a response without entities, for data sets that some system lacks.

        ``checks`` are what validation found, by system and data set.
        """
        self.task = task
        self.scheme = scheme
        self.metrics = scheme.metrics
        self.problems = tuple(problems)
        """Everything that was not scored."""
        self.tested = tested
        """Whether systems that do not differ significantly share a rank."""
        self._by_system = reports
        self._reports = [report for by_dataset in reports.values() for report in by_dataset.values()]
        self._empty = empty or {}
        bad = {problem.dataset for problem in problems if not problem.system}
        self.datasets = tuple(name for name in task.datasets if name not in bad)
        """The data sets that averages are made of."""
        self.parts = parts_of(task, self.datasets)
        """Languages and groups, which have averages of their own."""
        self.checks = checks or {}
        """What validation found, by system and data set; empty if nobody asked for it."""
        self.averages = Averages(reports, self.datasets, scheme, self._empty)
        keys = dict.fromkeys(name for report in self._reports for side in report.inputs[:1] for name in side.formats)
        options = scheme.options.completed(keys or [scheme.options.format])
        if task.baselines:
            options = options._replace(baseline=self._baseline())
        self.options = options.as_of(report.options for report in self._reports)
        """Those of all submissions; as format, every format there is."""

    def _baseline(self) -> str:
        """What options call the files that scores are measured from, from those of every data set."""
        reports = {name: report for by_dataset in self._by_system.values() for name, report in by_dataset.items()}
        return of_file(one_digest([reports[name].inputs[2].digest for name in self.datasets if name in reports]))

    def __getitem__(self, system: str) -> dict[str, Report]:
        return self._by_system[system]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_system)

    def __len__(self) -> int:
        return len(self._by_system)

    @property
    def errors(self) -> tuple[Unscored, ...]:
        """What must be mended: faulty submissions, keys that cannot be read, and what the rules say must be there."""
        must_be_there = self.scheme.missing == "error"
        return tuple(problem for problem in self.problems if problem.status != "missing" or must_be_there)

    def is_complete(self, system: str) -> bool:
        """Whether a system has a scored submission for every data set."""
        return self.averages.is_complete(system)

    def scores(self, system: str, dataset: str) -> ByMetric | None:
        """The scores of a submission, zeros included that stand for a missing one; None if there is nothing."""
        return self.averages.scores(system, dataset)

    def macro(self, system: str, datasets: Sequence[str] | None = None) -> ByMetric | None:
        """By metric the mean over data sets of each figure; F1 is the mean of F1. None if the rules allow no average.

        ``missing="zero"``: of all data sets; ``skip``: of those that the system has; ``error``: only if it has all.
        Those in which no system has anything to count are left out. With ``datasets``, the same of these: those of a
        language, say (``result.parts``).
        """
        return self.averages.macro(system, datasets)

    def counting(self, metric: str, datasets: Sequence[str] | None = None) -> tuple[str, ...]:
        """The data sets that the average of a metric is made of: those in which some system has something to count.

        All of them if there are none.
        """
        return self.averages.counting(metric, datasets)

    def nothing(self, metric: str, datasets: Sequence[str] | None = None) -> bool:
        """Whether no system has anything to count in any data set."""
        return self.averages.nothing(metric, datasets)

    def average(self, system: str, metric: str, datasets: Sequence[str] | None = None) -> float | None:
        """The macro average of F1, or of the value of a metric that has no F1."""
        averages = self.macro(system, datasets)
        return None if averages is None else headline(averages[metric])

    @cached_property
    def ranking(self) -> Ranking:
        """The systems that can be ranked, from the best to the worst, in clusters."""
        metric = self.scheme.rank_by
        averages = {
            system: average
            for system in self
            if self.scheme.missing == "zero" or self.is_complete(system)
            if (average := self.average(system, metric)) is not None
        }
        perfect = METRICS[metric].scale.perfect
        reports = self._for_test(list(averages))
        if not self.tested or not any(reports.values()):
            return by_average(averages, perfect)
        p_values = randomisation(reports, averages, len(self.counting(metric)), metric, self.scheme.plan)
        return by_significance(averages, perfect, p_values)

    @cached_property
    def intervals(self) -> dict[str, Interval]:
        """How sure the macro average of the ranking metric is, by system; nothing if nothing is tested.

        Documents are drawn with replacement within each data set, which is pooled and scored; scores are averaged.
        """
        from .intervals import macro_intervals

        return macro_intervals(self) if self.tested else {}

    def _for_test(self, systems: Sequence[str]) -> dict[str, list[Report]]:
        """The reports of each system by data set; what is missing counts as a response without entities."""
        datasets = self.counting(self.scheme.rank_by)
        names = [name for name in datasets if name in self._empty or all(name in self[system] for system in systems)]
        return {
            system: [self[system][name] if name in self[system] else self._empty[name] for name in names]
            for system in systems
        }

    @cached_property
    def ranks(self) -> dict[str, int | None]:
        """By system, the best first; None for those that are not ranked, which come last, by their averages."""
        ranked: dict[str, int | None] = {**self.ranking.ranks}
        metric, perfect = self.scheme.rank_by, METRICS[self.scheme.rank_by].scale.perfect

        def distance(system: str) -> float:
            average = self.average(system, metric)
            return float("inf") if average is None else abs(perfect - average)

        others = sorted((system for system in self if system not in ranked), key=distance)
        return {**ranked, **dict.fromkeys(others)}

    @cached_property
    def documents_of(self) -> dict[str, int]:
        """How many there are in each data set that somebody was scored on."""
        reports = {**self._empty}
        for by_dataset in self.values():
            reports.update(by_dataset)
        return {name: len(reports[name].rows) for name in self.datasets if name in reports}

    @property
    def documents(self) -> int:
        """How many there are in all data sets."""
        return sum(self.documents_of.values())

    @property
    def summary(self) -> str:
        """The systems with their ranks."""
        ranked = ", ".join(f"{rank or '-'} {system}" for system, rank in self.ranks.items())
        return f"of {len(self.datasets)} data sets: {ranked}"

    @property
    def signature(self) -> str:
        """What to quote beside the figures."""
        plan = f"|{self.scheme.plan}" if self.tested else ""
        return (
            f"{self.options}|average:macro|datasets:{len(self.datasets)}|rank_by:{self.scheme.rank_by}"
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
        return [*silent, *dict.fromkeys(warning for report in self._reports for warning in report.warnings)]

    @property
    def notes(self) -> list[str]:
        """What must be known to read the figures."""
        from .notes import notes

        return notes(self)

    def problem(self, system: str, dataset: str) -> Unscored | None:
        """Why a submission was not scored: its own fault, or that of the key."""
        blamed = (problem for problem in self.problems if problem.system in ("", system))
        return next((problem for problem in blamed if problem.dataset == dataset), None)

    def to_dict(self, per_document: bool = True) -> dict[str, Any]:
        """Everything as plain values, with the report of every submission; a JSON Schema describes it."""
        from .plain import as_dict

        return as_dict(self, per_document)

    def to_records(self, per_document: bool = False) -> list[dict[str, Any]]:
        """One flat record for each system, data set and metric (``micro``), and for each average (``macro``).

        With ``per_document`` also one for each document, before those of its data set, whose document is empty.
        """
        from .plain import as_records

        return as_records(self, per_document)
