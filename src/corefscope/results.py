"""The result of scoring: pooled scores, the same per document, and how to reproduce them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .counts import AnyScore, Counts, add
from .errors import CorefscopeError
from .metrics import METRICS, counted, select
from .options import Options
from .rules import RULES

SCHEMA = "corefscope-report-1"


class Scores(Mapping[str, AnyScore]):
    """Scores by metric name, from one row of counts."""

    __slots__ = ("_counts", "_names", "_rules")

    def __init__(self, names: Sequence[str], counts: dict[str, Counts], rules: str) -> None:
        self._names = tuple(names)
        self._counts = counts
        self._rules = rules

    def __getitem__(self, name: str) -> AnyScore:
        if name not in self._names:
            known = ", ".join(self._names)
            raise KeyError(f"{name!r} was not scored (scored: {known}); name it in metrics=")
        return self._score(name)

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

    def counts(self, name: str) -> dict[str, float]:
        """The sums behind a score, by what they are."""
        return dict(zip(METRICS[name].fields, self._counts.get(name, ()), strict=True))

    def to_dict(self) -> dict[str, Any]:
        """Scores and counts as plain values."""
        found: dict[str, Any] = {}
        for name, score in self.items():
            found[name] = score._asdict()
            if METRICS[name].fields:
                found[name]["counts"] = self.counts(name)
        return found


class Alternative(NamedTuple):
    """The CoNLL score of the same input under another rule set, beside ours."""

    rules: str
    conll: float
    ours: float


class Report(Scores):
    """Scores pooled over all documents.

    ``report["muc"].f1`` is a pooled score, ``report.documents["id"]["muc"].f1`` that of one document,
    ``report.signature`` what to quote beside them.
    """

    __slots__ = ("_rows", "alternative", "options", "warnings")

    def __init__(
        self,
        options: Options,
        names: Sequence[str],
        rows: dict[str, tuple[Counts, ...]],
        *,
        warnings: Sequence[str] = (),
        alternative: Alternative | None = None,
    ) -> None:
        self.options = options
        self._rows = rows
        self.warnings = tuple(warnings)
        self.alternative = alternative
        totals = {
            metric.name: add(row[at] for row in rows.values()) if rows else (0,) * len(metric.fields)
            for at, metric in enumerate(counted(names))
        }
        super().__init__(names, totals, options.rules)

    @property
    def documents(self) -> Mapping[str, Scores]:
        """The scores of each document, in the order of the key."""
        order = [metric.name for metric in counted(self._names)]
        return {
            name: Scores(self._names, dict(zip(order, row, strict=True)), self._rules)
            for name, row in self._rows.items()
        }

    @property
    def signature(self) -> str:
        """What to quote beside a score so that others can reproduce it."""
        return self.options.signature

    def to_dict(self) -> dict[str, Any]:
        """The report as plain values; ``corefscope score --format json`` prints it, a JSON Schema describes it."""
        alternative = self.alternative
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "options": self.options._asdict(),
            "metrics": super().to_dict(),
            "documents": [{"id": name, "metrics": scores.to_dict()} for name, scores in self.documents.items()],
            "other_rules": None if alternative is None else {"rules": alternative.rules, "conll": alternative.conll},
            "warnings": list(self.warnings),
        }

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={score.f1:.4f}" for name, score in self.items())
        return f"<Report {shown} ({self.signature})>"


class Tally:
    """Rows of counts on their way into a report."""

    def __init__(self, options: Options, metrics: str | Sequence[str]) -> None:
        self.options = options.checked()
        self.names = select(metrics)
        self.metrics = counted(self.names)
        self.rows: dict[str, tuple[Counts, ...]] = {}

    def __getstate__(self) -> tuple[Options, tuple[str, ...], dict[str, tuple[Counts, ...]]]:
        return self.options, self.names, self.rows

    def __setstate__(self, state: tuple[Options, tuple[str, ...], dict[str, tuple[Counts, ...]]]) -> None:
        self.options, self.names, self.rows = state
        self.metrics = counted(self.names)

    def add(self, name: str, row: tuple[Counts, ...]) -> None:
        """Add one document; its name must be new."""
        if name in self.rows:
            raise CorefscopeError(f"document {name!r} was added twice")
        self.rows[name] = row

    def report(self, warnings: Sequence[str] = (), alternative: Alternative | None = None) -> Report:
        """The report of everything added so far."""
        return Report(self.options, self.names, dict(self.rows), warnings=warnings, alternative=alternative)
