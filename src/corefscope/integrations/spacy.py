"""A scorer for spaCy, ``corefscope.coref_scorer.v1``: span groups of the predicted ``Doc`` against the reference.

In a config::

    [components.coref.scorer]
    @scorers = "corefscope.coref_scorer.v1"
    prefix = "coref_clusters"
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import accumulate
from typing import Any

from spacy import registry
from spacy.tokens import Doc
from spacy.training import Example

from ..core.clusters import Scorer
from ..core.errors import InputError
from ..formats.adapters import from_spacy

FIGURES = {"recall": "r", "precision": "p", "f1": "f", "value": "v"}
"""The names of figures in spaCy, as in ``ents_p``."""


@registry.scorers("corefscope.coref_scorer.v1")
def make_coref_scorer(
    prefix: str = "coref_clusters",
    metrics: str | None = None,
    rules: str | None = None,
    singletons: str | None = None,
    preset: str | None = None,
) -> Callable[..., dict[str, float]]:
    """The scorer for a config; names of span groups begin with ``prefix``, the rest are options of ``Scorer``."""
    options = {"metrics": metrics, "rules": rules, "singletons": singletons, "preset": preset}
    return partial(score_coref, prefix=prefix, options=options)


def score_coref(
    examples: Iterable[Example],
    *,
    prefix: str = "coref_clusters",
    options: Mapping[str, Any] | None = None,
    **_: object,
) -> dict[str, float]:
    """The scores of examples: ``coref_conll_f``, ``coref_muc_p`` and so on."""
    scorer = Scorer(**(options or {}))
    for example in examples:
        if _text(example.reference) != _text(example.predicted):
            raise InputError(f"the texts of an example differ: {_text(example.reference)[:40]!r}…")
        scorer.add(_clusters(example.reference, prefix), _clusters(example.predicted, prefix))
    return {
        f"coref_{record['metric']}_{FIGURES[figure]}": value
        for record in scorer.report().to_records()
        for figure, value in record.items()
        if figure in FIGURES and value is not None
    }


def _clusters(doc: Doc, prefix: str) -> list[list[tuple[int, int]]]:
    """Mentions by their characters without blanks, because the sides may be tokenised differently."""
    ends = [0, *accumulate(len("".join(token.text.split())) for token in doc)]
    return [[(ends[start], ends[end]) for start, end in cluster] for cluster in from_spacy(doc, prefix, empty=True)]


def _text(doc: Doc) -> str:
    return "".join(doc.text.split())
