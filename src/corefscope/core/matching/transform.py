"""Document -> Document, before anything is matched: repeats, repeated ownership, singletons.

What counts as *the same mention* depends on how mentions will be matched: by head, the words and the head;
otherwise the words alone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from operator import itemgetter

from ..document import Document, Entity, Mention, MentionWithMinimum, same_words
from ..positions import MINOR_MASK, decimal

Identity = Callable[[Mention], Hashable]

SAME_WORDS: Identity = same_words
SAME_WORDS_AND_HEAD: Identity = itemgetter(0, 2, 5, 3)


def without_repeats(document: Document, identity: Identity) -> Document:
    """Each mention once per entity, the first one kept."""
    entities = [_unique(entity, identity) for entity in document.entities]
    if all(new is old for new, old in zip(entities, document.entities, strict=True)):
        return document
    return document.replace_entities(range(len(entities)), tuple(entities))


def _unique(entity: Entity, identity: Identity) -> Entity:
    if len(entity) == 1 or len(set(map(identity, entity))) == len(entity):
        return entity
    first: dict[Hashable, Mention] = {}
    for mention in entity:
        first.setdefault(identity(mention), mention)
    return tuple(first.values())


def with_one_owner(document: Document, identity: Identity) -> Document:
    """Each mention in one entity only; an entity that loses all its mentions is dropped.

    The largest entity that has the mention keeps it, then the one that begins first, whatever the entities
    are called.
    """
    entities = document.entities
    order = sorted(range(len(entities)), key=lambda i: (-len(entities[i]), [m.positions for m in entities[i]]))
    owned = one_owner([[identity(mention) for mention in entity] for entity in entities], order)
    kept = [i for i, members in enumerate(owned) if members]
    return document.replace_entities(kept, tuple(tuple(entities[i][n] for n in owned[i]) for i in kept))


def one_owner(entities: Sequence[Sequence[Hashable]], order: Iterable[int]) -> list[list[int]]:
    """The members that each entity keeps, by number, if every mention belongs to its first entity in this order.

    >>> one_owner([["a", "b"], ["b", "c", "d"]], order=[1, 0])
    [[0], [0, 1, 2]]
    """
    taken: set[Hashable] = set()
    owned: list[list[int]] = [[] for _ in entities]
    for i in order:
        owned[i] = [n for n, mention in enumerate(entities[i]) if mention not in taken]
        taken.update(entities[i])
    return owned


def with_words_once(document: Document) -> Document:
    """Every mention with each of its words once, even where parts of a discontinuous mention overlap."""

    def words_once(mention: Mention) -> Mention:
        if not mention.broken:
            return mention
        return mention._replace(positions=tuple(dict.fromkeys(mention.positions)))

    entities = tuple(tuple(map(words_once, entity)) for entity in document.entities)
    return document.replace_entities(range(len(entities)), entities, words_once)


def with_minima(document: Document) -> Document:
    """Every mention with minimal words (``Mention.minimum``): all of its words where none are named.

    Zeros are found in other ways.
    """

    def with_minimum(mention: Mention) -> Mention:
        if mention.minimum or mention.is_zero:
            return mention
        return MentionWithMinimum(mention.positions, mention.head, mention.dependencies, mention.positions)

    return document.changed(with_minimum)


def restricted(document: Document, where: Callable[[Document, Mention], bool]) -> Document:
    """Only the mentions that a predicate selects; entities that lose all of theirs are dropped."""
    entities = [tuple(mention for mention in entity if where(document, mention)) for entity in document.entities]
    kept = [i for i, entity in enumerate(entities) if entity]
    return document.replace_entities(
        kept, tuple(entities[i] for i in kept), lambda mention: mention if where(document, mention) else None
    )


def without_singletons(document: Document) -> Document:
    """Entities of two mentions or more."""
    entities = document.entities
    kept = [i for i, entity in enumerate(entities) if len(entity) > 1]
    if len(kept) == len(entities):
        return document
    return document.replace_entities(kept, tuple([entities[i] for i in kept]))


def with_decimal_ordinals(document: Document) -> Document:
    """Empty node 3.10 read as the decimal number 3.1: the same node as 3.1, and before 3.2.

    That is how CorefUD scorer 1.2 compares words; the official reading of a document has its mentions and entities in
    that order already.
    """

    def read_as_decimal(mention: Mention) -> Mention:
        if not (mention.broken or (mention.first | mention.head) & MINOR_MASK):  # words only
            return mention
        return mention._replace(
            positions=tuple(sorted(map(decimal, mention.positions))),
            head=decimal(mention.head),
            dependencies=tuple((decimal(parent), relation) for parent, relation in mention.dependencies),
        )

    entities = tuple(tuple(map(read_as_decimal, entity)) for entity in document.entities)
    return document.replace_entities(range(len(entities)), entities, read_as_decimal)
