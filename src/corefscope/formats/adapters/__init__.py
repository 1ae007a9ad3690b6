"""Clusters from the output of coreference frameworks, for :func:`corefscope.score_clusters` and ``Scorer.add``.

No framework is imported: an adapter inspects the shape of its argument, and raises :class:`~corefscope.InputError`
with the expected shape if it has another one.

**One convention for all.** A mention is ``(start, end)``: 0-based, counted through the whole document, ``end`` *not*
included, so ``tokens[start:end]`` are its words. Offsets that include the last word, count per sentence or count from
1 are converted. So a key from one framework can be scored against a response from another, as long as both
saw the same tokens. Character offsets are never mixed in silently (see :func:`from_fastcoref`).

>>> from corefscope import score_clusters
>>> key = from_coref_data({"sentences": [{"tokens": ["Ada", "knew"]}, {"tokens": ["her", "machine"]}],
...                        "coref_chains": [[[0, 0, 0], [1, 0, 0]]]})
>>> response = from_allennlp({"document": ["Ada", "knew", "her", "machine"], "clusters": [[[0, 0], [2, 2]]]})
>>> key == response, score_clusters(key, response, metrics="conll")["conll"].f1
(True, 1.0)
"""

from __future__ import annotations

from .frameworks import (
    from_allennlp,
    from_coref_data,
    from_corenlp,
    from_fastcoref,
    from_maverick,
    from_spacy,
    from_stanza,
)
from .shapes import characters_to_tokens

__all__ = [
    "characters_to_tokens",
    "from_allennlp",
    "from_coref_data",
    "from_corenlp",
    "from_fastcoref",
    "from_maverick",
    "from_spacy",
    "from_stanza",
]
