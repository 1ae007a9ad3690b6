"""A metric of Hugging Face's ``evaluate``: documents as lists of clusters of spans ``[start, end]``.

>>> from corefscope.integrations.evaluate import Coref
>>> scores = Coref().compute(predictions=[[[[0, 1], [4, 4]], [[7, 9]]]], references=[[[[0, 1], [4, 4]]]])
>>> round(scores["conll/f1"], 4)
0.8222

``evaluate.load(corefscope.integrations.evaluate.__file__)`` loads it as a script outside the package, so its imports
must be absolute.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import datasets
import evaluate

from corefscope.core.clusters import Cluster, Clusters, Scorer
from corefscope.core.version import __version__
from corefscope.formats.cluster_input import listed, with_values

Documents = Iterable[Clusters]
SPANS = [[[datasets.Value("int64")]]]
DESCRIPTION = "MUC, B³, CEAF, BLANC, LEA and CoNLL, and every other metric of corefscope that needs no words."
INPUTS = """
predictions: for each document the clusters of the response, each a list of spans [start, end], or an array of them
references: for each document the clusters of the key
metrics, rules, singletons, preset: as for corefscope.Scorer
"""


class Coref(evaluate.Metric):
    """Coreference scores pooled over all documents: ``conll/f1``, ``muc/recall`` and so on."""

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=f"{DESCRIPTION} corefscope {__version__}.",
            citation="",
            inputs_description=INPUTS,
            features=datasets.Features({"predictions": SPANS, "references": SPANS}),
        )

    def add(self, *, prediction: Any = None, reference: Any = None, **inputs: object) -> None:
        """Add one document."""
        self.add_batch(predictions=[prediction], references=[reference], **inputs)

    def add_batch(
        self, *, predictions: Documents | None = None, references: Documents | None = None, **inputs: object
    ) -> None:
        """Add documents; spans are checked first, because ``datasets`` would truncate fractions."""
        responses, keys = _checked(predictions, "response"), _checked(references, "key")
        super().add_batch(predictions=responses, references=keys, **inputs)

    def _compute(self, predictions: Documents, references: Documents, **options: Any) -> dict[str, object]:
        scorer = Scorer(**options)
        for response, key in zip(predictions, references, strict=True):
            scorer.add(key, response)
        report = scorer.report()
        return {**report.to_flat_dict(), "signature": report.signature}


def _checked(documents: Documents | None, side: str) -> list[list[Cluster]] | None:
    """Documents with spans of integers: arrays and tensors as tuples."""
    return documents if documents is None else [with_values(listed(each, side), side) for each in documents]
