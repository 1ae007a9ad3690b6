"""A metric of torchmetrics whose state is a sum of counts, so that batches and processes add up to the exact score.

>>> from corefscope.integrations.torchmetrics import CorefScore
>>> metric = CorefScore(metrics="conll")
>>> metric.update([[[(0, 1), (4, 4)], [(7, 9)]]], [[[(0, 1), (4, 4)]]])
>>> round(metric.compute()["conll/f1"].item(), 4)
0.8222
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import torch
from torchmetrics import Metric

from ..core.choices import PresetName, Rules, Singletons
from ..core.clusters import Clusters, Scorer
from ..core.errors import InputError
from ..core.metrics import counted
from ..core.numbers import Counts
from ..core.report import Report


class CorefScore(Metric):
    """The scores of all documents seen so far, by names such as ``conll/f1``.

    Parameters
    ----------
    preset, metrics, rules, singletons
        As for :class:`corefscope.Scorer`.
    **settings
        As for every ``torchmetrics.Metric``.
    """

    is_differentiable = False
    higher_is_better = True
    full_state_update = False
    counts: torch.Tensor

    def __init__(
        self,
        *,
        preset: PresetName | None = None,
        metrics: str | Sequence[str] | None = None,
        rules: Rules | None = None,
        singletons: Singletons | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(**settings)
        self._scorer = partial(Scorer, preset=preset, metrics=metrics, rules=rules, singletons=singletons)
        empty = self._scorer().report()
        self.signature: str = empty.signature
        """The signature to quote with the scores."""
        self._widths = [len(counts) for counts in _totals(empty)]
        self.add_state("counts", torch.zeros(sum(self._widths), dtype=torch.float64), dist_reduce_fx="sum")

    def update(self, preds: Sequence[Clusters], target: Sequence[Clusters]) -> None:
        """Add a batch of documents: for each the clusters of the response, and those of the key.

        Spans may be tensors of integers, as for :class:`corefscope.Scorer`.
        """
        if len(preds) != len(target):
            raise InputError(f"{len(preds)} documents in preds, but {len(target)} in target")
        scorer = self._scorer()
        for response, key in zip(preds, target, strict=True):
            scorer.add(key, response)
        counts = [count for counts in _totals(scorer.report()) for count in counts]
        self.counts += self.counts.new_tensor(counts)

    def compute(self) -> dict[str, torch.Tensor]:
        """The scores; where there is nothing to count, 0/0 as defined by the rules, so that no name is missing."""
        row: tuple[Counts, ...] = tuple(tuple(part.tolist()) for part in self.counts.split(self._widths))
        report = self._scorer().report().with_rows({"": row})
        return {
            f"{name}/{figure}": self.counts.new_tensor(value)
            for name, score in report.items()
            for figure, value in score._asdict().items()
            if isinstance(value, float)
        }


def _totals(report: Report) -> list[Counts]:
    """The counts of each metric, pooled over all documents."""
    return [tuple(report.counts(metric.name).values()) for metric in counted(report)]
