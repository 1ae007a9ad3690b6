"""``Metric``: a record that describes one metric, and the records of its optional abilities. Do not subclass.

Resampling of blocks: a metric whose counts are sums over mentions says what each mention adds, booked on the block of
the text in which its first word is; the others say why not. A mention is judged by the whole
document: its entity stays whole, however many blocks it runs through.
"""

# Annotations are evaluated here: NamedTuple compiles those that are strings, field by field.

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, Literal, NamedTuple, TypeVar

from ..document import Mention
from ..matching.alignment import NONE, Alignment, Side
from ..naming import by_name
from ..numbers import AnyScore, Counts, Numeric, Score, nothing_in, prf, ratio
from ..table import Table

BlockOf = Callable[[int], int]
"""The block of a word, from its position."""
Booking = tuple[int, Counts]
"""A block, and what is added to its row."""
ByMention = Callable[[Alignment, BlockOf], Iterable[Booking]]


class Resampling(NamedTuple):
    """Counts of parts of a document: what each mention adds, or why the counts are no sums over mentions."""

    by_mention: ByMention | None = None
    reason: str = "is not known to be one"
    """Why not, as the end of a sentence after its title: "CEAFe maps whole entities to each other"."""


COUNTS_LINKS = Resampling(reason="counts links, whose two ends may stand in different blocks")
MAPS_ENTITIES = Resampling(reason="maps whole entities to each other, which run through many blocks")
COUNTS_ENTITIES = Resampling(reason="counts entities, which run through many blocks")


class MentionOverlap(NamedTuple):
    """A mention as metrics of the B³ family see it."""

    mention: Mention
    size: int
    """Mentions of its entity."""
    common: int
    """The members of its entity whose counterparts share an entity with its own counterpart; 0 without one."""
    matched: int
    """Mentions of its entity that have counterparts."""

    @property
    def unmatched(self) -> int:
        """1 if it has no counterpart."""
        return int(not self.common)

    @property
    def share(self) -> float:
        """n/k, as in B³."""
        return ratio(self.common, self.size)

    @property
    def share_or_own(self) -> float:
        """The same; without counterpart 1/k, as for a singleton on the other side."""
        return ratio(self.common or 1, self.size)


def book_in_both(seen: MentionOverlap) -> Counts:
    """Counts that a key mention adds to both sides: without counterpart, it becomes a singleton of the response."""
    return seen.share_or_own, 1, seen.unmatched, seen.unmatched


FindOverlaps = Callable[[Side, Side, Sequence[int], Sequence[int]], list[MentionOverlap]]
Terms = Callable[[MentionOverlap], Counts]
"""What a mention adds to the counts of recall and of precision."""


def in_entities(side: Side, other: Side, counterparts: Sequence[int], _: Sequence[int]) -> list[MentionOverlap]:
    """Every mention once for each entity that has it, with the counterparts of its own side."""
    members = [(number, i) for i, entity in enumerate(side.entities) for number in entity]
    return _overlaps(side, other, members, [counterparts[number] for number, _ in members])


def in_partition(side: Side, other: Side, counterparts: Sequence[int], back: Sequence[int]) -> list[MentionOverlap]:
    """Every mention once, in the entity that owns it, with mutual counterparts only."""
    mutual = [m if m != NONE and back[m] == number else NONE for number, m in enumerate(counterparts)]
    return _overlaps(side, other, list(enumerate(side.owner)), mutual)


def _overlaps(
    side: Side, other: Side, members: Sequence[tuple[int, int]], counterparts: Sequence[int]
) -> list[MentionOverlap]:
    """``members`` are mentions with their entities."""
    owners = [other.owner[m] if m != NONE else NONE for m in counterparts]
    sizes = Counter(i for _, i in members)
    cells = Counter((i, j) for (_, i), j in zip(members, owners, strict=True) if j != NONE)
    matched = Counter(i for (_, i), j in zip(members, owners, strict=True) if j != NONE)
    return [
        MentionOverlap(side.mentions[number], sizes[i], cells[i, j], matched[i])
        for (number, i), j in zip(members, owners, strict=True)
    ]


