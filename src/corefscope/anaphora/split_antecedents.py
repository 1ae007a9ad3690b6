"""Split antecedents and discourse deixis: the identity metrics over more than identity

*John met Mary. They went home.* A plural entity represents others, its elements. Besides its mentions it has one
more member, a pseudo-mention: the set of its elements; an element that is a plural itself is replaced by its own
elements. Entities with the same elements are one.

Plurals of key and response are mapped one to one, by the same metric: it scores the elements of the one against those
of the other as small partitions (MUC then counts an entity of one mention, too), equal plurals first, then the
greatest total of F1. Recall, precision or F1 of a pair is how much its pseudo-mention counts: w instead of 1.

- ``plural_muc`` … ``plural_lea``: the identity metrics with these pseudo-mentions; without plurals the same as the
  ordinary ones. MUC: w more links kept if the entities share a mention, too. B³, CEAF: w more mentions in common.
  LEA, BLANC: links with the pseudo-mention weigh w; between two plurals, the product. BLANC maps plurals by the whole
  BLANC of their elements.
- ``split_muc`` … ``split_lea``: the pseudo-mentions alone. Sums over the pairs of plurals, out of those over all
  plurals.
- ``deixis_muc`` … ``deixis_lea``: as ``plural_…``, over the layer of discourse deixis (column 12 of CoNLL-UA), with
  singletons.
- ``plural``, ``split``, ``deixis``: the CoNLL score of each, the mean F1 of MUC, B³ and CEAFe.

Elements are made before singletons are dropped, and an entity of one mention and a pseudo-mention is no singleton.
The rules ``ua-1.0`` count as UA scorer 1.0 does: there the identity metrics themselves are with plurals, BLANC and
LEA depend on the order of members, and a plural that is right can go without its counterpart.

Paun et al. (2022); Yu et al. (2022).
"""

from __future__ import annotations

from collections.abc import Callable

from ..core.metrics.b_cubed import B_CUBED
from ..core.metrics.base import (
    Applicability,
    Conventions,
    Explanation,
    Metric,
    RelationMetric,
    Resampling,
    Scale,
    elementwise,
    rows,
)
from ..core.metrics.blanc import BLANC, components, mean_of_kinds
from ..core.metrics.ceaf import CEAFE, CEAFM
from ..core.metrics.lea import LEA
from ..core.metrics.means import mean_of
from ..core.metrics.muc import MUC
from ..core.numbers import Counts, Score, where
from .relations import PLURALS, RelationCounts, repaired_plurals

IDENTITY = (MUC, B_CUBED, CEAFE, CEAFM, BLANC, LEA)
LAYERS: dict[str, tuple[str, Callable[[RelationCounts, str], Counts]]] = {
    "plural": ("with split antecedents", RelationCounts.plural),
    "split": ("of split antecedents alone", RelationCounts.split),
    "deixis": ("of discourse deixis", RelationCounts.deixis),
}
"""What each layer is called after a metric, and how it is counted."""


@elementwise
def _score_of_split_blanc(counts: Counts, conventions: Conventions) -> Score:
    """The mean over the kinds of links that decide; without any, whether the plurals are the same."""
    *of_blanc, links, others = counts
    same = where(of_blanc[-1] == 0, conventions.nothing, 0.0)
    found = mean_of_kinds(tuple(of_blanc), links != 0, others != 0)
    return Score(*[where((links == 0) & (others == 0), same, figure) for figure in found])


def _row(layer: str, metric: Metric) -> Metric:
    what, count = LAYERS[layer]
    is_split = layer == "split"
    return Metric(
        name=f"{layer}_{metric.name}",
        title=f"{metric.title} ({layer})",
        summary=f"{metric.title} {what}",
        cite="paun-2022",
        definition=__doc__,
        counts=lambda related: count(related, metric.name),
        fields=metric.fields,
        score=metric.score,
        reads="relations",
        scope=_scope(layer),
        resampling=Resampling(reason="counts plurals, which have no place in the text"),
        explanation=Explanation(
            f"mentions.plurals:{metric.name}" if is_split and metric is not BLANC else "",
            metric.explanation.components,
        ),
        relation=RelationMetric(
            errors=PLURALS if is_split else (),
            repaired_counts=repaired_plurals(metric.name) if is_split else None,
            over_layer=metric.name if layer == "deixis" else "",
        ),
    )


def _scope(layer: str) -> Applicability:
    """Without plurals, metrics with plurals are those of identity: only their elements are a witness."""
    if layer == "deixis":
        return Applicability(needs_words=True, witness="deixis_ceafm", formats=("ua",))
    return Applicability(needs_words=True, witness="split_muc")


def _layer(layer: str) -> list[Metric]:
    metrics = {metric.name: _row(layer, metric) for metric in IDENTITY}
    if layer == "split":
        blanc = metrics["blanc"]
        metrics["blanc"] = blanc._replace(
            fields=(*BLANC.fields, "coreference_links_decisive", "non_coreference_links_decisive"),
            score=_score_of_split_blanc,
            explanation=Explanation(components=lambda counts: components(counts[:-2])),
            relation=blanc.relation._replace(decisive=2),
        )
    mean = mean_of(*(metrics[name] for name in ("muc", "bcub", "ceafe")))._replace(
        name=layer,
        title=f"CoNLL ({layer})",
        summary=f"CoNLL score {LAYERS[layer][0]}: mean of the F1 of MUC, B³ and CEAFe",
        cite="paun-2022",
        definition=__doc__,
        scope=_scope(layer),
        relation=RelationMetric(over_layer="conll" if layer == "deixis" else ""),
        scale=Scale(headline=True),
    )
    return [*metrics.values(), mean]


ROWS = rows(*[row for layer in LAYERS for row in _layer(layer)])
