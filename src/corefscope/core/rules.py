"""The rule sets: where scorers disagree, one named choice for each point of disagreement.

Nothing else in the package asks which rule set is in force.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from typing import TYPE_CHECKING, NamedTuple

from .document import Document
from .errors import InputError
from .matching import corrected, official
from .matching.alignment import Alignment
from .matching.matchers import MATCHERS, Matcher
from .matching.transform import (
    Identity,
    with_decimal_ordinals,
    with_one_owner,
    with_words_once,
    without_repeats,
    without_singletons,
)
from .metrics.base import Conventions
from .metrics.blanc import mean_of_key_links, mean_of_present, with_equal_mentions
from .naming import by_name
from .numbers import Counts
from .table import Contingency

if TYPE_CHECKING:
    from ..anaphora.relations import Relations


Align = Callable[[Document, Document], Alignment]


def _relations(key: Document, response: Document, align: Align, matcher: Matcher, smallest: int) -> Relations:
    from ..anaphora.relations import CorrectedRelations  # few metrics need it

    return CorrectedRelations(key, response, align, matcher.identity, smallest)


class Preparation(NamedTuple):
    """How documents are prepared before their mentions are aligned."""

    repeated: Callable[[Document, Identity], Document]
    """Resolve mentions that occur more than once."""
    official: bool
    """Whether the rules take what the reference program of a format reads, where that differs
    (``Document.official``). Of a document that names the rules which do (``Document.program``), only those do."""
    reading: Callable[[Document], Document]
    """Adapt a document that has such a reading, empty nodes .10 and up, or mentions that repeat words."""
    without_singletons: Callable[[Document], Document] = without_singletons
    """Drop singletons."""


class ProgramCounts(NamedTuple):
    """Metrics that a rule set counts in a way of its own, as the program that it reproduces."""

    counts: Callable[[Alignment, Matcher, Set[str], Relations | None], dict[str, Counts]]
    """The counts, by name: of some metrics at least; given the relations if they are known."""
    stand_for: Mapping[str, str] = {}
    """What these metrics are in the registry, where it has another name for them: what the reference has to be asked
    for."""
    pieces: str = ""
    """The entities of these counts, for explanations: a function of a module of ``count/explanations``."""


class RuleSet(NamedTuple):
    """One row of the catalogue."""

    name: str
    title: str
    align: Callable[..., Alignment]
    """Pairs the mentions of two sides."""
    preparation: Preparation
    one_owner: bool
    """Of clusters of plain values: whether a mention belongs to one of them only."""
    conventions: Conventions
    program: ProgramCounts | None = None
    relations: Callable[[Document, Document, Align, Matcher, int], Relations] = _relations
    """What they count of the relations of two documents, given how documents are aligned (singletons kept), how
    mentions are matched, and how many members an entity must have."""
    last_digits: Callable[[Contingency], dict[str, Counts]] | None = None
    """The counts of metrics whose sums have rounding errors, in the arithmetic of the program, by name."""
    defaults: Mapping[str, str] = {}
    """Defaults of options that do not depend on the format of the key."""
    matches: tuple[str, ...] = tuple(MATCHERS)
    """The matches that they know; in others they are as the reference."""

    def __repr__(self) -> str:
        return by_name(self)

    def counted(
        self, alignment: Alignment, matcher: Matcher, names: Iterable[str], relations: Relations | None = None
    ) -> dict[str, Counts]:
        """What they count in a way of their own, where it is needed for metrics of these names."""
        if self.program is None:
            return {}
        wanted = set(names)
        wanted.update([own for own, other in self.program.stand_for.items() if other in wanted])
        return self.program.counts(alignment, matcher, wanted, relations)

    def read(self, document: Document, match: str) -> Document:
        """An odd document as these rules read it; what their program reads is for the matches that it knows."""
        is_own = document.program == self.name and match in self.matches
        officially = is_own if document.program else self.preparation.official
        return self.preparation.reading(_taken(document, officially))


def _taken(document: Document, officially: bool) -> Document:
    """Of the two readings of a document the one that counts, of its discourse deixis alike; the other one goes."""
    taken = (officially and document.official) or document
    return taken._replace(official=None, deixis=taken.deixis and _taken(taken.deixis, officially))


def _one_owner(document: Document, identity: Identity) -> Document:
    return with_one_owner(without_repeats(document, identity), identity)


def _unchanged(document: Document) -> Document:
    return document


def _as_they_are(document: Document, _: Identity) -> Document:
    return document


def _official_sums(table: Contingency) -> dict[str, Counts]:
    from .official_sums import official_sums  # once in thousands of figures

    return official_sums(table)


def _conll_counts(alignment: Alignment, _: Matcher, __: Set[str], ___: Relations | None) -> dict[str, Counts]:
    from ..compat.conll_counts import count  # no other rules need it

    return count(alignment)


UA_MATCHES = ("exact", "partial")


def _ua_counts(
    alignment: Alignment, matcher: Matcher, names: Set[str], relations: Relations | None
) -> dict[str, Counts]:
    from ..compat.ua_counts import count  # likewise

    return count(alignment, names, relations, minimum=matcher.find.parts) if matcher.name in UA_MATCHES else {}


def _ua_relations(key: Document, response: Document, align: Align, matcher: Matcher, smallest: int) -> Relations:
    from ..compat.ua_counts import UaRelations

    if matcher.name not in UA_MATCHES:
        return _relations(key, response, align, matcher, smallest)
    if smallest > 1:
        key, response = _without_singletons_of_ua(key), _without_singletons_of_ua(response)
    return UaRelations(key, response, minimum=matcher.find.parts)


def _without_singletons_of_ua(document: Document) -> Document:
    plural = next((relation for relation in document.relations if relation.kind == "split"), None)
    if plural:
        line = document.line_of(plural.anaphor[0].first)
        hint = "keep them: --singletons keep; or score by other rules: --rules corrected"
        message = "UA scorer 1.0 cannot drop singletons where entities have split antecedents"
        raise InputError(message, path=document.path, line=line, hint=hint)
    return without_singletons(document)


REFERENCE = "corrected"
"""The rule set that others are compared with."""

RULES: dict[str, RuleSet] = {
    rules.name: rules
    for rules in (
        RuleSet(
            name="corefud-1.2",
            title="what CorefUD scorer 1.2 prints, its quirks included",
            align=official.align,
            preparation=Preparation(without_repeats, official=True, reading=with_decimal_ordinals),
            one_owner=False,
            conventions=Conventions(blanc=mean_of_present, nothing=0.0),
            last_digits=_official_sums,
        ),
        RuleSet(
            name="corrected",
            title="the same ideas without the bugs: symmetric, a file against itself scores 100",
            align=corrected.align,
            preparation=Preparation(_one_owner, official=False, reading=with_words_once),
            one_owner=True,
            conventions=Conventions(blanc=with_equal_mentions, nothing=1.0),
        ),
        RuleSet(
            name="conll-8.01",
            title="what the CoNLL reference scorer 8.01 prints; it knows exact matches only, others are as corrected",
            align=corrected.align,
            preparation=Preparation(_as_they_are, official=True, reading=with_words_once),
            one_owner=False,
            conventions=Conventions(blanc=mean_of_key_links, nothing=0.0),
            program=ProgramCounts(_conll_counts, pieces="pieces.pieces_of_chains"),
            matches=("exact",),
        ),
        RuleSet(
            name="ua-1.0",
            title="what UA scorer 1.0 prints, its quirks included; MIN is --match partial, heads are as corrected",
            align=corrected.align,
            preparation=Preparation(
                _as_they_are, official=False, reading=_unchanged, without_singletons=_without_singletons_of_ua
            ),
            one_owner=False,
            conventions=Conventions(blanc=mean_of_present, nothing=0.0),
            program=ProgramCounts(
                _ua_counts, {name: f"plural_{name}" for name in ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea")}
            ),
            relations=_ua_relations,
            defaults={"match": "exact", "singletons": "keep"},
            matches=UA_MATCHES,
        ),
    )
}
