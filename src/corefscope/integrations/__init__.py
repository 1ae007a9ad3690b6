"""corefscope in other frameworks: one module for each, which imports it.

- ``torchmetrics`` has ``CorefScore``, a ``Metric`` whose states are counts: exact in several processes.
- ``evaluate`` has ``Coref``, a ``Metric`` of Hugging Face's ``evaluate``.
- ``spacy`` has the scorer ``corefscope.coref_scorer.v1``.
- ``inspect_ai`` has ``coref``, a scorer, and ``pooled``, the metric over samples.

All of them take clusters and the options of :class:`corefscope.Scorer`.
"""
