"""Comparison of systems on the same key: scores, confidence intervals and significance of differences."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import ClassVar, Unpack

from ..core.baselines import BASELINES
from ..core.errors import InputError, OptionError
from ..core.metrics import METRICS, counted
from ..core.naming import check_values
from ..core.numbers import headline
from ..core.pipeline import Scoring
from ..core.report import FIGURES, Report
from ..core.request import Path, Progress, Request, RequestArguments, split
from ..core.result import Plain, Result, how_many_numbers
from ..core.version import __version__
from ..formats.files import open_files, run
from ..formats.naming import names_of, paths_and_names
from ..formats.reading import check_baseline
from ..formats.settings import main_figures
from ..formats.source import path_name
from .mean_report import MeanReport, average_runs, runs_to_dict, spread_fields
from .resampling import CAUTION, Interval, Plan, PlanArguments, Study, check_bookable, headline_of, study

COMPARISON = "corefscope-comparison-1"
"""The schema of a saved comparison."""
SAME = 1e-12
"""Scores this close are equal."""
DOCUMENTS = "documents"
"""The default unit of resampling."""


Responses = Sequence[Path] | Mapping[str, Path | Sequence[Path]]
"""The response of each system, or those of several runs of it by name."""


class Comparison(Result):
    """Reports by system, with confidence intervals and differences from a baseline.

    The report of a system of several runs is their ``MeanReport``.

    ``comparison["name"]["conll"].f1`` is a score, ``comparison.interval("name", "conll")`` its interval,
    ``comparison.study.differences["name"]["conll"]`` how it differs from the baseline.
    """

    NAMES: ClassVar[tuple[str, ...]] = ("system", "metric")

    def __init__(self, reports: dict[str, Report], study: Study | None, resampled: str, why_not: str = "") -> None:
        self.reports = reports
        self.study = study
        self.resampled = resampled
        self.why_not = why_not
        """Why nothing was resampled, if nothing was."""

    def __getitem__(self, name: str) -> Report:
        return self.reports[name]

    def of(self, reports: dict[str, Report]) -> Comparison:
        """The same comparison with other reports, which may have fewer metrics."""
        return Comparison(reports, self.study, self.resampled, self.why_not)

    @property
    def summary(self) -> str:
        """The main figure of each system."""
        return main_figures(self.reports)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that all systems were scored with."""
        return tuple(next(iter(self.reports.values())))

    @property
    def signature(self) -> str:
        """The signature to quote with the figures; it includes the seed of the resampling."""
        reports = list(self.reports.values())
        first = reports[0].options.as_of(report.options for report in reports)
        if self.study is None:
            return f"{first}|v{__version__}"
        return f"{first}|resampled:{self.resampled}|{self.study.plan}|v{__version__}"

    @property
    def warnings(self) -> list[str]:
        """Warnings about the files."""
        return list(dict.fromkeys(warning for report in self.reports.values() for warning in report.warnings))

    @property
    def notes(self) -> list[str]:
        """Notes that explain the figures."""
        if self.study is None:
            return [self.why_not] if self.why_not else []
        return [*self.study.cautions, *([] if self.resampled == DOCUMENTS else [CAUTION])]

    @property
    def runs(self) -> dict[str, MeanReport]:
        """The systems of several runs."""
        return {name: report for name, report in self.reports.items() if isinstance(report, MeanReport)}

    def spread(self, system: str, metric: str) -> float | None:
        """The standard deviation over runs of F1 or the value; None of one run, or if there is nothing to count."""
        report = self.reports[system]
        if not isinstance(report, MeanReport) or report.nothing(metric):
            return None
        return headline_of(report.spread(metric))

    def interval(self, system: str, metric: str) -> Interval | None:
        """The interval of F1, or of the value of a metric that has no F1."""
        return headline_of(self.study.intervals[system][metric]) if self.study else None

    def best(self, metric: str) -> set[str]:
        """The systems with the best score: the highest, or the nearest to the perfect value.

        Empty if some system has nothing to count: then the key has nothing, and the others only have errors.
        """
        if any(report.nothing(metric) for report in self.reports.values()):
            return set()
        perfect = METRICS[metric].scale.perfect
        distance = {name: abs(perfect - headline(report[metric])) for name, report in self.reports.items()}
        least = min(distance.values())
        return {name for name, far in distance.items() if far - least < SAME}

    def ranked(self, metric: str) -> list[str]:
        """The systems from the best to the worst; ties keep their order."""
        perfect = METRICS[metric].scale.perfect
        return sorted(self.reports, key=lambda name: abs(perfect - headline(self.reports[name][metric])))

    def unanimous(self) -> list[tuple[str, str]]:
        """The pairs of systems, better and worse, on whose order all metrics agree that have something to count.

        "If all these measures are unanimous in declaring a response better than another, then it is legitimate to
        consider that this response really is better" (Popescu-Belis 2000, section 6). Means have no vote.
        """
        names = [name for name in self.metrics if not METRICS[name].parts]
        votes = [
            {
                system: -abs(METRICS[name].scale.perfect - headline(report[name]))
                for system, report in self.reports.items()
            }
            for name in names
            if not all(report.nothing(name) for report in self.reports.values())
        ]
        return [
            (better, worse)
            for better, worse in permutations(self.reports, 2)
            if votes and all(vote[better] > vote[worse] + SAME for vote in votes)
        ]

    def to_dict(self, per_document: bool = True) -> Plain:
        """The comparison as plain values."""
        study = self.study
        values = {
            "schema": COMPARISON,
            "signature": self.signature,
            "systems": {name: report.to_dict(per_document) for name, report in self.reports.items()},
            **(
                {"runs": {name: runs_to_dict(report, per_document) for name, report in self.runs.items()}}
                if self.runs
                else {}
            ),
            "baseline": study.baseline if study else None,
            "plan": {"resampled": self.resampled, **study.plan._asdict()} if study else None,
            "intervals": {
                system: {
                    metric: {figure: list(interval) for figure, interval in figures.items()}
                    for metric, figures in by_metric.items()
                }
                for system, by_metric in (study.intervals if study else {}).items()
            },
            "differences": {
                system: {
                    metric: {**difference._asdict(), "interval": list(difference.interval)}
                    for metric, difference in by_metric.items()
                }
                for system, by_metric in (study.differences if study else {}).items()
            },
            "unanimous": [list(pair) for pair in self.unanimous()],
            "notes": self.notes,
        }
        return {**values, "numbers": how_many_numbers(values)}

    def to_records(self, per_document: bool = False) -> list[dict[str, object]]:
        """One flat record for each system and metric, unrounded; with ``per_document`` for each document as well.

        Intervals, p-values and the spread over runs belong to the pooled scores, whose document is empty.
        """
        records = []
        for system, report in self.reports.items():
            for record in report.to_records(per_document):
                record = {"system": system, **record, "signature": self.signature}
                if isinstance(report, MeanReport) and not record.get("document"):
                    metric = record["metric"]
                    spread = {} if report.nothing(metric) else report.spread(metric)
                    record.update(spread_fields(spread, len(report.runs)))
                if self.study and not record.get("document"):
                    record.update(_resampled(self.study, system, record["metric"]))
                records.append(record)
        return records


