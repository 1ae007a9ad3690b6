"""Rule sets: where scorers disagree, one named choice for each point of disagreement.

A rule set is one row: functions and values, never a name that other code asks for. ``corefud-1.2`` and ``corrected``
are here; capabilities add those of other programs (``corefscope/capabilities.py``).
"""

# Annotations are evaluated here: NamedTuple compiles those that are strings, field by field.

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from .choices import Rules
from .document import Document
from .matching import corrected, official
from .matching.alignment import Alignment
from .matching.matchers import MATCHERS, ZEROS, Matcher
from .matching.transform import (
    Identity,
    with_decimal_ordinals,
    with_one_owner,
    with_words_once,
    without_repeats,
    without_singletons,
)
from .metrics.base import Conventions
from .metrics.blanc import mean_of_present, with_equal_mentions
from .naming import by_name
from .numbers import Counts
from .official_sums import official_sums
from .registry import HOOKS, Registry
from .table import Contingency

Align = Callable[[Document, Document], Alignment]


class AlignedRelations(Protocol):
    """The relations of two documents, aligned under a rule set; metrics of relations know more of them."""

    @property
    def settled(self) -> bool:
        """Whether there was nothing to choose, so that rules which count in the same way align alike."""

    def judged(self) -> Any:
        """Every relation with whether it is right, for error analysis and explanations."""


def count_relations(
    key: Document, response: Document, align: Align, matcher: Matcher, min_entity_size: int
) -> AlignedRelations:
    """Count relations by the alignment at hand, as the package ``anaphora`` does."""
    counts: AlignedRelations = HOOKS["count_relations"](key, response, align, matcher.identity, min_entity_size)
    return counts


def identity_of_match(matcher: Matcher, _: str) -> Identity:
    """The identity of mentions that a match uses, for both sides."""
    return matcher.identity


class Preparation(NamedTuple):
    """How documents are prepared before their mentions are aligned."""

    repeated: Callable[[Document, Identity], Document]
    """Resolve mentions that occur more than once."""
    official: bool
    """Whether the rules take the official reading of a document (``Document.official``). If the document names the
    rules that do (``Document.program``), only those do."""
    reading: Callable[[Document], Document]
    """Adapt a document that has an official reading, empty nodes .10 and up, or mentions that repeat words."""
    without_singletons: Callable[[Document], Document] = without_singletons
    """Drop singletons."""
    identity: Callable[[Matcher, str], Identity] = identity_of_match
    """What makes two mentions of a side, ``key`` or ``response``, the same."""
    compare: Callable[[Document, Document], None] | None = None
    """Refuses two documents in which the program finds other words, although only empty nodes differ."""


class ProgramCounts(NamedTuple):
    """Metrics that a rule set counts in a way of its own, as the program that it reproduces."""

    counts: Callable[[Alignment, Matcher, Set[str], Any, int], dict[str, Counts]]
    """The counts, by name: of some metrics at least; given the relations if they are known, and how many members an
    entity must have."""
    stand_for: Mapping[str, str] = {}
    """The names of these metrics in the registry, where they differ: the metrics to compare with the reference."""
    pieces: str = ""
    """The entities of these counts, for explanations: a function of a module of ``analysis/explanations``."""


class RuleSet(NamedTuple):
    """One row of the registry of rule sets."""

    name: str
    title: str
    align: Callable[..., Alignment]
    """Pairs the mentions of two sides."""
    preparation: Preparation
    one_owner: bool
    """Of clusters of plain values: whether a mention belongs to one of them only."""
    conventions: Conventions
    program: ProgramCounts | None = None
    relations: Callable[[Document, Document, Align, Matcher, int], AlignedRelations] | None = count_relations
    """Counts the relations of two documents, given how documents are aligned (singletons kept), how mentions are
    matched, and how many members an entity must have. None: as the reference does."""
    last_digits: Callable[[Contingency], dict[str, Counts]] | None = None
    """The counts of metrics whose sums have rounding errors, in the arithmetic of the program, by name."""
    defaults: Mapping[str, str] = {}
    """Defaults of options that do not depend on the format of the key."""
    matches: tuple[str, ...] = tuple(MATCHERS)
    """The matches that the rules know; with others they count as the reference."""
    zeros: tuple[str, ...] = tuple(ZEROS)
    """The ways to match zeros that the rules know; with others they count as the reference."""
    windows: Callable[[int, int], Iterable[range]] | None = None
    """The windows of their program in a text of so many words, by numbers of words from 0, given their size."""

    def __repr__(self) -> str:
        return by_name(self)

    def own_counts(
        self,
        alignment: Alignment,
        matcher: Matcher,
        names: Iterable[str],
        relations: AlignedRelations | None = None,
        min_entity_size: int = 1,
    ) -> dict[str, Counts]:
        """The counts that the rules make in a way of their own, by name, as far as these metrics need them."""
        if self.program is None:
            return {}
        wanted = set(names)
        wanted.update([own for own, other in self.program.stand_for.items() if other in wanted])
        return self.program.counts(alignment, matcher, wanted, relations, min_entity_size)

    def knows(self, match: str, zeros: str) -> bool:
        """Whether the rules have figures of their own for these options."""
        return match in self.matches and zeros in self.zeros

    def read(self, document: Document, match: str) -> Document:
        """The document as these rules read it: officially only for the matches that their program knows."""
        is_own = document.program == self.name and match in self.matches
        officially = is_own if document.program else self.preparation.official
        return self.preparation.reading(_one_reading(document, officially))


def _one_reading(document: Document, officially: bool) -> Document:
    """Choose the official reading or the other one, also of its discourse deixis."""
    chosen = (officially and document.official) or document
    return chosen._replace(official=None, deixis=chosen.deixis and _one_reading(chosen.deixis, officially))


def _one_owner(document: Document, identity: Identity) -> Document:
    return with_one_owner(without_repeats(document, identity), identity)


REFERENCE: Rules = "corrected"
"""The rule set that others are compared with."""


class RuleRegistry(Registry[RuleSet]):
    """Rule sets by name."""

    if TYPE_CHECKING:

        def __iter__(self) -> Iterator[Rules]: ...


RULES = RuleRegistry(
    {
        rules.name: rules
        for rules in (
            RuleSet(
                name="corefud-1.2",
                title="what CorefUD scorer 1.2 prints, its quirks included",
                align=official.align,
                preparation=Preparation(without_repeats, official=True, reading=with_decimal_ordinals),
                one_owner=False,
                conventions=Conventions(blanc=mean_of_present, nothing=0.0),
                last_digits=official_sums,
            ),
            RuleSet(
                name="corrected",
                title="the same ideas without the bugs: symmetric, a file against itself scores 100",
                align=corrected.align,
                preparation=Preparation(_one_owner, official=False, reading=with_words_once),
                one_owner=True,
                conventions=Conventions(blanc=with_equal_mentions, nothing=1.0),
            ),
        )
    }
)
