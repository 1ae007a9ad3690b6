"""Bridging and expressions that do not refer: which are found, and which anaphors are linked to the right anchor

*The house is old. The door creaks.* A bridging anaphor (the door) is understood through an anchor (the house) that it
is not identical with. R = right / those of the key, P = right / those of the response; sums over documents.

- ``bridging_recognition``: anaphors that are anaphors on both sides, whatever their anchors are.
- ``bridging_mention``: links from an anaphor to an anchor that both sides have. Where a format names the anchor's
  entity and no mention (CorefUD), the anchor is its last mention before the anaphor; if there is none, its first.
  Since that is a convention, tables show it for CorefUD only if it is asked for by name.
- ``bridging_entity``: links from an anaphor to the anchor's entity. A link of the response is right if the key links
  the anaphor to the entity that holds most mentions of the anchor's entity; recall is counted with the sides swapped.
  (Of several that hold as many, the one of the earliest mention counts.) This is the figure to quote.
- ``non_referring``: mentions that do not refer, such as expletives. CorefUD does not annotate them.

Every link counts, if an anaphor has several. What a relation is called is not compared. Mentions are aligned as for
all metrics, singletons and expressions that do not refer among them.

The rules ``ua-1.0`` count as UA scorer 1.0 does: of an anaphor the last link, of expressions that do not refer
under one name the first; an anchor is right if it is in the key entity of the key's anchor, whatever the entities
of the response are.

Yu et al. (2022).
"""

from __future__ import annotations

from functools import partial

from ..core.metrics.base import Applicability, Explanation, Metric, RelationMetric, Resampling, Scale, rows
from . import relations

_row = partial(
    Metric,
    cite="yu-2022",
    definition=__doc__,
    reads="relations",
    resampling=Resampling(reason="counts links between mentions, or mentions of no entity"),
)


def _bridging(level: str, summary: str, errors: tuple[str, ...]) -> Metric:
    name = f"bridging_{level}"
    return _row(
        *(name, f"Bridging ({level})", summary),
        counts=lambda related: related.bridging(level),
        scope=SCOPE._replace(witness=name),
        explanation=Explanation(f"mentions.bridging:{level}"),
        relation=RelationMetric(errors, relations.repaired_bridging(level)),
    )


SCOPE = Applicability(needs_words=True, compares_entities=False)
RECOGNITION = _bridging("recognition", "bridging anaphors, whatever they are linked to", relations.BRIDGING)
MENTION = _bridging("mention", "bridging anaphors linked to the right mention", relations.ANCHORS)
ENTITY = _bridging("entity", "bridging anaphors linked to the right entity", relations.LINKS)
ROWS = rows(
    RECOGNITION,
    MENTION._replace(scope=MENTION.scope._replace(by_convention_in=("corefud",))),
    ENTITY._replace(scale=Scale(headline=True)),
    _row(
        *("non_referring", "Non-referring", "expressions that do not refer, such as expletives"),
        counts=relations.RelationCounts.non_referring,
        scope=SCOPE._replace(witness="non_referring", formats=("ua",)),
        explanation=Explanation("mentions.non_referring"),
        relation=RelationMetric(relations.NON_REFERRING, relations.repaired_non_referring),
    ),
)
