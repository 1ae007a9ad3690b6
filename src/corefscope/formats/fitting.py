"""Fitting documents to the format to be written: what does not fit is counted and replaced by what comes closest."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import ne
from typing import TYPE_CHECKING

from ..core.document import Change, Document, Entity, Mention, Relation, Sentence, mention_order, same_words
from ..core.positions import MINOR_MASK, SENTENCE_SHIFT
from .losses import Losses
from .writing import Run, free_name, ids_of, runs, word_positions

if TYPE_CHECKING:
    from .writers import Writer

LABELS = {
    "bridging_anaphors": "bridging anaphors",
    "anaphors_not_first": "  not the first of their entity",
    "anaphors_in_singletons": "  in a singleton",
    "bridging_links": "bridging links",
    "anchors_in_singletons": "  to a singleton",
    "anchors_after": "  to nothing before the anaphor",
    "plurals": "plurals (split antecedents)",
    "elements": "  elements",
    "elements_in_singletons": "    singletons",
    "elements_after": "    only after the plural",
    "non_referring": "non-referring mentions",
    "deixis_entities": "entities of discourse deixis",
    "deixis_mentions": "  mentions",
}
"""Kinds of relations and what is counted of them, with their labels in reports."""


def relation_counts(document: Document) -> Counter[str]:
    """Counts of relations beyond identity, without those that are 0."""
    counts: Counter[str] = Counter()
    names = EntityNames(document, [f"{number} {id_}" for number, id_ in enumerate(ids_of(document))])
    anaphors: dict[tuple[Mention, str], Entity] = {}
    for relation in document.relations:
        if relation.kind == "non-referring":
            counts["non_referring"] += len(relation.anaphor)
            continue
        anaphor, target_ids = names.sides(relation)
        ids, sides = [anaphor, *target_ids], [relation.anaphor, *relation.targets]
        # Mentions that are in no entity are one of their own.
        own, *targets = [names.entities.get(id_, mentions) for id_, mentions in zip(ids, sides, strict=True)]
        if relation.kind == "split":
            counts["plurals"] += 1
            counts["elements"] += len(targets)
            counts["elements_in_singletons"] += sum(len(target) == 1 for target in targets)
            counts["elements_after"] += sum(_after(target, own[0]) for target in targets)
        else:
            anaphors[relation.anaphor[0], (relation.ids or ("",))[0]] = own
            counts["bridging_links"] += 1
            counts["anchors_in_singletons"] += len(targets[0]) == 1
            counts["anchors_after"] += _after(targets[0], relation.anaphor[0])
    counts["bridging_anaphors"] = len(anaphors)
    counts["anaphors_not_first"] = sum(entity[0] != mention for (mention, _), entity in anaphors.items())
    counts["anaphors_in_singletons"] = sum(len(entity) == 1 for entity in anaphors.values())
    if document.deixis:
        counts["deixis_entities"] = len(document.deixis.entities)
        counts["deixis_mentions"] = sum(document.deixis.sizes)
    return +counts


def _after(target: Entity, anaphor: Mention) -> bool:
    """Whether no mention of a target comes before the anaphor."""
    return bool(mention_order(target[0]) > mention_order(anaphor))


def _without_relations(document: Document, cannot_hold: Sequence[str], losses: Losses) -> Document:
    """Count the relations that a format cannot hold, and drop discourse deixis if it cannot hold that."""
    if "relations" in cannot_hold:
        losses.add("relations", sum(relation.kind != "non-referring" for relation in document.relations))
    if "non_referring" in cannot_hold:
        non_referring = [relation for relation in document.relations if relation.kind == "non-referring"]
        losses.add("non_referring", sum(len(relation.anaphor) for relation in non_referring))
    if "deixis" in cannot_hold and document.deixis:
        losses.add("deixis", sum(document.deixis.sizes))
        document = document._replace(deixis=None)
    return document


class EntityNames:
    """The ids that entities have in a file that is written."""

    def __init__(self, document: Document, ids: Sequence[str]) -> None:
        old = document.entity_ids or [""] * len(ids)
        self._by_id = {(entity[0], name): id_ for name, entity, id_ in zip(old, document.entities, ids, strict=True)}
        self._by_mention: dict[Mention, str] = {}
        self.entities: dict[str, Entity] = dict(zip(ids, document.entities, strict=True))
        for id_, entity in self.entities.items():
            for mention in entity:
                self._by_mention.setdefault(mention, id_)

    def add(self, id_: str, name: str, mentions: Entity) -> None:
        """Add an entity with its id in the file to be written and its name in the file that was read."""
        self.entities[id_] = mentions
        self._by_id[mentions[0], name] = id_
        for mention in mentions:
            self._by_mention.setdefault(mention, id_)

    def of(self, mentions: Entity, name: str = "") -> str:
        """The id of the entity that has these mentions and was called ``name``; empty if there is none."""
        for mention in mentions:
            id_ = self._by_id.get((mention, name)) or self._by_mention.get(mention)
            if id_:
                return id_
        return ""

    def sides(self, relation: Relation) -> tuple[str, list[str]]:
        """The ids of the anaphor's entity and of the targets."""
        names = relation.ids or ("",) * (len(relation.targets) + 1)
        targets = [self.of(*side) for side in zip(relation.targets, names[1:], strict=True)]
        return self.of(relation.anaphor, names[0]), targets