def by_mention(of_key: Terms, of_response: Terms, find_overlaps: FindOverlaps = in_partition) -> Resampling:
    """The resampling of a metric from the counts that each mention of the key, then of the response, adds."""

    def book(alignment: Alignment, block_of: BlockOf) -> Iterator[Booking]:
        key, response, to_response, to_key = alignment[:4]
        for seen in find_overlaps(key, response, to_response, to_key):
            yield block_of(seen.mention.first), of_key(seen)
        for seen in find_overlaps(response, key, to_key, to_response):
            yield block_of(seen.mention.first), of_response(seen)

    return Resampling(book)


RECALL_PRECISION = ("recall_numerator", "recall_denominator", "precision_numerator", "precision_denominator")
ScoreFunction = TypeVar("ScoreFunction", bound=Callable[[Any, Any], AnyScore])


ELEMENTWISE: set[Callable[..., AnyScore]] = set()
"""The score functions that take arrays."""


class Conventions(NamedTuple):
    """Where rule sets differ about how counts become scores."""

    blanc: Callable[[Counts], Score]
    """BLANC from its pooled counts, boundary cases included; numbers or arrays."""
    nothing: float
    """The score of a metric of which neither side has anything to count, such as MUC without any links."""


def elementwise(score: ScoreFunction) -> ScoreFunction:
    """Marks a score function that takes numbers or arrays: arithmetic, ``ratio`` and ``where`` in place of ``if``."""
    ELEMENTWISE.add(score)
    return score


@elementwise
def plain(counts: Counts, conventions: Conventions) -> Score:
    """Recall and precision are ratios of pooled sums."""
    return prf(counts, conventions.nothing)


def _never(_: Conventions) -> bool:
    return False


class Scale(NamedTuple):
    """The values that a score can have, and how they are read."""

    range: tuple[float, float] = (0.0, 1.0)
    """The least and the greatest value."""
    perfect: float = 1.0
    """The score of a response that equals the key (if there is anything to count)."""
    symmetric: bool = True
    """Whether swapping key and response swaps recall and precision, or leaves a single value as it is."""
    headline: bool = False
    """Whether it is the metric to show where only one is shown."""
    defines_nothing: Callable[[Conventions], bool] = _never
    """Whether 0/0 has the value that the paper of the metric defines, so that it is a score like any other."""


class Applicability(NamedTuple):
    """What a metric needs of the files that it scores."""

    needs_words: bool = False
    """Whether it cannot be counted where mentions are mere names, as in clusters and labels."""
    needs_empty_nodes: bool = False
    """Whether it is about empty nodes, which only some formats have, and not about mentions."""
    compares_entities: bool = True
    """Whether it asks which mentions belong together. If so, a trivial response has a score: a baseline."""
    witness: str = ""
    """The metric of an annotation layer that counts something if files have the layer. If it counts nothing, a report
    leaves this metric out, unless it is named itself, not by a group."""
    formats: tuple[str, ...] = ()
    """The formats that have the layer, if not all that have relations do."""
    by_convention_in: tuple[str, ...] = ()
    """The formats in which a convention makes the layer, not the annotation. There, tables show the metric only if it
    is named itself, not by a group; programs always get it."""

    def applies_to(self, format_: str) -> bool:
        """Whether files of a format can have the layer."""
        return not self.formats or format_ in self.formats


class Explanation(NamedTuple):
    """How a score is explained."""

    function: str = ""
    """The function of ``analysis/explanations`` that explains the metric, such as ``entities.muc``."""
    components: Callable[[Counts], Mapping[str, Score | float]] | None = None
    """What the score is made of, from pooled counts: scores or numbers by name."""


class EngineSupport(NamedTuple):
    """How counts can be computed without whole documents: from parts of a table, in engines, from ids."""

    adds_over_components: bool = False
    """Whether the counts of a table are the sums of those of its connected components: no term mixes entities that
    share no mention, directly or through others. Lost points are then found component by component, which is
    faster."""
    each_entity: str = ""
    """Why it needs every single entity, as the end of a sentence after its title; empty if it does not."""
    depends_on_order: bool = False
    """Whether the counts of a table depend on the order of its entities."""
    counts_of_ids: Callable[[Table], Counts] | None = None
    """Of a metric that reads the alignment: its counts from the table, if mentions are ids that occur once."""


