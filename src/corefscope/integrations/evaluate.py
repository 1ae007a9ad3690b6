"""A metric of Hugging Face's ``evaluate``: documents as lists of clusters of spans ``[start, end]``.

>>> from corefscope.integrations.evaluate import Coref
>>> scores = Coref().compute(predictions=[[[[0, 1], [4, 4]], [[7, 9]]]], references=[[[[0, 1], [4, 4]]]])
>>> round(scores["conll/f1"], 4)
0.8222

``evaluate.load(corefscope.integrations.evaluate.__file__)`` loads it as a script outside the package, so its imports
must be absolute.
"""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from corefscope.core.clusters import Scorer, listed, with_values
from corefscope.core.version import __version__

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

    def add(self, *, prediction: Any = None, reference: Any = None, **inputs: Any) -> None:
        """Add one document."""
        self.add_batch(predictions=[prediction], references=[reference], **inputs)

    def add_batch(self, *, predictions: Any = None, references: Any = None, **inputs: Any) -> None:
        """Add documents; spans are checked first, because ``datasets`` would truncate fractions."""
        predictions, references = _checked(predictions, "response"), _checked(references, "key")
        super().add_batch(predictions=predictions, references=references, **inputs)

    def _compute(self, predictions: Any, references: Any, **options: Any) -> dict[str, Any]:
        scorer = Scorer(**options)
        for response, key in zip(predictions, references, strict=True):
            scorer.add(key, response)
        report = scorer.report()
        return {**report.to_flat_dict(), "signature": report.signature}


def _checked(documents: Any, side: str) -> Any:
    """Documents with spans of integers: arrays and tensors as tuples."""
    return documents if documents is None else [with_values(listed(each, side), side) for each in documents]
