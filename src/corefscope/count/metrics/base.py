"""What a metric is: a value in the catalogue. Nobody subclasses."""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import Any, Literal, NamedTuple, TypeVar

from ...base.numbers import AnyScore, Counts, Score, nothing_in, prf
from ..table import Table
from .by_mention import ByMention

RECALL_PRECISION = ("recall_numerator", "recall_denominator", "precision_numerator", "precision_denominator")
ScoreFunction = TypeVar("ScoreFunction", bound=Callable[[Any, Any], AnyScore])


class Conventions(NamedTuple):
    """Where rule sets differ about how counts become scores."""

    blanc: Callable[[Counts], Score]
    """BLANC from its pooled counts, boundary cases included; numbers or arrays."""
    nothing: float
    """The score of a metric of which neither side has anything to count, such as MUC without any links."""


def elementwise(score: ScoreFunction) -> ScoreFunction:
    """Marks a score function that takes numbers or arrays: arithmetic, ``ratio`` and ``where`` in place of ``if``."""
    score.elementwise = True  # type: ignore[attr-defined]
    return score


@elementwise
def plain(counts: Counts, conventions: Conventions) -> Score:
    """Recall and precision are ratios of pooled sums."""
    return prf(counts, conventions.nothing)


class Metric(NamedTuple):
    """One row of the catalogue: all that is true of a metric. What has a default is said only where it differs."""

    name: str
    title: str
    summary: str
    """One line for ``corefscope metrics``; the docstring of the module has the definition."""
    cite: str
    """Key of the paper in the bibliography."""
    definition: str
    """Formula, edge cases, departures and paper: the docstring of its module."""
    counts: Callable[[Any], Counts]
    """The counts of one document, from what the metric reads."""
    fields: tuple[str, ...] = RECALL_PRECISION
    """What the numbers of a row of counts are."""
    score: Callable[[Any, Conventions], AnyScore] = plain
    """From pooled counts (or, for ``reads="scores"``, from the scores of the parts)."""
    reads: Literal["table", "partition", "alignment", "relations", "scores"] = "table"
    """What ``counts`` takes: the contingency table; the same with every mention in one entity only, for measures that
    are defined on partitions; the alignment, where words and zeros are needed; or the relations of both documents. A
    metric that reads scores is computed from those of its ``parts``."""
    of_ids: Callable[[Table], Counts] | None = None
    """Of a metric that reads the alignment: its counts from the table, where mentions are ids that stand once."""
    by_order: bool = False
    """Whether the counts of a table depend on the order of its entities."""
    parts: tuple[str, ...] = ()
    """The metrics that it is the mean of."""
    symmetric: bool = True
    """Whether swapping key and response swaps recall and precision, or leaves a single value as it is."""
    range: tuple[float, float] = (0.0, 1.0)
    """The least and the greatest value it can have."""
    perfect: float = 1.0
    """What a response that equals the key scores (of something there is to count)."""
    note: str = ""
    """What must be said wherever the score is shown."""
    needs_words: bool = False
    """Whether it cannot be counted where mentions are mere names, as in clusters and labels."""
    needs_empty_nodes: bool = False
    """Whether it is about empty nodes, which only some formats have, and not about mentions."""
    each_entity: str = ""
    """Why it has to know every single entity, as the end of a sentence about the metric; empty if it need not."""
    compares_entities: bool = True
    """Whether it asks which mentions belong together. If so, a trivial response has a score: a baseline."""
    components: Callable[[Counts], dict[str, Any]] | None = None
    """What the score is made of, from pooled counts: scores or numbers by name."""
    by_mention: ByMention | str = "is not known to be one"
    """If its counts are sums over mentions, what each mention adds, so that parts of a document can be resampled; if
    not, why not, as the end of a sentence about the metric."""
    adds_over_components: bool = False
    """Whether the counts of a table are the sums of those of its connected components: no term mixes entities that
    share no mention, directly or through others. Lost points are then found component by component, which is
    faster."""
    working: str = ""
    """How it is worked out by hand: a function of a module of ``count/explanations``, such as ``entities.muc``."""
    where_present: str = ""
    """The metric by which one sees whether the files have what it is about. If they do not, a report leaves it out,
    unless it is named itself, not by a group."""
    errors: tuple[str, ...] = ()
    """Of a metric of relations: the kinds of errors that cost it points,"""
    mended: Callable[[Any, Counts, Set[str]], Counts] | None = None
    """and its counts once some of them are mended (``count/relations/mended``)."""
    over_layer: str = ""
    """The metric of identity that it is over a layer of its own, as ``muc`` of ``deixis_muc``."""
    annotated_in: tuple[str, ...] = ()
    """The formats that have what it is about, if not all that have relations do."""
    by_convention_in: tuple[str, ...] = ()
    """The formats in which a convention makes it, not the annotation. There, tables show it only if it is named
    itself, not by a group; programs always get it."""
    decisive: int = 0
    """How many of its last counts say how the others are scored, and not how much there is."""
    headline: bool = False
    """Whether it is the one to speak of where there is room for one."""
    aliases: tuple[str, ...] = ()
    """What it is called elsewhere; somebody who asks for it by such a name is told ours."""

    @property
    def counts_of_ids(self) -> Callable[[Any], Counts] | None:
        """The counts of a document whose mentions are ids that stand once, from its table, entities in any order.

        None if only the alignment tells them.
        """
        if self.by_order or self.reads == "relations":
            return None
        return self.of_ids if self.reads == "alignment" else self.counts

    @property
    def not_from_looks(self) -> str:
        """Why it cannot be counted from how many cells look alike, which is what engines return; empty if it can."""
        return "needs the words of the mentions" if self.needs_words else self.each_entity

    def nothing(self, counts: Counts) -> bool:
        """Whether neither side has anything that it counts: then a score is what the rules call 0/0."""
        return nothing_in(counts[: len(counts) - self.decisive])

    @property
    def elementwise(self) -> bool:
        """Whether ``score`` takes arrays. If not, resamples are scored one by one."""
        return getattr(self.score, "elementwise", False)


def both_ways(recall: Callable[[Table], tuple[Any, Any]]) -> Callable[[Table], Counts]:
    """Numerator and denominator of the recall, then the same of the transposed table: those of the precision."""
    return lambda table: (*recall(table), *recall(table.T))
