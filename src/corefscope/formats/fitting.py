"""How many relations a document has, and of which kind.

Relations on their way into a file: the ids that their entities have there, and what cannot be written.

Documents as a format can hold them; what does not fit is counted and replaced by what comes closest.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import ne
from typing import TYPE_CHECKING

from ..core.document import Change, Document, Entity, Mention, Relation, Sentence, mention_order
from ..core.positions import MINOR_MASK, SENTENCE_SHIFT
from .losses import Losses
from .ua.markables import nearest
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
"""What is counted, and how people call it; mentions and entities are those of the document as it is read."""


def relation_counts(document: Document) -> Counter[str]:
    """What there is besides identity; nothing that is 0."""
    counts: Counter[str] = Counter()
    names = EntityNames(document, [f"{number} {id_}" for number, id_ in enumerate(ids_of(document))])
    anaphors: dict[tuple[Mention, str], Entity] = {}
    for relation in document.relations:
        if relation.kind == "non-referring":
            counts["non_referring"] += len(relation.anaphor)
            continue
        own, *targets = _entities(relation, names)
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


def _entities(relation: Relation, names: EntityNames) -> list[Entity]:
    """The entities of the anaphor and of the targets; what is in none is one of its own."""
    anaphor, targets = names.sides(relation)
    sides = [relation.anaphor, *relation.targets]
    return [names.entities.get(id_, mentions) for id_, mentions in zip([anaphor, *targets], sides, strict=True)]


def _after(target: Entity, anaphor: Mention) -> bool:
    """Whether no mention of a target comes before the anaphor."""
    return bool(mention_order(target[0]) > mention_order(anaphor))


def without_lost(document: Document, cannot_hold: Sequence[str], losses: Losses) -> Document:
    """The document without what a format has no place for, which is counted."""
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
        """One more entity, which is called so in the file that was read."""
        self.entities[id_] = mentions
        self._by_id[mentions[0], name] = id_
        for mention in mentions:
            self._by_mention.setdefault(mention, id_)

    def of(self, mentions: Entity, name: str = "") -> str:
        """The id of the entity that holds these mentions and was called so; empty if there is none."""
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
    """Plurals with each of their elements, by id, as far as both are written."""
    for relation in document.relations:
        if relation.kind == "split":
            plural, targets = names.sides(relation)
            for target in dict.fromkeys(targets):
                if plural and target and target != plural:
                    yield plural, target
                else:
                    losses.add("links")


def links(document: Document, names: EntityNames, losses: Losses) -> Iterator[tuple[Relation, str, str]]:
    """Bridging, with the ids of the entities of anaphor and anchor, as far as both are written."""
    for relation in document.relations:
        if relation.kind == "bridging":
            anaphor, (anchor, *_) = names.sides(relation)
            if anaphor and anchor:
                yield relation, anaphor, anchor
            else:
                losses.add("links")


def anchor_of(relation: Relation) -> Mention:
    """The mention that bridging leads to: if only an entity is named, the nearest one before the anaphor."""
    return nearest(relation.targets[0], relation.anaphor[0])


Step = Callable[[list[Mention], list[int], Losses], list[Mention]]
"""What becomes of the mentions of one entity, given the positions of all words."""


Held = Callable[[Document, Losses], list[list[Mention]]]
"""What is left of the mentions of each entity of a document."""


def _each(change: Callable[[Mention, list[int], Losses], Mention | None]) -> Step:
    """A step that changes each mention by itself; None leaves it out."""

    def step(mentions: list[Mention], words: list[int], losses: Losses) -> list[Mention]:
        return [new for mention in mentions if (new := change(mention, words, losses)) is not None]

    return step


@_each
def without_zeros(mention: Mention, _: list[int], losses: Losses) -> Mention | None:
    """Mentions headed by an empty node: gone, unless they hold words, of which the first becomes the head."""
    if not mention.is_zero:
        return mention
    losses.add("zeros")
    overt = _overt(mention)
    return mention._replace(positions=overt, head=overt[0], dependencies=()) if overt else None


@_each
def without_empty_nodes(mention: Mention, _: list[int], losses: Losses) -> Mention:
    """Mentions headed by a word: their words only."""
    overt = _overt(mention)
    if len(overt) == mention.size:
        return mention
    losses.add("empty_nodes")
    return mention._replace(positions=overt)


def _overt(mention: Mention) -> tuple[int, ...]:
    return tuple([place for place in mention.positions if not place & MINOR_MASK])


@_each
def words_or_zero(mention: Mention, _: list[int], losses: Losses) -> Mention:
    """Mentions that hold empty nodes: their words only, or the first node if there are none."""
    kept = _overt(mention) or mention.positions[:1]
    if len(kept) == mention.size:
        return mention
    losses.add("empty_nodes")
    head = mention.head if mention.head in kept else kept[0]
    return mention._replace(positions=kept, head=head, dependencies=mention.dependencies if mention.is_zero else ())


@_each
def without_minimum(mention: Mention, _: list[int], losses: Losses) -> Mention:
    """Mentions without a minimum."""
    losses.add("minima", int(bool(mention.minimum)))
    return Mention(mention.positions, mention.head, mention.dependencies) if mention.minimum else mention


@_each
def headed_by_minimum(mention: Mention, _: list[int], losses: Losses) -> Mention:
    """The same where the head says which word is enough."""
    losses.add("minima", int(len(mention.minimum) > 1))
    return Mention(mention.positions, mention.head, mention.dependencies) if mention.minimum else mention


@_each
def without_gaps(mention: Mention, words: list[int], losses: Losses) -> Mention:
    """Discontinuous mentions, and those whose parts overlap: the span that covers them."""
    if not mention.broken:
        return mention
    positions = mention.positions
    span = tuple(words[bisect_left(words, positions[0]) : bisect_right(words, positions[-1])])
    if span == positions:
        return mention
    losses.add("discontinuous")
    return mention._replace(positions=span)


@_each
def within_sentences(mention: Mention, _: list[int], losses: Losses) -> Mention:
    """Mentions over several sentences: their words in the sentence of the head."""
    if not mention.broken:
        return mention
    sentence = mention.head >> SENTENCE_SHIFT
    inside = tuple([place for place in mention.positions if place >> SENTENCE_SHIFT == sentence])
    if inside == mention.positions:
        return mention
    losses.add("sentences")
    return mention._replace(positions=inside)


def _apart(clash: Callable[[list[Run], list[Run]], bool]) -> Step:
    """A step that leaves out mentions that brackets of one id cannot keep apart from another that begins before."""

    def step(mentions: list[Mention], words: list[int], losses: Losses) -> list[Mention]:
        kept: list[Mention] = []
        near: list[list[Run]] = []  # parts of mentions that are kept and may reach this far
        odd = [
            mention for mention in mentions if mention.broken or mention.first & MINOR_MASK
        ]  # others have words only
        empty = {place for mention in odd for place in mention.positions if place & MINOR_MASK}
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
    """Every mention with its first word as head."""
    losses.add("heads", int(mention.head != mention.first))
    return mention._replace(head=mention.first)


@_each
def as_names(mention: Mention, _: list[int], losses: Losses) -> Mention:
    """Nothing changes, but a name says nothing about words and dependencies."""
    losses.add("dependencies", int(mention.is_zero))
    losses.add("spans", int(mention.size > 1))
    return mention


Cleaned = Callable[[str], str]
"""Text as a format can hold it; the same text if it can."""


def fitted(documents: Iterable[Document], row: Writer, losses: Losses) -> Iterator[Document]:
    """Documents as a format can hold them: its row says what becomes of mentions, words and names."""
    taken: set[str] = set()
    for document in documents:
        if row.blind:
            document = document.replace_entities((), ())
        if "documents" in row.cannot_hold and not any(sentence.words for sentence in document.sentences):
            losses.add("documents")
            continue
        document = without_lost(_with_mentions(document, row.steps, losses), row.cannot_hold, losses)
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
    """The document with what is left of the mentions of each entity."""
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
