"""The result of scoring: pooled scores, the same per document, and how to reproduce them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple, overload

from .baselines import above
from .choices import DeviationMetric, F1Metric, ScoreMetric, ValueMetric
from .errors import CorefscopeError, InputError, OptionError, amount
from .input import Input
from .metrics import METRICS, counted, headline_first, metric_name, select
from .metrics.base import Metric
from .naming import brief, cut
from .numbers import F1, AnyScore, Counts, Deviation, Score, Value, add, headline, mean_score
from .options import Options
from .registry import HOOKS
from .result import Plain, Result, figures, how_many_numbers, not_known
from .rules import RULES

SCHEMA = "corefscope-report-1"
FIGURES = ("recall", "precision", "f1", "value")
"""The figures that scores may have."""
AT_MOST = "_at_most"
"""Suffix of the name of a figure that is an upper bound."""
KEPT = ("warnings", "alternative", "baseline_rows", "printed_rows", "inputs", "missing")
"""The fields that a report with other rows keeps."""
INPUTS = ("key", "response", "baseline")
"""The names of the inputs of a report, in order."""

Row = tuple[Counts, ...]
"""The counts of each metric for one document."""
Rows = dict[str, Row]
"""The row of each document, in the order of the key."""


class Alternative(NamedTuple):
    """The scores of the same input under another rule set, beside ours."""

    rules: str
    conll: float
    """The CoNLL score under the other rules."""
    ours: float
    """The CoNLL score under the rules of the options."""
    differing: Mapping[str, tuple[AnyScore, AnyScore]]
    """By name, the metrics of the report whose scores differ: the score under the rules of the options, and under the
    others."""

    def to_dict(self) -> dict[str, Any]:
        """As plain values: the CoNLL score, and what differs, under the other rules."""
        differing = {name: other._asdict() for name, (_, other) in self.differing.items()}
        return {"rules": self.rules, "conll": self.conll, "differing": differing}


class Scores(Mapping[str, Any]):
    """Scores by metric name, from one row of counts.

    What a score has depends on its metric: recall, precision and f1, f1 alone, or a value. Where the best map
    between entities is not known, a score is the least that it can be, and ``at_most`` has the greatest.
    """

    __slots__ = ("_baselines", "_counts", "_high", "_names", "_rules")

    def __init__(
        self,
        names: Sequence[str],
        counts: dict[str, Counts],
        rules: str,
        baselines: Sequence[Scores] = (),
        high: Scores | None = None,
    ) -> None:
        self._names = tuple(names)
        self._counts = counts
        self._rules = rules
        self._baselines = baselines
        self._high = high

    @property
    def at_most(self) -> Scores:
        """The greatest that scores can be: these scores, but for those that are not known."""
        return self._high or self

    def is_open(self, name: str) -> bool:
        """Whether a score is known by two bounds only: this one and that of ``at_most``."""
        return bool(self._high) and self.at_most[name] != self[name]

    @overload
    def __getitem__(self, name: ScoreMetric) -> Score: ...
    @overload
    def __getitem__(self, name: F1Metric) -> F1: ...
    @overload
    def __getitem__(self, name: ValueMetric) -> Value: ...
    @overload
    def __getitem__(self, name: DeviationMetric) -> Deviation: ...
    @overload
    def __getitem__(self, name: str) -> Any: ...
    def __getitem__(self, name: str) -> Any:
        name = self._known(name)
        score, baselines = self._score(name), [baseline[name] for baseline in self._baselines]
        return above(score, baselines, METRICS[name].scale.perfect) if baselines else score

    def _known(self, name: str, *parts: str) -> str:
        """The name of a metric that was scored, or of one of the parts; KeyError if it was not."""
        names = [*parts, *self._names]
        if name in names:
            return name
        with suppress(AttributeError, OptionError):  # no name at all
            if (known := metric_name(name)) in names:
                return known
        raise KeyError(f"{name!r} was not scored (scored: {', '.join(names)}); name it in metrics=")

    def _score(self, name: str) -> AnyScore:
        metric = METRICS[name]
        conventions = RULES[self._rules].conventions
        if metric.parts:
            return metric.score([self._score(part) for part in metric.parts], conventions)
        return metric.score(self._counts[name], conventions)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {cut(figures(self), 240)}>"

    def nothing(self, name: str) -> bool:
        """Whether neither side has anything that a metric, or one of its parts, counts: its score means nothing.

        Not where the paper of the metric defines the score of this case.
        """
        name = self._known(name)
        conventions = RULES[self._rules].conventions
        return all(part.nothing(self._counts[part.name], conventions) for part in counted([name]))

    def figure(self, name: str) -> float | None:
        """The one figure to show of a metric: F1 or the value; None if there is nothing to count."""
        return None if self.nothing(name) else headline(self[name])

    def counts(self, name: str) -> dict[str, float]:
        """The sums behind a score, by what they are."""
        name = self._known(name, *self._counts)
        return dict(zip(METRICS[name].fields, self._counts.get(name, ()), strict=True))

    def components(self, name: str) -> Plain:
        """What a score is made of, for metrics that have components: BLANC its two kinds of link, H its entropies.

        ``report.components("blanc")["coreference_links"].f1``
        """
        name = self._known(name, *self._counts)
        components = METRICS[name].explanation.components
        return dict(components(self._counts[name])) if components else {}

    def to_dict(self) -> Plain:
        """Scores and counts as plain values."""
        scores: Plain = {}
        for name, score in self.items():
            components = {
                part: value._asdict() if isinstance(value, Score) else value
                for part, value in self.components(name).items()
            }
            further = {
                "at_most": self.at_most[name]._asdict() if self.is_open(name) else {},
                "nothing": self.nothing(name),
                "note": METRICS[name].note,
                "components": components,
                "counts": self.counts(name),
            }
            scores[name] = score._asdict() | {part: value for part, value in further.items() if value}
        return scores


class Report(Result, Scores):
    """Scores pooled over all documents.

    ``report["muc"].f1`` is a pooled score, ``report.documents["id"]["muc"].f1`` that of one document,
    ``report.signature`` what to quote beside them.
    """

    __slots__ = (
        *("alternative", "baseline_rows", "high_rows", "inputs", "missing"),
        *("options", "printed_rows", "rows", "warnings"),
    )

    def __init__(
        self,
        options: Options,
        names: Sequence[str],
        rows: Rows,
        *,
        warnings: Sequence[str] = (),
        alternative: Alternative | None = None,
        baseline_rows: Sequence[Rows] = (),
        high_rows: Rows | None = None,
        printed_rows: tuple[Rows, Rows] | None = None,
        inputs: Sequence[Input] = (),
        missing: Sequence[InputError] = (),
    ) -> None:
        self.options = options
        self.rows = rows
        """By document the counts of each metric of ``counted(report)``: everything else is made from them."""
        self.baseline_rows: tuple[Rows, ...] = tuple(baseline_rows)
        """The same for each response that scores are measured from, if they are."""
        self.high_rows = high_rows
        """The same with the greatest totals that there can be, if some are not known; ``rows`` has the least."""
        self.printed_rows = printed_rows
        """Of printed text, the rows with every tag placed as intended, and those of a faithful copy of the key."""
        self.inputs: tuple[Input, ...] = tuple(inputs)
        """What was read of the key, of the response and of the baseline, if files were."""
        self.missing: tuple[InputError, ...] = tuple(missing)
        """The faults of the files that were left out."""
        self.warnings: tuple[str, ...] = tuple(warnings)
        self.alternative = alternative
        baselines = [Scores(names, _totals(names, sample), options.rules) for sample in self.baseline_rows]
        high = high_rows and Scores(names, _totals(names, high_rows), options.rules, baselines)
        super().__init__(names, _totals(names, rows), options.rules, baselines, high or None)
        if unknown := [name for name in names if self.is_open(name)]:
            self.warnings += (not_known(unknown),)

    def with_rows(self, rows: Rows) -> Report:
        """The same report with other rows of counts."""
        return Report(self.options, self._names, rows, **{name: getattr(self, name) for name in KEPT})

    @property
    def documents(self) -> Mapping[str, Scores]:
        """The scores of each document, in the order of the key."""
        return _Documents(self)

    def document_means(self) -> dict[str, Score | F1 | Value]:
        """The mean over documents of each metric, of those documents in which it has something to count.

        ``report.document_means()["conll"].f1`` is the mean of their F1, not the F1 of mean recall and precision.
        """
        documents = list(self.documents.values())
        scored = {name: [scores[name] for scores in documents if not scores.nothing(name)] for name in self}
        return {name: mean_score(scores) for name, scores in scored.items() if scores}

    @property
    def format_loss(self) -> Any:
        """The ``FormatLoss`` of a response that a language model printed; None for all others."""
        return HOOKS["format_loss"](self, *self.printed_rows) if self.printed_rows else None

    @property
    def signature(self) -> str:
        """What to quote beside a score so that others can reproduce it."""
        return self.options.signature

    def to_dict(self, per_document: bool = True) -> Plain:
        """The report as plain values; ``corefscope score --format json`` prints it, a JSON Schema describes it."""
        documents = zip(self.files(), self.documents.items(), strict=True) if per_document else ()
        by_document = [
            {"id": name, **({"file": file} if file else {}), "metrics": scores.to_dict()}
            for file, (name, scores) in documents
        ]
        values = {
            "schema": SCHEMA,
            "signature": self.signature,
            "options": self.options._asdict(),
            "inputs": {side: read.to_dict() for side, read in zip(INPUTS, self.inputs, strict=False)},
            **({"missing": [fault.to_dict() for fault in self.missing]} if self.missing else {}),
            **({"format_loss": self.format_loss.to_dict()} if self.format_loss else {}),
            "metrics": super().to_dict(),
            **({"documents": by_document} if per_document else {}),
            "other_rules": self.alternative.to_dict() if self.alternative else None,
            "warnings": list(self.warnings),
        }
        parts = [metric.name for metric in counted(self) if metric.name not in self]
        counted_documents = self.documents.items() if per_document and parts else ()
        rows = {name: {part: scores.counts(part) for part in parts} for name, scores in counted_documents}
        return {**values, "numbers": how_many_numbers(values), **({"counts_of_parts": rows} if rows else {})}

    def files(self) -> list[str]:
        """The file of each document, as its input calls it; empty where documents are not those of files."""
        files = self.inputs[0].files if self.inputs else {}
        names = [file for file, count in files.items() for _ in range(count)]
        return names if len(names) == len(self.rows) else [""] * len(self.rows)

    def to_records(self, per_document: bool = False) -> list[Plain]:
        """One flat record for each metric: ``pandas.DataFrame(report.to_records())``.

        With ``per_document`` also one for each document and metric, before the pooled ones, whose document is empty.
        Figures that a metric does not have are None, and all if there is nothing to count. If some score is not
        known, all records have each figure once more, as the greatest that it can be.
        """
        scored: list[tuple[str, Scores]] = [*(self.documents.items() if per_document else ()), ("", self)]
        return [
            {
                **({"document": document} if per_document else {}),
                "metric": name,
                **_figures(scores, name),
                **(_figures(scores.at_most, name, AT_MOST) if self._high else {}),
                "signature": self.signature,
            }
            for document, scores in scored
            for name in scores
        ]

    @property
    def summary(self) -> str:
        """The headline figure of each metric, or its range."""

        def shown(name: str) -> str:
            return "–".join(dict.fromkeys(f"{headline(scores[name]):.4f}" for scores in (self, self.at_most)))

        return ", ".join(f"{name}={shown(name)}" for name in headline_first(self))


def _figures(scores: Scores, name: str, suffix: str = "") -> Plain:
    """The figures of a metric in a flat record."""
    score = None if scores.nothing(name) else scores[name]
    return {figure + suffix: getattr(score, figure, None) for figure in FIGURES}


class _Documents(Mapping[str, Scores]):
    """Scores by document, computed lazily."""

    def __init__(self, report: Report) -> None:
        self._report = report

    def __getitem__(self, name: str) -> Scores:
        def scores(rows: Rows, baselines: Sequence[Scores] = (), high: Scores | None = None) -> Scores:
            return Scores(names, _totals(names, {name: rows[name]}), report.options.rules, baselines, high)

        report = self._report
        names = tuple(report)
        baselines = [scores(rows) for rows in report.baseline_rows]
        return scores(report.rows, baselines, scores(report.high_rows, baselines) if report.high_rows else None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._report.rows)

    def __len__(self) -> int:
        return len(self._report.rows)

    def __repr__(self) -> str:
        return f"<scores of {amount(len(self), 'document')}: {brief(list(islice(self, 100)), 240)}>"


def _totals(names: Sequence[str], rows: Rows) -> dict[str, Counts]:
    """The sum of the rows, by metric; rows that are columns know it."""
    totals: Row | None = getattr(rows, "totals", None)
    if totals:
        return {metric.name: row for metric, row in zip(counted(names), totals, strict=True)}
    return {
        metric.name: add(row[i] for row in rows.values()) if rows else (0,) * len(metric.fields)
        for i, metric in enumerate(counted(names))
    }


class Tally:
    """Rows of counts on their way into a report: the one accumulator."""

    def __init__(self, options: Options, metrics: str | Sequence[str]) -> None:
        self.options: Options = options.checked()
        self.names: tuple[str, ...] = select(metrics)
        self.metrics: tuple[Metric, ...] = counted(self.names)
        self.rows: Rows = {}
        self.high_rows: Rows = {}
        """Of documents whose best totals are not known, the rows with the greatest that there can be."""

    def add(self, name: str, row: Row, high: Row | None = None) -> None:
        """Add one document; its name must be new."""
        if name in self.rows:
            raise CorefscopeError(f"document {name!r} was added twice")
        self.rows[name] = row
        if high:
            self.high_rows[name] = high

    def merge(self, other: Tally) -> None:
        """Add the later documents of another tally, as of another process."""
        for name, row in other.rows.items():
            self.add(name, row, other.high_rows.get(name))

    def report(self, warnings: Sequence[str] = (), inputs: Sequence[Input] = (), **further: Any) -> Report:
        """The report of everything added so far; the formats are those of the inputs, if files were read."""
        options = self.options.over(inputs)
        if self.high_rows:
            further["high_rows"] = self.rows | self.high_rows
        return Report(options, self.names, dict(self.rows), warnings=warnings, inputs=inputs, **further)
