"""A response against a set of keys: best, mean and worst, beside what the keys score against each other.

Annotators who disagree make several keys of one text, and no response can be equal to all of them. The *ceiling* of a
metric is the mean score of the keys against each other: each key as the response to each of the others. A *relative*
score is the mean over keys divided by the ceiling; above 1, the response is nearer to the keys than they are to each
other (Popescu-Belis 2000, section 2.2, has "the key (or a set of keys)").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple, Unpack

from ..core.errors import OptionError
from ..core.metrics import METRICS
from ..core.naming import check_values
from ..core.numbers import headline, mean, ratio
from ..core.pipeline import Scoring
from ..core.report import Report
from ..core.request import Path, Progress, Request, RequestArguments
from ..core.result import Plain, how_many_numbers
from ..formats.files import open_files, run
from ..formats.naming import names_of
from ..formats.settings import SettingsReport
from ..formats.source import refuse_pipes

SCHEMA = "corefscope-keys-1"


class KeySummary(NamedTuple):
    """One metric over a set of keys; F1, or the value of a metric that is one number."""

    best: float
    mean: float
    worst: float
    ceiling: float
    """The mean over all keys as responses to each of the others."""

    @property
    def relative(self) -> float:
        """Mean / ceiling"""
        return ratio(self.mean, self.ceiling)


class KeySetReport(SettingsReport):
    """The reports of a response by key: ``scored["anna"]["conll"].f1``, ``scored.over_keys("conll").best``."""

    NAMES: ClassVar[tuple[str, ...]] = ("key", "metric")

    def __init__(self, reports: Mapping[str, Report], between: Mapping[tuple[str, str], Report]) -> None:
        super().__init__(reports)
        self.between: dict[tuple[str, str], Report] = dict(between)
        """The reports of the keys against each other, by the names of the key and of the key that is its response."""

    def over_keys(self, metric: str) -> KeySummary:
        """Best, mean and worst score over the keys, and the ceiling."""
        scores = [headline(report[metric]) for report in self.values()]
        worst, *_, best = sorted([*scores, *scores], key=lambda score: -abs(METRICS[metric].scale.perfect - score))
        ceiling = mean([headline(report[metric]) for report in self.between.values()])
        return KeySummary(best, mean(scores), worst, ceiling)

    def to_dict(self, per_document: bool = True) -> Plain:
        """As plain values, as the schema ``corefscope-keys-1`` describes them."""
        values = {
            "schema": SCHEMA,
            "signature": self.signature,
            "metrics": {
                metric: {**summary._asdict(), "relative": summary.relative}
                for metric in self.metrics
                for summary in [self.over_keys(metric)]
            },
            "keys": {name: report.to_dict(per_document) for name, report in self.items()},
            "between": [
                {"key": key, "response": other, "metrics": report.to_dict(per_document=False)["metrics"]}
                for (key, other), report in self.between.items()
            ],
        }
        return {**values, "numbers": how_many_numbers(values)}


def score_keys(
    keys: Sequence[Path],
    response: Path,
    *,
    names: str | Sequence[str] | None = None,
    progress: Progress | None = None,
    **arguments: Unpack[RequestArguments],
) -> KeySetReport:
    """Score a response against each key of a set, and the keys against each other.

    ``names`` are those of the keys; by default those of their files. All other arguments are as for
    :func:`corefscope.score`; defaults that depend on the format of the key are those of the first one.
    """
    check_values({"progress": progress})
    if len(keys) < 2:
        raise OptionError("a set of keys needs two files or more")
    refuse_pipes([*keys, response], "each key is read with each of the others", OptionError)
    named = names_of(keys, names)
    reports: dict[str, Report] = {}
    between: dict[tuple[str, str], Report] = {}
    for name, key in zip(named, keys, strict=True):
        others = [(other, path) for other, path in zip(named, keys, strict=True) if other != name]
        opened = open_files(
            Request(arguments, optional=True), key, [response, *(path for _, path in others)], progress
        )
        options, metrics = opened.request.options, opened.request.metrics
        if opened.request.weights and opened.request.weights.path:
            raise OptionError("weights of a file are of the entities of one key: with several, use size^ALPHA")
        arguments = {**arguments, "match": options.match, "singletons": options.singletons}
        (reports[name],), *rest = run(opened, [[Scoring(options, metrics)] for _ in keys])
        between |= {(name, other): report for (other, _), (report,) in zip(others, rest, strict=True)}
    return KeySetReport(reports, between)
