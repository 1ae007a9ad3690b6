"""Several systems on the same key: their scores, how sure they are, and which differences are more than luck."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ..base.errors import InputError, OptionError, Warnings
from ..base.naming import names_of
from ..base.numbers import headline
from ..base.version import __version__
from ..count.metrics import METRICS, counted, select
from ..evaluate.blocks import CAUTION, check_bookable
from ..evaluate.files import Progress, run
from ..evaluate.presets import chosen, wanted_metrics
from ..evaluate.results import FIGURES, Report
from ..evaluate.scoring import Scoring
from ..read.corpus import Corpus, refuse_pipes
from .resampling import DEFAULT, Interval, Study, study
from .saved_scores import COMPARISON

DOCUMENTS = "documents"
"""What is drawn, unless parts of documents are."""


class Comparison:
    """Reports by system, and what resampling says about them.

    ``comparison["name"]["conll"].f1`` is a score, ``comparison.interval("name", "conll")`` its interval,
    ``comparison.study.differences["name"]["conll"]`` how it differs from the baseline.
    """

    def __init__(self, reports: dict[str, Report], found: Study | None, resampled: str, why_not: str = "") -> None:
        self.reports = reports
        self.study = found
        self.resampled = resampled
        self.why_not = why_not
        """Why nothing was resampled, if nothing was."""

    def __getitem__(self, name: str) -> Report:
        return self.reports[name]

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that all systems were scored with."""
        return tuple(next(iter(self.reports.values())))

    @property
    def signature(self) -> str:
        """What to quote beside the figures; the seed of the resampling is part of it."""
        options = dict.fromkeys(report.options.format for report in self.reports.values())
        first = next(iter(self.reports.values())).options._replace(format="+".join(options))
        if self.study is None:
            return f"{first}|v{__version__}"
        return f"{first}|resampled:{self.resampled}|{self.study.plan}|v{__version__}"

    @property
    def warnings(self) -> list[str]:
        """What was odd in any of the files."""
        return list(dict.fromkeys(warning for report in self.reports.values() for warning in report.warnings))

    @property
    def notes(self) -> list[str]:
        """What must be known to read the figures."""
        if self.study is None:
            return [self.why_not] if self.why_not else []
        said = list(self.study.cautions)
        if self.resampled != DOCUMENTS:
            said.append(CAUTION)
        return said

    def interval(self, system: str, metric: str) -> Interval | None:
        """The interval of F1, or of the value of a metric that has no F1."""
        if self.study is None:
            return None
        figures = self.study.intervals[system][metric]
        return figures.get("f1") or figures.get("value")

    def best(self, metric: str) -> set[str]:
        """The systems that score best: highest, or nearest to what a perfect response has."""
        perfect = METRICS[metric].perfect
        distance = {name: abs(perfect - headline(report[metric])) for name, report in self.reports.items()}
        least = min(distance.values())
        return {name for name, far in distance.items() if far - least < 1e-12}

    def to_dict(self, per_document: bool = True) -> dict[str, Any]:
        """The comparison as plain values."""
        found: dict[str, Any] = {
            "schema": COMPARISON,
            "signature": self.signature,
            "systems": {name: report.to_dict(per_document) for name, report in self.reports.items()},
            "baseline": self.study.baseline if self.study else None,
            "plan": {"resampled": self.resampled, **self.study.plan._asdict()} if self.study else None,
            "intervals": {},
            "differences": {},
            "notes": self.notes,
        }
        if self.study:
            found["intervals"] = {
                system: {
                    metric: {figure: list(interval) for figure, interval in figures.items()}
                    for metric, figures in by_metric.items()
                }
                for system, by_metric in self.study.intervals.items()
            }
            found["differences"] = {
                system: {
                    metric: {**difference._asdict(), "interval": list(difference.interval)}
                    for metric, difference in by_metric.items()
                }
                for system, by_metric in self.study.differences.items()
            }
        return found

    def to_records(self, per_document: bool = False) -> list[dict[str, Any]]:
        """One flat record for each system and metric, unrounded; with ``per_document`` for each document as well.

        Intervals and p-values belong to the pooled scores, whose document is empty.
        """
        records = []
        for system, report in self.reports.items():
            for record in report.to_records(per_document):
                record = {"system": system, **record, "signature": self.signature}
                if self.study and not record.get("document"):
                    record.update(self._sureness(system, record["metric"]))
                records.append(record)
        return records

    def _sureness(self, system: str, metric: str) -> dict[str, Any]:
        assert self.study is not None
        found: dict[str, Any] = {}
        intervals = self.study.intervals[system][metric]
        for figure in FIGURES:
            if figure in intervals:
                found[f"{figure}_low"], found[f"{figure}_high"] = intervals[figure]
        if system in self.study.differences:
            difference = self.study.differences[system][metric]
            found["baseline"], found["difference"] = self.study.baseline, difference.difference
            found["difference_low"], found["difference_high"] = difference.interval
            found["p"], found["p_adjusted"] = difference.p, difference.adjusted
            found["detectable"] = difference.detectable
        return found


