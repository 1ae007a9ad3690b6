"""Rule sets that reproduce other programs: the CoNLL reference scorer 8.01 and UA scorer 1.0."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING

from ..core.document import Document
from ..core.errors import InputError
from ..core.matching import corrected
from ..core.matching.alignment import Alignment
from ..core.matching.matchers import Matcher
from ..core.matching.transform import Identity, with_words_once, without_singletons
from ..core.metrics.base import Conventions
from ..core.metrics.blanc import mean_of_key_links, mean_of_present
from ..core.numbers import Counts
from ..core.rules import Align, AlignedRelations, Preparation, ProgramCounts, RuleSet, count_relations

if TYPE_CHECKING:
    from ..anaphora.relations import Relations

UA_MATCHES = ("exact", "partial")


def _unchanged(document: Document, _: Identity | None = None) -> Document:
    return document


def _conll_counts(alignment: Alignment, _: Matcher, __: Set[str], ___: object) -> dict[str, Counts]:
    from .conll_counts import count  # only for these rules

    return count(alignment)


def _ua_counts(
    alignment: Alignment, matcher: Matcher, names: Set[str], relations: Relations | None
) -> dict[str, Counts]:
    from .ua_counts import count  # only for these rules

    return count(alignment, names, relations, minimum=matcher.find.parts) if matcher.name in UA_MATCHES else {}


def _ua_relations(
    key: Document, response: Document, align: Align, matcher: Matcher, min_entity_size: int
) -> AlignedRelations:
    from .ua_counts import UaRelations

    if matcher.name not in UA_MATCHES:
        return count_relations(key, response, align, matcher, min_entity_size)
    if min_entity_size > 1:
        key, response = _without_singletons(key), _without_singletons(response)
    return UaRelations(key, response, minimum=matcher.find.parts)


def _without_singletons(document: Document) -> Document:
    """Drop singletons, which UA scorer 1.0 cannot do where entities have split antecedents."""
    plural = next((relation for relation in document.relations if relation.kind == "split"), None)
    if plural:
        line = document.line_of(plural.anaphor[0].first)
        hint = "keep them: --singletons keep; or score by other rules: --rules corrected"
        message = "UA scorer 1.0 cannot drop singletons where entities have split antecedents"
        raise InputError(message, path=document.path, line=line, hint=hint)
    return without_singletons(document)


CONLL = RuleSet(
    name="conll-8.01",
    title="what the CoNLL reference scorer 8.01 prints; it knows exact matches only, others are as corrected",
    align=corrected.align,
    preparation=Preparation(_unchanged, official=True, reading=with_words_once),
    one_owner=False,
    conventions=Conventions(blanc=mean_of_key_links, nothing=0.0),
    program=ProgramCounts(_conll_counts, pieces="pieces.pieces_of_chains"),
    matches=("exact",),
)
UA = RuleSet(
    name="ua-1.0",
    title="what UA scorer 1.0 prints, its quirks included; MIN is --match partial, heads are as corrected",
    align=corrected.align,
    preparation=Preparation(_unchanged, official=False, reading=_unchanged, without_singletons=_without_singletons),
    one_owner=False,
    conventions=Conventions(blanc=mean_of_present, nothing=0.0),
    program=ProgramCounts(
        _ua_counts, {name: f"plural_{name}" for name in ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea")}
    ),
    relations=_ua_relations,
    defaults={"match": "exact", "singletons": "keep"},
    matches=UA_MATCHES,
)
