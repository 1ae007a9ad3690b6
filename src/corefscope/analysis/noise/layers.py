"""Random changes to zeros, bridging links, the elements of plurals, and expressions that do not refer.

Empty nodes of the key stay in the text, so that spans around them stay the same; only their mentions are removed. New
empty nodes are inserted where no span has words on both sides of them. Changes to relations leave identity alone,
except where mentions cease to refer, or begin to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain

from ...core.document import Document, Entity, Mention, Relation, Sentence, changed_relations
from ...core.positions import MINOR_MASK, NEXT_WORD, SENTENCE_SHIFT, node_name, position
from ...formats.corefud.nodes import NewNode, with_empty_nodes
from .changes import (
    Changes,
    RandomDraws,
    add_mentions,
    coreferent_entities,
    drop_mentions,
    numbered_mentions,
    plain_words,
    rebuild,
    replace_mentions,
)

VERBS = ("VERB", "AUX")
LAST_MINOR = 9  # scorers disagree about empty nodes .10 and up
ADDED_RELATION = "nsubj"


def zero_drop(document: Document, draws: RandomDraws) -> Changes:
    """Drop zeros."""
    return drop_mentions(document, _zeros(document), draws)


def zero_add(document: Document, draws: RandomDraws) -> Changes:
    """Add spurious zeros to entities: as many as there are zeros, each the subject of a verb that has no zero."""
    count = len(_zeros(document))
    new: list[tuple[int | None, Mention]] = []
    if count:
        slots = _EmptyNodeSlots(document)
        targets = coreferent_entities(document)
        parents = [parent for sentence in document.sentences for parent in slots.parents(sentence)]
        verbs = {verb for sentence in document.sentences for verb in _verbs(sentence)}
        verbs_first = sorted(draws.shuffled(parents), key=lambda parent: parent not in verbs)
        for parent in verbs_first:
            if len(new) < count and (node := slots.take(parent)):
                new.append((draws.pick(targets), Mention((node,), node, ((parent, ADDED_RELATION),))))
    return _insert_nodes(document, add_mentions(document, new), [mention for _, mention in new])


def zero_misattach(document: Document, draws: RandomDraws) -> Changes:
    """Attach zeros to another word, next to it; their entities stay the same."""
    zeros = [
        (numbers, mention)
        for numbers, mention in numbered_mentions(document)
        if mention.is_zero and mention.size == 1 and mention.dependencies and document.sentences
    ]
    replaced = []
    slots = _EmptyNodeSlots(document)
    for numbers, mention in draws.shuffled(zeros):
        sentence = document.sentence_of(mention.head)
        free = slots.parents(sentence)
        parents = [verb for verb in _verbs(sentence) if verb in free] or free
        if parents:
            parent = draws.pick(parents)
            if node := slots.take(parent):
                replaced.append((numbers, Mention((node,), node, ((parent, mention.dependencies[0][1]),))))
    return _insert_nodes(document, replace_mentions(document, replaced), [mention for _, mention in replaced])


def _zeros(document: Document) -> list[Mention]:
    return [mention for entity in document.entities for mention in entity if mention.is_zero]


def _verbs(sentence: Sentence) -> list[int]:
    """The verbs of a sentence of CoNLL-U; of another format, none."""
    rows = [line.split("\t") for line in sentence.text.split("\n")]
    verbs = {row[0] for row in rows if len(row) == 10 and row[3] in VERBS}
    return [word for word in plain_words(sentence) if node_name(word) in verbs]


class _EmptyNodeSlots:
    """Places for new empty nodes."""

    def __init__(self, document: Document) -> None:
        mentions = list(chain.from_iterable(document.entities))
        self._occupied = {parent for mention in mentions for parent, _ in mention.dependencies}
        self._spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for mention in mentions:
            first, last = mention.first, mention.last
            self._spans[first >> SENTENCE_SHIFT].append((first, last))
        self._last_word: dict[int, int] = {}
        self._minors: dict[int, int] = defaultdict(int)
        for sentence in document.sentences:
            self._last_word[sentence.number] = position(sentence.number, len(sentence.words))
            for node in sentence.nodes:
                self._minors[node & ~MINOR_MASK] = node & MINOR_MASK  # nodes come in order: the largest is the last

    def parents(self, sentence: Sentence) -> list[int]:
        """The words of a sentence on which no zero depends."""
        return [word for word in plain_words(sentence) if word not in self._occupied]

    def take(self, parent: int) -> int | None:
        """Take the position of a new empty node that depends on a word: before it, or at the end of the sentence."""
        sentence = parent >> SENTENCE_SHIFT
        for before in (parent - NEXT_WORD, self._last_word[sentence]):
            node = before | self._minors[before] + 1
            inside = any(first < node < last for first, last in self._spans[sentence])
            if not inside and node & MINOR_MASK <= LAST_MINOR:
                self._minors[before] += 1
                self._occupied.add(parent)
                return node
        return None


def _insert_nodes(document: Document, changes: Changes, zeros: Sequence[Mention]) -> Changes:
    """The same changes, each of which also inserts the empty node of its zero."""

    def make(count: int) -> Document:
        new = changes.make(count)
        by_sentence: dict[int, list[NewNode]] = defaultdict(list)
        for zero in zeros[:count]:
            node = NewNode(zero.head, zero.dependencies, pos="PRON")
            by_sentence[zero.head >> SENTENCE_SHIFT].append(node)
        sentences = tuple(
            with_empty_nodes(sentence, by_sentence[sentence.number]) if sentence.number in by_sentence else sentence
            for sentence in document.sentences
        )
        largest_minor = max([new.largest_minor, *(zero.head & MINOR_MASK for zero in zeros[:count])])
        return new._replace(sentences=sentences, largest_minor=largest_minor)

    return Changes(changes.total, make)


class _Entities:
    """The entities of a document, as relations name them."""

    def __init__(self, document: Document) -> None:
        self._entities, self._ids = document.entities, document.entity_ids
        self.number_of = {mention: i for (i, _), mention in numbered_mentions(document)}
        entities = set(self._entities)
        links = [relation for relation in document.relations if relation.kind == "bridging"]
        self._whole = all(relation.targets[0] in entities for relation in links)

    def name(self, i: int) -> str:
        """The id of an entity."""
        return self._ids[i] if self._ids else ""

    def anchor(self, i: int, draws: RandomDraws) -> Entity:
        """The target of a link to an entity: the entity, or one of its mentions if any link targets a mention."""
        return self._entities[i] if self._whole else (draws.pick(self._entities[i]),)

    def others(self, *taken: int | None) -> list[int]:
        """All but these."""
        return [i for i in range(len(self._entities)) if i not in taken]

    def link(self, anaphor: Mention, i: int, draws: RandomDraws, label: str = "") -> Relation:
        """A bridging link to an entity."""
        own = self.number_of.get(anaphor)
        ids = (self.name(own), self.name(i)) if self._ids and own is not None else ()
        return Relation("bridging", (anaphor,), (self.anchor(i, draws),), label, ids)


def _numbered_relations(document: Document, kind: str) -> list[tuple[int, Relation]]:
    return [(n, relation) for n, relation in enumerate(document.relations) if relation.kind == kind]


def _replace_relations(
    document: Document, replaced: Mapping[int, Relation | None], new: Sequence[Relation] = ()
) -> Document:
    """Replace relations by their index; None removes one."""
    relations = [replaced.get(n, relation) for n, relation in enumerate(document.relations)]
    return document._replace(relations=(*filter(None, relations), *new), official=None)


def bridging_drop(document: Document, draws: RandomDraws) -> Changes:
    """Drop bridging links."""
    order = draws.shuffled([n for n, _ in _numbered_relations(document, "bridging")])
    return Changes(len(order), lambda count: _replace_relations(document, dict.fromkeys(order[:count])))


def bridging_add(document: Document, draws: RandomDraws) -> Changes:
    """Link mentions that are no bridging anaphors to another entity: as many as there are links."""
    entities, links = _Entities(document), _numbered_relations(document, "bridging")
    taken = {relation.anaphor[0] for _, relation in links}
    free = [mention for mention in dict.fromkeys(entities.number_of) if mention not in taken]
    new = [
        entities.link(mention, draws.pick(others), draws)
        for mention in draws.shuffled(free)[: len(links)]
        if (others := entities.others(entities.number_of[mention]))
    ]
    return Changes(len(new), lambda count: _replace_relations(document, {}, new[:count]))


def bridging_anchor(document: Document, draws: RandomDraws) -> Changes:
    """Change the target of links to an entity to which the anaphor has no link."""
    entities, links = _Entities(document), _numbered_relations(document, "bridging")
    taken: dict[Mention, set[int | None]] = {}
    for _, relation in links:
        held = taken.setdefault(relation.anaphor[0], {entities.number_of.get(relation.anaphor[0])})
        held.update(map(entities.number_of.get, relation.targets[0]))
    replaced: dict[int, Relation | None] = {}
    for n, relation in draws.shuffled(links):
        anaphor = relation.anaphor[0]
        if others := entities.others(*taken[anaphor]):
            chosen = draws.pick(others)
            taken[anaphor].add(chosen)
            replaced[n] = entities.link(anaphor, chosen, draws, relation.label)
    order = list(replaced)
    return Changes(len(order), lambda count: _replace_relations(document, {n: replaced[n] for n in order[:count]}))


def element_drop(document: Document, draws: RandomDraws) -> Changes:
    """Drop elements of plurals; a plural without elements is removed."""
    plurals = _numbered_relations(document, "split")
    order = draws.shuffled([(n, place) for n, relation in plurals for place in range(len(relation.targets))])

    def make(count: int) -> Document:
        gone = set(order[:count])
        replaced: dict[int, Relation | None] = {}
        for n, relation in plurals:
            kept = [place for place in range(len(relation.targets)) if (n, place) not in gone]
            ids = (relation.ids[0], *(relation.ids[place + 1] for place in kept)) if relation.ids else ()
            targets = tuple([relation.targets[place] for place in kept])
            replaced[n] = relation._replace(targets=targets, ids=ids) if kept else None
        return _replace_relations(document, replaced)

    return Changes(len(order), make)


def element_add(document: Document, draws: RandomDraws) -> Changes:
    """Add entities that are no plurals to plurals: as many as there are elements."""
    entities, plurals = _Entities(document), _numbered_relations(document, "split")
    singular = set(entities.others(*(entities.number_of.get(relation.anaphor[0]) for _, relation in plurals)))
    choices = [
        (n, i)
        for n, relation in plurals
        for i in sorted(singular.difference(entities.number_of.get(target[0]) for target in relation.targets))
    ]
    new = draws.shuffled(choices)[: sum(len(relation.targets) for _, relation in plurals)]

    def make(count: int) -> Document:
        replaced: dict[int, Relation | None] = dict(plurals)
        for n, i in new[:count]:
            relation = replaced[n]
            assert relation is not None
            ids = (*relation.ids, entities.name(i)) if relation.ids else ()
            replaced[n] = relation._replace(targets=(*relation.targets, document.entities[i]), ids=ids)
        return _replace_relations(document, replaced)

    return Changes(len(new), make)


def non_referring_add(document: Document, draws: RandomDraws) -> Changes:
    """Make mentions non-referring, as many as there are already: they leave entities and relations."""
    nowhere = sum(len(relation.anaphor) for _, relation in _numbered_relations(document, "non-referring"))
    order = draws.shuffled(list(dict.fromkeys(mention for _, mention in numbered_mentions(document))))[:nowhere]

    def make(count: int) -> Document:
        gone = set(order[:count])
        kept = [[mention for mention in entity if mention not in gone] for entity in document.entities]
        relations = changed_relations(document.relations, lambda mention: None if mention in gone else mention)
        names = [f"noise{n}-Pseudo" for n in range(1, count + 1)]
        new = [
            Relation("non-referring", (mention,), label=name, ids=(name,))
            for mention, name in zip(order[:count], names, strict=True)
        ]
        return rebuild(document, enumerate(kept))._replace(relations=(*relations, *new))

    return Changes(len(order), make)


def non_referring_drop(document: Document, draws: RandomDraws) -> Changes:
    """Add non-referring expressions to entities."""
    nowhere = [m for _, relation in _numbered_relations(document, "non-referring") for m in relation.anaphor]
    targets = coreferent_entities(document)
    joined = [(draws.pick(targets), mention) for mention in draws.shuffled(list(dict.fromkeys(nowhere))) if targets]

    def make(count: int) -> Document:
        entities = [list(entity) for entity in document.entities]
        for i, mention in joined[:count]:
            entities[i].append(mention)
        gone = {mention for _, mention in joined[:count]}
        relations = [
            relation.changed(lambda mention: None if mention in gone else mention)
            if relation.kind == "non-referring"
            else relation
            for relation in document.relations
        ]
        return rebuild(document, enumerate(entities))._replace(relations=tuple(filter(None, relations)))

    return Changes(len(joined), make)
