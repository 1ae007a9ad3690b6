"""What becomes of each pair of documents under one set of options."""

from __future__ import annotations

from collections.abc import Sequence
from operator import add

from ..base.document import Document
from ..base.errors import OptionError, Warnings
from ..count.baselines import Baseline, comparable
from ..count.metrics import select
from ..match.alignment import Alignment
from ..read.corpus import Input
from .blocks import Blocks, block_rows, block_size
from .comparison import OtherRules
from .counting import count
from .options import Options
from .prepare import align
from .results import Report, Tally
from .rules import REFERENCE


class Scoring:
    """Aligns and counts the pairs that it is given; makes the report in the end."""

    def __init__(
        self,
        options: Options,
        metrics: str | Sequence[str],
        *,
        compare_rules: bool = False,
        unit: str | None = None,
    ) -> None:
        """``unit`` is ``sentences`` or ``blocks:N`` if rows of counts are wanted for parts of documents."""
        baseline = options.checked().baseline
        if baseline and compare_rules:
            raise OptionError("rules can be compared only without a baseline")
        self.tally = Tally(options, comparable(select(metrics)) if baseline else metrics)
        self._baseline = Baseline(baseline, options.singletons, self.tally.metrics) if baseline else None
        self.seen: tuple[int, ...] = (0, 0, 0)
        """How many mentions of the key and of the response were aligned, and how many pairs were found."""
        self._block_size = block_size(unit) if unit else 0
        self._other = OtherRules(options) if compare_rules and options.rules != REFERENCE else None

    @property
    def options(self) -> Options:
        """The options under which pairs are scored."""
        return self.tally.options

    def add(self, key: Document, response: Document, warnings: Warnings | None) -> None:
        """Score one document."""
        alignment = self.aligned(key, response, warnings)
        if self._block_size:
            for name, part in block_rows(
                alignment, Blocks(key, self._block_size), self.tally.metrics, self.options.rules
            ).items():
                self.tally.add(name, part)
            return
        row = count(alignment, self.tally.metrics, self.options.rules)
        self.tally.add(key.id, row)
        if self._baseline:
            self._baseline.add(key.id, list(map(len, alignment.key.entities)))
        if self._other:
            names = [metric.name for metric in self.tally.metrics]
            self._other.add(key, response, alignment, dict(zip(names, row, strict=True)))

    def aligned(self, key: Document, response: Document, warnings: Warnings | None) -> Alignment:
        """Pair the mentions of a document, and remember how many there were."""
        alignment = align(key, response, self.options, warnings)
        met = len(alignment.key.mentions), len(alignment.response.mentions), alignment.matched
        self.seen = tuple(map(add, self.seen, met))
        return alignment

    def report(self, warnings: Sequence[str], inputs: Sequence[Input]) -> Report:
        """The report of everything added."""
        formats = dict.fromkeys(name for side in inputs for name in side.formats)
        self.tally.options = self.options._replace(format="+".join(formats))
        alternative = self._other.alternative() if self._other else None
        return self.tally.report(warnings, alternative, self._baseline, inputs)