def elements(document: Document, names: EntityNames, losses: Losses) -> Iterator[tuple[str, str]]:
    """The ids of plurals with each of their elements, where both are written."""
    for relation in document.relations:
        if relation.kind == "split":
            plural, targets = names.sides(relation)
            for target in dict.fromkeys(targets):
                if plural and target and target != plural:
                    yield plural, target
                else:
                    losses.add("links")


def links(document: Document, names: EntityNames, losses: Losses) -> Iterator[tuple[Relation, str, str]]:
    """Bridging relations with the ids of the entities of anaphor and anchor, where both are written."""
    for relation in document.relations:
        if relation.kind == "bridging":
            anaphor, (anchor, *_) = names.sides(relation)
            if anaphor and anchor:
                yield relation, anaphor, anchor
            else:
                losses.add("links")


Step = Callable[[list[Mention], list[int], Losses], list[Mention]]
"""Change of the mentions of one entity, given the positions of all words."""
Held = Callable[[Document, Losses], list[list[Mention]]]
"""The mentions of each entity of a document that can be written together."""
Cleaned = Callable[[str], str]
"""Text that a format can hold; the same text if possible."""


def _each(change: Callable[[Mention, list[int], Losses], Mention | None]) -> Step:
    """Make a step from the change of a single mention; None drops the mention."""

    def step(mentions: list[Mention], words: list[int], losses: Losses) -> list[Mention]:
        return [new for mention in mentions if (new := change(mention, words, losses)) is not None]

    return step


@_each
def without_zeros(mention: Mention, _: list[int], losses: Losses) -> Mention | None:
    """Drop mentions headed by an empty node, or keep their words, of which the first becomes the head."""
    if not mention.is_zero:
        return mention
    losses.add("zeros")
    overt = _overt(mention)
    return mention._replace(positions=overt, head=overt[0], dependencies=()) if overt else None


@_each
def without_empty_nodes(mention: Mention, _: list[int], losses: Losses) -> Mention:
    """Keep only the words of mentions headed by a word."""
    overt = _overt(mention)
    if len(overt) == mention.size:
        return mention
    losses.add("empty_nodes")
    return mention._replace(positions=overt)


def _overt(mention: Mention) -> tuple[int, ...]:
    return tuple([place for place in mention.positions if not place & MINOR_MASK])


@_each
def words_or_zero(mention: Mention, _: list[int], losses: Losses) -> Mention:
    """Keep only the words of mentions with empty nodes, or the first node if there are no words."""
    kept = _overt(mention) or mention.positions[:1]
    if len(kept) == mention.size:
        return mention
    losses.add("empty_nodes")
    head = mention.head if mention.head in kept else kept[0]
    return mention._replace(positions=kept, head=head, dependencies=mention.dependencies if mention.is_zero else ())


@_each
def without_minimum(mention: Mention, _: list[int], losses: Losses) -> Mention:
    """Drop minimal spans (Min)."""
    losses.add("minima", int(bool(mention.minimum)))
    return Mention(mention.positions, mention.head, mention.dependencies) if mention.minimum else mention


@_each
def headed_by_minimum(mention: Mention, _: list[int], losses: Losses) -> Mention:
    """Drop minimal spans where the head is written, which a minimum of one word becomes."""
    losses.add("minima", int(len(mention.minimum) > 1))
    return Mention(mention.positions, mention.head, mention.dependencies) if mention.minimum else mention


@_each
def without_gaps(mention: Mention, words: list[int], losses: Losses) -> Mention:
    """Replace discontinuous mentions, and those whose parts overlap, by the span that covers them."""
    if not mention.broken:
        return mention
    positions = mention.positions
    span = tuple(words[bisect_left(words, positions[0]) : bisect_right(words, positions[-1])])
    if span == positions:
        return mention
    losses.add("discontinuous")
    return mention._replace(positions=span)


@_each
def without_overlaps(mention: Mention, _: list[int], losses: Losses) -> Mention:
    """Merge parts of a mention that overlap."""
    if not (mention.broken and mention.repeats):
        return mention
    losses.add("overlaps")
    return mention._replace(positions=tuple(sorted(set(mention.positions))))


@_each
def within_sentences(mention: Mention, _: list[int], losses: Losses) -> Mention:
    """Reduce mentions over several sentences to their words in the sentence of the head."""
    if not mention.broken:
        return mention
    sentence = mention.head >> SENTENCE_SHIFT
    inside = tuple([place for place in mention.positions if place >> SENTENCE_SHIFT == sentence])
    if inside == mention.positions:
        return mention
    losses.add("sentences")
    return mention._replace(positions=inside)


