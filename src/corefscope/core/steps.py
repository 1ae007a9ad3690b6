"""The steps of a score: two documents are aligned, and an alignment becomes one row of counts."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from itertools import chain
from typing import Any

from .document import Document
from .errors import Warnings
from .matching.alignment import Alignment, Side
from .matching.matchers import MATCHERS
from .matching.transform import SAME_WORDS, Identity, with_minima
from .metrics import METRICS
from .metrics.base import Metric
from .numbers import Counts
from .options import Options
from .registry import HOOKS
from .rules import REFERENCE, RULES, AlignedRelations
from .table import tabulate, tabulate_partition


def align(key: Document, response: Document, options: Options, warnings: Warnings | None = None) -> Alignment:
    """Remove repeats and singletons as the options and rules say, and pair the mentions of two documents."""
    rules, odd = RULES[options.rules], read_differently(key, response)
    if rules.preparation.compare and rules.knows(options.match, options.zeros):
        rules.preparation.compare(key, response)
    sides: list[Side] = []
    for name, document in (("key", key), ("response", response)):
        side, repeats = _prepare(rules.read(document, options.match) if odd else document, options, name)
        sides.append(side)
        if repeats and warnings is not None:
            _warn_of_repeats(_scored_entities(document, options), warnings)
    return pair_sides(sides[0], sides[1], options)


def pair_sides(key: Side, response: Side, options: Options) -> Alignment:
    """Pair the mentions of two sides that are prepared."""
    find = MATCHERS[options.match].find
    return RULES[options.rules].align(key, response, find, zeros_first=options.zeros == "dependent")


def read_differently(key: Document, response: Document) -> bool:
    """Whether rule sets may read the documents differently: other entities, or other positions of words."""
    return any(
        document.official
        or document.largest_minor >= 10
        or document.repeats_words
        or (document.deixis is not None and document.deixis.official)
        for document in (key, response)
    )


def _prepare(document: Document, options: Options, name: str) -> tuple[Side, bool]:
    """A document as it is aligned, and whether mentions were repeated; ``name`` is ``key`` or ``response``."""
    matcher, preparation = MATCHERS[options.match], RULES[options.rules].preparation
    identity = preparation.identity(matcher, name)
    if matcher.find.parts and document.program not in ("", options.rules):  # of which the format names minimal words
        document = with_minima(document)
    side = _side(_scored_entities(document, options), identity)
    if not side.repeats:
        return side, False
    # Repeats go first: an entity may be a singleton only without them.
    document = preparation.repeated(document, identity)
    return _side(_scored_entities(document, options), identity), True


def _scored_entities(document: Document, options: Options) -> Document:
    """The document, without singletons if these are dropped."""
    return RULES[options.rules].preparation.without_singletons(document) if options.singletons == "drop" else document


def _side(document: Document, identity: Identity) -> Side:
    return Side(document.entities, list(map(identity, chain.from_iterable(document.entities))), document)


def _warn_of_repeats(document: Document, warnings: Warnings) -> None:
    entity_of: dict[Hashable, int] = {}
    for i, entity in enumerate(document.entities):
        for mention in entity:
            words = SAME_WORDS(mention)
            if entity_of.setdefault(words, i) != i:
                names = document.entity_ids or range(len(document.entities))
                first, second = str(names[entity_of[words]]), str(names[i])
                message = f"the same span is in two entities, {first!r} and {second!r}"
                warnings.add("two entities", document.path, partial(document.line_of, mention.first), message)


def mention_counts(key: Document, response: Document, alignment: Alignment, options: Options) -> tuple[int, ...]:
    """The mentions of the key, of the response, the pairs of these, and the ids that both documents have.

    Mentions and pairs are those that were aligned; ids are also those of entities that are dropped.
    """
    common = alignment.matched
    if options.singletons == "drop" and not (key.has_words or response.has_words):
        ids, others = ({mention.first for entity in side.entities for mention in entity} for side in (key, response))
        common = len(ids & others)
    return len(alignment.key.mentions), len(alignment.response.mentions), alignment.matched, common


def count(
    alignment: Alignment,
    metrics: Sequence[Metric],
    options: Options,
    documents: DocumentPair | None = None,
) -> tuple[Counts, ...]:
    """One row: the counts of each metric, in the way of the rule set if it has one of its own.

    ``documents`` are those that were aligned, as they were read; without them there are no relations.
    """
    if options.weights:
        weighted: tuple[Counts, ...] = HOOKS["weighted_counts"](alignment, metrics)
        return weighted
    reads_relations = any(metric.reads == "relations" for metric in metrics)
    relations = documents.relations(options) if documents and reads_relations else None
    matcher, names = MATCHERS[options.match], [metric.name for metric in metrics]
    own = RULES[options.rules].own_counts(alignment, matcher, names, relations, options.min_entity_size)
    if all(metric.name in own for metric in metrics):
        return tuple([own[metric.name] for metric in metrics])
    inputs: dict[str, Any] = {"alignment": alignment, "table": tabulate(alignment)}
    if any(metric.reads == "partition" for metric in metrics):
        irregular = not alignment.mutual or alignment.key.repeats or alignment.response.repeats
        inputs["partition"] = tabulate_partition(alignment) if irregular else inputs["table"]
    if reads_relations:

        def identity(name: str) -> Counts:
            return own[name] if name in own else METRICS[name].counts(inputs["table"])

        inputs["relations"] = HOOKS["relations_input"](relations, identity)
    return tuple(
        [own[metric.name] if metric.name in own else metric.counts(inputs[metric.reads]) for metric in metrics]
    )


class DocumentPair:
    """Two documents as they were read, with the counts of their relations, which are computed once."""

    __slots__ = ("_relations", "key", "response")

    def __init__(self, key: Document, response: Document) -> None:
        self.key: Document = key
        self.response: Document = response
        self._relations: dict[Options, AlignedRelations | None] = {}

    def relations(self, options: Options) -> AlignedRelations | None:
        """The counts of relations under some options; None if neither document has any."""
        if options not in self._relations:
            self._relations[options] = relations_of(self.key, self.response, options)
        return self._relations[options]

    def related_alike(self, options: Options, others: Options) -> bool:
        """Whether the rules of both options count relations alike, since there is no choice in their alignment."""
        if RULES[options.rules].relations is not RULES[others.rules].relations:
            return False
        relations = self.relations(options)
        return relations is None or relations.settled


def relations_of(key: Document, response: Document, options: Options) -> AlignedRelations | None:
    """The counts of the relations of two documents under the rules; None if neither has any."""
    if RULES[options.rules].relations is None:
        options = options._replace(rules=REFERENCE)
    rules = RULES[options.rules]
    assert rules.relations is not None
    if read_differently(key, response):
        key, response = (rules.read(document, options.match) for document in (key, response))
    if not any(document.relations or document.deixis for document in (key, response)):
        return None
    keeping = partial(align, options=options._replace(singletons="keep"))
    return rules.relations(key, response, keeping, MATCHERS[options.match], options.min_entity_size)
