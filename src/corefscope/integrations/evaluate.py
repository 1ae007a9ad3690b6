"""A metric of Hugging Face's ``evaluate``: documents as lists of clusters of spans ``[start, end]``.

>>> from corefscope.integrations.evaluate import Coref
>>> found = Coref().compute(predictions=[[[[0, 1], [4, 4]], [[7, 9]]]], references=[[[[0, 1], [4, 4]]]])
>>> round(found["conll/f1"], 4)
0.8222

``evaluate.load(corefscope.integrations.evaluate.__file__)`` loads it as well. It is then a script on its own: that is
why it imports the package by its name.
"""

from __future__ import annotations

import datasets
import evaluate

from corefscope.base.annotations import Any
from corefscope.base.version import __version__
from corefscope.evaluate.clusters import Scorer

SPANS = [[[datasets.Value("int64")]]]
DESCRIPTION = "MUC, B³, CEAF, BLANC, LEA and CoNLL, and every other metric of corefscope that needs no words."
INPUTS = """
predictions: for each document the clusters of the response, each a list of spans [start, end]
references: for each document the clusters of the key
metrics, rules, singletons, preset: as for corefscope.Scorer
"""


class Coref(evaluate.Metric):
    """Scores of coreference, pooled over all documents: ``conll/f1``, ``muc/recall`` and so on."""

    def _info(self) -> Any:
        return evaluate.MetricInfo(
            description=f"{DESCRIPTION} corefscope {__version__}.",
            citation="",
            inputs_description=INPUTS,
            features=datasets.Features({"predictions": SPANS, "references": SPANS}),
        )

    def _compute(self, predictions: Any, references: Any, **options: Any) -> dict[str, Any]:
        scorer = Scorer(**options)
        for response, key in zip(predictions, references, strict=True):
            scorer.add(key, response)
        report = scorer.report()
        return {**report.to_flat_dict(), "signature": report.signature}