def _apart(clash: Callable[[list[Run], list[Run]], bool]) -> Step:
    """Make a step that drops mentions that brackets of one id cannot tell from an earlier one."""

    def step(mentions: list[Mention], words: list[int], losses: Losses) -> list[Mention]:
        kept: list[Mention] = []
        near: list[list[Run]] = []  # parts of mentions that are kept and may reach this far
        irregular = [mention for mention in mentions if mention.broken or mention.first & MINOR_MASK]
        empty = {place for mention in irregular for place in mention.positions if place & MINOR_MASK}
        nodes = sorted([*words, *empty]) if empty else words
        for mention in sorted(mentions, key=mention_order):
            if mention.size == 1 and mention.is_zero:  # a bracket of its own
                kept.append(mention)
                continue
            parts = runs(mention.positions, nodes)
            near = [others for others in near if others[-1].last >= parts[0].first]
            if any(clash(parts, others) for others in near):
                losses.add("crossing")
            else:
                near.append(parts)
                kept.append(mention)
        return kept

    return step


@_apart
def without_crossing(parts: list[Run], others: list[Run]) -> bool:
    """Brackets close what was opened last: mentions must not cross, nor overlap if both have parts."""
    if len(parts) > 1 and len(others) > 1 and others[0].first <= parts[-1].last and parts[0].first <= others[-1].last:
        return True
    return any(a < c < b < d or c < a < d < b for a, b in parts for c, d in others)


@_apart
def without_touching(parts: list[Run], others: list[Run]) -> bool:
    """Where a word's brackets open before they close, no mention may begin at the last word of another, either."""
    return any(a < c <= b < d or c < a <= d < b for a, b in parts for c, d in others)


@_each
def headed_by_first_word(mention: Mention, _: list[int], losses: Losses) -> Mention:
    """Make the first word the head."""
    losses.add("heads", int(mention.head != mention.first))
    return mention._replace(head=mention.first)


def without_repeats(mentions: list[Mention], _: list[int], losses: Losses) -> list[Mention]:
    """Keep each mention of an entity once."""
    distinct = list({same_words(mention): mention for mention in mentions}.values())
    losses.add("repeated", len(mentions) - len(distinct))
    return distinct


@_each
def as_names(mention: Mention, _: list[int], losses: Losses) -> Mention:
    """Keep mentions, but count those whose words or dependencies a name cannot tell."""
    losses.add("dependencies", int(mention.is_zero))
    losses.add("spans", int(mention.size > 1))
    return mention


def fitted(documents: Iterable[Document], row: Writer, losses: Losses) -> Iterator[Document]:
    """Fit documents to a format, whose row says how mentions, words and names are changed."""
    taken: set[str] = set()
    for document in documents:
        if row.blind:
            document = document.replace_entities((), ())
        if "documents" in row.cannot_hold and not any(sentence.words for sentence in document.sentences):
            losses.add("documents")
            continue
        document = _without_relations(_with_mentions(document, row.steps, losses), row.cannot_hold, losses)
        if row.held is not None:
            document = _kept(document, row.held(document, losses), losses)
        if "types" in row.cannot_hold:
            losses.add("types", sum(map(bool, document.entity_types)))
        if row.word is not None:
            document = document._replace(sentences=tuple(_with_words(document.sentences, row.word, losses)))
        if row.name_of_document is not None:
            name = free_name(row.name_of_document(document.id), taken, " ")
            losses.add("names", int(name != document.id))
            document = document._replace(id=name)
        yield document


def _with_mentions(document: Document, steps: tuple[Step, ...], losses: Losses) -> Document:
    words = word_positions(document)

    def fit(mentions: Iterable[Mention], losses: Losses) -> list[Mention]:
        for step in steps:
            mentions = step(list(mentions), words, losses)
        return sorted(mentions, key=mention_order)

    fitted_alone: dict[Mention, Mention | None] = {}  # many relations may have the same target

    def alone(mention: Mention) -> Mention | None:
        if mention not in fitted_alone:
            fitted_alone[mention] = next(iter(fit([mention], Losses())), None)
        return fitted_alone[mention]

    return _kept(document, [fit(entity, losses) for entity in document.entities], losses, alone)


def _kept(
    document: Document, entities: list[list[Mention]], losses: Losses, change: Change | None = None
) -> Document:
    """The document with the remaining mentions of each entity."""
    kept = [i for i, entity in enumerate(entities) if entity]
    losses.entities += len(entities) - len(kept)
    kept.sort(key=lambda i: mention_order(entities[i][0]))
    return document.replace_entities(kept, tuple(tuple(entities[i]) for i in kept), change)


def _with_words(sentences: Iterable[Sentence], word: Cleaned, losses: Losses) -> Iterator[Sentence]:
    for sentence in sentences:
        entries = [entry.partition("\t") for entry in sentence.words]
        changed = [f"{number}\t{word(form)}" for number, _, form in entries]
        different = sum(map(ne, changed, sentence.words))
        losses.add("words", different)
        yield sentence._replace(words=changed) if different else sentence
