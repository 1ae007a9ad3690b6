"""The result of a shared task: a report for every submission, macro averages over data sets, and a ranking."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from ...base.annotations import Any
from ...base.numbers import headline
from ...base.record import Record
from ...base.result import Result, how_many_numbers
from ...base.version import __version__
from ...count.baselines import of_file
from ...count.metrics import METRICS
from ...evaluate.results import FIGURES, Report, Scores
from ...read.corpus import one_digest
from ..saved_scores import TASK
from .averages import ByMetric, counting, lost, macro_average
from .ranking import Ranking, by_average, by_significance, randomisation
from .task import Scheme, Task


class Unscored(Record):
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


class TaskResult(Result, Mapping[str, dict[str, Report]]):
    """Reports by system and data set, averages and ranks.

    ``result["ours"]["en_gum"]["conll"].f1`` is a score, ``result.macro("ours")["conll"].f1`` the average over data
    sets, ``result.ranks["ours"]`` the rank (None if it has none), ``result.errors`` what went wrong.
    """

    NAMES = ("system", "dataset", "metric")

    def __init__(
        self,
        task: Task,
        scheme: Scheme,
        reports: dict[str, dict[str, Report]],
        problems: Sequence[Unscored] = (),
        empty: Mapping[str, Report] | None = None,
        *,
        tested: bool = True,
    ) -> None:
        """``empty`` has the report of a response without entities, for data sets that some system lacks."""
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
        return len(self[system]) == len(self.datasets)

    def scores(self, system: str, dataset: str) -> ByMetric | None:
        """The scores of a submission, zeros included that stand for a missing one; None if there is nothing."""
        return self[system].get(dataset) or (self._lost if self.scheme.missing == "zero" else None)

    @cached_property
    def _lost(self) -> ByMetric:
        return {metric: lost(metric, self.scheme.options.rules) for metric in self.metrics}

    def macro(self, system: str) -> ByMetric | None:
        """By metric the mean over data sets of each figure; F1 is the mean of F1. None if the rules allow no average.

        ``missing="zero"``: of all data sets; ``skip``: of those that the system has; ``error``: only if it has all.
        Those in which no system has anything to count are left out.
        """
        return self._macro[system]

    @cached_property
    def _macro(self) -> dict[str, ByMetric | None]:
        return {system: self._averages(system) for system in self}

    def _averages(self, system: str) -> ByMetric | None:
        scores = {name: scores for name in self.datasets if (scores := self.scores(system, name)) is not None}
        if not scores or (self.scheme.missing == "error" and not self.is_complete(system)):
            return None
        averages = {}
        for metric in self.metrics:
            averaged = [scores[name] for name in self.counting(metric) if name in scores] or list(scores.values())
            averages[metric] = macro_average([of_dataset[metric] for of_dataset in averaged])
        return averages

    def counting(self, metric: str) -> tuple[str, ...]:
        """The data sets that the average of a metric is made of: those in which some system has something to count.

        All of them if there are none.
        """
        return self._counting[metric] or self.datasets

    def nothing(self, metric: str) -> bool:
        """Whether no system has anything to count in any data set."""
        return not self._counting[metric]

    @cached_property
    def _counting(self) -> dict[str, tuple[str, ...]]:
        reports = {name: [self[system][name] for system in self if name in self[system]] for name in self.datasets}
        return {metric: counting(reports, metric) for metric in self.metrics}

    def average(self, system: str, metric: str) -> float | None:
        """The macro average of F1, or of the value of a metric that has no F1."""
        averages = self.macro(system)
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
        perfect = METRICS[metric].perfect
        reports = self._for_test(list(averages))
        if not self.tested or not any(reports.values()):
            return by_average(averages, perfect)
        p_values = randomisation(reports, averages, len(self.counting(metric)), metric, self.scheme.plan)
        return by_significance(averages, perfect, p_values)

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
        metric, perfect = self.scheme.rank_by, METRICS[self.scheme.rank_by].perfect

        def distance(system: str) -> float:
            average = self.average(system, metric)
            return float("inf") if average is None else abs(perfect - average)

        others = sorted((system for system in self if system not in ranked), key=distance)
        return {**ranked, **dict.fromkeys(others)}

    @cached_property
    def documents(self) -> int:
        """How many there are in all data sets."""
        reports = {**self._empty}
        for by_dataset in self.values():
            reports.update(by_dataset)
        return sum(len(reports[name].documents) for name in self.datasets if name in reports)

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

    def _problem(self, system: str, dataset: str) -> Unscored | None:
        """Why a submission was not scored: its own fault, or that of the key."""
        blamed = (problem for problem in self.problems if problem.system in ("", system))
        return next((problem for problem in blamed if problem.dataset == dataset), None)

    def to_dict(self, per_document: bool = True) -> dict[str, Any]:
        """Everything as plain values, with the report of every submission; a JSON Schema describes it."""
        scheme = self.scheme
        values = {
            "schema": TASK,
            "signature": self.signature,
            "task": self.task.path,
            "options": {name: value for name, value in self.options._asdict().items() if name != "format"},
            "formats": dict(zip(("key", "response"), scheme.request.formats, strict=True)),
            "metrics": list(self.metrics),
            "rank_by": scheme.rank_by,
            "missing": scheme.missing,
            "plan": scheme.plan._asdict() if self.tested else None,
            "datasets": {
                name: {"key": key, "averaged": name in self.datasets, **self._measured_from(name)}
                for name, key in self.task.datasets.items()
            },
            "systems": {
                system: {
                    "rank": rank,
                    "complete": self.is_complete(system),
                    "macro": {
                        metric: score._asdict() | ({"nothing": True} if self.nothing(metric) else {})
                        for metric, score in (self.macro(system) or {}).items()
                    },
                    "submissions": {
                        name: self._submission(system, name, per_document) for name in self.task.datasets
                    },
                }
                for system, rank in self.ranks.items()
            },
            "clusters": [list(cluster) for cluster in self.ranking.clusters],
            "comparisons": [contrast._asdict() for contrast in self.ranking.comparisons],
            "errors": [problem._asdict() for problem in self.errors],
            "notes": self.notes,
            "warnings": self.warnings,
        }
        return {**values, "numbers": how_many_numbers(values)}

    def _measured_from(self, dataset: str) -> dict[str, str]:
        return {"baseline": self.task.baselines[dataset]} if self.task.baselines else {}

    def _submission(self, system: str, dataset: str, per_document: bool) -> dict[str, Any]:
        report, problem = self[system].get(dataset), self._problem(system, dataset)
        return {
            "file": self.task.systems[system][dataset].path or None,
            "status": problem.status if problem else "scored",
            "message": problem.message if problem else None,
            "report": None if report is None else report.to_dict(per_document),
        }

    def to_records(self, per_document: bool = False) -> list[dict[str, Any]]:
        """One flat record for each system, data set and metric (``micro``), and for each average (``macro``).

        With ``per_document`` also one for each document, before those of its data set, whose document is empty.
        """
        records, signature = [], self.signature
        for system, rank in self.ranks.items():
            for dataset, document, scores in self._scored(system, per_document):
                problem = self._problem(system, dataset)
                shared = {
                    "system": system,
                    "rank": rank,
                    "average": "" if document else "micro" if dataset else "macro",
                    "dataset": dataset,
                    "submission": (problem.status if problem else "scored") if dataset else "",
                    **({"document": document} if per_document else {}),
                }
                for metric in self.metrics:
                    nothing = scores.nothing if isinstance(scores, Scores) else self.nothing
                    score = None if scores is None or nothing(metric) else scores[metric]
                    figures = {figure: getattr(score, figure, None) for figure in FIGURES}
                    records.append({**shared, "metric": metric, **figures, "signature": signature})
        return records

    def _scored(self, system: str, per_document: bool) -> Iterator[tuple[str, str, ByMetric | None]]:
        """Data set, document and scores: every document if they are asked for, every data set, then the average."""
        for name in self.datasets:
            if per_document and name in self[system]:
                yield from ((name, document, scores) for document, scores in self[system][name].documents.items())
            yield name, "", self.scores(system, name)
        yield "", "", self.macro(system)
