"""The pipeline: documents are scored one pair after the other, and their rows of counts are pooled in a report.

:class:`Scoring` aligns and counts each pair (``core/steps``) and adds the row; :meth:`Scoring.report` pools the rows.
``formats/files`` hands the documents of files to :func:`process`, and ``core/clusters`` scores clusters in memory by
the same steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from operator import add
from typing import Any

from .baselines import BASELINES, comparable
from .document import Document
from .errors import OptionError, Warnings
from .input import Input
from .matching.alignment import Alignment
from .metrics import select
from .options import Options
from .registry import HOOKS
from .report import Report, Row, Rows, Tally
from .rules import REFERENCE, RULES
from .steps import DocumentPair, align, count, mention_counts
from .table import IdTable


class Scoring(Tally):
    """A tally that aligns and counts the pairs it is given."""

    def __init__(
        self,
        options: Options,
        metrics: str | Sequence[str],
        *,
        compare_rules: bool = False,
        unit: str | None = None,
        format_loss: bool = False,
    ) -> None:
        """``unit`` is ``sentences`` or ``blocks:N`` if rows of counts are wanted for parts of documents.

        With ``format_loss``, text that a language model printed is also scored with every tag placed as intended.
        """
        baseline = options.checked().baseline
        if (baseline or options.weights) and compare_rules:
            raise OptionError("rules can be compared only without a baseline and weights")
        if options.weights and unit:
            raise OptionError("weights are of whole entities: they cannot be combined with parts of documents")
        if baseline and unit:
            raise OptionError("a baseline is a response to whole documents: parts of documents have none")
        super().__init__(options, comparable(select(metrics), baseline) if baseline else metrics)
        make = HOOKS["baseline"] if baseline in BASELINES else None
        self._baseline = make(baseline, options.min_entity_size, self.metrics) if make else None
        self.sizes: tuple[int, ...] = (0, 0, 0, 0)
        """The sum of :func:`mention_counts` over documents."""
        self._unit = unit
        compare_rules = compare_rules and not (options.windows and RULES[options.rules].windows)  # of other texts
        compare_rules = compare_rules and options.rules != REFERENCE
        self._other = HOOKS["other_rules"](options, self.names) if compare_rules else None
        self._format_loss = format_loss
        self._printed_rows: tuple[Rows, Rows] = {}, {}
        """Of printed documents, the rows with tags placed as intended, and those of a faithful copy of the key."""
        self.another: Callable[[], Scoring] | None = None
        """Makes an empty scoring like this one, for another process; None if one process must score all documents."""
        if type(self) is Scoring and self._baseline is None:  # which may be drawn, one document after the other
            another = partial(Scoring, options, metrics, compare_rules=compare_rules, unit=unit)
            self.another = partial(another, format_loss=format_loss)

    def process(self, key: Document, response: Document, warnings: Warnings | None) -> None:
        """Score one document; subclasses that examine documents extend this."""
        if self.score_ids(key, response) is None:
            self.score(key, response, warnings)

    def score_ids(self, key: Document, response: Document) -> IdTable | None:
        """Count one large document of ids by its table alone, and add its row; None if it has to be aligned."""
        has_rows = key.rows is not None or response.rows is not None
        needs_alignment = RULES[self.options.rules].program or key.anaphors or response.anaphors or key.weights
        if not has_rows or needs_alignment or self._baseline or self._unit:
            return None
        metrics = dict.fromkeys([*self.metrics, *(self._other.metrics if self._other else ())])
        if not all(metric.counts_of_ids for metric in metrics):
            return None
        table: IdTable | None = HOOKS["tabulate_ids"](key, response, self.options.min_entity_size)
        if table is None:
            return None
        sizes = table.mentions, table.T.mentions, table.matched, table.ids_in_common
        self.sizes = tuple(map(add, self.sizes, sizes))
        counts = {metric.name: table.count(metric) for metric in metrics}
        high = tuple([table.at_most.count(metric) for metric in self.metrics]) if table.unsolved else None
        self.add(key.id, tuple([counts[metric.name] for metric in self.metrics]), high)
        if self._other:
            self._other.add_alike(key.id, counts, has_mentions=bool(table.mentions or table.T.mentions))
        return table

    def score(self, key: Document, response: Document, warnings: Warnings | None) -> tuple[Alignment, Row]:
        """Align and count one document, and add its row."""
        alignment = align(key, response, self.options, warnings)
        self.sizes = tuple(map(add, self.sizes, mention_counts(key, response, alignment, self.options)))
        if self._unit:
            parts = HOOKS["rows_by_block"](key, alignment, self._unit, self.metrics, self.options)
            for name, part in parts.items():
                self.add(name, part)
            return alignment, ()
        documents = DocumentPair(key, response)
        row = count(alignment, self.metrics, self.options, documents)
        self.add(key.id, row)
        if self._baseline:
            self._baseline.add(key.id, list(map(len, alignment.key.entities)))
        if self._format_loss and response.copied:
            self._score_ideal(key, response, row)
        if self._other:
            counts = {metric.name: counts for metric, counts in zip(self.metrics, row, strict=True)}
            self._other.score(documents, alignment, counts, warnings)
        return alignment, row

    def _score_ideal(self, key: Document, response: Document, row: Row) -> None:
        """Add the rows of a printed document from which its format loss is known."""
        for rows, other in zip(self._printed_rows, HOOKS["printed_documents"](key, response), strict=True):
            if other is response:
                rows[key.id] = row
            else:
                rows[key.id] = count(
                    align(key, other, self.options), self.metrics, self.options, DocumentPair(key, other)
                )

    def merge(self, other: Tally) -> None:
        """Add what another scoring of the same kind has found in later documents."""
        super().merge(other)
        assert isinstance(other, Scoring)
        for mine, others in zip(self._printed_rows, other._printed_rows, strict=True):
            mine |= others
        self.sizes = tuple(map(add, self.sizes, other.sizes))
        if self._other and other._other:
            self._other.merge(other._other)

    def report(self, warnings: Sequence[str] = (), inputs: Sequence[Input] = (), **further: Any) -> Report:
        """The report of everything added so far, with what is compared with it."""
        if self._baseline:
            further["baseline_rows"] = self._baseline.samples
        if self._other:
            further["alternative"] = self._other.alternative()
        if any(self._printed_rows):
            further["printed_rows"] = tuple([{**self.rows, **rows} for rows in self._printed_rows])
        return super().report(warnings, inputs, **further)


def process(
    rows: Iterable[Sequence[tuple[Document, Document] | None]],
    warnings: Sequence[Warnings],
    scorings: Sequence[Sequence[Scoring]],
) -> None:
    """Score every pair of documents: a row has a pair, or None, for each response; ``scorings`` has its scorings."""
    for row in rows:
        for pair, response_warnings, response_scorings in zip(row, warnings, scorings, strict=True):
            for i, scoring in enumerate(response_scorings):
                if pair:
                    scoring.process(*pair, None if i else response_warnings)  # the first warns for all
        del row, pair  # release the documents before reading the next ones
