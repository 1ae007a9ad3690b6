"""A report with the mean over documents beside the pooled score: ``score --average documents``."""

from __future__ import annotations

from typing import Any

from ..core.report import FIGURES, KEPT, Report


class AveragedReport(Report):
    """A report that shows the mean over documents beside the pooled score."""

    __slots__ = ()

    @classmethod
    def of(cls, report: Report) -> AveragedReport:
        """The same report, with means."""
        kept = {name: getattr(report, name) for name in (*KEPT, "high_rows")}
        return cls(report.options, tuple(report), report.rows, **kept)

    def to_dict(self, per_document: bool = True) -> dict[str, Any]:
        """As plain values, with ``document_means``."""
        means = {name: score._asdict() for name, score in self.document_means().items()}
        return super().to_dict(per_document) | {"document_means": means}

    def to_records(self, per_document: bool = False) -> list[dict[str, Any]]:
        """One flat record for each metric, with the mean over documents of each figure."""
        means = self.document_means()
        return [
            record | {f"mean_{figure}": getattr(means.get(record["metric"]), figure, None) for figure in FIGURES}
            for record in super().to_records(per_document)
        ]
