"""Results of shared tasks: a report for every submission, macro averages over data sets, and a ranking."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from ...core.baselines import of_file
from ...core.errors import amount
from ...core.input import one_digest
from ...core.metrics import METRICS
from ...core.numbers import AnyScore, headline
from ...core.options import Options
from ...core.report import FIGURES, Report, Scores
from ...core.result import Plain, Result, how_many_numbers
from ...core.version import __version__
from ...formats.settings import in_common
from ..mean_report import MeanReport, mean_of, runs_of, runs_to_dict, spread_fields, spread_notes, spread_of
from ..paired_tests import RUNS, SIGNIFICANT, TIE, p_equals
from ..resampling import ENOUGH, FEW, Interval, Plan
from .averages import (
    ByMetric,
    Contrast,
    Ranking,
    SharedRank,
    macro_intervals,
    missing_score,
    randomisation_test,
    rank_by_average,
    rank_by_significance,
)
from .task import Scheme, Task, TaskPart, Unscored, language_of, parts_of

if TYPE_CHECKING:
    from .scoring import Check


TASK = "corefscope-task-1"
"""The schema of a saved result."""
TASK_SETTINGS = "corefscope-task-settings-1"


class TaskResult(Result, dict[str, dict[str, Report]]):
    """Reports by system and data set, averages and ranks.

    ``result["ours"]["en_gum"]["conll"].f1`` is a score, ``result.macro("ours")["conll"].f1`` the average over data
    sets, ``result.ranks["ours"]`` the rank (None if it has none), ``result.errors`` what went wrong.
    """

    NAMES: ClassVar[tuple[str, ...]] = ("system", "dataset", "over", "metric")

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
        """``empty`` has the report of a response without entities for data sets that some system lacks.

        ``checks`` are the results of validation by system and data set.
        """
        super().__init__(reports)
        self.task = task
        self.scheme = scheme
        self.metrics: tuple[str, ...] = scheme.metrics
        self.problems: tuple[Unscored, ...] = tuple(problems)
        """Everything that was not scored."""
        self.tested = tested
        """Whether systems that do not differ significantly share a rank."""
        self._reports = [report for by_dataset in reports.values() for report in by_dataset.values()]
        self._empty = empty or {}
        bad = {problem.dataset for problem in problems if not problem.system}
        self.datasets: tuple[str, ...] = tuple(name for name in task.datasets if name not in bad)
        """The data sets that averages are made of."""
        self.parts: tuple[TaskPart, ...] = parts_of(task, self.datasets)
        """Languages and groups, which have averages of their own."""
        self.checks: Mapping[tuple[str, str], Check] = checks or {}
        """The results of validation by system and data set; empty without validation."""
        self._macro: dict[tuple[str, tuple[str, ...]], dict[str, AnyScore]] = {}
        keys = dict.fromkeys(name for report in self._reports for side in report.inputs[:1] for name in side.formats)
        options = scheme.options.completed(keys or [scheme.options.format])
        if task.baselines:
            # One digest over the baseline files of all data sets.
            scored = {name: report for by_dataset in reports.values() for name, report in by_dataset.items()}
            digests = [scored[name].inputs[2].digest for name in self.datasets if name in scored]
            options = options._replace(baseline=of_file(one_digest(digests)))
        self.options: Options = options.as_of(report.options for report in self._reports)
        """The options of all submissions; ``format`` lists every format of a key."""

    @property
    def errors(self) -> tuple[Unscored, ...]:
        """Errors to fix: faulty submissions, unreadable keys, and missing submissions if these are errors."""
        must_be_there = self.scheme.missing == "error"
        return tuple(problem for problem in self.problems if problem.status != "missing" or must_be_there)

    def is_complete(self, system: str, datasets: Sequence[str] | None = None) -> bool:
        """Whether a system has a scored submission for every data set, or for each of these."""
        return all(name in self[system] for name in self._selected(datasets))

    def scores(self, system: str, dataset: str) -> ByMetric | None:
        """The scores of a submission, or the zeros of a missing one; None if a missing one has no score."""
        if dataset in self[system] or self.scheme.missing != "zero":
            return self[system].get(dataset)
        return {metric: missing_score(metric, self.scheme.options.rules) for metric in self.metrics}

    def macro(self, system: str, datasets: Sequence[str] | None = None) -> ByMetric | None:
        """The mean of each figure over data sets, by metric; F1 is the mean of F1. None if there is no average.

        ``missing="zero"``: over all data sets; ``skip``: over those that the system has; ``error``: only if it has
        all. Data sets in which no system has anything to count are left out. ``datasets`` restricts the average, for
        example to those of a language (``result.parts``).
        """
        selected = self._selected(datasets)
        if (system, selected) in self._macro:
            return self._macro[system, selected]
        scores = {name: scores for name in selected if (scores := self.scores(system, name)) is not None}
        if not scores or (self.scheme.missing == "error" and not self.is_complete(system, selected)):
            return None
        averages = self._macro[system, selected] = {}
        for metric in self.metrics:
            averaged = [scores[name] for name in self.counting(metric, selected) if name in scores]
            averages[metric] = mean_of([of[metric] for of in averaged or scores.values()])
        return averages

    @cached_property
    def runs(self) -> dict[str, int]:
        """The number of runs of each system that has several."""
        counts = {
            system: max([len(runs_of(report)) for report in self[system].values()], default=1) for system in self
        }
        return {system: count for system, count in counts.items() if count > 1}

    def spread(self, system: str, datasets: Sequence[str] | None = None) -> dict[str, dict[str, float]]:
        """By metric the standard deviation over runs of each figure of ``macro``; empty of one run."""
        macros = [one.macro(system, datasets) for one in self._each_run.get(system, ())]
        known = [macro for macro in macros if macro is not None]
        return {metric: spread_of([macro[metric] for macro in known]) for metric in self.metrics} if known else {}

    @cached_property
    def _each_run(self) -> dict[str, list[TaskResult]]:
        """By system of several runs the result with each of them."""

        def with_run(system: str, number: int) -> TaskResult:
            reports = {name: runs_of(report)[number] for name, report in self[system].items()}
            return TaskResult(self.task, self.scheme, {**self, system: reports}, self.problems, self._empty)

        return {system: [with_run(system, number) for number in range(count)] for system, count in self.runs.items()}

    def counting(self, metric: str, datasets: Sequence[str] | None = None) -> tuple[str, ...]:
        """The data sets that the average of a metric includes: those in which some system has something to count.

        All of them if there are none.
        """
        selected = self._selected(datasets)
        return tuple(name for name in selected if name in self._with_counts[metric]) or selected

    def nothing(self, metric: str, datasets: Sequence[str] | None = None) -> bool:
        """Whether no system has anything to count in any data set."""
        return not any(name in self._with_counts[metric] for name in self._selected(datasets))

    @cached_property
    def _with_counts(self) -> dict[str, tuple[str, ...]]:
        """By metric the data sets in which some system has something to count, or on which no system was scored."""
        by_dataset = {
            name: [reports[name] for reports in (*self.values(), self._empty) if name in reports]
            for name in self.datasets
        }
        return {
            metric: tuple(name for name, of in by_dataset.items() if not of or not all(r.nothing(metric) for r in of))
            for metric in self.metrics
        }

    def _selected(self, datasets: Sequence[str] | None) -> tuple[str, ...]:
        return self.datasets if datasets is None else tuple(datasets)

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
            return rank_by_average(averages, perfect)
        p_values = randomisation_test(reports, averages, len(self.counting(metric)), metric, self.scheme.plan)
        return rank_by_significance(averages, perfect, p_values)

    @cached_property
    def intervals(self) -> dict[str, Interval]:
        """The confidence interval of each system's macro average of the ranking metric; empty without a test."""
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
    def shared_ranks(self) -> dict[str, SharedRank]:
        """Why systems share the rank of a better one, by system; the best of a rank is not among them."""
        shared: dict[str, SharedRank] = {}
        if self.nothing(self.scheme.rank_by):
            return shared
        for best, *others in self.ranking.clusters:
            contrasts = {one.system: one for one in self.ranking.comparisons if one.best == best}
            for system in others:
                contrast = contrasts.get(system)
                if contrast is None or abs(contrast.difference) <= TIE:
                    shared[system] = SharedRank(best, None)
                else:
                    why = self._why_not_significant(contrast, len(contrasts)) if self._disjoint(best, system) else ""
                    shared[system] = SharedRank(best, contrast.adjusted, why)
        return shared

    def _disjoint(self, one: str, other: str) -> bool:
        """Whether the intervals of two systems have no value in common."""
        intervals = [self.intervals[system] for system in (one, other) if system in self.intervals]
        return len(intervals) == 2 and max(low for low, _ in intervals) > min(high for _, high in intervals)

    def _why_not_significant(self, contrast: Contrast, comparisons: int) -> str:
        """Why the test does not find a difference that intervals suggest."""
        if contrast.best in self.runs or contrast.system in self.runs:
            return "the interval of a system of one run does not know how runs vary"
        documents, resamples = self.documents, self.scheme.plan.resamples
        least = 2 * 0.5**documents if 2**documents <= resamples else 1 / (resamples + 1)
        in_all = f"{amount(documents, 'document')} and {amount(comparisons, 'comparison')}"
        if comparisons * least >= SIGNIFICANT:
            return f"with {in_all} no difference can be significant"
        if contrast.p < SIGNIFICANT:
            return f"{p_equals(contrast.p)} is not small enough for {amount(comparisons, 'comparison')}"
        pair = contrast.best, contrast.system
        if lacking := [name for name in self.datasets if not all(name in self[system] for system in pair)]:
            zeros = ", ".join(lacking)
            return f"a submission to {zeros} counts as 0, which is certain for intervals and not for the test"
        if documents < ENOUGH or 1 in self.documents_of.values():
            return "intervals from so few documents are too narrow"
        return "swapping the two in random documents often gives such a difference"

    @cached_property
    def documents_of(self) -> dict[str, int]:
        """The number of documents of each data set on which some system was scored."""
        reports = {**self._empty}
        for by_dataset in self.values():
            reports.update(by_dataset)
        return {name: len(reports[name].rows) for name in self.datasets if name in reports}

    @property
    def documents(self) -> int:
        """The number of documents of all data sets."""
        return sum(self.documents_of.values())

    @property
    def summary(self) -> str:
        """The systems with their ranks."""
        ranked = ", ".join(f"{rank or '-'} {system}" for system, rank in self.ranks.items())
        return f"of {len(self.datasets)} data sets: {ranked}"

    @property
    def plan(self) -> Plan:
        """The plan of the test; of systems of several runs, it is over runs and documents."""
        return self.scheme.plan._replace(test=RUNS) if self.runs else self.scheme.plan

    @property
    def signature(self) -> str:
        """The signature to quote with the figures."""
        plan = f"|{self.plan}" if self.tested else ""
        return (
            f"{self.options}|average:macro|datasets:{len(self.datasets)}|rank_by:{self.scheme.rank_by}"
            f"|missing:{self.scheme.missing}{plan}|v{__version__}"
        )

    @property
    def warnings(self) -> list[str]:
        """Warnings about the files, and about systems without any file."""
        silent = [
            f"no file of {system} was found ({next(iter(submissions.values())).message})"
            for system, submissions in self.task.systems.items()
            if all(submission.status == "missing" for submission in submissions.values())
        ]
        return [*silent, *dict.fromkeys(warning for report in self._reports for warning in report.warnings)]

    @property
    def heading(self) -> list[str]:
        """What the manifest says about the task: title, description and languages; empty if it says nothing."""
        task = self.task
        languages = task.languages_of(self.datasets) if task.language_names else []
        named = f"languages: {', '.join(languages)}" if languages else ""
        return [*filter(None, (task.title, *(line.strip() for line in task.description.splitlines()), named))]

    @property
    def notes(self) -> list[str]:
        """Notes that explain averages and ranks, and name missing submissions and keys with nothing to count."""
        return [*_notes_on_ranks(self), *_notes_on_data(self)]

    def problem(self, system: str, dataset: str) -> Unscored | None:
        """Why a submission was not scored: an error in it or in the key."""
        blamed = (problem for problem in self.problems if problem.system in ("", system))
        return next((problem for problem in blamed if problem.dataset == dataset), None)

    def to_dict(self, per_document: bool = True) -> Plain:
        """Everything as plain values, with the report of every submission; the schema is ``corefscope-task-1``."""
        scheme, task = self.scheme, self.task
        datasets: dict[str, dict[str, object]] = {}
        for name, key in task.datasets.items():
            facts = {
                "language": language_of(task, name),
                "groups": list(task.groups.get(name, ())),
                "baseline": task.baselines.get(name),
            }
            if (language := facts["language"]) in task.language_names:
                facts["language_name"] = task.language_name(str(language))
            known = {fact: value for fact, value in facts.items() if value}
            datasets[name] = {"key": key, "averaged": name in self.datasets, **known}
        values = {
            "schema": TASK,
            "signature": self.signature,
            "task": self.task.path,
            **({"title": task.title} if task.title else {}),
            **({"description": task.description} if task.description else {}),
            "options": {name: value for name, value in self.options._asdict().items() if name != "format"},
            "formats": dict(zip(("key", "response"), scheme.request.formats, strict=True)),
            "metrics": list(self.metrics),
            "rank_by": scheme.rank_by,
            "missing": scheme.missing,
            "plan": self.plan._asdict() if self.tested else None,
            "datasets": datasets,
            "systems": {
                system: {
                    "rank": rank,
                    **({"shared": str(self.shared_ranks[system])} if system in self.shared_ranks else {}),
                    "complete": self.is_complete(system),
                    "macro": _macro(self, system),
                    **({"spread": self.spread(system)} if system in self.runs else {}),
                    "interval": list(self.intervals[system]) if system in self.intervals else None,
                    "parts": {str(part): _macro(self, system, part.datasets) for part in self.parts},
                    "submissions": {name: self._submission(system, name, per_document) for name in task.datasets},
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

    def _submission(self, system: str, dataset: str, per_document: bool) -> dict[str, object]:
        report, problem = self[system].get(dataset), self.problem(system, dataset)
        check = self.checks.get((system, dataset))
        return {
            "file": self.task.systems[system][dataset].path or None,
            **({"more_files": list(more)} if (more := self.task.systems[system][dataset].more) else {}),
            "status": problem.status if problem else "scored",
            "step": problem.step if problem else None,
            "message": problem.message if problem else None,
            "validation": check.to_dict() if check else None,
            "report": None if report is None else report.to_dict(per_document),
            **({"runs": runs_to_dict(report, per_document)} if isinstance(report, MeanReport) else {}),
        }

    def to_records(self, per_document: bool = False) -> list[dict[str, object]]:
        """One flat record for each system, data set and metric (``micro``), and for each average (``macro``).

        With ``per_document`` also one for each document, before those of its data set, whose document is empty.
        """
        records, signature = [], self.signature
        for system, rank in self.ranks.items():
            for dataset, over, document, scores in _scored(self, system, per_document):
                problem = self.problem(system, dataset)
                shared = {
                    "system": system,
                    "rank": rank,
                    "average": "" if document else "micro" if dataset else "macro",
                    "dataset": dataset,
                    "over": over,
                    "submission": (problem.status if problem else "scored") if dataset else "",
                    **({"document": document} if per_document else {}),
                }
                among = next((part.datasets for part in self.parts if str(part) == over), None)
                for metric in self.metrics:
                    nothing = scores.nothing(metric) if isinstance(scores, Scores) else self.nothing(metric, among)
                    known = {} if scores is None or nothing else scores[metric]._asdict()
                    figures = {figure: known.get(figure) for figure in FIGURES}
                    records.append({**shared, "metric": metric, **figures, "signature": signature})
                    if system in self.runs and not document:
                        spread = {} if not known else self.spread(system, (dataset,) if dataset else among)[metric]
                        records[-1].update(spread_fields(spread, self.runs[system]))
        return records


class TaskSettings(Result, dict[str, TaskResult]):
    """A result for each setting, by its title: ``result["exact match"].ranks``."""

    NAMES: ClassVar[tuple[str, ...]] = ("setting", *TaskResult.NAMES)

    @property
    def first(self) -> TaskResult:
        """The result of the first setting: files, problems and warnings are the same for all."""
        return next(iter(self.values()))

    @property
    def summary(self) -> str:
        """The systems with their ranks, by setting."""
        return "; ".join(f"{title}: {result.summary}" for title, result in self.items())

    @property
    def signature(self) -> str:
        """All values of each part of the signature; each result has a signature of its own to replay."""
        return in_common(result.signature.rpartition("|v")[0] for result in self.values())

    @property
    def notes(self) -> list[str]:
        """The notes of the first setting, and further ones of others."""
        common = self.first.notes
        return [
            *common,
            *(f"{title}: {note}" for title, result in self.items() for note in result.notes if note not in common),
        ]

    @property
    def errors(self) -> tuple[Unscored, ...]:
        """Errors to fix."""
        return self.first.errors

    @property
    def warnings(self) -> list[str]:
        """Warnings about the files."""
        return list(dict.fromkeys(warning for result in self.values() for warning in result.warnings))

    def to_dict(self, per_document: bool = True) -> Plain:
        """The results as plain values, by setting."""
        settings = {title: result.to_dict(per_document) for title, result in self.items()}
        values = {"schema": TASK_SETTINGS, "signature": self.signature, "settings": settings}
        return {**values, "numbers": how_many_numbers(settings)}

    def to_records(self, per_document: bool = False) -> list[dict[str, object]]:
        """The records of each setting."""
        return [
            {"setting": title, **record}
            for title, result in self.items()
            for record in result.to_records(per_document)
        ]


COUNTS_AS = {
    "zero": "counts as 0",
    "skip": "left out of the average, not ranked",
    "error": "no average, not ranked",
}


def _notes_on_ranks(result: TaskResult) -> Iterator[str]:
    """How averages and ranks are computed, and where intervals say little."""
    yield f"macro: mean over {amount(len(result.datasets), 'data set')}, each pooled over its documents"
    plan, metric, documents = result.scheme.plan, result.scheme.rank_by, result.documents
    title = METRICS[metric].title
    if not result.tested:
        how = ", not tested for significance"
    elif documents < FEW and not result.runs:
        how = f"; with only {amount(documents, 'document')} in all, no difference can be significant"
    else:
        resamples = plan.resamples
        taken = f"all {2**documents:,} swaps" if 2**documents <= resamples else f"{resamples:,} resamples"
        test = f"randomisation test, {taken} of {documents:,} documents"
        if result.runs:
            test = f"t-test over runs and documents; where both have one run, in a {test}"
        how = (
            f"; systems share a rank unless significantly below the best system of that rank (p < {SIGNIFICANT} in a"
            f" {test}, Holm's correction)"
        )
    tests = [shared for shared in result.shared_ranks.values() if shared.adjusted is not None]
    yield from spread_notes(result.runs)
    yield f"rank: by macro {title}{how}{'; p is of the difference from the best of a shared rank' if tests else ''}"
    disjoint: dict[tuple[str, str], list[str]] = {}
    for system, shared in result.shared_ranks.items():
        if shared.why_disjoint:
            disjoint.setdefault((shared.best, shared.why_disjoint), []).append(system)
    for (best, why), systems in disjoint.items():
        others = f"that of {systems[0]}" if len(systems) == 1 else f"those of {', '.join(systems)}"
        yield f"rank {result.ranks[best]}: the interval of {best} has nothing in common with {others}, but {why}"
    if not result.intervals:
        return
    single = [name for name, count in result.documents_of.items() if count == 1]
    few = f"; only {documents} documents: intervals are too narrow" if documents < ENOUGH else ""
    over_runs = "; of several runs, from runs and documents" if result.runs else ""
    without = f"; no spread in data sets of one document: {', '.join(single)}" if single else ""
    yield (
        f"{100 * plan.level:g} %: interval of the macro average, from {plan.resamples:,} resamples of the"
        f" documents of each data set{over_runs}{few}{without}"
    )
    counting = {
        (name, document)
        for by_dataset in result.values()
        for name, report in by_dataset.items()
        for document, scores in report.documents.items()
        if not scores.nothing(metric)
    }
    if len(counting) < min(FEW, documents):
        only = f"only {len(counting)} of {documents} documents {'has' if len(counting) == 1 else 'have'}"
        yield f"{title}: {only} anything to count, so the interval tells little"


def _notes_on_data(result: TaskResult) -> Iterator[str]:
    """Unreadable keys, missing submissions, and those that were scored but that an official validator may refuse."""
    what = "key or baseline" if result.task.baselines else "key"
    for problem in result.problems:
        if not problem.system:
            yield f"{problem.dataset}: left out of all averages, its {what} cannot be read"
    for system in result:
        by_status: dict[str, list[str]] = {}
        for problem in result.problems:
            if problem.system == system:
                by_status.setdefault(problem.status, []).append(problem.dataset)
        for status, datasets in by_status.items():
            yield f"{system}: {status} on {', '.join(datasets)}, {COUNTS_AS[result.scheme.missing]}"
    for system in result:
        checks = {name: result.checks.get((system, name)) for name in result[system]}
        invalid = [f"{name} ({check.errors:,})" for name, check in checks.items() if check and check.errors]
        if invalid:
            yield f"{system}: scored, but validation finds errors on {', '.join(invalid)}"
    yield from _name_uncounted(result)


def _name_uncounted(result: TaskResult) -> Iterator[str]:
    """Metrics without anything to count in some keys, and whether these keys are in the average."""
    scored = {name: report for by_dataset in result.values() for name, report in by_dataset.items()}
    for metric in result.metrics:
        title = METRICS[metric].title
        if "recall_denominator" in METRICS[metric].fields:
            with_score = [name for name in result.datasets if name in scored]
            idle = [name for name in with_score if not scored[name].counts(metric)["recall_denominator"]]
            if len(idle) == len(result.datasets):
                yield f"{title}: no key has anything to count"
                continue
            for left_out in (True, False):
                names = [name for name in idle if left_out != (name in result.counting(metric))]
                what = "left out of the mean" if left_out else "its score is in the mean, as responses have something"
                if names:
                    yield f"{title}: nothing to count in the key of {', '.join(names)}; {what}"


def _macro(result: TaskResult, system: str, datasets: Sequence[str] | None = None) -> dict[str, object]:
    return {
        metric: score._asdict() | ({"nothing": True} if result.nothing(metric, datasets) else {})
        for metric, score in (result.macro(system, datasets) or {}).items()
    }


def _scored(result: TaskResult, system: str, per_document: bool) -> Iterator[tuple[str, str, str, ByMetric | None]]:
    """Data set, part, document and scores: documents if they are asked for, data sets, the average, its parts."""
    for name in result.datasets:
        if per_document and name in result[system]:
            for document, scores in result[system][name].documents.items():
                yield name, "", document, scores
        yield name, "", "", result.scores(system, name)
    yield "", "", "", result.macro(system)
    for part in result.parts:
        yield "", str(part), "", result.macro(system, part.datasets)