def compare(
    key: str | os.PathLike[str],
    responses: Sequence[str | os.PathLike[str]],
    *,
    names: str | Sequence[str] | None = None,
    baseline: str | None = None,
    resample: str = DOCUMENTS,
    resamples: int = DEFAULT.resamples,
    seed: int = DEFAULT.seed,
    level: float = DEFAULT.level,
    test: str = DEFAULT.test,
    preset: str | None = None,
    match: str | None = None,
    zeros: str | None = None,
    singletons: str | None = None,
    rules: str | None = None,
    metrics: str | Sequence[str] | None = None,
    key_format: str | None = None,
    response_format: str | None = None,
    digests: bool = False,
    progress: Progress | None = None,
) -> Comparison:
    """Score several responses against one key, with intervals and paired tests.

    Parameters
    ----------
    key, responses
        As for :func:`corefscope.score`, with any number of responses.
    names
        What to call the systems; without it, as much of their paths as tells them apart.
    baseline
        The name of the system with which the others are compared; the first unless named.
    resample
        ``documents``; or for a corpus of one document ``sentences`` or ``blocks:N``, with metrics that are sums over
        mentions; or ``nothing``.
    resamples, seed, level, test
        How many, from which seed, for intervals of which level, and ``randomisation``, ``bootstrap`` or ``wilcoxon``.

    preset, match, zeros, singletons, rules, metrics, key_format, response_format, digests, progress
        As for :func:`corefscope.score`.
    """
    if not responses:
        raise OptionError("there is nothing to compare: give at least one response")
    options = chosen(preset, match=match, zeros=zeros, singletons=singletons, rules=rules)
    wanted = select(wanted_metrics(preset, metrics))
    unit = None if resample in (DOCUMENTS, "nothing") else resample
    if unit is not None:
        check_bookable([metric.name for metric in counted(wanted)])
    if len(responses) > 1:
        refuse_pipes([key], "the key is read again for each response")
    called = names_of(responses, names)
    if baseline is not None and baseline not in called:
        raise OptionError.unknown("baseline", [baseline], called)
    reports: dict[str, Report] = {}
    for name, response in zip(called, responses, strict=True):
        scoring = Scoring(options, wanted, unit=unit)
        corpus = Corpus(key, response, warnings := Warnings(), key_format, response_format, digests=digests)
        reports[name] = run(corpus, [scoring], warnings, progress=progress)[0]
    if resample == "nothing":
        return Comparison(reports, None, resample)
    try:
        found = study(reports, baseline=baseline, test=test, resamples=resamples, seed=seed, level=level)
    except InputError as error:
        if len(next(iter(reports.values())).documents) > 1:
            raise
        return Comparison(reports, None, resample, f"{error.message} ({error.hint})" if error.hint else error.message)
    return Comparison(reports, found, resample)