def _resampled(study: Study, system: str, metric: str) -> dict[str, str | float]:
    """The interval of a score and its difference from the baseline, as fields of a record."""
    intervals = study.intervals[system][metric]
    fields: dict[str, str | float] = {}
    for figure in FIGURES:
        if figure in intervals:
            fields[f"{figure}_low"], fields[f"{figure}_high"] = intervals[figure]
    if system in study.differences:
        difference = study.differences[system][metric]
        fields["baseline"], fields["difference"] = study.baseline, difference.difference
        fields["difference_low"], fields["difference_high"] = difference.interval
        fields["p"], fields["p_adjusted"] = difference.p, difference.adjusted
        fields["detectable"] = difference.detectable
    return fields


class ComparisonArguments(RequestArguments, PlanArguments, total=False):
    """The arguments of a request, and those of a resampling plan."""


def compare(
    key: Path,
    responses: Responses,
    *,
    names: str | Sequence[str] | None = None,
    against: str | None = None,
    resample: str = DOCUMENTS,
    progress: Progress | None = None,
    jobs: int | None = 1,
    **arguments: Unpack[ComparisonArguments],
) -> Comparison:
    """Score several responses against one key, with intervals and paired tests.

    Parameters
    ----------
    key, responses
        As for :func:`corefscope.score`, with any number of responses: a list, or a dictionary from the names of
        systems, ``{"ours": "a.conllu", "theirs": "b.conllu"}``; a system that was run several times has a list.
    names
        The names of the systems; by default the parts of their paths that differ.
    against
        The name of the system with which the others are compared; the first by default.
    resample
        ``documents``; or for a corpus of one document ``sentences`` or ``blocks:N``, with metrics that are sums over
        mentions; or ``nothing``.
    resamples, seed, level, test
        The number of resamples, the seed, the confidence level of intervals, and the test: ``randomisation``,
        ``bootstrap``, ``wilcoxon`` or ``t``; of systems of several runs ``runs``.
    progress
        Called before each document with its number, the number of documents and its id.
    jobs
        The number of processes that score documents, as for :func:`corefscope.score`.
    preset, match, zeros, singletons, rules, metrics, …
        As for :func:`corefscope.score`. A ``baseline`` that is the name of a system means ``against``; the path of a
        response is the zero point of all scores, including its own.
    """
    check_values({"resample": resample, "baseline": arguments.get("baseline")})
    if not responses:
        raise OptionError("there is nothing to compare: give at least one response")
    runs, systems = _runs_and_names(responses, names)
    plan, of_request = split(arguments, Plan._fields)
    baseline = path_name(of_request.get("baseline") or "")
    if against is None and baseline in systems:
        against, of_request = baseline, {**of_request, "baseline": None}
    elif baseline:
        check_baseline(baseline, [*systems, *BASELINES])
    if against is not None:
        OptionError.check("system", against, systems)
    if resample == "nothing" and (idle := [name for name, value in plan.items() if value is not None]):
        raise OptionError(f"{', '.join(idle)} cannot be used here: nothing is resampled")
    unit = None if resample in (DOCUMENTS, "nothing") else resample
    request = Request(of_request, optional=unit is None)
    if unit is not None:
        check_bookable([metric.name for metric in counted(request.metrics)])
    opened = open_files(request, key, [path for paths in runs for path in paths], progress, jobs)
    of_files = iter(
        run(opened, [[Scoring(opened.request.options, opened.request.metrics, unit=unit)] for _ in opened.corpora])
    )
    reports = {
        name: average_runs([next(of_files)[0] for _ in paths]) for name, paths in zip(systems, runs, strict=True)
    }
    if resample == "nothing":
        return Comparison(reports, None, resample)
    try:
        outcome = study(reports, baseline=against, **plan)
    except InputError as error:
        if len(next(iter(reports.values())).documents) > 1:
            raise
        return Comparison(reports, None, resample, f"{error.message} ({error.hint})" if error.hint else error.message)
    return Comparison(reports, outcome, resample)


def _runs_and_names(
    responses: Responses, names: str | Sequence[str] | None
) -> tuple[list[Sequence[Path]], tuple[str, ...]]:
    """The paths of the runs of each system, and the names of the systems."""
    if not isinstance(responses, Mapping):
        paths, names = paths_and_names(responses, names)
        return [[path] for path in paths], names_of(paths, names)
    runs: list[Sequence[Path]] = [
        [paths] if isinstance(paths, str | os.PathLike) else list(paths) for paths in responses.values()
    ]
    for name, of_system in zip(responses, runs, strict=True):
        if not of_system:
            raise OptionError(f"{name} has no runs: give at least one response")
        if twice := [path for path in of_system if of_system.count(path) > 1]:
            raise OptionError(f"{name} has {path_name(twice[0])} twice: every run is a response of its own")
    firsts = {name: of_system[0] for name, of_system in zip(responses, runs, strict=True)}
    paths, names = paths_and_names(firsts, names)
    return runs, names_of(paths, names)