PER_COMPONENT = EngineSupport(adds_over_components=True)


class RelationMetric(NamedTuple):
    """What is special about a metric of relations beyond identity."""

    errors: tuple[str, ...] = ()
    """The kinds of errors that cost it points."""
    repaired_counts: Callable[[Any, Counts, Set[str]], Counts] | None = None
    """Its counts once errors of some kinds are repaired (``anaphora/repaired_counts``)."""
    over_layer: str = ""
    """The metric of identity that it is over a layer of its own, as ``muc`` of ``deixis_muc``."""
    decisive: int = 0
    """How many of its last counts are flags, which choose how the others are scored and do not make it countable."""


class Metric(NamedTuple):
    """One row of the registry: a dozen fields, and records of optional abilities."""

    name: str
    title: str
    summary: str
    """One line for ``corefscope metrics``; the docstring of the module has the definition."""
    cite: str | tuple[str, ...]
    """The paper, or several, the first to define it before those on this form of it: keys in
    ``measures/references.bib``; for a measure of your own, the paper of what it varies. Metrics of other packages may
    have any text here, or none."""
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
    parts: tuple[str, ...] = ()
    """The metrics whose mean it is."""
    note: str = ""
    """A caveat to print wherever the score is shown."""
    aliases: tuple[str, ...] = ()
    """Other names in use, which requests accept."""
    hints: tuple[str, ...] = ()
    """Names that may mean this metric or another one: an error message suggests it."""

    scale: Scale = Scale()
    scope: Applicability = Applicability()
    resampling: Resampling = Resampling()
    explanation: Explanation = Explanation()
    engines: EngineSupport = EngineSupport()
    relation: RelationMetric = RelationMetric()

    def __repr__(self) -> str:
        return by_name(self)

    def __reduce__(self) -> tuple[Callable[[str], "Metric"], tuple[str]]:
        return _registered, (self.name,)  # functions of metrics cannot be pickled

    @property
    def papers(self) -> tuple[str, ...]:
        """The papers in ``cite``, one or several."""
        return tuple(filter(None, (self.cite,) if isinstance(self.cite, str) else self.cite))

    @property
    def counts_of_ids(self) -> Callable[[Table], Counts] | None:
        """The counts of a document whose mentions are ids that occur once, from its table, entities in any order.

        None if only the alignment tells them.
        """
        if self.engines.depends_on_order or self.reads == "relations":
            return None
        return self.engines.counts_of_ids if self.reads == "alignment" else self.counts

    @property
    def not_from_histogram(self) -> str:
        """Why it cannot be counted from the histogram of cells that engines return; empty if it can."""
        return "needs the words of the mentions" if self.scope.needs_words else self.engines.each_entity

    def nothing(self, counts: Counts, conventions: Conventions) -> bool:
        """Whether neither side has anything that it counts, and its paper does not say what 0/0 is."""
        if self.scale.defines_nothing(conventions):
            return False
        return nothing_in(counts[: len(counts) - self.relation.decisive])

    @property
    def elementwise(self) -> bool:
        """Whether ``score`` takes arrays. If not, resamples are scored one by one."""
        return self.score in ELEMENTWISE


def _registered(name: str) -> Metric:
    from . import METRICS  # which has this module's rows

    return METRICS[name]


def rows(*metrics: Metric) -> dict[str, Metric]:
    """Rows by name, as a module of metrics offers them to the registry."""
    return {metric.name: metric for metric in metrics}


BOTH_WAYS: set[Callable[[Table], Counts]] = set()
"""The counts that are made by :func:`both_ways`."""


def both_ways(recall: Callable[[Table], tuple[Numeric, Numeric]]) -> Callable[[Table], Counts]:
    """The counts of a metric: ``recall`` of the table, then of the transposed table, which is the precision."""

    def counts(table: Table) -> Counts:
        return (*recall(table), *recall(table.T))

    BOTH_WAYS.add(counts)
    return counts
